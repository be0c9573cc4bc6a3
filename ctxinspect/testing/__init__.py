"""Testing what a model will see: an assertion that says why it fails, and a pytest plugin for approved contexts.

Importing this package loads nothing of the program and nothing of pytest; each name is loaded when it is used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ctxinspect.testing.approved import ContextSnapshot
    from ctxinspect.testing.asserting import assert_context
    from ctxinspect.testing.opened import SessionLike

__all__ = ["ContextSnapshot", "SessionLike", "assert_context"]

_HOMES = {"ContextSnapshot": "approved", "SessionLike": "opened", "assert_context": "asserting"}


def __getattr__(name: str) -> Any:
    """A public name, from the module it lives in."""
    home = _HOMES.get(name)
    if home is None:
        msg = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(msg)
    return getattr(import_module(f"{__name__}.{home}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
