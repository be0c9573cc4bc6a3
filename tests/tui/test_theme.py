"""Both themes define every variable that Textual's own styles ask for."""

from __future__ import annotations

from textual.theme import BUILTIN_THEMES

from ctxinspect.tui.theme import ANSI


def test_the_ansi_theme_has_the_variables_of_the_built_in_one():
    assert set(BUILTIN_THEMES["ansi-dark"].variables) <= set(ANSI.variables)
