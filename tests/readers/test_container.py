"""Containers: what is damaged is named with its line, and everything after it is read."""

from __future__ import annotations

import gzip
import io
import json
import os
import threading
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard

from ctxinspect.errors import InputError
from ctxinspect.readers import load_bytes
from ctxinspect.readers.container import open_recording
from ctxinspect.readers.unpack import ByteSource


def _values(data: bytes) -> list[object]:
    return [record.value for record in open_recording(data).records()]


def _problems(data: bytes) -> list[tuple[int | None, str, bool]]:
    recording = open_recording(data)
    list(recording.records())
    return [(problem.line, problem.severity, problem.lost) for problem in recording.problems]


def test_lines_are_records_with_their_physical_line():
    recording = open_recording(b'{"a":1}\n\n{"b":2}\n')
    assert [(record.value, record.line) for record in recording.records()] == [({"a": 1}, 1), ({"b": 2}, 3)]
    assert recording.kind == "jsonl"
    assert (recording.records_read, recording.records_skipped) == (2, 0)


def test_a_document_over_several_lines_is_one_record():
    recording = open_recording(b'{\n "a": [1,\n 2]\n}\n')
    assert recording.kind == "json"
    assert [record.value for record in recording.records()] == [{"a": [1, 2]}]


def test_documents_in_a_row_are_records_with_the_line_they_start_on():
    recording = open_recording(b'{\n "a": 1\n}\n{\n "b": 2\n}\n')
    assert recording.kind == "json-seq"
    assert [(record.value, record.line) for record in recording.records()] == [({"a": 1}, 1), ({"b": 2}, 4)]


def test_glued_objects_are_parted_and_braces_inside_strings_are_not():
    data = b'{"a":"}{"}{"b":2}\n{"c":3}\n'
    assert _values(data) == [{"a": "}{"}, {"b": 2}, {"c": 3}]
    assert _problems(data) == [(1, "warning", False)]


def test_a_broken_line_is_named_and_the_rest_is_read():
    data = b'{"a":1}\n{"b":\n{"c":3}\n'
    assert _values(data) == [{"a": 1}, {"c": 3}]
    assert _problems(data) == [(2, "error", True)]


def test_a_last_line_without_newline_that_ends_early_is_cut_short():
    recording = open_recording(b'{"a":1}\n{"b":"and')
    list(recording.records())
    assert "cut short" in recording.problems[0].message
    assert recording.problems[0].text == '{"b":"and'


def test_a_whole_last_line_without_newline_is_no_problem():
    assert _problems(b'{"a":1}\n{"b":2}') == []


def test_a_line_of_nul_bytes_is_skipped_and_padding_is_stripped():
    data = b'{"a":1}\n' + b"\0" * 30 + b'\n{"b":2}' + b"\0" * 5 + b"\n"
    assert _values(data) == [{"a": 1}, {"b": 2}]
    assert _problems(data) == [(2, "error", True), (3, "warning", False)]


def test_bytes_that_are_no_utf8_become_replacement_characters_with_a_warning():
    data = b'{"a":"caf\xe9"}\n{"b":"\xe8\xaf\xbb"}\n'
    assert _values(data) == [{"a": "caf\ufffd"}, {"b": "读"}]
    assert _problems(data) == [(1, "warning", False)]


def test_only_a_newline_ends_a_line():
    data = '{"a":"x\u2028y\u0085z\x0bw"}\n{"b":1}\n'.encode()
    assert [len(str(value)) > 0 for value in _values(data)] == [True, True]
    assert _values(data)[0] == {"a": "x\u2028y\u0085z\x0bw"}


def test_what_is_no_json_number_is_kept_as_text_and_noted():
    data = b'{"a":NaN,"b":1e999}\n{"c":' + b"7" * 5000 + b"}\n"
    first, second = _values(data)
    assert first == {"a": "NaN", "b": "1e999"}
    assert second == {"c": "7" * 5000}
    assert json.dumps([first, second], allow_nan=False)
    assert {line for line, _, _ in _problems(data)} == {1, 2}


