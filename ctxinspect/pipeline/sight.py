"""Where a place of the session stands in one request, found by position and not by searching.

A sight of `in` is always true of what is sent: the text stands whole in the message named, or in a tool's schema, which
is sent beside the messages. `partly` says that a
piece of it does, `out` that nothing of it does; `rule` says what decided, as the ledger names it where it has a name.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from ctxinspect.model.content import content_text
from ctxinspect.model.session import Component, arguments_text
from ctxinspect.pipeline.occurrences import Needle, Occurrence, Place
from ctxinspect.pipeline.plan import Step, components_of, drop_items, variables_of
from ctxinspect.pipeline.replay import Replay, Request
from ctxinspect.text.placeholders import filled_pieces
from ctxinspect.text.sentences import split_sentences
from ctxinspect.trace.types import ComponentRow

__all__ = ["LATER", "Presence", "Sight", "Sights", "is_later", "sentence_spans"]

Presence: TypeAlias = Literal["in", "partly", "out"]
LATER = "later"
"""The rule of what was not said yet when the request was made."""


@dataclass(frozen=True, slots=True)
class Sight:
    """How a place stands in a request: the index of the message that holds it, the rule, and where it was cut.

    `cut` is a character of the place's own text (of the filled component for those): what lies behind it is out.
    """

    presence: Presence
    rule: str
    message: int | None = None
    cut: int | None = None


def is_later(place: Place, step: Step) -> bool:
    """Whether a place of the story was said after this request was made."""
    if place.turn_id is None or place.turn_id < step.turn:
        return False
    if place.turn_id > step.turn:
        return True
    if place.kind in ("component", "variable", "user"):
        return False
    return place.round is None or place.round >= step.request


def sentence_spans(text: str) -> tuple[tuple[int, int], ...]:
    """The character ranges of a text's sentences, those of white space only left out, as pruning counts them."""
    spans, at = [], 0
    for piece in split_sentences(text):
        if not piece.isspace():
            spans.append((at, at + len(piece)))
        at += len(piece)
    return tuple(spans)


