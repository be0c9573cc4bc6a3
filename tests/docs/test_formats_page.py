"""The page about formats names every format once, with its family and dialect, and claims what recordings show."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ctxinspect.model.session import RecordedMessage, Session
from ctxinspect.readers import load
from ctxinspect.readers.folder import list_files
from ctxinspect.readers.recognised import RECOGNISED
from ctxinspect.readers.registry import known_formats
from tests.support.shared import shared_folder

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "formats.md").read_text("utf-8")
KEPT = ("system", "tools", "usage", "thinking", "times")


def _rows() -> dict[str, list[str]]:
    lines = (line for line in PAGE.splitlines() if re.match(r"\| `\w+` \|", line))
    cells = ([cell.strip() for cell in line.strip("|").split("|")] for line in lines)
    return {row[0].strip("`"): row[1:] for row in cells if len(row) == 4 + len(KEPT)}


def test_every_format_stands_in_the_table_once():
    names = [known.name for known in known_formats()]
    assert sorted(_rows()) == names
    for name in names:
        assert len(re.findall(rf"^\| `{name}` \|", PAGE, re.MULTILINE)) == 1


def test_family_and_dialect_are_those_of_the_reader():
    for known in known_formats():
        _, family, dialect, *_ = _rows()[known.name]
        assert family == known.family
        assert dialect == known.dialect or (known.dialect is None and dialect.startswith("of each"))


def test_every_kind_of_file_that_is_known_and_not_read_is_named():
    for known in RECOGNISED:
        assert f"`{known.name}`" in PAGE


def _seen(session: Session) -> set[str]:
    messages: list[RecordedMessage] = [message for call in session.recorded for message in call.messages]
    rounds = [made for turn in session.turns for made in turn.rounds]
    shown = {
        "system": any(message.role in ("system", "developer") for message in messages),
        "tools": any(call.tools for call in session.recorded),
        "usage": any(known.usage for known in (*session.recorded, *session.turns, *rounds)),
        "thinking": any(part.type == "thinking" for message in messages for part in message.parts),
        "times": any(message.timestamp for message in messages),
    }
    return {name for name, seen in shown.items() if seen}


@pytest.mark.corpus
def test_what_real_recordings_show_is_claimed():
    for found in list_files(shared_folder("corpus")):
        if found.format is not None:
            claimed = {name for name, cell in zip(KEPT, _rows()[found.format][3:], strict=True) if cell == "yes"}
            assert _seen(load(found.path)) <= claimed, found.path.name
