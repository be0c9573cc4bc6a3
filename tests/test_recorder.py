"""The recorder writes what the session model reads, line by line, and refuses what it could not read."""

from __future__ import annotations

import datetime as dt
import json
import re
import threading
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxinspect.errors import CtxInspectError, RecordingError
from ctxinspect.model.content import MediaPart, TextPart, ThinkingPart
from ctxinspect.model.session import Component, Round, Session, Source, ToolCall, ToolResult, ToolSchema, Turn, Usage
from ctxinspect.readers import load
from ctxinspect.recorder import Recorder
from ctxinspect.settings import Settings, WindowSettings

ROOT = Path(__file__).resolve().parents[1]


def lines(path: Path) -> list[dict[str, Any]]:
    """Every line of the file as JSON; the file ends with a line end at every moment."""
    data = path.read_bytes()
    assert data.endswith(b"\n")
    return [json.loads(line) for line in data.decode("utf-8").splitlines()]


def session(path: Path) -> Session:
    head, *turns = lines(path)
    return Session.model_validate({**head, "turns": turns})


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "run.jsonl"


def test_a_recording_read_back_is_the_session_that_was_recorded(path: Path):
    system = Component(name="system", content="Be {{mood}}.", priority=100, truncatable=False)
    tool = ToolSchema(name="look", parameters={"type": "object", "properties": {"at": {"type": "string"}}})
    settings = Settings(history="full", window=WindowSettings(context_tokens=8192))
    with Recorder(
        path,
        title="Ein Titel",
        model="gpt-4o",
        context=settings,
        components=[system],
        variables={"mood": "kind", "topology_info": None},
        tools=[tool],
        chat_tools=["say"],
    ) as rec:
        turn = rec.turn("看看天气", timestamp="2026-01-01T00:00:00Z", topic="weather", variables={"x": None})
        turn.round(
            "I look.",
            tool_calls=[ToolCall(id="c1", name="look", arguments={"at": "窗"}), {"name": "look", "arguments": '{"a":'}],
            tool_results=[ToolResult(call_id="c1", content="rain")],
            usage={"input": 10, "cached": 2, "output": 3},
        )
        turn.answer("It rains.", usage=Usage(input=20))
        rec.turn("t", source="timer", components=[{"name": "doc", "content": "d"}], resets_history=True)

    assert session(path) == Session(
        title="Ein Titel",
        model="gpt-4o",
        context=settings,
        components=(system,),
        variables={"mood": "kind", "topology_info": None},
        tools=(tool,),
        chat_tools=("say",),
        turns=(
            Turn(
                user="看看天气",
                timestamp="2026-01-01T00:00:00Z",
                topic="weather",
                variables={"x": None},
                rounds=(
                    Round(
                        assistant="I look.",
                        tool_calls=(
                            ToolCall(id="c1", name="look", arguments={"at": "窗"}),
                            ToolCall(name="look", arguments='{"a":'),
                        ),
                        tool_results=(ToolResult(call_id="c1", content="rain"),),
                        usage=Usage(input=10, cached=2, output=3),
                    ),
                ),
                assistant="It rains.",
                usage=Usage(input=20),
            ),
            Turn(user="t", source="timer", components=(Component(name="doc", content="d"),), resets_history=True),
        ),
    )


def test_content_parts_keep_their_type(path: Path):
    parts = (TextPart(text="see"), MediaPart(type="image", media_type="image/png", bytes=3), ThinkingPart(text="hm"))
    with Recorder(path) as rec:
        rec.turn(parts).answer([{"type": "text", "text": "seen"}])

    assert session(path).turns == (Turn(user=parts, assistant=(TextPart(text="seen"),)),)


def test_the_file_holds_whole_lines_after_every_step(path: Path):
    rec = Recorder(path, title="t")
    assert lines(path) == [{"format": "ctxinspect/1", "title": "t"}]
    turn = rec.turn("first")
    turn.round("thinking aloud")
    assert len(lines(path)) == 1, "a turn is written when it is over, not before"
    turn.answer("one")
    assert [line["assistant"] for line in lines(path)[1:]] == ["one"]
    rec.turn("second")
    rec.turn("third")
    assert [line["user"] for line in lines(path)[1:]] == ["first", "second"]
    rec.close()
    assert [line["user"] for line in lines(path)[1:]] == ["first", "second", "third"]


def test_a_reader_that_follows_the_file_never_sees_half_a_line(path: Path, monkeypatch: pytest.MonkeyPatch):
    seen: list[bytes] = []
    with Recorder(path) as rec:
        monkeypatch.setattr("os.write", _watching(seen))
        rec.turn("x" * 1_000_000).answer("y")
    assert [chunk[-1:] for chunk in seen] == [b"\n"], "one write for one line"


