"""Whole traces of small sessions stay what they were: written by the program, they show change, not truth. Shared expectations agree where they are present."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from ctxinspect.model.session import Session
from ctxinspect.pipeline.replay import Replay
from ctxinspect.view.jsonable import trace_json

FOLDER = Path(__file__).parent / "golden"
SHARED = Path(__file__).resolve().parents[3] / "shared" / "golden" / "check.py"
NAMES = sorted(path.name.removesuffix(".session.json") for path in FOLDER.glob("*.session.json"))


@pytest.mark.parametrize("name", NAMES)
def test_every_trace_of_a_small_session_is_what_it_was(name: str):
    replay = Replay(Session.model_validate_json((FOLDER / f"{name}.session.json").read_text("utf-8")))
    expected = [json.loads(line) for line in (FOLDER / f"{name}.expected.jsonl").read_text("utf-8").splitlines()]
    assert [json.loads(trace_json(replay.trace(*step))) for step in replay.steps] == expected


def test_the_kept_traces_are_all_compared():
    assert NAMES == ["rounds", "tight"]


def test_the_shared_expectations_agree():
    program = shutil.which("ctxinspect", path=str(Path(sys.executable).parent))
    if not SHARED.exists() or program is None:
        pytest.skip("the shared expectations are not beside this repository")
    done = subprocess.run([sys.executable, str(SHARED), program], capture_output=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout[-2000:]
