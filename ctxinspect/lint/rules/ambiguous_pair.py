"""A result without id that fitted more than one open call."""

from __future__ import annotations

from collections.abc import Iterator

from ctxinspect.lint.rule import Context, Conversation, Fault, SequenceRule, shown

__all__ = ["RULE"]


def check(conversation: Conversation, context: Context) -> Iterator[Fault]:  # noqa: ARG001 - the signature of rules
    """One fault per guess, at the result."""
    for pair in conversation.pairing.pairs:
        if pair.candidates > 1:
            call, result = conversation.call(pair.call), conversation.result(pair.result)
            text = (
                f"{pair.candidates} open calls fit the result of {result.name or 'an unnamed tool'} without id; "
                f"the first of them, {shown(call.id or call.name)}, is a guess"
            )
            yield Fault(text, pair.result.message, pair.result.part, call.id)


RULE = SequenceRule("ambiguous-pair", check)
