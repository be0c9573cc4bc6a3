"""The settings of a replay: frozen, complete, every field with its default and its range.

A setting here is always something that changes what the model would see; what only changes the screen is
configuration and lives with the front ends. Unknown keys are refused. `apply_overrides` is the one way to fork.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ctxinspect.errors import SettingsError
from ctxinspect.text.nearest import nearest

__all__ = [
    "COUNTER_NAMES",
    "STRATEGY_RATIOS",
    "AssemblerSettings",
    "CounterName",
    "Frozen",
    "GatekeeperSettings",
    "Many",
    "SequenceSettings",
    "Settings",
    "WhatIfSettings",
    "WindowSettings",
    "apply_overrides",
    "parse_override",
    "setting_paths",
]

T = TypeVar("T")
Many = Annotated[tuple[T, ...], Field(strict=False)]
"""A JSON list, kept as a tuple so that the model stays frozen."""

CounterName = Literal["cl100k_base", "o200k_base", "chars/4", "chars*1.5", "bytes-bound"]
COUNTER_NAMES: tuple[CounterName, ...] = ("cl100k_base", "o200k_base", "chars/4", "chars*1.5", "bytes-bound")

STRATEGY_RATIOS: dict[str, float] = {"conservative": 0.60, "balanced": 0.75, "aggressive": 0.85}
"""The share of the window that input may use, per strategy (specification page 3)."""

Rule = Literal[
    "deictic",
    "idf_floor",
    "content_filter",
    "exact",
    "recency",
    "recent",
    "prune",
    "coverage_target",
    "handles",
    "trim",
]


class Frozen(BaseModel):
    """Base of all session data: immutable, strict about types, unknown keys refused."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, populate_by_name=True)


class AssemblerSettings(Frozen):
    """Page 2: the token budget of the system prompt and how a cut is made."""

    max_tokens: int = Field(16000, ge=0, description="token budget of the system prompt")
    buffer: float = Field(0.0, ge=0, lt=1, description="share of max_tokens kept free")
    min_useful_tokens: int = Field(100, ge=0, description="a cut that leaves less than this is a drop (tokens)")
    after_truncate: Literal["continue", "stop"] = Field("continue", description="go on with smaller ones after a cut")
    order: Literal["priority", "admission"] | Many[str] = Field("priority", description="output order")


class WindowSettings(Frozen):
    """Page 3: the context window and the share of it that input may use."""

    context_limit: int = Field(128, gt=0, description="size of the window in K tokens (thousands)")
    context_tokens: int | None = Field(None, gt=0, description="size of the window in tokens, instead of context_limit")
    strategy: Literal["conservative", "balanced", "aggressive"] = Field("balanced", description="input's share")
    unit: Literal["turn", "message"] = Field("turn", description="what is trimmed: whole turns, or messages")


class SequenceSettings(Frozen):
    """Page 4: how a turn becomes native messages."""

    layout: Literal["rounds", "flattened"] = Field("rounds", description="one assistant message per round, or per turn")
    orphan_calls: Literal["drop", "stub"] = Field("drop", description="a call without result: removed, or stubbed")
    handle_over_tokens: int | None = Field(2000, ge=0, description="larger tool results become handles; null = never")
    handle_preview_chars: int = Field(200, ge=0, description="characters of the result kept behind a handle")


class GatekeeperSettings(Frozen):
    """Page 5: gate, recall, pruning and coverage. The defaults are experimentally fixed in the source."""

    token_budget: int = Field(4000, ge=0, description="tokens that history may cost")
    overlap_continue: float = Field(0.45, ge=0, le=1, description="above this overlap the topic goes on")
    overlap_switch: float = Field(0.20, ge=0, le=1, description="below this overlap it may switch")
    new_ratio_switch: float = Field(0.70, ge=0, le=1, description="above this share of new anchors it may switch")
    idf_floor: float = Field(1.5, ge=0, description="n-grams below this IDF are cut from the query")
    idf_floor_min_blocks: int = Field(5, ge=0, description="the floor holds from this many blocks on")
    deictic_first: bool = Field(default=True, description="deictic patterns are tried before the thresholds")
    content_filter: bool = Field(default=True, description="on a switch, a candidate must hold a content word")
    lexical: Literal["idf", "bm25"] = Field("idf", description="formula of the lexical score")
    weight_user: float = Field(1.5, ge=0, description="weight of the user side")
    weight_assistant: float = Field(0.7, ge=0, description="weight of the assistant side")
    weight_exact: float = Field(1.0, ge=0, description="bonus for a block with every anchor")
    weight_recency: float = Field(0.2, ge=0, description="weight of freshness")
    recall_limit: int = Field(20, ge=0, description="blocks that stay after ranking")
    coverage_target: float = Field(0.85, ge=0, le=1, description="selection stops at this coverage")
    alpha: float = Field(0.8, ge=0, description="exponent of the cost in the gain")
    max_sentences: int = Field(3, ge=0, description="sentences kept per side, beside the first")
    recent_turns: int = Field(2, ge=0, description="turns of the active topic that come along whole")
    recency_window: int | None = Field(None, ge=1, description="turns over which freshness fades; null = all blocks")


