"""What the window says about a request: findings, each where it holds, all with the two figures that decided."""

from __future__ import annotations

from collections.abc import Sequence

from ctxinspect.trace.types import Finding
from ctxinspect.window.budget import WindowSizes
from ctxinspect.window.trim import Unit

__all__ = ["window_findings"]


def window_findings(
    sizes: WindowSizes, *, system_tokens: int | None, priming: int, request_tokens: int, dropped: Sequence[Unit]
) -> tuple[Finding, ...]:
    """The findings of page 3.

    `system_tokens` is what the system message costs, or None without one; `priming` what is charged once a request
    (0 where only contents are counted); `request_tokens` what is sent after trimming.
    """
    found: list[Finding] = []
    if sizes.tool_tokens > sizes.input_budget:
        over = sizes.tool_tokens - sizes.input_budget
        text = (
            f"tool schemas cost {sizes.tool_tokens} tokens, {over} more than the input budget of {sizes.input_budget}: "
            "take a larger window, fewer tools or a more aggressive strategy (a conservative one makes it worse)"
        )
        found.append(Finding("tools-over-budget", "error", "window", text=text))
    if system_tokens is not None:
        found += _system_findings(sizes.message_budget, system_tokens, priming)
    if request_tokens > sizes.message_budget:
        missing = request_tokens - sizes.message_budget
        text = (
            f"the request costs {request_tokens} tokens, {missing} more than {_allowance(sizes.message_budget)}, "
            "and nothing more may go; it stands as it is"
        )
        found.append(Finding("over-budget", "error", "window", text=text))
    if dropped:
        tokens = sum(unit.tokens for unit in dropped)
        text = f"{_kinds(dropped)} trimmed to fit, {tokens} tokens"
        found.append(Finding("history-trimmed", "info", "window", text=text))
    return tuple(found)


def _system_findings(message_budget: int, system_tokens: int, priming: int) -> list[Finding]:
    found: list[Finding] = []
    needed = system_tokens + priming
    allowed = _allowance(message_budget)
    if needed > message_budget:
        text = (
            f"the system message alone costs {needed} tokens, {needed - message_budget} more than {allowed}, "
            "and it cannot be cut here"
        )
        found.append(Finding("system-over-budget", "error", "window", message=0, text=text))
    if 2 * message_budget < 3 * system_tokens:
        text = (
            f"the system message is {system_tokens} tokens of {allowed}: "
            "less than half as many are left for the conversation"
        )
        found.append(Finding("low-headroom", "warning", "window", message=0, text=text))
    return found


def _kinds(dropped: Sequence[Unit]) -> str:
    words = []
    for kind in ("turn", "round", "message"):
        number = sum(unit.kind == kind for unit in dropped)
        if number:
            words.append(f"{number} {kind}{'s' if number > 1 else ''}")
    return " and ".join(words)


def _allowance(message_budget: int) -> str:
    """What messages may cost, in words; where tools leave less than nothing, by how much they are over."""
    if message_budget < 0:
        return f"what messages may cost (nothing: tool schemas are {-message_budget} over the input budget)"
    return f"the {message_budget} that messages may cost"
