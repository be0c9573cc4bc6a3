"""Turns as recorded messages, whole and as they came: what the sequence system would leave out or mend is still here.

Every turn, round, call and result of a session is in exactly one message; only empty texts make none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ctxinspect.dialects.draft import Loss
from ctxinspect.model.content import Content, MediaPart, TextPart, ThinkingPart, content_text, label_content
from ctxinspect.model.session import (
    CallPart,
    MediaBlock,
    RecordedMessage,
    RecordedPart,
    ResultPart,
    Round,
    Session,
    TextBlock,
    ThinkingBlock,
    ToolCall,
    Turn,
)

__all__ = ["answer_message", "content_blocks", "messages_of_turns", "session_losses"]


def content_blocks(content: Content | None) -> tuple[RecordedPart, ...]:
    """Content as parts of a recorded message; an empty string as none."""
    if content is None or isinstance(content, str):
        return (TextBlock(text=content),) if content else ()
    blocks: list[RecordedPart] = []
    for part in content:
        if isinstance(part, TextPart):
            blocks.append(TextBlock(text=part.text))
        elif isinstance(part, MediaPart):
            blocks.append(MediaBlock(**part.model_dump()))
        elif isinstance(part, ThinkingPart):
            blocks.append(ThinkingBlock(**part.model_dump()))
    return tuple(blocks)


def messages_of_turns(turns: Sequence[Turn], system: str = "") -> tuple[RecordedMessage, ...]:
    """All turns as messages, the system prompt first."""
    made: list[RecordedMessage] = []
    if system:
        made.append(RecordedMessage(role="system", parts=(TextBlock(text=system),), path="$.components"))
    for turn_id, turn in enumerate(turns):
        made += _turn(turn, f"$.turns[{turn_id}]")
    return tuple(message.model_copy(update={"index": index}) for index, message in enumerate(made))


def _turn(turn: Turn, path: str) -> Iterator[RecordedMessage]:
    if content_blocks(turn.user):
        content = turn.user if turn.source in ("user", "system") else label_content(f"[{turn.source}]", turn.user)
        role = "system" if turn.source == "system" else "user"
        yield _message(role, content_blocks(content), f"{path}.user", turn.user)
    for number, round_ in enumerate(turn.rounds):
        place = f"{path}.rounds[{number}]"
        yield from _asked(round_.assistant, round_.tool_calls, place)
        yield from _results(round_, place)
    yield from _asked(turn.assistant, (), path)


def _asked(content: Content | None, calls: Iterable[ToolCall], path: str) -> Iterator[RecordedMessage]:
    asked = tuple(
        CallPart(id=call.id, name=call.name, arguments=call.arguments, path=f"{path}.tool_calls[{number}]")
        for number, call in enumerate(calls)
    )
    parts = (*content_blocks(content), *asked)
    if parts:
        yield _message("assistant", parts, f"{path}.assistant", content)


def _results(round_: Round, path: str) -> Iterator[RecordedMessage]:
    for number, result in enumerate(round_.tool_results):
        place = f"{path}.tool_results[{number}]"
        part = ResultPart(
            call_id=result.call_id, name=result.name, content=result.content, is_error=result.is_error, path=place
        )
        yield RecordedMessage(role="tool", parts=(part,), path=place)


def _message(role: str, parts: tuple[RecordedPart, ...], path: str, content: Content | None) -> RecordedMessage:
    as_string = content is None or isinstance(content, str)
    return RecordedMessage(role=role, parts=parts, shape="string" if as_string else "parts", path=path)


def answer_message(turn: Turn, request: int, path: str) -> RecordedMessage | None:
    """What the model answered to a turn's request: the next round's text and calls, or the final answer, if any.

    `path` is the turn's place.
    """
    if request < len(turn.rounds):
        round_ = turn.rounds[request]
        return next(_asked(round_.assistant, round_.tool_calls, f"{path}.rounds[{request}]"), None)
    return next(_asked(turn.assistant, (), path), None)


def session_losses(session: Session) -> Iterator[Loss]:
    """What of a whole session a list of messages cannot say."""
    for turn_id, turn in enumerate(session.turns):
        path = f"$.turns[{turn_id}]"
        if turn.source not in ("user", "system") and content_text(turn.user):
            yield Loss(f"{path}.source", "source", "no role but the user's: a label before the text says who sent it")
        if turn.timestamp:
            yield Loss(f"{path}.timestamp", "timestamp", "a request has no place for times")
        if turn.topic is not None:
            yield Loss(f"{path}.topic", "topic", "a request has no place for topic labels")
        if turn.interrupted:
            yield Loss(f"{path}.interrupted", "interruption", "that the turn was stopped is not visible there")
        if turn.resets_history:
            yield Loss(
                f"{path}.resets_history", "reset", "earlier turns are out of the context from here on; all are in"
            )
        if turn.inactive_pages:
            yield Loss(f"{path}.inactive_pages", "inactive pages", "pages switched off here are in all the same")
        if turn.components or turn.variables:
            yield Loss(f"{path}.components", "turn's own components", "one system prompt holds those of the last turn")
        reported = sum(round_.usage is not None for round_ in turn.rounds) + (turn.usage is not None)
        if reported:
            yield Loss(f"{path}.usage", "usage", "what the provider reported is no part of a request")
    if session.title:
        yield Loss("$.title", "title", "a request has no title")
    if session.chat_tools:
        yield Loss("$.chat_tools", "chat tools", "which tools carry what a person said cannot be said there")
