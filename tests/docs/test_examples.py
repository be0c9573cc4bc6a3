"""Every Python block of the documentation is run, block after block of a page in one namespace, in an empty folder.

A block that is only a fragment says so on its fence (```python fragment) and is not run.
"""

from __future__ import annotations

import logging
import re
from pathlib import Path

import pytest

DOCS = Path(__file__).resolve().parents[2] / "docs"
BLOCK = re.compile(r"^```python\n(.*?)^```", re.DOTALL | re.MULTILINE)


def blocks(text):
    """(line of the first statement, source) of every Python block."""
    return [(text.count("\n", 0, found.start(1)) + 1, found[1]) for found in BLOCK.finditer(text)]


def run_page(path):
    namespace = {"__name__": "example"}
    for line, source in blocks(path.read_text("utf-8")):
        exec(compile("\n" * (line - 1) + source, str(path), "exec"), namespace)


@pytest.mark.parametrize("page", sorted(DOCS.glob("*.md")), ids=lambda page: page.name)
def test_the_examples_of_a_page_run(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run_page(page)


def test_a_broken_example_is_seen_with_its_line(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("# Page\n\n```python\nx = 1\n```\n\n```python\nassert x == 2\n```\n", "utf-8")
    with pytest.raises(AssertionError) as caught:
        run_page(page)
    assert caught.traceback[-1].lineno + 1 == 8


def test_the_log_shown_for_the_hook_is_what_it_logs(caplog):
    caplog.set_level(logging.INFO)
    page = DOCS / "window.md"
    run_page(page)
    shown = re.search(r"It logs, for this call:\n\n((?:    .*\n)+)", page.read_text("utf-8"))
    assert shown is not None
    assert [record.message for record in caplog.records] == [line.strip() for line in shown[1].splitlines()]
