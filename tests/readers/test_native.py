"""The native format: a typo is an error with its path, and a broken line costs only itself."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ctxinspect.errors import InputError
from ctxinspect.model.session import Source
from ctxinspect.readers import load_bytes

HEAD: dict[str, Any] = {"format": "ctxinspect/1"}


def _load(data: dict[str, Any]):
    return load_bytes(json.dumps(HEAD | data).encode(), name="s.json")


def _error(data: dict[str, Any]) -> InputError:
    with pytest.raises(InputError) as caught:
        _load(data)
    return caught.value


def test_one_object_is_a_session():
    session = _load({"turns": [{"user": "hi", "assistant": "hello"}], "components": [{"name": "a", "content": "x"}]})
    assert session.turns[0].user == "hi"
    assert session.components[0].priority == 70
    assert not session.foreign


def test_json_lines_give_one_turn_a_line():
    data = b'{"format":"ctxinspect/1","title":"t"}\n{"user":"a"}\n{"user":"b"}\n'
    session = load_bytes(data)
    assert session.title == "t"
    assert [turn.user for turn in session.turns] == ["a", "b"]


def test_a_broken_line_is_named_and_the_other_turns_load():
    session = load_bytes(b'{"format":"ctxinspect/1"}\n{"user":"a"}\n{"user":"b\n{"user":"c"}\n')
    assert [turn.user for turn in session.turns] == ["a", "c"]
    assert isinstance(session.source, Source)
    assert [(problem.line, problem.lost) for problem in session.source.problems] == [(3, True)]
    assert session.source.records_skipped == 1


def test_an_unknown_key_is_an_error_with_its_path_and_the_nearest_known_key():
    parts = [{"name": "a", "content": ""}, {"name": "b", "content": ""}, {"name": "c", "content": "", "prioritty": 1}]
    error = _error({"components": parts})
    assert str(error) == 's.json: unknown key "prioritty" @ $.components[2].prioritty; did you mean "priority"?'


def test_an_unknown_key_in_a_turn_line_names_the_line():
    with pytest.raises(InputError) as caught:
        load_bytes(b'{"format":"ctxinspect/1"}\n{"user":"a"}\n{"usr":"a"}\n', name="s.jsonl")
    assert (caught.value.line, caught.value.path) == (3, "$.usr")


@pytest.mark.parametrize(
    ("data", "path"),
    [
        ({"turns": [{}, {}, {}, {"user": 5}]}, "$.turns[3].user"),
        ({"turns": [{"user": [{"type": "text", "txt": "a"}]}]}, "$.turns[0].user[0].txt"),
        ({"turns": [{"user": [{"type": "video"}]}]}, "$.turns[0].user[0]"),
        ({"turns": [{"rounds": [{"tool_calls": [{"id": "x"}]}]}]}, "$.turns[0].rounds[0].tool_calls[0].name"),
        ({"turns": {}}, "$.turns"),
        ({"context": {"window": {"strategy": "fast"}}}, "$.context.window.strategy"),
        ({"context": {"gatekeeper": {"overlap_continue": 2}}}, "$.context.gatekeeper.overlap_continue"),
        ({"components": [{"name": "a", "content": "x"}] * 2}, "$.components"),
        ({"turn": []}, "$.turn"),
        ({"format": "ctxinspect/2"}, "$.format"),
    ],
)
def test_every_fault_has_the_path_of_the_data(data: dict[str, Any], path: str):
    error = _error(data)
    assert error.path == path
    assert "\n" not in str(error)


@pytest.mark.parametrize("value", [0, -1, True, None, "128", 12.5])
def test_a_context_limit_that_is_no_positive_integer_is_named(value: object):
    error = _error({"context": {"window": {"context_limit": value}}})
    assert error.reason == f"context_limit must be a positive integer, not {json.dumps(value)}"


def test_turns_may_not_stand_in_the_first_line_and_in_lines_of_their_own():
    with pytest.raises(InputError, match="turns stand both"):
        load_bytes(b'{"format":"ctxinspect/1","turns":[]}\n{"user":"a"}\n')


def test_recorded_calls_survive_writing_and_reading():
    first = load_bytes(b'{"model":"gpt-4o","messages":[{"role":"user","content":"x"}]}')
    again = load_bytes(json.dumps(first.model_dump(mode="json")).encode())
    assert again == first
