"""One greppable line per move: upper-case stage, verdict, `key=value`; no colour needed to read it."""

from __future__ import annotations

from ctxinspect.trace.recall_rows import stayed_rows
from ctxinspect.trace.types import Trace
from ctxinspect.view.stages import finding_counts
from ctxinspect.view.table import ratio

__all__ = ["log_line"]


def log_line(trace: Trace) -> str:
    """For example `GATE switch rule=new_topic overlap=0.14 new=0.86  RECALL 6/20  ...  LINT 2E 5W`."""
    parts: list[str] = []
    if trace.gate is not None:
        gate = trace.gate
        decision = f"GATE {gate.decision} rule={gate.rule}"
        parts.append(f"{decision} overlap={ratio(gate.overlap)} new={ratio(gate.new_ratio)}")
    if trace.recall is not None and trace.cover is not None:
        chosen = sum(row.rule == "selected" for row in stayed_rows(trace.recall))
        parts.append(f"RECALL {chosen}/{len(trace.recall)} stop={trace.cover.stop}")
    if trace.assembly is not None:
        cut = sum(row.state == "truncated" for row in trace.assembly.components)
        dropped = sum(row.state == "dropped" for row in trace.assembly.components)
        parts.append(f"ASSEMBLE {trace.assembly.rendered_tokens}/{trace.assembly.limit} cut={cut} drop={dropped}")
    window = trace.window
    parts.append(f"WINDOW {window.request_tokens}/{window.message_budget} drop={len(window.dropped)}")
    parts.append(f"LINT {finding_counts(trace)}")
    return "  ".join(parts)
