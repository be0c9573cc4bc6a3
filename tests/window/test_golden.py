from __future__ import annotations

import pytest

from ctxinspect.tokens.counter import named_counter
from ctxinspect.window import tool_tokens, window_sizes
from tests.support.golden import expected_requests, golden_session, session_files


@pytest.mark.parametrize("file", session_files())
def test_every_golden_window_has_the_expected_sizes(file):
    session = golden_session(file)
    window = session.context.window
    tools = tool_tokens(session.tools, named_counter(session.context.counter))
    sizes = window_sizes(window.context_limit, window.strategy, tools.tokens, context_tokens=window.context_tokens)
    priming = 0 if window.unit == "message" else 3
    for want in expected_requests(file):
        assert {
            "input_budget": sizes.input_budget,
            "tool_tokens": sizes.tool_tokens,
            "message_budget": sizes.message_budget,
            "request_tokens": sum(message["tokens"] for message in want["messages"]) + priming,
        } == want["window"]
