"""Copying from any screen: programs that take the text may be slow, so they get it in the background."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ctxinspect.errors import UsageError
from ctxinspect.tui.clipboard import copy, facts_here

if TYPE_CHECKING:
    from ctxinspect.tui.app import InspectorApp

__all__ = ["copy_text"]


def copy_text(app: InspectorApp, text: str, say: Callable[[str], None]) -> None:
    """Copy a text by the first way that works; `say` is called with what was done, or what is wrong."""
    try:
        facts = facts_here(app.programs)
    except UsageError as error:
        say(f"ERROR  {error}")
        return

    def work() -> None:
        said = copy(text, facts, lambda own: app.call_from_thread(app.copy_to_clipboard, own))
        app.call_from_thread(say, f"COPY   {said}")

    app.screen.run_worker(work, thread=True, group="copy", exit_on_error=False)
