"""The pre-model hook: what a system of its own calls before each model call to have its messages prepared.

The one module of this package that logs. It changes neither the state nor the messages it is given, and it never
returns fewer messages than it was asked to prepare because of an error of its own.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from ctxinspect.model.messages import Message
from ctxinspect.settings import STRATEGY_RATIOS, Settings
from ctxinspect.text.placeholders import TOPOLOGY, missing_text
from ctxinspect.tokens.cost import PRIMING
from ctxinspect.window.budget import DEFAULT_STRATEGY, WindowSizes, count_tokens, window_size, window_sizes
from ctxinspect.window.chat import chat_cost, chat_role, content_tokens, system_message, turn_places
from ctxinspect.window.facts import window_findings
from ctxinspect.window.log import LogLine, opening_lines, outcome_lines
from ctxinspect.window.messages_unit import trim_messages
from ctxinspect.window.tools import tool_tokens
from ctxinspect.window.trim import Unit, group_units, trim_turns

__all__ = ["create_pre_model_hook"]

logger = logging.getLogger(__name__)

_PLACEHOLDER = f"{{{{{TOPOLOGY}}}}}"
_COSTS = Settings()

Hook = Callable[[Mapping[str, Any]], dict[str, list[Any]]]


def create_pre_model_hook(
    system_prompt: str,
    get_topology_func: Callable[[Mapping[str, Any]], Any],
    get_llm_config_func: Callable[[], Mapping[str, Any] | None],
    get_tools_func: Callable[[], Iterable[Any] | None],
    *,
    unit: Literal["turn", "message"] = "turn",
) -> Hook:
    """A function `hook(state) -> {"messages": [...]}` that prepares a state's messages for the model.

    The prompt's `{{topology_info}}` is filled with what `get_topology_func(state)` gives (a dict as JSON, None as a
    sentence), the result replaces every system message, and the oldest turns go until the request fits
    `context_limit` (K tokens) and `context_strategy` of `get_llm_config_func()`. With `unit="message"` single messages
    go, as LangChain's own trimming does. The hook raises SettingsError, a ValueError, where `context_limit` is missing,
    no integer or not positive; an unknown strategy is a warning and `balanced`.
    """

    def hook(state: Mapping[str, Any]) -> dict[str, list[Any]]:
        config = get_llm_config_func() or {}
        limit = config.get("context_limit")
        window_size(limit)
        holds_topology = _PLACEHOLDER in system_prompt
        topology = _topology_text(get_topology_func(state)) if holds_topology else None
        prompt = system_prompt.replace(_PLACEHOLDER, missing_text(TOPOLOGY) if topology is None else topology)
        messages = _with_system(prompt, list(state.get("messages") or ()))
        _log(opening_lines(len(messages), topology, holds_topology=holds_topology))
        strategy = _strategy(config.get("context_strategy"))
        try:
            tools = tool_tokens(get_tools_func(), count_tokens)
            sizes = window_sizes(limit, strategy, tools.tokens)
            for finding in tools.findings:
                logger.warning("%s", finding.text)
            fitted = _fit(messages, sizes, by_message=unit == "message")
        except Exception as error:  # noqa: BLE001 - messages of others may be anything; the model call must go on
            logger.error("Failed to trim messages: %s", error)  # noqa: TRY400 - one line, as the seed logs it
            logger.warning("Returning original messages due to trimming error")
            return {"messages": messages}
        _log(outcome_lines(len(messages), len(fitted.kept), fitted.tokens, sizes.tool_tokens, sizes.size, strategy))
        return {"messages": [messages[index] for index in fitted.kept]}

    return hook


@dataclass(frozen=True, slots=True)
class _Fitted:
    """Indices of the messages that stay, ascending, and what they cost together."""

    kept: tuple[int, ...]
    tokens: int


def _fit(messages: Sequence[Any], sizes: WindowSizes, *, by_message: bool) -> _Fitted:
    roles = [chat_role(message) for message in messages]
    priming = 0 if by_message else PRIMING
    if by_message:
        costs = [content_tokens(message, count_tokens) for message in messages]
        kept = trim_messages(roles, costs, sizes.message_budget)
        left = set(kept)
        dropped = [Unit("message", None, None, costs[i], (i,)) for i in range(len(messages)) if i not in left]
    else:
        costs = [
            chat_cost(message, count_tokens, overhead=_COSTS.message_overhead, image_tokens=_COSTS.image_tokens)
            for message in messages
        ]
        dropped = list(_oldest_units(messages, roles, costs, sizes.message_budget))
        gone = {index for unit in dropped for index in unit.indices}
        kept = tuple(index for index in range(len(messages)) if index not in gone)
    tokens = sum(costs[index] for index in kept) + priming
    findings = window_findings(
        sizes,
        system_tokens=costs[0] if roles[:1] == ["system"] else None,
        priming=priming,
        request_tokens=tokens,
        dropped=dropped,
    )
    for finding in findings:
        if finding.severity != "info":
            logger.log(logging.ERROR if finding.severity == "error" else logging.WARNING, "%s", finding.text)
    return _Fitted(kept, tokens)


def _oldest_units(messages: Sequence[Any], roles: Sequence[str], costs: Sequence[int], budget: int) -> tuple[Unit, ...]:
    """The units that have to go, so that what stays costs at most `budget` with the reply's priming."""
    first = 1 if roles[:1] == ["system"] else 0
    places, current = turn_places(messages[first:])
    rendered = [Message("system", "", costs[0])] if first else []
    for (turn, number), cost in zip(places, costs[first:], strict=True):
        rendered.append(Message("user" if number is None else "assistant", "", cost, turn, number))
    grouped = group_units(rendered, current)
    pinned = sum(costs[index] for index in grouped.pinned) + PRIMING
    return trim_turns(pinned, grouped.units, budget).dropped


def _with_system(prompt: str, messages: Sequence[Any]) -> list[Any]:
    """The messages with this prompt as their one system message, in front; an empty prompt makes none."""
    others = [message for message in messages if chat_role(message) != "system"]
    return [system_message(prompt, messages), *others] if prompt.strip() else others


def _topology_text(value: Any) -> str | None:
    if value is None or isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False, default=str)


def _strategy(wanted: Any) -> str:
    if wanted is None:
        return DEFAULT_STRATEGY
    if isinstance(wanted, str) and wanted in STRATEGY_RATIOS:
        return wanted
    logger.warning("Unknown context_strategy %r, using %s", wanted, DEFAULT_STRATEGY)
    return DEFAULT_STRATEGY


def _log(lines: Iterable[LogLine]) -> None:
    for line in lines:
        logger.log(logging.WARNING if line.level == "warning" else logging.INFO, "%s", line.text)
