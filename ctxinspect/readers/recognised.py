"""Files that are known by what is in them and are no session that can be read: each is named, with what to do instead.

Side files of tools, schemas, and formats that come later. Recognition is by content; none of these shapes is a session
of a format that is read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from ctxinspect.readers.container import Sample

__all__ = ["RECOGNISED", "Recognised", "recognise"]

_FLOW = re.compile(rb"\d+:\d+:")
_CODE = re.compile(
    r"\s*(?:#!|//|/\*|import |export |const |let |var |from \w+ import |def |class |package |use |fn |<\?php|\"use strict)"
)
_CASSETTE = re.compile(r"(?:\A|\n)interactions:\s*\n")


@dataclass(frozen=True, slots=True)
class Recognised:
    """A kind of file: what it is, what would be right, and how it is recognised."""

    name: str
    what: str
    remedy: str
    fits: Callable[[Sample], bool]

    @property
    def sentence(self) -> str:
        """What it is and what to do, on one line."""
        return f"{self.what}; {self.remedy}"


def recognise(sample: Sample) -> Recognised | None:
    """The kind of file that the sample is, or None."""
    for known in RECOGNISED:
        try:
            if known.fits(sample):
                return known
        except (KeyError, TypeError, AttributeError, IndexError, ValueError, RecursionError):
            continue
    return None


def _rows(sample: Sample) -> list[Any]:
    """The records, or the items of a document that is one list."""
    document = sample.document
    return document[:60] if isinstance(document, list) else list(sample.values)


def _most(sample: Sample, *keys: str, holds: Callable[[dict[str, Any]], bool] = lambda _: True) -> bool:
    """Whether nine in ten rows are objects with these keys for which `holds`."""
    rows = _rows(sample)
    good = sum(isinstance(row, dict) and set(keys) <= row.keys() and holds(row) for row in rows)
    return bool(rows) and good * 10 >= len(rows) * 9


def _one(sample: Sample, *keys: str) -> dict[str, Any] | None:
    document = sample.document
    return document if isinstance(document, dict) and set(keys) <= document.keys() else None


def _tables(sample: Sample, *names: str) -> bool:
    return sample.kind == "sqlite" and set(names) <= set(sample.members)


def _text(sample: Sample) -> str:
    return sample.head[:4096].decode("utf-8", errors="replace") if sample.kind == "text" else ""


def _begins(value: Any, *starts: str) -> bool:
    return isinstance(value, str) and value.startswith(starts)


def _is_schema(sample: Sample) -> bool:
    document = _one(sample)
    if document is None:
        return False
    if _begins(document.get("$schema"), "http://json-schema.org", "https://json-schema.org"):
        return True
    shape = document.keys() & {"$defs", "definitions", "properties", "items", "oneOf", "anyOf"}
    return bool(shape) and document.get("type") in ("object", "array", None) and "messages" not in document


def _is_expected(sample: Sample) -> bool:
    document = _one(sample)
    inner: Iterable[Any] = (document or {}).values()
    return bool(document) and all(
        isinstance(value, dict) and all(isinstance(part, dict) and "success" in part for part in value.values())
        for value in inner
    )


def _is_ui_stream(sample: Sample) -> bool:
    return _most(sample, "input", holds=lambda row: isinstance(row["input"].get("chunks"), list))


def _is_code_chat(sample: Sample) -> bool:
    if _one(sample, "requests", "responderUsername") is not None:
        return True
    return _most(sample, "kind", holds=lambda row: row["kind"] in (0, 1, 2) and bool(row.keys() & {"v", "k"}))


def _is_lite_llm(sample: Sample) -> bool:
    return _most(sample, "standard_logging_object") or _most(
        sample, "call_type", "request_id", holds=lambda row: "spend" in row or "proxy_server_request" in row
    )


_LATER = "this format is not read yet"

RECOGNISED: tuple[Recognised, ...] = (
    Recognised("json_schema", "a JSON Schema", "it describes files and is no session itself", _is_schema),
    Recognised(
        "cline_ui",
        "the screen log of a Cline task",
        "open api_conversation_history.json beside it, which holds what was sent",
        lambda sample: _most(sample, "ts", "type", holds=lambda row: row["type"] in ("say", "ask")),
    ),
    Recognised(
        "cline_metadata",
        "the metadata of a Cline task",
        "open api_conversation_history.json beside it",
        lambda sample: _one(sample, "files_in_context", "model_usage") is not None,
    ),
    Recognised(
        "claude_code_history",
        "the list of prompts of Claude Code",
        "the sessions are in projects/ beside it",
        lambda sample: _most(sample, "display", "timestamp", "project"),
    ),
    Recognised(
        "codex_history",
        "the list of prompts of Codex",
        "the sessions are in sessions/ beside it, as rollout-*.jsonl",
        lambda sample: _most(sample, "session_id", "ts", "text"),
    ),
    Recognised(
        "gemini_cli_log",
        "the list of prompts of Gemini CLI",
        "the sessions are in chats/ beside it, as session-*",
        lambda sample: _most(sample, "sessionId", "messageId", "type", "message"),
    ),
    Recognised(
        "opencode_piece",
        "one message or part of an opencode session",
        "open the session's own file: storage/session/PROJECT/ses_….json",
        lambda sample: _most(
            sample, "id", "sessionID", holds=lambda row: _begins(row["id"], "msg", "prt") and "parts" not in row
        ),
    ),
    Recognised("langfuse_expected", "expected results of a test", "open the trace beside it", _is_expected),
    Recognised(
        "ui_stream_fixtures", "fixtures of a UI message stream", "open a list of UI messages instead", _is_ui_stream
    ),
    Recognised(
        "litellm",
        "a LiteLLM log",
        f"{_LATER}; save its messages and response as JSON",
        _is_lite_llm,
    ),
    Recognised(
        "copilot_cli",
        "an event log of Copilot CLI",
        _LATER,
        lambda sample: _most(
            sample, "type", "data", "id", "parentId", holds=lambda row: "." in row["type"] and "message" not in row
        ),
    ),
    Recognised(
        "vscode_chat", "a chat session of VS Code", f"{_LATER}; export it as chat replay instead", _is_code_chat
    ),
    Recognised(
        "lhar",
        "an LHAR log",
        f"{_LATER}; save the calls as HTTP archive",
        lambda sample: (
            _most(sample, "type", holds=lambda row: row["type"] in ("session", "entry"))
            and len(sample.values) > 1
            and sample.values[1].get("type") == "entry"
        ),
    ),
    Recognised(
        "vcr",
        "a VCR cassette (YAML)",
        f"{_LATER}; save its bodies as JSON, one request and response a line",
        lambda sample: bool(_CASSETTE.search(_text(sample))),
    ),
    Recognised(
        "mitmproxy",
        "a mitmproxy flow file",
        f"{_LATER}; save it as HTTP archive: mitmdump -nr FILE --set hardump=out.har",
        lambda sample: bool(_FLOW.match(sample.head)),
    ),
    Recognised(
        "langgraph_checkpoints",
        "a checkpoint database of LangGraph",
        "its rows are packed objects and are not opened; dump the messages as JSON",
        lambda sample: _tables(sample, "checkpoints", "writes"),
    ),
    Recognised(
        "cursor_state",
        "the state database of Cursor or VS Code",
        _LATER,
        lambda sample: sample.kind == "sqlite" and bool({"cursorDiskKV", "ItemTable"} & set(sample.members)),
    ),
    Recognised(
        "codex_state",
        "an index database of Codex",
        "the sessions are in sessions/ beside it, as rollout-*.jsonl",
        lambda sample: _tables(sample, "threads", "_sqlx_migrations"),
    ),
    Recognised(
        "parquet",
        "a Parquet table",
        "save its rows as JSON Lines",
        lambda sample: sample.head.startswith(b"PAR1"),
    ),
    Recognised(
        "pickle",
        "a Python pickle",
        "it is never loaded, since loading runs what is in it; save the messages as JSON",
        lambda sample: (
            sample.kind == "binary" and sample.head[:2] in (b"\x80\x02", b"\x80\x03", b"\x80\x04", b"\x80\x05")
        ),
    ),
    Recognised(
        "source_code",
        "source code",
        "nothing in it is run; write the object that it makes as JSON",
        lambda sample: bool(_CODE.match(_text(sample))),
    ),
)
"""Most specific first."""
