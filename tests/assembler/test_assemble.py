from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ctxinspect.assembler import TRUNCATION_MARK, ContextComponent, assemble, section_text, token_limit
from ctxinspect.settings import COUNTER_NAMES, AssemblerSettings
from ctxinspect.tokens.counter import named_counter


def words(text):
    return len(text.split())


def part(name, size, priority=70, truncatable=True):
    return ContextComponent(name, " ".join(f"{name}{i}" for i in range(size)), priority, truncatable)


def run(components, count=words, variables=None, **options):
    options.setdefault("min_useful_tokens", 5)
    return assemble(components, variables or {}, AssemblerSettings(**options), count)


def rows(result):
    return {row.name: row for row in result.trace.components}


def test_everything_that_fits_is_kept_in_order_of_priority():
    result = run([part("low", 2, 10), part("high", 2, 100), part("mid", 2, 50)], max_tokens=100)
    assert result.trace.text == "# HIGH\nhigh0 high1\n\n# MID\nmid0 mid1\n\n# LOW\nlow0 low1"
    assert {(row.state, row.rule) for row in result.trace.components} == {("kept", "fits")}
    assert [(row.remaining, row.margin) for row in result.trace.components] == [(100, 96), (96, 92), (92, 88)]


def test_headers_and_separators_are_never_free():
    trace = run([part("a", 3), part("b", 3)], max_tokens=100).trace
    assert trace.rendered_tokens == 10
    assert trace.unused_tokens == 90


def test_ties_go_by_insertion():
    trace = run([part("b", 1), part("a", 1)], max_tokens=100).trace
    assert [row.name for row in trace.components] == ["b", "a"]


def test_pinned_components_are_admitted_first_but_stand_by_priority():
    result = run([part("big", 40, 90), part("pin", 4, 30, False)], max_tokens=20)
    assert [row.position for row in result.trace.components] == [0, 1]
    assert rows(result)["big"].state == "truncated"
    assert rows(result)["pin"].remaining == 20
    assert result.trace.text.endswith("# PIN\npin0 pin1 pin2 pin3")


def test_a_pinned_component_that_does_not_fit_is_dropped_with_an_error():
    result = run([part("law", 50, 100, False), part("small", 2)], max_tokens=10)
    assert rows(result)["law"].rule == "pinned_over_budget"
    assert (rows(result)["law"].remaining, rows(result)["law"].margin) == (10, -42)
    found = [f for f in result.findings if f.id == "pinned-dropped"]
    assert [(f.severity, f.stage, f.component) for f in found] == [("error", "assemble", "law")]
    assert "42 tokens are missing" in found[0].text


def test_a_component_is_cut_to_what_remains():
    result = run([part("docs", 50)], max_tokens=12)
    row = rows(result)["docs"]
    assert (row.state, row.rule) == ("truncated", "cut_to_budget")
    assert result.trace.text == section_text("docs", row.content[: row.rendered_chars]) + TRUNCATION_MARK
    assert result.trace.rendered_tokens == 12
    assert row.content == part("docs", 50).content


def test_what_is_too_little_to_be_useful_is_a_drop():
    result = run([part("first", 6), part("second", 50)], max_tokens=12)
    row = rows(result)["second"]
    assert (row.state, row.rule, row.remaining, row.position, row.rendered_tokens) == (
        "dropped",
        "below_min_useful",
        4,
        None,
        0,
    )


def test_remaining_at_exactly_the_minimum_is_useful():
    result = run([part("first", 5), part("second", 50)], max_tokens=12)
    assert rows(result)["second"].remaining == 5
    assert rows(result)["second"].rule == "cut_to_budget"


def test_a_cut_that_keeps_nothing_is_a_drop():
    result = run([part("docs", 50)], max_tokens=4, min_useful_tokens=0)
    assert rows(result)["docs"].rule == "below_min_useful"
    assert result.trace.text == ""


def test_stop_drops_everything_after_the_first_cut_and_continue_does_not():
    def count(text):
        return sum(1 if word != "heavy" else 10 for word in text.split())

    docs = ContextComponent("docs", "a b c d e heavy heavy", 90)
    small = ContextComponent("s", "x", 50)
    on = run([docs, small], count=count, max_tokens=14)
    off = run([docs, small], count=count, max_tokens=14, after_truncate="stop")
    assert rows(on)["docs"].state == rows(off)["docs"].state == "truncated"
    assert (rows(on)["s"].state, rows(on)["s"].rule) == ("kept", "fits")
    assert (rows(off)["s"].state, rows(off)["s"].rule) == ("dropped", "after_truncate")
    assert rows(off)["s"].margin >= 0


def test_output_order_may_be_that_of_admission_or_a_list_of_names():
    parts = [part("docs", 30, 90), part("rules", 3, 50, False), part("notes", 40, 40)]
    admission = run(parts, max_tokens=20, order="admission").trace
    assert admission.text.startswith("# RULES")
    named = run(parts, max_tokens=100, order=("notes", "unknown", "docs")).trace
    assert [row.position for row in named.components] == [1, 2, 0]
    whole = run(parts, max_tokens=100, order="admission").trace
    assert [row.position for row in whole.components] == [0, 1, 2]