def test_a_key_that_stands_twice_is_noted():
    assert _values(b'{"a":1,"a":2}\n{}\n') == [{"a": 2}, {}]
    assert _problems(b'{"a":1,"a":2}\n{}\n') == [(1, "warning", False)]


def test_deep_nesting_is_an_error_and_no_crash():
    with pytest.raises(InputError, match="nested too deeply"):
        open_recording(b"[" * 200_000)
    assert _problems(b'{"a":1}\n' + b'{"a":' * 100_000 + b"\n") == [(2, "error", True)]


@pytest.mark.parametrize("data", [b"", b" \n\t\n", b"\0\0\0", b"\xef\xbb\xbf"])
def test_an_empty_file_is_an_error(data: bytes):
    with pytest.raises(InputError, match="the file is empty"):
        open_recording(data)


def test_broken_json_names_line_column_and_reason():
    with pytest.raises(InputError) as caught:
        open_recording(b'{\n  "a": 1,\n  "b" 2\n}', name="f.json")
    assert caught.value.line == 3
    assert str(caught.value).startswith("f.json:3: expecting ':' delimiter (column 7)")
    assert caught.value.remedy


def test_a_document_that_ends_early_is_cut_short():
    with pytest.raises(InputError, match="cut short"):
        open_recording(b'{\n "a": [1,\n')


def test_server_sent_events_are_records():
    data = b'event: x\ndata: {"a":1}\n\n: comment\ndata: {"b":\ndata: 2}\n\ndata: [DONE]\n\n'
    recording = open_recording(data)
    assert recording.kind == "sse"
    assert [record.value for record in recording.records()] == [{"a": 1}, {"b": 2}]


def test_gzip_zstd_and_utf16_are_unpacked():
    plain = b'{"a":1}\n{"b":2}\n'
    packed = [gzip.compress(plain), zstandard.ZstdCompressor().compress(plain), plain.decode().encode("utf-16")]
    assert [_values(data) for data in packed] == [[{"a": 1}, {"b": 2}]] * 3
    assert open_recording(packed[0]).container == "jsonl in gzip"


def test_damaged_gzip_is_an_input_error():
    with pytest.raises(InputError, match="damaged"):
        open_recording(gzip.compress(b'{"a":1}\n' * 100)[:-12])


def test_a_zip_with_one_json_file_is_that_file_and_others_list_their_members():
    def packed(names: list[str]) -> bytes:
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w") as archive:
            for name in names:
                archive.writestr(name, '{"a":1}')
        return out.getvalue()

    assert _values(packed(["x.json"])) == [{"a": 1}]
    recording = open_recording(packed(["x.json", "y.txt"]))
    assert recording.kind == "zip"
    assert recording.sample().members == ("x.json", "y.txt")
    assert recording.source.member("x.json") == b'{"a":1}'
    assert open_recording(packed(["x.json"])).container == "json in zip"
    with pytest.raises(InputError, match=r"files x\.json, y\.json; unpack it"):
        load_bytes(packed(["x.json", "y.json"]))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="named pipes are of POSIX systems")
def test_a_named_pipe_is_read_once_and_looked_at_as_often_as_needed(tmp_path: Path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(b'{"a":1}\n{"a":2}\n',), daemon=True)
    writer.start()
    recording = open_recording(pipe)
    writer.join(10)
    assert recording.sample().values == ({"a": 1}, {"a": 2})
    assert [record.value for record in recording.records()] == [{"a": 1}, {"a": 2}]
    assert (recording.name, recording.path) == (str(pipe), None)


@pytest.fixture
def low_caps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ctxinspect.readers.unpack.SMALL_CAP", 1000)
    monkeypatch.setattr("ctxinspect.readers.unpack.RATIO_CAP", 20)


