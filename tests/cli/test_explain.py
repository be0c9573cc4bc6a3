"""`explain`: every rule by its name or another one; without a rule, a line for each."""

from __future__ import annotations

import pytest

from ctxinspect.cli import run
from ctxinspect.trace.codes import ALIASES, RULES, explain


def test_without_a_rule_every_rule_has_a_line(capfd: pytest.CaptureFixture[str]):
    assert run(["explain"]) == 0
    out, err = capfd.readouterr()
    assert err == ""
    assert [line.split(" ")[0] for line in out.splitlines()] == sorted(RULES)
    assert all(rule.meaning in out for rule in RULES.values())


@pytest.mark.parametrize("name", ["orphan-result", "Orphan-Result", *ALIASES])
def test_a_rule_is_explained_by_any_of_its_names(capfd: pytest.CaptureFixture[str], name: str):
    assert run(["explain", name]) == 0
    assert capfd.readouterr().out == explain(name)


def test_a_rule_that_is_none_names_the_nearest(capfd: pytest.CaptureFixture[str]):
    assert run(["explain", "orfan-result"]) == 2
    out, err = capfd.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert "orphan-result" in err
