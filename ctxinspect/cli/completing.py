"""What a shell completes behind options and arguments: file names, settings, kinds, rules, themes, formats.

Only looked at while a shell completes; each list is made when it is asked for, from what the program itself goes by.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

__all__ = ["completing"]

_FILES = frozenset(
    {"file", "files", "folder", "path", "paths", "baseline", "breaks", "log", "out", "output", "from_file"}
)
"""Names of parameters that are files."""


def _settings() -> Sequence[str]:
    from ctxinspect.settings import setting_paths  # noqa: PLC0415

    return [f"{path}=" for path in setting_paths()]


def _kinds() -> Sequence[str]:
    from ctxinspect.pipeline.events import KINDS  # noqa: PLC0415

    return list(KINDS)


def _rules() -> Sequence[str]:
    from ctxinspect.trace.codes import RULES  # noqa: PLC0415

    return list(RULES)


def _themes() -> Sequence[str]:
    from ctxinspect.config.options import THEMES  # noqa: PLC0415

    return THEMES


def _formats() -> Sequence[str]:
    from ctxinspect.readers.registry import known_formats  # noqa: PLC0415

    return [known.name for known in known_formats()]


def _severities() -> Sequence[str]:
    return ["error", "warning", "info", *_kinds()]


_WORDS: dict[str, Callable[[], Sequence[str]]] = {
    "overrides": _settings,
    "expression": _kinds,
    "fail_on": _severities,
    "select": _rules,
    "ignore": _rules,
    "rule": _rules,
    "theme": _themes,
    "format_name": _formats,
}
"""What parameters of these names may be."""


class _Words(click.ParamType):  # type: ignore[type-arg]  # generic in newer versions only
    """Any text; the shell completes these words."""

    name = "text"

    def __init__(self, words: Callable[[], Sequence[str]]) -> None:
        self._words = words

    def shell_complete(
        self,
        ctx: click.Context,  # noqa: ARG002 - click's signature
        param: click.Parameter,  # noqa: ARG002
        incomplete: str,
    ) -> list[CompletionItem]:
        """The words that go on from what was typed."""
        from click.shell_completion import CompletionItem  # noqa: PLC0415

        return [CompletionItem(word) for word in self._words() if word.startswith(incomplete)]


def completing(command: click.Command) -> None:
    """Let the shell complete what is behind this command's parameters; a choice of its own is left as it is."""
    for parameter in command.params:
        if isinstance(parameter.type, click.types.StringParamType) and parameter.name is not None:
            if parameter.name in _FILES:
                parameter.type = click.Path()
            elif parameter.name in _WORDS:
                parameter.type = _Words(_WORDS[parameter.name])
