"""Content is shown with placeholders, counted without, and thinking is in neither."""

from __future__ import annotations

from ctxinspect.model.content import (
    MediaPart,
    TextPart,
    ThinkingPart,
    content_media,
    content_text,
    counted_text,
    is_blank,
    join_contents,
    label_content,
    thinking_texts,
)

IMAGE = MediaPart(type="image", media_type="image/png", bytes=3000)


def test_parts_are_joined_by_newlines_with_a_placeholder_for_a_picture():
    parts = (TextPart(text="a"), IMAGE, ThinkingPart(text="hm"), TextPart(text="b"))
    assert content_text(parts) == "a\n[image image/png, 3000 bytes]\nb"
    assert counted_text(parts) == "a\nb"
    assert content_media(parts) == 1
    assert thinking_texts(parts) == ("hm",)


def test_a_message_of_thinking_alone_is_blank_and_a_picture_is_not():
    assert is_blank((ThinkingPart(text="hm"),))
    assert not is_blank((IMAGE,))
    assert is_blank(None)
    assert is_blank(" \n")


def test_strings_join_to_a_string_and_parts_stay_parts():
    assert join_contents(["a", "", None, "b"]) == "a\nb"
    assert join_contents(["a", (IMAGE,)]) == (TextPart(text="a"), IMAGE)


def test_a_label_goes_before_the_first_text():
    assert label_content("[timer]", "ring") == "[timer] ring"
    assert label_content("[timer]", (TextPart(text="ring"), IMAGE)) == (TextPart(text="[timer] ring"), IMAGE)
    assert label_content("[timer]", (IMAGE,)) == (TextPart(text="[timer]"), IMAGE)
