"""The page of settings, written from the settings models so that it cannot drift from them."""

from __future__ import annotations

import json
from collections.abc import Iterator

from pydantic import BaseModel
from pydantic_core import to_jsonable_python

from ctxinspect.settings import Settings
from ctxinspect.view.pipe_table import pipe_table

__all__ = ["settings_page"]


def settings_page() -> str:
    """Markdown: every setting with its default, its range and what it does, in declaration order."""
    rows = [[cell.replace("|", "\\|") for cell in row] for row in _rows(Settings, "")]
    lines = [
        "# Settings",
        "",
        "Under `context` in a session file; `--set PATH=VALUE` replaces one for a command.",
        "",
        *pipe_table(("setting", "default", "allowed", "what it does"), rows),
    ]
    return "\n".join(lines) + "\n"


def _rows(model: type[BaseModel], prefix: str) -> Iterator[tuple[str, str, str, str]]:
    schemas = model.model_json_schema()["properties"]
    for name, field in model.model_fields.items():
        kind = field.annotation
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            yield from _rows(kind, f"{prefix}{name}.")
            continue
        default = json.dumps(to_jsonable_python(field.default), ensure_ascii=False)
        yield f"`{prefix}{name}`", f"`{default}`", _allowed(schemas[name]), field.description or ""


def _allowed(schema: dict[str, object]) -> str:
    """A JSON Schema's alternatives, values and limits in a few words."""
    options = schema.get("anyOf")
    if isinstance(options, list):
        return " or ".join(_allowed(option) for option in options)
    values = schema.get("enum")
    if isinstance(values, list):
        return ", ".join(f"`{value}`" for value in values)
    limits = (("minimum", "≥"), ("exclusiveMinimum", ">"), ("maximum", "≤"), ("exclusiveMaximum", "<"))
    words = [f"{sign} {schema[key]}" for key, sign in limits if key in schema]
    kind = str(schema.get("type", "value")).replace("array", "list")
    return " ".join([kind, ", ".join(words)]).strip()
