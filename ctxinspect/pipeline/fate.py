"""The fate of one occurrence in one request, stage by stage: what let it through, and what took it out.

The verdicts are those of the pipeline's own stages, with their numbers; the last one that removes decides. What was
never a candidate (said later, another turn's component) has one verdict, at ingest.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from ctxinspect.gatekeeper.prune import prune_side
from ctxinspect.gatekeeper.words import content_words
from ctxinspect.model.content import content_text
from ctxinspect.pipeline.occurrences import Occurrence
from ctxinspect.pipeline.sight import LATER, Presence, Sight, Sights, sentence_spans
from ctxinspect.trace.types import ComponentRow, LedgerEntry, RecallRow, Stage

__all__ = ["Fate", "Fates", "Verdict"]

_NAMES_SHOWN = 8
"""Anchors or words listed in one sentence; the rest are counted."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What one stage decided: whether it let the place through, by which rule, its numbers, and a sentence."""

    stage: Stage
    passed: bool
    rule: str
    text: str
    value: float | None = None
    threshold: float | None = None

    @property
    def margin(self) -> float | None:
        """Value minus threshold, null where the rule has no number."""
        return None if self.value is None or self.threshold is None else self.value - self.threshold


@dataclass(frozen=True, slots=True)
class Fate:
    """How a place ended: in, partly or out, the stage and rule that decided, its message, and the way there."""

    presence: Presence
    stage: Stage
    rule: str
    message: int | None
    verdicts: tuple[Verdict, ...]

    @property
    def decided(self) -> Verdict | None:
        """The verdict that decided: the last one that removes, for a place that is whole the last one."""
        removed = [verdict for verdict in self.verdicts if not verdict.passed and self.presence != "in"]
        return (removed or self.verdicts)[-1] if self.verdicts else None


def listed(words: tuple[str, ...] | list[str]) -> str:
    """Words in one line, the first few named and the rest counted."""
    shown = ", ".join(words[:_NAMES_SHOWN])
    return shown + (f" and {len(words) - _NAMES_SHOWN} more" if len(words) > _NAMES_SHOWN else "")


