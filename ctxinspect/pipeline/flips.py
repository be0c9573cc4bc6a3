"""What would have kept a place that is out: settings found by search, every one replayed before it is said.

A flip is only given after the request was replayed under it and the place was seen whole in its messages. Nearest is
the flip that changes the request's cost the least. Where no single setting keeps the place, two together are tried.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

from ctxinspect.errors import CtxInspectError
from ctxinspect.gatekeeper.prune import SentenceStore
from ctxinspect.model.session import Component, Session
from ctxinspect.pipeline.fate import Fate, Fates
from ctxinspect.pipeline.occurrences import Needle, Occurrence
from ctxinspect.pipeline.plan import Step
from ctxinspect.pipeline.plans import Plan, plans_for
from ctxinspect.pipeline.replay import Replay, Request
from ctxinspect.pipeline.sight import Sights
from ctxinspect.settings import Settings

__all__ = ["Change", "Flip", "Flipper", "setting_at"]

_BLUNT = "history"
"""The setting that brings back everything: where nothing else alone keeps a place, two finer ones together may."""
_DROP = "what_if.drop"
"""What is dropped changes every anchor's weight, so the session is indexed anew: it is tried alone only."""
_MOST_PAIRS = 2
"""Pairs given for a place."""
_PAIR_REPLAYS = 60
_PAIR_TURNS = 20_000
"""Replays after which no further pair is begun: 60, fewer where so many replays would look at more turns than this."""
_MOST_PROBES = 40
"""Replays that one search may take; beyond, the nearest value found so far is given."""


@dataclass(frozen=True, slots=True)
class Change:
    """One setting changed: its path, the value it had and the one it gets."""

    path: str
    before: Any
    after: Any

    @property
    def flag(self) -> str:
        """`PATH=VALUE` as `--set` takes it."""
        value = self.after
        plain = isinstance(value, str)
        return f"{self.path}={value if plain else json.dumps(value, ensure_ascii=False, separators=(',', ':'))}"


@dataclass(frozen=True, slots=True)
class Flip:
    """What was changed and what came of it, seen by replaying the request: the message that holds the text, the cost.

    `changes` are settings; `edit` says in words what to change in the session where no setting reaches (a priority).
    Costs are tokens of the whole request; `over` are tokens that it is over its message budget (0: it fits).
    """

    changes: tuple[Change, ...]
    edit: str | None
    message: int
    request_tokens: int
    added_tokens: int
    over: int


def setting_at(settings: Settings, path: str) -> Any:
    """The value at a dotted path, as JSON has it."""
    value: Any = settings.model_dump(mode="json")
    for part in path.split("."):
        value = value[part]
    return value


