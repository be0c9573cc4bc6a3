"""Every error that ctxinspect raises on purpose is one of these, and its text is one line a user can act on.

CtxInspectError
├── UsageError        what was asked for makes no sense: an unknown turn, format, setting     (exit 2)
├── InputError        a file that cannot be read as a session: place, reason and remedy       (exit 2)
├── RecordingError    something that a recording cannot hold, or a file it cannot go on with; also a ValueError
└── SettingsError     a setting that is unknown or out of range; also a ValueError            (exit 2)
"""

from __future__ import annotations

__all__ = ["CtxInspectError", "InputError", "RecordingError", "SettingsError", "UsageError"]


class CtxInspectError(Exception):
    """The root: catching it catches everything that is the user's to mend, and no programming error."""


class UsageError(CtxInspectError):
    """What was asked for does not exist or does not fit together."""


class SettingsError(CtxInspectError, ValueError):
    """A setting is unknown, of the wrong type or out of range; the message names the value and what would be right."""


class RecordingError(CtxInspectError, ValueError):
    """What was handed to a recorder cannot be recorded; the message names the field and what would be right."""


class InputError(CtxInspectError):
    """A file that cannot be read as a session.

    `file` is the name as the user gave it, `line` a 1-based physical line, `path` a JSON path such as
    `$.turns[3].user`; `reason` says what is wrong and `remedy` what would be right. Unknown places are None.
    """

    def __init__(
        self,
        reason: str,
        *,
        file: str | None = None,
        line: int | None = None,
        path: str | None = None,
        remedy: str | None = None,
    ) -> None:
        self.reason = reason
        self.file = file
        self.line = line
        self.path = path
        self.remedy = remedy
        super().__init__(self._sentence())

    def _sentence(self) -> str:
        place = ":".join(str(part) for part in (self.file, self.line) if part is not None)
        text = f"{place}: {self.reason}" if place else self.reason
        if self.path:
            text += f" @ {self.path}"
        if self.remedy:
            text += f"; {self.remedy}"
        return text.replace("\n", " ")

    def located(self, file: str) -> InputError:
        """The same error with the file named, for callers that know it."""
        return InputError(self.reason, file=self.file or file, line=self.line, path=self.path, remedy=self.remedy)
