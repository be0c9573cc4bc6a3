"""A conversation flattened into text, and text that only looks like one."""

from __future__ import annotations

import pytest

from ctxinspect.text.flattened import flattened_history


@pytest.mark.parametrize(
    "text",
    [
        "Rules.\n[09:01] Ana: hi\nmore\n[9:02:33] Bot：yes",
        "User: a\nAssistant: b\nUser: c\nAssistant: d",
        "human : a\nai: b\nHUMAN: c\nAI : d",
        "用户：天气\n助手：晴\n用户: 明天\n助手: 雨",
        "Rules.\n[Conversation timeline]\nnothing",
    ],
)
def test_a_flattened_transcript_is_recognised(text):
    assert flattened_history(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[09:01] Ana: hi",
        "User: a\nAssistant: b",
        "User: a\nAssistant: b\nUser: c",
        " User: a\n Assistant: b\n User: c\n Assistant: d",
        "See [09:01] Ana: hi\nSee [09:02] Bot: yes",
        "[09:01] nothing said\n[09:02] again",
        "The [Conversation timeline] is kept elsewhere.",
        "Users: a\nAssistants: b\nUsers: c\nAssistants: d",
    ],
)
def test_other_text_is_not(text):
    assert flattened_history(text) is None
