"""The command line that shows a view again can be pasted into a shell, whatever the names hold."""

from __future__ import annotations

import shlex

from hypothesis import given
from hypothesis import strategies as st

from ctxinspect.tui.reproduce import Opened, knob_flags, shell_command

words = st.text(st.characters(blacklist_categories=("Cs",), blacklist_characters="\x00"), min_size=1, max_size=12)


def test_a_native_session_needs_its_address_only():
    assert shell_command(Opened("run.json"), "t042r3.window#7", "REPLAY", ()) == (
        "ctxinspect run.json --at 't042r3.window#7'"
    )


def test_a_fork_is_its_settings():
    command = shell_command(Opened("a b.json", ("window.size=8000",)), "t1", "FORK", ("window.strategy=aggressive",))
    assert command == ("ctxinspect 'a b.json' --at t1 --set window.size=8000 --set window.strategy=aggressive")


def test_a_setting_edited_twice_is_given_once():
    assert knob_flags(("a.b=1", "c=2", "a.b=3")) == "--set a.b=3 --set c=2"


def test_a_view_that_would_not_be_the_first_is_asked_for():
    opened = Opened("run.jsonl")
    assert shell_command(opened, "t1", "RECORDED", (), foreign=True) == "ctxinspect run.jsonl --at t1"
    assert shell_command(opened, "t1", "REPLAY", (), foreign=True) == "ctxinspect run.jsonl --at t1 --view replay"
    assert "--view" not in shell_command(opened, "t1", "FORK", ("window.size=9",), foreign=True)


def test_a_file_name_like_an_option_stays_a_file_name():
    assert shlex.split(shell_command(Opened("-x.json"), "t1", "REPLAY", ()))[1] == "./-x.json"
    assert shlex.split(shell_command(Opened("-"), "t1", "REPLAY", ()))[1] == "-"


@given(words, words, words, words)
def test_a_shell_reads_back_what_was_meant(file, flag, thread, name):
    command = shell_command(Opened(f"/{file}", (f"a={flag}",), thread, name), "t1", "REPLAY", ())
    assert shlex.split(command) == [
        "ctxinspect", f"/{file}", "--at", "t1", "--from", name, "--thread", thread, "--set", f"a={flag}",
    ]  # fmt: skip
