"""docs/configuration.md and the commented file that `config init` writes, both made from the options themselves."""

from __future__ import annotations

import json
from typing import Any

from ctxinspect.config.load import allowed, variable_of
from ctxinspect.config.options import USER_ONLY, Config, option_fields

__all__ = ["VARIABLES", "configuration_page", "template"]

VARIABLES: dict[str, str] = {
    "CTXINSPECT_CONFIG": "a file in place of the user's own",
    "NO_COLOR": "not empty: no colour, like `color = never`; before the project file, after CTXINSPECT_COLOR",
    "FORCE_COLOR": "neither empty nor 0: colour, like `color = always`; NO_COLOR and TERM=dumb come first",
    "CLICOLOR_FORCE": "like FORCE_COLOR",
    "TERM": "empty or dumb: no inspector, no colour",
    "COLORTERM": "truecolor or 24bit: the theme auto paints on black",
    "PAGER": "the pager where no file names one",
    "VISUAL": "the editor where no file names one",
    "EDITOR": "like VISUAL, after it",
    "TMUX": "set: text is copied through tmux",
    "SSH_TTY": "set: text is copied by the terminal, for the machine's own clipboard is not yours",
    "XDG_CONFIG_HOME": "where `ctxinspect/config.toml` lies",
    "XDG_STATE_HOME": "where history, recent files and breakpoints are kept",
    "_CTXINSPECT_COMPLETE": "set by the shell when it asks for completions",
    "TEXTUAL_ANIMATIONS, TEXTUAL_COLOR_SYSTEM, TEXTUAL_DISABLE_KITTY_KEY, ESCDELAY": "the toolkit's own",
}
"""Variables that are looked at besides those of the options."""

_INTRO = """# Configuration

What changes only the screen, and defaults of commands. What changes a replay is a [setting](settings.md) and stands in
the session file or behind `--set`.

A value is taken from the first of these that has it:

1. a flag (`--theme`, `--color`, `--no-mouse`, `--log`);
2. the environment;
3. the nearest project file: `ctxinspect.toml`, or `[tool.ctxinspect]` in a `pyproject.toml`, in the working folder or
   above it;
4. the user's file: `ctxinspect config path` names it;
5. the default.

`ctxinspect config show` prints every value and where it came from, `config validate` everything that is wrong in the
files with file, key, line and the nearest name, `config init` writes a commented file, `config schema` prints the JSON
Schema. `ctxinspect doctor` says what terminal, clipboard and installation look like from here.
"""
_KEYS = """## Keys

Every action has an id; `ctxinspect keys` and [keys.md](keys.md) list them. A table gives an action other keys, one or
several; an empty list takes them away. A key that an action is given is lost to the action that had it, and a line at
the start says so.

```toml
[keys]
"request.next" = ["n", "."]
"turn.next" = "]"
"log" = []
```
"""
_SAFE = """## What a project may not set

{names} name programs and files. A project's file may not set them: opening a session in a folder of others must not run
what they chose.
"""


def configuration_page() -> str:
    """The page as it stands in the repository."""
    rows = [
        f"| `{path}` | {_default(default)} | {_cell(allowed_text)} | `{variable_of(path)}` | {_cell(description)} |"
        for path, default, allowed_text, description in _rows()
    ]
    table = "\n".join(["| option | default | allowed | variable | what it does |", "|---|---|---|---|---|", *rows])
    variables = "\n".join(
        [
            "| variable | what it does |",
            "|---|---|",
            *(f"| {_code(name)} | {text} |" for name, text in VARIABLES.items()),
        ]
    )
    names = sorted(USER_ONLY)
    safe = _SAFE.format(names=", ".join(f"`{name}`" for name in names[:-1]) + f" and `{names[-1]}`")
    lists = "A variable parts the items of a list by commas; an empty variable counts as unset."
    return "\n".join(
        [_INTRO, "## Options\n", table, "", lists + "\n", _KEYS, safe, "## Other variables\n", variables, ""]
    )


def template(*, project: bool = False) -> str:
    """A file with every option at its default, commented out; for a project without those it may not set."""
    lines = ["# Configuration of ctxinspect; docs/configuration.md explains every option.", ""]
    section = ""
    for path, default, allowed_text, description in _rows():
        if project and path in USER_ONLY:
            continue
        parent, _, leaf = path.rpartition(".")
        if parent != section:
            lines += ["", f"[{parent}]"]
            section = parent
        value = _json(default if default is not None else (option_fields()[path].examples or [""])[0])
        lines.append(f"# {description}: {allowed_text}")
        lines.append(f"# {leaf} = {value}")
    lines += [
        "",
        "[keys]",
        "# an action's id and its keys; `ctxinspect keys` lists them",
        '# "request.next" = ["n", "."]',
    ]
    return "\n".join(lines) + "\n"


def _rows() -> list[tuple[str, Any, str, str]]:
    """Path, default, what is allowed, what it does."""
    defaults = dict(Config().values())
    return [(path, defaults[path], allowed(field), field.description or "") for path, field in option_fields().items()]


def _default(value: Any) -> str:
    return "unset" if value is None else f"`{_json(value)}`"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _code(names: str) -> str:
    return ", ".join(f"`{name}`" for name in names.split(", "))


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
