from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ctxinspect.assembler.cut import cut_length


def words_up_to(limit):
    return lambda kept: len(kept.split()) <= limit


def characters_up_to(limit):
    return lambda kept: len(kept) <= limit


def test_the_longest_text_that_fits_is_kept():
    assert cut_length("abcdefghij", characters_up_to(7)) == 7


def test_the_cut_moves_back_before_a_white_space_in_the_last_tenth():
    content = "x" * 92 + " tail and more"
    assert cut_length(content, characters_up_to(96)) == 92


def test_a_white_space_at_exactly_nine_tenths_still_counts():
    assert cut_length("x" * 90 + " " + "y" * 50, characters_up_to(100)) == 90


def test_a_white_space_before_nine_tenths_does_not_move_the_cut():
    assert cut_length("x" * 89 + " " + "y" * 50, characters_up_to(100)) == 100


def test_only_blanks_or_nothing_kept_is_a_drop():
    assert cut_length("      word", characters_up_to(4)) is None
    assert cut_length("word", characters_up_to(0)) is None


def test_a_text_that_is_over_after_the_cut_moved_is_a_drop():
    content = "x" * 95 + " yyyyyyyyyy"
    assert cut_length(content, lambda kept: len(kept) <= 98 and len(kept) != 95) is None


def test_the_probes_are_exactly_those_of_the_specification():
    probed = []

    def fits(kept):
        probed.append(len(kept))
        return len(kept) <= 3

    assert cut_length("abcdefgh", fits) == 3
    assert probed == [4, 2, 3, 3]


@given(st.text("ab \n", max_size=80), st.sets(st.integers(0, 80)))
def test_whatever_the_counter_does_a_kept_text_fits(content, odd_lengths):
    def fits(kept):
        return len(kept) not in odd_lengths

    length = cut_length(content, fits)
    if length is not None:
        assert fits(content[:length])
        assert content[:length].strip()
        assert words_up_to(len(content))(content[:length])
