"""Turns as native messages with strictly paired tool calls (specification page 4).

A call never stands without its result and no result without its call; nothing empty is sent; who speaks is always
visible. `Sequencer.event_tokens` is the sum of the costs of exactly the messages rendered, so statistics, recall cost
and trimming cannot differ. Rendering is pure and remembered by (turn, pages switched off).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ctxinspect.model.content import Content, content_media, content_text, counted_text, join_contents, label_content
from ctxinspect.model.messages import Message, MessageState, RenderedCall, Synthetic
from ctxinspect.model.pairing import Page, RoundPages, pair_turns
from ctxinspect.model.session import Session, Turn
from ctxinspect.sequence.handles import handle_text
from ctxinspect.sequence.pages import PageFate, round_findings
from ctxinspect.settings import Settings
from ctxinspect.tokens.cost import Count, message_cost
from ctxinspect.trace.types import Finding

__all__ = ["STUB_TEXT", "RenderedTurn", "Sequencer"]

STUB_TEXT = "[interrupted: no result]"


@dataclass(frozen=True, slots=True)
class RenderedTurn:
    """A turn's messages in order, what was noticed on the way, the fate of its pages, and its cost in tokens."""

    turn_id: int
    messages: tuple[Message, ...]
    findings: tuple[Finding, ...]
    pages: tuple[PageFate, ...]
    tokens: int


