"""Recognising a conversation that was flattened into running text (specification page 4 rule 11).

A transcript inside a system prompt reduces who is speaking to a text prefix. The three shapes of the rule are found
line by line, in one pass.
"""

from __future__ import annotations

import re

__all__ = ["flattened_history"]

_CLOCK_LINE = re.compile(r"\[\d{1,2}:\d{2}(:\d{2})?\]\s*\S+[:：]")
_USER_LINE = re.compile(r"(user|human|用户)\s*[:：]", re.IGNORECASE)
_ASSISTANT_LINE = re.compile(r"(assistant|ai|助手)\s*[:：]", re.IGNORECASE)
_TIMELINE = "[conversation timeline]"


def flattened_history(text: str) -> str | None:
    """Why the text is a flattened transcript, as the middle of a sentence; None where it is none."""
    clock = users = answered = 0
    for line in text.split("\n"):
        if line.strip().lower() == _TIMELINE:
            return "a line [Conversation timeline]"
        if _CLOCK_LINE.match(line):
            clock += 1
        if _USER_LINE.match(line):
            users += 1
        elif _ASSISTANT_LINE.match(line):
            answered = users
    if clock >= 2:
        return f"{clock} lines that begin with a time and a speaker"
    if answered >= 2:
        return f"{answered} lines of a user, each answered by a line of an assistant"
    return None
