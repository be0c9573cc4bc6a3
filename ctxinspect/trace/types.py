"""The trace of one request: the JSON contract of specification page 6, as frozen dataclasses.

Field names are the JSON keys. Every key is always present; null and empty lists stand where there is nothing. Floats
are not rounded. Adding a field is allowed, renaming one is a new format.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

__all__ = [
    "FORMAT",
    "STAGES",
    "Anchor",
    "AnchorCut",
    "AssemblyTrace",
    "ComponentRow",
    "CounterLabel",
    "CoverStep",
    "CoverTrace",
    "Dropped",
    "Finding",
    "FirstChange",
    "GateTrace",
    "LedgerEntry",
    "Margins",
    "MessageRow",
    "PrefixTrace",
    "RecallRow",
    "ReportedUsage",
    "SelectedRow",
    "SessionLabel",
    "Severity",
    "Stage",
    "Trace",
    "TraceCall",
    "UsageTrace",
    "WindowTrace",
]

FORMAT: Literal["ctxinspect-trace/1"] = "ctxinspect-trace/1"
Stage: TypeAlias = Literal["ingest", "gate", "recall", "prune", "cover", "assemble", "render", "window", "lint"]
STAGES: tuple[Stage, ...] = ("ingest", "gate", "recall", "prune", "cover", "assemble", "render", "window", "lint")
Severity: TypeAlias = Literal["error", "warning", "info"]


@dataclass(frozen=True, slots=True)
class SessionLabel:
    """Which session: title, where it came from, how many turns."""

    title: str | None
    source: str | None
    turns: int


@dataclass(frozen=True, slots=True)
class CounterLabel:
    """What counted: its name, and whether it is the session model's own tokenizer."""

    name: str
    exact: bool


@dataclass(frozen=True, slots=True)
class Anchor:
    """An anchor of the query at this turn: kind, blocks that hold it, IDF, whether the active topic holds it."""

    term: str
    kind: Literal["term", "identifier", "ngram", "phrase", "fallback"]
    df: int
    idf: float
    in_topic: bool


@dataclass(frozen=True, slots=True)
class AnchorCut:
    """An n-gram left out of the query because its IDF is under the floor."""

    term: str
    df: int
    idf: float


@dataclass(frozen=True, slots=True)
class Margins:
    """Value minus threshold, for the three thresholds of the gate."""

    overlap_continue: float
    overlap_switch: float
    new_ratio_switch: float


@dataclass(frozen=True, slots=True)
class GateTrace:
    """The topic gate's decision: the rule that fired, the matched deictic text if any, and all margins."""

    decision: Literal["start", "continue", "switch"]
    rule: Literal["no_history", "deictic", "no_anchors", "overlap", "new_topic", "middle"]
    overlap: float
    new_ratio: float
    deictic: str | None
    topic_start: int
    blocks: int
    anchors: tuple[Anchor, ...]
    anchors_cut: tuple[AnchorCut, ...]
    margins: Margins


@dataclass(frozen=True, slots=True)
class RecallRow:
    """One candidate block: its four score terms, its score, and its fate."""

    turn_id: int
    lex_user: float
    lex_assistant: float
    exact: int
    recency: float
    score: float
    state: Literal["kept", "pruned", "dropped"]
    rule: str
    content_words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CoverStep:
    """One greedy step: the block taken, its gain per cost, what it newly covers, the coverage and budget after it."""

    turn_id: int
    gain: float
    cost: int
    newly: tuple[str, ...]
    coverage: float
    budget_left: int


@dataclass(frozen=True, slots=True)
class CoverTrace:
    """Minimum coverage selection: steps, what could be covered, what stayed uncovered, why it stopped."""

    steps: tuple[CoverStep, ...]
    coverable: tuple[str, ...]
    uncovered: tuple[str, ...]
    coverage: float | None
    stop: Literal["target", "no_gain", "budget", "no_candidates"]


@dataclass(frozen=True, slots=True)
class SelectedRow:
    """An earlier turn that the gatekeeper brings along, as rendered; recent turns have score null."""

    turn_id: int
    via: Literal["recent", "cover"]
    user: str
    assistant: str
    score: float | None
    covered_ids: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ComponentRow:
    """One component's fate (page 2 rule 9); tokens."""

    name: str
    priority: int
    truncatable: bool
    requested_tokens: int
    rendered_tokens: int
    state: Literal["kept", "truncated", "dropped"]
    rule: str
    remaining: int
    margin: int
    position: int | None
    content: str = ""
    """The filled content, whole (a cut shows against it)."""
    rendered_chars: int = 0
    """Characters of `content` that are in the output: where the cut is."""


