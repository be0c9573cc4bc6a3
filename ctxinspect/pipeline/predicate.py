"""Predicates over context events: a small typed language, parsed to a tree and never evaluated as code.

A term is a kind and conditions on the fields of one event of that kind; it holds where one event meets them all. `and`,
`or`, `not` and parentheses join terms per request. An unknown kind or field is an error that names the nearest one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from ctxinspect.errors import UsageError
from ctxinspect.pipeline.events import EVENTS, KINDS, Event, finding_event
from ctxinspect.pipeline.plan import Step
from ctxinspect.pipeline.replay import Replay
from ctxinspect.text.nearest import nearest
from ctxinspect.trace.types import Finding

__all__ = ["GRAMMAR", "Hit", "Predicate", "breakpoints_page", "find_hits", "finding_matches", "parse"]

GRAMMAR = """expr      = and-expr { "or" and-expr }
and-expr  = not-expr { "and" not-expr }
not-expr  = "not" not-expr | "(" expr ")" | term
term      = kind { condition }
condition = field op value | "/" regex "/" (kind text) | number (kind at)
op        = "<" | "<=" | ">" | ">=" | "=" | "!="
value     = number | number "%" | word | '"' text '"' | "/" regex "/" """
_TOKEN = re.compile(r"""\s*(?:(/(?:\\.|[^/\\])*/)|("(?:\\.|[^"\\])*")|(<=|>=|!=|==|<|>|=)|([()])|([^\s()<>=!"/]+))""")
_OPS: dict[str, Callable[[Any, Any], bool]] = {
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
    "=": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
}
_SEVERITY = {"info": 0, "warning": 1, "error": 2}


class Hit(NamedTuple):
    """Where a predicate holds: an address such as `t42r1.window#3`, and one line of text (raw)."""

    address: str
    text: str


@dataclass(frozen=True, slots=True)
class Condition:
    """One comparison of an event's field with a value."""

    field: str
    op: str
    value: str | float | re.Pattern[str]

    def holds(self, event: Event) -> bool:
        """Whether the event's field meets it; a field that is null or absent meets nothing."""
        found = event.fields.get(self.field)
        values = found if isinstance(found, tuple) else (found,)
        return any(value is not None and self._compare(value) for value in values)

    def _compare(self, found: Any) -> bool:
        wanted: Any = self.value
        if isinstance(wanted, re.Pattern):
            return (wanted.search(str(found)) is not None) != (self.op == "!=")
        if self.field == "severity":
            return _OPS[self.op](_SEVERITY[found], _SEVERITY[str(wanted)])
        if isinstance(found, (int, float)) and isinstance(wanted, float):
            return _OPS[self.op](round(found, 9), round(wanted, 9))
        if self.op in ("=", "!="):
            return _OPS[self.op](str(found), wanted if isinstance(wanted, str) else f"{wanted:g}")
        return False


@dataclass(frozen=True, slots=True)
class Predicate:
    """A node of the tree: a term with its kind and conditions, or `and`, `or`, `not` over parts."""

    op: str
    parts: tuple[Predicate, ...] = ()
    kind: str = ""
    conditions: tuple[Condition, ...] = ()

    def hits(self, replay: Replay, step: Step) -> tuple[Hit, ...]:
        """Every event of this request for which it holds, in stage order; `not` gives the request itself."""
        if self.op == "term":
            events = EVENTS[self.kind](replay, step)
            return tuple(Hit(event.address(step), event.text) for event in events if self.accepts(event))
        found = [part.hits(replay, step) for part in self.parts]
        if self.op == "not":
            return () if found[0] else (Hit(_place(step), "holds: nothing of that kind here"),)
        if self.op == "and" and not all(found):
            return ()
        return tuple(dict.fromkeys(hit for hits in found for hit in hits))

    def accepts(self, event: Event) -> bool:
        """Whether this term's conditions hold; without one, the kind's own (a topic: a decided switch)."""
        return all(c.holds(event) for c in self.conditions) if self.conditions else event.notable


def _place(step: Step) -> str:
    return f"t{step.turn}" + (f"r{step.request}" if step.request else "")


def find_hits(
    replay: Replay, predicate: Predicate, progress: Callable[[int, int], None] | None = None
) -> Iterator[Hit]:
    """Every hit of the session in its order, each place and text once; `progress(done, steps)` after every request."""
    seen: set[Hit] = set()
    for done, step in enumerate(replay.steps, 1):
        for hit in predicate.hits(replay, step):
            if hit not in seen:
                seen.add(hit)
                yield hit
        if progress is not None:
            progress(done, len(replay.steps))


def finding_matches(predicate: Predicate, finding: Finding) -> bool:
    """Whether one finding meets a predicate of kinds `finding` and `pair`. Raises UsageError for another kind."""
    if predicate.op == "term":
        if predicate.kind not in ("finding", "pair"):
            msg = f"{predicate.kind}: a finding is judged by the kinds finding and pair only"
            raise UsageError(msg)
        event = finding_event(finding)
        return predicate.accepts(event) and (predicate.kind == "finding" or event.pairing)
    found = [finding_matches(part, finding) for part in predicate.parts]
    return not found[0] if predicate.op == "not" else all(found) if predicate.op == "and" else any(found)


