from __future__ import annotations

import pytest

from ctxinspect.errors import SettingsError
from ctxinspect.settings import Settings, apply_overrides
from ctxinspect.window import (
    STRATEGY_RATIOS,
    count_tokens,
    input_budget,
    strategy_ratio,
    window_size,
    window_sizes,
)


def test_the_ratios_are_those_of_the_seed():
    assert STRATEGY_RATIOS == {"conservative": 0.60, "balanced": 0.75, "aggressive": 0.85}


@pytest.mark.parametrize(
    ("limit", "strategy", "tokens", "budget"),
    [
        (128, "balanced", None, 96_000),
        (128, "conservative", None, 76_800),
        (128, "aggressive", None, 108_800),
        (128, "balanced", 8192, 6144),
        (1, "aggressive", 300, 255),
    ],
)
def test_the_input_budget_is_the_strategy_s_share_of_the_window(limit, strategy, tokens, budget):
    assert input_budget(limit, strategy, context_tokens=tokens) == budget


def test_tools_are_taken_from_the_input_budget():
    assert window_sizes(128, "balanced", 1725).message_budget == 94_275


def test_a_message_budget_may_be_negative():
    assert window_sizes(1, "balanced", 2078).message_budget == 750 - 2078


@pytest.mark.parametrize("wrong", [None, 0, -5, "128", 12.5, True, [128]])
def test_a_context_limit_that_is_no_positive_integer_is_a_value_error_that_names_it(wrong):
    with pytest.raises(ValueError) as caught:
        window_size(wrong)
    assert repr(wrong) in str(caught.value)
    assert "context_limit" in str(caught.value)


def test_an_unknown_strategy_is_an_error_with_the_nearest_one():
    with pytest.raises(SettingsError, match="balanced"):
        strategy_ratio("balancd")


def test_special_token_text_is_ordinary_text():
    assert count_tokens("") == 0
    assert count_tokens("hello world") == 2
    assert count_tokens("<|endoftext|>") > 1


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (None, "context_limit is missing (None): expected a positive integer, in K tokens"),
        (0, "context_limit 0: expected a positive integer, in K tokens"),
        (-5, "context_limit -5: expected a positive integer, in K tokens"),
        (1.5, "context_limit 1.5: expected a positive integer, in K tokens"),
        (True, "context_limit True: expected a positive integer, in K tokens"),
        ("128", "context_limit '128': expected a positive integer, in K tokens"),
    ],
)
def test_a_context_limit_that_is_no_positive_integer_is_named_word_for_word(value, message):
    with pytest.raises(ValueError, match="context_limit") as caught:
        window_size(value)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("window.context_limit", 0, "window.context_limit=0: expected a positive integer, in K tokens"),
        ("window.context_limit", "x", 'window.context_limit="x": expected a positive integer, in K tokens'),
        ("window.context_tokens", 0, "window.context_tokens=0: expected a positive integer, in tokens"),
        ("assembler.buffer", 1, "assembler.buffer=1: should be less than 1"),
    ],
)
def test_an_override_out_of_range_says_what_would_be_right(path, value, message):
    with pytest.raises(SettingsError) as caught:
        apply_overrides(Settings(), {path: value})
    assert str(caught.value) == message
