"""Which messages, components and findings of two requests are the same ones.

Messages are matched by where they come from (turn, round, role, call), what is left by what they say: the same message
with another text is a change, not a removal and an addition. Linear but for the sorting of the alignment.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence

from ctxinspect.pipeline.alignment import align
from ctxinspect.pipeline.comparison import ComponentChange, FindingChange, MessageChange
from ctxinspect.trace.types import ComponentRow, Finding, MessageRow, Trace

__all__ = ["match_components", "match_findings", "match_messages", "same_message"]


def same_message(old: MessageRow, new: MessageRow) -> bool:
    """Whether role, content, calls, call id and name are the same (specification page 6, `prefix`)."""
    return old is new or (
        old.role == new.role
        and old.content == new.content
        and old.tool_calls == new.tool_calls
        and old.tool_call_id == new.tool_call_id
        and old.name == new.name
    )


def match_messages(before: Sequence[MessageRow], after: Sequence[MessageRow]) -> tuple[MessageChange, ...]:
    """Every message of both requests once, in order; what is only before stands ahead of what is only after.

    The other way round it is the mirror image.
    """
    passes = (_origins, _sayings, _places)
    turned = _stands_behind(before, after)
    return tuple(_matched(before, after, range(len(before)), range(len(after)), passes, turned=turned))


def _stands_behind(before: Sequence[MessageRow], after: Sequence[MessageRow]) -> bool:
    """An order of any two requests, so that among alignments of the same length both ways round take the same one."""
    if len(before) != len(after):
        return len(before) > len(after)
    for old, new in zip(before, after, strict=True):
        one, other = ((row.turn_id or -1, row.round or -1, row.role, row.content) for row in (old, new))
        if one != other:
            return one > other
    return False


def _matched(
    before: Sequence[MessageRow],
    after: Sequence[MessageRow],
    old: Sequence[int],
    new: Sequence[int],
    passes: Sequence[Callable[[Sequence[MessageRow]], list[Hashable]]],
    *,
    turned: bool,
) -> Iterator[MessageChange]:
    """Match by the keys of the first pass, and what it leaves between two matches by those of the next."""
    if not passes or not old or not new:
        yield from (MessageChange("-", before[a], None, a, None) for a in old)
        yield from (MessageChange("+", None, after[b], None, b) for b in new)
        return
    one, other = passes[0]([before[a] for a in old]), passes[0]([after[b] for b in new])
    runs = [run.turned() for run in align(other, one)] if turned else align(one, other)
    for run in runs:
        if run.same:
            for a, b in zip(old[run.a0 : run.a1], new[run.b0 : run.b1], strict=True):
                yield _pair(before, after, a, b)
        else:
            yield from _matched(before, after, old[run.a0 : run.a1], new[run.b0 : run.b1], passes[1:], turned=turned)


def _pair(before: Sequence[MessageRow], after: Sequence[MessageRow], a: int, b: int) -> MessageChange:
    mark = "=" if same_message(before[a], after[b]) else "~"
    return MessageChange(mark, before[a], after[b], a, b)  # type: ignore[arg-type]


def _origins(rows: Sequence[MessageRow]) -> list[Hashable]:
    """Where each message comes from: turn, round, role and the call it answers; leading system messages by number."""
    places: list[Hashable] = []
    lead = True
    for row in rows:
        lead = lead and row.role == "system"
        place = (row.turn_id, row.round, row.role, row.tool_call_id, row.synthetic == "chat_tool")
        places.append("system" if lead else place)
    return _numbered(places)


def _sayings(rows: Sequence[MessageRow]) -> list[Hashable]:
    """What each message says."""
    return [(row.role, row.content, tuple((c.id, c.name) for c in row.tool_calls), row.tool_call_id) for row in rows]


def _places(rows: Sequence[MessageRow]) -> list[Hashable]:
    """Turn, round and role only: for messages whose call has another id on the other side."""
    return _numbered([(row.turn_id, row.round, row.role) for row in rows])


def _numbered(keys: Sequence[Hashable]) -> list[Hashable]:
    """The keys made unique: each with how many of its kind stand before it."""
    seen: Counter[Hashable] = Counter()
    numbered: list[Hashable] = []
    for key in keys:
        numbered.append((key, seen[key]))
        seen[key] += 1
    return numbered


def match_components(before: Trace, after: Trace) -> tuple[ComponentChange, ...]:
    """Every component of both requests once, in the order of the later one, those only before at their place ahead."""
    old = before.assembly.components if before.assembly else ()
    new = after.assembly.components if after.assembly else ()
    names_old, names_new = [row.name for row in old], [row.name for row in new]
    by_name = {row.name: row for row in old}
    changes: list[ComponentChange] = []
    for run in align(names_old, names_new):
        if not run.same:
            gone = (row for row in old[run.a0 : run.a1] if row.name not in names_new)
            changes += (ComponentChange("-", row.name, row, None, "no longer there") for row in gone)
        changes += (_component(by_name.get(row.name), row) for row in new[run.b0 : run.b1])
    return tuple(changes)


def _component(old: ComponentRow | None, new: ComponentRow) -> ComponentChange:
    if old is None:
        return ComponentChange("+", new.name, None, new, "not there before")
    what: list[str] = []
    if old.content != new.content:
        what.append(f"other content ({old.requested_tokens} -> {new.requested_tokens} tokens)")
    if (old.priority, old.truncatable) != (new.priority, new.truncatable):
        what.append(f"priority {old.priority} -> {new.priority}")
    if old.state != new.state:
        what.append(f"{old.state} -> {new.state}")
    elif old.rendered_chars != new.rendered_chars and old.content == new.content:
        what.append(f"cut at character {old.rendered_chars} -> {new.rendered_chars}")
    if old.position != new.position and None not in (old.position, new.position):
        what.append(f"position {old.position} -> {new.position}")
    return ComponentChange("~" if what else "=", new.name, old, new, ", ".join(what))


def match_findings(before: Trace, after: Trace) -> tuple[FindingChange, ...]:
    """Findings that came, went or changed their severity; those of each request's own turn count as the same."""
    old, new = _keyed(before), _keyed(after)
    changes = [FindingChange("-", finding) for key, finding in old.items() if key not in new]
    for key, finding in new.items():
        if key not in old:
            changes.append(FindingChange("+", finding))
        elif old[key].severity != finding.severity:
            changes.append(FindingChange("~", finding))
    return tuple(changes)


def _keyed(trace: Trace) -> dict[Hashable, Finding]:
    seen: Counter[Hashable] = Counter()
    keyed: dict[Hashable, Finding] = {}
    for finding in trace.findings:
        turn = "own" if finding.turn_id == trace.turn_id else finding.turn_id
        key: Hashable = (finding.id, turn, finding.call_id, finding.component, finding.path)
        keyed[key, seen[key]] = finding
        seen[key] += 1
    return keyed
