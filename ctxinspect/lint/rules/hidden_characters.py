"""Characters that a reader does not see: bidi and other controls, zero-width and tag characters."""

from __future__ import annotations

from collections.abc import Iterator

from ctxinspect.lint.rule import Context, Fault, MessageRule
from ctxinspect.lint.texts import texts_of
from ctxinspect.model.session import RecordedMessage
from ctxinspect.text.invisible import code_point, hidden_characters

__all__ = ["RULE"]


_NAMED = 24
"""Code points named in one sentence; further ones are counted."""


def check(message: RecordedMessage, context: Context) -> Iterator[Fault]:
    """One fault per text that holds any; it names the code points in the order of their first place."""
    for number, call_id, text in texts_of(message, thinking=context.recording):
        places = hidden_characters(text)
        if places:
            points = list(dict.fromkeys(code_point(text[at]) for at in places))
            more = f" and {len(points) - _NAMED} more" if len(points) > _NAMED else ""
            count = f"{len(places)} hidden character{'s' if len(places) > 1 else ''}"
            yield Fault(f"{count}: {', '.join(points[:_NAMED])}{more}", part=number, call_id=call_id)


RULE = MessageRule("hidden-characters", check)