@dataclass(frozen=True, slots=True)
class AssemblyTrace:
    """The assembled system prompt and its summary; tokens."""

    budget: int
    limit: int
    requested_tokens: int
    rendered_tokens: int
    overflow: int
    unused_tokens: int
    text: str
    components: tuple[ComponentRow, ...]


@dataclass(frozen=True, slots=True)
class Dropped:
    """A unit that trimming removed; `turn_id` and `round` are null where the unit has none."""

    kind: Literal["turn", "round", "message"]
    turn_id: int | None
    round: int | None
    tokens: int


@dataclass(frozen=True, slots=True)
class WindowTrace:
    """The window: sizes in tokens, what was dropped, the log lines."""

    size: int
    strategy: str
    ratio: float
    unit: Literal["turn", "message"]
    input_budget: int
    tool_tokens: int
    message_budget: int
    request_tokens: int
    dropped: tuple[Dropped, ...]
    log: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TraceCall:
    """A tool call as rendered: `id` is its page id, `arguments` an object or the raw string as recorded."""

    id: str | None
    name: str
    arguments: dict[str, Any] | str


@dataclass(frozen=True, slots=True)
class MessageRow:
    """One message as sent (or as recorded), with what it costs and where it came from."""

    role: str
    content: str
    tool_calls: tuple[TraceCall, ...]
    tool_call_id: str | None
    name: str | None
    tokens: int
    turn_id: int | None
    round: int | None
    synthetic: Literal["label", "chat_tool", "stub"] | None
    state: Literal["kept", "pruned", "handle", "stub"]
    thinking: tuple[str, ...] = ()
    source_index: int | None = None
    """Index in the recorded list (recorded view), else null."""
    line: int | None = None
    note: str | None = None
    """What a reader must know about it: `compact summary`, `client note`, `result without call`, …"""


@dataclass(frozen=True, slots=True)
class FirstChange:
    """The earliest difference from the previous request."""

    message: int | None
    part: Literal["tools", "component", "turn"]
    id: str | int | None
    character: int


@dataclass(frozen=True, slots=True)
class PrefixTrace:
    """What a provider's prompt cache could reuse of the previous request; messages and tokens."""

    previous: tuple[int, int]
    common_messages: int
    common_tokens: int
    first_change: FirstChange | None


@dataclass(frozen=True, slots=True)
class ReportedUsage:
    """What the provider reported; `input` includes `cached`; tokens."""

    input: int | None
    cached: int | None
    output: int | None


@dataclass(frozen=True, slots=True)
class UsageTrace:
    """Counted from text, reported by the provider, and the difference that is not in this file; tokens."""

    reported: ReportedUsage
    counted: int
    not_in_file: int | None


@dataclass(frozen=True, slots=True)
class LedgerEntry:
    """The one fate of one candidate: the stage and rule that decided, the value, the threshold, the margin."""

    kind: Literal["component", "turn", "page", "sentence"]
    id: str | int
    stage: Stage
    state: Literal["kept", "truncated", "pruned", "handle", "dropped"]
    rule: str
    value: float | None = None
    threshold: float | None = None
    margin: float | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """A fault or a fact worth knowing: rule code, severity, the stage after which it first holds, and its place."""

    id: str
    severity: Severity
    stage: Stage
    message: int | None = None
    path: str | None = None
    line: int | None = None
    turn_id: int | None = None
    call_id: str | None = None
    text: str = ""
    component: str | None = None


@dataclass(frozen=True, slots=True)
class Trace:
    """One request, whole: what the model saw, what it did not see, and why."""

    session: SessionLabel
    view: Literal["replay", "recorded"]
    turn_id: int
    request: int
    hypothetical: bool
    query: str
    counter: CounterLabel
    gate: GateTrace | None
    recall: Sequence[RecallRow] | None
    """A `RecallRows` in a replay, which builds the rows of dropped candidates when they are looked at."""
    cover: CoverTrace | None
    selected: tuple[SelectedRow, ...] | None
    assembly: AssemblyTrace | None
    window: WindowTrace
    messages: tuple[MessageRow, ...]
    prefix: PrefixTrace | None
    usage: UsageTrace | None
    ledger: tuple[LedgerEntry, ...] | None
    findings: tuple[Finding, ...]
    format: Literal["ctxinspect-trace/1"] = field(default=FORMAT)
