"""The table of targets on the page about conversions says what the writers do: `kept` exactly where nothing is lost."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ctxinspect.dialects import WRITERS, Draft, write_body
from ctxinspect.dialects.native import native_body
from ctxinspect.model.session import MediaBlock, OtherPart, RecordedCall, RecordedMessage, Session
from ctxinspect.readers.load import load_bytes
from ctxinspect.view.jsonable import dump
from tests.support.messages import assistant, call, message, result, system, thinking, tool, tool_schema, user

PAGE = Path(__file__).resolve().parents[2] / "docs" / "convert.md"
ASKED = (user("Hi"), assistant(call()))
OWN = {"openai": "openai", "openai-responses": "openai-responses", "anthropic": "anthropic", "gemini": "gemini"}
FOREIGN = {"openai": "anthropic", "openai-responses": "anthropic", "anthropic": "gemini", "gemini": "anthropic"}
REASONING = (user("Hi"), assistant(thinking("hm", "sig", item_id="rs_1"), "Yes"))
ROWS: dict[str, tuple[RecordedMessage, ...]] = {
    "text of user and assistant, in several blocks": (user("A", "B"), assistant("C", "D")),
    "leading system prompt": (system("Be brief"), user("Hi")),
    "second leading system message": (system("One"), system("Two"), user("Hi")),
    "developer message": (user("Hi"), message("developer", "Rules")),
    "later system message": (user("Hi"), system("Rules")),
    "role that no API knows": (message("critic", "No"),),
    "name of a participant": (user("Hi", name="ada"),),
    "calls and results with ids": (*ASKED, tool()),
    "call and result without id": (user("Hi"), assistant(call(None)), tool(None, name="look")),
    "id with other characters than `A-Z a-z 0-9 _ -`": (user("Hi"), assistant(call("a:b")), tool("a:b")),
    "tool schemas": (user("Hi"),),
    "arguments that are no object": (user("Hi"), assistant(call(arguments="[1")), tool()),
    "free-form call": (user("Hi"), assistant(call(arguments="*** x", freeform=True)), tool()),
    "text after a call in one message": (user("Hi"), assistant(call(), "so"), tool()),
    "text before a result in one message": (*ASKED, user("Meanwhile", result())),
    "tool that the provider ran itself": (user("Hi"), assistant(call(server=True), result(server=True), "So")),
    "flag that a tool failed": (*ASKED, message("tool", result(is_error=True))),
    "reasoning that the target's provider made": REASONING,
    "reasoning of another provider": REASONING,
    "image, file, audio (kind, size, hash)": (user(MediaBlock(type="image", bytes=3, sha256="ab")),),
    "block of an unknown kind": (user("Hi", OtherPart(kind="odd", text='{"type": "odd"}')),),
    "null content where text is required": (RecordedMessage(role="user", shape="null"),),
    "time of a message": (user("Hi", timestamp="2026-01-01T00:00:00Z"),),
    "id of a message": (user("Hi", id="m1"),),
    "mark of a compaction or of the client": (user("Hi", marks=("compact_summary",)),),
}


def table() -> dict[str, dict[str, str]]:
    """The cells by row and target."""
    section = PAGE.read_text("utf-8").split("## What each target keeps")[1].split("\n## ")[0]
    lines = [
        [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in section.splitlines() if "|" in line
    ]
    (_, *targets), _, *rows = lines
    return {row[0]: dict(zip(targets, row[1:], strict=True)) for row in rows}


def test_the_page_has_exactly_these_rows():
    assert list(table()) == list(ROWS)


@pytest.mark.parametrize("target", WRITERS)
def test_a_cell_says_kept_exactly_where_nothing_is_lost(target):
    for row, cells in table().items():
        origin = (FOREIGN if "another provider" in row else OWN)[target]
        draft = Draft(ROWS[row], (tool_schema(),), None if target == "gemini" else "m", origin=origin)
        lost = [loss.what for loss in write_body(target, draft).losses if loss.what != "max_tokens"]
        assert (cells[target] == "kept") == (not lost), (row, lost)


def test_the_native_format_keeps_every_row():
    for row, cells in table().items():
        session = Session(recorded=(RecordedCall(messages=ROWS[row], tools=(tool_schema(),)),))
        again = load_bytes(dump(native_body(session)).encode())
        assert (cells["native"] == "kept") == (again.recorded == session.recorded), row
