"""Every character without a shape of its own stands there as an escape, and the text can be had back."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from ctxinspect.text.escapes import escaped


def test_what_is_hidden_is_written_out():
    assert escaped("a\tb\x1b[0m\u202e\u200b\ud83d\U000e0041\\n") == (r"a\tb\x1b[0m\u202e\u200b\ud83d\U000e0041\\n")


def test_a_line_end_is_seen_and_still_ends_the_line():
    assert escaped("one \ntwo\r\n") == "one \\n\ntwo\\r\\n\n"


def test_letters_of_every_script_stay():
    assert escaped("käse 中文 עברית 'quoted' \"twice\"") == "käse 中文 עברית 'quoted' \"twice\""


@given(st.text())
def test_nothing_is_lost(text):
    shown = escaped(text)
    assert all(char.isprintable() or char == "\n" for char in shown)
    units = re.findall(r"\\n\n|\\U[0-9a-f]{8}|\\u[0-9a-f]{4}|\\x[0-9a-f]{2}|\\.|.", shown, re.DOTALL)
    back = {"\\n\n": "\n", "\\t": "\t", "\\r": "\r", "\\\\": "\\"}
    assert (
        "".join(back.get(unit) or (chr(int(f"0x{unit[2:]}", 0)) if len(unit) > 2 else unit) for unit in units) == text
    )
