"""Addresses: `42`, `t42`, `t42r3`, `t42r3.window`, `t42r3.window#7`. One grammar for every face."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ctxinspect.errors import UsageError
from ctxinspect.text.nearest import nearest
from ctxinspect.trace.types import STAGES, Stage

__all__ = ["Address", "parse_address", "parse_turn"]

_ADDRESS = re.compile(
    r"t?(?P<turn>\d{1,9})(?:r(?P<request>\d{1,9}))?(?:\.(?P<stage>[a-z]+)(?:#(?P<decision>\d{1,9}))?)?"
)


@dataclass(frozen=True, slots=True)
class Address:
    """A position: turn, request (null: the turn's last), stage, decision within the stage."""

    turn: int
    request: int | None = None
    stage: Stage | None = None
    decision: int | None = None

    def __str__(self) -> str:
        text = f"t{self.turn}" + (f"r{self.request}" if self.request else "")
        if self.stage:
            text += f".{self.stage}" + (f"#{self.decision}" if self.decision is not None else "")
        return text


def parse_address(text: str) -> Address:
    """The address in `text`. Raises UsageError saying what would be right."""
    match = _ADDRESS.fullmatch(text.strip())
    if match is None:
        msg = f"{text!r} is no address; expected 42, t42, t42r3, t42r3.window or t42r3.window#7"
        raise UsageError(msg)
    stage = match["stage"]
    if stage is not None and stage not in STAGES:
        msg = f"{stage!r} is no stage; {nearest(stage, STAGES) or 'stages: ' + ', '.join(STAGES)}"
        raise UsageError(msg)
    known: Stage | None = next((name for name in STAGES if name == stage), None)
    return Address(
        int(match["turn"]),
        int(match["request"]) if match["request"] else None,
        known,
        int(match["decision"]) if match["decision"] else None,
    )


def parse_turn(text: str) -> Address:
    """A turn number or an address, for `--turn`."""
    return parse_address(text)
