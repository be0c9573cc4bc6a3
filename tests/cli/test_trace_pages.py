"""`trace --format html`: one request, or the whole session, as one page."""

from __future__ import annotations

from pathlib import Path

import pytest

from ctxinspect.cli import run

SAMPLE = str(Path(__file__).resolve().parents[2] / "sample_sessions" / "rag_pressure.json")


def test_one_request_is_a_page(capfd: pytest.CaptureFixture[str]):
    assert run(["trace", SAMPLE, "--turn", "2", "--format", "html"]) == 0
    out, err = capfd.readouterr()
    assert err == ""
    assert out.startswith("<!DOCTYPE html>")
    assert "Token waterfall of t2" in out
    assert "<h2>ledger</h2>" in out


def test_a_whole_session_is_one_page_with_every_request(capfd: pytest.CaptureFixture[str]):
    assert run(["trace", SAMPLE, "--turn", "all", "--format", "html"]) == 0
    out = capfd.readouterr().out
    assert out.count("<!DOCTYPE html>") == 1
    for turn in range(7):
        assert f'<h2 id="t{turn}">t{turn}</h2>' in out


@pytest.mark.parametrize("style", ["text", "md", "svg"])
def test_a_whole_session_has_no_other_page(capfd: pytest.CaptureFixture[str], style: str):
    assert run(["trace", SAMPLE, "--turn", "all", "--format", style]) == 2
    out, err = capfd.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert "jsonl or html" in err