class WhatIfSettings(Frozen):
    """Forks: items removed before ingest and rules switched off."""

    drop: Many[str] = Field((), description="component:NAME, turn:N or page:ID, removed before ingest")
    rules_off: Many[Rule] = Field((), description="rules switched off")


class Settings(Frozen):
    """Everything under `context` in a session file."""

    counter: CounterName = Field("cl100k_base", description="what counts tokens")
    message_overhead: int = Field(4, ge=0, description="tokens charged per message")
    image_tokens: int = Field(1000, ge=0, description="tokens charged per image, file or audio part")
    history: Literal["gatekeeper", "full"] = Field("gatekeeper", description="which earlier turns come along")
    history_resets: Literal["respect", "ignore"] = Field("respect", description="whether a compaction cuts history")
    assembler: AssemblerSettings = AssemblerSettings()
    window: WindowSettings = WindowSettings()
    sequence: SequenceSettings = SequenceSettings()
    gatekeeper: GatekeeperSettings = GatekeeperSettings()
    what_if: WhatIfSettings = WhatIfSettings()

    def rule_off(self, rule: Rule) -> bool:
        """Whether a fork has switched this rule off."""
        return rule in self.what_if.rules_off


def setting_paths(model: type[BaseModel] = Settings, prefix: str = "") -> list[str]:
    """Dotted paths of all leaf settings, in declaration order."""
    paths: list[str] = []
    for name, field in model.model_fields.items():
        kind = field.annotation
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            paths += setting_paths(kind, f"{prefix}{name}.")
        else:
            paths.append(prefix + name)
    return paths


def parse_override(text: str) -> tuple[str, Any]:
    """`PATH=VALUE` as path and value: JSON where it parses as JSON, else the string itself.

    Raises SettingsError where there is no `=` or the path is no setting.
    """
    path, sep, raw = text.partition("=")
    path = path.strip().removeprefix("context.")
    if not sep:
        msg = f"--set {text!r}: expected PATH=VALUE, for example window.strategy=aggressive"
        raise SettingsError(msg)
    known = setting_paths()
    if path not in known:
        msg = f"--set {path}: no such setting; {nearest(path, known) or 'known: ' + ', '.join(known[:6]) + ', …'}"
        raise SettingsError(msg)
    try:
        return path, json.loads(raw)
    except ValueError:
        return path, raw


def _wanted(path: str, message: str) -> str:
    """What a setting should have been: the window's own words for its size, else the reason without its first word."""
    unit = {"window.context_limit": "K tokens", "window.context_tokens": "tokens"}.get(path)
    if unit is not None:
        return f"expected a positive integer, in {unit}"
    return message.removeprefix("Input ").removeprefix("Value error, ")


def apply_overrides(settings: Settings, overrides: Mapping[str, Any]) -> Settings:
    """A fork: these settings with the given dotted paths replaced. Raises SettingsError naming value and range."""
    data = settings.model_dump(mode="json")
    for path, value in overrides.items():
        node: Any = data
        *parents, leaf = path.split(".")
        for parent in parents:
            node = node.get(parent) if isinstance(node, dict) else None
        if not isinstance(node, dict) or leaf not in node:
            known = setting_paths()
            msg = f"{path}: no such setting; {nearest(path, known)}"
            raise SettingsError(msg)
        node[leaf] = value
    try:
        return Settings.model_validate(data)
    except ValidationError as error:
        first = error.errors()[0]
        wanted = ".".join(str(part) for part in first["loc"] if isinstance(part, (str, int)))
        path = next((p for p in overrides if wanted.startswith(p)), wanted)
        msg = f"{path}={json.dumps(overrides.get(path), ensure_ascii=False)}: {_wanted(wanted, first['msg'])}"
        raise SettingsError(msg) from error
