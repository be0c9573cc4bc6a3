"""Panel 8: what is wrong in this request, worst first, with its place and the stage after which it first holds."""

from __future__ import annotations

from ctxinspect.trace.codes import ALIASES, RULES, explain
from ctxinspect.trace.types import STAGES, Finding
from ctxinspect.view.inspection import Inspection, turn_text
from ctxinspect.view.table import Cell, Column, Detail, Role, Row, Table, cells

__all__ = ["COLUMNS", "findings_detail", "findings_table"]

COLUMNS = (
    Column("sev", 4),
    Column("rule", 19),
    Column("stage", 8, shown_from=60),
    Column("place", 6, shown_from=48, compared=False),
    Column("what", 10, grow=1, compared=False),
)
_WORDS = {"error": "ERR", "warning": "warn", "info": "info"}
_RANKS = {"error": 0, "warning": 1, "info": 2}
_ROLES: dict[str, Role] = {"error": "error", "warning": "warn", "info": "text"}


def _ordered(findings: tuple[Finding, ...]) -> list[tuple[int, Finding]]:
    return sorted(
        enumerate(findings), key=lambda pair: (_RANKS[pair[1].severity], STAGES.index(pair[1].stage), pair[0])
    )


def _place(inspection: Inspection, finding: Finding) -> str:
    if finding.message is not None:
        return f"m{finding.message:02}"
    if finding.component:
        return finding.component
    return turn_text(finding.turn_id, len(inspection.session.turns)) if finding.turn_id is not None else "-"


def findings_table(inspection: Inspection) -> Table:
    """One row a finding."""
    findings = inspection.trace.findings
    rows = tuple(
        Row(
            str(at),
            cells(
                Cell(_WORDS[finding.severity], _ROLES[finding.severity]),
                finding.id,
                finding.stage,
                _place(inspection, finding),
                finding.text,
            ),
            flag="!" if finding.severity == "error" else " ",
        )
        for at, finding in _ordered(findings)
    )
    names = [
        f"{finding.id}.{finding.turn_id}.{finding.call_id}.{finding.component}" for _, finding in _ordered(findings)
    ]
    idents = [f"{name}.{names[:at].count(name)}" for at, name in enumerate(names)]
    errors = sum(finding.severity == "error" for finding in findings)
    warnings = sum(finding.severity == "warning" for finding in findings)
    infos = len(findings) - errors - warnings
    summary = f"{errors}E {warnings}W {infos}I"
    return Table("FINDINGS", summary, COLUMNS, rows, "Nothing wrong in this request.", idents=idents)


def findings_detail(inspection: Inspection, key: str) -> Detail:
    """The finding whole, then what its rule means and how to mend it."""
    findings = inspection.trace.findings
    if not key.isdigit() or int(key) >= len(findings):
        return Detail("findings", (Cell("No such finding in this request.", "dim"),))
    finding = findings[int(key)]
    place = [f"first holds after {finding.stage}"]
    place += (
        [f"turn {turn_text(finding.turn_id, len(inspection.session.turns))}"] if finding.turn_id is not None else []
    )
    place += [f"message {finding.message}"] if finding.message is not None else []
    place += [f"call {finding.call_id}"] if finding.call_id else []
    place += [f"file line {finding.line}"] if finding.line is not None else []
    place += [f"at {finding.path}"] if finding.path else []
    blocks = [Cell(finding.text or finding.id), Cell(", ".join(place), "dim")]
    if ALIASES.get(finding.id, finding.id) in RULES:
        blocks.append(Cell(explain(finding.id)))
    return Detail(f"{finding.severity} {finding.id}", tuple(blocks))
