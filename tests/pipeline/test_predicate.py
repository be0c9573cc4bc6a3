"""The predicate language: what it accepts, what it refuses, and where its terms hold."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxinspect.errors import UsageError
from ctxinspect.pipeline.events import KINDS, Event, Moment
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


def addresses(replay: Replay, expression: str) -> list[str]:
    return [hit.address for hit in find_hits(replay, parse(expression))]


@pytest.fixture(scope="module")
def sample() -> Callable[[str], Replay]:
    return cache(lambda name: Replay(load(ROOT / "sample_sessions" / f"{name}.json")))


def test_a_turn_with_one_request_leaves_it_out_and_others_name_it_even_the_first(sample):
    found = addresses(sample("network_ops"), "budget used>0")
    assert {"t0r0.window", "t0r1.window", "t7.window"} <= set(found)


@pytest.mark.parametrize(
    ("at", "wanted"),
    [("at 42", "t42"), ("at t42", "t42"), ("at=42", "t42"), ("at turn=42", "t42"), ("at 42.window", "t42.window"),
     ("at 42r0.lint", "t42.lint"), ("at turn=42 stage=gate", "t42.gate")],
)  # fmt: skip
def test_at_stands_at_a_turn_a_request_or_a_stage(topics: Replay, at: str, wanted: str) -> None:
    assert addresses(topics, at) == [wanted]


def test_at_a_turn_is_at_each_of_its_requests(sample):
    assert addresses(sample("network_ops"), "at 3") == ["t3r0", "t3r1", "t3r2"]
    assert addresses(sample("network_ops"), "at 3r1") == ["t3r1"]
    assert addresses(sample("network_ops"), "at request=2") == ["t3r2"]


def test_a_text_is_looked_for_in_contents_and_in_the_arguments_of_calls(sample):
    coding = sample("coding_agent")
    message = coding.trace(0, 1).messages[2]
    assert message.tool_calls
    assert "path" not in message.content
    assert "t0r1.render#2" in addresses(coding, "text /path/ role=assistant")
    assert addresses(coding, 'text "path" role=assistant') == addresses(coding, 'text role=assistant text="path"')
    assert addresses(coding, "text /PATH/ role=assistant") == []
    assert addresses(coding, "text /PATH/i role=assistant") == addresses(coding, "text /path/ role=assistant")
    assert "t0r1.render#2" in addresses(coding, "text call=read_file role=assistant")


def test_the_line_of_a_text_shows_what_was_looked_for(sample):
    hits = list(find_hits(sample("coding_agent"), parse("text /marks/")))
    assert hits
    assert all("marks" in hit.text for hit in hits)


def test_trunc_tells_components_by_how_much_was_cut(sample):
    pressure = sample("rag_pressure")
    assert addresses(pressure, "trunc") == addresses(pressure, "trunc cut%>10") == addresses(pressure, "trunc cut>.1")
    assert addresses(pressure, "trunc cut>90%") == []
    rows = pressure.assembly(6).trace.components
    assert [rows[int(a.rpartition("#")[2])].state for a in addresses(pressure, "trunc and at 6") if "#" in a] == [
        "truncated"
    ]


def test_drop_leaves_out_empty_components_unless_they_are_asked_for(sample):
    pressure = sample("rag_pressure")
    assert addresses(pressure, "drop") == addresses(pressure, "drop rule!=empty")
    assert addresses(pressure, "drop rule=empty")
    assert all(".window#" in a for a in addresses(sample("network_ops"), "drop unit=turn"))


def test_a_budget_is_a_share_and_a_bare_one_is_overdrawn(sample):
    network = sample("network_ops")
    assert addresses(network, "budget used>95%") == addresses(network, "budget used>.95")
    assert addresses(network, "budget") == []
    tiny = network.fork({"window.context_tokens": 40})
    assert addresses(tiny, "budget")
    assert all(a.endswith(".window") for a in addresses(tiny, "budget"))


def test_pair_is_the_findings_about_calls_and_results(sample):
    broken = sample("broken")
    pairs = addresses(broken, "pair")
    assert pairs
    assert set(pairs) < set(addresses(broken, "finding"))
    assert set(addresses(broken, "finding id=orphan-result")) <= set(pairs)


def test_a_finding_stands_at_its_row(sample):
    broken = sample("broken")
    for hit in list(find_hits(broken, parse("finding severity>=error")))[:40]:
        finding = broken.trace(*hit.step).findings[hit.number]
        assert finding.severity == "error"
        assert finding.id in hit.text


def test_recall_cover_and_change_have_the_fields_of_their_part_of_the_trace(sample):
    network = sample("network_ops")
    for hit in find_hits(network, parse("recall state=dropped score<1")):
        row = network.selection(hit.step.turn).recall[hit.number]
        assert row.state == "dropped"
    for hit in find_hits(network, parse("cover stop=target")):
        assert network.selection(hit.step.turn).cover.stop == "target"
    for hit in find_hits(network, parse("change part=turn")):
        assert network.trace(*hit.step).prefix.first_change.part == "turn"


def test_a_fork_diverges_first_at_the_stage_whose_setting_changed(sample):
    network = sample("network_ops")
    assert addresses(network, "fork") == []
    assert addresses(network.fork({"window.strategy": network.settings.window.strategy}), "fork") == []
    trimmed = network.fork({"window.context_tokens": 200})
    assert addresses(trimmed, "fork diverges") == addresses(trimmed, "fork") == addresses(trimmed, "fork stage=window")
    assert addresses(trimmed, "fork")
    assert len(addresses(trimmed, "fork diverges=no")) + len(addresses(trimmed, "fork")) == len(network.steps)
    gated = sample("topics100").fork({"gatekeeper.overlap_continue": 0.0, "gatekeeper.overlap_switch": 0.0})
    assert all(a.endswith(".gate") for a in addresses(gated, "fork"))
    assert addresses(gated, "fork")


def test_a_fork_of_a_recording_is_asked_about_its_replay(tmp_path):
    path = tmp_path / "chat.json"
    path.write_text(json.dumps([{"role": "user", "content": "one two"}, {"role": "assistant", "content": "three"}]))
    session = load(path)
    recorded = Replay(session)
    assert session.foreign
    assert Moment(recorded, recorded.steps[0]).view == "recorded"
    assert Moment(recorded.fork({"message_overhead": 9}), recorded.steps[0]).view == "replay"
    assert Moment(recorded, recorded.steps[0], "replay").view == "replay"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("topic decision=swich", 'did you mean "switch"'),
        ("topic margin<near", "expected a number, not 'near'"),
        ("drop component<manual", "a text is compared with = or !="),
        ("topic margin=/x/", "a regular expression is compared with = or !=, and with texts only"),
        ("at 3.windo", 'did you mean "window"'),
        ("at 3.window#2", "expected for example at 3.window"),
        ("at", "a turn or an address"),
        ("topic margin 3", "expected one of <"),
        ("finding id=orphan-resul", 'did you mean "orphan-result"'),
        ("fork diverges=maybe", "expected no, yes"),
        ("((((topic)", "ends too early"),
    ],
)
def test_an_error_says_what_would_be_right(text: str, said: str) -> None:
    with pytest.raises(UsageError, match=re.escape(said)):
        parse(text)


def test_a_value_that_looks_like_a_number_is_compared_as_it_was_written():
    term = parse("finding call=0071234567890")
    assert finding_matches(term, Finding("missing-result", "error", "render", call_id="0071234567890"))
    assert not finding_matches(term, Finding("missing-result", "error", "render", call_id="71234567890"))


def test_a_rule_is_known_by_its_other_names():
    assert parse("finding id=pending-call").conditions == parse("finding id=call-in-flight").conditions


def test_a_field_alone_holds_where_it_is_there(topics: Replay) -> None:
    assert addresses(topics, "topic deictic") == addresses(topics, "topic rule=deictic")


def test_unequal_to_several_values_means_equal_to_none_of_them():
    event = Event("cover", {"uncovered": ("a", "b")})
    assert parse("cover uncovered=a").accepts(event)
    assert not parse("cover uncovered!=a").accepts(event)
    assert parse("cover uncovered!=c").accepts(event)
    assert not parse("cover uncovered!=c").accepts(Event("cover", {"uncovered": ()}))
    assert not parse("cover coverage!=1").accepts(event)


def test_hits_are_in_the_order_of_stages_whatever_the_expression_says_first(sample):
    hits = list(find_hits(sample("network_ops"), parse("finding or drop or topic or at turn>=0")))
    assert [hit.place for hit in hits] == sorted(hit.place for hit in hits)


WORDS = st.sampled_from(
    ["topic", "drop", "text", "at", "finding", "and", "or", "not", "(", ")", "<", ">=", "=", "margin", "severity", "3",
     "t3.window", "50%", "/x/i", '"y"', "error", "#", "role"]
)  # fmt: skip


@given(st.lists(WORDS, max_size=8) | st.text(max_size=20).map(lambda text: [text]))
def test_every_text_is_an_expression_or_a_usage_error_in_one_line(words: list[str]) -> None:
    try:
        parse(" ".join(words))
    except UsageError as error:
        assert "\n" not in str(error).replace(repr(" ".join(words)), "")  # noqa: PT017


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in ("text", "at")])
def test_every_kind_can_be_asked_alone(topics: Replay, kind: str) -> None:
    assert isinstance(parse(kind).hits(topics, topics.steps[40]), tuple)