class Sequencer:
    """Renders the turns of one session under one set of settings."""

    def __init__(self, session: Session, settings: Settings, count: Count) -> None:
        self._turns = session.turns
        self._settings = settings
        self._count = count
        self._chat_tools = frozenset(session.chat_tools)
        self.pages: tuple[tuple[RoundPages, ...], ...] = pair_turns(session.turns)
        self._dropped = frozenset(item.partition(":")[2] for item in settings.what_if.drop if item.startswith("page:"))
        self._history: dict[tuple[int, frozenset[str]], RenderedTurn] = {}
        self._switched_off = self._inactive_from()
        self.turns_rendered = 0

    def page(self, page_id: str) -> Page | None:
        """The page of this id, or None."""
        pages = (page for turn in self.pages for round_ in turn for page in round_.pages)
        return next((page for page in pages if page.id == page_id), None)

    def inactive_pages(self, at_turn: int, of_turn: int) -> frozenset[str]:
        """Ids of `of_turn`'s pages that are switched off at or before `at_turn`."""
        return frozenset(
            page.id
            for round_ in self.pages[of_turn]
            for page in round_.pages
            if page.id in self._dropped or self._switched_off.get(page.id, at_turn + 1) <= at_turn
        )

    def real_words(self, turn_id: int) -> str | None:
        """What the person really said in a turn that another source opened: its first chat tool result (rule 6)."""
        turn = self._turns[turn_id]
        if turn.source in ("user", "system"):
            return None
        for round_ in self.pages[turn_id]:
            for page in round_.pages:
                result = page.result
                if (
                    page.call.name in self._chat_tools
                    and result
                    and not result.is_error
                    and page.id not in self._dropped
                ):
                    words = content_text(result.content)
                    if words.strip():
                        return words
        return None

    def block_texts(self, turn_id: int) -> tuple[str, str]:
        """User and assistant text of a turn as a block of history, without label (page 5)."""
        turn = self._turns[turn_id]
        user = self.real_words(turn_id)
        texts = [content_text(round_.assistant) for round_ in turn.rounds] + [content_text(turn.assistant)]
        return (content_text(turn.user) if user is None else user), "\n".join(text for text in texts if text)

    def history(self, turn_id: int, at_turn: int) -> RenderedTurn:
        """A whole earlier turn as it stands in history at `at_turn`."""
        inactive = self.inactive_pages(at_turn, turn_id)
        known = self._history.get((turn_id, inactive))
        if known is None:
            known = self._render(turn_id, inactive, len(self._turns[turn_id].rounds), history=True)
            self._history[turn_id, inactive] = known
        return known

    def current(self, turn_id: int, rounds: int) -> RenderedTurn:
        """The current turn at request `rounds`: its user message and its first `rounds` rounds, no final answer."""
        return self._render(turn_id, self.inactive_pages(turn_id, turn_id), rounds, history=False)

    def event_tokens(self, turn_id: int, at_turn: int) -> int:
        """Tokens of an earlier turn as rendered whole: the sum of its messages' costs (rule 10)."""
        return self.history(turn_id, at_turn).tokens

    def block(self, turn_id: int, user: str, assistant: str, *, user_cut: bool, assistant_cut: bool) -> RenderedTurn:
        """A recalled block: text only, its tool pages left out, each side as given (pruned or whole)."""
        messages: list[Message] = []
        if user:
            role, content, synthetic = self._speaker(turn_id, user, history=True)
            messages.append(self._message(role, content, turn_id, None, synthetic, "pruned" if user_cut else "kept"))
        if assistant:
            state: MessageState = "pruned" if assistant_cut else "kept"
            messages.append(self._message("assistant", assistant, turn_id, None, None, state))
        return RenderedTurn(turn_id, tuple(messages), (), (), sum(m.tokens for m in messages))

    def system(self, text: str) -> Message | None:
        """The system message, or None where the text is empty."""
        return self._message("system", text, None, None, None, "kept") if text else None

    # --- one turn ---

    def _render(self, turn_id: int, inactive: frozenset[str], rounds: int, *, history: bool) -> RenderedTurn:
        self.turns_rendered += 1
        turn = self._turns[turn_id]
        messages: list[Message] = []
        user = self._user_message(turn_id, turn, history=history)
        if user is not None:
            messages.append(user)
        in_flight = self._in_flight_round(turn_id)
        findings: list[Finding] = []
        fates: list[PageFate] = []
        shown = self.pages[turn_id][:rounds]
        for number, round_ in enumerate(shown):
            findings += round_findings(turn, turn_id, number, round_, inactive, in_flight=number == in_flight)
        if self._settings.sequence.layout == "flattened":
            messages += self._flattened(turn_id, turn, shown, inactive, fates, findings, final=history)
        else:
            for number, round_ in enumerate(shown):
                messages += self._round(turn_id, turn.rounds[number].assistant, number, round_.pages, inactive, fates)
            if history and content_text(turn.assistant):
                messages.append(self._message("assistant", turn.assistant or "", turn_id, None, None, "kept"))
        return RenderedTurn(
            turn_id, tuple(messages), tuple(findings), tuple(fates), sum(message.tokens for message in messages)
        )

    def _flattened(
        self,
        turn_id: int,
        turn: Turn,
        shown: Sequence[RoundPages],
        inactive: frozenset[str],
        fates: list[PageFate],
        findings: list[Finding],
        *,
        final: bool,
    ) -> list[Message]:
        pages = [page for round_ in shown for page in round_.pages]
        texts: list[Content | None] = [round_.assistant for round_ in turn.rounds[: len(shown)]]
        answered = final and turn.has_answer
        content = join_contents([*texts, turn.assistant if final else None])
        messages = self._round(turn_id, content, None, pages, inactive, fates)
        if answered and messages and messages[0].calls:
            text = "one flattened message gives the final answer before the results it rests on"
            findings.append(Finding("answer-before-evidence", "info", "render", turn_id=turn_id, text=text))
        return messages

    def _round(
        self,
        turn_id: int,
        assistant: Content | None,
        number: int | None,
        pages: Sequence[Page],
        inactive: frozenset[str],
        fates: list[PageFate],
    ) -> list[Message]:
        """One assistant message and the results of its calls, in the order of the calls."""
        calls: list[RenderedCall] = []
        results: list[Message] = []
        for page in pages:
            if page.id in inactive:
                rule = "what_if_drop" if page.id in self._dropped else "inactive"
                fates.append(PageFate(page.id, turn_id, "dropped", rule))
                continue
            if page.result is None and self._settings.sequence.orphan_calls == "drop":
                fates.append(PageFate(page.id, turn_id, "dropped", "orphan"))
                continue
            calls.append(RenderedCall(page.id, page.call.name, page.call.arguments))
            message, fate = self._result(turn_id, page.round, page)
            results.append(message)
            fates.append(fate)
        content = assistant or ""
        if not calls and not content_text(content):
            return []
        return [self._message("assistant", content, turn_id, number, None, "kept", tuple(calls)), *results]

    def _result(self, turn_id: int, number: int, page: Page) -> tuple[Message, PageFate]:
        name = page.call.name
        if page.result is None:
            stub = self._message("tool", STUB_TEXT, turn_id, number, "stub", "stub", call_id=page.id, name=name)
            return stub, PageFate(page.id, turn_id, "kept", "orphan")
        content, state, fate = page.result.content, "kept", PageFate(page.id, turn_id, "kept", "paired")
        limit = self._settings.sequence.handle_over_tokens
        if limit is not None and not content_media(content) and not self._settings.rule_off("handles"):
            text = counted_text(content)
            tokens = self._count(text)
            if tokens > limit:
                handle = handle_text(page.id, text, tokens, self._settings.sequence.handle_preview_chars)
                if self._count(handle) < tokens:
                    content, state = handle, "handle"
                    fate = PageFate(page.id, turn_id, "handle", "handle_over_tokens", tokens, limit)
        message = self._message(
            "tool",
            content,
            turn_id,
            number,
            None,
            "handle" if state == "handle" else "kept",
            call_id=page.id,
            name=name,
            is_error=page.result.is_error,
        )
        return message, fate

    def _user_message(self, turn_id: int, turn: Turn, *, history: bool) -> Message | None:
        words = self.real_words(turn_id) if history else None
        text: Content = turn.user if words is None else words
        if not content_text(text):
            return None
        role, content, synthetic = self._speaker(turn_id, text, history=history)
        return self._message(role, content, turn_id, None, synthetic, "kept")

    def _speaker(self, turn_id: int, text: Content, *, history: bool) -> tuple[str, Content, Synthetic | None]:
        """Role, content and mark of a turn's opening message: no notification poses as a person (rule 6)."""
        source = self._turns[turn_id].source
        if source in ("user", "system"):
            return source, text, None
        if history and self.real_words(turn_id) is not None:
            return "user", text, "chat_tool"
        return "user", label_content(f"[{source}]", text), "label"

    def _message(
        self,
        role: str,
        content: Content,
        turn_id: int | None,
        number: int | None,
        synthetic: Synthetic | None,
        state: MessageState,
        calls: tuple[RenderedCall, ...] = (),
        *,
        call_id: str | None = None,
        name: str | None = None,
        is_error: bool = False,
    ) -> Message:
        settings = self._settings
        tokens = message_cost(
            content, calls, self._count, overhead=settings.message_overhead, image_tokens=settings.image_tokens
        )
        return Message(
            role=role,  # type: ignore[arg-type]
            content=content,
            tokens=tokens,
            turn_id=turn_id,
            round=number,
            calls=calls,
            call_id=call_id,
            name=name,
            synthetic=synthetic,
            state=state,
            is_error=is_error,
        )

    # --- what holds for the whole session ---

    def _inactive_from(self) -> dict[str, int]:
        """For each page id that is ever switched off, the first turn at which it is."""
        first: dict[str, int] = {}
        for turn_id, turn in enumerate(self._turns):
            for page_id in turn.inactive_pages:
                first.setdefault(page_id, turn_id)
        return first

    def _in_flight_round(self, turn_id: int) -> int | None:
        """The round whose unanswered calls are in flight: the session's very last, its turn unanswered (rule 3)."""
        turn = self._turns[turn_id]
        last = turn_id == len(self._turns) - 1 and not turn.has_answer and turn.rounds
        return len(turn.rounds) - 1 if last else None
