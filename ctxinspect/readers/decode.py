"""JSON as it is found on disks: every function here returns what could be read and says what could not.

Secrets are masked here, before anything else sees a value, unless they are asked for. Bad lines never raise; `JSONReader.read_text` raises JSONError with line and column. Values are plain Python JSON; NaN,
Infinity and numbers too large to hold stand as strings, so whatever is written again is valid JSON.
"""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass
from typing import Any

from ctxinspect.text.masking import mask_text, mask_value, raw_may_hold_secrets

__all__ = ["JSONError", "JSONReader", "LineReading", "column_of"]

_LONGEST_INT = 4300
_SPACE = re.compile(r"[ \t\r\n]*")


class JSONError(ValueError):
    """Text that is no JSON: what is wrong, and the 1-based line and column in characters."""

    def __init__(self, reason: str, line: int, column: int, *, at_end: bool = False) -> None:
        super().__init__(f"{reason} at line {line} column {column}")
        self.reason = reason
        self.line = line
        self.column = column
        self.at_end = at_end


@dataclass(frozen=True, slots=True)
class LineReading:
    """What one physical line gave: its values, whether a part of it was lost, and notes on what was mended."""

    values: tuple[Any, ...]
    fault: str | None = None
    notes: tuple[str, ...] = ()
    text: str = ""


class JSONReader:
    """Reads JSON values and remembers what had to be mended; one per file, so that files can be read side by side.

    `masked` collects the secrets that were taken out: fingerprint → kind.
    """

    def __init__(self, *, show_secrets: bool = False) -> None:
        self.masked: dict[str, str] = {}
        self._show_secrets = show_secrets
        self._notes: dict[str, None] = {}
        hooks: dict[str, Any] = {
            "object_pairs_hook": self._pairs,
            "parse_constant": self._constant,
            "parse_float": self._float,
        }
        self._strict = json.JSONDecoder(**hooks)
        self._loose = json.JSONDecoder(strict=False, parse_int=self._int, **hooks)

    def read_text(self, text: str) -> tuple[list[tuple[Any, int]], tuple[str, ...]]:
        """All values of a text with nothing but white space between: (value, position) each, and notes.

        Raises JSONError where it does not consist of values.
        """
        self._notes.clear()
        values: list[tuple[Any, int]] = []
        position = _skip(text, 0)
        while position < len(text) or not values:
            try:
                value, end = self._raw_decode(text, position)
            except json.JSONDecodeError as error:
                reason, at_end = _reason(error)
                line, column = column_of(text, min(error.pos, len(text)))
                raise JSONError(reason, line, column, at_end=at_end) from error
            except RecursionError:
                line, column = column_of(text, position)
                raise JSONError("JSON is nested too deeply", line, column) from None
            values.append((value, position))
            position = _skip(text, end)
        if not self._show_secrets and raw_may_hold_secrets(text.encode("utf-8", errors="surrogatepass")):
            values = [(mask_value(value, self.masked), start) for value, start in values]
        return values, self._taken()

    def read_line(self, raw: bytes, *, last: bool = False) -> LineReading:
        """The values of one physical line (without its newline; `last`: it has none because the file ends there).

        NUL bytes are stripped, bytes that are no UTF-8 become U+FFFD, objects glued together are parted: all noted.
        """
        notes: list[str] = []
        nuls = raw.count(b"\0")
        if nuls:
            raw = raw.replace(b"\0", b"")
            if not raw.strip():
                return LineReading((), f"unreadable: {nuls} NUL bytes and nothing else")
            notes.append(f"{nuls} NUL bytes stripped")
        try:
            text = raw.decode("utf-8")
        except UnicodeDecodeError as error:
            text = raw.decode("utf-8", errors="replace")
            notes.append(f"invalid UTF-8 at byte {error.start} of the line, shown as U+FFFD")
        values, fault = self._values(text, last=last)
        if not self._show_secrets and raw_may_hold_secrets(raw):
            values = [mask_value(value, self.masked) for value in values]
            text = mask_text(text, self.masked) if fault else text
        notes += self._taken()
        if len(values) > 1:
            notes.append(f"{len(values)} records glued on one line, read apart")
        if fault and notes:
            fault = f"{fault} ({'; '.join(notes)})"
            notes = []
        return LineReading(tuple(values), fault, tuple(notes), text if fault else "")

    def _values(self, text: str, *, last: bool) -> tuple[list[Any], str | None]:
        self._notes.clear()
        values: list[Any] = []
        position = _skip(text, 0)
        while position < len(text):
            try:
                value, end = self._raw_decode(text, position)
            except json.JSONDecodeError as error:
                reason, at_end = _reason(error)
                where = f"column {min(error.pos, len(text)) + 1}"
                if at_end and last:
                    return values, f"cut short: {reason}, no newline at the end of the file ({where})"
                return values, f"broken JSON: {reason} ({where})"
            except RecursionError:
                return values, "JSON is nested too deeply"
            values.append(value)
            position = _skip(text, end)
        return values, None

    def _raw_decode(self, text: str, start: int) -> tuple[Any, int]:
        """One value at `start`: strictly, then with raw control characters and huge numbers allowed (noted)."""
        try:
            return self._strict.raw_decode(text, start)
        except json.JSONDecodeError as error:
            if "control character" not in error.msg:
                raise
            self._notes["raw control characters inside a string"] = None
        except ValueError:  # an integer longer than the interpreter's limit
            self._notes["a number is too large; kept as text"] = None
        return self._loose.raw_decode(text, start)

    def _taken(self) -> tuple[str, ...]:
        notes = tuple(self._notes)
        self._notes.clear()
        return notes

    def _pairs(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(pairs)
        if len(made) != len(pairs):
            seen: set[str] = set()
            for key, _ in pairs:
                if key in seen:
                    self._notes[f'key "{key[:60]}" stands twice in one object; the last one is kept'] = None
                seen.add(key)
        return made

    def _constant(self, name: str) -> str:
        self._notes[f"{name} is no JSON number; kept as text"] = None
        return name

    def _float(self, digits: str) -> float | str:
        value = float(digits)
        if math.isinf(value):
            self._notes["a number is too large; kept as text"] = None
            return digits
        return value

    @staticmethod
    def _int(digits: str) -> int | str:
        return digits if len(digits) > _LONGEST_INT else int(digits)


def column_of(text: str, position: int) -> tuple[int, int]:
    """1-based line and column of a position; lines end at newlines only."""
    return text.count("\n", 0, position) + 1, position - text.rfind("\n", 0, position)


def _reason(error: json.JSONDecodeError) -> tuple[str, bool]:
    """What is wrong in plain words, and whether the text simply ends too early."""
    rest = error.doc[error.pos :].strip()
    if error.msg.startswith("Unterminated string"):
        return "JSON ends inside a string", True
    if not rest:
        return "JSON ends too early", True
    if error.msg == "Invalid control character at":
        return "a raw control character inside a string", False
    return f"{error.msg[0].lower()}{error.msg[1:]}".removesuffix(" at"), False


def _skip(text: str, position: int) -> int:
    found = _SPACE.match(text, position)
    return found.end() if found else position
