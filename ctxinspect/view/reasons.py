"""Every rule that decides a fate, in words: short for a table, whole for an explanation.

A rule without an entry here is shown by its code, so nothing is hidden by a missing sentence.
"""

from __future__ import annotations

__all__ = ["GATE_RULES", "explain_rule", "reason"]

_SHORT: dict[str, str] = {
    "fits": "fits",
    "pinned_over_budget": "pinned, does not fit",
    "cut_to_budget": "cut to what remains",
    "below_min_useful": "too little room left",
    "after_truncate": "after the first cut",
    "empty": "empty",
    "no_history": "no earlier turn",
    "no_shared_anchor": "no anchor in common",
    "content_filter": "no content word in common",
    "recall_limit": "ranked too low",
    "empty_after_prune": "nothing left after pruning",
    "no_gain": "covers no anchor",
    "over_budget": "does not fit the history budget",
    "covered": "covers nothing new",
    "selected": "chosen for its coverage",
    "recent": "recent turn of the topic",
    "full": "full history",
    "history_reset": "before the last reset",
    "trimmed": "trimmed from the window",
    "inactive": "page switched off",
    "orphan": "call without result",
    "paired": "call with its result",
    "cover_text_only": "recalled as text only",
    "sentence_rank": "sentence ranked too low",
    "what_if": "removed by the fork",
}
_LONG: dict[str, str] = {
    "fits": "The joined system prompt with this section counts no more than the limit.",
    "pinned_over_budget": "It may not be cut, and the prompt with it is over the limit: it is left out, which is an error.",
    "cut_to_budget": "The whole section is over what remains; its start is kept, as much as fits.",
    "below_min_useful": "What remains is less than min_useful_tokens (or a cut would keep nothing): it is left out.",
    "after_truncate": "after_truncate is `stop`: after the first cut nothing more is admitted.",
    "empty": "Its content is empty or only white space.",
    "no_shared_anchor": "It shares no anchor with the query, so it is no candidate.",
    "content_filter": "The topic switched, and it holds none of the query's content words.",
    "recall_limit": "It is a candidate, but recall_limit others score higher.",
    "empty_after_prune": "Pruning left neither side of it.",
    "no_gain": "After pruning it holds no anchor of the query.",
    "over_budget": "It would cover something new, but its cost is more than what is left of the history budget.",
    "covered": "All it covers was already covered by the turns chosen before it, or coverage was enough.",
    "selected": "At its step it covered the most new anchor weight for its cost.",
    "recent": "The topic goes on and it is among the newest turns of the topic, so it comes along whole.",
    "full": "history is `full`: every turn since the last reset comes along.",
    "history_reset": "A later turn resets history (a compaction, a clear), so earlier turns are out of the context.",
    "trimmed": "The request was over the message budget; the oldest units go first.",
    "inactive": "The page was switched off at or before this turn, call and result together.",
    "orphan": "One half is missing; it is shown and not sent.",
    "cover_text_only": "A recalled turn comes along as text; its tool pages stay out.",
    "what_if": "The fork removed it before ingest.",
}
GATE_RULES: dict[str, str] = {
    "no_history": "there is no earlier turn",
    "deictic": "the query points back (a deictic word)",
    "no_anchors": "the query has no anchor of its own",
    "overlap": "enough of the query's anchor weight is in the active topic",
    "new_topic": "little overlap and mostly new anchors",
    "middle": "neither threshold was passed: the topic goes on",
}
"""What each rule of the topic gate says, in the words that follow `because`."""


def reason(rule: str) -> str:
    """The rule in a few words; its code with blanks where it has no entry."""
    return _SHORT.get(rule, rule.replace("_", " "))


def explain_rule(rule: str) -> str:
    """The rule as a sentence."""
    return _LONG.get(rule, f"{reason(rule)}.".capitalize())
