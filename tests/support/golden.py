"""The golden requests of the specification, where they are present beside the repository."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ctxinspect.model.session import Session

__all__ = ["GOLDEN", "expected_requests", "golden_session", "session_files"]

GOLDEN = Path(__file__).resolve().parents[3] / "shared" / "golden"


def session_files() -> list[Any]:
    """One parameter per golden session; a skipped one where the folder is absent."""
    files = sorted(GOLDEN.glob("*.session.json"))
    if not files:
        return [pytest.param(None, marks=pytest.mark.skip(reason=f"no golden sessions in {GOLDEN.name}"))]
    return [pytest.param(file, id=file.name.partition(".")[0]) for file in files]


def golden_session(file: Path) -> Session:
    """The session in a golden file."""
    return Session.model_validate_json(file.read_text("utf-8"))


def expected_requests(file: Path) -> list[dict[str, Any]]:
    """The expected lines of a golden session, one per request."""
    name = file.name.replace(".session.json", ".expected.jsonl")
    return [json.loads(line) for line in file.with_name(name).read_text("utf-8").splitlines()]
