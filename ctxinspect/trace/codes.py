"""The registry of all rule codes: the one place that says what a finding means, here and for every face.

A code that is not here is raised by no part of the program. Order: pairing, shape, content, pipeline; within each, the
order of the catalogue.
"""

from __future__ import annotations

from ctxinspect.errors import UsageError
from ctxinspect.text.nearest import nearest
from ctxinspect.trace.catalogue import content, pairing, pipeline, shape
from ctxinspect.trace.rule_code import PROFILE_NAMES, ProfileName, RuleCode
from ctxinspect.trace.types import Severity

__all__ = [
    "ALIASES",
    "PROFILE_NAMES",
    "RULES",
    "ProfileName",
    "RuleCode",
    "explain",
    "provider_lines",
    "rule_named",
    "severity_sentence",
    "silence_sentence",
    "unanswered_sentence",
]

RULES: dict[str, RuleCode] = {
    rule.code: rule for rule in (*pairing.CODES, *shape.CODES, *content.CODES, *pipeline.CODES)
}

ALIASES: dict[str, str] = {
    "bad-arguments": "bad-arguments-json",
    "empty-text": "empty-message",
    "id-too-long": "bad-call-id",
    "invisible": "hidden-characters",
    "pending-call": "call-in-flight",
    "tools-exceed-budget": "tools-over-budget",
}
"""Other names under which the same faults are reported elsewhere."""

_WORDS: dict[Severity | None, str] = {"error": "error", "warning": "warning", "info": "info", None: "not reported"}


def rule_named(code: str) -> RuleCode:
    """The rule of this code or of an alias. Raises UsageError naming the nearest code."""
    wanted = code.strip().lower()
    rule = RULES.get(ALIASES.get(wanted, wanted))
    if rule is None:
        hint = nearest(wanted, [*RULES, *ALIASES]) or "`ctxinspect explain` without a rule lists them all"
        msg = f"no rule {code!r}; {hint}"
        raise UsageError(msg)
    return rule


def severity_sentence(rule: RuleCode) -> str:
    """How grave the rule is, in a few words."""
    return "by provider profile" if rule.by_profile else _WORDS[rule.severity]


def provider_lines(rule: RuleCode) -> tuple[tuple[ProfileName, str, str], ...]:
    """(profile, severity in words, what that API answers) for every profile; empty where no API sees the rule."""
    if not rule.by_profile and not rule.answers:
        return ()
    return tuple((name, _severity_words(rule, name), _answer(rule, name)) for name in PROFILE_NAMES)


def unanswered_sentence(rule: RuleCode) -> str:
    """What every API does about a rule that none of them answers to."""
    if rule.everywhere:
        return rule.everywhere
    if rule.stage == "ingest":
        return "Every API accepts the request. What is wrong is what it says to the model."
    return "No API sees it: it is decided before the request is sent, and what is sent is accepted."


def silence_sentence(rule: RuleCode) -> str:
    """How to live with the finding where it is no fault."""
    parts = [rule.silence] if rule.silence else []
    if rule.by_profile and len({rule.severity_under(name) for name in PROFILE_NAMES}) > 1:
        parts.append("`--provider` names the API that is really called; its profile decides.")
    parts.append(f"`lint --ignore {rule.code}` leaves it out, once; `ignore` or `per_file_ignores` in the project's")
    parts.append("configuration for good; `--baseline` lets the findings of today pass and reports new ones.")
    if rule.gravest == "error":
        parts.append(
            f"`lint --fail-on 'finding severity=error and not finding id={rule.code}'` reports it and exits with 0."
        )
    elif rule.gravest == "warning":
        parts.append("`lint --fail-on error`, the default, reports it and exits with 0.")
    else:
        parts.append("It never changes the exit code unless `lint --fail-on info` asks for it.")
    return " ".join(parts)


def explain(code: str) -> str:
    """What a rule means, how it happens and how to mend it, as plain text that ends in a newline.

    Raises UsageError naming the nearest code.
    """
    rule = rule_named(code)
    lines = [f"{rule.code} ({severity_sentence(rule)}; seen from stage {rule.stage} on)", "", rule.meaning]
    lines += ["", "How it happens", f"  {rule.cause}", "", "How to fix it", f"  {rule.remedy}"]
    lines += ["", "Before", *_indented(rule.before), "", "After", *_indented(rule.after)]
    providers = provider_lines(rule)
    lines += ["", "What each API does"]
    lines += [f"  {name:<16}  {severity}: {answer}" for name, severity, answer in providers]
    lines += [] if providers else [f"  {unanswered_sentence(rule)}"]
    lines += ["", "How to silence it", f"  {silence_sentence(rule)}"]
    return "\n".join(lines) + "\n"


def _indented(text: str) -> list[str]:
    return [f"  {line}" for line in text.split("\n")]


def _severity_words(rule: RuleCode, profile: ProfileName) -> str:
    first, second = rule.severity_under(profile, 0), rule.severity_under(profile, 1)
    if rule.cases is None or first == second:
        return _WORDS[first]
    return f"{_WORDS[first]} ({rule.cases[0]}), {_WORDS[second]} ({rule.cases[1]})"


def _answer(rule: RuleCode, profile: ProfileName) -> str:
    said = rule.answers.get(profile)
    if said is not None:
        return said
    severity = rule.severity_under(profile)
    if severity == "error":
        return "refuses the request."
    return "accepts it; stricter servers of the same format may not." if severity == "warning" else "accepts it."
