"""Predicates over context events: a small typed language, parsed to a tree and never evaluated as code.

A term is a kind and conditions on the fields of one event of that kind; it holds where one event meets them all. `and`,
`or`, `not` and parentheses join terms per request. An unknown kind or field is an error that names the nearest one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, NamedTuple

from ctxinspect.errors import UsageError
from ctxinspect.pipeline.events import KINDS, Event, Moment, finding_event
from ctxinspect.pipeline.plan import Step
from ctxinspect.pipeline.replay import Replay, View
from ctxinspect.text.nearest import nearest
from ctxinspect.trace.codes import rule_named
from ctxinspect.trace.types import STAGES, Finding

__all__ = ["GRAMMAR", "Hit", "Predicate", "find_hits", "finding_matches", "parse"]

GRAMMAR = """expr      = and-expr { "or" and-expr }
and-expr  = not-expr { "and" not-expr }
not-expr  = "not" not-expr | "(" expr ")" | term
term      = kind [ op value ] { condition }
condition = field op value | field | regex (kind text) | '"' text '"' (kind text) | address (kind at)
op        = "<" | "<=" | ">" | ">=" | "=" | "!="
value     = number | number "%" | word | '"' text '"' | regex
regex     = "/" pattern "/" [ "i" ]"""
_TOKEN = re.compile(
    r"""\s*(?:(/(?:\\.|[^/\\])*/(?:i\b)?)|("(?:\\.|[^"\\])*")|(<=|>=|!=|==|<|>|=)|([()])|([^\s()<>=!"/][^\s()<>=!"]*))"""
)
_OPS: dict[str, Callable[[Any, Any], bool]] = {
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
    "=": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
}
_AROUND = 24
"""Characters shown on each side of a text that was found."""
_SEVERITY = {"info": 0, "warning": 1, "error": 2}
_RANK = {stage: rank for rank, stage in enumerate(("", *STAGES))}
_ADDRESS = re.compile(r"t?(\d{1,9})(?:r(\d{1,9}))?(?:\.([a-z]+))?")
_NUMBER = re.compile(r"([+-]?(?:\d+\.?\d*|\.\d+))(%?)")


class Hit(NamedTuple):
    """Where a predicate holds: an address such as `t42r1.window#3`, one line of text (raw), and the address in parts.

    What holds for a whole turn (its gate, say) stands at the turn's first request.
    """

    address: str
    text: str
    step: Step
    stage: str
    number: int | None

    @property
    def place(self) -> tuple[int, int, int, int]:
        """Its place in the session: turn, request, stage (0: the request as a whole), decision (-1: the stage)."""
        return (*self.step, _RANK[self.stage], -1 if self.number is None else self.number)


def _hit(moment: Moment, event: Event) -> Hit:
    """The event with its address; events of a whole turn name no request, others do where there are several."""
    turn, request = moment.step
    address = f"t{turn}" + (f"r{request}" if moment.several and not event.per_turn else "")
    address += (f".{event.stage}" if event.stage else "") + (f"#{event.number}" if event.number is not None else "")
    return Hit(address, event.text, Step(turn, 0 if event.per_turn else request), event.stage, event.number)


@dataclass(frozen=True, slots=True)
class Condition:
    """One comparison of an event's field with a value; `given` is the value as it was written.

    The operator is empty for a field that stands alone: it holds where the field is there and neither 0 nor `no`.
    """

    field: str
    op: str
    value: str | float | re.Pattern[str]
    given: str = ""

    def holds(self, event: Event) -> bool:
        """Whether the event's field meets it: one of its values, for `!=` all; null and an empty list meet nothing."""
        found = event.fields.get(self.field)
        values = [value for value in (found if isinstance(found, tuple) else (found,)) if value is not None]
        if self.op == "!=":
            return bool(values) and all(not self._compare(value, "=") for value in values)
        return any(self._compare(value, self.op) for value in values)

    def excerpt(self, event: Event) -> str:
        """Where the event's texts meet it, with a few words around."""
        pattern = self.value if isinstance(self.value, re.Pattern) else re.compile(re.escape(self.given))
        texts: tuple[str, ...] = event.fields[self.field]
        text, match = next((text, m) for text in texts if (m := pattern.search(text)) is not None)
        start, end = max(0, match.start() - _AROUND), min(match.end() + _AROUND, match.start() + 4 * _AROUND)
        return ("..." if start else "") + text[start:end] + ("..." if end < len(text) else "")

    def _compare(self, found: Any, op: str) -> bool:
        wanted: Any = self.value
        if not op:
            return found not in (0, "", "no")
        if isinstance(wanted, re.Pattern):
            return wanted.search(str(found)) is not None
        if self.field == "severity":
            return _OPS[op](_SEVERITY[found], _SEVERITY[str(wanted)])
        if isinstance(found, (int, float)) and isinstance(wanted, float):
            return _OPS[op](round(found, 9), round(wanted, 9))
        if self.field == "text":
            return self.given in str(found)
        return str(found) == self.given


