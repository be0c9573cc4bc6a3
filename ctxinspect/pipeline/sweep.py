"""A sweep: the whole session replayed under every combination of setting values, and where between them an outcome flips.

A flip point is sought by bisection at the first request whose outcome differs between two neighbouring values, and every
number given was replayed. The work is bounded: so many combinations, so many probes; what was not sought is said.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, product
from typing import Any, get_args

from pydantic import BaseModel

from ctxinspect.errors import UsageError
from ctxinspect.model.session import arguments_text
from ctxinspect.pipeline.occurrences import Needle
from ctxinspect.pipeline.plan import Step
from ctxinspect.pipeline.replay import Replay
from ctxinspect.settings import Settings, apply_overrides
from ctxinspect.trace.types import Trace

__all__ = ["MOST_PROBES", "MOST_ROWS", "FlipPoint", "Outcome", "Sweep", "SweepRow", "sweep"]

MOST_ROWS = 200
"""Combinations of one sweep."""
MOST_PROBES = 120
"""Requests that the search for flip points may replay."""
_FINEST = 0.0005
"""Width at which the bisection of a fraction ends."""

Progress = Callable[[int, int], None]
Overrides = tuple[tuple[str, Any], ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """One request under one combination.

    Tokens of messages and tools together, units trimmed, components cut and left out, findings by severity, the gate's
    decision, whether each needle stands whole in a message. `seen` is a fingerprint of the messages: equal, within one
    run, where the model would see the same.
    """

    step: Step
    tokens: int
    trimmed: int
    cut: int
    left_out: int
    errors: int
    warnings: int
    infos: int
    decision: str
    needles: tuple[bool, ...]
    seen: int


@dataclass(frozen=True, slots=True)
class SweepRow:
    """One combination; `overrides` are empty for the session as it is. Sums are over all requests.

    `changed` requests have other messages than in the session as it is; `needles` count the requests that hold each;
    `switches` are turns. `as_is` says that these values are the session's own.
    """

    overrides: Overrides
    as_is: bool
    tokens: int
    largest: int
    trimmed: int
    cut: int
    left_out: int
    errors: int
    warnings: int
    infos: int
    switches: int
    changed: int
    needles: tuple[int, ...]
    outcomes: tuple[Outcome, ...]


@dataclass(frozen=True, slots=True)
class FlipPoint:
    """Between `below` and `above` (as near as sought) an outcome of this request changes.

    `swept` are the two neighbouring values of the sweep it was found between, `others` how many more requests differ in
    this outcome between them; `given` are the values of the other settings. `exact` where no value lies between.
    """

    path: str
    given: Overrides
    outcome: str
    step: Step
    below: Any
    above: Any
    before: Any
    after: Any
    exact: bool
    swept: tuple[Any, Any]
    others: int


@dataclass(frozen=True, slots=True)
class Sweep:
    """All rows in the order of the values, the session as it is first, and the flip points found.

    `unsought` counts the flips that stand between two swept values without having been narrowed down.
    """

    needles: tuple[str, ...]
    requests: int
    rows: tuple[SweepRow, ...]
    flips: tuple[FlipPoint, ...]
    unsought: int


def sweep(
    replay: Replay,
    values: Mapping[str, Sequence[Any]],
    *,
    needles: Sequence[str] = (),
    progress: Progress | None = None,
) -> Sweep:
    """Replay the session under every combination of `values` (a setting's path to the values it takes).

    Raises SettingsError for a value out of range before anything is replayed, UsageError for more than `MOST_ROWS`
    combinations. `progress` is told (requests done, requests in all).
    """
    combinations: list[Overrides] = [tuple(zip(values, chosen, strict=True)) for chosen in product(*values.values())]
    if not combinations or len(combinations) > MOST_ROWS:
        msg = f"a sweep takes 1 to {MOST_ROWS} combinations of values, not {len(combinations)}: give fewer values"
        raise UsageError(msg)
    settings = [apply_overrides(replay.settings, dict(overrides)) for overrides in combinations]
    if replay.settings not in settings:
        combinations.insert(0, ())
        settings.insert(0, replay.settings)
    _ = replay.engine  # made once; forks take over what their settings do not touch
    sought = [Needle(text) for text in needles]
    measured: list[tuple[Outcome, ...]] = []
    total = len(combinations) * len(replay.steps)
    for overrides in combinations:
        fork = replay.fork(dict(overrides)) if overrides else replay
        outcomes: list[Outcome] = []
        for step in fork.steps:
            if progress is not None:
                progress(len(measured) * len(replay.steps) + len(outcomes), total)
            outcomes.append(_outcome(fork.trace(*step, ledger=False), step, sought))
        measured.append(tuple(outcomes))
    base = measured[settings.index(replay.settings)]
    rows = tuple(
        _row(overrides, outcomes, base, len(sought), as_is=own == replay.settings)
        for overrides, outcomes, own in zip(combinations, measured, settings, strict=True)
    )
    flips, unsought = _flips(replay, rows, sought, progress)
    return Sweep(tuple(needles), len(replay.steps), rows, flips, unsought)


def _outcome(trace: Trace, step: Step, needles: Sequence[Needle]) -> Outcome:
    severities = Counter(finding.severity for finding in trace.findings)
    components = trace.assembly.components if trace.assembly else ()
    texts = [(row.content, False) for row in trace.messages]
    calls = [(arguments_text(call.arguments), True) for row in trace.messages for call in row.tool_calls]
    return Outcome(
        step=step,
        tokens=trace.window.request_tokens + trace.window.tool_tokens,
        trimmed=len(trace.window.dropped),
        cut=sum(row.state == "truncated" for row in components),
        left_out=sum(row.state == "dropped" and row.rule != "empty" for row in components),
        errors=severities["error"],
        warnings=severities["warning"],
        infos=severities["info"],
        decision=trace.gate.decision if trace.gate else "",
        needles=tuple(any(n.stands_in(text, as_json=j) for text, j in (*texts, *calls)) for n in needles),
        seen=hash(
            tuple(
                (
                    row.role,
                    row.content,
                    row.tool_call_id,
                    row.name,
                    *((call.id, call.name, arguments_text(call.arguments)) for call in row.tool_calls),
                )
                for row in trace.messages
            )
        ),
    )


def _row(
    overrides: Overrides, outcomes: tuple[Outcome, ...], base: Sequence[Outcome], needles: int, *, as_is: bool
) -> SweepRow:
    last = {outcome.step.turn: outcome for outcome in outcomes}

    def total(name: str) -> int:
        return sum(getattr(outcome, name) for outcome in outcomes)

    return SweepRow(
        overrides=overrides,
        as_is=as_is,
        tokens=total("tokens"),
        largest=max((outcome.tokens for outcome in outcomes), default=0),
        trimmed=total("trimmed"),
        cut=total("cut"),
        left_out=total("left_out"),
        errors=total("errors"),
        warnings=total("warnings"),
        infos=total("infos"),
        switches=sum(outcome.decision == "switch" for outcome in last.values()),
        changed=sum(one.seen != other.seen for one, other in zip(outcomes, base, strict=True)),
        needles=tuple(sum(outcome.needles[at] for outcome in outcomes) for at in range(needles)),
        outcomes=outcomes,
    )


# --- flip points ---


def _flips(
    replay: Replay, rows: Sequence[SweepRow], needles: Sequence[Needle], progress: Progress | None
) -> tuple[tuple[FlipPoint, ...], int]:
    """Every outcome that differs between two neighbouring values, narrowed down as far as the probes reach."""
    search = _Search(replay, needles, progress)
    flips: list[FlipPoint] = []
    for path, given, one, other in _neighbours(rows):
        values = dict(one.overrides)[path], dict(other.overrides)[path]
        for name, before, after in _differing(one, other, needles):
            differ = [at for at, (old, new) in enumerate(zip(before, after, strict=True)) if old != new]
            at = differ[0]
            flips.append(
                search.narrow(
                    FlipPoint(
                        path=path,
                        given=given,
                        outcome=name,
                        step=one.outcomes[at].step,
                        below=values[0],
                        above=values[1],
                        before=before[at],
                        after=after[at],
                        exact=False,
                        swept=values,
                        others=len(differ) - 1,
                    )
                )
            )
    return tuple(flips), search.unsought


def _neighbours(rows: Sequence[SweepRow]) -> Iterator[tuple[str, Overrides, SweepRow, SweepRow]]:
    """Pairs of rows that differ in one setting, by neighbouring values: numbers by size, others as given."""
    swept = [row for row in rows if row.overrides]
    for at, path in enumerate(name for name, _ in (swept[0].overrides if swept else ())):
        lines: dict[str, tuple[Overrides, list[SweepRow]]] = {}
        for row in swept:
            given = tuple(pair for place, pair in enumerate(row.overrides) if place != at)
            lines.setdefault(repr(given), (given, []))[1].append(row)
        for given, line in lines.values():
            values = [row.overrides[at][1] for row in line]
            if all(_numeric(value) for value in values):
                line = [row for _, row in sorted(zip(values, line, strict=True), key=lambda pair: pair[0])]  # noqa: PLW2901
            for one, other in pairwise(line):
                yield path, given, one, other


def _numeric(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _differing(one: SweepRow, other: SweepRow, needles: Sequence[Needle]) -> Iterator[tuple[str, list[Any], list[Any]]]:
    """Outcomes with another value in some request: name, and the values of all requests on both sides."""
    names = [needle_name(needle.text) for needle in needles]
    names += ["errors", "warnings", "left_out", "cut", "trimmed", "decision"]
    for name in names:
        before = [_value(outcome, name, needles) for outcome in one.outcomes]
        after = [_value(outcome, name, needles) for outcome in other.outcomes]
        if before != after:
            yield name, before, after


def needle_name(text: str) -> str:
    """The outcome that says whether a needle is in context."""
    return f"needle {text}"


def _value(outcome: Outcome, name: str, needles: Sequence[Needle]) -> Any:
    for at, needle in enumerate(needles):
        if name == needle_name(needle.text):
            return "in" if outcome.needles[at] else "out"
    return getattr(outcome, name)


class _Search:
    """Bisects flips, one request at a time, within a number of probes for the whole sweep."""

    def __init__(self, replay: Replay, needles: Sequence[Needle], progress: Progress | None) -> None:
        self._replay = replay
        self._needles = needles
        self._progress = progress
        self._known: dict[tuple[str, Step, tuple[tuple[str, str], ...], Any], Outcome] = {}
        self.unsought = 0

    def narrow(self, flip: FlipPoint) -> FlipPoint:
        """The flip between values as near to each other as can be; unchanged where the setting is no number."""
        if not (_numeric(flip.below) and _numeric(flip.above)):
            return flip
        whole = not _takes_fractions(flip.path)
        low, high, after = flip.below, flip.above, flip.after
        while (high - low > 1) if whole else (high - low > _FINEST):
            middle = (low + high) // 2 if whole else round((low + high) / 2, 6)
            outcome = self._probe(flip, middle)
            if outcome is None:
                self.unsought += 1
                break
            value = _value(outcome, flip.outcome, self._needles)
            if value == flip.before:
                low = middle
            else:
                high, after = middle, value
        return replace(flip, below=low, above=high, after=after, exact=whole and high - low <= 1)

    def _probe(self, flip: FlipPoint, value: Any) -> Outcome | None:
        key = (flip.path, flip.step, tuple((path, repr(v)) for path, v in flip.given), value)
        if key not in self._known:
            if len(self._known) >= MOST_PROBES:
                return None
            if self._progress is not None:
                self._progress(len(self._known), MOST_PROBES)
            fork = self._replay.fork({**dict(flip.given), flip.path: value})
            self._known[key] = _outcome(fork.trace(*flip.step, ledger=False), flip.step, self._needles)
        return self._known[key]


def _takes_fractions(path: str) -> bool:
    """Whether a setting is a fraction by its declaration."""
    model: type[BaseModel] = Settings
    *parents, leaf = path.split(".")
    for parent in parents:
        kind = model.model_fields[parent].annotation
        assert isinstance(kind, type)
        assert issubclass(kind, BaseModel)
        model = kind
    annotation = model.model_fields[leaf].annotation
    return annotation is float or float in get_args(annotation)
