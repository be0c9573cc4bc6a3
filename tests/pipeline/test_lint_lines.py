"""A fault with a path and no line gets the line of that path in the file."""

from __future__ import annotations

import json

from ctxinspect.pipeline.lint_lines import with_lines
from ctxinspect.pipeline.lint_report import Fault
from ctxinspect.trace.types import Finding


def fault(path: str | None, line: int | None = None) -> Fault:
    return Fault(Finding("missing-result", "error", "ingest", path=path, line=line), "recorded", (0, 0), 1)


def lines(text: str, *faults: Fault) -> list[int | None]:
    return [found.finding.line for found in with_lines(faults, text)]


def test_a_path_in_one_document_has_its_line_and_the_report_stays_in_order():
    text = json.dumps({"messages": [{"role": "user"}, {"role": "tool", "content": "x"}]}, indent=1)
    given = (fault("$.messages[1].content"), fault("$.messages[0]"), fault(None))
    found = with_lines(given, text)
    assert [(f.finding.path, f.finding.line) for f in found] == [
        (None, None),
        ("$.messages[0]", 3),
        ("$.messages[1].content", 8),
    ]


def test_a_line_that_is_known_stays():
    assert lines('{"a": 1}', fault("$.a", 7)) == [7]


def test_a_turn_of_a_session_in_lines_has_the_line_of_its_record():
    text = '{"format": "ctxinspect/1"}\n\n{"user": "a"}\n{"user": "b"}\n'
    assert lines(text, fault("$.turns[0].user"), fault("$.turns[1].rounds[0]"), fault("$.turns[9]")) == [None, 3, 4]


def test_what_is_no_json_gives_no_line():
    assert lines("nothing", fault("$.a")) == [None]
    assert lines("", fault("$.turns[0]")) == [None]
