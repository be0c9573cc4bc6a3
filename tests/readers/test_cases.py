"""Failure cases that people reported, as far as a reader answers them."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import pytest

from ctxinspect.model.content import content_text
from ctxinspect.model.session import MediaPart, OtherPart, RecordedMessage, Session, Source
from ctxinspect.readers import load
from tests.support.shared import case_file, corpus_files


def _load(number: str) -> Session:
    return load(case_file(number))


def _messages(session: Session) -> tuple[RecordedMessage, ...]:
    return session.recorded[0].messages


def _source(session: Session) -> Source:
    assert isinstance(session.source, Source)
    return session.source


def _problems(session: Session) -> list[tuple[int | None, str, str]]:
    return [(problem.line, problem.rule, problem.severity) for problem in _source(session).problems]


def _sketch(session: Session) -> str:
    """Roles in short: `S U A[c1] T(c1)`; results inside user messages too."""
    words: list[str] = []
    for message in _messages(session):
        if message.calls:
            words.append(f"A[{','.join(str(call.id) for call in message.calls)}]")
        elif message.results:
            words += [f"T({result.call_id})" for result in message.results]
        else:
            words.append({"system": "S", "user": "U", "assistant": "A"}[message.role])
    return " ".join(words)


@pytest.mark.parametrize(
    ("number", "sketch"),
    [
        ("001", "S U A[call_soil,call_vent] T(call_soil) U"),
        ("002", "S T(call_old) A U"),
        ("013", "U A[call_l,call_p] T(call_p) T(call_l) A"),
        ("016", "U A[toolu_7] T(toolu_7)"),
        ("023", "U A[toolu_arc] U U"),
        ("055", "U A[toolu_1] T(toolu_1) A"),
        ("069", "U A U A U"),
        ("070", "U A"),
        ("072", "U A U A"),
        ("074", "U A"),
        ("077", "U A"),
        ("080", "U A U"),
        ("081", "U A[toolu_b1,toolu_b2] T(toolu_b1) T(toolu_b2) A"),
        ("082", "U A U U A"),
        ("084", "U A U"),
    ],
)
def test_the_messages_are_those_that_were_sent(number: str, sketch: str):
    assert _sketch(_load(number)) == sketch


def test_a_reused_id_pairs_with_the_nearest_open_call():
    turns = _load("004").turns
    assert [turn.rounds[0].tool_results[0].content for turn in turns] == ["12 C", "15 C"]


def test_a_late_result_goes_to_its_call_and_replays_stay_unpaired():
    assert [len(turn.rounds) for turn in _load("010").turns] == [1, 0]
    replayed = _load("015").turns[0]
    assert [result.content for result in replayed.rounds[0].tool_results] == ["38 %", "full sun"] * 2
    assert replayed.assistant == "38 %, full sun."


def test_the_interruption_note_is_the_clients_and_the_latest_person_speaks_last():
    session = _load("023")
    assert [(turn.source, turn.interrupted) for turn in session.turns][:2] == [("user", True), ("client", False)]
    assert session.turns[-1].source == "user"
    assert _messages(session)[1].parts[1].line == 3


def test_images_are_facts_and_no_text():
    session = _load("052")
    images = [part for message in _messages(session) for part in message.parts if isinstance(part, MediaPart)]
    assert [(image.media_type, image.bytes) for image in images] == [("image/png", 3000)] * 3
    assert len(session.model_dump_json()) < 6000


def test_usage_is_the_last_of_each_message():
    turn = _load("055").turns[0]
    reported = [turn.rounds[0].usage, turn.usage]
    assert [usage.input for usage in reported if usage] == [910, 962]
    assert [usage.output for usage in reported if usage] == [57, 3]


def test_odd_contents_open_and_say_what_is_wrong():
    messages = _messages(_load("057"))
    assert [message.shape for message in messages] == ["null", "bad", "bad", "parts", "absent", "string"]
    faults = [[isinstance(part, OtherPart) and bool(part.fault) for part in message.parts] for message in messages]
    assert faults == [[], [True], [True], [True, False, False], [], [False]]


def test_the_switch_for_thinking_is_read():
    assert _load("061").recorded[0].thinking
    assert not _load("086").recorded[0].thinking


def test_fragments_of_two_calls_do_not_mix():
    calls = _messages(_load("067"))[0].calls
    assert [(call.id, call.name, json.loads(str(call.arguments))) for call in calls] == [
        ("call_a", "roast", {"bean": "dark"}),
        ("call_b", "grind", {"size": "fine"}),
    ]


@pytest.mark.parametrize(
    ("number", "problems"),
    [
        ("069", [(3, "unreadable-record", "error"), (5, "unreadable-record", "warning")]),
        ("070", [(3, "unreadable-record", "error")]),
        ("072", [(2, "unreadable-record", "warning")]),
        ("074", [(2, "unreadable-record", "error")]),
        ("075", [(2, "unreadable-record", "error"), (4, "unreadable-record", "warning")]),
        ("077", []),
        ("082", [(3, "dangling-parent", "warning"), (6, "dangling-parent", "warning")]),
    ],
)
def test_what_could_not_be_read_is_named_by_line(number: str, problems: list[tuple[int, str, str]]):
    assert _problems(_load(number)) == problems


def test_the_active_context_after_a_compaction_starts_at_its_summary():
    session = _load("082")
    assert [turn.resets_history for turn in session.turns] == [False, True, False]
    assert [content_text(turn.user) for turn in session.turns if turn.source == "user"] == [
        "early question",
        "late question",
    ]


def test_results_are_no_persons_turn():
    session = _load("086")
    assert [turn.user for turn in session.turns] == ["Which shed has the ladder?", "(also bring gloves)"]


def test_a_line_of_forty_million_characters_is_read(tmp_path: Path):
    case_file("078")
    file = tmp_path / "huge.jsonl"
    lines = [{"role": "user", "content": "a"}, {"role": "assistant", "content": "A" * 40_000_000}]
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert [len(message.text) for message in _messages(load(file))] == [1, 40_000_000]


_REAL = {
    "claude_code": ("claude_code",),
    "openai_chat": ("openai_chat",),
    "anthropic_messages": ("anthropic_messages",),
    "claude_trace": ("anthropic_messages",),
    "openai_responses": ("openai_responses",),
    "codex_cli": ("codex_cli", "codex_exec"),
    "pi_agent": ("pi_agent",),
    "inspect_eval": ("inspect_eval",),
    "swe_agent": ("swe_agent",),
    "sharegpt_hf": ("sharegpt", "openai_chat"),
    "atif": ("atif",),
    "copilot_chatreplay": ("copilot_chatreplay",),
}


@pytest.mark.corpus
@pytest.mark.parametrize("folder", list(_REAL))
def test_every_real_recording_opens_as_what_it_is(folder: str):
    for file in corpus_files(folder):
        session = load(file)
        source = _source(session)
        assert source.format in _REAL[folder], file.name
        assert session.turns, file.name
        assert session.recorded[0].messages, file.name
        assert sum(thread.selected for thread in source.threads) == 1, file.name


@pytest.mark.corpus
def test_a_growing_transcript_only_adds_to_what_was_there():
    files = [file for file in corpus_files("claude_code") if file.stem.endswith(("snap1", "snap2", "snap3"))]
    files.sort(key=lambda file: file.stem[-1])
    if len(files) < 3:
        pytest.skip("the three snapshots of one session are not all there")
    stories = [[(m.role, m.id) for m in _messages(load(file))] for file in files]
    assert len(stories[0]) < len(stories[1]) < len(stories[2])
    for shorter, longer in itertools.pairwise(stories):
        assert longer[: len(shorter) - 1] == shorter[:-1]
