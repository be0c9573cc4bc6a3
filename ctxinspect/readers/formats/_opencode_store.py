"""Where opencode keeps sessions: a database with JSON in its cells, or (older) a folder with one file a part.

Both give the value that an export is: `info`, and messages with `info` and `parts`, in order.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ctxinspect.errors import InputError
from ctxinspect.model.session import Problem
from ctxinspect.readers.container import Recording, open_recording
from ctxinspect.readers.database import Row, columns_of, opened_database, rows
from ctxinspect.readers.decode import JSONError

__all__ = ["is_stored_session", "session_in", "sessions_in", "stored_session"]


def is_stored_session(value: dict[str, Any]) -> bool:
    """Whether the value is the record of a session whose messages stand in files of their own."""
    own = {"id", "projectID", "title", "time"} <= value.keys() and "messages" not in value
    return own and isinstance(value["id"], str) and value["id"].startswith("ses")


def sessions_in(recording: Recording) -> Iterator[Row]:
    """Id, parent, title, messages and turns of every session of the database, the newest first."""
    with opened_database(recording.source) as database:
        known = columns_of(database, "session")
        parent = "session.parent_id" if "parent_id" in known else "NULL"
        title = "session.title" if "title" in known else "''"
        revert = "session.revert IS NOT NULL" if "revert" in known else "0"
        changed = "session.time_updated" if "time_updated" in known else "session.id"
        yield from list(
            rows(
                database,
                f"SELECT session.id, {parent} AS parent, {title} AS title, {revert} AS reverted,"  # noqa: S608
                ' count(message.id) AS messages, count(CASE WHEN message.data LIKE \'%"role":"user"%\' THEN 1 END) AS turns'
                " FROM session LEFT JOIN message ON message.session_id = session.id"
                f" GROUP BY session.id HAVING count(message.id) > 0 ORDER BY {changed} DESC, session.id DESC",
            )
        )


def session_in(recording: Recording, name: str) -> dict[str, Any]:
    """One session of the database, as an export has it."""
    with opened_database(recording.source) as database:
        row = next(rows(database, "SELECT * FROM session WHERE id = ?", [name]))
        title = recording.cleared(str(row.get("title") or ""))
        info = {"id": name, "title": title, "revert": _value(recording, row.get("revert"), "session")}
        parts: dict[str, list[Any]] = {}
        for part in rows(
            database, "SELECT id, message_id, data FROM part WHERE session_id = ? ORDER BY message_id, id", [name]
        ):
            value = _value(recording, part["data"], f"part {part['id']}")
            parts.setdefault(part["message_id"], []).append({**value, "id": part["id"]})
        statement = "SELECT id, data FROM message WHERE session_id = ? ORDER BY time_created, id"
        messages = [
            {
                "info": {**_value(recording, message["data"], f"message {message['id']}"), "id": message["id"]},
                "parts": parts.get(message["id"], []),
            }
            for message in rows(database, statement, [name])
        ]
    return {"info": info, "messages": messages}


def _value(recording: Recording, text: Any, what: str) -> dict[str, Any]:
    """The object in a cell; what cannot be read is noted and empty."""
    if not isinstance(text, str) or not text:
        return {}
    try:
        value = recording.reader().read_text(text)[0][0][0]
    except JSONError as error:
        recording.problems.append(Problem(message=f"{what}: {error.reason}", text=recording.cleared(text)[:200]))
        return {}
    return value if isinstance(value, dict) else {}


def stored_session(recording: Recording, info: dict[str, Any], problems: list[Problem]) -> dict[str, Any]:
    """A session kept as files: `session/PROJECT/ID.json`, `message/ID/*.json`, `part/MESSAGE/*.json`."""
    path = recording.path
    if path is None:
        raise InputError("only the session's record", remedy="its messages stand in files beside it: name its path")
    store = path.resolve().parent.parent.parent
    said = _files(store / "message", info["id"], recording, problems)
    said.sort(key=lambda message: str(message.get("id")))
    messages = [
        {"info": message, "parts": _files(store / "part", message.get("id"), recording, problems)} for message in said
    ]
    return {"info": info, "messages": messages}


def _files(folder: Path, name: Any, recording: Recording, problems: list[Problem]) -> list[dict[str, Any]]:
    """The objects in the files of one folder, by name; ids rise with time, and files are named by them."""
    found: list[dict[str, Any]] = []
    if not isinstance(name, str) or Path(name).name != name:  # an id leads nowhere else
        return found
    for file in sorted((folder / name).glob("*.json")):
        try:
            inner = open_recording(file, show_secrets=recording.source.show_secrets)
            found += [record.value for record in inner.records() if isinstance(record.value, dict)]
        except InputError as error:
            problems.append(Problem(message=f"{file.name}: {error.reason}", path=file.name))
            continue
        recording.masked.update(inner.masked)
    return found
