"""The engine that the library class and the replay share: append blocks, judge a query, select what comes along.

`gate` and `select` are pure in (query, t): blocks added later never change an answer, so a step back costs what a step
forward does and gives the same.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from ctxinspect.gatekeeper.index import BlockIndex, IndexWork
from ctxinspect.gatekeeper.prune import PrunedBlock, SentenceStore, prune_side, whole_side
from ctxinspect.gatekeeper.recall import Recall
from ctxinspect.gatekeeper.selection import Measure, Selection
from ctxinspect.gatekeeper.selector import CoverCandidate, CoverResult, select_cover
from ctxinspect.gatekeeper.sparse import Candidate
from ctxinspect.gatekeeper.topic_gate import gate_topic, query_anchors, rounded
from ctxinspect.gatekeeper.words import ContentWords, content_words
from ctxinspect.settings import GatekeeperSettings
from ctxinspect.trace.recall_rows import RecallRows
from ctxinspect.trace.types import Anchor, CoverStep, CoverTrace, Finding, GateTrace, RecallRow, SelectedRow

__all__ = ["Engine", "EventTokens", "PrunedCost"]

_State: TypeAlias = Literal["kept", "pruned", "dropped"]

EventTokens = Callable[[int], int]
"""Tokens of an earlier turn as rendered whole."""
PrunedCost = Callable[[int, str, str], int]
"""Tokens of an earlier turn's messages with these user and assistant texts, without its tool pages."""


