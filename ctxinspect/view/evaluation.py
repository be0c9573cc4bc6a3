"""An evaluation against topic labels as text and as JSON: counts and means, and which turns they are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ctxinspect.pipeline.evaluate import Evaluation, Judged, mean
from ctxinspect.text.sanitize import one_line
from ctxinspect.view.jsonable import jsonable
from ctxinspect.view.pipe_table import pipe_table
from ctxinspect.view.table import ratio

__all__ = ["evaluation_lines", "evaluation_value", "switch_table", "total_lines"]

_NAMED = 12
"""Turns that one line names; the others are counted."""


def evaluation_lines(name: str, result: Evaluation) -> Iterator[str]:
    """The session in one paragraph of figures, each with the turns it counts."""
    labelled = f"{len(result.judged)} of {result.turns} turns labelled" if len(result.judged) < result.turns else ""
    head = f"{result.turns} turns, {len(result.topics)} topics, {len(result.changes)} label changes"
    yield f"{one_line(name)}: {head}" + (f", {labelled}" if labelled else "")
    yield from (f"  {label:<24} {text}" for label, text in _figures([result]))


def total_lines(results: Sequence[Evaluation]) -> Iterator[str]:
    """The same figures over several sessions, without naming turns."""
    turns, changes = sum(r.turns for r in results), sum(len(r.changes) for r in results)
    yield f"all {len(results)} sessions: {turns} turns, {changes} label changes"
    yield from (f"  {label:<24} {text}" for label, text in _figures(results))


def _figures(results: Sequence[Evaluation]) -> Iterator[tuple[str, str]]:
    one = results[0] if len(results) == 1 else None

    def named(turns: Sequence[Judged]) -> str:
        if one is None or not turns:
            return ""
        left = len(turns) - _NAMED
        return f" ({' '.join(f't{t.turn_id}' for t in turns[:_NAMED])}{f' and {left} more' if left > 0 else ''})"

    def all_of(part: str) -> list[Judged]:
        return [turn for result in results for turn in getattr(result, part)]

    switches, inside, missed = all_of("switches"), all_of("switches_inside"), all_of("missed")
    at_change = len(switches) - len(inside)
    yield (
        "switches decided",
        f"{len(switches)}: {at_change} at a label change, {len(inside)} inside a topic{named(inside)}",
    )
    yield "missed label changes", f"{len(missed)} of {len(all_of('changes'))}{named(missed)}"
    dirty = all_of("contaminated")
    others = sum(len(turn.other) for turn in switches)
    yield "contamination", f"{others} selected turns of another topic, on {len(dirty)} switches{named(dirty)}"
    same = [len(turn.same) for turn in switches]
    yield "same-topic selections", f"{sum(same)} on {len(switches)} switches, mean {_mean(same)} a switch"
    recalls = [turn.anchor_recall for turn in switches if turn.anchor_recall is not None]
    none = len(switches) - len(recalls)
    lowest = f", lowest {ratio(min(recalls))}" if recalls else ""
    text = f"mean {_mean(recalls)} over {len(recalls)} switches{lowest}"
    yield "anchor recall", text + (f"; nothing to cover on {none}" if none else "")
    returns, empty = all_of("returns"), all_of("empty_returns")
    back = f"{len(returns) - len(empty)} of {len(returns)} switches back to a topic bring a turn of it along"
    yield "returns", back + (f"; without: {named(empty).strip(' ()')}" if empty and one is not None else "")
    stray = all_of("contaminated_continues")
    strays = sum(len(turn.other) for turn in stray)
    yield "where the topic goes on", f"{strays} selected turns of another topic, on {len(stray)} turns{named(stray)}"


def _mean(values: Sequence[float]) -> str:
    value = mean(values)
    return "-" if value is None else ratio(value)


def switch_table(result: Evaluation) -> list[str]:
    """One row for every switch and every missed label change."""
    rows = []
    for turn in result.judged:
        if turn.decision != "switch" and not (turn.change and turn.decision == "continue"):
            continue
        verdict = "missed" if turn.decision != "switch" else "change" if turn.change else "inside"
        rows.append(
            (
                f"t{turn.turn_id}",
                one_line(turn.topic).replace("|", "\\|"),
                f"{turn.decision} by {turn.rule}",
                verdict,
                _turns(turn.same),
                _turns(turn.other),
                "-" if turn.anchor_recall is None else ratio(turn.anchor_recall),
            )
        )
    headers = ("turn", "topic", "decided", "label", "same topic", "other topic", "anchor recall")
    return pipe_table(headers, rows) if rows else ["no switch was decided and no label change missed"]


def _turns(turns: Sequence[int]) -> str:
    return " ".join(f"t{turn}" for turn in turns) or "-"


def evaluation_value(name: str, result: Evaluation) -> dict[str, Any]:
    """The session's figures and every labelled turn as JSON values; means are null of nothing."""
    switches = result.switches
    recalls = [turn.anchor_recall for turn in switches if turn.anchor_recall is not None]
    same = [len(turn.same) for turn in switches]
    return {
        "file": name,
        "turns": result.turns,
        "labelled": len(result.judged),
        "topics": list(result.topics),
        "label_changes": len(result.changes),
        "switches": len(switches),
        "switches_inside_topic": _ids(result.switches_inside),
        "missed_label_changes": _ids(result.missed),
        "contamination": sum(len(turn.other) for turn in switches),
        "contaminated_switches": _ids(result.contaminated),
        "same_topic_selections": sum(same),
        "mean_same_topic_selections": mean(same),
        "mean_anchor_recall": mean(recalls),
        "lowest_anchor_recall": min(recalls, default=None),
        "returns": len(result.returns),
        "returns_without_same_topic": _ids(result.empty_returns),
        "contaminated_continues": _ids(result.contaminated_continues),
        "judged": jsonable(result.judged),
    }


def _ids(turns: Sequence[Judged]) -> list[int]:
    return [turn.turn_id for turn in turns]
