"""Results of one batch that arrived in another order than its calls."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from ctxinspect.lint.rule import Context, Conversation, Fault, SequenceRule

__all__ = ["RULE"]


def check(conversation: Conversation, context: Context) -> Iterator[Fault]:  # noqa: ARG001 - the signature of rules
    """One fault per batch, at the first result that a later call's result overtook."""
    for batch in conversation.pairing.batches:
        order = [conversation.pair_of_call[slot].result for slot in batch if slot in conversation.pair_of_call]
        overtaken = [result for before, result in pairwise(order) if result < before]
        if overtaken:
            first = min(overtaken)
            text = f"the {len(order)} results came in another order than their calls; they are paired all the same"
            yield Fault(text, first.message, first.part, conversation.result(first).call_id)


RULE = SequenceRule("results-reordered", check)
