"""All acts of the inspector's screen by action id: every action of the scope has one, and nothing else has."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from ctxinspect.tui.acts import asking, desk, files, finding, giving, moving, reading, stops, typed, views

if TYPE_CHECKING:
    from ctxinspect.tui.screens.inspect import InspectScreen

__all__ = ["ACTS", "ANSWERS"]

ACTS: Mapping[str, Callable[[InspectScreen], None]] = {
    **moving.ACTS,
    **stops.ACTS,
    **asking.ACTS,
    **finding.ACTS,
    **files.ACTS,
    **desk.ACTS,
    **views.ACTS,
    **giving.ACTS,
    **reading.ACTS,
}
"""What each action id of the scope `inspect` does."""

ANSWERS: Mapping[str, Callable[[InspectScreen, str, str], None]] = {
    **typed.ANSWERS,
    **stops.ANSWERS,
    **asking.ANSWERS,
    **finding.ANSWERS,
    **giving.ANSWERS,
}
"""What is done with the answer to each kind of question of the prompt, given what it was about."""
