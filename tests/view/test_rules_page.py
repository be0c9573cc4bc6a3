"""The page of rules: every rule has its section, and the committed page is the generated one."""

from __future__ import annotations

from pathlib import Path

import pytest

from ctxinspect.trace.codes import RULES
from ctxinspect.view.rules_page import rules_page

PAGE = Path(__file__).resolve().parents[2] / "docs" / "rules.md"


@pytest.mark.parametrize("code", sorted(RULES))
def test_every_rule_has_a_row_and_a_section(code):
    page = rules_page()
    assert f"\n## {code}\n" in page
    assert f"| [`{code}`](#{code}) |" in page


def test_the_committed_page_is_the_generated_one():
    if not PAGE.is_file():
        pytest.skip("docs/rules.md is not part of this installation")
    assert PAGE.read_text(encoding="utf-8") == rules_page(), "docs/rules.md is out of date: write rules_page() to it"
