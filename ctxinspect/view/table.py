"""What every panel and every text table is made of: frozen tables of rows of cells, and details that explain a row.

Texts are raw: whoever draws them sanitises them. A role is a hint for colour and never the only carrier of a meaning;
the words stand in the cells.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, TypeAlias, overload

__all__ = [
    "Cell",
    "Column",
    "Detail",
    "Flag",
    "LazyRows",
    "Mark",
    "Role",
    "Row",
    "Table",
    "cells",
    "note",
    "ratio",
    "signed",
]

Role: TypeAlias = Literal["text", "dim", "highlight", "warn", "error", "accent", "title"]
Mark: TypeAlias = Literal[" ", "=", "+", "~", "-"]
Flag: TypeAlias = Literal[" ", "*", "!"]


class Cell(NamedTuple):
    """A piece of text and its role."""

    text: str
    role: Role = "text"


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its name, its width in cells, its share of spare cells, and the table width from which it is shown.

    `compared` says whether another text in it makes a row a changed one; running numbers do not.
    """

    name: str
    width: int
    grow: int = 0
    align: Literal["<", ">"] = "<"
    shown_from: int = 0
    compared: bool = True


@dataclass(frozen=True, slots=True)
class Row:
    """One row: a key stable across redraws, its cells, how it stands to the reference, and what is special about it.

    A row of a single cell is a note and takes the whole width. Marks: `=` unchanged, `+` new, `~` changed, `-` gone;
    flags: `*` decided, `!` wrong.
    """

    key: str
    cells: tuple[Cell, ...]
    mark: Mark = " "
    flag: Flag = " "

    def text(self, column: int) -> str:
        """The text of one cell, an empty string where the row is shorter."""
        return self.cells[column].text if column < len(self.cells) else ""


class LazyRows(Sequence[Row]):
    """Rows built when they are looked at, so that ten thousand cost no more than the screenful shown."""

    def __init__(self, count: int, build: Callable[[int], Row]) -> None:
        self._count = count
        self._build = build

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, index: int) -> Row: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Row]: ...
    def __getitem__(self, index: int | slice) -> Row | Sequence[Row]:
        """One row built now, or a tuple of them."""
        if isinstance(index, slice):
            return tuple(self._build(at) for at in range(*index.indices(self._count)))
        if not -self._count <= index < self._count:
            raise IndexError(index)
        return self._build(index % self._count)


@dataclass(frozen=True, slots=True)
class Table:
    """A table: what it is, its key figures in a few words, its columns and rows, and the sentence for no rows.

    `find` gives the index of a key without building every row; without it the rows are searched. `idents` names each
    row as another request would name it, where keys are only places; it has a name for every row, or none at all.
    """

    title: str
    summary: str
    columns: tuple[Column, ...]
    rows: Sequence[Row]
    empty: str
    find: Callable[[str], int | None] | None = None
    idents: Sequence[str] = ()

    def index(self, key: str) -> int | None:
        """Where the row of this key stands, or null."""
        if self.find is not None:
            return self.find(key)
        return next((at for at, row in enumerate(self.rows) if row.key == key), None)

    def row(self, key: str) -> Row | None:
        """The row of this key, or null."""
        at = self.index(key)
        return None if at is None else self.rows[at]

    def value(self, key: str, column: str) -> str:
        """The text at this key and column; an empty string where there is none."""
        row = self.row(key)
        names = [item.name for item in self.columns]
        return row.text(names.index(column)) if row and column in names else ""


@dataclass(frozen=True, slots=True)
class Detail:
    """Everything about one row: a title, then blocks of text (raw, of any length), each in its role."""

    title: str
    blocks: tuple[Cell, ...] = field(default=())

    @property
    def text(self) -> str:
        """All blocks as one text, a line feed between two."""
        return "\n".join(block.text for block in self.blocks)


def cells(*parts: str | Cell) -> tuple[Cell, ...]:
    """Cells of a row; plain strings get the role of text."""
    return tuple(part if isinstance(part, Cell) else Cell(part) for part in parts)


def note(key: str, text: str, role: Role = "dim") -> Row:
    """A row that takes the whole width."""
    return Row(key, (Cell(text, role),))


def ratio(value: float) -> str:
    """A number between about -10 and 10 for a table: two decimals, more where two would show nothing."""
    text = f"{value:.2f}"
    return f"{value:.4f}" if float(text) == 0 and value else text


def signed(value: float) -> str:
    """A margin, always with its sign."""
    text = ratio(value)
    return text if text.startswith("-") else f"+{text}"
