"""What is known about one rule code: how grave it is, what it means, how it happens, how it is mended.

Severities under a provider profile are kept as the cells of the specification's table: `E` error, `W` warning, `I`
info, `-` nothing, and two letters joined by a comma where the rule tells two cases apart.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from ctxinspect.trace.types import Severity, Stage

__all__ = ["PROFILE_NAMES", "ProfileName", "RuleCode"]

ProfileName: TypeAlias = Literal["openai", "openai-responses", "anthropic", "gemini", "strict"]
PROFILE_NAMES: tuple[ProfileName, ...] = ("openai", "openai-responses", "anthropic", "gemini", "strict")
_LETTERS: dict[str, Severity | None] = {"E": "error", "W": "warning", "I": "info", "-": None}


@dataclass(frozen=True, slots=True)
class RuleCode:
    """One rule. `severity` holds where no profile decides, `cells` where one does (in the order of PROFILE_NAMES).

    `stage` is the earliest after which the rule can hold; `cases` name the two cases of double cells; `answers` quote
    what an API says, as people have reported it; `before` and `after` show the smallest example.
    """

    code: str
    stage: Stage
    meaning: str
    cause: str
    remedy: str
    before: str
    after: str
    severity: Severity | None = None
    cells: str = ""
    cases: tuple[str, str] | None = None
    answers: Mapping[ProfileName, str] = field(default_factory=dict)
    silence: str = ""
    everywhere: str = ""
    """What every API does, where none answers to this rule; empty: what is usual for its stage."""

    @property
    def by_profile(self) -> bool:
        """Whether the provider profile decides how grave it is."""
        return bool(self.cells)

    def severity_under(self, profile: ProfileName, case: int = 0) -> Severity | None:
        """How grave it is under a profile; None where it is nothing there."""
        if not self.cells:
            return self.severity
        letters = self.cell(profile).split(",")
        return _LETTERS[letters[min(case, len(letters) - 1)]]

    def cell(self, profile: ProfileName) -> str:
        """The cell of the profile: a letter, or two joined by a comma. Empty where no profile decides."""
        return self.cells.split()[PROFILE_NAMES.index(profile)] if self.cells else ""

    @property
    def gravest(self) -> Severity:
        """The gravest severity it can have."""
        if self.severity is not None:
            return self.severity
        return "error" if "E" in self.cells else "warning" if "W" in self.cells else "info"
