"""Screens as plain text: what a person sees, line by line, without colour and without a terminal."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from pathlib import Path

from textual.app import App

from ctxinspect.model.session import Session
from ctxinspect.pipeline.replay import Replay
from ctxinspect.tui.app import InspectorApp
from ctxinspect.tui.state import Navigator

__all__ = ["FRAMES", "check_frame", "frame", "inspector", "play"]

FRAMES = Path(__file__).resolve().parent.parent / "tui" / "frames"


def inspector(session: Session, at: str | None = None) -> InspectorApp:
    """The inspector on a session, in the painted theme."""
    return InspectorApp(Navigator(Replay(session), at), theme="ctx-dark")


def frame(app: App[None]) -> list[str]:
    """The screen as lines of text."""
    return [strip.text.rstrip() for strip in app.screen._compositor.render_strips()]


async def _play(app: App[None], size: tuple[int, int], keys: Sequence[str]) -> list[str]:
    async with app.run_test(size=size) as pilot:
        await app.workers.wait_for_complete()
        await pilot.pause()
        for key in keys:
            await pilot.press(key)
        await app.workers.wait_for_complete()
        await pilot.pause()
        return frame(app)


def play(app: App[None], keys: Sequence[str] = (), size: tuple[int, int] = (120, 40)) -> list[str]:
    """The screen after these keys, all background work done."""
    return asyncio.run(_play(app, size, keys))


def check_frame(name: str, lines: Sequence[str]) -> None:
    """Compare with the approved frame of this name; with `APPROVE_FRAMES=1` in the environment approve it."""
    path = FRAMES / f"{name}.txt"
    if os.environ.get("APPROVE_FRAMES"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(lines) + "\n", "utf-8")
    assert list(lines) == path.read_text("utf-8").splitlines()
