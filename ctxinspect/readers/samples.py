"""The sample sessions: package data of an installed wheel, or the folder beside the package in a checkout."""

from __future__ import annotations

from pathlib import Path

__all__ = ["sample_paths"]


def sample_paths() -> dict[str, Path]:
    """Paths of the sample sessions by name, sorted; empty where none came with the installation."""
    package = Path(__file__).resolve().parent.parent
    for folder in (package / "sample_sessions", package.parent / "sample_sessions"):
        found = sorted(folder.glob("*.json")) if folder.is_dir() else []
        if found:
            return {path.stem: path for path in found}
    return {}
