"""The tables of a log database of `llm` as calls: what was asked, and what came back.

Fragments are put back into the texts that were built from them, so a text stands as the model saw it. Attachments
become facts; their bytes are not kept.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ctxinspect.model.session import MediaBlock, RecordedMessage, RecordedPart, TextBlock, ToolSchema
from ctxinspect.readers.container import Recording
from ctxinspect.readers.database import Row, columns_of, rows
from ctxinspect.readers.decode import JSONError
from ctxinspect.readers.media import kind_of
from ctxinspect.readers.wire.openai_chat import chat_message
from ctxinspect.readers.wire.parts import Where, linked_facts, part_of

__all__ = ["LoggedCall", "Tables"]

_Messages = tuple[RecordedMessage, ...]


@dataclass(frozen=True, slots=True)
class LoggedCall:
    """One call: its row, the messages that were sent, those and the answer, and the tools it was given."""

    row: Row
    asked: _Messages
    whole: _Messages
    tools: tuple[ToolSchema, ...] | None


class Tables:
    """Reads calls out of an open database; what a text borrows is looked up once."""

    def __init__(self, database: sqlite3.Connection, recording: Recording) -> None:
        self._database = database
        self._recording = recording
        self._fragments: dict[Any, str] = {}
        self._tables = {
            str(row[0]) for row in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        }

    # -- from 0.36: turns point into a tree of messages

    def turns(self, thread: str) -> Iterator[LoggedCall]:
        """The calls of a thread, oldest first."""
        for row in rows(self._database, "SELECT * FROM turns WHERE thread_id = ? ORDER BY id", [thread]):
            whole = self.chain(row["tip_message_hash"])
            before = len(self._hashes(row["parent_message_hash"]))
            asked = len(whole)
            while asked > 0 and whole[asked - 1].role == "assistant" and asked > before:
                asked -= 1
            yield LoggedCall(row, whole[:asked], whole, self._tools("turn_tools", "turn_id", row["id"]))

    def tip(self, thread: str) -> _Messages:
        """The messages up to where the thread stands now."""
        found = list(rows(self._database, "SELECT tip_message_hash FROM threads WHERE id = ?", [thread]))
        return self.chain(found[0]["tip_message_hash"]) if found else ()

    def chain(self, tip: Any) -> _Messages:
        """The messages from the root of the tree down to this one."""
        made: list[RecordedMessage] = []
        for row in self._hashes(tip):
            made += self._messages(row, len(made))
        return tuple(made)

    def _hashes(self, tip: Any) -> list[Row]:
        found: list[Row] = []
        seen: set[Any] = set()
        while tip is not None and tip not in seen:  # a made-up file may go round in circles
            seen.add(tip)
            row = next(rows(self._database, "SELECT * FROM messages WHERE hash = ?", [tip]), None)
            if row is None:
                break
            found.append(row)
            tip = row["parent_hash"]
        return found[::-1]

    def _messages(self, row: Row, index: int) -> list[RecordedMessage]:
        """A message of the tree; results of several tools are a message each, as they are sent."""
        where = Where(None, f"messages/{row['hash']}:$")
        parts: list[RecordedPart] = []
        statement = "SELECT * FROM parts WHERE message_hash = ? ORDER BY position"
        for number, part in enumerate(rows(self._database, statement, [row["hash"]])):
            parts += self._part(part, where.at("parts").at(number))
        role = str(row["role"])
        groups = [(part,) for part in parts] if role == "tool" else [tuple(parts)]
        return [
            RecordedMessage(
                role=role, index=index + number, shape="parts", parts=group, line=None, path=f"{where.path}[{number}]"
            )
            for number, group in enumerate(groups)
        ]

    def _part(self, row: Row, where: Where) -> list[RecordedPart]:
        payload = self._json(row["payload"])
        payload = payload if isinstance(payload, dict) else {}
        kind = row["type"]
        text = self._clear(row["text"]) if row["text"] is not None else self._joined(payload)
        if kind == "attachment":
            return [self._attachment(_identity(payload.get("attachment")), where)]
        if kind == "text":
            return part_of({"type": "text", "text": text}, where)
        if kind == "reasoning":
            hidden = payload.get("redacted") and not text
            return part_of({"type": "redacted_thinking"} if hidden else {"type": "thinking", "thinking": text}, where)
        server = payload.get("server_executed") is True
        if kind == "tool_call":
            call = {"id": payload.get("tool_call_id"), "name": payload.get("name"), "input": payload.get("arguments")}
            return part_of({"type": "server_tool_use" if server else "tool_use", **call}, where)
        if kind == "tool_result":
            return [*part_of(_result(payload, server=server), where), *self._attached(payload, where)]
        return part_of({**payload, "type": str(kind)}, where)

    def _attached(self, payload: Row, where: Where) -> list[RecordedPart]:
        given = payload.get("attachments")
        return [self._attachment(_identity(item), where) for item in given or [] if isinstance(given, list)]

    def _joined(self, payload: Row) -> str:
        """A text that was kept as pieces: literal ones, and fragments that stand elsewhere."""
        pieces = payload.get("text_ref")
        if not isinstance(pieces, list):
            return str(payload.get("text") or "")
        return "".join(
            str(piece["literal"]) if "literal" in piece else self._fragment(piece.get("fragment"))
            for piece in pieces
            if isinstance(piece, dict)
        )

    # -- until 0.35: one row is one call

    def responses(self, name: str) -> Iterator[LoggedCall]:
        """The calls of a conversation, oldest first: each sends what was said before, and more."""
        said: list[RecordedMessage] = []
        system = ""
        statement = "SELECT * FROM responses WHERE coalesce(conversation_id, id) = ? ORDER BY id"
        for row in rows(self._database, statement, [name]):
            where = Where(None, f"responses/{row['id']}:$")
            told = self._with_fragments("system_fragments", row, row.get("system"))
            if told and told != system:
                system = told
                said.append(chat_message({"role": "system", "content": told}, len(said), where.at("system")))
            for result in self._listed("tool_results", row["id"]):
                answer = {"role": "tool", "tool_call_id": result.get("tool_call_id"), "name": result.get("name")}
                answer |= {"content": self._clear(result.get("output")), "is_error": bool(result.get("exception"))}
                said.append(chat_message(answer, len(said), where.at("tool_results").at(result["id"])))
            said += self._prompt(row, len(said), where)
            asked = tuple(said)
            said.append(chat_message(self._answer(row), len(said), where.at("response")))
            yield LoggedCall(row, asked, tuple(said), self._tools("tool_responses", "response_id", row["id"]))

    def _prompt(self, row: Row, index: int, where: Where) -> list[RecordedMessage]:
        text = self._with_fragments("prompt_fragments", row, row.get("prompt"))
        place = where.at("prompt")
        media = [self._attachment(name, place) for name in self._attached_to(row["id"])]
        if not text and not media:
            return []
        parts = (TextBlock(text=text, path=place.path),) if text else ()
        return [
            RecordedMessage(
                role="user",
                index=index,
                shape="parts" if media else "string",
                parts=(*parts, *media),
                path=place.path,
            )
        ]

    def _answer(self, row: Row) -> Row:
        calls = [
            {
                "id": call.get("tool_call_id"),
                "type": "function",
                "function": {"name": call.get("name"), "arguments": self._clear(call.get("arguments"))},
            }
            for call in self._listed("tool_calls", row["id"])
        ]
        answer: Row = {"role": "assistant", "content": self._clear(row.get("response")) or None}
        if row.get("reasoning"):
            answer["reasoning"] = self._clear(row["reasoning"])
        return {**answer, "tool_calls": calls} if calls else answer

    def _with_fragments(self, table: str, row: Row, text: Any) -> str:
        """Fragments, then the text itself, joined by newlines as they are sent."""
        found: list[str] = []
        if table in self._tables:
            statement = f'SELECT fragment_id FROM {table} WHERE response_id = ? ORDER BY "order"'  # noqa: S608
            found = [self._fragment(one["fragment_id"]) for one in rows(self._database, statement, [row["id"]])]
        return "\n".join(piece for piece in (*found, self._clear(text)) if piece)

    def _listed(self, table: str, response: Any) -> Sequence[Row]:
        if table not in self._tables:
            return ()
        return list(rows(self._database, f"SELECT * FROM {table} WHERE response_id = ? ORDER BY id", [response]))  # noqa: S608

    def _attached_to(self, response: Any) -> Sequence[Any]:
        if "prompt_attachments" not in self._tables:
            return ()
        statement = 'SELECT attachment_id FROM prompt_attachments WHERE response_id = ? ORDER BY "order"'
        return [row["attachment_id"] for row in rows(self._database, statement, [response])]

    # -- what both generations share

    def _fragment(self, identity: Any) -> str:
        if identity not in self._fragments:
            row = next(rows(self._database, "SELECT content FROM fragments WHERE id = ?", [identity]), None)
            self._fragments[identity] = self._clear(row["content"]) if row else ""
        return self._fragments[identity]

    def _attachment(self, identity: Any, where: Where) -> MediaBlock:
        row = next(rows(self._database, "SELECT * FROM attachments WHERE id = ?", [identity]), None) or {}
        media_type, content = str(row.get("type") or ""), row.get("content")
        facts = linked_facts(row.get("url") or row.get("path") or identity, media_type)
        if isinstance(content, bytes):
            facts = media_type, len(content), hashlib.sha256(content).hexdigest()
        _, size, digest = facts
        return MediaBlock(
            type=kind_of(media_type), media_type=media_type, bytes=size, sha256=digest, line=where.line, path=where.path
        )

    def _tools(self, table: str, column: str, identity: Any) -> tuple[ToolSchema, ...] | None:
        if table not in self._tables or "name" not in columns_of(self._database, "tools"):
            return None
        statement = (
            f"SELECT tools.* FROM {table} JOIN tools ON tools.id = {table}.tool_id"  # noqa: S608
            f" WHERE {table}.{column} = ? ORDER BY tools.id"
        )
        made = []
        for row in rows(self._database, statement, [identity]):
            schema = self._json(row.get("input_schema"))
            parameters = schema if isinstance(schema, dict) else {}
            description = self._clear(row.get("description"))
            made.append(ToolSchema(name=str(row["name"]), description=description, parameters=parameters))
        return tuple(made) or None

    def _clear(self, text: Any) -> str:
        return self._recording.cleared(text) if isinstance(text, str) else "" if text is None else str(text)

    def _json(self, text: Any) -> Any:
        if not isinstance(text, str) or not text:
            return None
        try:
            return self._recording.reader().read_text(text)[0][0][0]
        except JSONError:
            return None


def _identity(reference: Any) -> Any:
    return reference.get("id") if isinstance(reference, dict) else None


def _result(payload: Row, *, server: bool) -> Row:
    kind = "mcp_tool_result" if server else "tool_result"
    failed = payload.get("exception") is not None
    return {
        "type": kind,
        "tool_use_id": payload.get("tool_call_id"),
        "name": payload.get("name"),
        "content": payload.get("output") or payload.get("exception") or "",
        "is_error": failed,
    }
