"""Small builders: sessions, turns and rounds in as few words as a test needs."""

from __future__ import annotations

from typing import Any

from ctxinspect.model.session import Round, Session, ToolCall, ToolResult, Turn
from ctxinspect.settings import Settings
from ctxinspect.tokens.counter import Counter

__all__ = ["call", "result", "round_", "session", "settings", "turn", "word_counter"]


def word_counter() -> Counter:
    """One token a word: numbers that can be checked by eye."""
    return Counter("words", lambda text: len(text.split()))


def call(id: str | None, name: str = "look", arguments: Any = "{}") -> ToolCall:  # noqa: A002
    return ToolCall(id=id, name=name, arguments=arguments)


def result(
    call_id: str | None, content: Any = "ok", name: str | None = "look", *, is_error: bool = False
) -> ToolResult:
    return ToolResult(call_id=call_id, name=name, content=content, is_error=is_error)


def round_(calls: list[ToolCall], results: list[ToolResult], text: str = "") -> Round:
    return Round(assistant=text, tool_calls=tuple(calls), tool_results=tuple(results))


def turn(user: Any = "hello", assistant: Any = "fine", *rounds: Round, **more: Any) -> Turn:
    return Turn(user=user, assistant=assistant, rounds=tuple(rounds), **more)


def settings(**paths: Any) -> Settings:
    """Settings from dotted paths with `__` for the dot: `settings(window__strategy="aggressive")`."""
    from ctxinspect.settings import apply_overrides

    return apply_overrides(Settings(), {path.replace("__", "."): value for path, value in paths.items()})


def session(*turns: Turn, **more: Any) -> Session:
    return Session(turns=tuple(turns), **more)