def _watching(seen: list[bytes]) -> Any:
    import os

    write = os.write

    def watched(file: int, data: bytes) -> int:
        seen.append(bytes(data))
        return write(file, data)

    return watched


def test_a_write_that_fails_half_way_leaves_no_half_line(path: Path, monkeypatch: pytest.MonkeyPatch):
    import os

    rec = Recorder(path)
    write, calls = os.write, []

    def full_disk(file: int, data: bytes) -> int:
        calls.append(len(data))
        if len(calls) > 1:
            raise OSError(28, "No space left on device")
        return write(file, data[:5])

    turn = rec.turn("a long enough line")
    monkeypatch.setattr("os.write", full_disk)
    with pytest.raises(OSError, match="No space"):
        turn.answer("b")
    monkeypatch.undo()
    assert len(lines(path)) == 1
    assert not turn.written
    turn.answer("c")
    assert lines(path)[1]["assistant"] == "c", "it can be tried again"
    rec.close()


def test_a_write_in_pieces_is_completed(path: Path, monkeypatch: pytest.MonkeyPatch):
    import os

    write = os.write
    with Recorder(path) as rec:
        monkeypatch.setattr("os.write", lambda file, data: write(file, data[:7]))
        rec.turn("a long enough line").answer("b")
    assert lines(path)[1] == {"user": "a long enough line", "assistant": "b"}


def test_fsync_is_asked_for_once_a_line(path: Path, monkeypatch: pytest.MonkeyPatch):
    synced: list[int] = []
    monkeypatch.setattr("os.fsync", synced.append)
    with Recorder(path, fsync=True) as rec:
        rec.turn("a").answer("b")
    assert len(synced) == 2


def test_an_unanswered_turn_has_no_assistant(path: Path):
    with Recorder(path) as rec:
        rec.turn("hello")
    assert lines(path)[1] == {"user": "hello"}


def test_an_exception_marks_the_open_turn_interrupted_and_passes_on(path: Path):
    def run() -> None:
        with Recorder(path) as rec:
            rec.turn("done").answer("yes")
            rec.turn("hello").round(tool_calls=[{"id": "c", "name": "t"}])
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run()
    turns = session(path).turns
    assert [turn.interrupted for turn in turns] == [False, True]
    assert turns[1].assistant is None
    assert turns[1].rounds[0].tool_calls[0].id == "c"


def test_a_turn_is_a_context_manager_of_its_own(path: Path):
    with Recorder(path) as rec:
        with rec.turn("a") as turn:
            turn.answer("b")
        with pytest.raises(ZeroDivisionError), rec.turn("c"):
            raise ZeroDivisionError
        with rec.turn("d"):
            pass
        rec.turn("e").interrupt()
    assert [(turn.user, turn.assistant, turn.interrupted) for turn in session(path).turns] == [
        ("a", "b", False),
        ("c", None, True),
        ("d", None, False),
        ("e", None, True),
    ]


def test_results_that_come_later_join_the_newest_round(path: Path):
    with Recorder(path) as rec:
        turn = rec.turn("a")
        turn.round(tool_calls=[{"id": "c1", "name": "t"}, {"id": "c2", "name": "t"}])
        turn.result("c2", "two").result("c1", "boom", is_error=True, name="t")
        turn.answer("b")
    assert session(path).turns[0].rounds[0].tool_results == (
        ToolResult(call_id="c2", content="two"),
        ToolResult(call_id="c1", content="boom", is_error=True, name="t"),
    )


def test_a_result_without_a_round_is_refused(path: Path):
    with Recorder(path) as rec, pytest.raises(RecordingError, match=r"turns\[0\]: a tool result needs a round"):
        rec.turn("a").result("c1", "x")


def test_a_written_turn_takes_nothing_more(path: Path):
    with Recorder(path) as rec:
        turn = rec.turn("a")
        turn.answer("b")
        for step in (turn.round, lambda: turn.answer("c"), lambda: turn.result("c1", "x")):
            with pytest.raises(RecordingError, match=r"turns\[0\]: this turn is written already"):
                step()
        turn.close()
        turn.interrupt()
    assert len(lines(path)) == 2


def test_a_closed_recorder_takes_nothing_more(path: Path):
    rec = Recorder(path)
    rec.close()
    rec.close()
    with pytest.raises(RecordingError, match="closed"):
        rec.turn("a")


class _Thing:
    pass


