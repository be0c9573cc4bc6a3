"""Every place of a text is found once, at its own characters, whatever holds it."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxinspect.errors import UsageError
from ctxinspect.model.session import Component, Round, Session, ToolCall, ToolResult, ToolSchema, Turn
from ctxinspect.pipeline.occurrences import Needle, fields_of, occurrences


def everywhere(text: str) -> Session:
    return Session(
        components=(Component(name="rules", content=f"rules {text}"),),
        variables={"v": f"var {text}", "none": None},
        tools=(ToolSchema(name="look", description=f"tool {text}"),),
        turns=(
            Turn(
                user=f"user {text}",
                components=(Component(name="docs", content=f"docs {text}"),),
                variables={"w": text},
                rounds=(
                    Round(
                        assistant=f"round {text}",
                        tool_calls=(ToolCall(id="c1", name="look", arguments={"at": text}),),
                        tool_results=(
                            ToolResult(call_id="c1", content=f"result {text}"),
                            ToolResult(call_id="zz", content=f"stray {text}"),
                        ),
                    ),
                ),
                assistant=f"answer {text}",
            ),
        ),
    )


def test_every_kind_of_place_is_found_in_session_order():
    found = occurrences(everywhere("kiwi"), Needle("kiwi"))
    assert [(o.place.kind, o.place.turn_id, o.place.name) for o in found] == [
        ("component", None, "rules"),
        ("variable", None, "v"),
        ("tool", None, "look"),
        ("component", 0, "docs"),
        ("variable", 0, "w"),
        ("user", 0, None),
        ("assistant", 0, None),
        ("call", 0, "look"),
        ("result", 0, "look"),
        ("result", 0, None),
        ("assistant", 0, None),
    ]
    assert [o.place.page for o in found if o.place.kind in ("call", "result")] == ["c1", "c1", None]
    assert len({o.id for o in found}) == len(found)


@given(st.text(min_size=1, max_size=6).filter(lambda text: text.strip()))
def test_what_is_found_is_the_text_itself(text: str):
    needle = Needle(text)
    found = occurrences(everywhere(text), needle)
    assert {o.place.kind for o in found} == {"component", "variable", "tool", "user", "assistant", "call", "result"}
    for occurrence in found:
        piece = occurrence.field[occurrence.start : occurrence.end]
        if occurrence.place.kind not in ("call", "tool"):
            assert piece == text or (needle.smart and piece.lower() == text.lower())
        else:
            assert json.loads(f'"{piece}"') == text or needle.smart or piece == text


def test_a_capital_makes_the_case_count():
    session = Session(turns=(Turn(user="Redis and redis"),))
    assert len(occurrences(session, Needle("redis"))) == 2
    assert len(occurrences(session, Needle("Redis"))) == 1


def test_a_text_is_a_literal():
    session = Session(turns=(Turn(user="a.c abc [x] (y)*"),))
    assert len(occurrences(session, Needle("a.c"))) == 1
    assert len(occurrences(session, Needle("[x] (y)*"))) == 1


@pytest.mark.parametrize("arguments", ['{"city": "\\u5317\\u4eac"}', {"city": "北京"}, '{"city": "北京"}'])
def test_a_text_is_found_in_arguments_however_json_writes_it(arguments: object):
    rounds = (Round(tool_calls=(ToolCall(id="c", name="weather", arguments=arguments),)),)
    assert len(occurrences(Session(turns=(Turn(rounds=rounds),)), Needle("北京"))) == 1


def test_quotes_and_line_breaks_are_found_in_arguments():
    rounds = (Round(tool_calls=(ToolCall(id="c", name="write", arguments={"text": 'say "hi"\nthen go'}),)),)
    assert len(occurrences(Session(turns=(Turn(rounds=rounds),)), Needle('"hi"\nthen'))) == 1


@pytest.mark.parametrize("text", ["", "  ", "\n"])
def test_an_empty_text_is_refused(text: str):
    with pytest.raises(UsageError, match="empty"):
        Needle(text)


def test_progress_is_told_a_hundred_times_at_most_and_ends_at_the_end():
    told: list[tuple[int, int]] = []
    session = Session(turns=tuple(Turn(user="x") for _ in range(950)))
    occurrences(session, Needle("x"), progress=lambda done, total: told.append((done, total)))
    assert told[-1] == (950, 950)
    assert len(told) <= 110


def test_the_work_is_one_look_at_every_text():
    session = everywhere("kiwi")
    assert len(list(fields_of(session))) == 11