class Flipper:
    """Searches flips for the places of one request; what was replayed once is asked again for every place."""

    def __init__(self, replay: Replay, step: Step, needle: Needle) -> None:
        self.replay = replay
        self.step = step
        self.needle = needle
        self.base = replay.request(step)
        self.replays = 0
        self.base_fates = Fates(Sights(replay, self.base, needle))
        self._known: dict[str, Fates | None] = {"{}": self.base_fates}
        self._sentences = SentenceStore()

    def fates(self, overrides: Mapping[str, Any]) -> Fates | None:
        """The fates of this request under these overrides, replayed once; null where a value is out of its range."""
        key = json.dumps(overrides, sort_keys=True, ensure_ascii=False)
        if key not in self._known:
            self.replays += 1
            try:
                fork = self._forked(overrides)
                fork.engine.sentences = self._sentences
                self._known[key] = Fates(Sights(fork, fork.request(self.step), self.needle))
            except CtxInspectError:
                self._known[key] = None
        return self._known[key]

    def _forked(self, overrides: Mapping[str, Any]) -> Replay:
        """A fork under these overrides; of a fork under some of them where there is one, since more of it is known."""
        for path, value in overrides.items():
            rest = {other: overrides[other] for other in overrides if other != path}
            key = json.dumps({path: value}, sort_keys=True, ensure_ascii=False)
            known = self._known.get(key) if rest else None
            if known is not None:
                return known.replay.fork(rest)
        return self.replay.fork(overrides)

    def keeps(self, overrides: Mapping[str, Any], occurrence: Occurrence) -> bool:
        """Whether the place is whole in the request under these overrides."""
        fates = self.fates(overrides)
        return fates is not None and fates.sights.see(occurrence).presence == "in"

    def flips(self, occurrence: Occurrence, fate: Fate) -> tuple[Flip, ...]:
        """Every flip found, nearest first; empty where neither one setting nor two together keep the place."""
        base = self.base_fates
        found = list(self._single(base, occurrence, fate, {}))
        if all(change.path == _BLUNT for flip in found for change in flip.changes):
            found += islice(self._pairs(base, occurrence, fate), _MOST_PAIRS)
        found += self._edits(occurrence, fate)
        ranked = sorted(
            enumerate(found), key=lambda at: (len(at[1].changes), at[1].over > 0, abs(at[1].added_tokens), at[0])
        )
        return tuple(flip for _, flip in ranked)

    def _single(self, fates: Fates, occurrence: Occurrence, fate: Fate, under: Mapping[str, Any]) -> Iterator[Flip]:
        """Flips of one setting more, on top of `under`."""
        for plan in plans_for(fates, occurrence, fate):
            value = self._search(plan, occurrence, under)
            if value is not None:
                yield self._flip({**under, plan.path: value}, occurrence)

    def _search(self, plan: Plan, occurrence: Occurrence, under: Mapping[str, Any]) -> Any | None:
        """The value nearest to the present one under which the place is kept, or null."""

        def keeps(value: Any) -> bool:
            return self.keeps({**under, plan.path: value}, occurrence)

        hit = next((value for value in plan.values if keeps(value)), None)
        if plan.low is None or plan.high is None:
            return hit
        far = plan.high if hit is None else round(hit / plan.scale)
        if hit is None and not keeps(_scaled(plan.high, plan.scale)):
            return None
        near, probes = plan.low, 0
        if abs(far - near) > 1 and keeps(_scaled(far - (1 if far > near else -1), plan.scale)):
            far -= 1 if far > near else -1
        elif hit is not None:
            near = far
        while abs(far - near) > 1 and probes < _MOST_PROBES:
            middle = (near + far) // 2
            probes += 1
            if keeps(_scaled(middle, plan.scale)):
                far = middle
            else:
                near = middle
        return _scaled(far, plan.scale)

    def _pairs(self, base: Fates, occurrence: Occurrence, fate: Fate) -> Iterator[Flip]:
        """Two settings together, neither enough alone: one that moves the place to another fate, one that mends that.

        Finer settings are tried before the blunt one.
        """
        most = self.replays + min(_PAIR_REPLAYS, 1 + _PAIR_TURNS // (self.step.turn + 1))
        tried: set[frozenset[str]] = set()
        plans = plans_for(base, occurrence, fate)
        for first in sorted(plans, key=lambda plan: plan.path == _BLUNT):
            value = first.values[-1] if first.values else _scaled(first.high or 0, first.scale)
            moved = self.fates({first.path: value})
            if moved is None:
                continue
            then = moved.fate(occurrence)
            if then.presence == "in" or _removals(then) == _removals(fate):
                continue
            for second in plans_for(moved, occurrence, then):
                paths = frozenset((first.path, second.path))
                if len(paths) < 2 or paths in tried or _DROP in paths or self.replays > most:
                    continue
                tried.add(paths)
                other = self._search(second, occurrence, {first.path: value})
                if other is not None and not self.keeps({second.path: other}, occurrence):
                    nearest = self._search(first, occurrence, {second.path: other})
                    yield self._flip(
                        {first.path: value if nearest is None else nearest, second.path: other}, occurrence
                    )

    def _flip(self, overrides: Mapping[str, Any], occurrence: Occurrence) -> Flip:
        fates = self.fates(overrides)
        assert fates is not None
        settings = self.replay.settings
        changes = tuple(Change(path, setting_at(settings, path), value) for path, value in overrides.items())
        return self._outcome(fates.sights.request, fates.sights.see(occurrence).message, changes, None)

    def _outcome(self, request: Request, message: int | None, changes: tuple[Change, ...], edit: str | None) -> Flip:
        assert message is not None
        window, before = request.window, self.base.window.trace.request_tokens
        tokens = window.trace.request_tokens
        return Flip(changes, edit, message, tokens, tokens - before, window.missing)

    # --- what no setting reaches: the priority of a component, and whether it may be cut ---

    def _edits(self, occurrence: Occurrence, fate: Fate) -> Iterator[Flip]:
        if fate.stage != "assemble" or occurrence.place.kind != "component":
            return
        if fate.rule not in ("cut_to_budget", "below_min_useful", "after_truncate", "pinned_over_budget"):
            return
        name = occurrence.place.name
        rows = self.base.assembly.trace.components
        mine = next(row for row in rows if row.name == name)
        higher = sorted({min(100, row.priority + 1) for row in rows if row.priority >= mine.priority} - {mine.priority})
        for priority in higher:
            edit = f"priority of component {name} from {mine.priority} to {priority}"
            flip = self._edited(occurrence, edit, {"priority": priority})
            if flip is not None:
                yield flip
                break
        if mine.truncatable:
            flip = self._edited(occurrence, f"component {name} with truncatable: false", {"truncatable": False})
            if flip is not None:
                yield flip

    def _edited(self, occurrence: Occurrence, edit: str, update: Mapping[str, Any]) -> Flip | None:
        """The flip of this edit, or null where the place is not kept under it."""
        session = _with_component(self.replay.session, occurrence, update)
        edited = Replay(session, self.replay)
        sights = Sights(edited, edited.request(self.step), self.needle)
        sight = sights.see(occurrence)
        if sight.presence != "in":
            return None
        return self._outcome(sights.request, sight.message, (), edit)


def _removals(fate: Fate) -> tuple[tuple[str, str], ...]:
    return tuple((verdict.stage, verdict.rule) for verdict in fate.verdicts if not verdict.passed)


def _scaled(number: int, scale: float) -> Any:
    return number if scale == 1.0 else round(number * scale, 6)


def _with_component(session: Session, occurrence: Occurrence, update: Mapping[str, Any]) -> Session:
    """The session with one component changed, where it stands: its standing components or one turn's own."""
    name, turn_id = occurrence.place.name, occurrence.place.turn_id

    def changed(components: tuple[Component, ...]) -> tuple[Component, ...]:
        return tuple(c.model_copy(update=dict(update)) if c.name == name else c for c in components)

    if turn_id is None:
        return session.model_copy(update={"components": changed(session.components)})
    turns = list(session.turns)
    turns[turn_id] = turns[turn_id].model_copy(update={"components": changed(turns[turn_id].components)})
    return session.model_copy(update={"turns": tuple(turns)})
