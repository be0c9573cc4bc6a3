"""Provider profiles: whose rules decide how grave a finding is. The table itself stands with the rule codes.

A profile changes severities and nothing else: a rule that a profile gives no severity is not reported under it.
"""

from __future__ import annotations

from dataclasses import dataclass

from ctxinspect.errors import UsageError
from ctxinspect.text.nearest import nearest
from ctxinspect.trace.codes import PROFILE_NAMES, RULES, ProfileName
from ctxinspect.trace.types import Severity

__all__ = ["DEFAULT_PROFILE", "PROFILES", "Profile", "profile_named"]

DEFAULT_PROFILE: ProfileName = "openai"


@dataclass(frozen=True, slots=True)
class Profile:
    """One provider's API (or `strict`, the union of what they refuse)."""

    name: ProfileName

    def severity(self, code: str, case: int = 0) -> Severity | None:
        """How grave the rule is here, None where it is nothing; `case` chooses where the rule has two severities."""
        return RULES[code].severity_under(self.name, case)


PROFILES: dict[ProfileName, Profile] = {name: Profile(name) for name in PROFILE_NAMES}


def profile_named(name: str | Profile) -> Profile:
    """The profile of this name. Raises UsageError naming the nearest one."""
    if isinstance(name, Profile):
        return name
    for known, profile in PROFILES.items():
        if known == name:
            return profile
    msg = f"no profile {name!r}; {nearest(name, PROFILE_NAMES) or 'profiles: ' + ', '.join(PROFILE_NAMES)}"
    raise UsageError(msg)