def parse(text: str) -> Predicate:
    """The predicate in `text`. Raises UsageError saying what is wrong and the nearest name."""
    tokens: list[str] = []
    at = 0
    while text[at:].strip():
        match = _TOKEN.match(text, at)
        if match is None:
            msg = f"{text!r}: cannot read {text[at:].strip()!r}"
            raise UsageError(msg)
        tokens.append(match[0].strip())
        at = match.end()
    parser = _Parser(tokens)
    tree = parser.either()
    if parser.ahead:
        msg = f"{text!r}: unexpected {parser.ahead!r}; expected and, or, or the end"
        raise UsageError(msg)
    return tree


class _Parser:
    """Recursive descent over the tokens."""

    def __init__(self, tokens: list[str]) -> None:
        self._tokens = tokens
        self._at = 0
        self._depth = 0

    @property
    def ahead(self) -> str:
        return self._tokens[self._at] if self._at < len(self._tokens) else ""

    def _take(self) -> str:
        token = self.ahead
        if not token:
            msg = "the expression ends too early; expected for example: topic margin<0.05"
            raise UsageError(msg)
        self._at += 1
        return token

    def either(self) -> Predicate:
        return self._joined("or", self._both)

    def _both(self) -> Predicate:
        return self._joined("and", self._negated)

    def _joined(self, word: str, part: Callable[[], Predicate]) -> Predicate:
        parts = [part()]
        while self.ahead == word:
            self._take()
            parts.append(part())
        return parts[0] if len(parts) == 1 else Predicate(word, tuple(parts))

    def _negated(self) -> Predicate:
        self._depth += 1
        if self._depth > 100:
            msg = "the expression is nested more than 100 deep"
            raise UsageError(msg)
        token = self._take()
        if token == "not":  # noqa: S105 - a word of the language
            tree = Predicate("not", (self._negated(),))
        elif token == "(":  # noqa: S105 - a word of the language
            tree = self.either()
            if self._take() != ")":
                msg = "a parenthesis is not closed"
                raise UsageError(msg)
        else:
            tree = self._term(token)
        self._depth -= 1
        return tree

    def _term(self, kind: str) -> Predicate:
        if kind not in KINDS:
            msg = f"{kind!r} is no kind; {nearest(kind, list(KINDS)) or 'kinds: ' + ', '.join(KINDS)}"
            raise UsageError(msg)
        conditions = []
        while self.ahead and self.ahead not in ("and", "or", "not", "(", ")"):
            conditions.append(self._condition(kind))
        if kind in ("text", "at") and not conditions:
            msg = f"{kind}: expected {'/regex/' if kind == 'text' else 'a turn number'} behind it"
            raise UsageError(msg)
        return Predicate("term", kind=kind, conditions=tuple(conditions))

    def _condition(self, kind: str) -> Condition:
        field = self._take()
        if kind == "text" and field[0] in '/"':
            value = _value("text", field)
            return Condition("text", "=", re.compile(re.escape(value)) if isinstance(value, str) else value)
        if kind == "at" and (match := re.fullmatch(r"t?(\d{1,9})", field)):
            return Condition("turn", "=", float(match[1]))
        known = KINDS[kind].fields
        if field not in known:
            msg = f"{kind}: no field {field!r}; {nearest(field, known) or 'fields: ' + ', '.join(known)}"
            raise UsageError(msg)
        op = self._take().replace("==", "=")
        if op not in _OPS:
            msg = f"{kind} {field}: expected one of {' '.join(_OPS)}, not {op!r}"
            raise UsageError(msg)
        return Condition(field, op, _value(field, self._take()))


def _value(field: str, token: str) -> str | float | re.Pattern[str]:
    if field == "severity" and token not in _SEVERITY:
        msg = f"severity {token!r}: expected error, warning or info"
        raise UsageError(msg)
    if token[0] == "/":
        try:
            return re.compile(token[1:-1].replace("\\/", "/"))
        except re.error as error:
            msg = f"{token}: {error}"
            raise UsageError(msg) from error
    if token[0] == '"':
        return re.sub(r"\\(.)", r"\1", token[1:-1])
    match = re.fullmatch(r"([+-]?(?:\d+\.?\d*|\.\d+))(%?)", token)
    return token if match is None else float(match[1]) / (100 if match[2] else 1)


def breakpoints_page() -> str:
    """docs/breakpoints.md: the grammar, and the table of kinds with their stage and fields."""
    rows = [
        f"| `{name}` | {kind.stage} | {kind.alone} | {' '.join(f'`{f}`' for f in kind.fields)} |"
        for name, kind in KINDS.items()
    ]
    return "\n".join(
        [
            "# Breakpoints",
            "",
            "`ctxinspect break FILE --on EXPR` prints every position where EXPR holds.",
            "",
            "```",
            *[line.rstrip() for line in GRAMMAR.splitlines()],
            "```",
            "",
            "| kind | stage | alone it means | fields |",
            "|---|---|---|---|",
            *rows,
            "",
        ]
    )
