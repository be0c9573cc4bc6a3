"""A followed file: every load is as a fresh one, what was read is not parsed again, and a change is named."""

from __future__ import annotations

import gzip
import json
import os
import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxinspect.errors import CtxInspectError, InputError
from ctxinspect.model.session import Session, Source
from ctxinspect.readers import Follower, load
from ctxinspect.text import masking

SHARED = Path(__file__).resolve().parents[2].parent / "shared"
KEY = "sk-" + "ant-api03-" + "Qz7Rk2" * 6
CUT_SIZES = st.lists(st.integers(0, 10_000), max_size=5)


def _line(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()


def _said(number: int) -> bytes:
    role = "assistant" if number % 2 else "user"
    return _line({"role": role, "content": f"message {number}, 第{number}条"})


def _native(number: int) -> bytes:
    if number == 0:
        return _line({"format": "ctxinspect/1", "title": "Followed"})
    return _line({"user": f"question {number}", "assistant": f"answer {number}"})


def _claude(number: int) -> bytes:
    kind = "assistant" if number % 2 else "user"
    return _line(
        {
            "type": kind,
            "uuid": f"u{number}",
            "parentUuid": f"u{number - 1}" if number else None,
            "sessionId": "s",
            "timestamp": f"2025-01-01T00:00:{number % 60:02d}Z",
            "toolUseResult": {"shown": number},
            "message": {"role": kind, "id": f"m{number}", "content": [{"type": "text", "text": f"text {number}"}]},
        }
    )


def _queued(number: int) -> bytes:
    attachment = {"type": "queued_command", "prompt": f"and {number}"}
    return _line({"type": "attachment", "uuid": f"q{number}", "parentUuid": None, "attachment": attachment})


def _chunk(number: int) -> bytes:
    delta = {"role": "assistant", "content": f"piece {number} "}
    body = {"id": "c", "object": "chat.completion.chunk", "model": "m", "choices": [{"index": 0, "delta": delta}]}
    return b"data: " + _line(body) + b"\n"


ODD: tuple[bytes, ...] = (
    b"",
    b"   ",
    b'{"role":"user","content":"twice","content":"kept"}',
    b'{"role":"user","content":"one"}{"role":"assistant","content":"glued"}',
    b'{"role":"user","content":"broken',
    b'{"role":"user",}',
    b"\0\0\0\0",
    b'{"role":"user","content":"padded"}\0\0',
    b'{"role":"user","content":"caf\xe9"}',
    b'{"role":"user","content":NaN}',
    b'{"role":"user","content":"' + KEY.encode() + b'"}',
    b'{"role":"user","content":"x-api-key: ' + KEY.encode() + b'"',
    b'{"role":"user","content":"tab\there"}',
    b"no JSON at all",
)
KINDS: tuple[Callable[[int], bytes], ...] = (_said, _native, _claude, _queued, _chunk)


@st.composite
def _files(draw: st.DrawFn) -> bytes:
    """A file by lines of one kind, some of them odd; newlines of either sort, a byte order mark, and a lost newline."""
    made = draw(st.sampled_from(KINDS))
    odd = draw(st.booleans())
    lines: list[bytes] = []
    for number in range(draw(st.integers(1, 12))):
        strange = odd and draw(st.integers(0, 2)) == 0
        lines.append(draw(st.sampled_from(ODD)) if strange else made(number))
    ends = draw(st.lists(st.sampled_from((b"\n", b"\r\n")), min_size=len(lines), max_size=len(lines)))
    data = b"".join(line + end for line, end in zip(lines, ends, strict=True))
    data = (b"\xef\xbb\xbf" if draw(st.booleans()) else b"") + data
    return data if draw(st.booleans()) else data.rstrip(b"\r\n")


def _outcome(read: Callable[[], Session]) -> str:
    try:
        return read().model_dump_json()
    except CtxInspectError as error:
        return f"{type(error).__name__}: {error}"


def _stages(data: bytes, cuts: Sequence[int]) -> list[bytes]:
    return [data[: cut % (len(data) + 1)] for cut in sorted(cuts, key=lambda cut: cut % (len(data) + 1))] + [data]


@given(data=_files(), cuts=CUT_SIZES, show=st.booleans())
def test_a_followed_file_gives_what_a_fresh_load_gives(tmp_path_factory, data, cuts, show):
    path = tmp_path_factory.mktemp("followed") / "s.jsonl"
    path.write_bytes(b"")
    follower = Follower(path, show_secrets=show)
    for stage in _stages(data, cuts):
        path.write_bytes(stage)
        assert _outcome(follower.load) == _outcome(lambda: load(path, show_secrets=show))


@given(before=_files(), after=_files())
def test_a_file_that_is_written_anew_gives_what_a_fresh_load_gives(tmp_path_factory, before, after):
    path = tmp_path_factory.mktemp("followed") / "s.jsonl"
    follower = Follower(path)
    for data in (before, after, before):
        path.write_bytes(data)
        assert _outcome(follower.load) == _outcome(lambda: load(path))


@given(count=st.integers(2, 12), cuts=CUT_SIZES, made=st.sampled_from((_said, _native, _claude)))
def test_no_whole_line_is_parsed_twice(tmp_path_factory, count, cuts, made):
    data = b"".join(made(number) + b"\n" for number in range(count))
    path = tmp_path_factory.mktemp("followed") / "s.jsonl"
    path.write_bytes(b"")
    follower = Follower(path)
    lines: set[tuple[int, bytes]] = set()
    for stage in _stages(data, cuts):
        path.write_bytes(stage)
        _outcome(follower.load)
        lines |= set(enumerate(line for line in stage.split(b"\n") if line))
        assert follower.parsed_lines <= len(lines)
    assert follower.parsed_lines >= count


def _append(path: Path, data: bytes) -> None:
    with path.open("ab") as handle:
        handle.write(data)


@pytest.fixture
def path(tmp_path) -> Path:
    file = tmp_path / "s.jsonl"
    file.write_bytes(b"".join(_said(number) + b"\n" for number in range(4)))
    return file


def test_only_new_lines_are_parsed(path):
    follower = Follower(path)
    assert len(follower.load().turns) == 2
    assert follower.parsed_lines == 4
    _append(path, _said(4) + b"\n" + _said(5) + b"\n")
    assert len(follower.load().turns) == 3
    assert follower.parsed_lines == 6
    follower.load()
    assert follower.parsed_lines == 6


def test_a_line_that_was_cut_is_parsed_again_when_it_is_whole(path):
    whole = _said(4)
    _append(path, whole[:20])
    follower = Follower(path)
    source = follower.load().source
    assert isinstance(source, Source)
    assert "cut short" in source.problems[0].message
    _append(path, whole[20:] + b"\n")
    source = follower.load().source
    assert isinstance(source, Source)
    assert source.problems == ()
    assert follower.parsed_lines == 6


def test_a_last_line_that_only_gets_its_newline_is_not_parsed_again(path):
    path.write_bytes(path.read_bytes().rstrip(b"\n"))
    follower = Follower(path)
    follower.load()
    _append(path, b"\n")
    follower.load()
    assert follower.parsed_lines == 4


def test_a_secret_in_a_line_that_is_not_parsed_again_is_still_counted(path, monkeypatch):
    _append(path, _line({"role": "user", "content": f"my key is {KEY}"}) + b"\n")
    follower = Follower(path)
    first = follower.load().source
    monkeypatch.setattr(masking, "mask_value", None)
    _append(path, _said(5) + b"\n")
    later = follower.load()
    assert isinstance(first, Source)
    assert isinstance(later.source, Source)
    assert first.masked == later.source.masked == {"Anthropic API key": 1}
    assert KEY not in later.model_dump_json()


def test_lines_of_a_packed_file_are_not_parsed_again(path):
    packed = path.with_suffix(".jsonl.gz")
    packed.write_bytes(gzip.compress(path.read_bytes()))
    follower = Follower(packed)
    follower.load()
    _append(packed, gzip.compress(_said(4) + b"\n"))
    assert follower.poll() == "grown"
    assert follower.load() == load(packed)
    assert follower.parsed_lines == 5


def test_nothing_of_a_replaced_file_is_used(path):
    follower = Follower(path)
    follower.load()
    other = path.with_name("other")
    other.write_bytes(_said(2) + b"\n" + path.read_bytes())
    other.replace(path)
    assert follower.poll() == "replaced"
    assert follower.load() == load(path)
    assert follower.parsed_lines == 4 + 5


def test_an_untouched_file_is_the_same_and_appended_lines_are_growth(path):
    follower = Follower(path)
    assert follower.poll() == "grown"
    follower.load()
    assert follower.poll() == "same"
    _append(path, _said(4) + b"\n")
    assert follower.poll() == follower.poll() == "grown"
    follower.load()
    assert follower.poll() == "same"


def test_a_file_that_was_only_touched_is_the_same(path):
    follower = Follower(path)
    follower.load()
    os.utime(path, (1, 1))
    assert follower.poll() == "same"


def test_an_unchanged_file_is_not_opened_by_a_poll(path, monkeypatch):
    follower = Follower(path)
    follower.load()
    monkeypatch.setattr(Path, "open", None)
    assert follower.poll() == "same"


def test_a_file_written_anew_by_its_client_with_more_behind_has_grown(path):
    follower = Follower(path)
    follower.load()
    other = path.with_name("other")
    other.write_bytes(path.read_bytes() + _said(4) + b"\n")
    other.replace(path)
    assert follower.poll() == "grown"
    follower.load()
    assert follower.parsed_lines == 5


def test_a_file_that_lost_bytes_has_shrunk_and_is_read_anew(path):
    follower = Follower(path)
    follower.load()
    path.write_bytes(_said(0) + b"\n" + _said(1) + b"\n")
    assert follower.poll() == "shrunk"
    assert len(follower.load().turns) == 1
    assert follower.parsed_lines == 6
    assert follower.poll() == "same"


@pytest.mark.parametrize("more", [b"", b'{"role":"user","content":"more"}\n'])
def test_a_change_in_the_first_or_the_last_line_is_a_replacement(path, more):
    kept = path.read_bytes()
    for changed in (kept.replace(b"message 0", b"MESSAGE 0"), kept.replace(b"message 3", b"MESSAGE 3")):
        path.write_bytes(kept)
        follower = Follower(path)
        follower.load()
        path.write_bytes(changed + more)
        os.utime(path, (1, 1))
        assert follower.poll() == "replaced"


def test_a_change_in_the_middle_of_a_file_that_did_not_grow_is_a_replacement(path):
    path.write_bytes(b"".join(_said(number) + b"\n" for number in range(1000)))
    follower = Follower(path)
    follower.load()
    path.write_bytes(path.read_bytes().replace(b"message 500", b"MESSAGE 500"))
    os.utime(path, (1, 1))
    assert follower.poll() == "replaced"
    assert "MESSAGE 500" in follower.load().turns[250].user


def test_a_file_that_is_gone_leaves_the_last_good_session(path):
    follower = Follower(path)
    session = follower.load()
    kept = path.read_bytes()
    path.unlink()
    assert follower.poll() == "gone"
    with pytest.raises(InputError, match="no such file"):
        follower.load()
    assert follower.session is session
    path.write_bytes(kept)
    assert follower.poll() == "same"
    assert follower.load() == session
    assert follower.parsed_lines == 4


def test_a_folder_in_its_place_is_gone(path):
    follower = Follower(path)
    follower.load()
    path.unlink()
    path.mkdir()
    assert follower.poll() == "gone"


def test_a_document_is_read_whole_and_grows_by_being_written_anew(tmp_path):
    file = tmp_path / "s.json"

    def write(turns: int, title: str = "A title that is long enough to tell one document from another") -> None:
        talk = [{"user": f"u{number}", "assistant": "a"} for number in range(turns)]
        file.write_text(json.dumps({"format": "ctxinspect/1", "title": title, "turns": talk}, indent=1), "utf-8")

    write(2)
    follower = Follower(file)
    assert len(follower.load().turns) == 2
    write(3)
    assert follower.poll() == "grown"
    assert follower.load() == load(file)
    assert follower.poll() == "same"
    write(2)
    assert follower.poll() == "shrunk"
    write(9, "Another")
    assert follower.poll() == "replaced"
    assert len(follower.load().turns) == 9


def test_half_a_document_is_an_error_that_is_reported_once(tmp_path):
    file = tmp_path / "s.json"
    whole = json.dumps({"format": "ctxinspect/1", "turns": [{"user": "u", "assistant": "a"}]}, indent=1)
    file.write_text(whole, "utf-8")
    follower = Follower(file)
    session = follower.load()
    file.write_text(whole[:30], "utf-8")
    assert follower.poll() == "shrunk"
    with pytest.raises(InputError):
        follower.load()
    assert follower.session is session
    assert follower.poll() == "same"
    file.write_text(whole, "utf-8")
    assert follower.poll() == "grown"
    assert follower.load() == session


def test_a_database_grows_in_its_file_or_in_the_log_beside_it(tmp_path):
    file = tmp_path / "s.db"
    connection = sqlite3.connect(file)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("CREATE TABLE other (text)")
    connection.commit()
    follower = Follower(file)
    with pytest.raises(InputError):
        follower.load()
    assert follower.poll() == "same"
    connection.execute("INSERT INTO other VALUES ('x')")
    connection.commit()
    assert follower.poll() == "grown"
    connection.close()
    assert follower.poll() == "grown"


def test_standard_input_cannot_be_followed():
    with pytest.raises(InputError, match="standard input cannot be followed"):
        Follower("-")


def test_the_asked_thread_and_format_are_kept(path):
    follower = Follower(path, format_name="openai_chat", thread="nobody")
    assert _outcome(follower.load) == _outcome(lambda: load(path, format_name="openai_chat", thread="nobody"))


@pytest.mark.skipif(not SHARED.is_dir(), reason="the shared folder with recorded sessions is not there")
@pytest.mark.parametrize("folder", ["claude_code", "codex_cli", "pi_agent", "openai_chat", "anthropic_messages"])
def test_recorded_sessions_can_be_followed(tmp_path, folder):
    files = sorted((SHARED / "corpus" / folder).rglob("*.jsonl"), key=lambda file: (file.stat().st_size, file.name))
    for number, file in enumerate([file for file in files if file.stat().st_size < 150_000][:6]):
        data = file.read_bytes()
        copy = tmp_path / f"{number}.jsonl"
        copy.write_bytes(data[: len(data) // 2])
        follower = Follower(copy)
        _outcome(follower.load)
        copy.write_bytes(data)
        assert _outcome(follower.load) == _outcome(lambda copy=copy: load(copy))
