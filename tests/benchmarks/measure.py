"""Measures, on sessions of made-up text, what the pipeline costs at two lengths: `python -m tests.benchmarks.measure`.

Times are processor seconds of this process, so that a busy machine disturbs little; the ratio between the lengths is
what counts. Nothing here asserts anything: work is asserted by counters, in tests/pipeline/test_work.py.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from ctxinspect.model.session import Session
from ctxinspect.pipeline.replay import Replay
from ctxinspect.readers import load
from ctxinspect.view.inspection import Inspection
from ctxinspect.view.narration import log_line
from ctxinspect.view.panels import PANELS
from ctxinspect.view.sentence import request_sentence
from ctxinspect.view.stages import stage_line
from tests.benchmarks.generate import session_data

STEPS = 20
"""Steps over which a step's time is averaged."""


def seconds(work: Callable[[], object]) -> float:
    """Processor seconds that the work takes."""
    start = time.process_time()
    work()
    return time.process_time() - start


def tables(replay: Replay, session: Session, turn: int) -> None:
    """What the inspector builds for one step, beside the trace itself."""
    trace = replay.trace(turn, ledger=False)
    inspection = Inspection(trace, session, replay.settings, "REPLAY")
    for panel in PANELS:
        shown = panel.table(inspection)
        shown.rows[: min(40, len(shown.rows))]
    request_sentence(trace, inspection.first_visible, inspection.fates, width=120)
    stage_line(trace, 120)
    log_line(trace)


def chat_body(turns: int, folder: Path) -> Path:
    """The same session as the body of a chat request."""
    messages: list[dict[str, object]] = []
    for turn in session_data(turns)["turns"]:
        messages += [{"role": "user", "content": turn["user"]}, {"role": "assistant", "content": turn["assistant"]}]
    path = folder / "body.json"
    path.write_text(json.dumps({"model": "gpt-4o", "messages": messages}), "utf-8")
    return path


def measure(turns: int, *, whole: bool) -> dict[str, float]:
    """All measures at one length, in milliseconds."""
    data = session_data(turns)
    last = range(turns - STEPS, turns)
    found: dict[str, float] = {}
    session = Session.model_validate(data)
    found["validate the session"] = seconds(lambda: Session.model_validate(data))
    replay = Replay(session)
    replay.counter("the vocabulary is loaded")
    found["index all blocks"] = seconds(lambda: replay.engine)
    found["decide all gates"] = seconds(lambda: replay.gate(turns - 1))
    replay.trace(turns - STEPS - 2, ledger=False)
    found["a step forward"] = seconds(lambda: [replay.trace(turn, ledger=False) for turn in last]) / STEPS
    found["a step back"] = seconds(lambda: [replay.trace(turn, ledger=False) for turn in reversed(last)]) / STEPS
    found["what the panels show of a step"] = seconds(lambda: [tables(replay, session, turn) for turn in last]) / STEPS
    found["the ledger of a step"] = seconds(lambda: replay.trace(turns - 1))
    full = Replay(Session.model_validate({**data, "context": {"history": "full"}}))
    full.trace(turns - 1, ledger=False)
    found["a step back under the full history"] = (
        seconds(lambda: [full.trace(turn, ledger=False) for turn in reversed(last)]) / STEPS
    )
    with tempfile.TemporaryDirectory() as folder:
        recorded = Replay(load(chat_body(turns, Path(folder))))
    recorded.trace(turns - 1, view="recorded")
    found["a step back in a recording"] = (
        seconds(lambda: [recorded.trace(turn, view="recorded") for turn in reversed(last)]) / STEPS
    )
    if whole:
        fresh = Replay(session)
        found["all requests, traced"] = seconds(lambda: [fresh.trace(*step, ledger=False) for step in fresh.steps])
        fresh = Replay(session)
        found["all requests, summed up"] = seconds(lambda: [fresh.summary(step) for step in fresh.steps])
    return {name: 1000 * value for name, value in found.items()}


def main() -> None:
    """Print a table of both lengths and their ratio."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sizes", nargs="*", type=int, default=[1000, 10_000], help="numbers of turns")
    parser.add_argument("--whole", action="store_true", help="replay all requests too (minutes)")
    asked = parser.parse_args()
    results = [measure(turns, whole=asked.whole) for turns in asked.sizes]
    lines = ["| milliseconds | " + " | ".join(f"{turns} turns" for turns in asked.sizes) + " | ratio |"]
    lines.append("| --- |" + " ---: |" * (len(asked.sizes) + 1))
    for name in results[0]:
        row = [result[name] for result in results]
        figures = [*(f"{value:.1f}" for value in row), f"{row[-1] / max(row[0], 1e-6):.1f}"]
        lines.append(f"| {name} | " + " | ".join(figures) + " |")
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
