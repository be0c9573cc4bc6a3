"""An exported trace shows everything it holds, and nothing in it acts as markup or steers a terminal."""

from __future__ import annotations

import re
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from ctxinspect.errors import UsageError
from ctxinspect.model.session import Session
from ctxinspect.pipeline.replay import Replay
from ctxinspect.trace.types import Trace
from ctxinspect.view.export import render_trace
from ctxinspect.view.pipe_table import pipe_table


def trace_of(user: str, **more: Any) -> Trace:
    turns = [{"user": "First question", "assistant": "First answer"}, {"user": user, "assistant": "ok"}]
    return Replay(Session.model_validate({"format": "ctxinspect/1", "turns": turns, **more})).trace(1)


def test_every_part_of_the_trace_has_its_section():
    text = render_trace(trace_of("Second question"), "text")
    titles = re.findall(r"^== (.*) ==$", text, re.MULTILINE)
    assert titles[1:] == [
        *("gate", "recall", "cover", "selected turns", "components", "window", "messages", "prefix", "findings"),
        *("ledger", "log"),
    ]


@pytest.mark.parametrize("style", ["text", "md", "svg"])
def test_content_reaches_no_terminal_raw(style: str):
    out = render_trace(trace_of("red \x1b[31m alert \u202e \x07"), style)
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", out)
    assert "\u241b" in out


def test_content_cannot_leave_its_fence():
    text = render_trace(trace_of("```\n# Not a title\n````\nend"), "md")
    assert "`````text\n```\n# Not a title\n````\nend\n`````" in text


def test_markup_in_a_title_is_escaped():
    out = render_trace(trace_of("x", title="<script>*a*|b</script>"), "md")
    assert "<script>" not in out
    assert r"\<script\>\*a\*\|b\</script\>" in out


def test_square_brackets_are_no_markup_of_the_drawing():
    assert "[bold]x[/bold]" in render_trace(trace_of("[bold]x[/bold]"), "text")
    assert "[bold]x[/bold]" in render_trace(trace_of("[bold]x[/bold]"), "svg").replace("&#160;", " ")


def test_a_picture_is_whole_and_fetches_nothing():
    out = render_trace(trace_of('@font-face { src: url("https://example.org/x") } </style><script>x</script>'), "svg")
    root = ET.fromstring(out)
    style = next(element for element in root.iter() if element.tag.endswith("style"))
    assert "url(" not in str(style.text)
    assert "font-face" not in str(style.text)
    assert {element.tag.rpartition("}")[2] for element in root.iter()} <= {
        *("svg", "style", "defs", "clipPath", "rect", "g", "text", "circle"),
    }
    assert "@font-face { src: url(" in "".join(root.itertext()).replace("\u00a0", " ")


def test_long_content_is_whole():
    words = " ".join(f"w{number}" for number in range(3000))
    assert words in render_trace(trace_of(words), "text")
    assert words in render_trace(trace_of(words), "md")


def test_what_a_component_lost_is_shown():
    components = [{"name": "long", "priority": 1, "content": "word " * 300 + "LAST", "truncatable": True}]
    trace = trace_of("x", components=components, context={"assembler": {"max_tokens": 150}})
    out = render_trace(trace, "text")
    assert "left out behind the cut at character" in out
    assert "LAST" in out


def test_an_unknown_style_is_refused_with_the_known_ones():
    with pytest.raises(UsageError, match="text, md, svg, html"):
        render_trace(trace_of("x"), "pdf")


def test_a_pipe_table_is_aligned_in_cells():
    lines = pipe_table(("a", "b"), [("\u4f60\u597d\u554a", "1"), ("x", "22")])
    assert lines[1] == "| ------ | --- |"
    assert lines[3] == "| x      | 22  |"


def test_a_long_text_does_not_make_a_picture_too_wide_to_read():
    short, long = (render_trace(trace_of("word " * number), "svg") for number in (3, 2000))
    assert re.findall(r'viewBox="0 0 ([0-9.]+)', long) == re.findall(r'viewBox="0 0 ([0-9.]+)', short)
    assert long.count("word") >= 2000
