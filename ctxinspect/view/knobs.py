"""Every setting as a typed knob, generated from the settings models: a new setting needs no code here.

A knob never leaves its range; what it would do is worked out by forking, never guessed. Rules that can be switched off
and items that can be dropped are knobs too.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Literal, TypeAlias

from ctxinspect.errors import SettingsError
from ctxinspect.settings import Settings, apply_overrides, setting_paths
from ctxinspect.view.table import Cell, Column, Detail, Row, Table, cells

__all__ = ["Knob", "Knobs", "droppable", "flags_of", "knob_detail", "knobs_table", "nudged", "turned", "typed"]

KnobKind: TypeAlias = Literal["number", "integer", "choice", "switch", "text", "rule", "item"]
_RULES = "what_if.rules_off"
_ITEMS = "what_if.drop"
COLUMNS = (
    Column("knob", 30, grow=1),
    Column("recorded", 12, align=">"),
    Column("fork", 12, align=">"),
    Column("allowed", 20, grow=1, shown_from=90),
    Column("effect here, alone", 24, grow=1, shown_from=76),
)


@dataclass(frozen=True, slots=True)
class Knob:
    """One setting: its path (for a rule or item: what it is), its values, and what it may be."""

    key: str
    path: str
    kind: KnobKind
    recorded: Any
    value: Any
    choices: tuple[Any, ...] = ()
    low: float | None = None
    high: float | None = None
    open_low: bool = False
    open_high: bool = False
    nullable: bool = False
    about: str = ""
    start: float = 0
    """Where a number begins that is null so far."""

    @property
    def edited(self) -> bool:
        """Whether the fork has another value than the recording."""
        return bool(self.recorded != self.value)

    @property
    def allowed(self) -> str:
        """The range in a few words."""
        if self.kind in ("rule", "item"):
            return "on, off" if self.kind == "rule" else "in, dropped"
        if self.choices:
            return ", ".join(_shown(choice) for choice in self.choices)
        parts = []
        if self.low is not None:
            parts.append(f"{'>' if self.open_low else '>='} {self.low:g}")
        if self.high is not None:
            parts.append(f"{'<' if self.open_high else '<='} {self.high:g}")
        return " ".join(parts) + (" or null" if self.nullable else "")


@dataclass(frozen=True)
class Knobs:
    """All knobs of a fork beside the recording's settings."""

    recorded: Settings
    forked: Settings
    items: tuple[str, ...] = ()
    """Items that could be dropped in the request shown: `component:NAME`, `turn:N`, `page:ID`."""

    def rows(self) -> tuple[Knob, ...]:
        """Settings in declaration order, then rules, then items that are dropped or could be."""
        old, new = self.recorded.model_dump(mode="json"), self.forked.model_dump(mode="json")
        found = [
            _knob(path, _leaf(old, path), _leaf(new, path)) for path in setting_paths() if path not in (_RULES, _ITEMS)
        ]
        size = float(new["window"]["context_limit"] * 1000)
        found = [replace(knob, start=size) if knob.path == "window.context_tokens" else knob for knob in found]
        for rule in _schema(_RULES)["items"]["enum"]:
            was, now = ("off" if rule in _leaf(data, _RULES) else "on" for data in (old, new))
            found.append(
                Knob(f"rule:{rule}", _RULES, "rule", was, now, about=f"rule {rule}; off: as if it never fired")
            )
        dropped = (_leaf(old, _ITEMS), _leaf(new, _ITEMS))
        for item in dict.fromkeys((*dropped[0], *dropped[1], *self.items)):
            was, now = ("dropped" if item in items else "in" for items in dropped)
            found.append(Knob(f"item:{item}", _ITEMS, "item", was, now, about=f"{item}: dropped before ingest, or in"))
        return tuple(found)

    def find(self, key: str) -> Knob | None:
        """The knob of this key, or null."""
        return next((knob for knob in self.rows() if knob.key == key), None)


def _leaf(data: Any, path: str) -> Any:
    for name in path.split("."):
        data = data[name]
    return data


@cache
def _schema(path: str) -> dict[str, Any]:
    node: Any = Settings.model_json_schema()
    definitions = node.get("$defs", {})
    for name in path.split("."):
        node = node["properties"][name]
        while "$ref" in node or "allOf" in node:
            ref = node.get("$ref") or node["allOf"][0]["$ref"]
            node = {**definitions[ref.rsplit("/", 1)[-1]], **{k: v for k, v in node.items() if k == "description"}}
    return dict(node)


def _knob(path: str, recorded: Any, value: Any) -> Knob:
    schema = _schema(path)
    options = schema.get("anyOf", [schema])
    nullable = any(option.get("type") == "null" for option in options)
    main = next((option for option in options if option.get("type") != "null"), schema)
    about = schema.get("description", "")
    if main.get("type") == "boolean":
        return Knob(path, path, "switch", recorded, value, (True, False), about=about)
    if "enum" in main:
        return Knob(path, path, "choice", recorded, value, tuple(main["enum"]), about=about)
    if main.get("type") not in ("number", "integer"):
        return Knob(path, path, "text", recorded, value, about=about)
    return Knob(
        path,
        path,
        main["type"],
        recorded,
        value,
        low=main.get("minimum", main.get("exclusiveMinimum")),
        high=main.get("maximum", main.get("exclusiveMaximum")),
        open_low="exclusiveMinimum" in main,
        open_high="exclusiveMaximum" in main,
        nullable=nullable,
        about=about,
    )


