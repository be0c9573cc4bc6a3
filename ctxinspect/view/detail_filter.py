"""A text reduced to its lines that hold another text; titles stay where a line under them does."""

from __future__ import annotations

from ctxinspect.view.table import Cell, Detail

__all__ = ["filtered"]


def filtered(detail: Detail, text: str) -> Detail:
    """Only lines with `text` in them: case counts where the text has a capital. Without a text, all of them."""
    if not text:
        return detail
    strict = text != text.lower()
    kept: list[Cell] = []
    heads: list[Cell] = []
    count = 0
    for block in detail.blocks:
        for line in block.text.split("\n"):
            if block.role == "title":
                heads = [Cell(line, "title")]
            elif text in (line if strict else line.lower()):
                kept += [*heads, Cell(line, block.role)]
                heads = []
                count += 1
    title = f"{detail.title}  {count} line{'' if count == 1 else 's'} with {text!r}"
    return Detail(title, tuple(kept) or (Cell(f"No line holds {text!r}.", "dim"),))
