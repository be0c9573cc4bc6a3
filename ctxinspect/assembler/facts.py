"""What an assembly says about itself: findings and the ledger, read from its trace and from nothing else.

Turn ids are left null: an assembly does not know which turn it is for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ctxinspect.text.placeholders import Filled, missing_text
from ctxinspect.trace.types import AssemblyTrace, ComponentRow, Finding, LedgerEntry

__all__ = ["assembly_findings", "component_ledger", "placeholder_findings"]


def placeholder_findings(
    names: Sequence[str], filled: Sequence[Filled], variables: Mapping[str, str | None]
) -> tuple[Finding, ...]:
    """`placeholder-unfilled`, one per component and name; `variable-not-rendered`, one per variable nothing names.

    The second kind has no component; `component` carries the variable's name, so that two of them stay two.
    """
    found: list[Finding] = []
    for component, one in zip(names, filled, strict=True):
        for name in one.unfilled:
            why = "its value is null" if name in variables else "no variable has this name"
            text = f"{{{{{name}}}}} in component {component}: {why}; {missing_text(name)} stands in its place"
            found.append(Finding("placeholder-unfilled", "warning", "assemble", component=component, text=text))
    named = {name for one in filled for name in one.names}
    for name in variables:
        if name not in named:
            text = f"variable {name}: no component holds {{{{{name}}}}}, so its value reaches no model"
            found.append(Finding("variable-not-rendered", "warning", "assemble", component=name, text=text))
    return tuple(found)


def assembly_findings(trace: AssemblyTrace, min_useful_tokens: int) -> tuple[Finding, ...]:
    """`pinned-dropped`, `priority-inversion` and `unused-budget` (page 2 rules 5 and 10)."""
    return (*_pinned_dropped(trace), *_inversions(trace), *_unused(trace, min_useful_tokens))


def _pinned_dropped(trace: AssemblyTrace) -> Iterator[Finding]:
    for row in trace.components:
        if row.rule == "pinned_over_budget":
            text = (
                f"component {row.name} may not be cut and does not fit: {-row.margin} tokens are missing "
                f"({row.remaining} remained of {trace.limit}); the model sees nothing of it"
            )
            yield Finding("pinned-dropped", "error", "assemble", component=row.name, text=text)


def _inversions(trace: AssemblyTrace) -> Iterator[Finding]:
    """One per component that was cut or dropped while one of lower priority is kept whole."""
    kept = [row for row in trace.components if row.state == "kept"]
    for row in trace.components:
        if row.state == "kept" or row.rule == "empty":
            continue
        lower = [other.name for other in kept if other.priority < row.priority]
        if lower:
            fate = "cut" if row.state == "truncated" else "dropped"
            text = f"component {row.name} (priority {row.priority}) was {fate} while less important ones are kept: "
            yield Finding("priority-inversion", "warning", "assemble", component=row.name, text=text + ", ".join(lower))


def _unused(trace: AssemblyTrace, min_useful_tokens: int) -> Iterator[Finding]:
    dropped = [row.name for row in trace.components if row.state == "dropped" and row.rule != "empty"]
    if dropped and trace.unused_tokens > min_useful_tokens:
        text = f"{trace.unused_tokens} of {trace.limit} tokens are unused although {', '.join(dropped)} was dropped"
        yield Finding("unused-budget", "warning", "assemble", component=dropped[0], text=text)


def component_ledger(trace: AssemblyTrace, min_useful_tokens: int) -> tuple[LedgerEntry, ...]:
    """Every component's fate, by name. Value is what remained, threshold what the rule asked for (tokens)."""
    return tuple(_entry(row, min_useful_tokens) for row in sorted(trace.components, key=lambda row: row.name))


def _entry(row: ComponentRow, min_useful_tokens: int) -> LedgerEntry:
    if row.rule in ("empty", "after_truncate"):
        return LedgerEntry("component", row.name, "assemble", row.state, row.rule)
    wanted = row.remaining - row.margin
    if row.rule == "below_min_useful" and row.remaining < min_useful_tokens:
        wanted = min_useful_tokens
    return LedgerEntry(
        "component", row.name, "assemble", row.state, row.rule, row.remaining, wanted, row.remaining - wanted
    )
