"""The criteria of the four designs hold, and each sees the fault that it is there for: put back, it turns them red."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ctxinspect import (
    ComponentPriority,
    ContextAssembler,
    ContextGatekeeper,
    count_tokens,
    create_pre_model_hook,
    estimate_tool_tokens,
)
from ctxinspect.assembler import assemble as assembly_module_face
from ctxinspect.assembler import context as assembler_context
from ctxinspect.gatekeeper import engine as gatekeeper_engine
from ctxinspect.model.messages import Message
from ctxinspect.model.session import Session
from ctxinspect.pipeline.replay import Replay
from ctxinspect.readers import load
from ctxinspect.sequence import RenderedTurn, Sequencer
from ctxinspect.window import hook as window_hook
from ctxinspect.window.trim import TrimResult

SAMPLES = Path(__file__).resolve().parents[2] / "sample_sessions"


def holds(criterion: Callable[[], None]) -> bool:
    """Whether a criterion is green."""
    try:
        criterion()
    except AssertionError:
        return False
    return True


# --- sequence: history as the model's own conversation ---

PAGES: dict[str, Any] = {
    "format": "ctxinspect/1",
    "components": [{"name": "prompt", "content": "You help with houses.", "priority": 100}],
    "turns": [
        {"user": "find a flat below 400", "assistant": "I will look."},
        {
            "user": "and the weather",
            "rounds": [
                {
                    "assistant": "Two calls.",
                    "tool_calls": [
                        {"id": "c1", "name": "w", "arguments": {}},
                        {"id": "c2", "name": "q", "arguments": {}},
                    ],
                    "tool_results": [{"call_id": "c1", "content": "sunny"}, {"call_id": "c2", "content": "north"}],
                }
            ],
            "assistant": "Sunny in the north.",
        },
        {"user": "go on"},
    ],
}


def sent(data: dict[str, Any], turn: int) -> Any:
    context = {"gatekeeper": {"recent_turns": 9}, "history": "full"}
    return Replay(Session.model_validate({**data, "context": context})).trace(turn).messages


def native_roles() -> None:
    two = {
        **PAGES,
        "turns": [PAGES["turns"][0], {"user": "in the north", "assistant": "Three there."}, {"user": "and now"}],
    }
    rows = sent(two, 2)
    assert [row.role for row in rows] == ["system", "user", "assistant", "user", "assistant", "user"]
    assert "[Conversation timeline]" not in rows[0].content
    assert "user:" not in rows[0].content


def calls_are_paired() -> None:
    rows = sent(PAGES, 2)
    calling = [at for at, row in enumerate(rows) if row.tool_calls]
    assert len(calling) == 1
    for at in calling:
        asked = [call.id for call in rows[at].tool_calls]
        assert asked == ["c1", "c2"]
        assert [row.tool_call_id for row in rows[at + 1 : at + 1 + len(asked)]] == asked


def an_inactive_page_loses_both_halves() -> None:
    turns = [*PAGES["turns"][:2], {**PAGES["turns"][2], "inactive_pages": ["c1"]}]
    rows = sent({**PAGES, "turns": turns}, 2)
    assert [call.id for row in rows for call in row.tool_calls] == ["c2"]
    assert [row.tool_call_id for row in rows if row.role == "tool"] == ["c2"]


def as_timeline(self: Sequencer, turn_id: int, at_turn: int) -> RenderedTurn:
    """The old fault: a turn of history as text in a system message."""
    turn = self._turns[turn_id]
    text = f"[Conversation timeline]\n[15:04:05] user: {turn.user}\n[15:04:05] assistant: {turn.assistant}"
    message = Message("system", text, 10, turn_id, None)
    return RenderedTurn(turn_id, (message,), (), (), 10)


def only_results_leave(original: Any) -> Any:
    """Another old fault: the result of an inactive page leaves, its call stays."""

    def history(self: Sequencer, turn_id: int, at_turn: int) -> RenderedTurn:
        off = self.inactive_pages(at_turn, turn_id)
        whole = self._render(turn_id, frozenset(), len(self._turns[turn_id].rounds), history=True)
        kept = tuple(m for m in whole.messages if m.call_id not in off)
        return replace(whole, messages=kept, tokens=sum(m.tokens for m in kept))

    return history


def results_last(original: Any) -> Any:
    """Results behind the final answer, no longer after their calls."""

    def history(self: Sequencer, turn_id: int, at_turn: int) -> RenderedTurn:
        rendered = original(self, turn_id, at_turn)
        others = [m for m in rendered.messages if m.role != "tool"]
        return replace(rendered, messages=(*others, *(m for m in rendered.messages if m.role == "tool")))

    return history


SEQUENCE = (native_roles, calls_are_paired, an_inactive_page_loses_both_halves)


def test_the_three_criteria_of_the_sequence_hold():
    assert [holds(criterion) for criterion in SEQUENCE] == [True, True, True]


def test_a_flattened_timeline_turns_all_three_red(monkeypatch):
    monkeypatch.setattr(Sequencer, "history", as_timeline)
    assert [holds(criterion) for criterion in SEQUENCE] == [False, False, False]


def test_a_page_that_leaves_its_call_behind_is_seen(monkeypatch):
    monkeypatch.setattr(Sequencer, "history", only_results_leave(Sequencer.history))
    assert [holds(criterion) for criterion in SEQUENCE] == [True, True, False]


def test_results_away_from_their_calls_are_seen(monkeypatch):
    monkeypatch.setattr(Sequencer, "history", results_last(Sequencer.history))
    assert [holds(criterion) for criterion in SEQUENCE] == [True, False, True]


# --- assembler: nothing overwrites retrieved documents, the budget holds ---


def high_before_mid_before_low() -> None:
    assembler = ContextAssembler(max_tokens=10_000)
    for name, priority in (("low", 10), ("high", 100), ("mid", 50)):
        assembler.add_component(name, f"{name} priority", priority)
    text = assembler.assemble()
    assert text.find("high priority") < text.find("mid priority") < text.find("low priority")


def the_budget_holds() -> None:
    assembler = ContextAssembler(max_tokens=120, token_counter=lambda text: len(text.split()))
    for at in range(60):
        assembler.add_component(f"part{at}", "word word", 50)
    assembler.add_component("critical", "Important", 100, truncatable=False)
    text = assembler.assemble()
    assert "Important" in text
    assert assembler.get_summary()["total_tokens"] <= 120
    assert len(text.split()) <= 120


def a_critical_text_stands_whole_once() -> None:
    assembler = ContextAssembler(max_tokens=500)
    assembler.add_component("optional", "x " * 5000, 50)
    assembler.add_component("critical", "Critical content", 10, truncatable=False)
    assert assembler.assemble().count("Critical content") == 1


def documents_stand_beside_instructions() -> None:
    assembler = ContextAssembler(max_tokens=2000)
    assembler.add_component("base_instructions", "You are helpful.", ComponentPriority.CRITICAL, truncatable=False)
    assembler.add_component("retrieved_docs", "Document 1: Important info", ComponentPriority.HIGH)
    text = assembler.assemble()
    assert "You are helpful." in text
    assert "Document 1: Important info" in text


ASSEMBLER = (
    high_before_mid_before_low,
    the_budget_holds,
    a_critical_text_stands_whole_once,
    documents_stand_beside_instructions,
)


def mutated(change: Callable[..., Any]) -> Callable[..., Any]:
    """An assembly whose inputs are spoilt."""

    def assemble(components: Any, variables: Any, settings: Any, count: Any, *, measure: Any = None) -> Any:
        return assembly_module_face(*change(components, variables, settings, count))

    return assemble


def test_the_criteria_of_the_assembler_hold():
    assert [holds(criterion) for criterion in ASSEMBLER] == [True, True, True, True]


@pytest.mark.parametrize(
    ("fault", "green"),
    [
        (lambda c, v, s, n: (c, v, s, lambda t: sum(len(x.split()) for x in t.split("\n") if x[:1] != "#")), [True, False, True, True]),
        (lambda c, v, s, n: (c[:1], v, s, n), [False, False, False, False]),
        (lambda c, v, s, n: ([replace(x, priority=50) for x in c], v, s, n), [False, True, True, True]),
        (lambda c, v, s, n: ([replace(x, truncatable=True) for x in c], v, s, n), [True, True, False, True]),
    ],
    ids=["headers are free", "the first overwrites the others", "priorities are ignored", "everything may be cut"],
)  # fmt: skip
def test_a_spoilt_assembly_is_seen(monkeypatch, fault, green):
    monkeypatch.setattr(assembler_context, "assemble", mutated(fault))
    assert [holds(criterion) for criterion in ASSEMBLER] == green


# --- window: what goes along, and what is never lost ---

TOOLS = [{"name": "look", "description": "Look something up. " * 20, "parameters": {"type": "object"}}]


def prepared(messages: list[dict[str, Any]], limit: Any = 1) -> list[dict[str, Any]]:
    hook = create_pre_model_hook(
        "Prompt {{topology_info}}", lambda s: None, lambda: {"context_limit": limit}, lambda: TOOLS
    )
    return hook({"messages": messages})["messages"]


def chat(turns: int, words: int = 60) -> list[dict[str, Any]]:
    made: list[dict[str, Any]] = []
    for at in range(turns):
        made += [{"role": "user", "content": f"q{at} " * words}, {"role": "assistant", "content": f"a{at} " * words}]
    return [*made, {"role": "user", "content": "the last question"}]


def cost(messages: list[dict[str, Any]]) -> int:
    calls = [call["function"] for m in messages for call in m.get("tool_calls", ())]
    texts = [m["content"] for m in messages] + [text for f in calls for text in (f["name"], f["arguments"])]
    return sum(count_tokens(text) for text in texts) + 4 * len(messages) + 3


def system_and_last_user_message_stay() -> None:
    left = prepared(chat(30))
    assert left[0]["role"] == "system"
    assert left[-1]["content"] == "the last question"
    assert 2 < len(left) < 30
    huge = prepared([*chat(2), {"role": "assistant", "content": "x " * 3000}])
    assert any(m["content"] == "the last question" for m in huge)


def the_window_less_tools_is_kept() -> None:
    assert cost(prepared(chat(200, words=3))) <= 750 - estimate_tool_tokens(TOOLS)


def arguments_count() -> None:
    call = {"id": "c", "type": "function", "function": {"name": "look", "arguments": '{"q": "' + "word " * 80 + '"}'}}
    asking = [{"role": "user", "content": "q " * 40}, {"role": "assistant", "content": "", "tool_calls": [call]}, {"role": "tool", "tool_call_id": "c", "content": "r"}]  # fmt: skip
    assert cost(prepared([*asking * 8, {"role": "user", "content": "last"}])) <= 750 - estimate_tool_tokens(TOOLS)


def a_wrong_limit_is_named() -> None:
    for wrong in (0, -1, "128", True, 1.5, None):
        try:
            prepared(chat(1), wrong)
        except ValueError as error:
            assert repr(wrong) in str(error)  # noqa: PT017
        else:
            raise AssertionError(wrong)


WINDOW = (system_and_last_user_message_stay, the_window_less_tools_is_kept, arguments_count, a_wrong_limit_is_named)


def test_the_criteria_of_the_window_hold():
    assert [holds(criterion) for criterion in WINDOW] == [True, True, True, True]


def test_trimming_that_takes_the_newest_is_seen(monkeypatch):
    def newest(pinned: int, units: Any, budget: int) -> TrimResult:
        return TrimResult((), tuple(units), pinned, 0)

    def last_goes(messages: Any, current: int) -> Any:
        from ctxinspect.window.trim import Grouped, Unit

        return Grouped((0,), (Unit("turn", 0, None, 0, tuple(range(1, len(messages)))),))

    monkeypatch.setattr(window_hook, "trim_turns", newest)
    monkeypatch.setattr(window_hook, "group_units", last_goes)
    assert [holds(criterion) for criterion in WINDOW] == [False, True, True, True]


def test_forgotten_tools_and_arguments_are_seen(monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(window_hook, "tool_tokens", lambda tools, count: type("Free", (), {"tokens": 0, "findings": ()}))
        assert [holds(criterion) for criterion in WINDOW] == [True, False, False, True]
    monkeypatch.setattr(window_hook, "chat_cost", lambda m, count, **more: count(m["content"]) + 4)
    assert [holds(criterion) for criterion in WINDOW] == [True, True, False, True]


def test_an_unchecked_limit_is_seen(monkeypatch):
    monkeypatch.setattr(window_hook, "window_size", lambda limit: 1000)
    assert [holds(criterion) for criterion in WINDOW] == [True, True, True, False]


# --- gatekeeper: four topics in turn, and no switch brings another one along ---


def no_switch_brings_another_topic() -> None:
    session = load(SAMPLES / "topics100.json")
    replay = Replay(session)
    switches, recalled = 0, 0
    for turn in range(len(session.turns)):
        if replay.gate(turn).decision == "switch":
            switches += 1
            chosen = replay.selection(turn).selected
            recalled += len(chosen)
            assert {session.turns[row.turn_id].topic for row in chosen} <= {session.turns[turn].topic}
    assert switches > 4
    assert recalled > 0


def a_deictic_query_goes_on() -> None:
    gate = ContextGatekeeper(4000)
    gate.add_turn("How do I prune an apple tree", "Cut the water shoots.")
    assert [row["turn_id"] for row in gate.select("this with a violin, a trumpet and a cello")] == [0]


def the_budget_of_history_is_kept() -> None:
    gate = ContextGatekeeper(150)
    for at in range(30):
        gate.add_turn(f"pump number{at} leaks", "Tighten the pump. " * 6)
    chosen = gate.select("pump number3 number4 number5 number6 number7 number8")
    assert 0 < sum(count_tokens(row["user"]) + count_tokens(row["assistant"]) + 8 for row in chosen) <= 150


def what_is_said_twice_is_taken_once() -> None:
    gate = ContextGatekeeper(4000)
    for _ in range(5):
        gate.add_turn("the valve of the pump", "It is open.")
    gate.add_turn("a violin", "Tuned.")
    gate.add_turn("a trumpet", "Polished.")
    gate.add_turn("a cello", "Rosined.")
    assert sum(row["turn_id"] < 5 for row in gate.select("valve pump")) == 1


GATEKEEPER = (
    no_switch_brings_another_topic,
    a_deictic_query_goes_on,
    the_budget_of_history_is_kept,
    what_is_said_twice_is_taken_once,
)


def test_the_criteria_of_the_gatekeeper_hold():
    assert [holds(criterion) for criterion in GATEKEEPER] == [True, True, True, True]


def test_a_gate_that_always_switches_or_brings_recent_turns_on_a_switch_is_seen(monkeypatch):
    original = gatekeeper_engine.Engine._recent

    def always(self: Any, gate: Any, *rest: Any) -> Any:
        return original(self, replace(gate, decision="continue", topic_start=0), *rest)

    monkeypatch.setattr(gatekeeper_engine.Engine, "_recent", always)
    assert not holds(no_switch_brings_another_topic)


def test_a_gate_without_deictic_words_is_seen(monkeypatch):
    from ctxinspect.gatekeeper import topic_gate

    monkeypatch.setattr(topic_gate, "match_deictic", lambda query: None)
    assert not holds(a_deictic_query_goes_on)


def test_a_cover_that_takes_everything_is_seen(monkeypatch):
    original = gatekeeper_engine.select_cover

    def greedy(weights: Any, recent: Any, candidates: Any, *, budget: int, target: Any, alpha: float) -> Any:
        result = original(weights, recent, candidates, budget=budget, target=target, alpha=alpha)
        if not result.takes:
            return result
        taken = {take.turn_id for take in result.takes}
        more = [replace(result.takes[0], turn_id=c.turn_id, newly=()) for c in candidates if c.turn_id not in taken]
        return replace(result, takes=(*result.takes, *more))

    monkeypatch.setattr(gatekeeper_engine, "select_cover", greedy)
    assert not holds(the_budget_of_history_is_kept)
    assert not holds(what_is_said_twice_is_taken_once)
