"""The stages of a request, in order, each a pure function of the session and its settings, computed once where shared.

Anchors are indexed in turn order, gate decisions are kept per turn, rendered turns are kept, selections and assemblies
are remembered for the turns last asked for. What is remembered never changes an answer. `work` says how much was done.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar

from ctxinspect.assembler import AssemblyResult, assemble
from ctxinspect.gatekeeper import Engine, Selection
from ctxinspect.gatekeeper.index import BlockIndex
from ctxinspect.model.content import content_text, counted_text
from ctxinspect.model.messages import Message
from ctxinspect.model.session import Session
from ctxinspect.pipeline.plan import Step, components_of, drop_items, first_visible_turns, variables_of
from ctxinspect.sequence import RenderedTurn, Sequencer
from ctxinspect.settings import Settings
from ctxinspect.tokens.counter import Counter
from ctxinspect.trace.types import Finding, GateTrace, SelectedRow
from ctxinspect.window import ToolCost, Topology, WindowResult, fit_window, tool_tokens

__all__ = ["Request", "Stages", "Work"]

_KEPT = 256
"""Turns whose selection and assembly are remembered: enough to step around, bounded for long sessions."""

V = TypeVar("V")


@dataclass
class Work:
    """How often each kind of work was done: counted, so that tests can prove what a step costs."""

    requests_replayed: int = 0
    selections: int = 0
    assemblies: int = 0
    gates: int = 0


@dataclass(frozen=True, slots=True)
class Request:
    """One request between its stages: what each of them returned.

    Under the full history nothing that is sent depends on the selection, so it is made only when it is looked at.
    """

    step: Step
    gate: GateTrace
    select: Callable[[], Selection]
    assembly: AssemblyResult
    history: tuple[RenderedTurn, ...]
    current: RenderedTurn
    window: WindowResult

    @property
    def selection(self) -> Selection:
        """What the gatekeeper brings along, or would."""
        return self.select()


@dataclass
class _Remembered:
    selection: OrderedDict[int, Selection] = field(default_factory=OrderedDict)
    assembly: OrderedDict[Any, AssemblyResult] = field(default_factory=OrderedDict)
    request: OrderedDict[Step, Request] = field(default_factory=OrderedDict)
    system: OrderedDict[str, Message | None] = field(default_factory=OrderedDict)


class Stages:
    """Every stage of every request of one session. Nothing is computed before it is asked for.

    A `lender` is the same session under other settings: what it has worked out and these settings do not touch is taken
    over, and never changed afterwards.
    """

    def __init__(self, session: Session, settings: Settings, counter: Counter, lender: Stages | None = None) -> None:
        self.settings = settings
        self.counter = counter
        self.work = Work()
        self.session = drop_items(session)
        self._turns = session.turns
        same = lender is not None and lender.tells_the_same(session, settings)
        same_texts = lender is not None and same and _rendering(lender.settings) == _rendering(settings)
        self.sequencer: Sequencer = (
            lender.sequencer if lender is not None and same_texts else Sequencer(self.session, settings, counter)
        )
        self._visible_from = first_visible_turns(self.session, settings)
        self._tools: ToolCost = tool_tokens(self.session.tools, counter)
        self._remembered = _Remembered()
        self._gates: list[GateTrace] = []
        self._engine: Engine | None = None
        index, gates = (None, ()) if lender is None or not same else lender.lent()
        if index is not None:
            self._engine = Engine(settings.gatekeeper, frozenset(settings.what_if.rules_off), index)
            if lender is not None and _gating(lender.settings) == _gating(settings):
                self._gates = list(gates)
        self._blocks: dict[tuple[int, str, str], RenderedTurn] = {}

    def tells_the_same(self, session: Session, settings: Settings) -> bool:
        """Whether that session under those settings has these turns: what is worked out about turns holds for both."""
        dropped, tools = settings.what_if.drop, session.chat_tools
        return (
            self._turns is session.turns and self.settings.what_if.drop == dropped and self.session.chat_tools == tools
        )

    def lent(self) -> tuple[BlockIndex | None, Sequence[GateTrace]]:
        """The index of all blocks, where it was made already, and the gate decisions made so far."""
        return (None if self._engine is None else self._engine.index), self._gates

    def first_visible(self, turn: int) -> int:
        """The earliest turn still in this turn's context: earlier ones are before a reset."""
        return self._visible_from[turn]

    def gate(self, turn: int) -> GateTrace:
        """The topic gate's decision at this turn; decisions of earlier turns are made once."""
        engine = self.engine
        while len(self._gates) <= turn:
            t = len(self._gates)
            start = self._gates[-1].topic_start if self._gates else 0
            query = content_text(self.session.turns[t].user)
            self._gates.append(engine.gate(query, t, start))
            self.work.gates += 1
        return self._gates[turn]

    @property
    def engine(self) -> Engine:
        """The gatekeeper over every turn of the session, indexed once."""
        if self._engine is None:
            engine = Engine(self.settings.gatekeeper, frozenset(self.settings.what_if.rules_off))
            for turn_id in range(len(self.session.turns)):
                engine.add_block(*self.sequencer.block_texts(turn_id))
            self._engine = engine
        return self._engine

    def selection(self, turn: int) -> Selection:
        """What the gatekeeper would bring along at this turn: recall, prune, cover."""

        def select() -> Selection:
            self.work.selections += 1
            return self.engine.select(
                content_text(self.session.turns[turn].user),
                turn,
                self.gate(turn),
                first_visible=self._visible_from[turn],
                event_tokens=lambda b: self.sequencer.event_tokens(b, turn),
                pruned_cost=self._block_cost,
            )

        return _remember(self._remembered.selection, turn, select)

    def selection_findings(self, turn: int) -> tuple[Finding, ...]:
        """What the selection at this turn finds; the selection need not be made for it."""
        return self.engine.filter_words(content_text(self.session.turns[turn].user), turn, self.gate(turn))[1]

    def assembly(self, turn: int) -> AssemblyResult:
        """The assembled system prompt of this turn; the same for turns with the same components and variables."""
        components = components_of(self.session, turn)
        variables = variables_of(self.session, turn)
        key = (components, tuple(variables.items()))

        def build() -> AssemblyResult:
            self.work.assemblies += 1
            return assemble(components, variables, self.settings.assembler, self.counter, measure=self.counter.measure)

        return _remember(self._remembered.assembly, key, build)

    def request(self, step: Step) -> Request:
        """Every stage of one request."""

        def build() -> Request:
            self.work.requests_replayed += 1
            select = partial(self.selection, step.turn)
            assembly = self.assembly(step.turn)
            history = self._history(step.turn, select)
            current = self.sequencer.current(step.turn, step.request)
            window = self._fit(step, assembly, history, current)
            return Request(step, self.gate(step.turn), select, assembly, history, current, window)

        return _remember(self._remembered.request, step, build)

    def _fit(
        self, step: Step, assembly: AssemblyResult, history: Sequence[RenderedTurn], current: RenderedTurn
    ) -> WindowResult:
        system = _remember(
            self._remembered.system, assembly.trace.text, lambda: self.sequencer.system(assembly.trace.text)
        )
        messages = [] if system is None else [system]
        for rendered in (*history, current):
            messages += rendered.messages
        topology = None
        if any("{{topology_info}}" in component.content for component in components_of(self.session, step.turn)):
            topology = Topology(variables_of(self.session, step.turn).get("topology_info"))
        return fit_window(
            messages,
            self.settings,
            current_turn=step.turn,
            tools=self._tools,
            content_tokens=self.content_tokens,
            topology=topology,
        )

    def content_tokens(self, message: Message) -> int:
        """Tokens of a message's content alone."""
        return self.counter(counted_text(message.content))

    def _history(self, turn: int, select: Callable[[], Selection]) -> tuple[RenderedTurn, ...]:
        if self.settings.history == "full":
            return tuple(self.sequencer.history(b, turn) for b in range(self._visible_from[turn], turn))
        history: list[RenderedTurn] = []
        selection = select()
        for chosen in selection.selected:
            if chosen.via == "recent":
                history.append(self.sequencer.history(chosen.turn_id, turn))
            else:
                history.append(self.block(selection, chosen))
        return tuple(history)

    def block(self, selection: Selection, chosen: SelectedRow) -> RenderedTurn:
        """A recalled turn as rendered, made once for the same texts."""
        user_cut, assistant_cut = selection.cut_sides(chosen.turn_id)
        known = self._blocks.get((chosen.turn_id, chosen.user, chosen.assistant))
        if known is None:
            known = self.sequencer.block(
                chosen.turn_id, chosen.user, chosen.assistant, user_cut=user_cut, assistant_cut=assistant_cut
            )
            self._blocks[chosen.turn_id, chosen.user, chosen.assistant] = known
        return known

    def _block_cost(self, turn_id: int, user: str, assistant: str) -> int:
        return self.sequencer.block(turn_id, user, assistant, user_cut=False, assistant_cut=False).tokens


def _rendering(settings: Settings) -> tuple[object, ...]:
    """Every setting that decides how turns are rendered and what they cost."""
    costs = (settings.counter, settings.message_overhead, settings.image_tokens)
    return (*costs, settings.sequence, settings.what_if.drop, settings.rule_off("handles"))


def _gating(settings: Settings) -> tuple[object, ...]:
    """Every setting that decides what the topic gate says."""
    gate = settings.gatekeeper
    thresholds = (gate.overlap_continue, gate.overlap_switch, gate.new_ratio_switch, gate.deictic_first)
    floor = (gate.idf_floor, gate.idf_floor_min_blocks)
    return (*thresholds, *floor, settings.rule_off("deictic"), settings.rule_off("idf_floor"))


def _remember(known: OrderedDict[Any, V], key: Any, build: Callable[[], V]) -> V:
    """The value of this key, built at most once while it is among the last `_KEPT` asked for."""
    if key in known:
        known.move_to_end(key)
        return known[key]
    value = known[key] = build()
    if len(known) > _KEPT:
        known.popitem(last=False)
    return value
