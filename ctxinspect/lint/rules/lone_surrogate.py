"""Half of a character: a surrogate without its partner."""

from __future__ import annotations

from collections.abc import Iterator

from ctxinspect.lint.rule import Context, Fault, MessageRule
from ctxinspect.lint.texts import texts_of
from ctxinspect.model.session import RecordedMessage
from ctxinspect.text.invisible import code_point, lone_surrogates

__all__ = ["RULE"]


def check(message: RecordedMessage, context: Context) -> Iterator[Fault]:
    """One fault per text that holds any."""
    for number, call_id, text in texts_of(message, thinking=context.recording):
        places = lone_surrogates(text)
        if places:
            points = ", ".join(dict.fromkeys(code_point(text[at]) for at in places))
            yield Fault(f"half a character at {places[0]}: {points}", part=number, call_id=call_id)


RULE = MessageRule("lone-surrogate", check)
