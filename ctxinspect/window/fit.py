"""The window stage of one request: what of the rendered messages is sent, and why the rest is not.

Every figure is a sum over exactly the messages sent. In `turn` mode these are the messages' own costs and the reply's
priming; in `message` mode the counts of their contents alone, as the systems count that trim this way.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ctxinspect.model.messages import Message
from ctxinspect.settings import Settings
from ctxinspect.tokens.cost import PRIMING
from ctxinspect.trace.types import Dropped, Finding, WindowTrace
from ctxinspect.window.budget import window_sizes
from ctxinspect.window.facts import window_findings
from ctxinspect.window.log import opening_lines, outcome_lines
from ctxinspect.window.messages_unit import trim_messages
from ctxinspect.window.tools import ToolCost
from ctxinspect.window.trim import Unit, group_units, trim_turns

__all__ = ["Topology", "WindowResult", "fit_window"]


@dataclass(frozen=True, slots=True)
class Topology:
    """The value of `{{topology_info}}` where a component holds that placeholder; null where it is not available."""

    value: str | None


@dataclass(frozen=True, slots=True)
class WindowResult:
    """What is sent (`messages`), what was rendered before trimming, what is `removed`, and the trace.

    `tokens_before` is what the request would have cost untrimmed, `missing` the tokens it is over although nothing
    more may go.
    """

    trace: WindowTrace
    rendered: tuple[Message, ...]
    messages: tuple[Message, ...]
    removed: tuple[Message, ...]
    tokens_before: int
    missing: int
    findings: tuple[Finding, ...]


def fit_window(
    messages: Sequence[Message],
    settings: Settings,
    *,
    current_turn: int,
    tools: ToolCost,
    content_tokens: Callable[[Message], int],
    topology: Topology | None = None,
) -> WindowResult:
    """Trim a rendered request to its window.

    `messages` is the whole request with its system message first (if it has one); `content_tokens` gives the count of
    a message's content alone and is asked in `message` mode only; `topology` is None where no component holds the
    placeholder. With the rule `trim` switched off, everything stays.
    """
    window = settings.window
    sizes = window_sizes(window.context_limit, window.strategy, tools.tokens, context_tokens=window.context_tokens)
    by_message = window.unit == "message"
    costs = [content_tokens(m) if by_message else m.tokens for m in messages]
    priming = 0 if by_message else PRIMING
    dropped = _units_to_drop(messages, costs, settings, current_turn, sizes.message_budget)
    gone: set[int] = set()
    gone.update(*(unit.indices for unit in dropped))
    sent = tuple(message for index, message in enumerate(messages) if index not in gone)
    before = sum(costs) + priming
    request_tokens = before - sum(costs[index] for index in sorted(gone))
    has_system = bool(messages) and messages[0].role == "system" and messages[0].turn_id is None
    findings = window_findings(
        sizes,
        system_tokens=costs[0] if has_system else None,
        priming=priming,
        request_tokens=request_tokens,
        dropped=dropped,
    )
    lines = (
        *opening_lines(len(messages), topology.value if topology else None, holds_topology=topology is not None),
        *outcome_lines(len(messages), len(sent), request_tokens, sizes.tool_tokens, sizes.size, sizes.strategy),
    )
    return WindowResult(
        trace=WindowTrace(
            size=sizes.size,
            strategy=sizes.strategy,
            ratio=sizes.ratio,
            unit=window.unit,
            input_budget=sizes.input_budget,
            tool_tokens=sizes.tool_tokens,
            message_budget=sizes.message_budget,
            request_tokens=request_tokens,
            dropped=tuple(Dropped(unit.kind, unit.turn_id, unit.round, unit.tokens) for unit in dropped),
            log=tuple(line.text for line in lines),
        ),
        rendered=tuple(messages),
        messages=sent,
        removed=tuple(message for index, message in enumerate(messages) if index in gone),
        tokens_before=before,
        missing=max(0, request_tokens - sizes.message_budget),
        findings=(*tools.findings, *findings),
    )


def _units_to_drop(
    messages: Sequence[Message], costs: Sequence[int], settings: Settings, current_turn: int, budget: int
) -> tuple[Unit, ...]:
    if settings.rule_off("trim"):
        return ()
    if settings.window.unit == "message":
        kept = set(trim_messages([message.role for message in messages], costs, budget))
        return tuple(
            Unit("message", message.turn_id, message.round, costs[index], (index,))
            for index, message in enumerate(messages)
            if index not in kept
        )
    grouped = group_units(messages, current_turn, flattened=settings.sequence.layout == "flattened")
    pinned = sum(messages[index].tokens for index in grouped.pinned) + PRIMING
    return trim_turns(pinned, grouped.units, budget).dropped