class Engine:
    """Gate, recall, prune and cover over one growing list of blocks.

    `rules_off` names rules of page 5 that do not apply in a fork: `deictic`, `idf_floor`, `content_filter`, `exact` and
    `recency` (their term is 0), `recent`, `prune`, `coverage_target`. Others are ignored. An `index` of another engine
    may be shared, since it depends on the blocks alone.
    """

    def __init__(
        self,
        settings: GatekeeperSettings,
        rules_off: frozenset[str] = frozenset(),
        index: BlockIndex | None = None,
    ) -> None:
        self.settings = settings
        self.rules_off = rules_off
        self.index = BlockIndex() if index is None else index
        self.sentences = SentenceStore()

    def __len__(self) -> int:
        return len(self.index)

    @property
    def work(self) -> IndexWork:
        """How much was indexed and looked up."""
        return self.index.work

    def add_block(self, user: str, assistant: str) -> int:
        """Append an earlier turn and return its id.

        `user` is a person's real words or the text without label, `assistant` the texts of the turn's rounds and its
        answer, joined by newlines (specification page 5, blocks).
        """
        return self.index.add(user, assistant)

    def anchors(self, text: str, t: int, topic_start: int) -> tuple[Anchor, ...]:
        """A(text) as a query at turn t, without what the floor cuts."""
        return query_anchors(self.index, text, t, topic_start, self.settings, self.rules_off)[0]

    def gate(self, query: str, t: int, topic_start_before: int) -> GateTrace:
        """The topic gate's decision on a query with t earlier blocks; the caller keeps where the topic starts."""
        return gate_topic(self.index, query, t, topic_start_before, self.settings, self.rules_off)

    def select(
        self,
        query: str,
        t: int,
        gate: GateTrace,
        *,
        first_visible: int,
        event_tokens: EventTokens,
        pruned_cost: PrunedCost,
    ) -> Selection:
        """What comes along at turn t, whose gate decided `gate`.

        Turns below `first_visible` are out by a reset. Costs are in tokens and come from whoever renders.
        """
        anchors = gate.anchors
        recent = self._recent(gate, t, first_visible, event_tokens)
        words, findings = self.filter_words(query, t, gate)
        recall = Recall(
            self.index, anchors, t, words, self.settings, self.rules_off, first_visible=first_visible, recent=recent
        )
        recalled = recall.best(self.settings.recall_limit)
        blocks = self._prune(recalled, anchors)
        cover = self._cover(anchors, recent, recall, recalled, blocks, pruned_cost)
        stayed, measures = _fates(recalled, blocks, cover, self.settings)
        measures.update(recent)
        chosen = {step.turn_id for step in cover.result.takes}
        return Selection(
            t=t,
            first_visible=first_visible,
            recall=_recall_rows(recall, stayed),
            cover=cover.trace(anchors),
            selected=self._selected(cover, blocks, {c.turn_id: c for c in recalled}),
            pruned=tuple(blocks[turn_id] for turn_id in sorted(chosen)),
            recent=tuple(recent),
            findings=findings,
            measures=measures,
            recall_limit=self.settings.recall_limit,
        )

    def _recent(self, gate: GateTrace, t: int, first_visible: int, event_tokens: EventTokens) -> dict[int, Measure]:
        """The newest turns of the active topic that fit whole, newest first, with their tokens and what was left."""
        recent: dict[int, Measure] = {}
        if gate.decision != "continue" or "recent" in self.rules_off:
            return recent
        left = self.settings.token_budget
        first = max(gate.topic_start, first_visible, t - self.settings.recent_turns)
        for turn_id in range(t - 1, first - 1, -1):
            tokens = event_tokens(turn_id)
            if tokens > left:
                break
            recent[turn_id] = Measure(tokens, left)
            left -= tokens
        return recent

    def filter_words(self, query: str, t: int, gate: GateTrace) -> tuple[ContentWords | None, tuple[Finding, ...]]:
        """The content words that a candidate must hold one of, None where the filter does not apply.

        Beside them the findings of the whole selection: that the filter was skipped.
        """
        if gate.decision != "switch" or not self.settings.content_filter or "content_filter" in self.rules_off:
            return None, ()
        words = content_words(query)
        if words:
            return words, ()
        text = "the query has no content word, so blocks of other topics are not filtered out"
        return None, (Finding("content-filter-skipped", "info", "recall", turn_id=t, text=text),)

    def _prune(self, recalled: Sequence[Candidate], anchors: Sequence[Anchor]) -> dict[int, PrunedBlock]:
        """The recalled blocks by turn, each side pruned."""
        weights = {anchor.term: anchor.idf for anchor in anchors}
        blocks: dict[int, PrunedBlock] = {}
        for candidate in recalled:
            block = self.index.blocks[candidate.turn_id]
            if "prune" in self.rules_off:
                user, assistant = whole_side(block.user), whole_side(block.assistant)
            else:
                limit = self.settings.max_sentences
                user = prune_side(self.sentences.split(block.user), weights, limit)
                assistant = prune_side(self.sentences.split(block.assistant), weights, limit)
            blocks[candidate.turn_id] = PrunedBlock(candidate.turn_id, user, assistant)
        return blocks

    def _cover(
        self,
        anchors: Sequence[Anchor],
        recent: Mapping[int, Measure],
        recall: Recall,
        recalled: Sequence[Candidate],
        blocks: Mapping[int, PrunedBlock],
        pruned_cost: PrunedCost,
    ) -> _Cover:
        """The greedy steps over the recalled blocks, from what recent turns cover."""
        position = {anchor.term: i for i, anchor in enumerate(anchors) if anchor.kind != "fallback"}
        by_recent: dict[int, tuple[int, ...]] = {}
        covered: frozenset[int] = frozenset()
        for turn_id in recent:
            held = recall.positions(turn_id)
            by_recent[turn_id] = tuple(sorted(held - covered))
            covered |= held
        candidates = []
        for candidate in recalled:
            block = blocks[candidate.turn_id]
            if not (block.user.text or block.assistant.text):
                continue
            covers = frozenset(position[term] for term in block.anchors & position.keys())
            cost = max(1, pruned_cost(candidate.turn_id, block.user.text, block.assistant.text))
            candidates.append(CoverCandidate(candidate.turn_id, covers, candidate.score, cost))
        target = None if "coverage_target" in self.rules_off else self.settings.coverage_target
        result = select_cover(
            [anchor.idf for anchor in anchors],
            covered,
            candidates,
            budget=self.settings.token_budget - int(sum(measure.value for measure in recent.values())),
            target=target,
            alpha=self.settings.alpha,
        )
        return _Cover(result, by_recent, {c.turn_id: c for c in candidates})

    def _selected(
        self, cover: _Cover, blocks: Mapping[int, PrunedBlock], ranked: Mapping[int, Candidate]
    ) -> tuple[SelectedRow, ...]:
        """Recent and chosen turns in turn order."""
        rows = [
            SelectedRow(
                turn_id, "recent", self.index.blocks[turn_id].user, self.index.blocks[turn_id].assistant, None, new
            )
            for turn_id, new in cover.by_recent.items()
        ]
        for take in cover.result.takes:
            block = blocks[take.turn_id]
            score = ranked[take.turn_id].score
            rows.append(SelectedRow(take.turn_id, "cover", block.user.text, block.assistant.text, score, take.newly))
        return tuple(sorted(rows, key=lambda row: row.turn_id))


