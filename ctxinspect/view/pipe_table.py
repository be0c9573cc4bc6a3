"""Pipe tables: aligned by cells on a terminal, valid as Markdown. Every cell is one line; nothing is cut."""

from __future__ import annotations

from collections.abc import Sequence

from ctxinspect.text.clip import cell_width

__all__ = ["pipe_table"]


def pipe_table(headers: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """The lines of a table: header, rule, rows. Cells are sanitised one-line texts without a bare pipe."""
    widths = [max(3, *(cell_width(row[at]) for row in (headers, *rows))) for at in range(len(headers))]
    rule = "| " + " | ".join("-" * width for width in widths) + " |"
    return [_line(headers, widths), rule, *(_line(row, widths) for row in rows)]


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    padded = (cell + " " * (width - cell_width(cell)) for cell, width in zip(cells, widths, strict=True))
    return "| " + " | ".join(padded) + " |"
