r"""Text as a programmer would write it: what cannot be seen stands there as an escape, nothing else is changed.

Unlike `sanitize`, which shows one stand-in for what would do harm, this shows every character that has no shape of its
own, and where lines end: `\t`, `\x1b`, `\u202e`, `\\`, and `\n` before each line feed.
"""

from __future__ import annotations

import re

__all__ = ["escaped"]

_SHORT = {"\\": "\\\\", "\n": "\\n\n", "\r": "\\r", "\t": "\\t"}
_SUSPECT = re.compile(r"[^ -\[\]-~]")


def escaped(text: str) -> str:
    """The text with an escape for every character that is not printable, and for the backslash."""
    return _SUSPECT.sub(_escape, text)


def _escape(match: re.Match[str]) -> str:
    char = match.group()
    if char in _SHORT:
        return _SHORT[char]
    if char.isprintable():
        return char
    code = ord(char)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
