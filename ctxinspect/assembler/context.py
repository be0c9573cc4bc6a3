"""The assembler as its seed names it: `ContextAssembler`, `ContextComponent`, `ComponentPriority`.

A thin face: every figure it gives is one of the assembly's trace.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import IntEnum
from typing import Any, Literal

from pydantic import ValidationError

from ctxinspect.assembler.assemble import AssemblyResult, assemble
from ctxinspect.errors import SettingsError
from ctxinspect.settings import AssemblerSettings
from ctxinspect.tokens.cost import Count
from ctxinspect.tokens.counter import named_counter
from ctxinspect.trace.types import AssemblyTrace

__all__ = ["ComponentPriority", "ContextAssembler", "ContextComponent", "summary_of"]


class ComponentPriority(IntEnum):
    """Named priorities; any integer from 0 to 100 is allowed."""

    CRITICAL = 100
    HIGH = 90
    MEDIUM = 70
    LOW = 50
    OPTIONAL = 30


@dataclass(frozen=True, slots=True)
class ContextComponent:
    """A part of the system prompt. Raises SettingsError where the priority is no integer from 0 to 100."""

    name: str
    content: str
    priority: int = ComponentPriority.MEDIUM
    truncatable: bool = True

    def __post_init__(self) -> None:
        if isinstance(self.priority, bool) or not isinstance(self.priority, int) or not 0 <= self.priority <= 100:
            msg = f"component {self.name!r}: priority {self.priority!r}: expected an integer from 0 to 100"
            raise SettingsError(msg)


def summary_of(trace: AssemblyTrace) -> dict[str, Any]:
    """The summary of an assembly (page 2 rule 9); all figures but priority and position are tokens."""
    return {
        "requested_tokens": trace.requested_tokens,
        "rendered_tokens": trace.rendered_tokens,
        "total_tokens": trace.rendered_tokens,
        "budget": trace.budget,
        "limit": trace.limit,
        "overflow": trace.overflow,
        "unused_tokens": trace.unused_tokens,
        "components": [
            {key: value for key, value in asdict(row).items() if key not in ("content", "rendered_chars")}
            for row in trace.components
        ],
    }


class ContextAssembler:
    """Assembles named components into one system prompt under a token budget.

    `token_counter` is any function from text to tokens (cl100k_base by default); the keyword settings are those of
    page 2. `variables` fill `{{name}}` placeholders. `on_assembled` is called with the summary after each assembly.
    Raises SettingsError, a ValueError, for a setting out of range.
    """

    def __init__(
        self,
        max_tokens: int = 16000,
        token_counter: Count | None = None,
        *,
        buffer: float = 0.0,
        min_useful_tokens: int = 100,
        after_truncate: Literal["continue", "stop"] = "continue",
        order: Literal["priority", "admission"] | Sequence[str] = "priority",
        variables: Mapping[str, str | None] | None = None,
        on_assembled: Callable[[dict[str, Any]], object] | None = None,
    ) -> None:
        try:
            self.settings = AssemblerSettings.model_validate(
                {
                    "max_tokens": max_tokens,
                    "buffer": buffer,
                    "min_useful_tokens": min_useful_tokens,
                    "after_truncate": after_truncate,
                    "order": order if isinstance(order, str) else tuple(order),
                }
            )
        except ValidationError as error:
            first = error.errors()[0]
            msg = f"{first['loc'][0]}={first['input']!r}: {first['msg']}"
            raise SettingsError(msg) from error
        self.token_counter: Count = token_counter if token_counter is not None else named_counter("cl100k_base")
        self.variables: dict[str, str | None] = dict(variables or {})
        self.on_assembled = on_assembled
        self._components: dict[str, ContextComponent] = {}
        self._result: AssemblyResult | None = None

    @property
    def max_tokens(self) -> int:
        """The token budget."""
        return self.settings.max_tokens

    @property
    def components(self) -> tuple[ContextComponent, ...]:
        """The components in the order they were added."""
        return tuple(self._components.values())

    @property
    def result(self) -> AssemblyResult:
        """The typed trace, findings and ledger of the components as they are now; assembled at most once."""
        if self._result is None:
            measure = getattr(self.token_counter, "measure", None)
            self._result = assemble(self.components, self.variables, self.settings, self.token_counter, measure=measure)
        return self._result

    def add_component(
        self,
        name: str,
        content: str,
        priority: int = ComponentPriority.MEDIUM,
        truncatable: bool = True,  # noqa: FBT001, FBT002 - the published signature
    ) -> None:
        """Add a component. Raises SettingsError for a name that is taken or a priority that is no integer 0 to 100."""
        if name in self._components:
            msg = f"component name {name!r} is taken; names are unique, so that none overwrites another in silence"
            raise SettingsError(msg)
        self._components[name] = ContextComponent(name, content, priority, truncatable)
        self._result = None

    def assemble(self) -> str:
        """The system prompt; its count is within the limit for every counter."""
        trace = self.result.trace
        if self.on_assembled is not None:
            self.on_assembled(summary_of(trace))
        return trace.text

    def get_summary(self) -> dict[str, Any]:
        """The summary of the components as they are now: what was asked for, what is rendered, and every fate."""
        return summary_of(self.result.trace)
