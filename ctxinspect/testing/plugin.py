"""The pytest plugin: the fixture `context_snapshot` and the option that approves what it finds.

Loaded at every start of pytest in an environment that has this package, so it imports nothing until a test asks.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from ctxinspect.testing.approved import ContextSnapshot

__all__ = ["context_snapshot", "pytest_addoption"]


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--approve-contexts`, which makes `context_snapshot` write instead of compare."""
    group = parser.getgroup("ctxinspect", "approved contexts of LLM sessions")
    group.addoption(
        "--approve-contexts",
        action="store_true",
        default=False,
        help="write what context_snapshot finds as the approved contexts, instead of comparing with them",
    )


@pytest.fixture
def context_snapshot(request: pytest.FixtureRequest) -> ContextSnapshot:
    """Compare a session's context with `approved/TESTFILE/TEST.context.txt` beside the test; a difference fails.

    `context_snapshot(session)`, or with a name and settings: `context_snapshot(session, "small", settings={...})`.
    """
    from ctxinspect.testing.approved import ContextSnapshot  # noqa: PLC0415 - see above

    file = Path(str(request.path))
    return ContextSnapshot(
        file.parent / "approved" / file.stem,
        request.node.nodeid.split("::", 1)[-1],
        approving=bool(request.config.getoption("--approve-contexts")),
    )
