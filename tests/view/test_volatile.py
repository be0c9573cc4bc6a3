"""What changes from run to run is replaced by something of the same shape; everything else is left alone."""

from __future__ import annotations

from typing import Any

import pytest

from ctxinspect.model.session import Session
from ctxinspect.view.volatile import RULES, without_volatile


def session(*users: Any, **more: Any) -> Session:
    turns = [{"user": user, "assistant": "ok"} for user in users]
    return Session.model_validate({"format": "ctxinspect/1", "turns": turns, **more})


def texts(*users: str) -> list[str]:
    calm, _ = without_volatile(session(*users))
    return [str(turn.user) for turn in calm.turns]


def test_a_session_without_volatile_parts_is_itself():
    given = session("Check port ge-0/0/1 on 2026-03-04, please", "call_me_maybe, request 17")
    calm, replaced = without_volatile(given)
    assert calm is given
    assert replaced == {}


def test_an_id_is_the_same_number_wherever_it_stands():
    one, other = "3f2b8c1e-1d2c-4a5b-9c8d-0123456789ab", "99999999-1d2c-4a5b-9c8d-0123456789ab"
    assert texts(f"{one} {other}", f"again {one}") == [
        "00000000-0000-0000-0000-000000000001 00000000-0000-0000-0000-000000000002",
        "again 00000000-0000-0000-0000-000000000001",
    ]


@pytest.mark.parametrize(
    ("text", "becomes"),
    [
        ("at 2026-03-04T05:06:07.891Z", "at 0000-00-00T00:00:00.000Z"),
        ("at 2026-03-04 05:06", "at 0000-00-00 00:00"),
        ("<object at 0x7f3a9c0d12e0>", "<object at 0x000000000001>"),
        ("call_Zx9Zx9Zx9Zx9Zx9Zx9", "call_0000000000000000000001"[:27]),
        ("/tmp/pytest-of-ann/pytest-41/x0/a.txt", "/tmp/pytest-of-user/pytest-0/x0/a.txt"),
        ("/tmp/tmpab12cd34/a.txt", "/tmp/tmp00000000/a.txt"),
    ],
)
def test_a_volatile_part_keeps_its_shape(text: str, becomes: str):
    (found,) = texts(text)
    if text.startswith("call_"):
        assert (len(found), found.startswith("call_0")) == (len(text), True)
    else:
        assert found == becomes


def test_two_runs_of_the_same_conversation_are_one():
    def run(call: str, when: str) -> Session:
        rounds = [
            {
                "tool_calls": [{"id": call, "name": "look", "arguments": {"since": when}}],
                "tool_results": [{"call_id": call, "content": f"seen {when}"}],
            }
        ]
        turns = [{"user": "look", "rounds": rounds, "assistant": "done"}]
        return Session.model_validate({"format": "ctxinspect/1", "turns": turns})

    first, second = (
        run("call_a8Kd03jfQp29fjWq", "2026-01-02T03:04:05Z"),
        run("call_99Xd03jfQp29fjZZ", "2027-11-12T13:14:15Z"),
    )
    assert first != second
    assert without_volatile(first) == without_volatile(second)


def test_settings_and_tools_are_never_replaced():
    tools = [{"name": "look", "description": "since 2026-03-04T05:06:07Z", "parameters": {}}]
    calm, replaced = without_volatile(session("at 2026-03-04T05:06:07Z", tools=tools))
    assert calm.tools[0].description == "since 2026-03-04T05:06:07Z"
    assert replaced == {"time": 1}


def test_every_rule_says_what_it_writes():
    assert [rule.name for rule in RULES] == ["uuid", "id", "time", "address", "temporary folder"]
    assert all(rule.becomes for rule in RULES)
