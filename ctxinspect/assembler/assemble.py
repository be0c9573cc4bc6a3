"""Priority components under a token budget (specification page 2).

`count(text) <= limit` always, for every counter. Every component ends in exactly one state with the rule that decided,
what remained before its decision and by how much it fitted or missed. Same input, same output: ties go by insertion.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from ctxinspect.assembler.cut import cut_length
from ctxinspect.assembler.facts import assembly_findings, component_ledger, placeholder_findings
from ctxinspect.assembler.sections import SectionCounts, cut_section, section_text
from ctxinspect.settings import AssemblerSettings
from ctxinspect.text.placeholders import fill
from ctxinspect.tokens.cost import Count
from ctxinspect.trace.types import AssemblyTrace, ComponentRow, Finding, LedgerEntry

__all__ = ["AssemblyResult", "ComponentLike", "assemble", "token_limit"]

State = Literal["kept", "truncated", "dropped"]


class ComponentLike(Protocol):
    """Anything with a name, content, priority (0 to 100) and whether it may be cut."""

    @property
    def name(self) -> str:
        """The component's name, unique in one assembly."""
        ...

    @property
    def content(self) -> str:
        """Its content, with placeholders."""
        ...

    @property
    def priority(self) -> int:
        """How important it is: 0 to 100."""
        ...

    @property
    def truncatable(self) -> bool:
        """Whether it may be cut to what remains."""
        ...


@dataclass(frozen=True, slots=True)
class AssemblyResult:
    """The assembled prompt with its summary, what was noticed, and every component's fate."""

    trace: AssemblyTrace
    findings: tuple[Finding, ...]
    ledger: tuple[LedgerEntry, ...]


@dataclass(slots=True)
class _Fate:
    """What was decided about one component; `remaining` and `margin` in tokens."""

    state: State
    rule: str
    remaining: int
    margin: int
    kept_chars: int = 0


def token_limit(max_tokens: int, buffer: float) -> int:
    """The limit in tokens: `int(max_tokens * (1 - buffer))` (page 2 rule 4)."""
    return int(max_tokens * (1 - buffer))


def assemble(
    components: Sequence[ComponentLike],
    variables: Mapping[str, str | None],
    settings: AssemblerSettings,
    count: Count,
    *,
    measure: Count | None = None,
) -> AssemblyResult:
    """Assemble the components of one turn under its budget.

    `components` are those of the turn in insertion order, `variables` the merged view (a turn's before the session's;
    null where known but not available). `count` gives tokens; `measure` is the same figure for probes that will not
    be asked again. Findings and ledger entries carry no turn: the caller knows it.
    """
    filled = [fill(component.content, variables) for component in components]
    admission = _Admission(components, [one.text for one in filled], settings, count, measure)
    admission.run()
    trace = admission.trace()
    findings = placeholder_findings([component.name for component in components], filled, variables)
    return AssemblyResult(
        trace=trace,
        findings=(*findings, *assembly_findings(trace, settings.min_useful_tokens)),
        ledger=component_ledger(trace, settings.min_useful_tokens),
    )


