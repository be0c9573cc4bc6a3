"""Sections of the system prompt and the count of the text they make when joined.

A section is `# NAME` and its content; sections are joined by one blank line. `SectionCounts.total` is always
`count(text)` of exactly that joined text, headers and blank lines included. Nothing is ever charged by adding up parts
that were counted alone, with one proven exception: for the tiktoken encodings the total is the sum over the sections,
each counted together with the blank line after it. Their split patterns end a piece after the last line break before
`#`, and every section begins with `#`, so no token reaches over that boundary.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from ctxinspect.tokens.cost import Count
from ctxinspect.tokens.counter import Counter
from ctxinspect.tokens.vocab import SHA256

__all__ = ["BLANK_LINE", "TRUNCATION_MARK", "SectionCounts", "cut_section", "joined", "section_text"]

BLANK_LINE = "\n\n"
TRUNCATION_MARK = "\n... (truncated)"

_LONG_BLANK = re.compile(r"\s{100000}")
"""Runs this long may be counted in pieces, depending on the whole text's length: there nothing is split."""


def section_text(name: str, content: str) -> str:
    """The section of a component: its name, upper-cased as it stands, and its content."""
    return f"# {name.upper()}\n{content}"


def cut_section(name: str, kept: str) -> str:
    """The section of a component of which only `kept` is left."""
    return section_text(name, kept) + TRUNCATION_MARK


def joined(sections: Sequence[str]) -> str:
    """The sections as one text."""
    return BLANK_LINE.join(sections)


class SectionCounts:
    """Counts joined sections, addressed by their index; a section's text may be replaced when it is cut.

    `count` is asked for texts that come back in other requests, `measure` (the same figure, not remembered) for probes.
    """

    def __init__(self, sections: Sequence[str], count: Count, measure: Count | None = None) -> None:
        self._sections = list(sections)
        self._count = count
        self._measure = measure or count
        self.additive = _is_additive(count) and not any(
            len(text) >= 100_000 and _LONG_BLANK.search(text) for text in self._sections
        )
        self._closed: dict[int, int] = {}

    def text(self, order: Sequence[int]) -> str:
        """The joined text of these sections in this order."""
        return joined([self._sections[index] for index in order])

    def replace(self, index: int, section: str) -> None:
        """Put a cut section in the place of the whole one."""
        self._sections[index] = section
        self._closed.pop(index, None)

    def total(self, order: Sequence[int]) -> int:
        """Tokens of the joined text of these sections in this order."""
        if not order:
            return 0
        if not self.additive:
            return self._measure(self.text(order))
        return sum(self._with_blank_line(index) for index in order[:-1]) + self._count(self._sections[order[-1]])

    def probe(self, order: Sequence[int], index: int) -> Callable[[str], int]:
        """A function from a text in the place of section `index` to the tokens of the joined text of `order`."""
        at = order.index(index)
        if not self.additive:
            head = [self._sections[i] for i in order[:at]]
            tail = [self._sections[i] for i in order[at + 1 :]]
            return lambda section: self._measure(joined([*head, section, *tail]))
        before = sum(self._with_blank_line(i) for i in order[:at])
        after = self.total(order[at + 1 :])
        end = BLANK_LINE if at + 1 < len(order) else ""
        return lambda section: before + self._measure(section + end) + after

    def alone(self, index: int) -> int:
        """Tokens of one section by itself."""
        return self._count(self._sections[index])

    def _with_blank_line(self, index: int) -> int:
        known = self._closed.get(index)
        if known is None:
            known = self._closed[index] = self._count(self._sections[index] + BLANK_LINE)
        return known


def _is_additive(count: Count) -> bool:
    return isinstance(count, Counter) and count.name in SHA256
