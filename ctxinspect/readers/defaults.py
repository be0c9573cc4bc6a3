"""Settings of a replay of a foreign session: the whole history, and counter and window by the session's model.

A small table of model families, as published up to November 2026; the first pattern that matches decides. A model that
is not in it counts with cl100k_base in a window of 128 K.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from ctxinspect.settings import CounterName, Settings, WindowSettings

__all__ = ["TABLE_DATE", "Family", "family_of", "foreign_settings"]

TABLE_DATE = "2026-11"


class Family(NamedTuple):
    """Models with one vocabulary and one window (tokens)."""

    pattern: str
    counter: CounterName
    window: int


_FAMILIES: tuple[Family, ...] = (
    Family(r"gpt-4\.1|gpt-4-1", "o200k_base", 1_047_576),
    Family(r"gpt-5|codex-mini|codex-5", "o200k_base", 400_000),
    Family(r"gpt-4o|chatgpt-4o|gpt-oss", "o200k_base", 128_000),
    Family(r"\bo1-(mini|preview)", "o200k_base", 128_000),
    Family(r"\bo[134](-|\b)", "o200k_base", 200_000),
    Family(r"gpt-4-32k", "cl100k_base", 32_768),
    Family(r"gpt-4-(turbo|\d{4}-preview|1106|0125|vision)", "cl100k_base", 128_000),
    Family(r"gpt-4", "cl100k_base", 8_192),
    Family(r"gpt-3\.5-turbo-instruct|gpt-3\.5-turbo-(0613|0301)$", "cl100k_base", 4_096),
    Family(r"gpt-(3\.5|35)", "cl100k_base", 16_385),
    Family(r"claude.*(\[1m\]|-1m)", "cl100k_base", 1_000_000),
    Family(r"claude-(instant|2\.0|v1|v2$)", "cl100k_base", 100_000),
    Family(r"claude", "cl100k_base", 200_000),
    Family(r"gemini-1\.5-pro", "cl100k_base", 2_097_152),
    Family(r"gemini-1\.0|gemini-pro$", "cl100k_base", 32_768),
    Family(r"gemini", "cl100k_base", 1_048_576),
    Family(r"grok-(code|4-fast|4\.)", "cl100k_base", 256_000),
    Family(r"grok-4", "cl100k_base", 256_000),
    Family(r"grok", "cl100k_base", 131_072),
    Family(r"deepseek", "cl100k_base", 128_000),
    Family(r"qwen3|qwen-(max|plus)", "cl100k_base", 262_144),
    Family(r"kimi-k2", "cl100k_base", 262_144),
    Family(r"llama-?4", "cl100k_base", 1_000_000),
    Family(r"llama-?3(\.0)?-", "cl100k_base", 8_192),
)
_UNKNOWN = Family("", "cl100k_base", 128_000)


def family_of(model: str | None) -> Family:
    """The family of a model name as it stands in recordings (provider prefixes and dates allowed)."""
    name = (model or "").lower()
    return next((family for family in _FAMILIES if name and re.search(family.pattern, name)), _UNKNOWN)


def foreign_settings(model: str | None) -> Settings:
    """Settings for a session read from a foreign format."""
    family = family_of(model)
    thousands, rest = divmod(family.window, 1000)
    window = WindowSettings(context_limit=thousands) if not rest else WindowSettings(context_tokens=family.window)
    return Settings(history="full", counter=family.counter, window=window)
