"""Text takes the first way that works, in the stated order, and what is said is what is known."""

from __future__ import annotations

import pytest

from ctxinspect.errors import UsageError
from ctxinspect.tui.clipboard import OSC52_LIMIT, Facts, copy, facts_here, routes
from ctxinspect.tui.programs import Programs

XCLIP = ("xclip", "-selection", "clipboard")
ALL = Facts("auto", ("mycopy", "-x"), (XCLIP,), tmux=True)


def kinds(facts: Facts, size: int = 10) -> list[str]:
    return [route.kind for route in routes(facts, size)]


def nowhere(_text: str) -> None:
    raise AssertionError("the terminal gets nothing")


def refusing(_command: tuple[str, ...], _data: bytes) -> bool:
    return False


def test_the_order_is_command_native_tmux_terminal_file():
    assert kinds(ALL) == ["command", "native", "tmux", "osc52", "file"]


def test_over_ssh_the_clipboard_of_the_far_machine_is_left_alone():
    assert kinds(Facts("auto", (), (XCLIP,), remote=True, tmux=True)) == ["tmux", "osc52", "file"]


@pytest.mark.parametrize(
    ("wanted", "ways"),
    [
        ("native", ["command", "native", "file"]),
        ("osc52", ["command", "osc52", "file"]),
        ("file", ["command", "file"]),
    ],
)
def test_a_way_that_was_asked_for_is_the_only_one_beside_the_command(wanted, ways):
    assert kinds(Facts(wanted, ALL.command, ALL.native, tmux=True)) == ways


def test_the_terminal_gets_no_more_than_it_is_known_to_take():
    most = OSC52_LIMIT // 4 * 3
    assert "osc52" in kinds(Facts(), most - 2)
    assert kinds(Facts(), most + 3) == ["file"]


def test_two_hundred_kilobytes_go_to_a_file_and_its_path_is_said(tmp_path):
    said = copy("x" * 200_000, Facts(), nowhere, folder=tmp_path)
    (path,) = tmp_path.iterdir()
    assert said == f"wrote 200.0 kB to {path}"
    assert path.read_text() == "x" * 200_000
    assert path.stat().st_mode & 0o077 == 0


def test_two_copies_in_one_second_are_two_files(tmp_path):
    for text in ("one", "two"):
        copy(text, Facts("file"), nowhere, folder=tmp_path)
    assert sorted(path.read_text() for path in tmp_path.iterdir()) == ["one", "two"]


def test_the_terminal_is_never_said_to_have_copied():
    got: list[str] = []
    assert copy("x" * 5100, Facts(), got.append) == "sent 5.1 kB to the terminal (OSC 52)"
    assert got == ["x" * 5100]


def test_under_tmux_its_buffer_is_loaded():
    given: list[tuple[tuple[str, ...], bytes]] = []

    def take(command: tuple[str, ...], data: bytes) -> bool:
        given.append((command, data))
        return True

    assert copy("ok", Facts(tmux=True), nowhere, run=take) == "gave 2 B to tmux (load-buffer -w)"
    assert given == [(("tmux", "load-buffer", "-w", "-"), b"ok")]


def test_a_way_that_fails_is_passed_over(tmp_path):
    got: list[str] = []
    assert copy("ok", ALL, got.append, run=refusing) == "sent 2 B to the terminal (OSC 52)"
    assert copy("x" * 90_000, ALL, nowhere, run=refusing, folder=tmp_path).startswith("wrote 90.0 kB to ")


def test_a_program_that_is_not_there_or_fails_is_passed_over(tmp_path):
    for command in (("no-such-program-here",), ("false",)):
        facts = Facts("file", command)
        assert copy("ok", facts, nowhere, folder=tmp_path).startswith("wrote 2 B to ")


def test_a_real_program_gets_the_bytes(tmp_path):
    out = tmp_path / "got"
    said = copy("zwölf", Facts("file", ("sh", "-c", f"cat > '{out}'")), nowhere)
    assert said == "gave 6 B to sh"
    assert out.read_text("utf-8") == "zwölf"


def test_lone_surrogates_are_written_as_escapes(tmp_path):
    copy("a\ud83db", Facts("file"), nowhere, folder=tmp_path)
    assert next(tmp_path.iterdir()).read_bytes() == b"a\\ud83db"


def test_a_folder_that_cannot_be_written_is_said(tmp_path):
    (tmp_path / "file").write_text("")
    assert copy("ok", Facts("file"), nowhere, folder=tmp_path / "file" / "x").startswith("copied nothing: ")


def test_facts_come_from_the_environment():
    def has(*names: str):
        return lambda name: f"/bin/{name}" if name in names else None

    local = facts_here(Programs(), {"DISPLAY": ":0"}, has("xclip", "wl-copy"))
    assert local == Facts("auto", (), (XCLIP,))
    far = facts_here(Programs(), {"SSH_TTY": "/dev/pts/1", "TMUX": "x", "WAYLAND_DISPLAY": "w"}, has("tmux", "wl-copy"))
    assert far == Facts("auto", (), (("wl-copy",),), remote=True, tmux=True)
    own = facts_here(Programs("osc52", "my 'copy it'"), {}, has())
    assert own == Facts("osc52", ("my", "copy it"))


@pytest.mark.parametrize("programs", [Programs("clipbord"), Programs("auto", "it's"), Programs("auto", " ")])
def test_what_is_no_way_to_copy_is_said(programs):
    with pytest.raises(UsageError):
        facts_here(programs, {}, lambda _name: None)
