"""A comparison as lines: unified, or side by side, for any width in cells; and as JSON.

Every line is ready to draw: sanitised, its marks in it, at most `width` cells. `mark` repeats them for colour. What a
line leaves out it counts.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from ctxinspect.pipeline.compare import message_diff, settings_changes
from ctxinspect.pipeline.comparison import Comparison, MessageChange, SettingChange
from ctxinspect.pipeline.text_diff import LineEdit, TextDiff
from ctxinspect.settings import Settings
from ctxinspect.text.clip import clip, fit, wrap
from ctxinspect.text.sanitize import one_line, sanitize_lines
from ctxinspect.trace.types import MessageRow
from ctxinspect.view.jsonable import jsonable

__all__ = ["CONTEXT", "DiffLine", "DiffMark", "comparison_value", "diff_lines", "setting_lines", "value_text"]

DiffMark: TypeAlias = Literal["=", "+", "-", "~", " ", "cause"]
CONTEXT = 2
"""Unchanged messages and lines shown on either side of a change; longer runs are counted."""
_ROLES = {"assistant": "asst", "developer": "devel", "function": "func"}
_INDENT = 4
_LABEL = 7
_SEPARATOR = " | "


@dataclass(frozen=True, slots=True)
class DiffLine:
    """A line of the picture and what kind it is: a mark, `cause` for the cause chain, blank for headings."""

    mark: DiffMark
    text: str


def diff_lines(
    comparison: Comparison, *, width: int, side_by_side: bool = False, full: bool = False
) -> tuple[DiffLine, ...]:
    """The comparison as lines of at most `width` cells.

    `full` shows every unchanged message and line, and the whole text of added and removed messages.
    """
    width = max(20, width)
    body = _Columns(width) if side_by_side else _Unified(width)
    lines = [*_head(comparison, width), *_causes(comparison, width), *_parts(comparison, width)]
    lines.append(DiffLine(" ", clip("messages", width)))
    lines += _messages(comparison.messages, body, full=full)
    return tuple(lines)


# --- above the messages ---


def value_text(value: Any) -> str:
    """A setting's value as one would type it: a string as it is, anything else as JSON."""
    return one_line(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))


def _head(comparison: Comparison, width: int) -> Iterator[DiffLine]:
    old, new, counts = comparison.before, comparison.after, comparison.counts
    names = [f"{side.address} {side.view}" if side.view == "recorded" else side.address for side in (old, new)]
    if old.view != new.view:
        names = [f"{side.address} {side.view}" for side in (old, new)]
    both = f"{names[0]} -> {names[1]}"
    if names[0] == names[1]:
        both = f"{names[0]} under two settings" if comparison.settings else f"{names[0]} and itself"
    delta = new.tokens - old.tokens
    total = f"tokens {old.tokens} -> {new.tokens} ({delta:+d})" if delta else f"tokens {new.tokens}, unchanged"
    text = f"{both}   messages {' '.join(f'{mark}{number}' for mark, number in counts.items())}   {total}"
    yield from _hanging("", text, width, " ")
    for text in _settings(comparison.settings):
        yield from _hanging("setting", text, width, " ")


def _settings(changes: Sequence[SettingChange]) -> Iterator[str]:
    for change in changes:
        yield f"{change.path} {value_text(change.before)} -> {value_text(change.after)}"


def setting_lines(a: Settings, b: Settings) -> Iterator[str]:
    """One line for every setting that differs, and where none of them can reach the model, why."""
    changes = settings_changes(a, b)
    yield from (f"setting {text}" for text in _settings(changes))
    gatekeeping = all(change.path.startswith("gatekeeper.") for change in changes)
    if changes and gatekeeping and a.history == b.history == "full":
        yield "history is full: every turn since the last reset comes along, and the gatekeeper chooses none of them"


def _causes(comparison: Comparison, width: int) -> Iterator[DiffLine]:
    for at, link in enumerate(comparison.causes):
        yield from _hanging("" if at else "cause", f"{link.stage}: {link.text}", width, "cause", pad=True)
    if not comparison.causes:
        words = "no stage decided otherwise"
        yield from _hanging("cause", words, width, "cause")


