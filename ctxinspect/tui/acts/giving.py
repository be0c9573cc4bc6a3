"""Giving away what is on the screen: copied (`y`), written to a file (`x`), shown by a pager or an editor (`v`, `V`).

Texts are given as they are shown, with stand-ins for what would steer a terminal; JSON keeps every character.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from ctxinspect.errors import UsageError
from ctxinspect.text.nearest import nearest
from ctxinspect.text.sanitize import sanitize, sanitize_lines
from ctxinspect.tui.copying import copy_text
from ctxinspect.tui.files import write_new
from ctxinspect.tui.handover import hand_over
from ctxinspect.tui.prompts import Prompt
from ctxinspect.tui.reproduce import knob_flags, shell_command
from ctxinspect.tui.screens.menu import Choice, MenuScreen
from ctxinspect.tui.state import view_behind
from ctxinspect.view.export import render_trace
from ctxinspect.view.jsonable import dump, trace_json
from ctxinspect.view.panels import panel_named
from ctxinspect.view.sessions import size_text
from ctxinspect.view.table import Row, Table

if TYPE_CHECKING:
    from textual.screen import Screen

    from ctxinspect.trace.types import Trace
    from ctxinspect.tui.app import InspectorApp
    from ctxinspect.tui.screens.inspect import InspectScreen

__all__ = ["ACTS", "ANSWERS", "FORMATS", "row_json", "row_text", "yank_text"]

FORMATS: Mapping[str, tuple[str, str]] = {
    "j": ("json", "json"),
    "m": ("md", "md"),
    "t": ("txt", "text"),
    "s": ("svg", "svg"),
    "h": ("html", "html"),
}
"""By key of the export menu: the ending of the file's name, and the style it is written in."""
_ENDINGS = dict(FORMATS.values())
_LABELS = {"json": "JSON, the whole trace", "md": "Markdown", "txt": "text", "svg": "SVG", "html": "HTML, one page"}


def _app(screen: Screen[Any]) -> InspectorApp:
    return cast("InspectorApp", screen.app)


def row_text(row: Row) -> str:
    """A row's cells on one line, none of them cut."""
    return sanitize("  ".join(" ".join(cell.text.split()) for cell in row.cells if cell.text.strip()))


def row_json(table: Table, row: Row) -> str:
    """A row as one JSON object: its texts by column, and how it is marked."""
    if len(row.cells) == 1 and len(table.columns) > 1:
        value: dict[str, str] = {"note": row.cells[0].text}
    else:
        value = {column.name: row.text(at).strip() for at, column in enumerate(table.columns)}
    value |= {"mark": row.mark} if row.mark.strip() else {}
    value |= {"flag": {"*": "decided", "!": "wrong"}[row.flag]} if row.flag.strip() else {}
    return dump(value)


def _row(screen: InspectScreen) -> tuple[Table, Row]:
    panel = screen.panel(screen.desk.focus)
    row = panel.table.row(panel.key) if panel.key is not None else None
    if row is None:
        msg = f"nothing to copy: {panel.table.empty}"
        raise UsageError(msg)
    return panel.table, row


def _whole_trace(screen: InspectScreen) -> Trace:
    navigator = screen.navigator
    return navigator.replay_of(navigator.label).trace(*navigator.position, view=view_behind(navigator.label))


def _command(screen: InspectScreen) -> str:
    navigator = screen.navigator
    foreign = navigator.replay.session.foreign
    return shell_command(navigator.opened, navigator.address, navigator.label, navigator.fork_flags, foreign=foreign)


def _knobs(screen: InspectScreen) -> str:
    flags = (*screen.navigator.opened.overrides, *screen.navigator.fork_flags)
    if not flags:
        raise UsageError("no setting is edited; :set PATH=VALUE edits one")
    return knob_flags(flags)


def yank_text(screen: InspectScreen, key: str) -> str:
    """The text of one choice of the yank menu. Raises UsageError where there is nothing to copy."""
    if key == "y":
        return row_text(_row(screen)[1])
    if key == "j":
        return row_json(*_row(screen))
    if key == "m":
        return sanitize_lines(screen.detail().text)
    if key == "a":
        return trace_json(_whole_trace(screen))
    if key == "p":
        return screen.navigator.address
    return _knobs(screen) if key == "k" else _command(screen)


