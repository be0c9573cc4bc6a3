"""Hostile text made visible: after this no character can steer a terminal, hide, or reorder what stands around it.

C0, DEL and C1 controls, bidi controls, zero-width and tag characters and lone surrogates become stand-ins that a reader
sees (`␛`, `⟨U+202E⟩`). Joiners and variation selectors inside emoji sequences, letters of right-to-left scripts
and combining marks stay as they are. Nothing is removed. Idempotent.
"""

from __future__ import annotations

import re

__all__ = ["HIDDEN", "is_clean", "one_line", "sanitize", "sanitize_lines"]

HIDDEN = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f"
    "\ufeff\uffa0\ufff0-\ufffb\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
"""Characters that take no place or move others, as the inside of a character class."""
_HOSTILE = re.compile(f"[\x00-\x1f\x7f-\x9f{HIDDEN}\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")
_EMOJI = (
    "[\u00a9\u00ae\u203c\u2049\u2122\u2139\u2190-\u21ff\u2300-\u23ff\u24c2\u25a0-\u27bf\u2900-\u297f\u2b00-\u2bff"
    "\u3030\u303d\u3297\u3299\U0001f000-\U0001faff]"
)
_SEQUENCE = re.compile(
    f"{_EMOJI}(?:\ufe0f|[\U0001f3fb-\U0001f3ff])?(?:\u200d{_EMOJI}(?:\ufe0f|[\U0001f3fb-\U0001f3ff])?)*"
    "|[#*0-9]\ufe0f\u20e3?"
    "|[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff][\ufe00-\ufe02\U000e0100-\U000e01ef]"
    "|(?<=[\u0600-\u08ff\u0900-\u0dff])[\u200c\u200d](?=[\u0600-\u08ff\u0900-\u0dff])"
)
"""Where a joiner or a selector does its proper work: emoji, keycaps, Han variants, Arabic and Indic letters."""


def _stand_in(match: re.Match[str]) -> str:
    code = ord(match.group())
    if code < 0x20:
        return chr(0x2400 + code)
    return "\u2421" if code == 0x7F else f"\u27e8U+{code:04X}\u27e9"


def _show(text: str) -> str:
    return _HOSTILE.sub(_stand_in, text)


def is_clean(text: str) -> bool:
    """Whether `text` is one line that a terminal can take as it is."""
    return text.isascii() and text.isprintable()


def sanitize(text: str) -> str:
    """`text` with every control, hidden or reordering character as a visible stand-in, line breaks and tabs included."""
    if is_clean(text) or _HOSTILE.search(text) is None:
        return text
    shown: list[str] = []
    end = 0
    for sequence in _SEQUENCE.finditer(text):
        shown += [_show(text[end : sequence.start()]), sequence.group()]
        end = sequence.end()
    shown.append(_show(text[end:]))
    return "".join(shown)


def sanitize_lines(text: str, tab: int = 4) -> str:
    """`text` sanitised with its line feeds kept and tabs as blanks up to the next multiple of `tab` columns."""
    if "\t" in text:
        text = "\n".join(line.expandtabs(tab) for line in text.split("\n"))
    return "\n".join(sanitize(line) for line in text.split("\n")) if "\n" in text else sanitize(text)


def one_line(text: str, limit: int = 2000) -> str:
    """The first line that is not blank, sanitised, and how many lines and characters follow: `first line ... +99 lines`.

    At most `limit` characters of the line are looked at, so that a long line costs no more than a short one.
    """
    body = text.strip()
    first, _, rest = body.partition("\n")
    shown = sanitize(first[:limit].rstrip().replace("\t", " "))
    if len(first) > limit:
        shown += f" ... +{len(first) - limit} chars"
    if rest:
        lines = rest.count("\n") + 1
        shown += f" ... +{lines} line{'s' if lines > 1 else ''}"
    return shown
