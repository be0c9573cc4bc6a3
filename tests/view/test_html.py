"""Pages of reports: valid HTML, nothing loaded or run, hostile content inert wherever it stands, numbers in the charts."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element

import html5lib
import pytest

from ctxinspect.model.session import Session
from ctxinspect.pipeline.breakpoints import Breakpoint
from ctxinspect.pipeline.fail_on import break_hits
from ctxinspect.pipeline.lint_report import lint_session
from ctxinspect.pipeline.replay import Replay
from ctxinspect.readers import load
from ctxinspect.view.export import render_trace
from ctxinspect.view.html import lint_html, session_html
from ctxinspect.view.html_charts import Bar, bars
from ctxinspect.view.lint_text import FileFaults
from ctxinspect.view.overview import session_overview

HOSTILE = "\"'></pre></title></style><script>alert(1)</script><img src=x onerror=alert(1)><svg/onload=x>&lt;!--]]>\x1b[2J\u202e"
ELEMENTS = {
    *(
        "html",
        "head",
        "meta",
        "title",
        "style",
        "body",
        "main",
        "section",
        "h1",
        "h2",
        "h3",
        "p",
        "pre",
        "a",
        "span",
        "div",
    ),
    *("table", "thead", "tbody", "tr", "th", "td", "figure", "figcaption", "svg", "rect"),
}
ATTRIBUTES = {
    *("lang", "charset", "http-equiv", "name", "content", "class", "id", "href", "role", "viewBox", "aria-hidden"),
    *("preserveAspectRatio", "fill", "x", "y", "width", "height"),
}


def hostile_session(**more: Any) -> dict[str, Any]:
    """A session with the hostile text in every field that takes text."""
    h = HOSTILE
    turn = {
        "user": h,
        "source": "user",
        "topic": h,
        "components": [{"name": f"own {h}", "content": h}],
        "variables": {h: h, "other": h},
        "rounds": [
            {
                "assistant": h,
                "tool_calls": [{"id": h, "name": h, "arguments": {h: h}}, {"id": None, "name": h, "arguments": h}],
                "tool_results": [{"call_id": h, "name": h, "content": h}, {"call_id": f"lost {h}", "content": h}],
            }
        ],
        "assistant": h,
    }
    return {
        "format": "ctxinspect/1",
        "title": h,
        "model": h,
        "source": h,
        "components": [{"name": h, "content": f"{h} {{{{none}}}}", "priority": 90}, {"name": "cut", "content": h * 50}],
        "variables": {"unused": h},
        "tools": [{"name": h, "description": h, "parameters": {h: h}}],
        "turns": [turn, {**turn, "user": f"again {h}"}],
        "context": {"assembler": {"max_tokens": 300, "min_useful_tokens": 10}},
        **more,
    }


def foreign_session() -> Session:
    h = HOSTILE
    call = {"type": "tool_call", "id": h, "name": h, "arguments": h}
    messages = [
        {"role": "system", "parts": [{"type": "text", "text": h}]},
        {
            "role": "user",
            "name": h,
            "parts": [{"type": "text", "text": h}, {"type": "other", "kind": h, "text": h, "fault": h}],
        },
        {"role": "assistant", "parts": [{"type": "thinking", "text": h}, call]},
        {"role": "tool", "path": h, "parts": [{"type": "tool_result", "call_id": f"x{h}", "name": h, "content": h}]},
        {"role": h, "parts": [{"type": "text", "text": h}]},
    ]
    source = {"format": h, "file": h, "problems": [{"message": h, "text": h, "path": h}], "missing": [h]}
    turns = [{"user": h, "assistant": h}]
    return Session.model_validate(
        {
            "format": "ctxinspect/1",
            "title": h,
            "source": source,
            "turns": turns,
            "recorded": [{"messages": messages, "model": h}],
        }
    )


def pages() -> dict[str, str]:
    native, foreign = Replay(Session.model_validate(hostile_session())), Replay(foreign_session())
    breaks = break_hits(native, [Breakpoint(1, "text /script/"), Breakpoint(2, "at 0")])
    overview = session_overview(native, view="replay")
    reports = [
        FileFaults(HOSTILE, lint_session(native, profile="strict"), breaks, overview),
        FileFaults("b", lint_session(foreign, replay_too=True), (), session_overview(foreign, view="recorded")),
        FileFaults("empty", ()),
    ]
    traces = [native.trace(step.turn, step.request, ledger=False) for step in native.steps]
    return {
        "trace": render_trace(native.trace(1), "html"),
        "recorded": render_trace(foreign.trace(0, view="recorded"), "html"),
        "session": session_html(HOSTILE, "replay", traces),
        "lint": lint_html(reports),
    }


PAGES = pages()


def parsed(page: str) -> Element:
    """The document as a browser reads it; anything a validator would complain of is an error."""
    return html5lib.HTMLParser(strict=True, namespaceHTMLElements=False).parse(page)


def elements(root: Element) -> Iterator[tuple[str, dict[str, str]]]:
    for element in root.iter():
        name = str(element.tag).rpartition("}")[2]
        yield name, {str(key).rpartition("}")[2]: value for key, value in element.attrib.items()}


@pytest.mark.parametrize("name", sorted(PAGES))
def test_hostile_content_makes_no_element_and_no_attribute(name: str):
    for element, attributes in elements(parsed(PAGES[name])):
        assert element in ELEMENTS, element
        assert set(attributes) <= ATTRIBUTES, (element, attributes)
        assert attributes.get("href", "#").startswith("#")


@pytest.mark.parametrize("name", sorted(PAGES))
def test_hostile_content_is_there_as_text(name: str):
    text = "".join(parsed(PAGES[name]).itertext())
    assert text.count("<script>alert(1)</script>") > 3
    assert "\u241b[2J\u27e8U+202E\u27e9" in text


@pytest.mark.parametrize("name", sorted(PAGES))
def test_no_character_can_hide_or_steer(name: str):
    assert not set(PAGES[name]) & {chr(code) for code in (*range(10), *range(11, 32), *range(127, 160), 0x202E)}


@pytest.mark.parametrize("name", sorted(PAGES))
def test_the_policy_stands_first_and_lets_only_this_style_through(name: str):
    page = PAGES[name]
    root = parsed(page)
    metas = [attributes for element, attributes in elements(root) if element == "meta"]
    assert metas[0] == {"charset": "utf-8"}
    assert metas[1]["http-equiv"] == "Content-Security-Policy"
    policy = metas[1]["content"]
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy
    (style,) = [element for element in root.iter() if str(element.tag).endswith("style")]
    digest = base64.b64encode(hashlib.sha256((style.text or "").encode()).digest()).decode()
    assert f"style-src 'sha256-{digest}'" in policy
    assert page.index("Content-Security-Policy") < page.index("<style>") < page.index("<body>")


@pytest.mark.parametrize("name", sorted(PAGES))
def test_a_page_is_one_file_for_phone_paper_light_and_dark(name: str):
    page = PAGES[name]
    assert "http://" not in page.replace(HOSTILE, "")
    assert "url(" not in page
    for need in ("width=device-width", "@media print", "prefers-color-scheme:dark", "max-width:34rem"):
        assert need in page


def test_every_id_is_unique_and_every_link_leads_somewhere():
    root = parsed(PAGES["session"])
    ids = [attributes["id"] for _, attributes in elements(root) if "id" in attributes]
    assert len(ids) == len(set(ids))
    links = {attributes["href"][1:] for _, attributes in elements(root) if "href" in attributes}
    assert links
    assert links <= set(ids)


def test_charts_of_a_session_are_drawn_with_their_numbers_as_words():
    page = PAGES["session"]
    captions = [element.text for element in parsed(page).iter() if element.tag == "figcaption"]
    assert [str(caption).partition(":")[0].partition(";")[0].partition(",")[0] for caption in captions] == [
        "Composition over the session",
        "Gate timeline",
        "Cache prefix",
        "Token waterfall per turn",
    ]
    native = Replay(Session.model_validate(hostile_session()))
    for row in session_overview(native, view="replay").rows:
        assert f"<title>{row.address}: tool schemas {row.tools} tokens</title>" in page
        assert f"<title>{row.address}: system prompt {row.system} tokens</title>" in page


def test_shapes_stay_inside_their_drawing_and_keep_their_proportion():
    chart = "".join(
        bars("x", [Bar("a", 0, 750, "system", "750"), Bar("b", 750, 1000, "left", "250"), Bar("c", 0, 0, "left", "0")])
    )
    assert 'x="0" y="0" width="750"' in chart
    assert 'x="750" y="0" width="250"' in chart
    assert 'width="0"' in chart


def test_an_empty_session_and_an_empty_report_are_pages_too():
    assert parsed(session_html("empty", "replay", [])) is not None
    assert parsed(lint_html([])) is not None


def test_the_parts_of_every_request_sum_up():
    samples = Path(__file__).resolve().parents[2] / "sample_sessions"
    overview = session_overview(Replay(load(samples / "network_ops.json")), view="replay")
    for row in overview.rows:
        assert 0 <= row.request - (row.system + row.history + row.current) <= 3
        assert row.total == row.request + row.tools
