"""The facts of a file as text: a tree of threads, and nothing that runs on for ever."""

from __future__ import annotations

from ctxinspect.model.session import Session, Source, Thread
from ctxinspect.view.inspect_file import file_facts, file_lines


def _session(*threads: Thread, **more: object) -> Session:
    return Session(source=Source(format="claude_code", family="transcript", threads=threads, **more))


def _threads(session: Session) -> list[str]:
    lines = list(file_lines(session, "f"))
    at = next(number for number, line in enumerate(lines) if line.startswith("  threads"))
    return [line for line in lines[at + 1 :] if line.startswith("    ")]


def test_threads_stand_under_the_one_that_they_left():
    found = _threads(
        _session(
            Thread(id="main", kind="main", messages=9, selected=True),
            Thread(id="agent-1", kind="subagent", parent="main", messages=4, file="s/agent-1.jsonl", title="Look\nup"),
            Thread(id="other", kind="main", messages=2),
            Thread(id="deep", kind="branch", parent="agent-1", messages=1),
            Thread(id="lost", kind="fork", parent="elsewhere", messages=1),
        )
    )
    assert found == [
        "    * main  main, 9 messages",
        "        agent-1  subagent, 4 messages, in s/agent-1.jsonl  Look up",
        "          deep  branch, 1 messages",
        "      other  main, 2 messages",
        "      lost  fork, from elsewhere, 1 messages",
    ]


def test_parents_in_a_circle_are_all_listed():
    found = _threads(_session(Thread(id="a", parent="b"), Thread(id="b", parent="a"), Thread(id="c")))
    assert sorted(line.split()[0] for line in found) == ["a", "b", "c"]


def test_of_very_many_threads_the_first_and_the_open_one_are_shown():
    threads = [Thread(id=f"row-{number}", kind="main", selected=number == 90) for number in range(100)]
    found = _threads(_session(*threads))
    assert len(found) == 42
    assert found[40].startswith("    * row-90")
    assert found[41] == "      … of 100 threads; --format json names them all"


def test_masks_are_told_with_what_they_mean_for_the_counts():
    session = _session(masked={"npm token": 2})
    assert any("npm token (2); the masks are what is counted" in line for line in file_lines(session, "f"))
    assert file_facts(session, "f")["masked"] == {"npm token": 2}