class Fates:
    """Explains the fates of places in one request."""

    def __init__(self, sights: Sights) -> None:
        self.sights = sights
        self.replay = sights.replay
        self.request = sights.request
        self.step = sights.step
        self.full = self.replay.settings.history == "full"

    def fate(self, occurrence: Occurrence) -> Fate:
        """The fate of one occurrence."""
        sight = self.sights.see(occurrence)
        kind = occurrence.place.kind
        never = self._never(occurrence, sight)
        if never is not None:
            verdicts = [never]
        elif kind == "tool":
            verdicts = []
        elif kind in ("component", "variable"):
            verdicts = list(self._prompt(occurrence, sight))
        elif occurrence.place.turn_id == self.step.turn:
            verdicts = list(self._current(occurrence, sight))
        else:
            verdicts = list(self._history(occurrence, sight))
        removed = [verdict for verdict in verdicts if not verdict.passed]
        if removed and sight.presence != "in":
            last = removed[-1]
            return Fate(sight.presence, last.stage, last.rule, sight.message, tuple(verdicts))
        verdicts.append(self._sent(sight))
        return Fate(sight.presence, verdicts[-1].stage, verdicts[-1].rule, sight.message, tuple(verdicts))

    def _sent(self, sight: Sight) -> Verdict:
        if sight.rule == "tool_schema":
            return Verdict("window", True, sight.rule, "the schemas of all tools are sent beside the messages")
        if sight.message is None:
            return Verdict("window", sight.presence == "in", "absent", "it is in no message")
        message = self.request.window.messages[sight.message]
        trace = self.request.window.trace
        text = f"message {sight.message} ({message.role}) of {len(self.request.window.messages)}"
        if sight.presence == "partly":
            return Verdict("render", True, sight.rule, f"a piece of it stands in {text}")
        return Verdict("window", True, "sent", text, trace.request_tokens, trace.message_budget)

    # --- never a candidate ---

    def _never(self, occurrence: Occurrence, sight: Sight) -> Verdict | None:
        place, rule = occurrence.place, sight.rule
        if sight.presence != "out":
            return None
        name = place.name or ""
        texts = {
            LATER: f"it came later than this request ({self.step.address})",
            "thinking": "thinking is shown and never sent back",
            "other_turn": f"it belongs to turn {place.turn_id} alone",
            "filled": "it stands across a placeholder, which its value replaces",
            "not_rendered": f"no component of this turn names {{{{{name}}}}}",
            "chat_tool": "once the turn is history, the words of its chat tool's result stand in its place",
        }
        if rule == "replaced":
            text = f"turn {self.step.turn} has its own {place.kind} {name}, which stands in its place"
            return Verdict("ingest", False, rule, text)
        if rule == "what_if_drop":
            return Verdict("ingest", False, rule, f"what_if.drop removes component:{name}")
        if rule == LATER and place.turn_id == self.step.turn:
            answer = "this turn's answer" if place.round is None else f"round {place.round} of this turn"
            texts[LATER] = f"{answer} came after this request ({self.step.address})"
        if rule in texts:
            stage: Stage = "assemble" if rule in ("filled", "not_rendered") else "ingest"
            return Verdict("render" if rule in ("chat_tool", "thinking") else stage, False, rule, texts[rule])
        return None

    # --- the system prompt ---

    def _prompt(self, occurrence: Occurrence, sight: Sight) -> Iterator[Verdict]:
        for row in self._rows(occurrence):
            yield self._component(occurrence, row)
        if sight.rule == "trimmed":
            yield Verdict("window", False, "trimmed", "the system message was trimmed from the window")

    def _rows(self, occurrence: Occurrence) -> Iterator[ComponentRow]:
        place = occurrence.place
        for row in self.request.assembly.trace.components:
            if place.kind == "component":
                if row.name == place.name:
                    yield row
            else:
                live = self.sights.live_component(row.name)
                if live is not None and f"{{{{{place.name}}}}}" in live[0].content:
                    yield row

    def _component(self, occurrence: Occurrence, row: ComponentRow) -> Verdict:
        assembly = self.request.assembly.trace
        whole = f"component {row.name} (priority {row.priority}{'' if row.truncatable else ', pinned'})"
        want = f"{row.requested_tokens} tokens, {row.remaining} remaining of {assembly.limit}"
        if row.state == "dropped":
            text = f"{whole} left out by {row.rule}: {want}, {-row.margin} missing"
            if row.rule == "empty":
                text = f"{whole} left out: it is empty"
            elif row.rule == "below_min_useful":
                text += f"; a cut must leave min_useful_tokens {self.replay.settings.assembler.min_useful_tokens}"
            return Verdict("assemble", False, row.rule, text, row.remaining + 0.0, row.requested_tokens + 0.0)
        if row.state == "kept":
            return Verdict("assemble", True, row.rule, f"{whole} whole: {want}")
        live = self.sights.live_component(row.name)
        variable = occurrence.place.name if occurrence.place.kind == "variable" else None
        spans = self.sights.filled_spans(live[0], occurrence, variable) if live else ()
        start, end = spans[0] if spans else (occurrence.start, occurrence.end)
        cut = row.rendered_chars
        where = f"characters {start} to {end}"
        text = f"{whole} cut at character {cut} of {len(row.content)}: {want}; {where} stand "
        text += "before the cut" if end <= cut else "behind the cut" if start >= cut else "across the cut"
        return Verdict("assemble", end <= cut, row.rule, text, cut, end)

    # --- the current turn ---

    def _current(self, occurrence: Occurrence, sight: Sight) -> Iterator[Verdict]:
        yield Verdict("ingest", True, "current", "it is of the current turn, which always comes along")
        yield from self._rendered(occurrence, sight)

    # --- earlier turns ---

    @cached_property
    def _turns(self) -> dict[int, LedgerEntry]:
        return {int(entry.id): entry for entry in self.request.selection.turn_ledger()}

    @cached_property
    def _ranked(self) -> dict[int, tuple[int, RecallRow]]:
        return {row.turn_id: (rank, row) for rank, row in enumerate(self.request.selection.recall, 1)}

    def _history(self, occurrence: Occurrence, sight: Sight) -> Iterator[Verdict]:
        turn_id = occurrence.place.turn_id
        assert turn_id is not None
        if f"turn:{turn_id}" in self.replay.settings.what_if.drop:
            yield Verdict("ingest", False, "what_if_drop", f"what_if.drop removes turn:{turn_id}")
            return
        first = self.replay.first_visible(self.step.turn)
        if turn_id < first:
            text = f"turn {first} resets history (a compaction, a clear); turn {turn_id} is before it"
            yield Verdict("ingest", False, "history_reset", text)
            return
        if self.full:
            text = "history is full: every turn since the last reset comes along"
            yield Verdict("render", True, "full", text)
        else:
            verdicts = tuple(self._gatekeeper(occurrence, turn_id))
            yield from verdicts
            if not verdicts[-1].passed:
                return
        yield from self._rendered(occurrence, sight)

    def _gatekeeper(self, occurrence: Occurrence, turn_id: int) -> Iterator[Verdict]:
        yield self._gate(turn_id)
        entry = self._turns[turn_id]
        if entry.rule == "recent":
            text = f"a recent turn of the topic: {entry.value:g} tokens, {entry.threshold:g} left of the history budget"
            yield Verdict("recall", True, "recent", text, entry.value, entry.threshold)
            return
        if turn_id not in self._ranked:
            yield self._no_anchor(entry)
            return
        rank, row = self._ranked[turn_id]
        limit = self.replay.settings.gatekeeper.recall_limit
        candidates = len(self._ranked)
        if row.rule == "content_filter":
            words = content_words(content_text(self.replay.session.turns[self.step.turn].user))
            text = f"the topic switched, and it holds none of the query's content words: {listed([*words.whole, *words.pieces])}"
            yield Verdict("recall", False, row.rule, text, 0, 1)
            return
        score = f"score {row.score:.2f}, rank {rank} of {candidates} (the first {limit} stay)"
        yield Verdict("recall", row.rule != "recall_limit", "rank", score, rank, limit)
        if row.rule == "recall_limit":
            return
        yield from self._sentence(occurrence, turn_id)
        yield self._cover(turn_id, row, entry)

    def _gate(self, turn_id: int) -> Verdict:
        gate = self.request.gate
        thresholds = self.replay.settings.gatekeeper
        text = f"{gate.decision} by {gate.rule}"
        if gate.rule in ("overlap", "new_topic", "middle"):
            text += f" (overlap {gate.overlap:.2f}: continues above {thresholds.overlap_continue:g}"
            text += f", switches below {thresholds.overlap_switch:g})"
        if gate.decision == "continue":
            recent = thresholds.recent_turns
            text += f": the newest {recent} turns of the topic (since turn {gate.topic_start}) come along whole"
            if turn_id < self.step.turn - recent:
                text += f", turn {turn_id} is older"
            elif turn_id < gate.topic_start:
                text += f", turn {turn_id} is of an earlier topic"
        else:
            text += ": no recent turn comes along by itself"
        return Verdict("gate", True, gate.rule, text, gate.overlap)

    def _no_anchor(self, entry: LedgerEntry) -> Verdict:
        anchors = [anchor.term for anchor in self.request.gate.anchors if anchor.kind != "fallback"]
        named = f": {listed(anchors)}" if anchors else ", which has none"
        text = f"turn {entry.id} shares no anchor with the query{named}"
        return Verdict("recall", False, entry.rule, text, entry.value, entry.threshold)

    def _sentence(self, occurrence: Occurrence, turn_id: int) -> Iterator[Verdict]:
        """What pruning did, or would have done, with the sentence."""
        if occurrence.place.kind not in ("user", "assistant") or self.replay.settings.rule_off("prune"):
            return
        user = occurrence.place.kind == "user"
        text = self.replay.sequencer.block_texts(turn_id)[0 if user else 1]
        start = occurrence.start + (0 if user else self.sights.shift(turn_id, occurrence.place.round))
        end = start + occurrence.end - occurrence.start
        weights = {anchor.term: anchor.idf for anchor in self.request.gate.anchors}
        engine, most = self.replay.engine, self.replay.settings.gatekeeper.max_sentences
        side = prune_side(engine.sentences.split(text), weights, most)
        spans = sentence_spans(text)
        touched = [k for k, (first, last) in enumerate(spans) if first < end and last > start]
        lost = [k for k in touched if k not in side.kept]
        shown = (lost or touched or [0])[0]
        name = f"sentence {shown} of {occurrence.place.kind} text ({len(spans)} in all)"
        if not lost:
            kept = "the first stays whatever its weight" if shown == 0 else f"weight {side.weights[shown]:.2f}"
            yield Verdict("prune", True, "sentence_rank", f"{name} kept: {kept}", side.weights[shown], side.threshold)
            return
        weight = side.weights[shown]
        place = 1 + sum((-other, k) < (-weight, shown) for k, other in enumerate(side.weights))
        why = f"weight {weight:.2f}, number {place} by weight; the {most} heaviest and the first stay"
        if not weight:
            why = "it holds no anchor of the query"
        yield Verdict("prune", False, "sentence_rank", f"{name} pruned: {why}", weight, side.threshold)

    def _cover(self, turn_id: int, row: RecallRow, entry: LedgerEntry) -> Verdict:
        cover = self.request.selection.cover
        if row.rule == "selected":
            at = next(k for k, step in enumerate(cover.steps) if step.turn_id == turn_id)
            step = cover.steps[at]
            text = f"taken at step {at + 1} of {len(cover.steps)}: covers {listed(step.newly)} for {step.cost} tokens"
            return Verdict("cover", True, row.rule, text, step.gain, 0.0)
        text = {
            "no_gain": f"turn {turn_id} holds no anchor of the query after pruning",
            "empty_after_prune": f"nothing of turn {turn_id} is left after pruning",
        }.get(row.rule, "")
        if row.rule == "over_budget":
            text = f"turn {turn_id} costs {entry.value:g} tokens, {entry.threshold:g} are left of the history budget"
        elif row.rule == "covered":
            text = self._covered_by(turn_id)
        return Verdict("cover", False, row.rule, text, entry.value, entry.threshold)

    def _covered_by(self, turn_id: int) -> str:
        selection = self.request.selection
        by = [f"turn {step.turn_id}" for step in selection.cover.steps] or [f"turn {b}" for b in selection.recent]
        target = self.replay.settings.gatekeeper.coverage_target
        coverage = selection.cover.coverage
        reached = f"coverage {coverage:.2f} has reached the target {target:g}" if coverage is not None else ""
        if selection.cover.stop != "target":
            reached = "it would add no anchor that is not covered"
        return f"covered by {listed(by)}: {reached}, turn {turn_id} is not needed"

    # --- render and window ---

    def _rendered(self, occurrence: Occurrence, sight: Sight) -> Iterator[Verdict]:
        place = occurrence.place
        if sight.rule == "handle_over_tokens":
            yield self._handle(occurrence, sight)
        if sight.message is not None:
            return
        page_id = self.sights.page_id(place) if place.kind in ("call", "result") else None
        if place.kind in ("call", "result"):
            gone = self._page(occurrence, page_id)
            if gone is not None:
                yield gone
                return
        window = self.request.window
        if any(m.turn_id == place.turn_id for m in window.removed):
            text = f"the request cost {window.tokens_before} tokens, {window.trace.message_budget} are allowed; the oldest units go first"
            yield Verdict("window", False, "trimmed", text, window.tokens_before, window.trace.message_budget)
            return
        yield Verdict("render", False, "absent", "nothing of it is rendered")

    def _handle(self, occurrence: Occurrence, sight: Sight) -> Verdict:
        limit = self.replay.settings.sequence.handle_over_tokens
        tokens = self.replay.counter(occurrence.field)
        text = f"the result counts {tokens} tokens, more than handle_over_tokens {limit}: a handle shows its first {sight.cut} characters"
        text += f"; this stands at {occurrence.start} to {occurrence.end}"
        return Verdict("render", sight.presence == "in", "handle_over_tokens", text, tokens, limit)

    def _page(self, occurrence: Occurrence, page_id: str | None) -> Verdict | None:
        """Why a call or result is in no rendered message; null where it was rendered."""
        place = occurrence.place
        if page_id is None:
            return Verdict("render", False, "orphan", "the result answers no open call of its round, so it is not sent")
        if not self.full and place.turn_id != self.step.turn and self._turns[place.turn_id or 0].rule != "recent":
            text = f"turn {place.turn_id} was recalled as text: its calls and results stay out"
            return Verdict("cover", False, "cover_text_only", text)
        rendered = (*self.request.history, self.request.current)
        fate = next((fate for one in rendered for fate in one.pages if fate.id == page_id), None)
        if fate is None or fate.state != "dropped":
            return None
        text = {
            "what_if_drop": f"what_if.drop removes page:{page_id}",
            "inactive": f"the page {page_id} was switched off at or before turn {self.step.turn}",
            "orphan": f"the call {page_id} has no result, so it is not sent",
        }.get(fate.rule, fate.rule)
        return Verdict("ingest" if fate.rule == "what_if_drop" else "render", False, fate.rule, text)
