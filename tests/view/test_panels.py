"""Each panel answers its question from the trace alone: what, how much, and why."""

from __future__ import annotations

import pytest

from ctxinspect.model.session import Component
from ctxinspect.pipeline.replay import Replay
from ctxinspect.view.anchors import anchors_detail, anchors_table
from ctxinspect.view.components import components_detail, components_table
from ctxinspect.view.findings import findings_detail, findings_table
from ctxinspect.view.gate import gate_detail, gate_table
from ctxinspect.view.inspection import Inspection
from ctxinspect.view.messages import messages_detail, messages_table
from ctxinspect.view.panels import PANELS
from ctxinspect.view.recall import recall_detail, recall_table
from ctxinspect.view.turns import turns_detail, turns_table
from ctxinspect.view.window import window_detail, window_table
from tests.support.build import call, result, round_, session, settings, turn
from tests.support.inspection import inspect

REDIS = [
    turn("how do I lock with redis", "use SET NX with a ttl in redis"),
    turn("does the redis lock refresh its ttl", "a watchdog refreshes the redis ttl"),
    turn("what bread needs an oven with steam", "sourdough bread in a hot oven"),
    turn("it is too dark", "lower the oven"),
    turn("redis lock expired while the worker ran", None),
]


@pytest.fixture(scope="module")
def topics() -> Inspection:
    return inspect(session(*REDIS), 4)


@pytest.mark.parametrize("spec", PANELS, ids=lambda spec: spec.name)
def test_every_row_of_every_panel_explains_itself(spec, topics):
    table = spec.table(topics)
    for row in table.rows:
        assert table.index(row.key) is not None
        assert spec.detail(topics, row.key).text


def test_the_turns_say_what_became_of_each_in_this_request(topics):
    table = turns_table(topics)
    assert table.value("4", "here") == "now"
    assert {table.value(str(at), "here") for at in range(4)} <= {"kept", "pruned", "dropped"}
    dropped = next(at for at in range(4) if table.value(str(at), "here") == "dropped")
    assert "dropped:" in turns_detail(topics, str(dropped)).text


def test_the_gate_shows_every_rule_and_which_one_fired(topics):
    table = gate_table(topics)
    fired = [row.key for row in table.rows if row.flag == "*"]
    assert fired == [topics.trace.gate.rule]
    assert table.value("overlap", "thr") == ">0.45"
    assert "needs more" in gate_detail(topics, "overlap").text


def test_a_deictic_query_shows_the_text_that_matched():
    table = gate_table(inspect(session(*REDIS), 3))
    assert table.value("deictic", "value") == "match"
    assert "Matched text: it" in gate_detail(inspect(session(*REDIS), 3), "deictic").text


def test_anchors_say_who_covers_them(topics):
    table = anchors_table(topics)
    assert table.value("anchor:redis", "df") == "2"
    covered = {row.text(5) for row in table.rows}
    assert covered & {"t0", "t1"}
    assert "nowhere" in covered
    assert "nothing can cover it" in anchors_detail(topics, "anchor:expired").text


def test_recall_adds_the_score_up(topics):
    table = recall_table(topics)
    assert table.rows
    row = topics.trace.recall[0]
    assert f"score {row.score:.4f} = 1.5 x" in recall_detail(topics, str(row.turn_id)).text


def pressed(**more):
    parts = (
        Component(name="base", content="always here", priority=100, truncatable=False),
        Component(name="docs", content="word " * 400, priority=50),
    )
    return session(
        turn("hi", None),
        components=parts,
        context=settings(assembler__max_tokens=200, assembler__min_useful_tokens=10),
        **more,
    )


def test_a_cut_component_shows_the_cut_in_its_text():
    view = inspect(pressed(), 0)
    table = components_table(view)
    assert table.value("docs", "state") == "truncated"
    detail = components_detail(view, "docs")
    kept, cut, lost = detail.blocks[-3:]
    assert "cut here" in cut.text
    assert kept.text + lost.text == "word " * 400
    assert f"{len(lost.text)} chars not sent" in cut.text


def test_the_components_add_up_to_what_is_rendered():
    view = inspect(pressed(), 0)
    got = sum(int(row.text(3)) for row in components_table(view).rows if row.key != "sum")
    assert got == view.trace.assembly.rendered_tokens


def test_the_window_is_spent_step_by_step_to_what_is_left():
    view = inspect(session(*REDIS), 4)
    rows = {row.key: row for row in window_table(view).rows}
    left = view.trace.window.input_budget
    for key in ("tools", "system", "history", "current", "priming"):
        left += int(rows[key].text(1))
        assert rows[key].text(2) == str(left)
    assert rows["left"].text(2) == str(left)
    assert "input budget" in window_detail(view, "tools").text


def test_calls_and_results_carry_the_number_of_their_pair():
    view = inspect(
        session(turn("look", None, round_([call("a"), call("b", "read")], [result("b", "two"), result("a", "one")]))),
        0,
        1,
    )
    table = messages_table(view)
    pairs = {row.key: row.text(4) for row in table.rows}
    assert pairs == {"0": "", "1": "", "1.0": "1>", "1.1": "2>", "2": ">1", "3": ">2"}
    assert "one" in messages_detail(view, "2").text
    assert "pair 2" in messages_detail(view, "1.1").text


def test_a_handle_and_a_labelled_turn_are_marked():
    big = "word " * 3000
    view = inspect(session(turn("tick", None, round_([call("a")], [result("a", big)]), source="timer")), 0, 1)
    table = messages_table(view)
    assert "[labelled]" in table.value("0", "text")
    assert table.value("2", "state") == "handle"


def test_the_arguments_are_shown_whole_on_demand():
    view = inspect(session(turn("x", None, round_([call("a", "f", {"k": "v" * 5000})], [result("a")]))), 0, 1)
    assert "v" * 5000 in messages_detail(view, "1.0").text


def test_findings_come_worst_first_and_explain_their_rule():
    view = inspect(session(turn("x", None, round_([call("a"), call("b")], [result("b")])), turn("y", None)), 1)
    table = findings_table(view)
    severities = [row.text(0) for row in table.rows]
    assert severities == sorted(severities, key=["ERR", "warn", "info"].index)
    first = table.rows[0]
    assert first.flag == "!"
    assert len(findings_detail(view, first.key).blocks) == 3


def test_ten_thousand_turns_build_only_the_rows_that_are_looked_at():
    many = session(*[turn(f"question {at}", f"answer {at}") for at in range(2000)])
    replay = Replay(many)
    table = turns_table(Inspection(replay.trace(5, ledger=False), many, replay.settings, "REPLAY"))
    assert len(table.rows) == 2000
    assert table.rows[1999].key == "1999"
    assert table.index("1500") == 1500