class _Admission:
    """One assembly: components are known by their index; `admitted` is always in output order."""

    def __init__(
        self,
        components: Sequence[ComponentLike],
        contents: Sequence[str],
        settings: AssemblerSettings,
        count: Count,
        measure: Count | None,
    ) -> None:
        self.components = components
        self.contents = contents
        self.settings = settings
        self.limit = token_limit(settings.max_tokens, settings.buffer)
        self.by_priority = sorted(range(len(components)), key=lambda i: (-components[i].priority, i))
        self.live = [i for i in self.by_priority if contents[i].strip()]
        pinned = [i for i in self.live if not components[i].truncatable]
        self.passes = pinned + [i for i in self.live if components[i].truncatable]
        sections = [section_text(c.name, text) for c, text in zip(components, contents, strict=True)]
        self.counts = SectionCounts(sections, count, measure)
        self.requested_alone = [self.counts.alone(i) if contents[i].strip() else 0 for i in range(len(components))]
        self.requested = 0
        self.fates: dict[int, _Fate] = {}
        self.admitted: list[int] = []
        self.used = 0
        self.rank: dict[int, int] = {}

    def run(self) -> None:
        """Decide about every component."""
        for index in self.by_priority:
            if not self.contents[index].strip():
                self.fates[index] = _Fate("dropped", "empty", self.limit, self.limit)
        self._order_output(self.live)
        self.requested = self.counts.total(sorted(self.live, key=self.rank.__getitem__))
        if self.requested <= self.limit:
            for index in self.live:
                self._keep(index, self._with(index))
            return
        self._order_output(self.passes)
        stopped = False
        for index in self.passes:
            if stopped:
                self._drop(index, "after_truncate", self._with(index))
            else:
                self._decide(index)
                stopped = self.fates[index].state == "truncated" and self.settings.after_truncate == "stop"

    def _order_output(self, admission_order: Sequence[int]) -> None:
        """Rank every live component in the output, given the order of admission (rule 7)."""
        order = self.settings.order
        if order == "priority":
            wanted = self.live
        elif order == "admission":
            wanted = list(admission_order)
        else:
            place: dict[str, int] = {}
            for at, name in enumerate(order):
                place.setdefault(name, at)
            wanted = sorted(self.live, key=lambda i: place.get(self.components[i].name, len(place) + len(order)))
        self.rank = {index: at for at, index in enumerate(wanted)}

    def _with(self, index: int) -> list[int]:
        """What is admitted so far, and this component, in output order."""
        order = list(self.admitted)
        insort(order, index, key=self.rank.__getitem__)
        return order

    def _decide(self, index: int) -> None:
        order = self._with(index)
        remaining = self.limit - self.used
        if self.counts.total(order) <= self.limit:
            self._keep(index, order)
        elif not self.components[index].truncatable:
            self._drop(index, "pinned_over_budget", order)
        elif remaining < self.settings.min_useful_tokens or not self._cut(index, order):
            self._drop(index, "below_min_useful", order)

    def _keep(self, index: int, order: list[int]) -> None:
        total = self.counts.total(order)
        self.fates[index] = _Fate("kept", "fits", self.limit - self.used, self.limit - total, len(self.contents[index]))
        self.admitted, self.used = order, total

    def _drop(self, index: int, rule: str, order: Sequence[int]) -> None:
        margin = self.limit - self.counts.total(order)
        self.fates[index] = _Fate("dropped", rule, self.limit - self.used, margin)

    def _cut(self, index: int, order: list[int]) -> bool:
        """Cut the component to what remains; False where nothing useful is left of it."""
        name, content = self.components[index].name, self.contents[index]
        probe = self.counts.probe(order, index)
        length = cut_length(content, lambda kept: probe(cut_section(name, kept)) <= self.limit)
        if length is None:
            return False
        margin = self.limit - self.counts.total(order)
        self.fates[index] = _Fate("truncated", "cut_to_budget", self.limit - self.used, margin, length)
        self.counts.replace(index, cut_section(name, content[:length]))
        self.admitted, self.used = order, self.counts.total(order)
        return True

    def trace(self) -> AssemblyTrace:
        """The summary of rule 9."""
        rendered = self.counts.total(self.admitted)
        adds, before = {}, 0
        for position, index in enumerate(self.admitted):
            total = self.counts.total(self.admitted[: position + 1])
            adds[index] = (position, total - before)
            before = total
        return AssemblyTrace(
            budget=self.settings.max_tokens,
            limit=self.limit,
            requested_tokens=self.requested,
            rendered_tokens=rendered,
            overflow=max(0, self.requested - self.limit),
            unused_tokens=self.limit - rendered,
            text=self.counts.text(self.admitted),
            components=tuple(self._row(index, *adds.get(index, (None, 0))) for index in self.by_priority),
        )

    def _row(self, index: int, position: int | None, rendered: int) -> ComponentRow:
        component, fate = self.components[index], self.fates[index]
        return ComponentRow(
            name=component.name,
            priority=int(component.priority),
            truncatable=component.truncatable,
            requested_tokens=self.requested_alone[index],
            rendered_tokens=rendered,
            state=fate.state,
            rule=fate.rule,
            remaining=fate.remaining,
            margin=fate.margin,
            position=position,
            content=self.contents[index],
            rendered_chars=fate.kept_chars,
        )
