"""What can be asked for in the prompt row: its sign, its hint, what completes it. Plain data."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Prompt"]


@dataclass(frozen=True, slots=True)
class Prompt:
    """A question in the log row: `kind` says who gets the answer, `sign` stands before it, `hint` while it is empty.

    `about` goes with the answer. Up and down go through `options` where there are some, else through what was given
    before.
    """

    kind: str
    sign: str
    hint: str
    completions: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    about: str = ""
