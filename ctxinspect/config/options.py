"""The configuration: what changes only the screen and the commands' defaults, never what the model would see.

Frozen and complete; every option has its default, its range and where each value came from. What changes a replay is a
setting (`ctxinspect.settings`) and stands in the session file.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from pydantic import Field, PrivateAttr, model_validator
from pydantic.fields import FieldInfo

from ctxinspect.settings import Frozen, Many
from ctxinspect.trace.rule_code import ProfileName

__all__ = ["THEMES", "USER_ONLY", "Config", "LayoutConfig", "LintConfig", "Origin", "Source", "option_fields"]

ThemeName = Literal[
    "auto", "ctx-dark", "ctx-ansi", "ansi-dark", "ansi-light", "atom-one-dark", "atom-one-light", "catppuccin-frappe",
    "catppuccin-latte", "catppuccin-macchiato", "catppuccin-mocha", "dracula", "flexoki", "gruvbox", "monokai", "nord",
    "rose-pine", "rose-pine-dawn", "rose-pine-moon", "solarized-dark", "solarized-light", "textual-dark",
    "textual-light", "tokyo-night",
]  # fmt: skip
THEMES: tuple[str, ...] = ThemeName.__args__  # type: ignore[attr-defined]
"""`auto`, the two of ours, and those that come with the toolkit."""
USER_ONLY = frozenset({"clipboard_command", "pager", "editor", "log"})
"""Options that name programs or files: a project's file may not set them, or opening a project would run its programs."""

Source: TypeAlias = Literal["flag", "environment", "project file", "user file", "default"]


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a value came from: the kind of source, and the flag, the variable, or the file and line."""

    source: Source = "default"
    place: str = ""

    def __str__(self) -> str:
        return f"{self.source} {self.place}".strip()


class LayoutConfig(Frozen):
    """From how many columns on a layout is used."""

    narrow: int = Field(80, ge=40, description="columns from which header, tabs and footer are shown")
    std: int = Field(120, ge=40, description="columns from which all panels are shown side by side")
    wide: int = Field(200, ge=40, description="columns from which a third column shows texts in full")

    @model_validator(mode="after")
    def _ordered(self) -> LayoutConfig:
        if not self.narrow <= self.std <= self.wide:
            msg = f"narrow {self.narrow}, std {self.std}, wide {self.wide}: each must be at least the one before"
            raise ValueError(msg)
        return self


class LintConfig(Frozen):
    """Defaults of `ctxinspect lint`."""

    select: Many[str] = Field((), description="only these rules")
    ignore: Many[str] = Field((), description="not these rules")
    fail_on: str = Field("error", description="exit 1 from this severity on, or where this predicate holds")
    per_file_ignores: Mapping[str, Many[str]] = Field(
        default_factory=dict, description="rules that are not reported for files of a pattern, such as runs/old/*"
    )
    provider: ProfileName | None = Field(
        None, examples=["anthropic"], description="whose rules decide; unset = those of the file's dialect"
    )


class Config(Frozen):
    """All options, with the origin of each."""

    theme: ThemeName = Field("auto", description="colours of the inspector; auto = by what the terminal can show")
    color: Literal["auto", "always", "never"] = Field("auto", description="colour; auto = on a terminal")
    mouse: bool = Field(default=True, description="whether the inspector takes mouse clicks and the wheel")
    clipboard: Literal["auto", "native", "osc52", "file"] = Field("auto", description="how text is copied")
    clipboard_command: str | None = Field(
        None, examples=["xclip -selection clipboard"], description="program that copies what it reads; tried first"
    )
    pager: str | None = Field(None, examples=["less -R"], description="program that shows long texts")
    editor: str | None = Field(None, examples=["vi"], description="program that opens texts for editing")
    history_size: int = Field(500, ge=0, le=100_000, description="lines kept of the command line's history")
    log: str | None = Field(
        None, examples=["moves.log"], description="file that every move of the inspector is written to, a line each"
    )
    layout: LayoutConfig = LayoutConfig()
    lint: LintConfig = LintConfig()
    keys: Mapping[str, Many[str]] = Field(default_factory=dict, description="keys of an action, by its id")

    _origins: dict[str, Origin] = PrivateAttr(default_factory=dict)

    def origin(self, path: str) -> Origin:
        """Where the value of an option came from; `keys.request.next` is the option of one action's keys."""
        return self._origins.get(path, Origin())

    def with_origins(self, origins: Mapping[str, Origin]) -> Config:
        """The same values, said to come from there."""
        new = self.model_copy()
        new._origins = dict(origins)  # noqa: SLF001 - its own
        return new

    def values(self) -> Iterator[tuple[str, Any]]:
        """Every option with its value, in declaration order; the keys one by one."""
        data = self.model_dump(mode="json")
        for path in option_fields():
            value: Any = data
            for name in path.split("."):
                value = value[name]
            yield path, value
        for action, keys in sorted(self.keys.items()):
            yield f"keys.{action}", list(keys)


def option_fields(model: type[Frozen] = Config, prefix: str = "") -> dict[str, FieldInfo]:
    """Every option but the keys by its dotted path, in declaration order."""
    found: dict[str, FieldInfo] = {}
    for name, field in model.model_fields.items():
        kind = field.annotation
        if isinstance(kind, type) and issubclass(kind, Frozen):
            found |= option_fields(kind, f"{prefix}{name}.")
        elif prefix + name != "keys":
            found[prefix + name] = field
    return found
