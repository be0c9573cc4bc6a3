"""The predicate language: what it accepts, what it refuses, and where its terms hold."""

from __future__ import annotations

from pathlib import Path

import pytest

from ctxinspect.errors import UsageError
from ctxinspect.pipeline.events import KINDS
from ctxinspect.pipeline.predicate import find_hits, finding_matches, parse
from ctxinspect.pipeline.replay import Replay
from ctxinspect.readers import load
from ctxinspect.trace.types import Finding
from ctxinspect.view.breakpoints_page import breakpoints_page

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def topics() -> Replay:
    return Replay(load(ROOT / "sample_sessions" / "topics100.json"))


def test_a_bare_topic_holds_at_every_decided_switch_and_not_at_the_start(topics: Replay) -> None:
    switches = [f"t{t}.gate" for t in range(len(topics.session.turns)) if topics.gate(t).decision == "switch"]
    assert [hit.address for hit in find_hits(topics, parse("topic"))] == switches
    assert "t0.gate" not in switches


def test_a_margin_condition_finds_near_misses_whatever_was_decided(topics: Replay) -> None:
    for hit in find_hits(topics, parse("topic margin<0.05")):
        margins = topics.gate(int(hit.address[1:].split(".")[0])).margins
        values = (margins.overlap_continue, margins.overlap_switch, margins.new_ratio_switch)
        assert min(abs(value) for value in values) < 0.05


def test_not_and_parentheses_give_the_complement(topics: Replay) -> None:
    inside = {hit.address for hit in find_hits(topics, parse("at 3 and (topic or not topic)"))}
    assert inside
    assert all(address.startswith("t3") for address in inside)


def test_an_unknown_field_names_the_nearest() -> None:
    with pytest.raises(UsageError, match='did you mean "margin"'):
        parse("topic margn<0.05")


@pytest.mark.parametrize("text", ["", "topic and", "(topic", "topic)", "text /(/", "finding severity>=loud", "tpic"])
def test_what_cannot_be_read_is_a_usage_error(text: str) -> None:
    with pytest.raises(UsageError):
        parse(text)


def test_a_finding_meets_a_severity_at_or_above() -> None:
    fault = Finding("missing-result", "warning", "render")
    assert finding_matches(parse("finding severity>=warning"), fault)
    assert not finding_matches(parse("finding severity>=error"), fault)
    assert finding_matches(parse("pair and not finding id=orphan-result"), fault)


def test_the_page_on_breakpoints_is_generated() -> None:
    assert (ROOT / "docs" / "breakpoints.md").read_text(encoding="utf-8") == breakpoints_page()


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in ("text", "at")])
def test_every_kind_can_be_asked_alone(topics: Replay, kind: str) -> None:
    assert isinstance(parse(kind).hits(topics, topics.steps[40]), tuple)