def _parts(comparison: Comparison, width: int) -> Iterator[DiffLine]:
    changed = [change for change in comparison.components if change.mark != "="]
    if changed:
        yield DiffLine(" ", clip(f"components, {len(comparison.components) - len(changed)} unchanged", width))
    for change in changed:
        rows = [f"{row.rendered_tokens}" if row else "-" for row in (change.before, change.after)]
        text = f"{change.mark} {one_line(change.name)}: {change.what}, {rows[0]} -> {rows[1]} tokens rendered"
        yield from _hanging("", text, width, change.mark, indent=2)
    if comparison.findings:
        yield DiffLine(" ", clip("findings", width))
    for found in comparison.findings:
        finding = found.finding
        place = f" at message {finding.message}" if finding.message is not None else ""
        text = f"{found.mark} {finding.severity} {finding.id}{place}: {one_line(finding.text)}"
        yield from _hanging("", text, width, found.mark, indent=2)


def _hanging(
    label: str, text: str, width: int, mark: DiffMark, *, indent: int = _LABEL + 1, pad: bool = False
) -> Iterator[DiffLine]:
    """A label, then the text wrapped behind it."""
    shown = sanitize_lines(text).replace("\n", " ")
    left = f"{label:<{_LABEL}} " if label or pad else ""
    if not left:
        first, *rest = wrap(shown, width)
        yield DiffLine(mark, first.rstrip())
        shown = "".join(rest)
        rows = wrap(shown, width - indent) if shown else []
        yield from (DiffLine(mark, " " * indent + row.strip()) for row in rows)
        return
    for at, row in enumerate(wrap(shown, width - len(left))):
        yield DiffLine(mark, (left if at == 0 else " " * len(left)) + row.strip())


# --- the messages ---


class _Unified:
    """One column: both indexes, then what the message is, its tokens before and after, its first line."""

    def __init__(self, width: int) -> None:
        self.width = width

    def message(self, change: MessageChange) -> Iterator[DiffLine]:
        """The head of a message."""
        row = change.after or change.before
        assert row is not None
        at = " ".join(f"{'' if i is None else i:>3}" for i in (change.before_index, change.after_index))
        tokens = f"{row.tokens}"
        if change.before and change.after and change.before.tokens != change.after.tokens:
            tokens = f"{change.before.tokens} -> {change.after.tokens}"
        text = f"{change.mark} {at} {_who(row)} {tokens:>13}  {_excerpt(row)}"
        yield DiffLine(change.mark, clip(text, self.width))

    def edit(self, edit: LineEdit) -> Iterator[DiffLine]:
        """A line of a message."""
        if edit.mark == "~":
            marked = {"=": "{}", "-": "[-{}-]", "+": "{{+{}+}}"}
            text = "".join(marked[word.mark].format(word.text) for word in edit.words)
        else:
            text = (edit.before if edit.after is None else edit.after) or ""
        left = " " * _INDENT + f"{edit.mark if edit.mark != '=' else ' '} "
        for row in wrap(sanitize_lines(text), self.width - len(left)):
            yield DiffLine(edit.mark, left + row)
            left = " " * len(left)

    def note(self, text: str, *, inside: bool = False) -> DiffLine:
        """What is not shown, counted."""
        return DiffLine("=", clip(" " * (_INDENT + 2 if inside else 0) + text, self.width))


class _Columns(_Unified):
    """Two columns of the same width: before and after."""

    def __init__(self, width: int) -> None:
        super().__init__(width)
        self._half = (width - len(_SEPARATOR)) // 2

    def message(self, change: MessageChange) -> Iterator[DiffLine]:
        """The heads of a message on either side."""
        sides = ((change.before, change.before_index), (change.after, change.after_index))
        cells = [
            "" if row is None else f"{change.mark} {at:>3} {_who(row)} {row.tokens:>6}  {_excerpt(row)}"
            for row, at in sides
        ]
        yield self._joined(change.mark, cells[0], cells[1])

    def edit(self, edit: LineEdit) -> Iterator[DiffLine]:
        """A line of a message on either side, wrapped; the shorter side is filled up."""
        room = self._half - 4
        old, new = ([] if side is None else wrap(sanitize_lines(side), room) for side in (edit.before, edit.after))
        for at in range(max(len(old), len(new), 1)):
            mark = edit.mark if at == 0 and edit.mark != "=" else " "
            left = f"  {mark} {old[at]}" if at < len(old) else ""
            right = f"  {mark} {new[at]}" if at < len(new) else ""
            yield self._joined(edit.mark, left, right)

    def _joined(self, mark: DiffMark, left: str, right: str) -> DiffLine:
        return DiffLine(mark, (fit(left, self._half) + _SEPARATOR + clip(right, self._half)).rstrip())


