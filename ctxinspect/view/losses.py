"""What a conversion lost and changed, as lines for a person and as records for a machine.

A person gets one line for each kind of loss, with how often and where first; the records hold every single one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from ctxinspect.dialects import Loss
from ctxinspect.pipeline.convert import Change, Converted
from ctxinspect.text.sanitize import one_line

__all__ = ["Gathered", "change_lines", "loss_lines", "loss_records"]


@dataclass(slots=True)
class Gathered:
    """The changes and losses of several conversions, each once, with the address of the request that first had it."""

    changes: dict[Change, str | None] = field(default_factory=dict)
    losses: dict[Loss, str | None] = field(default_factory=dict)

    def add(self, converted: Converted) -> None:
        """Take those of one conversion."""
        step = converted.step.address if converted.step is not None else None
        for change in converted.changes:
            self.changes.setdefault(change, step)
        for loss in converted.losses:
            self.losses.setdefault(loss, step)


def loss_lines(file: str, losses: Iterable[Loss]) -> Iterator[str]:
    """One line for each kind of loss and reason, in order of first appearance."""
    kinds: dict[tuple[str, str], list[Loss]] = {}
    for loss in losses:
        kinds.setdefault((loss.what, loss.why), []).append(loss)
    for (what, why), found in kinds.items():
        first = found[0]
        times = f" ({len(found)} times, here first)" if len(found) > 1 else ""
        detail = f": {first.detail}" if first.detail else ""
        path = "" if first.path == "$" else f" @ {first.path}"
        yield one_line(f"{_place(file, first.line)}: not as recorded: {what}{times}: {why}{detail}{path}")


def change_lines(file: str, changes: Iterable[Change]) -> Iterator[str]:
    """One line for each change of a repair."""
    for change in changes:
        subject = f" {change.call_id}" if change.call_id else ""
        yield one_line(
            f"{_place(file, change.line)}: repaired: {change.kind}{subject}: {change.reason} @ {change.path}"
        )


def loss_records(gathered: Gathered) -> Iterator[dict[str, Any]]:
    """Every change and every loss as a JSON object; `step` is the request that first has it, null for a session."""
    for change, step in gathered.changes.items():
        yield {
            "type": "repair",
            "step": step,
            "kind": change.kind,
            "path": change.path,
            "line": change.line,
            "call_id": change.call_id,
            "text": change.reason,
            "detail": "",
        }
    for loss, step in gathered.losses.items():
        yield {
            "type": "loss",
            "step": step,
            "kind": loss.what,
            "path": loss.path,
            "line": loss.line,
            "call_id": None,
            "text": loss.why,
            "detail": loss.detail,
        }


def _place(file: str, line: int | None) -> str:
    return file if line is None else f"{file}:{line}"
