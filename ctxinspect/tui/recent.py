"""Recently opened files, newest first, in the user's state folder. Losing the list is never an error."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path

from platformdirs import user_state_path

__all__ = ["recent_files", "remember"]

_KEPT = 20


def _store() -> Path:
    return user_state_path("ctxinspect", appauthor=False) / "recent.json"


def recent_files() -> list[Path]:
    """Files opened before that are still there."""
    with contextlib.suppress(OSError, ValueError):
        names = json.loads(_store().read_text("utf-8"))
        if isinstance(names, list):
            return [path for path in (Path(str(name)) for name in names) if path.is_file()]
    return []


def remember(path: Path) -> None:
    """Put a file at the top of the list."""
    with contextlib.suppress(OSError):
        resolved = path.resolve()
        names = [str(resolved), *(str(other) for other in recent_files() if other != resolved)]
        store = _store()
        store.parent.mkdir(parents=True, exist_ok=True)
        store.write_text(json.dumps(names[:_KEPT]), "utf-8")