def _who(row: MessageRow) -> str:
    turn = "-" if row.turn_id is None else f"t{row.turn_id}"
    return f"{clip(_ROLES.get(row.role, one_line(row.role)), 6):<6} {turn:<5}"


def _excerpt(row: MessageRow) -> str:
    calls = ", ".join(f"call {call.name}" for call in row.tool_calls)
    return one_line(f"{calls} {row.content}" if calls else row.content)


def _messages(changes: Sequence[MessageChange], body: _Unified, *, full: bool) -> Iterator[DiffLine]:
    for shown, run in _runs([change.mark == "=" for change in changes], CONTEXT, full=full):
        part = changes[run.start : run.stop]
        if not shown:
            tokens = sum(change.after.tokens for change in part if change.after)
            yield body.note(f"= {len(part)} messages unchanged, {tokens} tokens")
            continue
        for change in part:
            yield from body.message(change)
            if change.mark == "~" or (full and change.mark != "="):
                yield from _text(change, message_diff(change), body, full=full)
    if not changes:
        yield body.note("no message on either side")


def _text(change: MessageChange, diff: TextDiff, body: _Unified, *, full: bool) -> Iterator[DiffLine]:
    edits = diff.edits if change.mark == "~" else _one_sided(change, diff)
    for shown, run in _runs([edit.mark == "=" for edit in edits], CONTEXT, full=full):
        if not shown:
            yield body.note(f"... {len(run)} lines unchanged", inside=True)
            continue
        for edit in edits[run.start : run.stop]:
            yield from body.edit(edit)
    if diff.capped:
        yield body.note("(too much repetition or too long a line: compared more coarsely)", inside=True)
    if change.mark == "~" and all(edit.mark == "=" for edit in edits):
        old, new = change.before, change.after
        if old and new and old.tool_call_id != new.tool_call_id:
            yield body.note(
                f"answers call {one_line(str(old.tool_call_id))} -> {one_line(str(new.tool_call_id))}", inside=True
            )
        if old and new and (old.role, old.name) != (new.role, new.name):
            yield body.note(f"{old.role} {old.name or ''} -> {new.role} {new.name or ''}", inside=True)


def _one_sided(change: MessageChange, diff: TextDiff) -> tuple[LineEdit, ...]:
    """The text of a message that is on one side only, without the empty line that stands for the other side."""
    gone = change.mark == "-"
    lines = [line for line in (edit.before if gone else edit.after for edit in diff.edits) if line is not None]
    return tuple(LineEdit("-", line, None) if gone else LineEdit("+", None, line) for line in lines)


def _runs(same: Sequence[bool], context: int, *, full: bool) -> Iterator[tuple[bool, range]]:
    """Stretches to show and to count: unchanged items further than `context` from a change are counted."""
    if full:
        yield True, range(len(same))
        return
    near = [False] * len(same)
    for at, unchanged in enumerate(same):
        if not unchanged:
            near[max(0, at - context) : at + context + 1] = [True] * len(same[max(0, at - context) : at + context + 1])
    start = 0
    for at in range(1, len(same) + 1):
        if at == len(same) or near[at] != near[start]:
            shown = near[start] or at - start == 1
            yield shown, range(start, at)
            start = at


# --- JSON ---


def comparison_value(comparison: Comparison) -> dict[str, Any]:
    """The comparison as JSON values: every message once, with its text where only one side has it or its edits."""
    value: dict[str, Any] = {"format": "ctxinspect-diff/1"}
    for name in ("before", "after", "settings", "causes"):
        value[name] = jsonable(getattr(comparison, name))
    value["counts"] = dict(comparison.counts)
    value["same_messages"], value["identical"] = comparison.same_messages, comparison.identical
    value["messages"] = [_message_value(change) for change in comparison.messages]
    for name in ("components", "turns", "figures", "findings"):
        value[name] = jsonable(getattr(comparison, name))
    return value


def _message_value(change: MessageChange) -> dict[str, Any]:
    row = change.after or change.before
    assert row is not None
    diff = message_diff(change) if change.mark == "~" else None
    return {
        "mark": change.mark,
        "before_index": change.before_index,
        "after_index": change.after_index,
        "role": row.role,
        "turn_id": row.turn_id,
        "round": row.round,
        "tokens": [side.tokens if side else None for side in (change.before, change.after)],
        "content": None if change.mark in "=~" else row.content,
        "edits": None if diff is None else jsonable([edit for edit in diff.edits if edit.mark != "="]),
        "capped": diff is not None and diff.capped,
    }
