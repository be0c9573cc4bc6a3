"""The page of all rules as Markdown, generated from the registry of rule codes so that it cannot drift."""

from __future__ import annotations

from ctxinspect.trace.codes import (
    PROFILE_NAMES,
    RULES,
    RuleCode,
    provider_lines,
    severity_sentence,
    silence_sentence,
    unanswered_sentence,
)

__all__ = ["rules_page"]

_HEAD = """# Rules

This page is generated from the registry of rule codes; `ctxinspect explain RULE` prints the same text.
A rule is an *error*, a *warning* or *info*, or the provider profile decides: E error, W warning, I info, - nothing.
Two letters are two cases, named in the rule's own section. Severity changes the exit code of `ctxinspect lint` only.
"""


def rules_page() -> str:
    """The whole page; it ends in a newline."""
    return (
        "\n".join([_HEAD, *_overview(), *(line for rule in RULES.values() for line in _section(rule))]).rstrip() + "\n"
    )


def _overview() -> list[str]:
    lines = [
        "| rule | severity | " + " | ".join(PROFILE_NAMES) + " |",
        "|---|---|" + "---|" * len(PROFILE_NAMES),
    ]
    for rule in RULES.values():
        cells = [rule.cell(name) for name in PROFILE_NAMES]
        lines.append(f"| [`{rule.code}`](#{rule.code}) | {severity_sentence(rule)} | " + " | ".join(cells) + " |")
    return [*lines, ""]


def _section(rule: RuleCode) -> list[str]:
    lines = [
        f"## {rule.code}",
        "",
        rule.meaning,
        "",
        f"- **Severity:** {severity_sentence(rule)}; seen from stage `{rule.stage}` on",
        f"- **How it happens:** {rule.cause}",
        f"- **How to fix it:** {rule.remedy}",
        f"- **How to silence it:** {silence_sentence(rule)}",
        "",
        "Before:",
        "",
        *(f"    {line}" for line in rule.before.split("\n")),
        "",
        "After:",
        "",
        *(f"    {line}" for line in rule.after.split("\n")),
        "",
    ]
    providers = provider_lines(rule)
    if not providers:
        lines += [f"What each API does: {unanswered_sentence(rule)}", ""]
    else:
        lines += ["| profile | severity | what the API does |", "|---|---|---|"]
        lines += [f"| {name} | {severity} | {_cell(answer)} |" for name, severity, answer in providers]
        lines.append("")
    return lines


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
