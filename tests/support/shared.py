"""Where real recordings and failure cases of others lie, and the words with which a test skips where they do not."""

from __future__ import annotations

from pathlib import Path

import pytest

__all__ = ["case_file", "corpus_files", "shared_folder"]

_ROOT = Path(__file__).resolve().parents[2] / ".." / "shared"


def shared_folder(name: str) -> Path:
    """The folder of this name beside the repository; skips the test where it is absent."""
    folder = (_ROOT / name).resolve()
    if not folder.is_dir():
        pytest.skip(f"the folder ../shared/{name} is not here; it holds material of others and is not part of the code")
    return folder


def case_file(number: str) -> Path:
    """The input of a failure case by its number, such as `"023"`."""
    found = sorted(shared_folder("cases").glob(f"{number}-*"))
    if not found:
        pytest.skip(f"case {number} is not in ../shared/cases")
    return found[0]


def corpus_files(format_name: str) -> list[Path]:
    """All recordings of one format; skips where there are none."""
    folder = shared_folder("corpus") / format_name
    found = sorted(path for path in folder.rglob("*") if path.is_file()) if folder.is_dir() else []
    if not found:
        pytest.skip(f"no recordings of {format_name} in ../shared/corpus")
    return found
