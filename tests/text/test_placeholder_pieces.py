"""Pieces of a text with placeholders lead to the same places in the filled text."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ctxinspect.text.placeholders import fill, filled_pieces

TEXTS = st.lists(st.sampled_from(["{{a}}", "{{b}}", "{{", "}}", "x", "{{a b}}", " "]), max_size=8).map("".join)


@given(TEXTS, st.dictionaries(st.sampled_from(["a", "b"]), st.none() | st.text(max_size=5)))
def test_pieces_cover_the_text_and_the_filled_text_without_a_gap(text, variables):
    filled, at, after = fill(text, variables).text, 0, 0
    for piece in filled_pieces(text, variables):
        assert (piece.start, piece.filled) == (at, after)
        at, after = piece.end, piece.filled_end
        if piece.name is None:
            assert text[piece.start : piece.end] == filled[piece.filled : piece.filled_end]
    assert (at, after) == (len(text), len(filled))
