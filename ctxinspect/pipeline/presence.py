"""In which requests of a replay a text stands, without replaying those that a cheap look decides.

Where whole units are trimmed, a request is its prompt, earlier turns and the current turn, less the oldest units that do
not fit: sums of costs say which. With full history the earlier turns are all since the last reset; with the gatekeeper
those chosen, once for all requests of a turn, and a turn can only be chosen if it is recent or shares an anchor with the
query. Where single messages are trimmed, every request is replayed. The answers are those of replaying all.
"""

from __future__ import annotations

import re
import sys
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

from ctxinspect.gatekeeper.anchor import find_anchors
from ctxinspect.model.messages import Message
from ctxinspect.model.session import arguments_text
from ctxinspect.pipeline.occurrences import Needle, Occurrence
from ctxinspect.pipeline.plan import Step
from ctxinspect.pipeline.replay import Replay
from ctxinspect.pipeline.sight import Presence, Sights, is_later
from ctxinspect.sequence import STUB_TEXT, RenderedTurn, handle_text
from ctxinspect.tokens.cost import PRIMING

__all__ = ["Costs", "PresenceOf", "Rounds"]


@dataclass(frozen=True, slots=True)
class Rounds:
    """The current turn: its opening messages, those of each round, and running sums of the rounds' costs (tokens)."""

    opening: tuple[Message, ...]
    of_round: tuple[tuple[Message, ...], ...]
    opening_tokens: int
    sums: tuple[int, ...]

    def kept_from(self, request: int, room: int) -> int:
        """The oldest round that stays where `room` tokens are left for rounds: the newest that renders anything does."""
        newest = next((n for n in range(request - 1, -1, -1) if self.of_round[n]), 0)
        if self.sums[request] - self.sums[newest] > room:
            return newest
        return bisect_left(self.sums, self.sums[request] - room, 0, newest)


class Costs:
    """What the turns of a full history cost, as running sums, at the turn asked for. Asked in turn order."""

    def __init__(self, replay: Replay) -> None:
        self._replay = replay
        self._costs: list[int] = []
        self._sums: list[int] = [0]
        self._rounds: tuple[int, Rounds] | None = None
        self._turn = -1
        first = replay.request(replay.steps[0]) if replay.steps else None
        self.budget = first.window.trace.message_budget if first else 0
        """Tokens that the messages may cost; without end where the rule `trim` is off."""
        if replay.settings.rule_off("trim"):
            self.budget = sys.maxsize

    def history(self, turn: int) -> Sequence[int]:
        """Running sums of the costs (tokens) of the turns before this one: `sums[turn] - sums[b]` is what b on cost."""
        if turn == self._turn:
            return self._sums
        self._turn = turn
        sequencer = self._replay.sequencer
        if self._replay.session.turns[turn].inactive_pages or len(self._costs) > turn:
            self._costs = [sequencer.event_tokens(b, turn) for b in range(turn)]
            self._sums = [0, *accumulate(self._costs)]
        while len(self._costs) < turn:
            self._costs.append(sequencer.event_tokens(len(self._costs), turn))
            self._sums.append(self._sums[-1] + self._costs[-1])
        return self._sums

    def current(self, step: Step) -> int:
        """Tokens of the current turn at this request."""
        if self._replay.settings.sequence.layout == "flattened":
            return self._replay.sequencer.current(*step).tokens
        rounds = self.rounds(step.turn)
        return rounds.opening_tokens + rounds.sums[step.request]

    def rounds(self, turn: int) -> Rounds:
        """The current turn by rounds, rendered once; for the layout in which rounds stand apart."""
        if self._rounds is None or self._rounds[0] != turn:
            count = len(self._replay.session.turns[turn].rounds)
            messages = self._replay.sequencer.current(turn, count).messages
            of_round: list[list[Message]] = [[] for _ in range(count)]
            opening: list[Message] = []
            for message in messages:
                (opening if message.round is None else of_round[message.round]).append(message)
            sums = [0, *accumulate(sum(m.tokens for m in one) for one in of_round)]
            whole = Rounds(tuple(opening), tuple(map(tuple, of_round)), sum(m.tokens for m in opening), tuple(sums))
            self._rounds = turn, whole
        return self._rounds[1]

    def prompt(self, turn: int) -> int:
        """Tokens of the system message."""
        system = self._replay.sequencer.system(self._replay.assembly(turn).trace.text)
        return 0 if system is None else system.tokens


