"""Every theme has a style for every role that can be read on its background."""

from __future__ import annotations

from typing import get_args

import pytest
from textual.color import Color
from textual.theme import BUILTIN_THEMES

from ctxinspect.tui.theme import ANSI, DARK, contrast, pick_theme, role_styles
from ctxinspect.view.table import Role

PAINTED = [theme for theme in (DARK, *BUILTIN_THEMES.values()) if not theme.ansi]


def test_the_ansi_theme_has_the_variables_of_the_built_in_one():
    assert set(BUILTIN_THEMES["ansi-dark"].variables) <= set(ANSI.variables)


@pytest.mark.parametrize("theme", PAINTED, ids=lambda theme: theme.name)
def test_every_role_can_be_read_on_the_painted_background(theme):
    styles = role_styles(theme)
    assert set(styles) == set(get_args(Role))
    back = Color.from_rich_color(styles["text"].bgcolor)
    for role, style in styles.items():
        assert style.bgcolor == styles["text"].bgcolor
        assert contrast(Color.from_rich_color(style.color), back) >= 3, role


def test_our_dim_text_reaches_the_contrast_of_body_text():
    styles = role_styles(DARK)
    back = Color.from_rich_color(styles["dim"].bgcolor)
    assert contrast(Color.from_rich_color(styles["dim"].color), back) >= 4.5


def test_the_terminals_own_background_stays_under_the_ansi_theme():
    assert all(style.bgcolor is None for style in role_styles(ANSI).values())


def test_without_colour_no_role_has_one(monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    for theme in (DARK, ANSI, BUILTIN_THEMES["nord"]):
        assert all(style.color is None and style.bgcolor is None for style in role_styles(theme).values())


@pytest.mark.parametrize(
    ("environ", "name"),
    [
        ({"COLORTERM": "truecolor"}, "ctx-dark"),
        ({"COLORTERM": "24bit"}, "ctx-dark"),
        ({}, "ctx-ansi"),
        ({"COLORTERM": "truecolor", "NO_COLOR": "1"}, "ctx-ansi"),
        ({"COLORTERM": "truecolor", "NO_COLOR": ""}, "ctx-dark"),
        ({"COLORTERM": "truecolor", "CTXINSPECT_THEME": "ctx-ansi"}, "ctx-ansi"),
    ],
)
def test_the_theme_follows_from_what_the_terminal_can_show(environ, name, monkeypatch):
    for variable in ("COLORTERM", "NO_COLOR", "CTXINSPECT_THEME"):
        monkeypatch.delenv(variable, raising=False)
    for variable, value in environ.items():
        monkeypatch.setenv(variable, value)
    assert pick_theme() == name
