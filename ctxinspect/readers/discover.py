"""The sessions that known tools left on this machine, newest first. Only names, times and first words are looked at."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from ctxinspect.readers.folder import FoundSession, opening_words

__all__ = ["machine_sessions"]


def machine_sessions(home: Path | None = None, environ: Mapping[str, str] | None = None) -> Iterator[FoundSession]:
    """Sessions of Claude Code, Codex, Gemini CLI, pi and opencode, newest first; titles are read as they are given.

    `home` and `environ` are those of the user unless given. Folders that are not there, or not readable, hold none.
    """
    own = home or Path.home()
    variables = os.environ if environ is None else environ
    found = [
        (-entry.st_mtime, str(file), name, entry.st_size)
        for name, folder, pattern in _places(own, variables)
        for file in _files(folder, pattern)
        if (entry := _entry(file)) is not None
    ]
    for negated, path, name, size in sorted(set(found)):
        yield FoundSession(Path(path), name, opening_words(Path(path)), -negated, size)


def _places(home: Path, environ: Mapping[str, str]) -> Iterator[tuple[str, Path, str]]:
    """(format, folder, glob) of every tool; sub-agent files open from their session and are not listed."""
    claude = Path(environ.get("CLAUDE_CONFIG_DIR") or home / ".claude")
    codex = Path(environ.get("CODEX_HOME") or home / ".codex")
    yield "claude_code", claude / "projects", "*/*.jsonl"
    for folder in ("sessions", "archived_sessions"):
        for suffix in ("jsonl", "jsonl.zst"):
            yield "codex_cli", codex / folder, f"**/rollout-*.{suffix}"
    for suffix in ("json", "jsonl"):
        yield "gemini_cli", home / ".gemini" / "tmp", f"*/chats/session-*.{suffix}"
    yield "pi_agent", home / ".pi" / "agent" / "sessions", "**/*.jsonl"
    data = Path(environ.get("XDG_DATA_HOME") or home / ".local" / "share")
    yield "opencode", data / "opencode", "opencode*.db"
    yield "opencode", data / "opencode" / "storage" / "session", "*/ses_*.json"


def _files(folder: Path, pattern: str) -> Iterator[Path]:
    try:
        yield from (file for file in folder.glob(pattern) if not file.name.startswith("agent-"))
    except OSError:
        return


def _entry(file: Path) -> os.stat_result | None:
    try:
        return file.stat() if file.is_file() else None
    except OSError:
        return None
