"""Nothing that a text holds can steer a terminal, hide, or reorder what stands around it; nothing is lost."""

from __future__ import annotations

import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxinspect.text.sanitize import one_line, sanitize, sanitize_lines
from tests.support.shared import case_file

FORBIDDEN = {"Cc", "Cs", "Zl", "Zp"}


@given(st.text())
def test_no_control_or_surrogate_is_left(text):
    assert all(unicodedata.category(char) not in FORBIDDEN for char in sanitize(text))


@given(st.text())
def test_sanitising_twice_changes_nothing(text):
    assert sanitize(sanitize(text)) == sanitize(text)


@given(st.text(st.characters(categories=["L", "N", "P", "Zs"], exclude_characters="\u3164\u115f\u1160\uffa0\u034f")))
def test_letters_of_every_script_stay_as_they_are(text):
    assert sanitize(text) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("A\x1b]52;c;aGk=\x1b\\B", "A␛]52;c;aGk=␛\\B"),
        ("A\x9b2JB", "A⟨U+009B⟩2JB"),
        ("del\x7fnul\x00", "del␡nul␀"),
        ("grant \u202eresu\u202c access", "grant ⟨U+202E⟩resu⟨U+202C⟩ access"),
        ("admin\u200d", "admin⟨U+200D⟩"),
        ("tag\U000e0041x", "tag⟨U+E0041⟩x"),
        ("\ud83d", "⟨U+D83D⟩"),
        ("\ufeffstart", "⟨U+FEFF⟩start"),
        ("👨‍👩‍👧 ❤️ 1️⃣ 👍🏽", "👨‍👩‍👧 ❤️ 1️⃣ 👍🏽"),
        ("שלום world 123", "שלום world 123"),
    ],
)
def test_stand_ins_are_visible_and_proper_sequences_stay(text, shown):
    assert sanitize(text) == shown


def test_lines_and_tabs_are_kept_where_lines_are_wanted():
    assert sanitize_lines("a\tb\n\x1bc") == "a   b\n␛c"
    assert sanitize("a\tb\nc") == "a␉b␊c"


def test_one_line_says_how_much_follows():
    assert one_line("first\n" + "\n".join("x" for _ in range(99))) == "first ... +99 lines"
    assert one_line("x" * 3000, 10) == "xxxxxxxxxx ... +2990 chars"


@pytest.mark.parametrize("number", ["101", "104"])
def test_reported_cases_lose_their_power_and_keep_their_text(number):
    for line in case_file(number).read_text("utf-8").splitlines():
        content = json.loads(line)["content"]
        shown = sanitize(content)
        assert shown.isprintable() or "\u200d" in shown
        assert set(filter(str.isalnum, content)) <= set(shown)