class PresenceOf:
    """How one text stands in each request of a replay. Steps are asked in session order."""

    def __init__(self, replay: Replay, needle: Needle, found: Sequence[Occurrence], costs: Costs) -> None:
        self.replay = replay
        self.needle = needle
        self.found = found
        self._costs = costs
        self._by_unit = replay.settings.window.unit == "turn" and not _pipelines_own(replay, needle)
        self._full = replay.settings.history == "full"
        self._turns = sorted(
            {o.place.turn_id for o in found if o.place.kind not in _PROMPT and o.place.turn_id is not None}
        )
        self._in_tools = any(o.place.kind == "tool" for o in found)
        self._in_prompt = [o for o in found if o.place.kind in _PROMPT]
        self._of_turn: dict[int, list[Occurrence]] = {}
        for occurrence in found:
            if occurrence.place.turn_id is not None:
                self._of_turn.setdefault(occurrence.place.turn_id, []).append(occurrence)
        self._of_round: dict[tuple[int, int], list[Occurrence]] = {}
        for occurrence in found:
            place = occurrence.place
            if place.turn_id is not None and place.kind in _STORY:
                self._of_round.setdefault((place.turn_id, -1 if place.round is None else place.round), []).append(
                    occurrence
                )
        self._spoken: dict[int, list[int]] = {}
        for turn, number in sorted(self._of_round):
            self._spoken.setdefault(turn, []).append(number)
        """The rounds of each turn in which the text stands, -1 for its opening (and its answer, which comes later)."""
        self._rounds_known: tuple[int, dict[int, Presence]] = -1, {}
        self._chosen: tuple[int, tuple[tuple[int, Presence], ...]] = -1, ()
        self._anchors: dict[int, frozenset[str]] = {}
        self._whole: dict[int, tuple[RenderedTurn, Presence]] = {}
        self._prompt_known: tuple[str, Presence] | None = None

    def at(self, step: Step) -> Presence:
        """How the text stands in this request: whole somewhere, only in part, or not at all."""
        if self._in_tools:
            return "in"
        prompt = self._prompt(step.turn)
        if not self._by_unit:
            return self._replayed(step)
        if prompt == "in":
            return "in"
        return _best((prompt, self._story(step)))

    # --- the prompt ---

    def _prompt(self, turn: int) -> Presence:
        trace = self.replay.assembly(turn).trace
        if self._prompt_known is None or self._prompt_known[0] is not trace.text:
            cut = any(row.state == "truncated" for row in trace.components) and self._in_prompt
            state: Presence = "in" if self.needle.stands_in(trace.text) else "partly" if cut else "out"
            self._prompt_known = trace.text, state
        state = self._prompt_known[1]
        if state == "partly":  # only a guess so far: a component is cut, perhaps not in the middle of the text
            return self._partly_cut(turn)
        return state

    def _partly_cut(self, turn: int) -> Presence:
        sights = Sights(self.replay, self.replay.request(Step(turn, 0)), self.needle)
        return "partly" if any(sights.see(o).presence == "partly" for o in self._in_prompt) else "out"

    # --- whole units: the oldest turns go first, then the oldest rounds of the current turn ---

    def _story(self, step: Step) -> Presence:
        """How the text stands in the turns of this request, the prompt apart."""
        base = self._costs.prompt(step.turn) + self._costs.current(step) + PRIMING
        states: list[Presence] = []
        if self._spoken.get(step.turn):
            if self.replay.settings.sequence.layout == "flattened":
                return self._replayed(step)
            states.append(self._current(step, base))
        if "in" not in states and base <= self._costs.budget:
            states.append((self._whole_history if self._full else self._chosen_history)(step, base))
        return _best(states)

    def _current(self, step: Step, base: int) -> Presence:
        """How the text stands in the current turn, newest round first, as far as its rounds fit."""
        rounds = self._costs.rounds(step.turn)
        first = 0
        if base > self._costs.budget:
            first = rounds.kept_from(step.request, self._costs.budget - base + rounds.sums[step.request])
        states: list[Presence] = []
        for number in reversed(self._spoken[step.turn]):
            if first <= number < step.request:
                states.append(self._round(rounds.of_round[number], number, step))
            elif number < 0:
                states.append(self._round(rounds.opening, number, step))
            if "in" in states:
                break
        return _best(states)

    def _round(self, messages: Sequence[Message], number: int, step: Step) -> Presence:
        if self._rounds_known[0] != step.turn:
            self._rounds_known = step.turn, {}
        known = self._rounds_known[1]
        if number not in known:
            known[number] = self._messages(messages, self._of_round[step.turn, number], step)
        return known[number]

    def _whole_history(self, step: Step, base: int) -> Presence:
        sums = self._costs.history(step.turn)
        first = self.replay.first_visible(step.turn)
        states: list[Presence] = []
        for at in range(bisect_left(self._turns, step.turn) - 1, -1, -1):
            turn = self._turns[at]
            if turn < first or base + sums[step.turn] - sums[turn] > self._costs.budget or "in" in states:
                break
            states.append(self._rendered(turn, step))
        return _best(states)

    def _chosen_history(self, step: Step, base: int) -> Presence:
        """The same where the gatekeeper chose the turns; they are chosen once for all requests of a turn."""
        if self._chosen[0] != step.turn:
            self._chosen = step.turn, tuple(self._choose(step.turn)) if self._may_hold(step) else ()
        states: list[Presence] = []
        for tokens, state in self._chosen[1]:
            base += tokens
            if base > self._costs.budget or "in" in states:
                break
            states.append(state)
        return _best(states)

    def _choose(self, turn: int) -> Iterator[tuple[int, Presence]]:
        """Every chosen turn, newest first: its tokens and how the text stands in it."""
        request = self.replay.request(Step(turn, 0))
        sights = Sights(self.replay, request, self.needle)
        for rendered in reversed(request.history):
            state: Presence = "in" if any(map(self._holds, rendered.messages)) else "out"
            if state == "out":
                state = _best(sights.see(o).presence for o in self._of_turn.get(rendered.turn_id, ()))
            yield rendered.tokens, state

    def _rendered(self, turn: int, step: Step) -> Presence:
        """How the text stands in an earlier turn that comes along whole; looked at once as long as it stays the same."""
        rendered = self.replay.sequencer.history(turn, step.turn)
        known = self._whole.get(turn)
        if known is None or known[0] is not rendered:
            known = self._whole[turn] = rendered, self._messages(rendered.messages, self._of_turn[turn], step)
        return known[1]

    def _messages(self, messages: Iterable[Message], found: Sequence[Occurrence], step: Step) -> Presence:
        handles = False
        for message in messages:
            if self._holds(message):
                return "in"
            handles = handles or message.state == "handle"
        said = [o for o in found if not is_later(o.place, step)]
        shown = self.replay.settings.sequence.handle_preview_chars
        if handles and any(o.place.kind == "result" and o.start < shown for o in said):
            return self._partly_handled(said, step)
        return "out"

    def _partly_handled(self, found: Sequence[Occurrence], step: Step) -> Presence:
        sights = Sights(self.replay, self.replay.request(step), self.needle)
        return _best(sights.see(o).presence for o in found)

    def _holds(self, message: Message) -> bool:
        if self.needle.stands_in(message.text):
            return True
        return any(self.needle.stands_in(arguments_text(call.arguments), as_json=True) for call in message.calls)

    # --- the gatekeeper ---

    def _may_hold(self, step: Step) -> bool:
        """Whether the gatekeeper can have chosen any earlier turn with the text."""
        first = self.replay.first_visible(step.turn)
        earlier = self._turns[bisect_left(self._turns, first) : bisect_left(self._turns, step.turn)]
        if not earlier:
            return False
        gate = self.replay.gate(step.turn)
        recent = max(gate.topic_start, step.turn - self.replay.settings.gatekeeper.recent_turns)
        if gate.decision == "continue" and earlier[-1] >= recent:
            return True
        terms = {anchor.term for anchor in gate.anchors if anchor.kind != "fallback"}
        return any(not terms.isdisjoint(self._anchors_of(turn)) for turn in earlier)

    def _anchors_of(self, turn: int) -> frozenset[str]:
        known = self._anchors.get(turn)
        if known is None:
            user, assistant = self.replay.sequencer.block_texts(turn)
            known = self._anchors[turn] = frozenset((*find_anchors(user).counts, *find_anchors(assistant).counts))
        return known

    def _replayed(self, step: Step) -> Presence:
        request = self.replay.request(step)
        messages = request.window.messages
        if any(self._holds(message) for message in messages):
            return "in"
        turns = {message.turn_id for message in messages}
        said = [o for turn in sorted(t for t in turns if t is not None) for o in self._of_turn.get(turn, ())]
        sights = Sights(self.replay, request, self.needle)
        return _best(sights.see(o).presence for o in (*said, *self._in_prompt))


_PROMPT = ("component", "variable")
_STORY = ("user", "assistant", "call", "result")
_RANK: dict[Presence, int] = {"in": 0, "partly": 1, "out": 2}


def _pipelines_own(replay: Replay, needle: Needle) -> bool:
    """Whether the text may stand in what the pipeline writes itself: labels, stubs, heads of handles with their ids."""
    labels = dict.fromkeys(
        f"[{turn.source}] " for turn in replay.session.turns if turn.source not in ("user", "system")
    )
    own = (*labels, STUB_TEXT, handle_text("", "", 0, 0))
    if any(needle.stands_in(text) for text in own) or (bool(labels) and "] " in needle.text):
        return True
    if replay.settings.sequence.handle_over_tokens is None:
        return False
    numbers = Needle(re.sub(r"\d+", "0", needle.text))
    pages = (page.id for turn in replay.sequencer.pages for round_ in turn for page in round_.pages)
    return numbers.stands_in(own[-1]) or any(map(needle.stands_in, pages))


def _best(states: Iterable[Presence]) -> Presence:
    """The best of several: whole somewhere is whole."""
    return min(states, key=_RANK.__getitem__, default="out")
