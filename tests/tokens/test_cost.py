"""The cost of a message is charged with the one function of specification page 1."""

from __future__ import annotations

from ctxinspect.model.content import MediaPart, TextPart, ThinkingPart
from ctxinspect.tokens.cost import message_cost
from tests.support.build import call, word_counter


def cost(content, calls=()):
    return message_cost(content, calls, word_counter(), overhead=4, image_tokens=1000)


def test_text_costs_its_tokens_and_the_overhead():
    assert cost("two words") == 6


def test_a_call_costs_its_name_and_its_raw_arguments():
    assert cost("", [call("c", "look up", '{"a": 1}')]) == 4 + 2 + 2


def test_an_argument_object_is_charged_as_json_with_default_separators():
    assert cost("", [call("c", "look", {"a": 1, "b": "三"})]) == 4 + 1 + 4


def test_images_cost_a_fixed_allowance_whatever_their_size_and_their_placeholder_nothing():
    small = (TextPart(text="see"), MediaPart(type="image", media_type="image/png", bytes=10))
    large = (TextPart(text="see"), MediaPart(type="image", media_type="image/png", bytes=10_000_000))
    assert cost(small) == cost(large) == 4 + 1 + 1000


def test_thinking_is_free():
    assert cost((ThinkingPart(text="a b c d"), TextPart(text="x"))) == 5


def test_nothing_costs_the_overhead():
    assert cost(None) == cost("") == cost(()) == 4
