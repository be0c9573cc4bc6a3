"""The word lists of specification page 5, read once from package data: no other module holds a copy of them.

All entries are lower case.
"""

from __future__ import annotations

import json
from importlib import resources

__all__ = ["ABBREVIATIONS", "STOP_CHARS", "STOP_NGRAMS", "STOP_WORDS"]

_LISTS = json.loads(resources.files("ctxinspect.text").joinpath("data/stopwords.json").read_text("utf-8"))

STOP_WORDS: frozenset[str] = frozenset(_LISTS["words"])
"""Words that are never anchors nor content words."""
STOP_NGRAMS: frozenset[str] = frozenset(_LISTS["ngrams"])
"""Chinese phrases that are never anchors and part content words."""
STOP_CHARS: frozenset[str] = frozenset(_LISTS["stop_chars"])
"""Chinese particles: no n-gram holds one."""
ABBREVIATIONS: frozenset[str] = frozenset(_LISTS["abbreviations"])
"""Abbreviations without their last dot, which ends no sentence."""
