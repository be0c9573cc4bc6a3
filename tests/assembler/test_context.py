from __future__ import annotations

import pytest

from ctxinspect.assembler import ComponentPriority, ContextAssembler, ContextComponent
from ctxinspect.errors import SettingsError
from ctxinspect.tokens.counter import named_counter


def test_basic_assembly_holds_names_and_contents():
    assembler = ContextAssembler(max_tokens=1000)
    assembler.add_component("part1", "Hello", priority=100)
    assembler.add_component("part2", "World", priority=90)
    assert assembler.assemble() == "# PART1\nHello\n\n# PART2\nWorld"


def test_high_stands_before_mid_before_low():
    assembler = ContextAssembler(max_tokens=10000)
    for name, priority in (("low", 10), ("high", 100), ("mid", 50)):
        assembler.add_component(name, f"{name} priority", priority=priority)
    text = assembler.assemble()
    assert text.find("high priority") < text.find("mid priority") < text.find("low priority")


@pytest.mark.parametrize("counter", [None, named_counter("chars/4"), len])
def test_total_tokens_stay_within_the_budget_beside_a_critical_text(counter):
    assembler = ContextAssembler(max_tokens=100, token_counter=counter)
    assembler.add_component("large", "x" * 1000, priority=50, truncatable=True)
    assembler.add_component("critical", "Important", priority=100, truncatable=False)
    assert "Important" in assembler.assemble()
    assert assembler.get_summary()["total_tokens"] <= 100


def test_a_critical_text_stands_whole_exactly_once():
    assembler = ContextAssembler(max_tokens=500)
    assembler.add_component("critical", "Critical content", priority=100, truncatable=False)
    assembler.add_component("optional", "x" * 10000, priority=50)
    assert assembler.assemble().count("Critical content") == 1


def test_retrieved_documents_stand_beside_base_instructions():
    assembler = ContextAssembler(max_tokens=2000)
    assembler.add_component("base", "You are a gardener.", ComponentPriority.CRITICAL, truncatable=False)
    assembler.add_component("retrieved_docs", "Document 1: grafted in 2019", ComponentPriority.HIGH)
    text = assembler.assemble()
    assert "You are a gardener." in text
    assert "Document 1: grafted in 2019" in text


def test_an_integration_loses_neither_the_own_prompt_nor_the_context_nor_memory():
    assembler = ContextAssembler()
    assembler.add_component("system", "Reply in Dutch", 100, truncatable=False)
    assembler.add_component("context", "grafted in 2019", 90)
    assembler.add_component("memory", "prefers short answers", 70)
    text = assembler.assemble()
    for expected in ("Reply in Dutch", "grafted in 2019", "prefers short answers"):
        assert text.count(expected) == 1
    assert all(row["rendered_tokens"] > 0 for row in assembler.get_summary()["components"])


def test_the_summary_has_the_keys_of_the_specification():
    assembler = ContextAssembler(max_tokens=50)
    assembler.add_component("a", "one two three", 70)
    summary = assembler.get_summary()
    assert set(summary) == {
        "requested_tokens", "rendered_tokens", "total_tokens", "budget", "limit", "overflow", "unused_tokens",
        "components",
    }  # fmt: skip
    assert set(summary["components"][0]) == {
        "name", "priority", "truncatable", "requested_tokens", "rendered_tokens", "state", "rule", "remaining",
        "margin", "position",
    }  # fmt: skip
    assert summary["total_tokens"] == summary["rendered_tokens"] == named_counter("cl100k_base")(assembler.assemble())


def test_the_callback_gets_the_summary_after_each_assembly():
    seen = []
    assembler = ContextAssembler(on_assembled=seen.append)
    assembler.add_component("a", "text")
    assembler.get_summary()
    assert seen == []
    assembler.assemble()
    assembler.add_component("b", "more")
    assembler.assemble()
    assert [len(summary["components"]) for summary in seen] == [1, 2]


def test_variables_fill_placeholders():
    assembler = ContextAssembler(variables={"user_name": "Ada"})
    assembler.add_component("who", "You help {{user_name}}.")
    assert assembler.assemble() == "# WHO\nYou help Ada."


def test_the_typed_trace_stands_behind_the_summary():
    assembler = ContextAssembler(max_tokens=10, min_useful_tokens=1)
    assembler.add_component("law", "word " * 50, 100, truncatable=False)
    assert [finding.id for finding in assembler.result.findings] == ["pinned-dropped", "unused-budget"]
    assert assembler.components == (ContextComponent("law", "word " * 50, 100, truncatable=False),)


def test_priorities_have_names_and_any_integer_from_0_to_100_is_allowed():
    assert [p.value for p in ComponentPriority] == [100, 90, 70, 50, 30]
    assert ContextComponent("a", "x", 0).priority == 0
    for wrong in (-1, 101, 5.5, True):
        with pytest.raises(SettingsError, match="priority"):
            ContextComponent("a", "x", wrong)


def test_a_name_that_is_taken_is_refused_so_that_nothing_is_overwritten():
    assembler = ContextAssembler()
    assembler.add_component("system", "one")
    with pytest.raises(ValueError, match="'system' is taken"):
        assembler.add_component("system", "two")


@pytest.mark.parametrize("wrong", [{"buffer": 1.0}, {"max_tokens": -1}, {"after_truncate": "go"}, {"max_tokens": True}])
def test_a_setting_out_of_range_is_named(wrong):
    with pytest.raises(SettingsError, match=next(iter(wrong))):
        ContextAssembler(**wrong)
