"""Fates told without building each of them are those told one by one."""

from __future__ import annotations

from collections import Counter

import pytest

from ctxinspect.pipeline.replay import Replay
from ctxinspect.view.fates import turn_fate, turn_fates
from tests.benchmarks.generate import long_session


@pytest.mark.parametrize(
    ("context", "seen"),
    [
        ({"gatekeeper": {"recall_limit": 3}}, {"selected", "recent", "recall_limit", "history_reset", "covered"}),
        ({"window": {"context_tokens": 6000}}, {"trimmed", "history_reset"}),
        ({"history": "full", "window": {"context_tokens": 12000}}, {"full", "recent", "trimmed"}),
    ],
)
def test_the_counts_and_the_worst_are_those_of_all_fates(context, seen):
    replay = Replay(long_session(60, **context))
    rules = set()
    for turn in range(60):
        for first_visible in (0, turn // 2):
            fates = turn_fates(replay.trace(turn, ledger=False), first_visible)
            assert list(fates) == list(range(turn))
            out = [fate for fate in fates.values() if fate.state == "dropped"]
            assert fates.dropped_rules() == Counter(fate.rule for fate in out)
            assert fates.worst() == max(out, key=lambda fate: (fate.weight, fate.turn), default=None)
            rules |= {fate.rule for fate in fates.values()}
    assert seen <= rules


def test_there_is_no_fate_for_this_turn_and_later_ones():
    trace = Replay(long_session(5)).trace(3, ledger=False)
    assert turn_fate(trace, 2) is not None
    assert turn_fate(trace, 3) is None
    assert 3 not in turn_fates(trace)
    with pytest.raises(KeyError):
        turn_fates(trace)[3]
