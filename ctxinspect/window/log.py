"""The log lines of a request, word for word as the hook logs them and the inspector shows them.

Message numbers before and after trimming both include the system message; the percentage is of the whole window.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Literal

__all__ = ["LogLine", "opening_lines", "outcome_lines", "share", "topology_line", "window_label"]


@dataclass(frozen=True, slots=True)
class LogLine:
    """One line and the level it is logged at."""

    level: Literal["info", "warning"]
    text: str


def window_label(size: int) -> str:
    """The window in K tokens: `128K`, `8.192K`."""
    whole, rest = divmod(size, 1000)
    return f"{whole}.{rest:03d}".rstrip("0").rstrip(".") + "K"


def share(tokens: int, of: int) -> str:
    """`4.3%`: tokens as a percentage with one decimal; of nothing, `-`."""
    return f"{100 * tokens / of:.1f}%" if of > 0 else "-"


def topology_line(value: str | None) -> LogLine:
    """What was injected: its characters and the first five keys of its `nodes`, if it is JSON with such a map."""
    if value is None:
        return LogLine("warning", "Topology data is None, injecting placeholder")
    return LogLine("info", f"Topology injected: {len(value)} chars, nodes: {_node_names(value)[:5]}")


def opening_lines(before: int, topology: str | None = None, *, holds_topology: bool = False) -> tuple[LogLine, ...]:
    """The lines before trimming. `topology` is the value of `{{topology_info}}`, told only where a prompt holds it."""
    line = LogLine("info", f"Calling pre_hook to prepare {before} messages")
    return (line, topology_line(topology)) if holds_topology else (line,)


def outcome_lines(
    before: int, after: int, message_tokens: int, tool_tokens: int, size: int, strategy: str
) -> tuple[LogLine, ...]:
    """The lines after trimming: `before` and `after` count messages, the others are tokens."""
    total = message_tokens + tool_tokens
    spent = f"~{message_tokens} tokens + {tool_tokens} tools = {total} / {window_label(size)} ({share(total, size)})"
    if before == after:
        outcome = f"Context ready: {after} msgs, {spent}, strategy={strategy}"
    else:
        outcome = f"Messages trimmed: {before} -> {after} msgs. Total: {spent}, strategy={strategy}"
    return LogLine("info", outcome), LogLine("info", f"Messages prepared: {before} -> {after}")


def _node_names(value: str) -> list[str]:
    try:
        data = json.loads(value)
    except (ValueError, RecursionError):
        return []
    nodes = data.get("nodes") if isinstance(data, dict) else None
    return list(nodes) if isinstance(nodes, dict) else []
