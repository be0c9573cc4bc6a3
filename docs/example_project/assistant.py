"""An assistant for a harbour office: its standing prompt, its tools, and one conversation after the other.

The model is whatever is handed in, so tests hand in a function that answers from a script.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from ctxinspect import Recorder

Model = Callable[[str], Mapping[str, object]]
"""Takes the user's words, gives {"say": text} or {"call": name, "arguments": …, "result": text, "say": text}."""

COMPONENTS = [
    {
        "name": "rules",
        "content": "You work for the harbour office. Answer briefly. Never promise a berth without a booking number.",
        "priority": 100,
        "truncatable": False,
    },
    {
        "name": "tides",
        "content": "Today's tides: high water {{high_water}}.",
        "priority": 80,
    },
    {
        "name": "fees",
        "content": "Fees per night: up to 10 m 18 EUR, up to 12 m 24 EUR, up to 15 m 31 EUR. Electricity is 2 EUR.",
        "priority": 60,
    },
]
TOOLS = [
    {
        "name": "find_berth",
        "description": "Free berths for a boat of this length on this night",
        "parameters": {"type": "object", "properties": {"length_m": {"type": "number"}, "night": {"type": "string"}}},
    }
]
CONTEXT = {"history": "gatekeeper", "window": {"context_tokens": 4000, "strategy": "balanced"}}


def converse(path: Path, questions: list[str], model: Model, high_water: str) -> Recorder:
    """Hold a conversation and record it at `path`."""
    with Recorder(
        path,
        title="Harbour desk",
        components=COMPONENTS,
        tools=TOOLS,
        context=CONTEXT,
        variables={"high_water": high_water},
    ) as recorder:
        for number, question in enumerate(questions):
            answer = model(question)
            turn = recorder.turn(question)
            if "call" in answer:
                call = {"id": f"call_{number}", "name": answer["call"], "arguments": answer["arguments"]}
                turn.round(tool_calls=[call])
                turn.result(call["id"], answer["result"])
            turn.answer(answer["say"])
    return recorder
