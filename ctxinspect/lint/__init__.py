"""Lint of message sequences: rules find faults, profiles say how grave they are. A sibling of the four systems."""

from __future__ import annotations

from ctxinspect.lint.judging import Linter, judge
from ctxinspect.lint.profiles import DEFAULT_PROFILE, PROFILES, Profile, profile_named
from ctxinspect.lint.repair import Repair, RepairStep, plan_repair

__all__ = [
    "DEFAULT_PROFILE",
    "PROFILES",
    "Linter",
    "Profile",
    "Repair",
    "RepairStep",
    "judge",
    "plan_repair",
    "profile_named",
]