def _step(value: float, *, whole: bool) -> float:
    """A hundredth of a number up to ten; of larger ones the second digit."""
    if not whole:
        return 0.01 if abs(value) <= 10 else 1.0
    return float(10 ** max(0, len(str(abs(int(value)))) - 2))


def nudged(knob: Knob, by: int) -> Any:
    """The value one step (ten for `by` = 10) on or back, inside the range; choices go round."""
    if knob.kind in ("rule", "item"):
        states = {"on": "off", "off": "on", "in": "dropped", "dropped": "in"}
        return states[knob.value]
    if knob.choices:
        at = knob.choices.index(knob.value) if knob.value in knob.choices else 0
        return knob.choices[(at + (1 if by > 0 else -1)) % len(knob.choices)]
    if knob.kind not in ("number", "integer"):
        msg = f"{knob.path} has no steps; enter takes a value"
        raise SettingsError(msg)
    whole = knob.kind == "integer"
    start = knob.value if knob.value is not None else knob.recorded if knob.recorded is not None else knob.start
    step = _step(start, whole=whole)
    value = start + by * step
    if knob.low is not None:
        value = max(value, knob.low + (step if knob.open_low else 0))
    if knob.high is not None:
        value = min(value, knob.high - (step if knob.open_high else 0))
    return int(value) if whole else round(value, 6)


def typed(knob: Knob, text: str) -> Any:
    """What a person typed as the knob's value: JSON where it parses as JSON, else the text. Checked by forking."""
    if knob.kind in ("rule", "item"):
        known = ("on", "off") if knob.kind == "rule" else ("in", "dropped")
        if text not in known:
            msg = f"{knob.key}: expected {known[0]} or {known[1]}, not {text!r}"
            raise SettingsError(msg)
        return text
    try:
        return json.loads(text)
    except ValueError:
        return text


def turned(knobs: Knobs, knob: Knob, value: Any) -> Settings:
    """The fork's settings with this knob at another value. Raises SettingsError naming value and range."""
    if knob.kind not in ("rule", "item"):
        return apply_overrides(knobs.forked, {knob.path: value})
    name = knob.key.partition(":")[2]
    listed = list(_leaf(knobs.forked.model_dump(mode="json"), knob.path))
    wanted = value in ("off", "dropped")
    kept = [item for item in listed if item != name] + ([name] if wanted else [])
    return apply_overrides(knobs.forked, {knob.path: kept})


def flags_of(recorded: Settings, forked: Settings) -> tuple[str, ...]:
    """The values for `--set` that turn one into the other: `window.strategy=aggressive`."""
    old, new = recorded.model_dump(mode="json"), forked.model_dump(mode="json")
    return tuple(
        f"{path}={_shown(_leaf(new, path))}" for path in setting_paths() if _leaf(old, path) != _leaf(new, path)
    )


def _shown(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def knobs_table(knobs: Knobs, effects: Mapping[str, str]) -> Table:
    """One row a knob; `effects` says what each edited knob does here by itself."""
    rows = []
    for knob in knobs.rows():
        role = "highlight" if knob.edited else "text"
        name = knob.path if knob.kind not in ("rule", "item") else knob.key.replace(":", " ", 1)
        value = Cell(_shown(knob.value) if knob.edited else "=", role)  # type: ignore[arg-type]
        effect = Cell(effects.get(knob.key, ""), role)  # type: ignore[arg-type]
        row = cells(Cell(name, role), _shown(knob.recorded), value, Cell(knob.allowed, "dim"), effect)  # type: ignore[arg-type]
        rows.append(Row(knob.key, row, "~" if knob.edited else " "))
    edited = sum(row.mark == "~" for row in rows)
    return Table("WHAT IF", f"{edited} of {len(rows)} edited; the recording is never touched", COLUMNS, tuple(rows), "")


def knob_detail(knobs: Knobs, key: str | None) -> Detail:
    """What the knob does, its values and its range."""
    knob = knobs.find(key) if key else None
    if knob is None:
        return Detail("what if")
    values = f"recorded {_shown(knob.recorded)}, fork {_shown(knob.value)}, allowed: {knob.allowed or 'any'}"
    return Detail(knob.key, (Cell(knob.about), Cell(values, "dim")))


def droppable(components: Sequence[str], turns: Sequence[int], pages: Sequence[str]) -> tuple[str, ...]:
    """Items as `what_if.drop` names them."""
    return (
        *(f"component:{name}" for name in components),
        *(f"turn:{turn}" for turn in turns),
        *(f"page:{page}" for page in pages),
    )
