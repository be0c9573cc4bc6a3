"""A fault of a native session is named by the path of what it is about, and so by the line in its file."""

from __future__ import annotations

import json

from ctxinspect.model.session import Session
from ctxinspect.pipeline.lint_lines import with_lines
from ctxinspect.pipeline.lint_report import lint_session
from ctxinspect.pipeline.replay import Replay
from ctxinspect.text.json_places import json_lines

HIDDEN = "a\u202eb"
DATA = {
    "format": "ctxinspect/1",
    "variables": {"unused": "x"},
    "components": [{"name": "first", "content": "One."}, {"name": "second", "content": "See {{nothing}}."}],
    "turns": [
        {"user": HIDDEN, "assistant": "yes"},
        {
            "user": "b",
            "components": [{"name": "own", "content": "See {{more}}."}],
            "rounds": [
                {
                    "assistant": "I look.",
                    "tool_calls": [
                        {"id": "c1", "name": "look", "arguments": {}},
                        {"id": "c2", "name": "a b", "arguments": {}},
                    ],
                    "tool_results": [
                        {"call_id": "c1", "content": "x"},
                        {"call_id": "c2", "content": HIDDEN},
                    ],
                }
            ],
            "assistant": HIDDEN,
        },
        {"user": "c"},
    ],
}


def places(data=DATA):
    faults = lint_session(Replay(Session.model_validate(data)))
    return {(fault.finding.id, fault.finding.turn_id, fault.finding.path) for fault in faults}


def test_texts_calls_results_components_and_variables_have_their_path():
    found = places()
    assert ("hidden-characters", 0, "$.turns[0].user") in found
    assert ("bad-tool-name", 1, "$.turns[1].rounds[0].tool_calls[1]") in found
    assert ("hidden-characters", 1, "$.turns[1].rounds[0].tool_results[1]") in found
    assert ("hidden-characters", 1, "$.turns[1].assistant") in found
    assert ("placeholder-unfilled", 0, "$.components[1]") in found
    assert ("placeholder-unfilled", 1, "$.turns[1].components[0]") in found
    assert ("variable-not-rendered", 0, "$.variables.unused") in found


def test_a_conversation_in_the_system_message_is_found_in_its_component():
    components = [
        {"name": "rules", "content": "Be brief."},
        {"name": "past", "content": "[09:01] A: hi\n[09:02] B: ho"},
    ]
    found = places({**DATA, "components": components})
    assert ("history-in-system", 0, "$.components[1]") in found


def test_every_path_leads_to_a_value_of_the_file():
    text = json.dumps(DATA, indent=1)
    faults = with_lines(lint_session(Replay(Session.model_validate(DATA))), text)
    paths = {fault.finding.path for fault in faults if fault.finding.path}
    assert set(json_lines(text, paths)) == paths
    assert all(fault.finding.line for fault in faults if fault.finding.path)


def test_in_lines_the_session_is_the_first_record():
    text = json.dumps({key: value for key, value in DATA.items() if key != "turns"}) + "\n"
    text += "".join(json.dumps(turn) + "\n" for turn in DATA["turns"])
    faults = with_lines(lint_session(Replay(Session.model_validate(DATA))), text)
    lines = {fault.finding.id: fault.finding.line for fault in faults if fault.finding.turn_id == 0}
    assert (lines["variable-not-rendered"], lines["hidden-characters"]) == (1, 2)


def test_what_is_about_a_whole_request_has_no_path():
    data = {**DATA, "context": {"window": {"context_tokens": 300, "strategy": "balanced"}}}
    assert {path for id_, _, path in places(data) if id_ in ("low-headroom", "over-budget", "history-trimmed")} <= {
        None
    }
