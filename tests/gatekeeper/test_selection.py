"""Every earlier turn and every sentence of a chosen block has exactly one fate, with the numbers that decided."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.support.blocks import engine_over, select_at

LONG = "Hello. The pump leaks. Nothing here. A pump again. Nil. Pump pump. Pump four. "


def fates(selection):
    return {entry.id: entry for entry in selection.turn_ledger()}


def test_turns_before_a_reset_are_out_though_they_are_counted():
    engine = engine_over(("pump", ""), ("pump filter", ""), recent_turns=0)
    selection = select_at(engine, "pump", first_visible=1)
    assert (fates(selection)[0].rule, fates(selection)[0].state) == ("history_reset", "dropped")
    assert [row.turn_id for row in selection.recall] == [1]
    assert engine.gate("pump", 2, 0).anchors[0].df == 2


def test_a_turn_that_shares_nothing_says_so():
    entry = fates(select_at(engine_over(("violin", ""), ("pump", ""), recent_turns=0), "pump"))[0]
    assert (entry.rule, entry.stage, entry.value, entry.threshold, entry.margin) == (
        "no_shared_anchor",
        "recall",
        0,
        1,
        -1,
    )


def test_a_recent_turn_has_its_tokens_and_what_was_left():
    engine = engine_over(("pump one", "two three"), ("pump", ""), token_budget=10)
    entry = fates(select_at(engine, "pump"))
    assert (entry[1].rule, entry[1].state, entry[1].value, entry[1].threshold) == ("recent", "kept", 1, 10)
    assert (entry[0].value, entry[0].threshold, entry[0].margin) == (4, 9, -5)


def test_the_chosen_and_the_redundant_have_their_gain():
    engine = engine_over(("pump", "x"), ("pump", "x"), recent_turns=0, coverage_target=1.0)
    entry = fates(select_at(engine, "pump"))
    assert (entry[1].rule, entry[1].state) == ("selected", "kept")
    assert entry[1].margin > 0
    assert (entry[0].rule, entry[0].state, entry[0].value, entry[0].threshold) == ("covered", "dropped", 1.0, 1.0)


def test_without_a_target_the_redundant_have_no_gain_left():
    engine = engine_over(("pump", ""), ("pump", ""), recent_turns=0, rules_off=("coverage_target",))
    selection = select_at(engine, "pump")
    assert selection.cover.stop == "no_gain"
    assert (fates(selection)[0].rule, fates(selection)[0].value, fates(selection)[0].threshold) == ("covered", 0.0, 0.0)


def test_a_block_too_dear_has_its_cost_and_what_was_left():
    engine = engine_over(("pump one two three", ""), recent_turns=0, token_budget=3)
    entry = fates(select_at(engine, "pump"))[0]
    assert (entry.rule, entry.value, entry.threshold, entry.margin) == ("over_budget", 4, 3, 1)


def test_a_block_whose_anchor_was_pruned_away_gains_nothing():
    # The phrase spans two sentences, neither of which holds a query anchor by itself.
    engine = engine_over(('Hi. Nil. Say "Now! now" twice', ""), ("pump", ""), recent_turns=0)
    entry = fates(select_at(engine, 'pump "Now! now"'))[0]
    assert (entry.rule, entry.stage, entry.state, entry.value) == ("no_gain", "cover", "dropped", 0.0)


def test_the_limit_has_the_rank():
    engine = engine_over(*[("pump", "")] * 3, recent_turns=0, recall_limit=1)
    entry = fates(select_at(engine, "pump"))
    assert [(entry[t].rule, entry[t].value, entry[t].threshold) for t in (1, 0)] == [("recall_limit", 2, 1), ("recall_limit", 3, 1)]  # fmt: skip


def test_sentences_of_chosen_blocks_are_kept_or_dropped_by_rank():
    engine = engine_over((LONG, "Fine."), recent_turns=0)
    selection = select_at(engine, "pump")
    entries = {entry.id: entry for entry in selection.sentence_ledger()}
    assert list(entries) == [*(f"0.user.{k}" for k in range(7)), "0.assistant.0"]
    assert [entries[f"0.user.{k}"].state for k in range(7)] == ["kept", "kept", "dropped", "kept", "dropped", "kept", "dropped"]  # fmt: skip
    assert {entry.rule for entry in entries.values()} == {"sentence_rank"}
    assert entries["0.user.6"].margin == 0.0
    assert entries["0.user.2"].margin < 0
    assert selection.cut_sides(0) == (True, False)
    assert selection.cut_sides(7) == (False, False)


def test_without_pruning_no_sentence_was_a_candidate():
    selection = select_at(engine_over((LONG, ""), recent_turns=0, rules_off=("prune",)), "pump")
    assert selection.sentence_ledger() == ()
    assert selection.selected[0].user == LONG
    assert selection.recall[0].state == "kept"


TEXT = st.lists(st.sampled_from(["pump", "filter.", "violin", "堆肥", "lock!", "server"]), max_size=5).map(" ".join)


@given(
    st.lists(st.tuples(TEXT, TEXT), max_size=7),
    TEXT,
    st.integers(0, 30),
    st.integers(0, 3),
    st.integers(0, 3),
    st.integers(0, 2),
)
def test_every_turn_has_exactly_one_fate_and_the_budget_holds(blocks, query, budget, recent, limit, first):
    engine = engine_over(*blocks, token_budget=budget, recent_turns=recent, recall_limit=limit)
    selection = select_at(engine, query, first_visible=min(first, len(blocks)))
    entries = selection.turn_ledger()
    assert sorted(entry.id for entry in entries) == list(range(len(blocks)))
    kept = sorted(entry.id for entry in entries if entry.state != "dropped")
    assert kept == [row.turn_id for row in selection.selected]
    recent_tokens = sum(e.value for e in entries if e.rule == "recent")
    assert recent_tokens + sum(step.cost for step in selection.cover.steps) <= max(budget, 0)
    for entry in entries:
        assert (entry.margin is None) == (entry.value is None) == (entry.threshold is None)
        assert entry.margin is None or entry.margin == entry.value - entry.threshold
    assert {row.turn_id: row.rule for row in selection.recall}.items() <= {e.id: e.rule for e in entries}.items()
