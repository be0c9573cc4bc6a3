"""Pages: one call with its result, ids unique in the session, every mismatch named and none guessed in silence."""

from __future__ import annotations

from ctxinspect.model.pairing import pair_turns
from tests.support.build import call, result, round_, turn


def pages(*rounds):
    return [page for r in pair_turns([turn("u", "a", *rounds)])[0] for page in r.pages]


def faults(*rounds):
    return [fault.code for r in pair_turns([turn("u", "a", *rounds)])[0] for fault in r.faults]


def test_a_result_answers_the_call_with_its_id():
    first, second = pages(round_([call("a"), call("b")], [result("b", "B"), result("a", "A")]))
    assert (first.result.content, second.result.content) == ("A", "B")


def test_results_in_another_order_are_a_fact_worth_knowing():
    assert faults(round_([call("a"), call("b")], [result("b"), result("a")])) == ["results-reordered"]


def test_without_ids_the_tool_name_decides():
    wind, tide = pages(
        round_([call(None, "wind"), call(None, "tide")], [result(None, "T", "tide"), result(None, "W", "wind")])
    )
    assert (wind.result.content, tide.result.content) == ("W", "T")
    assert (wind.id, tide.id) == ("t0c0", "t0c1")


def test_two_open_calls_of_one_name_make_a_marked_guess():
    found = pages(round_([call(None), call(None)], [result(None, "1"), result(None, "2")]))
    assert [page.result.content for page in found] == ["1", "2"]
    assert [page.guessed for page in found] == [True, False]
    assert "ambiguous-pair" in faults(round_([call(None), call(None)], [result(None), result(None)]))


def test_empty_ids_are_missing_and_not_equal():
    found = pages(
        round_([call("", "lock"), call("", "feed")], [result("", "fed", "feed"), result("", "locked", "lock")])
    )
    assert [page.result.content for page in found] == ["locked", "fed"]
    assert "duplicate-call-id" not in faults(round_([call("", "lock"), call("", "feed")], []))


def test_the_second_result_of_a_call_is_a_duplicate_and_a_stray_one_an_orphan():
    assert faults(round_([call("a")], [result("a"), result("a")])) == ["duplicate-result"]
    assert faults(round_([call("a")], [result("a"), result("z")])) == ["orphan-result"]


def test_an_id_used_before_gets_the_smallest_free_number():
    found = pages(
        round_([call("x")], [result("x")]), round_([call("x#2")], []), round_([call("x")], [result("x", "3")])
    )
    assert [page.id for page in found] == ["x", "x#2", "x#3"]
    assert found[2].result.content == "3"


def test_the_same_id_twice_in_one_round_pairs_in_order():
    first, second = pages(round_([call("x"), call("x")], [result("x", "1"), result("x", "2")]))
    assert (first.id, first.result.content, second.id, second.result.content) == ("x", "1", "x#2", "2")


def test_generated_ids_count_the_calls_of_the_turn():
    found = pages(round_([call("a"), call(None)], []), round_([call(None)], []))
    assert [page.id for page in found] == ["a", "t0c1", "t0c2"]
