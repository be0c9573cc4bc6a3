"""Every setting is a knob, none leaves its range, and the flags of a fork make the same fork again."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ctxinspect.errors import SettingsError
from ctxinspect.settings import Settings, apply_overrides, parse_override, setting_paths
from ctxinspect.view.knobs import Knobs, flags_of, knob_detail, knobs_table, nudged, turned, typed

PLAIN = Knobs(Settings(), Settings(), ("component:docs", "turn:3"))
KEYS = [knob.key for knob in PLAIN.rows()]


def test_every_setting_rule_and_item_has_a_knob():
    paths = {knob.path for knob in PLAIN.rows()}
    assert paths == set(setting_paths())
    assert "rule:deictic" in KEYS
    assert KEYS[-2:] == ["item:component:docs", "item:turn:3"]


@settings(deadline=None)
@given(st.sampled_from(KEYS), st.lists(st.sampled_from([-10, -1, 1, 10]), max_size=30))
def test_a_knob_never_leaves_its_range(key, turns):
    made = Settings()
    for by in turns:
        knobs = Knobs(Settings(), made, PLAIN.items)
        knob = knobs.find(key)
        made = turned(knobs, knob, nudged(knob, by))
    assert Settings.model_validate(made.model_dump(mode="json")) == made


@settings(deadline=None)
@given(st.lists(st.tuples(st.sampled_from(KEYS), st.sampled_from([-10, -1, 1, 10])), max_size=12))
def test_the_flags_of_a_fork_make_the_same_fork(edits):
    made = Settings()
    for key, by in edits:
        knobs = Knobs(Settings(), made, PLAIN.items)
        made = turned(knobs, knobs.find(key), nudged(knobs.find(key), by))
    flags = flags_of(Settings(), made)
    assert apply_overrides(Settings(), dict(parse_override(flag) for flag in flags)) == made


def test_one_step_on_and_back_is_no_step():
    for key in KEYS:
        knob = PLAIN.find(key)
        made = turned(PLAIN, knob, nudged(knob, 1))
        knobs = Knobs(Settings(), made, PLAIN.items)
        if knob.recorded is not None:
            back = turned(knobs, knobs.find(key), nudged(knobs.find(key), -1))
            assert back == Settings() or not knobs.find(key).edited, key


def test_a_value_out_of_range_says_the_range():
    knob = PLAIN.find("gatekeeper.coverage_target")
    assert knob.allowed == ">= 0 <= 1"
    with pytest.raises(SettingsError, match="less than or equal to 1"):
        turned(PLAIN, knob, typed(knob, "1.5"))
    with pytest.raises(SettingsError, match="expected on or off"):
        typed(PLAIN.find("rule:trim"), "maybe")


def test_null_is_typed_where_it_is_allowed_and_a_null_number_begins_at_the_window():
    knob = PLAIN.find("sequence.handle_over_tokens")
    assert turned(PLAIN, knob, typed(knob, "null")).sequence.handle_over_tokens is None
    assert nudged(PLAIN.find("window.context_tokens"), 1) == 138_000


def test_the_table_says_recorded_and_forked_values_and_the_detail_what_the_knob_does():
    forked = apply_overrides(Settings(), {"window.strategy": "aggressive"})
    table = knobs_table(Knobs(Settings(), forked), {"window.strategy": "+12 tok"})
    assert table.value("window.strategy", "recorded") == "balanced"
    assert table.value("window.strategy", "fork") == "aggressive"
    assert table.value("window.strategy", "effect here, alone") == "+12 tok"
    assert table.row("window.unit").mark == " "
    assert "1 of" in table.summary
    assert "conservative, balanced, aggressive" in knob_detail(PLAIN, "window.strategy").text
