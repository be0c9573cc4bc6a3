"""`ctxinspect explain RULE`: what a rule means, how it happens, how to fix it."""

from __future__ import annotations

import click

from ctxinspect.cli.stdio import emit, emit_lines

__all__ = ["command"]


@click.command()
@click.argument("rule", required=False)
def command(rule: str | None) -> None:
    """Explain RULE; without it, list every rule."""
    from ctxinspect.trace.codes import RULES, explain, severity_sentence  # noqa: PLC0415

    if rule is not None:
        emit(explain(rule))
        return
    width = max(map(len, RULES))
    emit_lines(
        f"{code:<{width}}  {severity_sentence(found):<19}  {found.stage:<8}  {found.meaning}"
        for code, found in sorted(RULES.items())
    )
