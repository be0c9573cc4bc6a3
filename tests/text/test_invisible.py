"""Hidden characters: which are, which only seem so."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxinspect.text.invisible import code_point, hidden_characters, lone_surrogates


@pytest.mark.parametrize(
    "text",
    [
        "plain\ttext\nwith\r\nlines",
        "שלום world 123",
        "مرحبا",
        "👨‍👩‍👧 family",
        "👩🏽‍🚀 and 🏳️‍🌈 and ❤️‍🔥",
        "⚠️ sign, keycap 1️⃣",
        "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
        "soft\u00adhyphen",
        "一二三",
        "",
    ],
)
def test_what_a_reader_sees_is_not_hidden(text):
    assert hidden_characters(text) == ()


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("a\u202eb\u202c", (1, 3)),
        ("\u2066a\u2069", (0, 2)),
        ("a\u200bb", (1,)),
        ("admin\u200d", (5,)),
        ("a\u200db", (1,)),
        ("👨\u200d", (1,)),
        ("\u200d👨", (0,)),
        ("\ufeffstart", (0,)),
        ("x\U000e0041", (1,)),
        ("🏴\U000e0041\U000e0042\U000e007f", (1, 2, 3)),
        ("a\x1bb", (1,)),
        ("a\x9bb\x7f\x00", (1, 3, 4)),
        ("bare\rreturn", (4,)),
        ("next\u0085line", (4,)),
    ],
)
def test_hidden_characters_are_found_where_they_stand(text, places):
    assert hidden_characters(text) == places


def test_a_bidi_override_among_right_to_left_letters_is_found():
    assert hidden_characters("مرحبا \u202edenied\u202c") == (6, 13)


@given(st.text(st.characters(exclude_categories=["Cc", "Cf", "Cs"])))
def test_letters_marks_and_signs_are_never_hidden(text):
    assert hidden_characters(text) == ()


def test_surrogates_without_partner():
    assert lone_surrogates("ok \ud83d end \udc00") == (3, 9)
    assert lone_surrogates("🚀") == ()


def test_code_points_are_named_in_hexadecimal():
    assert [code_point(c) for c in "\x07\u202e\U000e0041"] == ["U+0007", "U+202E", "U+E0041"]
