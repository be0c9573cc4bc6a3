"""Where a place of the session stands in what was recorded as sent, by its own text; the replay is not asked.

A place is matched with a recorded message of its kind that has exactly its text, else with one that holds it: one of
its own turn where there is one, and in a capture, whose calls count their turns for themselves, any.
"""

from __future__ import annotations

from collections.abc import Sequence

from ctxinspect.model.session import Source, arguments_text
from ctxinspect.pipeline.fate import Fate, Verdict
from ctxinspect.pipeline.occurrences import Needle, Occurrence
from ctxinspect.pipeline.plan import Step
from ctxinspect.pipeline.recorded import recorded_request
from ctxinspect.pipeline.replay import Replay
from ctxinspect.pipeline.sight import LATER, is_later
from ctxinspect.trace.types import MessageRow
from ctxinspect.window import tool_json

__all__ = ["RecordedSights"]

_PROMPT_ROLES = ("system", "developer")


class RecordedSights:
    """One step's recorded messages, ready to be asked which of them holds a place."""

    def __init__(self, replay: Replay, step: Step, needle: Needle) -> None:
        self.replay = replay
        self.step = step
        self.needle = needle
        self.rows: Sequence[MessageRow] = replay.trace(*step, view="recorded", ledger=False).messages
        source = replay.session.source
        self._capture = isinstance(source, Source) and source.family == "capture"
        self._known: dict[tuple[str, str], list[int]] = {}
        for index, row in enumerate(self.rows):
            for kind, text in _texts(row):
                self._known.setdefault((kind, text), []).append(index)

    def fate(self, occurrence: Occurrence) -> Fate:
        """Whether the recorded messages hold the place, and why not."""
        place = occurrence.place
        if place.kind == "tool":
            return self._tool(occurrence)
        index = self._find(occurrence)
        if index is not None:
            text = f"message {index} ({self.rows[index].role}) of {len(self.rows)}, as recorded"
            return Fate("in", "ingest", "recorded", index, (Verdict("ingest", True, "recorded", text),))
        if is_later(place, self.step):
            rule, text = LATER, f"it came later than this request ({self.step.address})"
        elif self._reset(place.turn_id) is not None:
            rule = "history_reset"
            text = f"turn {self._reset(place.turn_id)} resets history (a compaction, a clear); it stood before"
        else:
            rule, text = "not_recorded", f"it is in none of the {len(self.rows)} messages recorded for this request"
        return Fate("out", "ingest", rule, None, (Verdict("ingest", False, rule, text),))

    def _tool(self, occurrence: Occurrence) -> Fate:
        call, _ = recorded_request(self.replay, self.step)
        tools = self.replay.session.tools if call.tools is None else call.tools
        if any(tool_json(tool) == occurrence.field for tool in tools):
            text = "the schemas of all tools are sent beside the messages"
            return Fate("in", "ingest", "recorded", None, (Verdict("ingest", True, "recorded", text),))
        text = f"the recorded request has no tool {occurrence.place.name} with this schema"
        return Fate("out", "ingest", "not_recorded", None, (Verdict("ingest", False, "not_recorded", text),))

    def _find(self, occurrence: Occurrence) -> int | None:
        place = occurrence.place
        found = self._known.get((place.kind, occurrence.field), [])
        own = [index for index in found if place.kind == "component" or self.rows[index].turn_id == place.turn_id]
        if own:
            return own[0]
        if found and self._capture:
            return found[0]
        return self._part(occurrence)

    def _part(self, occurrence: Occurrence) -> int | None:
        """A message that holds the place although its text is another: a part of it, or more than it."""
        place, whole = occurrence.place, occurrence.field
        for index, row in enumerate(self.rows):
            if not self._capture and row.turn_id != place.turn_id:
                continue
            for kind, text in _texts(row):
                if kind != place.kind or not text:
                    continue
                at = whole.find(text)
                if whole in text or (0 <= at <= occurrence.start and occurrence.end <= at + len(text)):
                    return index
        return None

    def _reset(self, turn_id: int | None) -> int | None:
        """The last turn at or before this step that resets history, where the place is before it."""
        turns = self.replay.session.turns
        resets = [t for t in range(self.step.turn + 1) if turns[t].resets_history]
        return resets[-1] if turn_id is not None and resets and turn_id < resets[-1] else None


def _texts(row: MessageRow) -> list[tuple[str, str]]:
    """The texts of a recorded message, each under the kind of place that it is."""
    kind = "user"
    if row.role in _PROMPT_ROLES:
        kind = "component"
    elif row.role in ("assistant", "tool"):
        kind = "assistant" if row.role == "assistant" else "result"
    texts = [(kind, row.content)]
    if kind == "component":
        texts.append(("user", row.content))
    texts += [("call", arguments_text(call.arguments)) for call in row.tool_calls]
    return [*texts, *(("thinking", thought) for thought in row.thinking)]
