"""An id that the API does not accept: too long, or with characters outside its alphabet."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ctxinspect.lint.rule import Context, Fault, MessageRule, shown
from ctxinspect.model.session import CallPart, RecordedMessage

__all__ = ["RULE"]


_LONGEST = {"openai": 40, "openai-responses": 40, "strict": 40}
"""Characters of a call id."""
_ALPHABET = re.compile(r"[A-Za-z0-9_-]+")
_WITH_ALPHABET = frozenset({"anthropic", "strict"})


def check(message: RecordedMessage, context: Context) -> Iterator[Fault]:
    """One fault per call; its result has the same id and is not judged apart. The provider knows its own calls."""
    profile = context.profile.name
    for number, part in enumerate(message.parts):
        if not isinstance(part, CallPart) or not part.id or part.server:
            continue
        longest = _LONGEST.get(profile)
        if longest is not None and len(part.id) > longest:
            text = f"the call id {shown(part.id)} has {len(part.id)} characters, more than {longest}"
            yield Fault(text, part=number, call_id=part.id)
        elif profile in _WITH_ALPHABET and not _ALPHABET.fullmatch(part.id):
            strange = sorted(set(_ALPHABET.sub("", part.id)))
            text = f"the call id {shown(part.id)} has characters outside A-Z a-z 0-9 _ -: {' '.join(strange)}"
            yield Fault(text, part=number, call_id=part.id)


RULE = MessageRule("bad-call-id", check)
