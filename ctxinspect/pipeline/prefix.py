"""How much of the previous request a provider's prompt cache could reuse: the longest common start of two requests."""

from __future__ import annotations

from collections.abc import Sequence

from ctxinspect.trace.types import AssemblyTrace, FirstChange, MessageRow, PrefixTrace

__all__ = ["compare_requests", "first_difference", "lost_tokens"]


def first_difference(before: str, after: str) -> int:
    """Index of the first character in which two texts differ; the shorter length where one starts the other.

    Bisection over prefixes: equality of slices is compared by the interpreter, not character by character.
    """
    low, high = 0, min(len(before), len(after))
    while low < high:
        middle = (low + high + 1) // 2
        if before[:middle] == after[:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def compare_requests(
    previous: tuple[int, int],
    before: Sequence[MessageRow],
    after: Sequence[MessageRow],
    assembly: AssemblyTrace | None,
    *,
    tools_change: int | None = None,
) -> PrefixTrace:
    """The common start of two requests and the earliest change (page 6, `prefix`).

    `tools_change` is the character at which the tool schemas differ, or None where they are the same.
    """
    common = 0
    if tools_change is None:
        for old, new in zip(before, after, strict=False):
            if not _same(old, new):
                break
            common += 1
    tokens = sum(row.tokens for row in after[:common])
    change: FirstChange | None = None
    if tools_change is not None:
        change = FirstChange(None, "tools", None, tools_change)
    elif common < len(before):
        change = _change_at(common, before, after, assembly)
    return PrefixTrace(previous, common, tokens, change)


def lost_tokens(before: Sequence[MessageRow], prefix: PrefixTrace) -> int:
    """Tokens of the earlier request, up to its last user message, that are not reusable; 0 where it is a prefix."""
    last_user = max((i for i, row in enumerate(before) if row.role == "user"), default=-1)
    return sum(row.tokens for row in before[prefix.common_messages : last_user + 1])


def _same(old: MessageRow, new: MessageRow) -> bool:
    if old is new:
        return True
    return (
        old.role == new.role
        and old.content == new.content
        and old.tool_calls == new.tool_calls
        and old.tool_call_id == new.tool_call_id
        and old.name == new.name
    )


def _change_at(
    index: int, before: Sequence[MessageRow], after: Sequence[MessageRow], assembly: AssemblyTrace | None
) -> FirstChange:
    old = before[index]
    if index >= len(after):
        return FirstChange(index, "turn", old.turn_id, 0)
    new = after[index]
    character = first_difference(old.content, new.content) if old.role == new.role else 0
    if new.role == "system" and new.turn_id is None and old.role == "system":
        name, inside = _component_at(assembly, character)
        return FirstChange(index, "component", name, inside)
    return FirstChange(index, "turn", new.turn_id, character)


def _component_at(assembly: AssemblyTrace | None, character: int) -> tuple[str | None, int]:
    """The component whose section holds this character of the system text, and the character in its content."""
    if assembly is None:
        return None, character
    placed = sorted((row for row in assembly.components if row.position is not None), key=lambda row: row.position or 0)
    start = 0
    name: str | None = None
    inside = 0
    for row in placed:
        header = len(row.name.upper()) + 3
        if character < start and name is not None:
            break
        name, inside = row.name, max(0, character - start - header)
        start += header + row.rendered_chars + (len("\n... (truncated)") if row.state == "truncated" else 0) + 2
    return name, inside
