"""Reported failures of counting tokens: every number is the real encoder's, of whole characters, of calls too."""

from __future__ import annotations

import json

import pytest

from ctxinspect.assembler.cut import cut_length
from ctxinspect.model.content import content_text
from ctxinspect.model.session import arguments_text
from ctxinspect.pipeline.replay import Replay
from ctxinspect.readers import load
from ctxinspect.tokens.counter import named_counter
from tests.support.shared import case_file

COUNT = named_counter("cl100k_base")


def texts(number: str, key: str = "content") -> list[str]:
    return [json.loads(line)[key] for line in case_file(number).read_text("utf-8").split("\n") if line.strip()]


def test_a_cut_never_goes_through_a_character():
    for line in case_file("044").read_text("utf-8").splitlines():
        text, tokens = json.loads(line)["text"], json.loads(line)["tokens"]
        assert COUNT(text) == tokens
        for limit in range(1, tokens + 1):
            length = cut_length(text, lambda kept, limit=limit: COUNT(kept) <= limit) or 0
            head = text[:length]
            assert text.startswith(head)
            assert head.count("\ufffd") <= text.count("\ufffd")
            assert COUNT(head) <= limit
        assert cut_length(text, lambda kept, tokens=tokens: COUNT(kept) <= tokens) is not None


def test_the_text_of_a_special_token_is_ordinary_text():
    assert [COUNT(text) for text in texts("048")] == [9, 7, 16, 23, 7]


def test_other_scripts_are_counted_and_not_guessed():
    assert [COUNT(text) for text in texts("050")] == [7, 17, 23, 15, 23, 17, 7]


@pytest.mark.slow
@pytest.mark.parametrize(("text", "times", "tokens"), [
    ("a", 100_000, 12_500),
    ("^", 1_000_000, 250_000),
    ("1\n", 30_000, 60_000),
    (" ", 1_000_000, 7_813),
    ("\n", 1_000, 32),
    ("\u200d", 100_000, 200_000),
    ("\uac00", 200_000, 200_000),
])  # fmt: skip
def test_long_runs_without_a_blank_are_counted_exactly(text: str, times: int, tokens: int):
    case_file("049")
    assert COUNT(text * times) == tokens


def test_an_image_costs_its_allowance_whatever_its_size():
    session = load(case_file("052"))
    trace = Replay(session).trace(len(session.turns) - 1, view="recorded")
    words = sum(COUNT(text) for message in session.recorded[0].messages for text in [_words(message.parts)])
    images = 3 * session.context.image_tokens
    overhead = session.context.message_overhead * len(trace.messages)
    assert words == 5 + 3 + 3
    assert sum(row.tokens for row in trace.messages) == words + images + overhead


def _words(parts: object) -> str:
    assert isinstance(parts, tuple)
    return "".join(part.text for part in parts if part.type == "text")


def test_the_arguments_of_a_call_are_counted_as_they_stand():
    messages = load(case_file("054")).recorded[0].messages
    counts = [
        COUNT(content_text(message.content))
        + sum(COUNT(result.content if isinstance(result.content, str) else "") for result in message.results)
        + sum(COUNT(call.name) + COUNT(arguments_text(call.arguments)) for call in message.calls)
        for message in messages
    ]
    assert counts == [4, 403, 2, 2]
    session = load(case_file("054"))
    rows = Replay(session).trace(0, view="recorded").messages
    assert rows[1].tokens >= 403


def test_a_call_that_stands_twice_is_counted_once():
    session = load(case_file("016"))
    call = session.recorded[0].messages[1].calls[0]
    assert COUNT(call.name) == 2
    assert COUNT(json.dumps({"car": 5}, separators=(",", ":"))) == 5
    rows = Replay(session).trace(0, view="recorded").messages
    assert [len(row.tool_calls) for row in rows] == [0, 1, 0]


def test_odd_contents_are_counted_without_an_exception():
    session = load(case_file("057"))
    trace = Replay(session).trace(len(session.turns) - 1, view="recorded")
    assert COUNT(session.recorded[0].messages[5].text) == 1
    assert all(row.tokens >= 0 for row in trace.messages)