@pytest.mark.parametrize(
    ("value", "place", "reason"),
    [
        ({"when": dt.datetime(2026, 1, 1, tzinfo=dt.UTC)}, ".when", "a datetime is no JSON value"),
        ({"a": [1, {"b": _Thing()}]}, ".a[1].b", "a _Thing is no JSON value"),
        ({"a": float("nan")}, ".a", "nan is no number in JSON"),
        ({"a": b"x"}, ".a", "a bytes is no JSON value"),
        ({"a": {1: 2}}, ".a", "the key 1 is an int"),
    ],
)
def test_arguments_that_are_no_json_are_an_error_naming_the_path(path: Path, value: Any, place: str, reason: str):
    with Recorder(path) as rec:
        rec.turn("zero").answer("ok")
        turn = rec.turn("a")
        turn.round("fine")
        with pytest.raises(RecordingError) as caught:
            turn.round(tool_calls=[{"name": "ok"}, {"name": "t", "arguments": value}])
        assert str(caught.value).startswith(f"turns[1].rounds[1].tool_calls[1].arguments{place}: {reason}")
        turn.answer("still well")
    assert session(path).turns[1] == Turn(user="a", rounds=(Round(assistant="fine"),), assistant="still well")


def test_arguments_that_contain_themselves_are_an_error(path: Path):
    loop: dict[str, Any] = {}
    loop["again"] = loop
    with Recorder(path) as rec, pytest.raises(RecordingError, match="contains itself"):
        rec.turn("a").round(tool_calls=[{"name": "t", "arguments": loop}])


def test_what_the_caller_changes_later_is_not_recorded(path: Path):
    arguments = {"path": ["a"]}
    with Recorder(path) as rec:
        turn = rec.turn("a")
        turn.round(tool_calls=[{"name": "t", "arguments": arguments}])
        arguments["path"].append("b")
        turn.answer("c")
    assert session(path).turns[0].rounds[0].tool_calls[0].arguments == {"path": ["a"]}


@pytest.mark.parametrize(
    ("give", "message"),
    [
        (lambda rec: rec.turn(3), "turns[0].user: Input should be a valid string"),
        (lambda rec: rec.turn([{"type": "text", "txt": "x"}]), "turns[0].user[0]."),
        (lambda rec: rec.turn("a", components=[{"name": "c", "content": "x", "priority": 101}]), "turns[0].components[0].priority: "),
        (lambda rec: rec.turn("a", components=[{"name": "c", "content": "x", "prority": 1}]), 'turns[0].components[0].prority: no such field; did you mean "priority"?'),
        (lambda rec: rec.turn("a", components=[{"name": "c", "content": "x"}] * 2), "turns[0].components: "),
        (lambda rec: rec.turn("a", variables={"x": 3}), "turns[0].variables.x: "),
        (lambda rec: rec.turn("a").round(tool_calls=[{"id": "c"}]), "turns[0].rounds[0].tool_calls[0].name: Field required"),
        (lambda rec: rec.turn("a").round(usage={"input": -1}), "turns[0].rounds[0].usage.input: "),
        (lambda rec: rec.turn("a").answer("b", usage={"inputs": 1}), 'turns[0].usage.inputs: no such field; did you mean "input"?'),
        (lambda rec: rec.turn("a").answer(object()), "turns[0].assistant: "),
    ],
)  # fmt: skip
def test_a_value_the_model_refuses_is_an_error_naming_the_field(path: Path, give: Any, message: str):
    with Recorder(path) as rec:
        with pytest.raises(RecordingError) as caught:
            give(rec)
        assert str(caught.value).startswith(message)
        assert "\n" not in str(caught.value)
        assert isinstance(caught.value, ValueError)
        assert isinstance(caught.value, CtxInspectError)


def test_a_setting_out_of_range_is_refused_before_a_file_exists(path: Path):
    with pytest.raises(RecordingError, match=r"context\.window\.context_limit: "):
        Recorder(path, context={"window": {"context_limit": 0}})
    with pytest.raises(RecordingError, match='did you mean "strategy"'):
        Recorder(path, context={"window": {"stratgy": "balanced"}})
    assert not path.exists()


def test_a_refused_turn_leaves_the_open_one_open(path: Path):
    with Recorder(path) as rec:
        turn = rec.turn("a")
        with pytest.raises(RecordingError, match=r"turns\[1\]\.user"):
            rec.turn(3)  # type: ignore[arg-type]
        turn.answer("b")
    assert lines(path)[1:] == [{"user": "a", "assistant": "b"}]


def test_unicode_is_written_readably_and_odd_characters_survive(path: Path):
    text = "中文 é 🙂 \x00\x1b[31m \u2028 \u2029 \x85 \ufeff <|endoftext|>\r\nend"
    with Recorder(path) as rec:
        rec.turn(text).answer("好")
    raw = path.read_text("utf-8")
    assert "中文 é 🙂" in raw
    assert len(raw.splitlines()) == 2, "also for a reader that splits at every Unicode line end"
    assert session(path).turns[0].user == text