def test_an_empty_component_is_left_out_and_says_so():
    result = run([ContextComponent("hole", " \n "), part("a", 1)], max_tokens=10)
    row = rows(result)["hole"]
    assert (row.state, row.rule, row.requested_tokens, row.position) == ("dropped", "empty", 0, None)
    assert result.trace.text == "# A\na0"
    assert not result.findings


def test_a_component_that_only_a_null_variable_fills_is_not_empty():
    result = run([ContextComponent("topology", "{{topology_info}}")], variables={"topology_info": None}, max_tokens=99)
    assert result.trace.text == "# TOPOLOGY\n(No topology information available)"


def test_the_limit_is_the_budget_without_its_buffer():
    assert token_limit(1000, 0.1) == 900
    assert token_limit(260, 0.1) == 234
    trace = run([part("a", 1)], max_tokens=100, buffer=0.25).trace
    assert (trace.budget, trace.limit) == (100, 75)


def test_a_budget_of_nothing_renders_nothing():
    trace = run([part("a", 3), part("b", 2, 100, False)], max_tokens=0).trace
    assert (trace.text, trace.rendered_tokens, trace.overflow) == ("", 0, 9)


def test_overflow_is_what_was_asked_for_beyond_the_limit():
    trace = run([part("a", 10), part("b", 10)], max_tokens=15).trace
    assert (trace.requested_tokens, trace.overflow) == (24, 9)


NAMES = ["base", "docs", "工具", "x"]
CONTENT = st.text(st.sampled_from([*"ab \n.{}#'/", "系", "🙂", "\ud800"]), max_size=60)
PARTS = st.lists(st.tuples(CONTENT, st.sampled_from([30, 70, 70, 100]), st.booleans()), min_size=0, max_size=4).map(
    lambda items: [ContextComponent(NAMES[i], *item) for i, item in enumerate(items)]
)
OPTIONS = st.fixed_dictionaries(
    {
        "max_tokens": st.integers(0, 120),
        "buffer": st.sampled_from([0.0, 0.1]),
        "min_useful_tokens": st.sampled_from([0, 5, 20]),
        "after_truncate": st.sampled_from(["continue", "stop"]),
        "order": st.sampled_from(["priority", "admission", ("x", "base")]),
    }
)


@pytest.mark.parametrize("name", COUNTER_NAMES)
@settings(deadline=None, max_examples=60)
@given(parts=PARTS, options=OPTIONS)
def test_the_laws_hold_for_every_counter(name, parts, options):
    counter = named_counter(name)
    result = assemble(parts, {}, AssemblerSettings(**options), counter, measure=counter.measure)
    trace = result.trace
    assert counter.measure(trace.text) == trace.rendered_tokens <= trace.limit
    assert sum(row.rendered_tokens for row in trace.components) == trace.rendered_tokens
    assert sorted(row.name for row in trace.components) == sorted(p.name for p in parts)
    assert sorted(entry.id for entry in result.ledger) == sorted(p.name for p in parts)
    for row in trace.components:
        assert (row.position is None) == (row.state == "dropped")
        assert row.rule != "pinned_over_budget" or not row.truncatable
    positions = sorted(row.position for row in trace.components if row.position is not None)
    assert positions == list(range(len(positions)))


@pytest.mark.parametrize("name", ["cl100k_base", "o200k_base"])
@settings(deadline=None, max_examples=100)
@given(parts=PARTS, options=OPTIONS)
def test_adding_up_sections_gives_what_counting_the_joined_text_gives(name, parts, options):
    counter = named_counter(name)
    chosen = AssemblerSettings(**options)
    assert assemble(parts, {}, chosen, counter) == assemble(parts, {}, chosen, counter.measure)


@pytest.mark.parametrize("seed", range(30))
def test_a_counter_that_is_neither_monotone_nor_additive_breaks_no_law(seed):
    def count(text):
        return (len(text) * 7 + seed * 13) % 50 if text else 0

    parts = [part("a", 9), part("b", 30, 90), part("c", 4, 100, False), part("d", 3, 10)]
    trace = run(parts, count=count, max_tokens=20).trace
    assert count(trace.text) == trace.rendered_tokens <= 20
    assert sum(row.rendered_tokens for row in trace.components) == trace.rendered_tokens


def test_a_large_component_is_cut_in_few_counts():
    counter = named_counter("cl100k_base").labelled(exact=False)
    before = counter.texts_counted
    docs = ContextComponent("docs", "some words to fill a page " * 8_000)
    assemble(
        [docs, part("a", 5, 100, False)], {}, AssemblerSettings(max_tokens=2_000), counter, measure=counter.measure
    )
    assert counter.texts_counted - before <= 32


def test_a_whole_text_of_exactly_the_limit_fits_and_stands_in_order_of_priority():
    parts = [part("a", 3, 90), part("pin", 3, 10, False)]
    trace = run(parts, max_tokens=10, order="admission").trace
    assert (trace.requested_tokens, trace.unused_tokens) == (10, 0)
    assert trace.text.startswith("# A")
    assert [(row.remaining, row.margin) for row in trace.components] == [(10, 5), (5, 0)]