def _yank(screen: InspectScreen) -> None:
    panel = panel_named(screen.desk.focus).name
    edited = (*screen.navigator.opened.overrides, *screen.navigator.fork_flags)
    choices = (
        Choice("y", f"row of {panel} as text"),
        Choice("j", f"row of {panel} as JSON"),
        Choice("m", "everything about the row"),
        Choice("a", "this request's trace, JSON"),
        Choice("p", "address", screen.navigator.address),
        Choice("k", "edited settings as flags", knob_flags(edited) or "(none is edited)"),
        Choice("c", "command that shows this", _command(screen)),
    )

    def taken(key: str | None) -> None:
        if key:
            _give(screen, lambda: yank_text(screen, key))

    screen.app.push_screen(MenuScreen("COPY", choices), taken)


def _give(screen: InspectScreen, text_of: Callable[[], str]) -> None:
    try:
        text = text_of()
    except UsageError as error:
        screen.say(f"ERROR  {error}")
        return
    copy_text(_app(screen), text, screen.say)


def _export(screen: InspectScreen) -> None:
    choices = [Choice(key, _LABELS[ending], f".{ending}") for key, (ending, _) in FORMATS.items()]

    def taken(key: str | None) -> None:
        if key:
            prompt = Prompt("export", "write to", "a file; its ending says the format: " + ", ".join(_ENDINGS))
            screen.ask(prompt, f"{_proposed(screen)}.{FORMATS[key][0]}")

    screen.app.push_screen(MenuScreen("WRITE this request to a file", choices), taken)


def _proposed(screen: InspectScreen) -> str:
    """A file name without its ending: session and request, in letters that every file system takes."""
    navigator = screen.navigator
    stem = Path(navigator.opened.file).stem if navigator.opened.file not in ("", "-") else "session"
    clean = (
        "".join(char if char.isalnum() or char in "._-" else "-" for char in sanitize(stem)).strip("-.") or "session"
    )
    shown = navigator.address.partition(".")[0] + ("" if navigator.label == "REPLAY" else f"-{navigator.label.lower()}")
    return f"{clean[:60]}-{shown}"


def _write(screen: InspectScreen, about: str, text: str) -> None:
    """Write the request where it was said, in the format of the ending; `!` behind the name writes over a file."""
    del about
    replace = text.endswith("!")
    path = Path(text.removesuffix("!").strip()).expanduser()
    ending = path.suffix.removeprefix(".").lower()
    if ending not in _ENDINGS:
        hint = nearest(ending, tuple(_ENDINGS)) or "expected " + ", ".join(f".{known}" for known in _ENDINGS)
        msg = f"{path.name!r}: the ending says the format; {hint}"
        raise UsageError(msg)
    trace = _whole_trace(screen)
    style = _ENDINGS[ending]
    body = trace_json(trace) if style == "json" else render_trace(trace, style)
    data = (body + "\n").encode("utf-8", errors="backslashreplace")
    try:
        write_new(path, data, replace=replace)
    except OSError as error:
        msg = f"{path}: {error.strerror or error}"
        raise UsageError(msg) from None
    screen.say(f"WROTE  {sanitize(str(path))} ({size_text(len(data))})")


def _hand_over(kind: str) -> Callable[[InspectScreen], None]:
    def act(screen: InspectScreen) -> None:
        detail = screen.detail()
        said = hand_over(screen.app, kind, f"{detail.title}\n\n{detail.text}", _app(screen).programs)
        screen.say(said)

    return act


ACTS: Mapping[str, Callable[[InspectScreen], None]] = {
    "yank": _yank,
    "export": _export,
    "pager": _hand_over("pager"),
    "editor": _hand_over("editor"),
}
"""What each action id does."""

ANSWERS: Mapping[str, Callable[[InspectScreen, str, str], None]] = {"export": _write}
"""What is done with the answer to each kind of question."""