def test_lone_surrogates_survive_in_valid_utf8(path: Path):
    with Recorder(path) as rec:
        turn = rec.turn("a\ud800b")
        turn.round(tool_calls=[{"name": "t", "arguments": {"\udfff": "\udc00"}}])
        turn.answer("c")
    assert re.search(rb'"a\\ud800b"', path.read_bytes())
    (turn_read,) = session(path).turns
    assert turn_read.user == "a\ud800b"
    assert turn_read.rounds[0].tool_calls[0].arguments == {"\udfff": "\udc00"}


@given(st.text(st.characters(exclude_categories=()), max_size=30))
def test_any_text_comes_back_as_it_was(tmp_path_factory: pytest.TempPathFactory, text: str):
    path = tmp_path_factory.mktemp("any") / "run.jsonl"
    # A high surrogate before a low one is one character as soon as it is JSON.
    text = re.sub("[\ud800-\udbff](?=[\udc00-\udfff])", "", text)
    with Recorder(path) as rec:
        rec.turn(text).answer(text)
    (turn,) = session(path).turns
    assert (turn.user, turn.assistant or "") == (text, text)


def test_an_existing_file_is_not_touched_unless_asked(path: Path):
    path.write_text("precious\n")
    with pytest.raises(RecordingError, match="append=True goes on with it, overwrite=True replaces it"):
        Recorder(path)
    assert path.read_text() == "precious\n"
    with Recorder(path, overwrite=True) as rec:
        rec.turn("a")
    assert len(lines(path)) == 2


def test_appending_goes_on_with_a_recording(path: Path):
    tools = [{"name": "t"}]
    with Recorder(path, title="one", tools=tools, append=True) as rec:
        rec.turn("a").answer("b")
    with Recorder(path, title="one", tools=tools, append=True) as rec:
        turn = rec.turn("c")
        assert turn.turn_id == 1
        turn.answer("d")
    with Recorder(path, append=True) as rec:
        assert rec.turn("e").turn_id == 2
    read = session(path)
    assert read.title == "one"
    assert [turn.user for turn in read.turns] == ["a", "c", "e"]


def test_appending_under_another_header_is_refused(path: Path):
    Recorder(path, model="gpt-4o").close()
    with pytest.raises(RecordingError, match="model: not what"):
        Recorder(path, model="gpt-4o-mini", append=True)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{\n", "not a recording"),
        ('{"role": "user"}\n', "not a recording"),
        ('{"format": "ctxinspect/1", "turns": []}', "in one piece"),
    ],
)
def test_appending_to_something_else_is_refused(path: Path, text: str, message: str):
    path.write_text(text)
    with pytest.raises(RecordingError, match=message):
        Recorder(path, append=True)
    assert path.read_text() == text


def test_appending_after_a_torn_line_loses_nothing_of_either(path: Path):
    path.write_text('{"format": "ctxinspect/1"}\n{"user": "a"}\n{"user": "to')
    with Recorder(path, append=True) as rec:
        rec.turn("b").answer("c")
    assert path.read_text().splitlines()[2:] == ['{"user": "to', '{"user": "b", "assistant": "c"}']


def test_threads_write_whole_lines(path: Path):
    with Recorder(path) as rec:

        def work(name: int) -> None:
            for step in range(20):
                rec.turn(f"{name}.{step} " + "x" * 200)

        threads = [threading.Thread(target=work, args=(name,)) for name in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    users = [turn.user for turn in session(path).turns]
    assert sorted(users) == sorted(f"{name}.{step} " + "x" * 200 for name in range(4) for step in range(20))


def test_the_native_reader_reads_what_was_recorded(path: Path):
    with Recorder(path, title="t", context={"history": "full"}) as rec:
        rec.turn("a\ud800b \u2028").round(tool_calls=[{"id": "c", "name": "t", "arguments": {"x": [1]}}]).result(
            "c", "r"
        )
    read = load(path)
    assert read.turns == session(path).turns
    assert read.context == Settings(history="full")
    assert isinstance(read.source, Source)
    assert read.source.problems == ()


def test_the_example_of_the_documentation_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    page = (ROOT / "docs" / "recorder.md").read_text("utf-8")
    (example,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    monkeypatch.chdir(tmp_path)
    exec(compile(example, "docs/recorder.md", "exec"), {})
    read = session(tmp_path / "run.jsonl")
    assert read.title == "A first run"
    (turn,) = read.turns
    assert turn.assistant == "It prints hello."
    assert turn.rounds[0].tool_results == (ToolResult(call_id="call_1", content='print("hello")'),)
