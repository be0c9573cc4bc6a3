"""Widths are those the terminal library draws with, for every code point."""

from __future__ import annotations

import pytest
from rich.cells import cell_len

from ctxinspect.text.clip import cell_width

SAMPLES = {
    "⚠": 1,
    "⚠️": 2,
    "❤️": 2,
    "👨‍👩‍👧": 2,
    "👍🏽": 2,
    "🇨🇳": 2,
    "1️⃣": 2,
    "你好": 4,
    "한글": 4,
    "ｱ": 1,
    "e\u0301": 1,
    "\u200b": 0,
    "…": 1,
}


def test_every_code_point_has_the_width_it_is_drawn_with():
    assert [hex(code) for code in range(0x110000) if cell_width(chr(code)) != cell_len(chr(code))] == []


@pytest.mark.parametrize(("text", "width"), SAMPLES.items())
def test_sequences_have_the_width_of_what_is_seen(text, width):
    assert cell_width(text) == width == cell_len(text)
