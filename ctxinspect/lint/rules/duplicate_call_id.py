"""One id on two calls: in one message, or anywhere in the list."""

from __future__ import annotations

from collections.abc import Iterator

from ctxinspect.lint.rule import Context, Conversation, Fault, SequenceRule, shown

__all__ = ["RULE"]


def check(conversation: Conversation, context: Context) -> Iterator[Fault]:  # noqa: ARG001 - the signature of rules
    """One fault per call whose id was used before. Empty ids are missing, not equal."""
    seen: dict[str, tuple[int, int]] = {}
    for number, batch in enumerate(conversation.pairing.batches):
        for slot in batch:
            call_id = conversation.call(slot).id
            if not call_id:
                continue
            if call_id in seen:
                earlier, message = seen[call_id]
                same = earlier == number
                where = "in the same message" if same else f"in message {message}"
                text = f"the id {shown(call_id)} is also that of a call {where}"
                yield Fault(text, slot.message, slot.part, call_id, case=1 if same else 0)
            seen[call_id] = (number, slot.message)


RULE = SequenceRule("duplicate-call-id", check)
