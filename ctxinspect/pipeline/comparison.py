"""What two requests have in common and what not, as frozen dataclasses: the result of `compare`.

Marks: `=` on both sides and the same, `+` only after, `-` only before, `~` on both sides and different. Every message and
every component of both requests stands in it exactly once, in order.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ctxinspect.pipeline.text_diff import Mark
from ctxinspect.trace.types import ComponentRow, Finding, MessageRow, Stage

__all__ = [
    "Comparison",
    "ComponentChange",
    "FigureChange",
    "FindingChange",
    "Link",
    "MessageChange",
    "SettingChange",
    "Side",
    "TurnChange",
]


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two requests: where it is, and its totals in tokens."""

    address: str
    view: str
    messages: int
    request_tokens: int
    tool_tokens: int
    message_budget: int
    counter: str

    @property
    def tokens(self) -> int:
        """Messages and tool schemas together."""
        return self.request_tokens + self.tool_tokens


@dataclass(frozen=True, slots=True)
class SettingChange:
    """A setting with another value on the other side; values are JSON."""

    path: str
    before: Any
    after: Any


@dataclass(frozen=True, slots=True)
class MessageChange:
    """A message of either request, with its index on each side (null where it is not there)."""

    mark: Mark
    before: MessageRow | None
    after: MessageRow | None
    before_index: int | None
    after_index: int | None

    @property
    def delta(self) -> int:
        """Tokens after less tokens before."""
        return (self.after.tokens if self.after else 0) - (self.before.tokens if self.before else 0)


@dataclass(frozen=True, slots=True)
class ComponentChange:
    """A component of either request; `what` says in which respect it changed, empty for `=`."""

    mark: Mark
    name: str
    before: ComponentRow | None
    after: ComponentRow | None
    what: str = ""


@dataclass(frozen=True, slots=True)
class TurnChange:
    """An earlier turn that another stage or rule decided; `+` came in, `-` went out, `~` is in or out on both sides.

    `stage` is the first stage at which its two ways part; `before` and `after` say what decided, with its numbers.
    """

    mark: Mark
    turn_id: int
    stage: Stage
    before: str
    after: str
    present: bool
    """Whether any of it is in the later request."""


@dataclass(frozen=True, slots=True)
class FigureChange:
    """A figure of a stage that changed: its name as in the trace, and both values."""

    stage: Stage
    name: str
    before: Any
    after: Any


@dataclass(frozen=True, slots=True)
class FindingChange:
    """A finding that came (`+`), went (`-`), or has another severity (`~`, as it is after)."""

    mark: Mark
    finding: Finding


@dataclass(frozen=True, slots=True)
class Link:
    """One link of the cause chain: the stage, and what it decided otherwise, with values."""

    stage: Stage
    text: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two requests compared. `causes` goes from the first stage that decided otherwise, in pipeline order."""

    before: Side
    after: Side
    settings: tuple[SettingChange, ...]
    messages: tuple[MessageChange, ...]
    components: tuple[ComponentChange, ...]
    turns: tuple[TurnChange, ...]
    figures: tuple[FigureChange, ...]
    findings: tuple[FindingChange, ...]
    causes: tuple[Link, ...]

    @property
    def counts(self) -> Mapping[Mark, int]:
        """How many messages have each mark."""
        marks: tuple[Mark, ...] = ("+", "-", "~", "=")
        return {mark: sum(change.mark == mark for change in self.messages) for mark in marks}

    @property
    def same_messages(self) -> bool:
        """Whether the model saw the same messages and was charged the same for its tools."""
        return all(change.mark == "=" for change in self.messages) and (
            self.before.tool_tokens == self.after.tool_tokens or self.before.counter != self.after.counter
        )

    @property
    def stage(self) -> Stage | None:
        """The first stage that decided otherwise, or null."""
        return self.causes[0].stage if self.causes else None

    @property
    def identical(self) -> bool:
        """Whether nothing differs, decisions included."""
        return self.same_messages and not (self.causes or self.figures or self.findings or self.turns)
