"""A key, token or private key in a known format. The secret itself is never repeated."""

from __future__ import annotations

from collections.abc import Iterator

from ctxinspect.lint.rule import Context, Fault, MessageRule
from ctxinspect.lint.texts import texts_of
from ctxinspect.model.session import RecordedMessage
from ctxinspect.text.secrets import find_secrets

__all__ = ["RULE"]


def check(message: RecordedMessage, context: Context) -> Iterator[Fault]:
    """One fault per secret and text, however often it stands there."""
    for number, call_id, text in texts_of(message, thinking=context.recording):
        for secret in find_secrets(text):
            yield Fault(f"{secret.kind} in context: {secret.masked}", part=number, call_id=call_id)


RULE = MessageRule("secret-in-context", check)
