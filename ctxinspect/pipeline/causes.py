"""The cause chain of a comparison: what each stage decided otherwise, with values, from the first such stage on.

A stage has at most one link. What only follows (a figure that changed because something before it did) is no decision
and no link; where history is whole, the gatekeeper's stages decide nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from ctxinspect.pipeline.comparison import (
    ComponentChange,
    FindingChange,
    Link,
    MessageChange,
    SettingChange,
    TurnChange,
)
from ctxinspect.pipeline.text_diff import Mark
from ctxinspect.pipeline.turn_ways import History, Ways, first_parting, number
from ctxinspect.trace.types import STAGES, AssemblyTrace, ComponentRow, GateTrace, MessageRow, Stage, Trace

__all__ = ["SHOWN", "cause_chain", "ranges", "turn_changes"]

SHOWN = 4
"""Items that one link names; the others are counted."""


def turn_changes(before: Trace, after: Trace, ways: tuple[Ways, Ways]) -> tuple[TurnChange, ...]:
    """Every earlier turn that something else was decided about, by turn."""
    old, new = ways
    common = min(old.turns, new.turns)
    all_turns = {old.history, new.history} != {"gatekeeper"}
    noted = range(common) if all_turns else sorted(turn for turn in old.notable | new.notable if turn < common)
    changes = [_parted(turn, old, new) for turn in noted]
    changes += [_known_on_one_side(turn, ways, before, after) for turn in range(common, max(old.turns, new.turns))]
    return tuple(change for change in changes if change is not None)


def _known_on_one_side(turn: int, ways: tuple[Ways, Ways], before: Trace, after: Trace) -> TurnChange | None:
    """A turn that is no earlier turn of one of the requests: its own turn, or a later one."""
    earlier = before.turn_id > turn
    side, other = (ways[0], after) if earlier else (ways[1], before)
    was_in = other.turn_id == turn
    if side.present(turn) == was_in:
        return None
    came = side.present(turn) != earlier
    stage = max(side.rules(turn), key=STAGES.index)
    absent = "own turn" if was_in else "not yet there"
    words = (side.words(turn), absent) if earlier else (absent, side.words(turn))
    return TurnChange("+" if came else "-", turn, stage, *words, present=came)


def _parted(turn: int, old: Ways, new: Ways) -> TurnChange | None:
    stage = first_parting(old, new, turn)
    present = old.present(turn), new.present(turn)
    if old.history != new.history:
        if "recorded" in (old.history, new.history):
            replayed = new if old.history == "recorded" else old
            stage = max(replayed.rules(turn), key=STAGES.index) if present[0] != present[1] else None
        elif stage not in (None, "ingest"):
            stage = "render"
    if stage is None:
        return None
    words = (old.words(turn), new.words(turn))
    texts = (old.chosen(turn), new.chosen(turn))
    if stage == "prune" and texts[0] and texts[1]:
        words = (f"{sum(map(len, texts[0]))} characters", f"{sum(map(len, texts[1]))} characters")
    mark: Mark = "~" if present[0] == present[1] else "+" if present[1] else "-"
    return TurnChange(mark, turn, stage, *words, present=present[1])


def cause_chain(
    before: Trace,
    after: Trace,
    histories: tuple[History, History],
    turns: Sequence[TurnChange],
    components: Sequence[ComponentChange],
    messages: Sequence[MessageChange],
    findings: Sequence[FindingChange],
    settings: Sequence[SettingChange] = (),
) -> tuple[Link, ...]:
    """The links in pipeline order."""
    parts: dict[Stage, list[str]] = {stage: [] for stage in STAGES}
    parts["ingest"] += [
        *_dropped(settings, after.turn_id, components, messages),
        *_ingest(before, after, components),
    ]
    if "gatekeeper" in histories and histories != ("gatekeeper", "recorded") and histories[0] != "recorded":
        parts["gate"] += _gate(before, after)
    if histories[0] != histories[1] and any(change.stage == "render" for change in turns):
        words = {"gatekeeper": "the selected turns", "full": "every turn since the last reset"}
        parts["render"].append(f"history: {words[histories[0]]} -> {words[histories[1]]}")
    parts["cover"] += _cover(before, after) if histories == ("gatekeeper", "gatekeeper") else []
    parts["assemble"] += _assemble(before, after, components)
    parts["window"] += _window(before, after)
    for stage in STAGES:
        named = [
            c for c in turns if c.stage == stage and (c.mark != "~" or c.present or before.turn_id == after.turn_id)
        ]
        parts[stage] += _turns(named)  # another query ranks everything anew: what stays out anyway is no cause
    counts = _counts(before, after, messages, turns)
    cut = _trimmed_otherwise(before, after)
    parted = list(_numbers(counts, cut, inside=True))
    parts["window"] += [_some(parted)] if parted else []
    parts["render"] += _render(before, after, messages, counts, cut)
    parts["lint"] += _lint(findings)
    return tuple(Link(stage, "; ".join(parts[stage])) for stage in STAGES if parts[stage])


def _some(items: Sequence[str]) -> str:
    left = len(items) - SHOWN
    return ", ".join(items[:SHOWN]) + (f" and {left} more" if left > 0 else "")


def _dropped(
    settings: Sequence[SettingChange],
    turn_id: int,
    components: Sequence[ComponentChange],
    messages: Sequence[MessageChange],
) -> Iterator[str]:
    """Items that a fork removes, or removes no longer, as far as they could be in these requests."""
    here = {f"component:{change.name}" for change in components} | {f"turn:{turn}" for turn in range(turn_id + 1)}
    for row in (row for change in messages for row in (change.before, change.after) if row is not None):
        here |= {f"page:{row.tool_call_id}", *(f"page:{call.id}" for call in row.tool_calls)}
    for change in settings:
        if change.path == "what_if.drop":
            for verb, items, others in (
                ("removed", change.after, change.before),
                ("no longer removed", change.before, change.after),
            ):
                names = [item for item in items if item not in others and item in here]
                if names:
                    yield f"{verb}: {_some(names)}"


def _ingest(before: Trace, after: Trace, components: Sequence[ComponentChange]) -> Iterator[str]:
    if before.turn_id != after.turn_id:
        yield f"another query, t{before.turn_id} -> t{after.turn_id}"
    elif before.request != after.request:
        more = after.request - before.request
        yield f"{abs(more)} {'more' if more > 0 else 'fewer'} round{'' if abs(more) == 1 else 's'} of t{after.turn_id}"
    elif before.query != after.query:
        yield f"another query in t{after.turn_id}"
    if before.counter.name != after.counter.name:
        yield f"counted by {before.counter.name} -> {after.counter.name}"
    if before.assembly is None or after.assembly is None:
        return
    gone = [change.name for change in components if change.mark == "-"]
    come = [change.name for change in components if change.mark == "+"]
    other = [
        change.name
        for change in components
        if change.before and change.after and change.before.content != change.after.content
    ]
    for names, what in ((gone, "component gone"), (come, "component new"), (other, "component with other content")):
        if names:
            yield f"{what}: {_some(names)}"


def _gate(before: Trace, after: Trace) -> Iterator[str]:
    old, new = before.gate, after.gate
    if old is None or new is None:
        return
    if (old.decision, old.rule) != (new.decision, new.rule):
        names = [f"{gate.decision} by {gate.rule}" for gate in (old, new)]
        if old.decision != new.decision:
            names = [old.decision, new.decision]
        yield f"{names[0]} -> {names[1]} ({_measured(old, new)})"
    elif old.topic_start != new.topic_start and before.turn_id == after.turn_id:
        later = max(old.topic_start, new.topic_start)
        decided = "a switch" if new.topic_start == later else "no switch"
        yield f"the topic starts at t{old.topic_start} -> t{new.topic_start}: {decided} was decided at t{later}"
    if before.turn_id == after.turn_id and old.anchors != new.anchors:
        terms = {anchor.term for anchor in new.anchors} ^ {anchor.term for anchor in old.anchors}
        if terms:
            cut = f"{len(old.anchors_cut)} -> {len(new.anchors_cut)} cut by the IDF floor"
            yield f"anchors {len(old.anchors)} -> {len(new.anchors)} ({cut})"


def _measured(old: GateTrace, new: GateTrace) -> str:
    """What the rule that fired looked at; where only the threshold moved, what it was before."""

    def compared(name: str, value: float, sign: str, margins: tuple[float, float], was: float) -> str:
        threshold, earlier = round(value - margins[1], 9), round(was - margins[0], 9)
        shown = (number(value), number(threshold))
        if shown[0] == shown[1]:
            shown = (repr(round(value, 9)), repr(threshold))
        return f"{name} {shown[0]} {sign} {shown[1]}" + (f", was {number(earlier)}" if earlier != threshold else "")

    if new.rule == "new_topic":
        pairs = (old.margins.overlap_switch, new.margins.overlap_switch)
        news = (old.margins.new_ratio_switch, new.margins.new_ratio_switch)
        return ", ".join(
            (
                compared("overlap", new.overlap, "<", pairs, old.overlap),
                compared("new", new.new_ratio, ">", news, old.new_ratio),
            )
        )
    if new.rule == "overlap":
        pairs = (old.margins.overlap_continue, new.margins.overlap_continue)
        return compared("overlap", new.overlap, ">", pairs, old.overlap)
    if new.rule == "middle":
        low, high = new.overlap - new.margins.overlap_switch, new.overlap - new.margins.overlap_continue
        if round(new.overlap, 9) >= round(low, 9):
            return f"overlap {number(new.overlap)} between {number(round(low, 9))} and {number(round(high, 9))}"
        fresh = round(new.new_ratio - new.margins.new_ratio_switch, 9)
        return f"overlap {number(new.overlap)}, but new {number(new.new_ratio)} is not > {number(fresh)}"
    if new.rule == "deictic":
        return f"it begins with {new.deictic}"
    return {"no_history": "no earlier turn", "no_anchors": "the query has no anchor"}[new.rule]


def _turns(changes: Sequence[TurnChange]) -> Iterator[str]:
    for mark, verb in (("-", "out"), ("+", "in")):
        grouped: dict[str, list[int]] = {}
        for change in changes:
            if change.mark == mark:
                grouped.setdefault(change.after, []).append(change.turn_id)
        if grouped:
            yield _some([f"{ranges(turns)} {verb}: {why}" for why, turns in grouped.items()])
    inside = [change for change in changes if change.mark == "~" and change.present]
    outside = sum(change.mark == "~" and not change.present for change in changes)
    if inside:
        yield _some([f"t{change.turn_id} {change.before} -> {change.after}" for change in inside])
    if outside:
        yield f"{outside} turn{'' if outside == 1 else 's'} out for another reason"


def ranges(turns: Sequence[int]) -> str:
    """Ascending turn numbers as `t3 t5-t9`; beyond a handful of ranges the rest is counted."""
    spans: list[list[int]] = []
    for turn in turns:
        if spans and spans[-1][1] == turn - 1:
            spans[-1][1] = turn
        else:
            spans.append([turn, turn])
    shown = [f"t{low}" if low == high else f"t{low}-t{high}" for low, high in spans[:SHOWN]]
    left = sum(high - low + 1 for low, high in spans[SHOWN:])
    return " ".join(shown) + (f" and {left} more" if left else "")


def _cover(before: Trace, after: Trace) -> Iterator[str]:
    old, new = before.cover, after.cover
    if old is None or new is None:
        return
    if old.stop != new.stop:
        coverage = [number(c.coverage) if c.coverage is not None else "none" for c in (old, new)]
        yield f"stopped by {old.stop} -> {new.stop} (coverage {coverage[0]} -> {coverage[1]})"


def _assemble(before: Trace, after: Trace, components: Sequence[ComponentChange]) -> Iterator[str]:
    old, new = before.assembly, after.assembly
    if old is None or new is None:
        return
    if old.limit != new.limit:
        yield f"limit {old.limit} -> {new.limit} tokens"
    fates = []
    for change in components:
        one, other = change.before, change.after
        if one is None or other is None or change.mark == "=":
            continue
        if (one.state, one.rule) != (other.state, other.rule):
            verb = f"{one.state} -> {other.state}" if one.state != other.state else other.state
            room = f", {other.remaining} tokens remain" if other.state != "kept" else ""
            fates.append(f"{change.name} {verb} ({other.rule.replace('_', ' ')}{room})")
        elif one.content == other.content and one.rendered_chars != other.rendered_chars:
            fates.append(f"{change.name} cut at character {one.rendered_chars} -> {other.rendered_chars}")
    if fates:
        yield _some(fates)
    orders = [[row.name for row in side] for side in (_placed(old), _placed(new))]
    orders = [[name for name in order if name in other] for order, other in zip(orders, reversed(orders), strict=True)]
    if orders[0] != orders[1]:
        yield f"sections in another order: {_some(orders[1])}"


def _placed(assembly: AssemblyTrace) -> list[ComponentRow]:
    """The components that stand in the prompt, in its order."""
    placed = [(row.position, row) for row in assembly.components if row.position is not None]
    return [row for _, row in sorted(placed, key=lambda at: at[0])]


def _counts(
    before: Trace, after: Trace, messages: Sequence[MessageChange], turns: Sequence[TurnChange]
) -> dict[int, list[int]]:
    """For turns of both requests about which no stage before decided: messages before, after, and those replaced."""
    known = {change.turn_id for change in turns}
    if (before.turn_id, before.request) != (after.turn_id, after.request):
        known |= {before.turn_id, after.turn_id}
    counts: dict[int, list[int]] = {}
    for change in messages:
        row = change.after or change.before
        if row is None or row.turn_id is None or row.turn_id in known:
            continue
        sides = counts.setdefault(row.turn_id, [0, 0, 0])
        sides[0] += change.before is not None
        sides[1] += change.after is not None
        sides[2] += change.after is None
    return counts


def _trimmed_otherwise(before: Trace, after: Trace) -> frozenset[int]:
    """The turns of which the window took other parts."""
    sides: list[Counter[tuple[int | None, str, int | None]]] = [
        Counter((unit.turn_id, unit.kind, unit.round) for unit in trace.window.dropped) for trace in (before, after)
    ]
    other = (sides[0] - sides[1]) + (sides[1] - sides[0])
    return frozenset(turn for turn, _, _ in other if turn is not None)


def _numbers(counts: dict[int, list[int]], cut: frozenset[int], *, inside: bool) -> Iterator[str]:
    """Turns with another number of messages, or others: those of which the window took parts, or all the others."""
    for turn, (one, other, replaced) in counts.items():
        if (turn in cut) is not inside:
            continue
        if one != other:
            yield f"t{turn} as {one} -> {other} messages"
        elif replaced:
            yield f"t{turn} with {replaced} other message{'' if replaced == 1 else 's'}"


def _render(
    before: Trace,
    after: Trace,
    messages: Sequence[MessageChange],
    counts: dict[int, list[int]],
    cut: frozenset[int],
) -> Iterator[str]:
    """Turns that are in both requests and decided alike, but stand there in other messages."""
    words: list[str] = []
    for change in messages:
        row = change.after or change.before
        if row is None or change.mark == "=":
            continue
        if row.turn_id is None and row.role == "system" and (before.assembly is None) != (after.assembly is None):
            words.append("system prompt has another text")
        if row.turn_id in counts and change.mark == "~" and change.before and change.after:
            words.append(_rendered(row.turn_id, change.before, change.after))
    words += _numbers(counts, cut, inside=False)
    if words:
        yield _some(words)


def _rendered(turn: int, one: MessageRow, other: MessageRow) -> str:
    which = other.tool_call_id or other.role
    if one.state != other.state:
        return f"t{turn} {which} {one.state} -> {other.state} ({one.tokens} -> {other.tokens} tokens)"
    if one.synthetic != other.synthetic:
        return f"t{turn} {which} {one.synthetic or 'plain'} -> {other.synthetic or 'plain'}"
    if one.content == other.content:
        return f"t{turn} {other.role} with other call ids or arguments"
    return f"t{turn} {which} has another text"


def _window(before: Trace, after: Trace) -> Iterator[str]:
    old, new = before.window, after.window
    if old.size != new.size:
        yield f"window {old.size} -> {new.size} tokens"
    if old.strategy != new.strategy:
        yield f"strategy {old.strategy} -> {new.strategy}"
    if old.tool_tokens != new.tool_tokens:
        yield f"tools {old.tool_tokens} -> {new.tool_tokens} tokens"
    if old.message_budget != new.message_budget:
        yield f"message budget {old.message_budget} -> {new.message_budget}"
    if old.unit != new.unit:
        yield f"trimmed by {old.unit} -> by {new.unit}"
    gone = [sum(unit.tokens for unit in side.dropped) for side in (old, new)]
    if old.dropped != new.dropped:
        yield f"{len(old.dropped)} -> {len(new.dropped)} units trimmed ({gone[0]} -> {gone[1]} tokens)"


def _lint(findings: Sequence[FindingChange]) -> Iterator[str]:
    for mark, word in (("+", "new"), ("-", "gone"), ("~", "graded otherwise")):
        named = [
            f"{change.finding.severity} {change.finding.id} (at {change.finding.stage})"
            for change in findings
            if change.mark == mark
        ]
        if named:
            yield f"{word}: {_some(named)}"