def _zip(**members: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return out.getvalue()


@pytest.mark.usefixtures("low_caps")
@pytest.mark.parametrize("pack", [gzip.compress, zstandard.ZstdCompressor().compress])
def test_what_unpacks_to_more_than_the_cap_is_refused_with_and_without_newlines(pack: Callable[[bytes], bytes]):
    for bomb in (b"x" * 90_000, b'{"a":"' + b"x" * 90_000 + b'"}', b'{"a":1}\n' * 9_000):
        with pytest.raises(InputError, match="unpacks to more"):
            ByteSource(pack(bomb), None, "f").read()
    for bomb in (b'{"a":"' + b"x" * 90_000, b'{"a":1}\n' * 9_000):
        with pytest.raises(InputError, match="unpacks to more"):
            list(open_recording(pack(bomb)).records())


@pytest.mark.usefixtures("low_caps")
def test_the_members_of_a_zip_are_capped_together_whatever_sizes_they_claim():
    one = ByteSource(_zip(a=b"x" * 90_000), None, "f")
    with pytest.raises(InputError, match="unpacks to more"):
        one.member("a")
    many = ByteSource(_zip(a=b"x" * 900, b=b"y" * 900, c=b"z" * 3_000), None, "f")
    assert len(many.member("a")) == 900
    with pytest.raises(InputError, match="unpacks to more"):
        [many.member(name) for name in ("b", "c", "c")]


def test_ordinary_logs_that_pack_well_are_no_bombs():
    data = gzip.compress(b'{"a":"the same words again and again"}\n' * 50_000)
    assert sum(1 for _ in open_recording(data).records()) == 50_000


def test_a_byte_order_mark_and_carriage_returns_are_no_content():
    recording = open_recording(b'\xef\xbb\xbf{"a":"x"}\r\n{"b":"y\\r\\n"}\r\n')
    assert [(r.value, r.line) for r in recording.records()] == [({"a": "x"}, 1), ({"b": "y\r\n"}, 2)]
    assert recording.problems == []
    assert _values(b'\xef\xbb\xbf{\r\n "a": 1\r\n}') == [{"a": 1}]


def test_huge_numbers_are_kept_as_text_and_noted():
    digits = b"9" * 5000
    assert _values(b'{"a":' + digits + b"}\n{}\n") == [{"a": digits.decode()}, {}]
    assert _values(b'{"a":1e999,"b":-1e999}') == [{"a": "1e999", "b": "-1e999"}]
    assert [problem[1:] for problem in _problems(b'{"a":' + digits + b"}\n{}\n")] == [("warning", False)]


def test_lone_surrogates_are_read_as_they_stand():
    assert _values(b'{"a":"\\ud83d","b":"\\ud83d\\ude80"}') == [{"a": "\ud83d", "b": "\U0001f680"}]


def test_a_line_with_a_secret_that_is_cut_short_shows_no_part_of_it_that_is_known():
    key = b"ghp_" + b"a1" * 20
    recording = open_recording(b'{"a":1}\n{"key":"' + key + b'", "and')
    list(recording.records())
    assert key[:12].decode() not in recording.problems[0].text
    assert "[masked GitHub token" in recording.problems[0].text


def test_progress_only_goes_forward_and_ends_at_the_size(tmp_path: Path):
    file = tmp_path / "f.jsonl"
    file.write_bytes(b'{"a":"%s"}\n' % (b"x" * 1000) * 1000)
    seen: list[tuple[int, int]] = []
    recording = open_recording(file, progress=lambda done, total: seen.append((done, total)))
    assert sum(1 for _ in recording.records()) == 1000
    assert seen == sorted(seen)
    assert len(seen) > 2
    assert seen[-1] == (file.stat().st_size, file.stat().st_size)


def test_missing_files_and_directories_are_one_line_errors(tmp_path: Path):
    for path, reason in ((tmp_path / "none.json", "no such file"), (tmp_path, "is a directory")):
        with pytest.raises(InputError, match=reason) as caught:
            open_recording(path)
        assert str(path) in str(caught.value)
        assert "\n" not in str(caught.value)
        assert caught.value.remedy


def test_reading_again_counts_anew():
    recording = open_recording(b'{"a":1}\nbroken\n{"b":2}\n')
    for _ in range(2):
        assert len(list(recording.records())) == 2
        assert (recording.records_read, recording.records_skipped, len(recording.problems)) == (2, 1, 1)
