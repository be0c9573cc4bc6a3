"""The same screen in fewer bytes: a style is told only where it changes, and only the part of it that changes.

The toolkit tells the whole style, both colours included, before every run of cells and takes it back behind it. Over a
slow line that is most of what is sent. What a terminal shows does not change.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

__all__ = ["Thrift"]

_PIECES = re.compile(r"\x1b\[([0-9;]*)m|(\x1b\[\d*;?\d*H)")
_RESET = "\x1b[0m"


class _Style(NamedTuple):
    """Attributes (bold and the like) and colours, as the numbers that set them; empty colours are the terminal's own."""

    attributes: frozenset[str]
    front: str
    back: str


_NONE = _Style(frozenset(), "", "")


class Thrift:
    """Rewrites a stream piece by piece; what style the terminal is in is known from the pieces before."""

    def __init__(self) -> None:
        self._style: _Style | None = _NONE
        """Null after a sequence that is not known here: all goes through as it is until styles are taken back."""

    def rewrite(self, data: str) -> str:
        """What to write instead of `data`."""
        if "\x1b[" not in data:
            return data
        if self._style is None:
            return self._pass_on(data)
        out: list[str] = []
        actual = wanted = self._style
        end = 0
        for piece in _PIECES.finditer(data):
            text = data[end : piece.start()]
            if text:
                out += [_change(actual, wanted), text]
                actual = wanted
            end = piece.end()
            if piece[2]:
                out.append(piece[2])
                continue
            told = _told(piece[1])
            if told is None:
                out.append(_change(actual, wanted))
                return "".join([*out, self._pass_on(data[piece.start() :])])
            wanted = _joined(wanted, told)
        if data[end:]:
            out += [_change(actual, wanted), data[end:]]
            actual = wanted
        self._style = wanted
        return "".join([*out, _change(actual, wanted)])

    def _pass_on(self, data: str) -> str:
        last = data.rfind(_RESET)
        if last < 0:
            self._style = None
            return data
        head, rest = data[: last + len(_RESET)], data[last + len(_RESET) :]
        self._style = _NONE
        return head + self.rewrite(rest)


class _Told(NamedTuple):
    """What one sequence says: whether all before is taken back, then attributes and colours (null: not told)."""

    reset: bool
    attributes: frozenset[str]
    front: str | None
    back: str | None


def _joined(style: _Style, told: _Told) -> _Style:
    base = _NONE if told.reset else style
    return _Style(
        base.attributes | told.attributes,
        base.front if told.front is None else told.front,
        base.back if told.back is None else told.back,
    )


@lru_cache(maxsize=1024)
def _told(numbers: str) -> _Told | None:
    """The meaning of an SGR sequence; null where it holds more than the toolkit is known to write."""
    parts = numbers.split(";") if numbers else ["0"]
    reset, front, back = False, None, None
    attributes: set[str] = set()
    at = 0
    while at < len(parts):
        part = parts[at]
        if part in ("0", ""):
            reset, front, back = True, None, None
            attributes.clear()
        elif part in ("38", "48"):
            count = {"2": 5, "5": 3}.get(parts[at + 1] if at + 1 < len(parts) else "")
            if count is None or at + count > len(parts):
                return None
            color = ";".join(parts[at : at + count])
            front, back = (color, back) if part == "38" else (front, color)
            at += count - 1
        elif part in ("39", "49"):
            front, back = ("", back) if part == "39" else (front, "")
        elif part.isdigit() and (30 <= int(part) <= 37 or 90 <= int(part) <= 97):
            front = part
        elif part.isdigit() and (40 <= int(part) <= 47 or 100 <= int(part) <= 107):
            back = part
        elif part.isdigit() and 1 <= int(part) <= 9:
            attributes.add(part)
        else:
            return None
        at += 1
    return _Told(reset, frozenset(attributes), front, back)


@lru_cache(maxsize=4096)
def _change(before: _Style, after: _Style) -> str:
    """The shortest sequence that leads from one style to another."""
    if before == after:
        return ""
    if after == _NONE:
        return _RESET
    whole = ["0", *sorted(after.attributes), *(color for color in (after.front, after.back) if color)]
    if before.attributes - after.attributes:
        return f"\x1b[{';'.join(whole)}m"
    part = sorted(after.attributes - before.attributes)
    part += [after.front or "39"] if after.front != before.front else []
    part += [after.back or "49"] if after.back != before.back else []
    return f"\x1b[{min(';'.join(part), ';'.join(whole), key=len)}m"
