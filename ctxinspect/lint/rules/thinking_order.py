"""Thinking that is not where, or not as, the API wants it back."""

from __future__ import annotations

from collections.abc import Iterator

from ctxinspect.lint.rule import Context, Conversation, Fault, SequenceRule, is_system, only_results, only_thinking
from ctxinspect.model.session import CallPart, RecordedMessage, ThinkingBlock

__all__ = ["RULE"]


def check(conversation: Conversation, context: Context) -> Iterator[Fault]:
    """Thinking after other parts, thinking without a signature, or a tool loop that lost its thinking.

    Only recordings are judged: a replay sends no thinking back.
    """
    if not context.recording:
        return
    for index, message in enumerate(conversation.messages):
        if message.role == "assistant":
            yield from _of_message(index, message)
    if context.thinking:
        yield from _missing(conversation)


def _of_message(index: int, message: RecordedMessage) -> Iterator[Fault]:
    thinking = [number for number, part in enumerate(message.parts) if isinstance(part, ThinkingBlock)]
    if thinking and thinking[0] != 0:
        yield Fault("thinking stands after other parts; it must be the first part of its message", index, thinking[0])
    for number in thinking:
        part = message.parts[number]
        if isinstance(part, ThinkingBlock) and not part.redacted and not part.signature:
            yield Fault("thinking without its signature cannot be sent back", index, number)


def _missing(conversation: Conversation) -> Iterator[Fault]:
    """The first message of the tool loop that is still open: it must start with thinking."""
    loop = 0
    for index, message in enumerate(conversation.messages):
        if message.role == "user" and not only_results(message):
            loop = index + 1
    for index in range(loop, len(conversation.messages)):
        message = conversation.messages[index]
        if message.role != "assistant" or is_system(message):
            continue
        if only_thinking(message) or (message.parts and isinstance(message.parts[0], ThinkingBlock)):
            return
        calls = [part for part in message.parts if isinstance(part, CallPart) and not part.server]
        if calls:
            text = "thinking is switched on, but this message with a tool call does not start with it"
            yield Fault(text, index, 0, calls[0].id)
            return


RULE = SequenceRule("thinking-order", check)
