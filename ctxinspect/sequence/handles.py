"""Handles: a large tool result leaves the context, a short text with its address stays (page 4 rule 5)."""

from __future__ import annotations

from ctxinspect.errors import UsageError
from ctxinspect.model.content import counted_text
from ctxinspect.model.pairing import pair_turns
from ctxinspect.model.session import Session
from ctxinspect.text.nearest import nearest

__all__ = ["handle_text", "toolresult_read"]


def handle_text(page_id: str, text: str, tokens: int, preview_chars: int) -> str:
    """What stands for a stored result: its address, its size in tokens and characters, its first characters."""
    address = f"tr:{page_id}"
    size = f"{tokens} tokens, {len(text)} chars"
    head = f'[stored tool result {address}: {size}. Read it with toolresult_read("{address}").]'
    return f"{head}\n{text[:preview_chars]}"


def toolresult_read(session: Session, handle: str, offset: int = 0, limit: int | None = None) -> str:
    """The original text of a stored tool result, from `offset` on, at most `limit` code points.

    `handle` is the address in the handle's text, `tr:{page id}`. Raises UsageError where no result has that address.
    """
    if offset < 0 or (limit is not None and limit < 0):
        msg = f"offset {offset} and limit {limit} must not be negative"
        raise UsageError(msg)
    page_id = handle.removeprefix("tr:")
    pages = {page.id: page for turn in pair_turns(session.turns) for round_ in turn for page in round_.pages}
    page = pages.get(page_id)
    if page is None or page.result is None:
        msg = f"no stored tool result {handle}; {nearest(page_id, list(pages)) or 'the session has none'}"
        raise UsageError(msg)
    text = counted_text(page.result.content)
    return text[offset:] if limit is None else text[offset : offset + limit]
