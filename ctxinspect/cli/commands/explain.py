"""`ctxinspect explain RULE`: what a rule means, how it happens, how to fix it."""

from __future__ import annotations

import click

from ctxinspect.cli.stdio import emit, emit_lines
from ctxinspect.errors import UsageError
from ctxinspect.text.nearest import nearest

__all__ = ["command"]


@click.command()
@click.argument("rule", required=False)
def command(rule: str | None) -> None:
    """Explain RULE; without it, list every rule."""
    from ctxinspect.trace.codes import ALIASES, RULES, explain  # noqa: PLC0415

    if rule is None:
        width = max(map(len, RULES))
        emit_lines(f"{code:<{width}}  {RULES[code].severity:<7}  {RULES[code].stage}" for code in sorted(RULES))
        return
    if rule not in RULES and rule not in ALIASES:
        msg = f"no rule {rule!r}; {nearest(rule, sorted(RULES)) or 'ctxinspect explain lists them'}"
        raise UsageError(msg)
    emit(explain(rule))
