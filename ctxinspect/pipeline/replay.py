"""The replay: what the pipeline builds from a session under its settings, one request at a time, in any order.

Every stage is a pure function, so a step back costs what a step forward does and gives the same trace. Work that
requests share is done once: anchors are indexed in turn order, gate decisions are kept per turn, every distinct text is
counted once, rendered turns are kept. `work` says how much was done.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeVar

from ctxinspect.assembler import AssemblyResult, assemble
from ctxinspect.errors import UsageError
from ctxinspect.gatekeeper import Engine, Selection
from ctxinspect.model.content import content_text, counted_text
from ctxinspect.model.messages import Message
from ctxinspect.model.session import Session
from ctxinspect.pipeline.judged import Judge
from ctxinspect.pipeline.ledger import build_ledger
from ctxinspect.pipeline.plan import (
    Step,
    components_of,
    drop_items,
    first_visible_turns,
    is_hypothetical,
    reported_usage,
    steps_of,
    variables_of,
)
from ctxinspect.pipeline.prefix import compare_requests, lost_tokens
from ctxinspect.pipeline.recorded import recorded_trace
from ctxinspect.pipeline.rows import message_row, session_label, usage_trace
from ctxinspect.sequence import RenderedTurn, Sequencer
from ctxinspect.settings import apply_overrides
from ctxinspect.tokens.counter import Counter, is_exact, named_counter
from ctxinspect.trace.types import CounterLabel, Finding, GateTrace, MessageRow, PrefixTrace, SelectedRow, Trace
from ctxinspect.window import ToolCost, Topology, WindowResult, fit_window, tool_tokens

__all__ = ["Replay", "View", "Work"]

View = Literal["replay", "recorded"]
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
    """One request between its stages: what each of them returned."""

    step: Step
    gate: GateTrace
    selection: Selection
    assembly: AssemblyResult
    history: tuple[RenderedTurn, ...]
    current: RenderedTurn
    window: WindowResult


@dataclass
class _Remembered:
    selection: OrderedDict[int, Selection] = field(default_factory=OrderedDict)
    assembly: OrderedDict[Any, AssemblyResult] = field(default_factory=OrderedDict)
    request: OrderedDict[Step, Request] = field(default_factory=OrderedDict)


class Replay:
    """A session under its settings, ready to be asked about any request. Nothing is computed before it is asked for."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.settings = session.context
        self.counter: Counter = named_counter(self.settings.counter).labelled(
            exact=is_exact(self.settings.counter, session.model)
        )
        self.steps: tuple[Step, ...] = steps_of(session)
        self.default_view: View = "recorded" if session.foreign else "replay"
        self.work = Work()
        self.base: Replay | None = None
        self._kept = drop_items(session)
        self._visible_from = first_visible_turns(self._kept, self.settings)
        self._remembered = _Remembered()
        self._gates: list[GateTrace] = []
        self.sequencer = Sequencer(self._kept, self.settings, self.counter)
        self._engine: Engine | None = None
        self._tools: ToolCost = tool_tokens(self._kept.tools, self.counter)
        self._judge = Judge(self._kept)
        self._blocks: dict[tuple[int, str, str], RenderedTurn] = {}
        self._rows: dict[int, tuple[Message, MessageRow]] = {}

    # --- asking ---

    def fork(self, overrides: Mapping[str, Any]) -> Replay:
        """The same session under edited settings. Raises SettingsError naming the value and its range."""
        settings = apply_overrides(self.settings, overrides)
        forked = Replay(self.session.model_copy(update={"context": settings}))
        forked.base = self
        return forked

    def last_request(self, turn: int) -> int:
        """The number of the turn's last request. Raises UsageError where there is no such turn."""
        if not 0 <= turn < len(self.session.turns):
            last = len(self.session.turns) - 1
            msg = f"turn {turn}: no such turn; the session has turns 0 to {last}" if last >= 0 else "it has no turns"
            raise UsageError(msg)
        return len(self.session.turns[turn].rounds)

    def step(self, turn: int, request: int | None = None) -> Step:
        """The step of this turn and request (the turn's last one by default). Raises UsageError where there is none."""
        last = self.last_request(turn)
        if request is None:
            return Step(turn, last)
        if not 0 <= request <= last:
            msg = f"request {request}: turn {turn} has requests 0 to {last}"
            raise UsageError(msg)
        return Step(turn, request)

    def trace(self, turn: int, request: int | None = None, *, view: View = "replay", ledger: bool = True) -> Trace:
        """The trace of one request (page 6). `ledger=False` leaves the ledger null; it is linear in the turn's number."""
        step = self.step(turn, request)
        if view == "recorded":
            return recorded_trace(self, step)
        return self._trace(self.request(step), ledger=ledger)

    def previous(self, step: Step) -> Step | None:
        """The request before this one in the session's order."""
        if step.request:
            return Step(step.turn, step.request - 1)
        return Step(step.turn - 1, len(self.session.turns[step.turn - 1].rounds)) if step.turn else None

    def first_visible(self, turn: int) -> int:
        """The earliest turn still in this turn's context: earlier ones are before a reset."""
        return self._visible_from[turn]

    # --- stages, in order ---

    def gate(self, turn: int) -> GateTrace:
        """The topic gate's decision at this turn; decisions of earlier turns are made once."""
        engine = self.engine
        while len(self._gates) <= turn:
            t = len(self._gates)
            start = self._gates[-1].topic_start if self._gates else 0
            query = content_text(self._kept.turns[t].user)
            self._gates.append(engine.gate(query, t, start))
            self.work.gates += 1
        return self._gates[turn]

    @property
    def engine(self) -> Engine:
        """The gatekeeper over every turn of the session, indexed once."""
        if self._engine is None:
            engine = Engine(self.settings.gatekeeper, frozenset(self.settings.what_if.rules_off))
            for turn_id in range(len(self._kept.turns)):
                engine.add_block(*self.sequencer.block_texts(turn_id))
            self._engine = engine
        return self._engine

    def selection(self, turn: int) -> Selection:
        """What the gatekeeper would bring along at this turn: recall, prune, cover."""

        def select() -> Selection:
            self.work.selections += 1
            return self.engine.select(
                content_text(self._kept.turns[turn].user),
                turn,
                self.gate(turn),
                first_visible=self._visible_from[turn],
                event_tokens=lambda b: self.sequencer.event_tokens(b, turn),
                pruned_cost=self._block_cost,
            )

        return _remember(self._remembered.selection, turn, select)

    def assembly(self, turn: int) -> AssemblyResult:
        """The assembled system prompt of this turn; the same for turns with the same components and variables."""
        components = components_of(self._kept, turn)
        variables = variables_of(self._kept, turn)
        key = (components, tuple(variables.items()))

        def build() -> AssemblyResult:
            self.work.assemblies += 1
            return assemble(components, variables, self.settings.assembler, self.counter, measure=self.counter.measure)

        return _remember(self._remembered.assembly, key, build)

    def request(self, step: Step) -> Request:
        """Every stage of one request."""

        def build() -> Request:
            self.work.requests_replayed += 1
            selection = self.selection(step.turn)
            assembly = self.assembly(step.turn)
            history = self._history(step.turn, selection)
            current = self.sequencer.current(step.turn, step.request)
            window = self._fit(step, assembly, history, current)
            return Request(step, self.gate(step.turn), selection, assembly, history, current, window)

        return _remember(self._remembered.request, step, build)

    def _fit(
        self, step: Step, assembly: AssemblyResult, history: Sequence[RenderedTurn], current: RenderedTurn
    ) -> WindowResult:
        system = self.sequencer.system(assembly.trace.text)
        messages = [] if system is None else [system]
        for rendered in (*history, current):
            messages += rendered.messages
        topology = None
        if any("{{topology_info}}" in component.content for component in components_of(self._kept, step.turn)):
            topology = Topology(variables_of(self._kept, step.turn).get("topology_info"))
        return fit_window(
            messages,
            self.settings,
            current_turn=step.turn,
            tools=self._tools,
            content_tokens=self._content_tokens,
            topology=topology,
        )

    def _content_tokens(self, message: Message) -> int:
        return self.counter(counted_text(message.content))

    def _row(self, message: Message) -> MessageRow:
        """A message's row, made once; in message mode it costs what its content counts alone."""
        known = self._rows.get(id(message))
        if known is None or known[0] is not message:
            by_message = self.settings.window.unit == "message"
            tokens = self._content_tokens(message) if by_message else message.tokens
            known = self._rows[id(message)] = (message, message_row(message, tokens))
        return known[1]

    def _history(self, turn: int, selection: Selection) -> tuple[RenderedTurn, ...]:
        if self.settings.history == "full":
            return tuple(self.sequencer.history(b, turn) for b in range(self._visible_from[turn], turn))
        history: list[RenderedTurn] = []
        for chosen in selection.selected:
            if chosen.via == "recent":
                history.append(self.sequencer.history(chosen.turn_id, turn))
            else:
                history.append(self._block(selection, chosen))
        return tuple(history)

    def _block(self, selection: Selection, chosen: SelectedRow) -> RenderedTurn:
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

    # --- the trace of a request ---

    def _trace(self, request: Request, *, ledger: bool) -> Trace:
        step, turn = request.step, self.session.turns[request.step.turn]
        rows = tuple(self._row(message) for message in request.window.messages)
        prefix, lost = self._prefix(request, rows)
        counted = request.window.trace.request_tokens + request.window.trace.tool_tokens
        return Trace(
            session=session_label(self.session),
            view="replay",
            turn_id=step.turn,
            request=step.request,
            hypothetical=is_hypothetical(turn, step.request),
            query=content_text(turn.user),
            counter=CounterLabel(self.counter.name, self.counter.exact),
            gate=request.gate,
            recall=request.selection.recall,
            cover=request.selection.cover,
            selected=self._selected(request),
            assembly=request.assembly.trace,
            window=request.window.trace,
            messages=rows,
            prefix=prefix,
            usage=usage_trace(reported_usage(turn, step.request), counted),
            ledger=build_ledger(self, request) if ledger else None,
            findings=self._findings(request, prefix, lost),
        )

    def _selected(self, request: Request) -> tuple[SelectedRow, ...]:
        """The selected turns with their opening text as rendered, label included."""
        turn = request.step.turn
        rows = []
        for chosen in request.selection.selected:
            rendered = (
                self.sequencer.history(chosen.turn_id, turn)
                if chosen.via == "recent"
                else self._block(request.selection, chosen)
            )
            opening = next((m for m in rendered.messages if m.role in ("user", "system")), None)
            rows.append(replace(chosen, user=opening.text if opening else ""))
        return tuple(rows)

    def _prefix(self, request: Request, rows: Sequence[Any]) -> tuple[PrefixTrace | None, int]:
        before = self.previous(request.step)
        if before is None:
            return None, 0
        earlier = self.request(before)
        old = tuple(self._row(message) for message in earlier.window.messages)
        prefix = compare_requests((before.turn, before.request), old, rows, request.assembly.trace)
        return prefix, lost_tokens(old, prefix)

    def findings(self, step: Step, *, judge: Judge | None = None) -> tuple[Finding, ...]:
        """Findings of one replayed request, in pipeline order; `judge` decides by another provider's rules."""
        request = self.request(step)
        rows = tuple(self._row(message) for message in request.window.messages)
        return self._findings(request, *self._prefix(request, rows), judge=judge)

    def _findings(
        self, request: Request, prefix: PrefixTrace | None, lost: int, *, judge: Judge | None = None
    ) -> tuple[Finding, ...]:
        findings: list[Finding] = [*request.selection.findings, *request.assembly.findings]
        kept_turns = {message.turn_id for message in request.window.messages}
        for rendered in (*request.history, request.current):
            if rendered.turn_id in kept_turns or rendered is request.current:
                findings += rendered.findings
        findings += request.window.findings
        judge = judge or self._judge
        findings = list(judge.regraded(findings))
        findings += judge.findings(request.window.rendered, request.window.messages, request.step)
        if lost and request.gate.decision != "switch":
            text = f"{lost} tokens of the previous request cannot be reused from its cache"
            change = prefix.first_change if prefix else None
            if change is not None:
                text += f"; first change: {change.part} {change.id} at message {change.message}"
            findings.append(
                Finding("cache-prefix-break", "info", "lint", message=change.message if change else None, text=text)
            )
        turn_id = request.step.turn
        return tuple(
            finding if finding.turn_id is not None else replace(finding, turn_id=turn_id)
            for finding in sorted(findings, key=_pipeline_order)
        )


def _pipeline_order(finding: Finding) -> int:
    from ctxinspect.trace.types import STAGES  # noqa: PLC0415

    return STAGES.index(finding.stage)


def _remember(known: OrderedDict[Any, V], key: Any, build: Callable[[], V]) -> V:
    """The value of this key, built at most once while it is among the last `_KEPT` asked for."""
    if key in known:
        known.move_to_end(key)
        return known[key]
    value = known[key] = build()
    if len(known) > _KEPT:
        known.popitem(last=False)
    return value
