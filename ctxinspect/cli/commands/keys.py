"""`ctxinspect keys`: every action of the inspector with its keys, as the configuration has them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ctxinspect.cli.configured import configuration, key_bindings
from ctxinspect.cli.stdio import emit, emit_lines, narrate

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ctxinspect.config import Bindings, Config

__all__ = ["command"]


@click.command()
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
@click.option("--defaults", is_flag=True, help="Leave the configuration out.")
@click.option("--format", "style", type=click.Choice(["text", "json", "md"]), default="text", show_default=True)
def command(as_json: bool, defaults: bool, style: str) -> None:  # noqa: FBT001 - click flags
    """List every action by its id, its keys, and what it does; `[keys]` of the configuration gives it others."""
    from ctxinspect.config import Config  # noqa: PLC0415

    config = Config() if defaults else configuration()
    bindings = key_bindings(config)
    if as_json or style == "json":
        from ctxinspect.view.jsonable import dump  # noqa: PLC0415

        emit(dump(_rows(config, bindings), indent=2))
    elif style == "md":
        from ctxinspect.tui.keys_page import keys_page  # noqa: PLC0415

        emit(keys_page())
    else:
        emit_lines(_lines(config, bindings))
    for clash in bindings.clashes:
        narrate(f"ctxinspect: keys: {clash}")


def _rows(config: Config, bindings: Bindings) -> dict[str, object]:
    from ctxinspect.tui.actions import ACTIONS  # noqa: PLC0415

    rows = [
        {
            "id": action.id,
            "verb": action.verb,
            "label": action.label,
            "help": action.help,
            "scope": action.scope,
            "keys": list(bindings.keys[action.id]),
            "default_keys": list(action.keys),
            "origin": str(config.origin(f"keys.{action.id}")),
        }
        for action in ACTIONS
    ]
    return {"format": "ctxinspect-keys/1", "actions": rows, "clashes": list(bindings.clashes)}


def _lines(config: Config, bindings: Bindings) -> Iterator[str]:
    from ctxinspect.tui.actions import SCOPE_TITLES, key_label, scoped  # noqa: PLC0415

    for number, (scope, title) in enumerate(SCOPE_TITLES.items()):
        if number:
            yield ""
        yield title
        for action in scoped(scope):
            keys = " ".join(key_label(key) for key in bindings.keys[action.id]) or "-"
            changed = "  (" + str(config.origin(f"keys.{action.id}")) + ")" if action.id in config.keys else ""
            yield f"  {action.id:<20} {keys:<20} {action.help}{changed}"