@dataclass(frozen=True, slots=True)
class _Cover:
    """The cover's steps, the positions each recent turn newly covers, and the candidates by turn."""

    result: CoverResult
    by_recent: dict[int, tuple[int, ...]]
    candidates: dict[int, CoverCandidate]

    def trace(self, anchors: Sequence[Anchor]) -> CoverTrace:
        """The steps with terms for positions; positions are in the order of terms (IDF descending, then term)."""
        result = self.result
        return CoverTrace(
            steps=tuple(
                CoverStep(
                    take.turn_id,
                    take.gain,
                    take.cost,
                    tuple(anchors[i].term for i in take.newly),
                    take.coverage,
                    take.budget_left,
                )
                for take in result.takes
            ),
            coverable=tuple(anchors[i].term for i in sorted(result.coverable)),
            uncovered=tuple(anchor.term for i, anchor in enumerate(anchors) if i not in result.covered),
            coverage=result.coverage,
            stop=result.stop,
        )


def _fates(
    recalled: Sequence[Candidate], blocks: Mapping[int, PrunedBlock], cover: _Cover, settings: GatekeeperSettings
) -> tuple[tuple[RecallRow, ...], dict[int, Measure]]:
    """The row of every recalled block in rank order, and the number its rule looked at."""
    rows: list[RecallRow] = []
    measures: dict[int, Measure] = {}
    takes = {take.turn_id: take for take in cover.result.takes}
    for candidate in recalled:
        turn_id = candidate.turn_id
        measure: Measure | None = None
        if turn_id not in cover.candidates:
            rule = "empty_after_prune"
        elif turn_id in takes:
            rule, measure = "selected", Measure(takes[turn_id].gain, 0.0)
        else:
            rule, measure = _left_behind(cover.candidates[turn_id], cover.result, settings.coverage_target)
        state: _State = "dropped" if rule != "selected" else "pruned" if blocks[turn_id].pruned else "kept"
        rows.append(_row(candidate, state, rule))
        if measure is not None:
            measures[turn_id] = measure
    return tuple(rows), measures


def _recall_rows(recall: Recall, stayed: tuple[RecallRow, ...]) -> RecallRows:
    """Every candidate's row in rank order; those that the filter or the limit drops are made when looked at."""
    turns = frozenset(row.turn_id for row in stayed)

    def first(number: int) -> list[RecallRow]:
        dropped = recall.first(number)[len(stayed) :]
        rows = [_row(c, "dropped", "content_filter" if c.filtered else "recall_limit") for c in dropped]
        return [*stayed, *rows]

    return RecallRows(stayed, len(recall), lambda: recall.dropped(turns), first)


def _row(candidate: Candidate, state: _State, rule: str) -> RecallRow:
    return RecallRow(
        candidate.turn_id,
        candidate.lex_user,
        candidate.lex_assistant,
        candidate.exact,
        candidate.recency,
        candidate.score,
        state,
        rule,
        candidate.content_words,
    )


def _left_behind(candidate: CoverCandidate, result: CoverResult, target: float) -> tuple[str, Measure]:
    """Why a recalled block was not taken."""
    gain = result.leftover_gains[candidate.turn_id]
    if not candidate.covers:
        return "no_gain", Measure(0.0, 0.0)
    if result.stop == "target":
        return "covered", Measure(result.coverage or 0.0, target)
    if rounded(gain) > 0 and candidate.cost > result.budget_left:
        return "over_budget", Measure(candidate.cost, result.budget_left)
    return "covered", Measure(gain, 0.0)