@dataclass(frozen=True, slots=True)
class Predicate:
    """A node of the tree: a term with its kind and conditions, or `and`, `or`, `not` over parts."""

    op: str
    parts: tuple[Predicate, ...] = ()
    kind: str = ""
    conditions: tuple[Condition, ...] = ()

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of its terms, each once, as they stand."""
        return tuple(
            dict.fromkeys([self.kind] if self.op == "term" else [k for part in self.parts for k in part.kinds])
        )

    def hits(self, replay: Replay, step: Step, view: View | None = None) -> tuple[Hit, ...]:
        """Every place of this request where it holds; see `hits_at`."""
        return self.hits_at(Moment(replay, step, view))

    def hits_at(self, moment: Moment) -> tuple[Hit, ...]:
        """Every place of the request where it holds, by stage and number; `not` gives the request itself."""
        if self.op == "term":
            found = [_hit(moment, self._shown(event)) for event in moment.events(self.kind) if self.accepts(event)]
            return tuple(sorted(found, key=lambda hit: hit.place))
        if self.op == "not":
            nothing = Event("", {}, "nothing of that kind in this request")
            return () if self.parts[0].hits_at(moment) else (_hit(moment, nothing),)
        parts = []
        for part in self.parts:
            parts.append(part.hits_at(moment))
            if self.op == "and" and not parts[-1]:
                return ()
        return tuple(sorted(dict.fromkeys(hit for hits in parts for hit in hits), key=lambda hit: hit.place))

    def _shown(self, event: Event) -> Event:
        """The event with the text that was looked for in its line, not the start of the message."""
        wanted = [c for c in self.conditions if c.field == "text" and c.op == "="] if self.kind == "text" else []
        if not wanted:
            return event
        head = event.text.partition(": ")[0]
        return replace(event, text=f"{head}: {wanted[0].excerpt(event)}")

    def accepts(self, event: Event) -> bool:
        """Whether this term's conditions hold; without one, the kind's own (a topic: a decided switch)."""
        return all(c.holds(event) for c in self.conditions) if self.conditions else event.notable


def find_hits(
    replay: Replay,
    predicate: Predicate,
    progress: Callable[[int, int], None] | None = None,
    *,
    view: View | None = None,
) -> Iterator[Hit]:
    """Every hit of the session in the order of places, each once; `progress(done, steps)` after every request."""
    found: dict[tuple[str, str], Hit] = {}
    for done, step in enumerate(replay.steps, 1):
        for hit in predicate.hits(replay, step, view):
            found.setdefault(hit[:2], hit)
        if progress is not None:
            progress(done, len(replay.steps))
        if done == len(replay.steps) or replay.steps[done].turn != step.turn:
            yield from sorted(found.values(), key=lambda hit: hit.place)
            found.clear()


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


@lru_cache(maxsize=256)
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
        if self.ahead in _COMPARISONS:
            conditions.append(self._compared(kind, KINDS[kind].fields[0]))
        while self.ahead and self.ahead not in ("and", "or", "not", "(", ")"):
            conditions += self._condition(kind)
        if kind in ("text", "at") and not conditions:
            msg = f"{kind}: expected {'/regex/' if kind == 'text' else 'a turn or an address such as 42.window'} behind it"
            raise UsageError(msg)
        if kind == "at" and all(condition.field != "stage" for condition in conditions):
            conditions.append(Condition("stage", "=", "", ""))
        return Predicate("term", kind=kind, conditions=tuple(conditions))

    def _condition(self, kind: str) -> list[Condition]:
        field = self._take()
        if kind == "text" and field[0] in '/"':
            return [_compared("text", "=", field, "text")]
        if kind == "at" and (match := _ADDRESS.fullmatch(field)):
            return _address(match)
        if kind == "at" and (match := re.fullmatch(r"(.+)#\d+", field)) and _ADDRESS.fullmatch(match[1]):
            msg = f"at {field}: a breakpoint stands at a turn, a request or a stage; expected for example at {match[1]}"
            raise UsageError(msg)
        percent = field.endswith("%")
        field = field.removesuffix("%")
        known = KINDS[kind].fields
        if field not in known:
            hint = f'words stand in quotes: text "{field}"' if kind == "text" else f"fields: {', '.join(known)}"
            msg = f"{kind}: no field {field!r}; {nearest(field, known) or hint}"
            raise UsageError(msg)
        if self.ahead not in _COMPARISONS and not percent:
            if self.ahead and self.ahead not in ("and", "or", "not", "(", ")") and self.ahead not in known:
                msg = f"{kind} {field}: expected one of {' '.join(_OPS)}, not {self.ahead!r}"
                raise UsageError(msg)
            return [Condition(field, "", "", "")]
        return [self._compared(kind, field, percent=percent)]

    def _compared(self, kind: str, field: str, *, percent: bool = False) -> Condition:
        """The comparison whose operator and value stand next."""
        op = self._take().replace("==", "=")
        if op not in _OPS:
            msg = f"{kind} {field}: expected one of {' '.join(_OPS)}, not {op!r}"
            raise UsageError(msg)
        return _compared(field, op, self._take() + ("%" if percent else ""), kind)


_COMPARISONS = ("==", *_OPS)


def _address(match: re.Match[str]) -> list[Condition]:
    """The conditions of an address behind `at`."""
    turn, request, stage = match.groups()
    conditions = [Condition("turn", "=", float(turn), turn)]
    if request is not None:
        conditions.append(Condition("request", "=", float(request), request))
    if stage is not None:
        conditions.append(_compared("stage", "=", stage, "at"))
    return conditions


def _compared(field: str, op: str, token: str, kind: str) -> Condition:
    """A comparison that its field allows. Raises UsageError saying what the field holds."""
    type_ = KINDS[kind].types[field]
    if token[0] == "/":
        if type_ == "number" or op not in ("=", "!="):
            msg = f"{kind} {field}: a regular expression is compared with = or !=, and with texts only"
            raise UsageError(msg)
        return Condition(field, op, _pattern(token), token)
    given = re.sub(r"\\(.)", r"\1", token[1:-1]) if token[0] == '"' else token
    if type_ == "number":
        match = _NUMBER.fullmatch(given)
        if match is None:
            msg = f"{kind} {field}: expected a number, not {given!r}"
            raise UsageError(msg)
        return Condition(field, op, float(match[1]) / (100 if match[2] else 1), given)
    if isinstance(type_, tuple) and given not in type_:
        hint = nearest(given, type_)
        msg = f"{kind} {field}: expected {', '.join(type_)}, not {given!r}" + (f"; {hint}" if hint else "")
        raise UsageError(msg)
    if op not in ("=", "!=") and field != "severity":
        msg = f"{kind} {field}: a text is compared with = or !=, not {op}"
        raise UsageError(msg)
    if field == "id" and kind in ("finding", "pair"):
        given = rule_named(given).code
    return Condition(field, op, given, given)


def _pattern(token: str) -> re.Pattern[str]:
    try:
        body, flags = token[1:].rsplit("/", 1)
        return re.compile(body.replace("\\/", "/"), re.IGNORECASE if flags else 0)
    except re.error as error:
        msg = f"{token}: {error}"
        raise UsageError(msg) from error
