"""What is on the screen can be had: copied by a menu of two strokes, written to a file, shown by other programs."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from ctxinspect.errors import UsageError
from ctxinspect.readers.samples import sample_paths
from ctxinspect.tui.acts.giving import row_json, row_text
from ctxinspect.tui.app import InspectorApp
from ctxinspect.tui.handover import command_of
from ctxinspect.tui.jobs import open_navigator
from ctxinspect.tui.programs import Programs
from ctxinspect.view.table import Column, Row, Table, cells, note
from tests.support.frames import play

SAMPLE = sample_paths()["rag_pressure"]


@pytest.fixture
def copied(tmp_path):
    """An app whose copies go through a program into a file, and that file."""
    out = tmp_path / "copied"

    def use(*keys: str, file: Path = SAMPLE, at: str | None = None, size=(120, 40)) -> tuple[str, str]:
        out.unlink(missing_ok=True)
        programs = Programs("file", f"sh -c 'cat > {out}'")
        app = InspectorApp(open_navigator(file, at=at), theme="ctx-dark", programs=programs)
        lines = play(app, keys, size)
        return out.read_text("utf-8") if out.exists() else "", "\n".join(lines)

    return use


def test_the_menu_names_every_choice_with_its_key(copied):
    _, screen = copied("y")
    for key, what in zip("yjmapkc", ("text", "JSON", "about", "trace", "address", "flags", "command"), strict=True):
        assert any(line[2:3] == key and what in line for line in screen.splitlines())
    assert "3 COMPONENTS" in screen


def test_a_row_is_copied_as_text_and_as_json(copied):
    text, screen = copied("7", "g", "j", "y", "y")
    assert text.split()[:3] == ["01", "user", "t1"]
    assert "COPY   gave" in screen
    value = json.loads(copied("7", "g", "j", "y", "j")[0])
    assert (value["#"], value["role"]) == ("01", "user")
    assert value["text"] == "Pressure is 1.4 bar."


def test_everything_about_the_row_is_copied_whole(copied):
    text, _ = copied("7", "g", "y", "m")
    assert len(text) > 400
    assert "\n" in text


def test_the_trace_of_the_request_is_the_one_of_the_command(copied):
    value = json.loads(copied("y", "a", at="t4")[0])
    assert (value["turn_id"], value["format"]) == (4, "ctxinspect-trace/1")
    assert value["ledger"]


def test_address_settings_and_command_are_copied(copied):
    assert copied("y", "p", at="t4.window")[0] == "t4.window"
    fork = [":", *"set window.strategy=aggressive", "enter"]
    assert copied(*fork, "y", "k")[0] == "--set window.strategy=aggressive"
    assert copied(*fork, "y", "c", at="t4")[0] == (f"ctxinspect {SAMPLE} --at t4 --set window.strategy=aggressive")


def test_without_edited_settings_nothing_is_copied_and_that_is_said(copied):
    text, screen = copied("y", "k")
    assert text == ""
    assert "ERROR  no setting is edited" in screen


@pytest.mark.parametrize("keys", [("y", "escape"), ("y", "q"), ("y", "z", "escape")])
def test_the_menu_can_be_left(copied, keys):
    text, screen = copied(*keys)
    assert text == ""
    assert "COPY" not in screen.splitlines()[-8]
    assert ">3 COMPONENTS" in screen


def test_the_menu_can_be_walked(copied):
    text, _ = copied("y", "down", "down", "down", "down", "enter", at="t4")
    assert text == "t4"


@pytest.mark.parametrize("size", [(80, 24), (40, 10), (20, 5), (10, 3), (1, 1)])
def test_the_menus_survive_every_size(copied, size):
    assert copied("y", "p", "x", "escape", "?", "/", "x", "enter", "q", "q", at="t4", size=size)[0] == "t4"


def test_a_hostile_row_is_copied_with_stand_ins():
    row = Row("k", cells("a\x1b[31m", "b\u202ec\n d"), mark="~", flag="!")
    table = Table("T", "", (Column("one", 3), Column("two", 3)), (row,), "")
    assert row_text(row) == "a␛[31m  b⟨U+202E⟩c d"
    assert json.loads(row_json(table, row)) == {"one": "a\x1b[31m", "two": "b\u202ec\n d", "mark": "~", "flag": "wrong"}
    assert json.loads(row_json(table, note("n", "left out"))) == {"note": "left out"}


@pytest.mark.parametrize(
    ("key", "ending", "start"),
    [("j", "json", "{"), ("m", "md", "# "), ("t", "txt", "== "), ("s", "svg", "<svg"), ("h", "html", "<!")],
)
def test_the_request_is_written_in_every_format(copied, key, ending, start, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    _, screen = copied("x", key, "enter", at="t4")
    path = tmp_path / f"rag_pressure-t4.{ending}"
    assert path.read_text("utf-8").startswith(start)
    assert f"WROTE  rag_pressure-t4.{ending} (" in screen


def test_a_file_is_not_written_over_unless_asked(copied, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "rag_pressure-t4.txt"
    path.write_text("mine")
    assert "is there already" in copied("x", "t", "enter", at="t4")[1]
    assert path.read_text() == "mine"
    assert "WROTE" in copied("x", "t", "!", "enter", at="t4")[1]
    assert path.read_text().startswith("== ")


@pytest.mark.parametrize(
    ("typed", "said"), [("out.pdf", "the ending says the format"), ("no/where.txt", "No such file or directory")]
)
def test_what_cannot_be_written_is_said(copied, typed, said, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    _, screen = copied("x", "t", *["backspace"] * 20, *typed.replace("/", "/"), "enter")
    assert said in screen
    assert list(tmp_path.iterdir()) == []


def test_the_pager_needs_a_terminal_and_says_so(copied):
    assert "ERROR  the pager needs a terminal" in copied("v")[1]
    assert "ERROR  the pager needs a terminal" in copied("enter", "v")[1]


def test_the_users_own_programs_are_taken():
    assert command_of("pager", Programs(pager="cat -n")) == ("cat", "-n")
    assert command_of("editor", Programs(editor="sh -c true")) == ("sh", "-c", "true")
    with pytest.raises(UsageError, match="'no-such-program' is not to be found"):
        command_of("editor", Programs(editor="no-such-program -w"))


def test_the_environment_names_the_programs():
    environ = {"PAGER": "more", "EDITOR": "ed", "VISUAL": "vim", "CTXINSPECT_CLIPBOARD": "osc52"}
    assert Programs.from_environment(environ) == Programs("osc52", None, "more", "vim")
    assert Programs.from_environment({"PAGER": ""}) == Programs()


def test_a_whole_text_is_copied_from_the_full_screen(copied):
    text, screen = copied("7", "g", "enter", "y")
    assert len(text) > 300
    assert "COPY   gave" in screen


def test_a_foreign_session_opens_in_the_view_that_is_asked_for(tmp_path):
    path = tmp_path / "chat.json"
    path.write_text(json.dumps({"messages": [{"role": "user", "content": "hi"}]}))
    assert open_navigator(path).label == "RECORDED"
    assert open_navigator(path, view="replay").label == "REPLAY"
    assert open_navigator(path, overrides=["window.strategy=aggressive"], view="recorded").label == "RECORDED"
    with pytest.raises(UsageError, match="a native session has no recording"):
        open_navigator(SAMPLE, view="recorded")


def test_a_copy_that_has_nowhere_to_go_does_not_end_the_app(monkeypatch, tmp_path):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))

    async def use() -> bool:
        app = InspectorApp(open_navigator(SAMPLE), programs=Programs("file"))
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.press("y", "a")
            await app.workers.wait_for_complete()
            await pilot.pause()
            return "copied nothing" in app.screen.desk.log[-1]

    assert asyncio.run(use())
