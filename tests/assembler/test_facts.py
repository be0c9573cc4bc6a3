from __future__ import annotations

from ctxinspect.assembler import ContextComponent, assemble
from ctxinspect.settings import AssemblerSettings


def words(text):
    return len(text.split())


def run(components, variables=None, **options):
    options.setdefault("min_useful_tokens", 5)
    return assemble(components, variables or {}, AssemblerSettings(**options), words)


def codes(result):
    return [(finding.id, finding.component) for finding in result.findings]


def test_a_placeholder_without_value_is_reported_once_per_component_and_name():
    result = run(
        [ContextComponent("a", "{{x}} {{x}} {{y}}"), ContextComponent("b", "{{x}}")], {"x": None}, max_tokens=90
    )
    assert codes(result) == [
        ("placeholder-unfilled", "a"),
        ("placeholder-unfilled", "a"),
        ("placeholder-unfilled", "b"),
    ]
    assert "its value is null" in result.findings[0].text
    assert "no variable has this name" in result.findings[1].text


def test_a_variable_that_no_component_names_is_reported():
    result = run([ContextComponent("a", "{{x}}")], {"x": "1", "z": "2", "gone": None}, max_tokens=90)
    assert codes(result) == [("variable-not-rendered", "z"), ("variable-not-rendered", "gone")]


def test_a_higher_component_cut_while_a_lower_one_is_kept_is_an_inversion():
    result = run(
        [ContextComponent("docs", "w " * 40, 90), ContextComponent("pin", "a b", 30, truncatable=False)], max_tokens=15
    )
    assert codes(result) == [("priority-inversion", "docs")]
    assert "was cut" in result.findings[0].text
    assert "pin" in result.findings[0].text


def test_an_empty_component_is_no_inversion_and_no_waste():
    result = run([ContextComponent("hole", "", 100), ContextComponent("a", "x", 10)], max_tokens=90)
    assert codes(result) == []


def test_a_drop_beside_unused_tokens_is_reported():
    result = run(
        [ContextComponent("law", "w " * 40, 100, truncatable=False), ContextComponent("a", "x")], max_tokens=30
    )
    assert codes(result) == [("pinned-dropped", "law"), ("priority-inversion", "law"), ("unused-budget", "law")]
    assert result.findings[-1].severity == "warning"


def test_exactly_min_useful_tokens_unused_is_no_waste():
    parts = [ContextComponent("law", "w " * 40, 100, truncatable=False), ContextComponent("a", "x y z")]
    assert ("unused-budget", "law") not in codes(run(parts, max_tokens=10))
    assert ("unused-budget", "law") in codes(run(parts, max_tokens=11))


def test_the_ledger_has_every_component_with_value_threshold_and_margin():
    result = run(
        [
            ContextComponent("kept", "a b", 100),
            ContextComponent("cut", "w " * 40, 90),
            ContextComponent("late", "w " * 40, 80),
            ContextComponent("hole", " "),
        ],
        max_tokens=20,
    )
    ledger = {entry.id: entry for entry in result.ledger}
    assert list(ledger) == sorted(ledger)
    assert (ledger["kept"].value, ledger["kept"].threshold, ledger["kept"].margin) == (20, 4, 16)
    assert (ledger["cut"].state, ledger["cut"].value, ledger["cut"].margin) == ("truncated", 16, -26)
    assert (ledger["late"].rule, ledger["late"].threshold) == ("below_min_useful", 5)
    assert (ledger["late"].value - 5) == ledger["late"].margin < 0
    assert (ledger["hole"].rule, ledger["hole"].value, ledger["hole"].margin) == ("empty", None, None)
    assert {(entry.kind, entry.stage) for entry in result.ledger} == {("component", "assemble")}


def test_a_kept_component_of_the_same_priority_is_no_inversion():
    result = run(
        [ContextComponent("docs", "w " * 40, 90), ContextComponent("pin", "a b", 90, truncatable=False)], max_tokens=15
    )
    assert codes(result) == []
