"""Native → target → native keeps every message, pair and id that the target can hold; what it cannot is listed."""

from __future__ import annotations

import json
from collections import Counter

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ctxinspect.dialects import WRITERS
from ctxinspect.model.content import content_text, label_content, thinking_texts
from ctxinspect.model.pairing import pair_turns
from ctxinspect.model.session import Session
from ctxinspect.pipeline.convert import convert_native, convert_session
from ctxinspect.pipeline.replay import Replay
from ctxinspect.readers.load import load_bytes
from ctxinspect.view.jsonable import dump
from tests.support.sdk import check_body
from tests.support.sessions import whole_sessions

WIRES = tuple(WRITERS)
OBJECTS = ("anthropic", "gemini")
"""Targets where arguments are objects and a failed tool is visible."""

relaxed = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))


def said(session: Session, target: str) -> list[tuple[str, str]]:
    """Who said what, in order; Gemini takes no calls directly behind other words of the model: these are one message."""
    spoken: list[tuple[str, str]] = []
    for turn in session.turns:
        labelled = turn.source == "timer" or (turn.source == "system" and target == "gemini")
        role = "system" if turn.source == "system" and not labelled else "user"
        spoken.append((role, content_text(label_content(f"[{turn.source}]", turn.user) if labelled else turn.user)))
        before = None
        for round_ in turn.rounds:
            text = content_text(round_.assistant)
            if target == "gemini" and before is not None and not before.tool_calls and round_.tool_calls:
                spoken[-1] = ("assistant", f"{spoken[-1][1]}\n{text}" if text else spoken[-1][1])
            else:
                spoken.append(("assistant", text))
            before = round_
        spoken.append(("assistant", content_text(turn.assistant)))
    return [(role, text) for role, text in spoken if text]


def arguments(given, target):
    """Arguments as the target holds them, parsed."""
    if isinstance(given, dict):
        return given
    try:
        value = json.loads(given or "{}")
    except ValueError:
        value = None
    if isinstance(value, dict):
        return value
    return {"arguments": given} if target in OBJECTS else given


def content(text: str, target: str):
    """A result's text; for Gemini what its object says."""
    try:
        value = json.loads(text)
    except ValueError:
        return text
    if target != "gemini" or not isinstance(value, dict):
        return text
    return value[next(iter(value))] if value.keys() in ({"output"}, {"error"}) else value


def pairs(session: Session, target: str, *, ids: bool) -> list[tuple[object, ...]]:
    """Every call with its result, in the order of the calls."""
    return [
        (
            page.call.id if ids else None,
            page.call.name,
            arguments(page.call.arguments, target),
            content(content_text(page.result.content), target),
            page.result.is_error if target in OBJECTS else None,
        )
        for turn in pair_turns(session.turns)
        for round_ in turn
        for page in round_.pages
        if page.result is not None
    ]


@pytest.mark.parametrize("target", WIRES)
@relaxed
@given(session=whole_sessions())
def test_every_message_and_pair_is_there_again(target, session):
    made = convert_session(Replay(session), target)
    check_body(target, made.body)
    again = load_bytes(dump(made.body).encode())
    assert said(again, "read again") == said(session, target)
    named = all(call.id for turn in session.turns for round_ in turn.rounds for call in round_.tool_calls)
    assert pairs(again, target, ids=named) == pairs(session, target, ids=named)
    assert not any(round_.unpaired for turn in pair_turns(again.turns) for round_ in turn)
    system = Replay(session).assembly(0).trace.text
    assert [component.content for component in again.components] == ([system] if system else [])
    assert [(tool.name, tool.description) for tool in again.tools] == [
        (tool.name, tool.description) for tool in session.tools
    ]


@pytest.mark.parametrize("target", WIRES)
@relaxed
@given(session=whole_sessions())
def test_what_is_not_there_again_is_listed(target, session):
    made = convert_session(Replay(session), target)
    again = load_bytes(dump(made.body).encode())
    lost = Counter(loss.what for loss in made.losses)

    def thoughts(known: Session) -> int:
        contents = [round_.assistant for turn in known.turns for round_ in turn.rounds]
        contents += [turn.assistant for turn in known.turns]
        return sum(len(thinking_texts(said)) for said in contents)

    def calls(known: Session):
        return [call for turn in known.turns for round_ in turn.rounds for call in round_.tool_calls]

    assert thoughts(session) - thoughts(again) == lost["thinking"]
    assert lost["id"] == (0 if target == "gemini" else sum(not call.id for call in calls(session)))
    odd = [call for call in calls(session) if arguments(call.arguments, "anthropic") == {"arguments": call.arguments}]
    assert lost["arguments"] == (len(odd) if target in OBJECTS else 0)
    failed = sum(r.is_error for turn in session.turns for round_ in turn.rounds for r in round_.tool_results)
    assert lost["error flag"] == (0 if target in OBJECTS else failed)
    shown = sum(part.type == "image" for turn in session.turns for part in turn.user if not isinstance(part, str))
    assert lost["image"] == shown


@relaxed
@given(session=whole_sessions(), lines=st.booleans())
def test_native_to_native_is_the_same_session(session, lines):
    from ctxinspect.dialects.native import native_lines

    body = convert_native(Replay(session)).body
    text = "\n".join(map(dump, native_lines(body))) if lines else dump(body, indent=2)
    again = load_bytes(text.encode())
    assert again.model_copy(update={"source": None}) == session


@relaxed
@given(session=whole_sessions(), first=st.sampled_from(WIRES), second=st.sampled_from(WIRES))
def test_a_recording_of_one_provider_goes_to_another_with_its_pairs(session, first, second):
    recorded = load_bytes(dump(convert_session(Replay(session), first).body).encode())
    made = convert_session(Replay(recorded), second, view="recorded")
    check_body(second, made.body)
    again = load_bytes(dump(made.body).encode())
    count = sum(len(round_.tool_calls) for turn in session.turns for round_ in turn.rounds)
    assert len(pairs(again, second, ids=False)) == count
    assert Counter(role for role, _ in said(again, "read again"))["user"] >= len(
        [turn for turn in session.turns if turn.source != "system"]
    )
