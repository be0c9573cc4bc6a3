"""Sessions drawn at random whose calls are all answered once: what every wire dialect can hold, in many shapes."""

from __future__ import annotations

import json

from hypothesis import strategies as st

from ctxinspect.model.content import MediaPart, TextPart, ThinkingPart
from ctxinspect.model.session import Component, Round, Session, ToolCall, ToolResult, ToolSchema, Turn

__all__ = ["whole_sessions"]

_LETTERS = st.characters(codec="utf-8", exclude_characters="\x00")
_TEXTS = st.text(_LETTERS, min_size=1, max_size=20)
_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**9), 10**9) | _TEXTS,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(_TEXTS, inner, max_size=2),
    max_leaves=4,
)
_OBJECTS = st.dictionaries(_TEXTS, _VALUES, max_size=3)
_ARGUMENTS = _OBJECTS | _OBJECTS.map(json.dumps) | st.sampled_from(["", "{", "[1]", "plain"])
_NAMES = st.sampled_from(["look", "search", "read_file"])
_IMAGES = st.builds(
    MediaPart, type=st.just("image"), media_type=st.just("image/png"), bytes=st.integers(0, 9), sha256=st.just("ab")
)
_THOUGHTS = st.builds(ThinkingPart, text=_TEXTS, signature=st.none() | st.just("c2ln"))
_USERS = _TEXTS | st.lists(st.builds(TextPart, text=_TEXTS) | _IMAGES, min_size=1, max_size=3).map(tuple)


@st.composite
def _contents(draw, *, empty=False):
    """What an assistant said: text, perhaps after a thought; with `empty`, perhaps nothing."""
    text = draw(_TEXTS | st.just("") if empty else _TEXTS)
    if draw(st.integers(0, 3)):
        return text
    said = (TextPart(text=text),) if text else ()
    return (draw(_THOUGHTS), *said)


@st.composite
def _rounds(draw):
    ids = draw(st.lists(st.none() | st.sampled_from([f"call_{n}" for n in range(9)]), max_size=3, unique_by=_unique()))
    names = [draw(_NAMES) for _ in ids]
    if not ids:
        return Round(assistant=draw(_contents()))
    calls = [ToolCall(id=id_, name=name, arguments=draw(_ARGUMENTS)) for id_, name in zip(ids, names, strict=True)]
    results = [
        ToolResult(call_id=call.id, name=call.name, content=draw(st.just("") | _TEXTS), is_error=draw(st.booleans()))
        for call in calls
    ]
    if None not in ids:
        results = draw(st.permutations(results))
    return Round(assistant=draw(_contents(empty=True)), tool_calls=tuple(calls), tool_results=tuple(results))


def _unique():
    """Ids in one round are distinct; a missing one is like no other."""
    seen = iter(range(10**6))
    return lambda id_: id_ or next(seen)


@st.composite
def _turns(draw, *, source):
    return Turn(
        user=draw(_USERS),
        source=source,
        rounds=tuple(draw(st.lists(_rounds(), max_size=3))),
        assistant=draw(_contents()),
    )


@st.composite
def whole_sessions(draw):
    """A session of one to four turns; the first is the user's."""
    sources = ["user", *draw(st.lists(st.sampled_from(["user", "user", "timer", "system"]), max_size=3))]
    names = draw(st.lists(_NAMES, max_size=2, unique=True))
    return Session(
        model=draw(st.none() | st.just("gpt-4o")),
        components=(Component(name="system", content=draw(_TEXTS)),) if draw(st.booleans()) else (),
        tools=tuple(
            ToolSchema(
                name=name,
                description=draw(st.just("") | _TEXTS),
                parameters=draw(st.just({}) | st.just({"type": "object", "properties": {"q": {"type": "string"}}})),
            )
            for name in names
        ),
        turns=tuple(draw(_turns(source=source)) for source in sources),
    )
