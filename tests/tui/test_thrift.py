"""Fewer bytes, the same screen: an emulator shows what was written and what is written instead alike."""

from __future__ import annotations

import pyte
from hypothesis import given
from hypothesis import strategies as st
from rich.style import Style

from ctxinspect.tui.thrift import Thrift

COLORS = st.sampled_from([None, "default", "#ffffff", "#000000", "#5eead4", "red", "bright_black", "color(231)"])
STYLES = st.builds(
    lambda front, back, bold, reverse, dim: Style(color=front, bgcolor=back, bold=bold, reverse=reverse, dim=dim),
    COLORS,
    COLORS,
    *[st.sampled_from([None, True])] * 3,
)
RUNS = st.tuples(STYLES, st.text("ab 中", min_size=1, max_size=4)).map(lambda run: run[0].render(run[1]))
MOVES = st.tuples(st.integers(1, 6), st.integers(1, 20)).map(lambda place: f"\x1b[{place[0]};{place[1]}H")
OTHERS = st.sampled_from(
    ["\x1b[2J", "\x1b[K", "\x1b[?25l", "\x1b[?2026h", "plain", "\n", "\x1b[38;2;1;2;3m", "\x1b[m", "\x1b[58;5;1mx"]
)
STREAMS = st.lists(st.one_of(RUNS, RUNS, MOVES, OTHERS), max_size=14).map("".join)


def thrifty(data: str) -> str:
    return Thrift().rewrite(data)


def shown(data: str):
    screen = pyte.Screen(24, 6)
    pyte.Stream(screen).feed(data)
    cells = [[screen.buffer[y][x] for x in range(24)] for y in range(6)]
    return cells, (screen.cursor.x, screen.cursor.y), screen.cursor.attrs


@given(st.lists(STREAMS, max_size=3))
def test_a_terminal_shows_the_same(pieces):
    assert shown("".join(pieces)) == shown("".join(map(Thrift().rewrite, pieces)))


@given(STREAMS)
def test_it_is_never_longer(data):
    assert len(thrifty(data)) <= len(data)


@given(STREAMS)
def test_doing_it_again_changes_nothing(data):
    assert thrifty(thrifty(data)) == thrifty(data)


def test_a_colour_is_told_once():
    white, dim = Style(color="#ffffff", bgcolor="#000000"), Style(color="#8b93a1", bgcolor="#000000")
    data = white.render("one ") + dim.render("two ") + "\x1b[2;1H" + dim.render("three")
    assert thrifty(data) == ("\x1b[38;2;255;255;255;48;2;0;0;0mone \x1b[38;2;139;147;161mtwo \x1b[2;1Hthree\x1b[0m")


def test_what_is_not_known_goes_through_as_it_is():
    data = "\x1b[1mbold\x1b[58;5;1mx\x1b[0my"
    assert shown(thrifty(data)) == shown(data)
    assert "\x1b[58;5;1m" in thrifty(data)
    assert thrifty("plain text") == "plain text"
