"""Key bindings made from the registry: every key of a scope leads to `action_act(id)`."""

from __future__ import annotations

from textual.binding import Binding, BindingType

from ctxinspect.tui.actions import Scope, scoped

__all__ = ["bindings_for"]


def bindings_for(*scopes: Scope) -> list[BindingType]:
    """Bindings of all actions of these scopes, by their ids, hidden from the toolkit's own footer."""
    return [
        Binding(
            ",".join(action.keys), f"act('{action.id}')", action.label, show=False, id=action.id, tooltip=action.help
        )
        for action in scoped(*scopes)
    ]
