"""What a fork changes, request by request: a stream that may start anywhere, in any order, and be left at any time.

An effect is exact for its request and depends on nothing that was asked before it. `first_turn_affected` names the turns
that a change of settings cannot reach; a property test holds it against the effects themselves.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from ctxinspect.pipeline.compare import compare, compare_steps, settings_changes
from ctxinspect.pipeline.comparison import Comparison, SettingChange
from ctxinspect.pipeline.plan import Step
from ctxinspect.pipeline.replay import Replay, View
from ctxinspect.trace.recall_rows import recall_rules
from ctxinspect.trace.types import Stage, Trace

__all__ = ["Divergence", "Effect", "effects", "first_divergence", "first_turn_affected"]


@dataclass(frozen=True, slots=True)
class Effect:
    """One request on both sides; pairs are (before, after), tokens those of messages and tools together.

    `changed` says that the model would see other messages, `stage` names the first stage that decides otherwise (also
    where nothing of it reaches the model), null where none does. `added`, `removed` and `edited` count messages.
    """

    step: Step
    changed: bool
    stage: Stage | None
    tokens: tuple[int, int]
    added: int
    removed: int
    edited: int
    decisions: tuple[str | None, str | None]
    trimmed: tuple[int, int]
    errors: tuple[int, int]
    warnings: tuple[int, int]

    @property
    def delta(self) -> int:
        """Tokens after less tokens before."""
        return self.tokens[1] - self.tokens[0]


@dataclass(frozen=True, slots=True)
class Divergence:
    """The first request in which the model would see something else, compared whole."""

    step: Step
    comparison: Comparison


def effects(
    a: Replay,
    b: Replay,
    steps: Iterable[Step] | None = None,
    *,
    views: tuple[View, View] = ("replay", "replay"),
) -> Iterator[Effect]:
    """The effect on each of these steps (default: all, in order), computed when it is asked for.

    `a` and `b` are replays of one session. A caller that stops asking has cancelled.
    """
    changes = settings_changes(a.settings, b.settings) if a is not b else ()
    for step in a.steps if steps is None else steps:
        yield _effect(a, b, step, views, changes)


def _effect(a: Replay, b: Replay, step: Step, views: tuple[View, View], changes: tuple[SettingChange, ...]) -> Effect:
    before = a.trace(*step, view=views[0], ledger=False)
    after = b.trace(*step, view=views[1], ledger=False)
    if _equal(before, after):
        return _counted(step, before, after, None)
    histories = tuple(
        "recorded" if view == "recorded" else side.settings.history for side, view in zip((a, b), views, strict=True)
    )
    visible = (a.first_visible(step.turn), b.first_visible(step.turn))
    comparison = compare(before, after, settings=changes, histories=histories, visible=visible)  # type: ignore[arg-type]
    return _counted(step, before, after, comparison)


def _equal(before: Trace, after: Trace) -> bool:
    """Whether nothing was decided otherwise: all but thresholds and what is said of the request before."""
    old, new = before.gate, after.gate
    if (old is None) != (new is None):
        return False
    if old is not None and new is not None and replace(old, margins=new.margins) != new:
        return False
    if (
        before.recall is not None
        and after.recall is not None
        and recall_rules(before.recall) != recall_rules(after.recall)
    ):
        return False
    decided = ("view", "counter", "query", "cover", "selected", "assembly", "window", "messages", "findings")
    return all(getattr(before, name) == getattr(after, name) for name in decided)


def _counted(step: Step, before: Trace, after: Trace, comparison: Comparison | None) -> Effect:
    counts = comparison.counts if comparison else {"+": 0, "-": 0, "~": 0}
    sides = (before, after)
    severities = [Counter(finding.severity for finding in side.findings) for side in sides]
    totals = [side.window.request_tokens + side.window.tool_tokens for side in sides]
    return Effect(
        step=step,
        changed=comparison is not None and not comparison.same_messages,
        stage=comparison.stage if comparison else None,
        tokens=(totals[0], totals[1]),
        added=counts["+"],
        removed=counts["-"],
        edited=counts["~"],
        decisions=(before.gate.decision if before.gate else None, after.gate.decision if after.gate else None),
        trimmed=(len(before.window.dropped), len(after.window.dropped)),
        errors=(severities[0]["error"], severities[1]["error"]),
        warnings=(severities[0]["warning"], severities[1]["warning"]),
    )


def first_divergence(
    a: Replay,
    b: Replay,
    *,
    progress: Callable[[int, int], None] | None = None,
    from_step: Step | None = None,
) -> Divergence | None:
    """The first request at or after `from_step` in which the model would see something else; null where there is none.

    Requests that the settings cannot reach are not computed; `progress` is told (requests done, requests in all).
    """
    first = first_turn_affected(a, b)
    if first is None:
        return None
    steps = [step for step in a.steps if step.turn >= first and (from_step is None or step >= from_step)]
    for done, effect in enumerate(effects(a, b, steps)):
        if progress is not None:
            progress(done, len(steps))
        if effect.changed:
            return Divergence(effect.step, compare_steps(a, effect.step, b, effect.step))
    return None


def first_turn_affected(a: Replay, b: Replay) -> int | None:
    """No earlier turn can differ between two replays of one session; null where no turn can.

    Turn 0 has no earlier turns, so nothing that chooses among them reaches it; a compaction, a dropped turn, a tool
    result reach nothing before them.
    """
    reached: list[int] = []
    for change in settings_changes(a.settings, b.settings):
        first = _first_reached(a, change)
        if first is not None:
            reached.append(first)
    return min(reached) if reached else None


def _first_reached(replay: Replay, change: SettingChange) -> int | None:
    turns = replay.session.turns
    if change.path == "history_resets":
        return next((at for at, turn in enumerate(turns) if at and turn.resets_history), None)
    if change.path.startswith("sequence.handle_"):
        return next((at for at, turn in enumerate(turns) if turn.rounds), None)
    if change.path == "what_if.drop":
        items = [item for item in change.before + change.after if (item in change.before) != (item in change.after)]
        if all(item.startswith("turn:") for item in items):
            return min((int(item.partition(":")[2]) for item in items), default=0)
        return 0
    chooses_among_turns = change.path == "history" or change.path.startswith("gatekeeper.")
    cuts_anchors = change.path.startswith("gatekeeper.idf_floor")
    return 1 if chooses_among_turns and not cuts_anchors else 0
