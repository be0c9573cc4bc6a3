"""A handle gives the original text back."""

from __future__ import annotations

import pytest

from ctxinspect.errors import UsageError
from ctxinspect.sequence import toolresult_read
from tests.support.build import call, result, round_, session, turn

SESSION = session(
    turn("a", "b", round_([call("c1"), call(None)], [result("c1", "日志 one two"), result(None, "other")]))
)


def test_the_whole_text_or_a_slice_in_code_points():
    assert toolresult_read(SESSION, "tr:c1") == "日志 one two"
    assert toolresult_read(SESSION, "tr:c1", 1, 5) == "志 one"
    assert toolresult_read(SESSION, "tr:c1", 100) == ""
    assert toolresult_read(SESSION, "tr:t0c1") == "other"


def test_an_unknown_handle_names_the_nearest():
    with pytest.raises(UsageError, match="c1"):
        toolresult_read(SESSION, "tr:c2")


def test_a_negative_offset_is_refused():
    with pytest.raises(UsageError, match="negative"):
        toolresult_read(SESSION, "tr:c1", -1)
