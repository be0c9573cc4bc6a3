"""A system message among the messages, where the API has another place for it."""

from __future__ import annotations

from collections.abc import Iterator

from ctxinspect.lint.rule import Context, Conversation, Fault, SequenceRule, is_system

__all__ = ["RULE"]


def check(conversation: Conversation, context: Context) -> Iterator[Fault]:
    """One fault per system message that is out of its place.

    The one that opens a replay, or a history that has to be converted anyway, becomes the API's own field.
    """
    opened = False
    for index, message in enumerate(conversation.messages):
        if not is_system(message):
            opened = True
            continue
        if "top_level" in message.marks:
            continue
        first, opened = not opened, True
        if first and (not context.recording or (conversation.in_chat_form and context.profile.name != "strict")):
            continue
        if first:
            text = f"a {message.role} message opens the messages; the system prompt has a field of its own there"
        else:
            text = f"a {message.role} message amid the messages; whether that is accepted depends on the model"
        yield Fault(text, index, case=0 if first else 1)


RULE = SequenceRule("system-position", check)
