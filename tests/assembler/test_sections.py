from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ctxinspect.assembler.sections import SectionCounts, cut_section, joined, section_text
from ctxinspect.settings import COUNTER_NAMES
from ctxinspect.tokens.counter import named_counter

ODD = st.text(st.sampled_from([*"ab1. /!#\n\r\t \u2028\u3000'’s", "系", "é", "🙂", "\ud800", "\x85"]), max_size=25)
SECTIONS = st.lists(st.tuples(st.sampled_from(["base", "工具", "a b", "/x", ""]), ODD), min_size=1, max_size=5)


def test_a_section_is_its_upper_cased_name_and_its_content():
    assert section_text("retrieved_docs", "text") == "# RETRIEVED_DOCS\ntext"
    assert cut_section("docs", "te") == "# DOCS\nte\n... (truncated)"
    assert joined(["a", "b"]) == "a\n\nb"


@pytest.mark.parametrize("name", COUNTER_NAMES)
@settings(deadline=None)
@given(parts=SECTIONS)
def test_the_total_is_the_count_of_the_joined_text_for_every_counter(name, parts):
    counter = named_counter(name)
    sections = [section_text(head, content) for head, content in parts]
    counts = SectionCounts(sections, counter, counter.measure)
    order = list(range(len(sections)))
    for end in range(len(sections) + 1):
        assert counts.total(order[:end]) == counter.measure(joined(sections[:end]))


@pytest.mark.parametrize("name", COUNTER_NAMES)
@settings(deadline=None)
@given(parts=SECTIONS, content=ODD, place=st.integers(0, 4))
def test_a_probe_is_the_count_of_the_joined_text_with_the_cut_in_place(name, parts, content, place):
    counter = named_counter(name)
    sections = [section_text(head, text) for head, text in parts]
    place = min(place, len(sections) - 1)
    counts = SectionCounts(sections, counter, counter.measure)
    cut = cut_section("docs", content)
    got = counts.probe(list(range(len(sections))), place)(cut)
    assert got == counter.measure(joined([*sections[:place], cut, *sections[place + 1 :]]))


def test_only_named_tiktoken_counters_are_added_up():
    assert SectionCounts(["# A\nx"], named_counter("cl100k_base")).additive
    assert not SectionCounts(["# A\nx"], named_counter("chars/4")).additive
    assert not SectionCounts(["# A\nx"], len).additive


def test_a_text_that_may_be_counted_in_pieces_is_not_added_up():
    sections = ["# A\n" + " " * 400_001 + "x", "# B\n" + "word " * 2_000]
    counter = named_counter("cl100k_base")
    counts = SectionCounts(sections, counter, counter.measure)
    assert not counts.additive
    assert counts.total([0, 1]) == counter.measure(joined(sections))


def test_no_sections_cost_nothing():
    assert SectionCounts([], lambda text: len(text) + 7).total([]) == 0
