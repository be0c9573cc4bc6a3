"""Pruning keeps the first sentence and those richest in query anchors, as exact slices in the text's order."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ctxinspect.gatekeeper.anchor import extract_anchors
from ctxinspect.gatekeeper.prune import PrunedBlock, SentenceStore, prune_side, whole_side

IDF = {"pump": 2.0, "filter": 1.5, "valve": 1.0, "red pump": 3.0}


def prune(text, limit=3):
    return prune_side(SentenceStore().split(text), IDF, limit)


def test_the_first_sentence_stays_beside_the_best():
    side = prune("Hello. A valve. Nothing. The pump. A filter.", limit=2)
    assert side.text == "Hello. The pump. A filter."
    assert side.pruned
    assert side.kept == (0, 3, 4)
    assert side.weights == (0.0, 1.0, 0.0, 2.0, 1.5)
    assert side.threshold == 1.5


def test_a_first_sentence_among_the_best_takes_one_of_their_places():
    assert prune("The pump. A valve. A filter. A valve.", limit=2).kept == (0, 2)


def test_equal_sentences_stay_earlier_first():
    assert prune("Hi. A valve. One valve. My valve.", limit=2).kept == (0, 1, 2)


def test_a_sentence_without_a_query_anchor_is_never_among_the_best():
    assert prune("Hi. Nothing. Nil.").kept == (0,)
    assert prune("Hi. Nothing.").threshold == 0.0


def test_no_sentences_beside_the_first():
    assert prune("Hi. The pump.", limit=0).text == "Hi."


def test_nothing_left_out_is_not_pruned_though_trimmed():
    side = prune("  \n The pump. A valve. \n")
    assert side.text == "The pump. A valve."
    assert not side.pruned


def test_an_empty_or_blank_side_stays_empty():
    for text in ("", " \n "):
        side = prune(text)
        assert (side.text, side.kept, side.pruned, side.anchors) == ("", (), False, frozenset())


def test_anchors_are_those_of_the_pruned_text():
    assert "valve" not in prune("Hello. The pump. A valve.", limit=1).anchors
    # A phrase that spans two sentences lives only where both are kept side by side.
    split = SentenceStore().split('Ask "Dr! pump" first. A filter. Nil.')
    assert "dr! pump" in prune_side(split, IDF, 3).anchors
    assert "dr! pump" not in prune_side(split, {"filter": 1.0}, 3).anchors


def test_a_block_is_pruned_when_a_side_is():
    whole, cut = prune("The pump."), prune("The pump. Nil.")
    assert not PrunedBlock(0, whole, whole).pruned
    assert PrunedBlock(0, whole, cut).pruned
    assert PrunedBlock(0, whole, cut).anchors == {"pump"}


def test_a_whole_side_keeps_its_text_as_it_is():
    side = whole_side(" The pump. Nil. ")
    assert (side.text, side.pruned, side.weights) == (" The pump. Nil. ", False, ())


def test_a_text_is_split_once_while_it_is_remembered():
    store = SentenceStore(limit=12)
    first = store.split("One. Two.")
    assert store.split("One. Two.") is first
    assert store.texts_split == 1
    store.split("Three. Four.")
    assert store.split("One. Two.") == first
    assert store.texts_split == 3


@given(st.text(alphabet="pumvalef. \n。！“”堆", max_size=60), st.integers(0, 4))
def test_what_is_kept_stands_in_the_text_in_order(text, limit):
    side = prune(text, limit)
    at = 0
    for k in side.kept:
        piece = SentenceStore().split(text).sentences[k]
        at = text.index(piece, at) + len(piece)
    assert len(side.kept) <= limit + 1
    assert len(side.weights) == len(SentenceStore().split(text).sentences)
    if not side.pruned:
        assert side.text == text.strip()


PIECES = [
    "pump",
    "it's",
    "don’t",
    "'a",
    "b'",
    '"',
    "“x",
    "y”",
    "「箱",
    "子」",
    "v1.2",
    ".3",
    "。",
    ". ",
    "! ",
    "\n",
    " ",
    "堆肥",
    "`",
    "Dr",
    "”",
]


@given(st.lists(st.sampled_from(PIECES), max_size=14).map("".join), st.data())
def test_anchors_of_any_sentences_are_those_of_their_joined_text(text, data):
    split = SentenceStore().split(text)
    kept = (
        tuple(sorted(data.draw(st.sets(st.integers(0, max(0, len(split.sentences) - 1)))))) if split.sentences else ()
    )
    assert split.anchors_of(kept) == frozenset(extract_anchors(split.joined(kept)))


def test_anchors_of_sentences_without_quotations_are_not_searched_for_again():
    split = SentenceStore().split("The pump. Don't touch it. A filter.")
    assert split.anchors_of((0, 2)) == {"pump", "filter"}
    assert split.covers == {}
