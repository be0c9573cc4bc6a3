"""The tables of the gatekeeper's page are those of the code."""

from __future__ import annotations

import json
import re
from pathlib import Path

from ctxinspect.gatekeeper.selection import _STAGE_OF_RULE
from ctxinspect.settings import GatekeeperSettings

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "gatekeeper.md").read_text("utf-8")


def section(title):
    return PAGE.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def test_the_settings_table_is_that_of_the_settings():
    shown = re.findall(r"^\| `(\w+)` \| (.*?) \| (.*?) \|$", section("Settings"), re.MULTILINE)
    assert shown == [
        (name, json.dumps(field.default), field.description) for name, field in GatekeeperSettings.model_fields.items()
    ]


def test_every_rule_that_decides_on_a_turn_is_explained():
    shown = re.findall(r"^\| `(\w+)` \|", section("What comes along"), re.MULTILINE)
    assert set(shown) == {*_STAGE_OF_RULE, "recent", "history_reset", "no_shared_anchor"}
