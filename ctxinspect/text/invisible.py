"""Characters that a reader cannot see but a model or a terminal can: which they are, and where a text holds them.

The definition is that of specification page 6: bidi controls, zero-width characters outside emoji sequences, tag
characters, C0 and C1 controls other than tab and newline (CR LF is a newline, and DEL is a control). Joiners and
variation selectors that make an emoji are no hidden characters.
"""

from __future__ import annotations

import re

__all__ = ["code_point", "hidden_characters", "is_emoji", "lone_surrogates"]

_CONTROLS = "\x00-\x08\x0b-\x1f\x7f-\x9f"
_BIDI = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
_ZERO_WIDTH = "\u180e\u200b-\u200d\u2060-\u2064\u206a-\u206f\ufeff"
_TAGS = "\U000e0001\U000e0020-\U000e007f"
_HIDDEN = re.compile(f"[{_CONTROLS}{_BIDI}{_ZERO_WIDTH}{_TAGS}]")
_SURROGATE = re.compile("[\ud800-\udfff]")

_JOINER = "\u200d"
_EMOJI_VARIATION = "\ufe0f"
_KEYCAP = "\u20e3"
_FLAG = re.compile(
    "\U0001f3f4(?:"
    + "|".join("".join(chr(0xE0000 + ord(letter)) for letter in region) for region in ("gbeng", "gbsct", "gbwls"))
    + ")\U000e007f"
)
"""The three flags that are written with tag characters: England, Scotland, Wales."""

_EMOJI = re.compile(
    "[\u00a9\u00ae\u203c\u2049\u2122\u2139\u2194-\u2199\u21a9\u21aa\u231a\u231b\u2328\u23cf\u23e9-\u23f3\u23f8-\u23fa"
    "\u24c2\u25aa\u25ab\u25b6\u25c0\u25fb-\u25fe\u2600-\u27bf\u2934\u2935\u2b05-\u2b07\u2b1b\u2b1c\u2b50\u2b55\u3030"
    "\u303d\u3297\u3299\U0001f000-\U0001faff\U0001fc00-\U0001fffd]"
)
"""Extended_Pictographic of Unicode 16 (emoji-data.txt), regional indicators and skin tones included."""


def code_point(character: str) -> str:
    """`U+202E`: how a character is named where it cannot be shown."""
    return f"U+{ord(character):04X}"


def is_emoji(character: str) -> bool:
    """Whether the character is a pictograph that may be part of an emoji sequence."""
    return bool(_EMOJI.match(character))


def lone_surrogates(text: str) -> tuple[int, ...]:
    """Positions (code points) of surrogates without their partner. Python strings hold no paired ones."""
    return tuple(match.start() for match in _SURROGATE.finditer(text))


def hidden_characters(text: str) -> tuple[int, ...]:
    """Positions (code points) of hidden characters, in order. Linear in the text."""
    if _HIDDEN.search(text) is None:
        return ()
    flags = {at for match in _FLAG.finditer(text) for at in range(match.start(), match.end())}
    return tuple(
        match.start()
        for match in _HIDDEN.finditer(text)
        if match.start() not in flags and not _is_harmless(text, match.start())
    )


def _is_harmless(text: str, at: int) -> bool:
    character = text[at]
    if character == "\r":
        return text[at + 1 : at + 2] == "\n"
    return character == _JOINER and _joins_emoji(text, at)


def _joins_emoji(text: str, at: int) -> bool:
    """Whether the joiner at this place stands between two pictographs (a variation selector may follow the first)."""
    before = at - 1
    while before >= 0 and text[before] in {_EMOJI_VARIATION, _KEYCAP}:
        before -= 1
    return before >= 0 and is_emoji(text[before]) and at + 1 < len(text) and is_emoji(text[at + 1])