class Sights:
    """One request, ready to be asked where something stands in it. Asking is independent of the session's length."""

    def __init__(self, replay: Replay, request: Request, needle: Needle) -> None:
        self.replay = replay
        self.request = request
        self.needle = needle
        self.step = request.step
        self.messages = request.window.messages
        self._session = drop_items(replay.session)
        self._at: dict[tuple[object, ...], int] = {}
        for index, message in enumerate(self.messages):
            self._at.setdefault(self._key(index), index)
            for call in message.calls:
                self._at["call", call.id] = index
        self._rows = {row.name: row for row in request.assembly.trace.components}
        self._covered = {block.turn_id: block for block in request.selection.pruned}
        if replay.settings.history == "full":
            self._covered = {}

    def _key(self, index: int) -> tuple[object, ...]:
        message = self.messages[index]
        if message.turn_id is None:
            return ("system",)
        if message.role == "tool":
            return "result", message.call_id
        if message.role == "assistant":
            return "assistant", message.turn_id, message.round
        return "opening", message.turn_id

    def see(self, occurrence: Occurrence) -> Sight:
        """How this occurrence stands in the request."""
        place = occurrence.place
        if place.kind == "tool":
            return Sight("in", "tool_schema")
        if place.kind in ("component", "variable"):
            sight = self._prompt(occurrence)
        elif place.kind == "thinking":
            sight = Sight("out", LATER if self._is_later(place) else "thinking")
        elif self._is_later(place):
            sight = Sight("out", LATER)
        elif place.kind == "user":
            sight = self._user(occurrence)
        elif place.kind == "assistant":
            sight = self._assistant(occurrence)
        else:
            sight = self._page(occurrence)
        if sight.presence == "in" and not self._holds(sight.message, place.kind):
            return Sight("partly", sight.rule, sight.message, sight.cut)
        return sight

    def _holds(self, index: int | None, kind: str) -> bool:
        """Whether a message really holds the text: white space at the edge of a pruned text is trimmed, for one."""
        if index is None:
            return False
        message = self.messages[index]
        if kind == "call":
            return any(self.needle.stands_in(arguments_text(call.arguments), as_json=True) for call in message.calls)
        return self.needle.stands_in(message.text)

    def _is_later(self, place: Place) -> bool:
        return is_later(place, self.step)

    # --- the story: turns, rounds, pages ---

    def _user(self, occurrence: Occurrence) -> Sight:
        turn_id = occurrence.place.turn_id
        assert turn_id is not None
        if turn_id < self.step.turn and self.replay.sequencer.real_words(turn_id) is not None:
            return Sight("out", "chat_tool")
        at = self._at.get(("opening", turn_id))
        if at is None:
            return Sight("out", "absent")
        return self._side(occurrence, at, "user", 0)

    def _assistant(self, occurrence: Occurrence) -> Sight:
        place = occurrence.place
        turn_id = place.turn_id
        assert turn_id is not None
        whole = self.replay.settings.sequence.layout == "flattened" or turn_id in self._covered
        at = self._at.get(("assistant", turn_id, None if whole else place.round))
        if at is None:
            return Sight("out", "absent")
        return self._side(occurrence, at, "assistant", self.shift(turn_id, place.round))

    def shift(self, turn_id: int, round_number: int | None) -> int:
        """Where a round's text begins in the assistant text of its turn: texts are joined by a newline, none empty."""
        turn = self._session.turns[turn_id]
        before = turn.rounds if round_number is None else turn.rounds[:round_number]
        texts = [content_text(round_.assistant) for round_ in before]
        return sum(len(text) + 1 for text in texts if text)

    def _side(self, occurrence: Occurrence, at: int, side: str, shift: int) -> Sight:
        """A user or assistant text in the message at `at`: whole, or as pruning left it."""
        turn_id = occurrence.place.turn_id
        block = self._covered.get(turn_id) if turn_id is not None else None
        if block is None:
            return Sight("in", "whole", at)
        pruned = block.user if side == "user" else block.assistant
        if not pruned.pruned:
            return Sight("in", "sentence_rank", at)
        assert turn_id is not None
        user, assistant = self.replay.sequencer.block_texts(turn_id)
        start, end = occurrence.start + shift, occurrence.end + shift
        spans = sentence_spans(user if side == "user" else assistant)
        touched = [k for k, (first, last) in enumerate(spans) if first < end and last > start]
        kept = set(pruned.kept)
        inside = [k for k in touched if k in kept]
        if not inside:
            return Sight("out", "sentence_rank", at)
        return Sight("in" if len(inside) == len(touched) else "partly", "sentence_rank", at)

    def page_id(self, place: Place) -> str | None:
        """The page that a call or result is of in this replay; null for a result that answers nothing."""
        if place.turn_id is None or place.round is None:
            return None
        pages = self.replay.sequencer.pages[place.turn_id]
        for page in pages[place.round].pages if place.round < len(pages) else ():
            if place.index == (page.call_index if place.kind == "call" else page.result_index):
                return page.id
        return None

    def _page(self, occurrence: Occurrence) -> Sight:
        place = occurrence.place
        page_id = self.page_id(place)
        if page_id is None:
            return Sight("out", "orphan" if place.kind == "result" else "absent")
        if place.kind == "result" and self._is_spoken(occurrence):
            opening = self._at.get(("opening", place.turn_id))
            sight = Sight("out", "absent") if opening is None else self._side(occurrence, opening, "user", 0)
            if sight.presence != "out":
                return sight
        at = self._at.get((place.kind, page_id))
        if at is None:
            return Sight("out", "absent")
        if place.kind == "call" or self.messages[at].state != "handle":
            return Sight("in", "paired", at)
        shown = self.replay.settings.sequence.handle_preview_chars
        if occurrence.end <= shown:
            return Sight("in", "handle_over_tokens", at, shown)
        return Sight("partly" if occurrence.start < shown else "out", "handle_over_tokens", at, shown)

    def _is_spoken(self, occurrence: Occurrence) -> bool:
        """Whether a result is what a person said in a turn that a notification opened (it stands as the user's text)."""
        place = occurrence.place
        if place.turn_id is None or place.turn_id >= self.step.turn or place.name not in self._session.chat_tools:
            return False
        return self.replay.sequencer.real_words(place.turn_id) == occurrence.field

    # --- the system prompt ---

    def live_component(self, name: str) -> tuple[Component, bool] | None:
        """The component of this name in this turn, and whether it is the turn's own; null where there is none."""
        own = {component.name for component in self._session.turns[self.step.turn].components}
        for component in components_of(self._session, self.step.turn):
            if component.name == name:
                return component, name in own
        return None

    def _prompt(self, occurrence: Occurrence) -> Sight:
        place = occurrence.place
        if place.turn_id is not None and place.turn_id != self.step.turn:
            return Sight("out", LATER if place.turn_id > self.step.turn else "other_turn")
        if place.kind == "component":
            live = self.live_component(place.name or "")
            if live is None:
                return Sight("out", "what_if_drop")
            if live[1] is not (place.turn_id is not None):
                return Sight("out", "replaced")
            return self._in_component(live[0], occurrence, None)
        own = self._session.turns[self.step.turn].variables
        if place.turn_id is None and place.name in own:
            return Sight("out", "replaced")
        sights = [
            self._in_component(component, occurrence, place.name)
            for component in components_of(self._session, self.step.turn)
            if f"{{{{{place.name}}}}}" in component.content
        ]
        return min(sights, key=lambda sight: _ORDER[sight.presence]) if sights else Sight("out", "not_rendered")

    def _in_component(self, component: Component, occurrence: Occurrence, variable: str | None) -> Sight:
        """The occurrence in a component's filled text, against what of it is in the prompt."""
        row = self._rows[component.name]
        spans = self.filled_spans(component, occurrence, variable)
        sights = [self._cut(row, start, end) for start, end in spans]
        return min(sights, key=lambda sight: _ORDER[sight.presence]) if sights else Sight("out", "filled")

    def filled_spans(
        self, component: Component, occurrence: Occurrence, variable: str | None
    ) -> tuple[tuple[int, int], ...]:
        """Where the occurrence stands in the component's filled text: in text that stays, or in a variable's value."""
        pieces = filled_pieces(component.content, variables_of(self._session, self.step.turn))
        if variable is not None:
            return tuple(
                (piece.filled + occurrence.start, piece.filled + occurrence.end)
                for piece in pieces
                if piece.name == variable
            )
        return tuple(
            (piece.filled + occurrence.start - piece.start, piece.filled + occurrence.end - piece.start)
            for piece in pieces
            if piece.name is None and piece.start <= occurrence.start and occurrence.end <= piece.end
        )

    def _cut(self, row: ComponentRow, start: int, end: int) -> Sight:
        at = self._at.get(("system",))
        if row.state == "dropped":
            return Sight("out", row.rule)
        if at is None:
            return Sight("out", "trimmed")
        if row.state == "kept" or end <= row.rendered_chars:
            return Sight("in", row.rule, at, row.rendered_chars if row.state == "truncated" else None)
        return Sight("partly" if start < row.rendered_chars else "out", row.rule, at, row.rendered_chars)


_ORDER: dict[Presence, int] = {"in": 0, "partly": 1, "out": 2}
