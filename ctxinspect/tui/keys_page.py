"""docs/keys.md, written from the registry of actions; nothing of the toolkit is loaded for it."""

from __future__ import annotations

from ctxinspect.tui.actions import SCOPE_TITLES, key_label, scoped

__all__ = ["keys_page"]

_INTRO = """# Keys

Written by `ctxinspect keys --format md`. An id stands under `[keys]` in the [configuration](configuration.md) to give an
action other keys; a verb stands behind `:` in the inspector."""


def keys_page() -> str:
    """The page as it stands in the repository."""
    parts = [_INTRO]
    for scope, title in SCOPE_TITLES.items():
        rows = [
            f"| {' '.join(_code(key_label(key)) for key in action.keys)} | `{action.id}` | `{action.verb}` | {action.help} |"
            for action in scoped(scope)
        ]
        if rows:
            parts.append(
                "\n".join([f"## {title}", "", "| keys | id | verb | what it does |", "|---|---|---|---|", *rows])
            )
    return "\n\n".join(parts) + "\n"


def _code(key: str) -> str:
    """A key in a cell of a table: a bar would part it."""
    return "`` ` ``" if key == "`" else "`" + key.replace("|", "\\|") + "`"
