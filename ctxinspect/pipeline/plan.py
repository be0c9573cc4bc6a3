"""What every request of a session shares: its steps, the components and variables of a turn, where history starts.

Pure functions of the session and its settings; nothing here counts or renders.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from ctxinspect.errors import UsageError
from ctxinspect.model.session import Component, Session, Turn, Usage
from ctxinspect.settings import Settings

__all__ = [
    "Step",
    "components_of",
    "drop_items",
    "first_visible_turn",
    "first_visible_turns",
    "is_hypothetical",
    "previous_step",
    "reported_usage",
    "steps_of",
    "variables_of",
]


class Step(NamedTuple):
    """A position: request `request` of turn `turn` saw the user message and the first `request` rounds."""

    turn: int
    request: int

    @property
    def address(self) -> str:
        """The step as an address: `t42`, or `t42r3` after three rounds."""
        return f"t{self.turn}r{self.request}" if self.request else f"t{self.turn}"


def steps_of(session: Session) -> tuple[Step, ...]:
    """Every request of the session in order: a turn with k rounds made k + 1."""
    return tuple(Step(t, r) for t, turn in enumerate(session.turns) for r in range(len(turn.rounds) + 1))


def previous_step(session: Session, step: Step) -> Step | None:
    """The request before this one in the session's order, or None for the first."""
    if step.request:
        return Step(step.turn, step.request - 1)
    return Step(step.turn - 1, len(session.turns[step.turn - 1].rounds)) if step.turn else None


def is_hypothetical(turn: Turn, request: int) -> bool:
    """Whether this request may never have been sent: the last of a turn without a final answer."""
    return request == len(turn.rounds) and not turn.has_answer


def components_of(session: Session, turn_id: int) -> tuple[Component, ...]:
    """The components of a turn: the session's, a turn's own of the same name in its place, new ones after."""
    own = {component.name: component for component in session.turns[turn_id].components}
    standing = tuple(own.pop(component.name, component) for component in session.components)
    return (*standing, *own.values())


def variables_of(session: Session, turn_id: int) -> Mapping[str, str | None]:
    """The variables of a turn: its own before the session's."""
    own = session.turns[turn_id].variables
    return {**session.variables, **own} if own else session.variables


def reported_usage(turn: Turn, request: int) -> Usage | None:
    """What the provider reported for this request, where the recording has it."""
    return turn.rounds[request].usage if request < len(turn.rounds) else turn.usage


def first_visible_turns(session: Session, settings: Settings) -> tuple[int, ...]:
    """For every turn, the earliest turn still in its context: the last reset at or before it (page 5 rule 0)."""
    first, out = 0, []
    for turn_id, turn in enumerate(session.turns):
        if turn.resets_history and settings.history_resets == "respect":
            first = turn_id
        out.append(first)
    return tuple(out)


def first_visible_turn(session: Session, settings: Settings, turn_id: int) -> int:
    """For one turn what `first_visible_turns` has for all."""
    if settings.history_resets == "respect":
        for earlier in range(turn_id, 0, -1):
            if session.turns[earlier].resets_history:
                return earlier
    return 0


def drop_items(session: Session) -> Session:
    """The session without what `what_if.drop` names.

    A dropped turn keeps its number, emptied, so that every other address stays what it was; pages are dropped where
    they are rendered, since their ids are those of the whole session. Raises UsageError for an item that names nothing.
    """
    items = session.context.what_if.drop
    if not items:
        return session
    names: set[str] = set()
    turn_ids: set[int] = set()
    for item in items:
        kind, _, name = item.partition(":")
        if kind == "component":
            names.add(name)
        elif kind == "turn" and name.isdecimal() and int(name) < len(session.turns):
            turn_ids.add(int(name))
        elif kind != "page" or not name:
            msg = f"what_if.drop: {item!r} names nothing; expected component:NAME, turn:N (N < {len(session.turns)}) or page:ID"
            raise UsageError(msg)
    known = {c.name for c in session.components} | {c.name for turn in session.turns for c in turn.components}
    unknown = sorted(names - known)
    if unknown:
        msg = f"what_if.drop: no component {unknown[0]!r}; known: {', '.join(sorted(known)) or 'none'}"
        raise UsageError(msg)

    def without(components: tuple[Component, ...]) -> tuple[Component, ...]:
        return tuple(component for component in components if component.name not in names)

    turns = tuple(
        Turn(source=turn.source, resets_history=turn.resets_history, inactive_pages=turn.inactive_pages)
        if turn_id in turn_ids
        else turn.model_copy(update={"components": without(turn.components)})
        if turn.components and names
        else turn
        for turn_id, turn in enumerate(session.turns)
    )
    return session.model_copy(update={"components": without(session.components), "turns": turns})
