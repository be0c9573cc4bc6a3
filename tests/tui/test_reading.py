"""Long lines, hidden characters, orders, the wheel, the help, the palette and the themes."""

from __future__ import annotations

import asyncio

import pytest
from textual import events

from ctxinspect.readers import load
from ctxinspect.readers.samples import sample_paths
from ctxinspect.tui.actions import ACTIONS
from ctxinspect.tui.screens.reading import ReadingScreen
from ctxinspect.tui.widgets.line_list import LineList
from ctxinspect.tui.widgets.text_view import TextView
from tests.support.build import session, turn
from tests.support.frames import frame, inspector, play

LONG = session(turn("start " + "0123456789 " * 40 + "the end\tof\x1b it\u200b", "fine"), turn("short", None))
PRESSURE = load(sample_paths()["rag_pressure"])


def shown(*keys: str, made=LONG, size=(80, 24)) -> str:
    return "\n".join(play(inspector(made), keys, size))


def test_long_lines_can_be_left_long_and_gone_along():
    first = ["7", "g", "j"]
    assert "of␛ it" in shown(*first, size=(80, 60))
    assert "the end" not in shown(*first, "Z", "<")
    assert "not wrapped" in shown(*first, "Z")
    along = shown(*first, "Z", *[">"] * 11)
    assert "the end" in along
    assert "from cell 429" in along
    assert shown(*first, "Z", *[">"] * 20) == shown(*first, "Z", *[">"] * 25)
    assert "start 0123" in shown(*first, "Z", *[">"] * 11, *["<"] * 11)


def test_sideways_in_wrapped_text_says_what_to_press():
    assert "STAY   long lines wrap; Z leaves them long" in shown(">")


def test_the_place_to_the_right_is_kept_when_the_text_is_another():
    assert "from cell 39" in shown("7", "g", "j", "Z", ">", "j", "k")


def test_raw_text_shows_every_hidden_character():
    text = shown("7", "g", "j", "r", size=(80, 60))
    assert all(escape in text for escape in (r"end\tof", r"\x1b", r"\u200b"))
    assert any(line.startswith("-- ") and line.endswith(" raw") for line in text.splitlines())
    assert r"\x1b" not in shown("7", "g", "j", "r", "r")


def test_the_full_screen_has_the_same_keys():
    assert "the end" not in shown("7", "g", "j", "enter", "Z")
    assert "the end" in shown("7", "g", "j", "enter", "Z", *["l"] * 10)
    assert r"it\u200b" in shown("7", "g", "j", "enter", "r")


def test_rows_go_sideways_with_their_number_in_sight():
    text = shown("7", "g", "j", "l", "l")
    row = next(line for line in text.splitlines() if line.startswith(">") and "01" in line)
    assert "user" not in row
    assert "0123456789" in row
    assert "from cell 80" in text
    assert "STAY   nothing is further to the right" in shown("7", "g", *["l"] * 40)
    assert "from cell" not in shown("7", "g", "l", "h")


def test_another_request_keeps_the_place_to_the_right():
    assert "from cell 40" in shown("7", "g", "l", "comma")


def test_rows_are_sorted_by_the_next_column_and_the_title_says_so():
    by_want = shown("o", "o", "o", "O", made=PRESSURE)
    assert "3 COMPONENTS by want reversed" in by_want
    wants = [int(line[20:30]) for line in by_want.splitlines()[7:17]]
    assert wants == sorted(wants, reverse=True)
    assert len(set(wants)) > 5
    assert "by" not in shown(*["o"] * 8, made=PRESSURE).splitlines()[5]


def test_the_order_stays_for_the_next_request_and_the_cursor_keeps_its_row():
    async def use() -> tuple[str | None, str | None, str]:
        app = inspector(PRESSURE)
        async with app.run_test(size=(120, 40)) as pilot:
            await pilot.press("j", "j")
            panel = app.screen.query_one("#panel-3", LineList)
            before = panel.key
            await pilot.press("o", "o")
            after = panel.key
            await pilot.press("comma")
            await pilot.pause()
            return before, after, "\n".join(frame(app))

    before, after, text = asyncio.run(use())
    assert before == after is not None
    assert "3 COMPONENTS by component" in text


def test_ten_thousand_turns_are_refused_to_be_sorted_politely():
    many = session(*[turn(f"question {at}", "x") for at in range(2500)])
    assert "STAY   2500 rows are not sorted" in shown("1", "o", made=many)


def test_the_wheel_scrolls_and_takes_the_cursor_along():
    many = session(*[turn(f"question {at}", "x") for at in range(100)])

    async def use() -> tuple[int, int, int]:
        app = inspector(many)
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.press("1", "g")
            panel = app.screen.query_one("#panel-1", LineList)
            for kind in (events.MouseScrollDown, events.MouseScrollDown, events.MouseScrollUp):
                panel.post_message(kind(panel, 5, 5, 0, 0, 0, shift=False, meta=False, ctrl=False))
                await pilot.pause()
            await pilot.press("enter")
            return panel.top, panel.cursor, 0

    assert asyncio.run(use())[:2] == (3, 6)


def test_the_wheel_scrolls_a_text():
    async def use() -> int:
        app = inspector(session(turn("\n".join(map(str, range(200))), None)))
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.press("7", "j", "enter")
            await pilot.pause()
            text = app.screen.query_one(TextView)
            text.post_message(events.MouseScrollDown(text, 5, 5, 0, 0, 0, shift=False, meta=False, ctrl=False))
            await pilot.pause()
            return text.top

    assert asyncio.run(use()) == 3


def test_the_help_can_be_filtered_and_says_so():
    assert "KEYS  / filter" in shown("?")
    text = shown("?", "/", *"clip", "backspace", "backspace", "backspace", "backspace", *"wheel", "enter")
    assert "No line holds 'wheel'." in text
    text = shown("?", "/", *"half a screen")
    assert "4 lines with 'half a screen'" in text
    assert "Quit" not in text
    assert "KEYS  / filter" in shown("?", "/", *"half", "escape").splitlines()[0]
    kept = shown("?", "/", *"half", "enter", "q")
    assert "lines with" not in kept
    assert "KEYS" in kept


def test_keys_that_were_given_to_actions_stand_in_the_help():
    async def use() -> str:
        app = inspector(LONG)
        app.set_keymap({"yank": "f6", "export": ""})
        async with app.run_test(size=(80, 60)) as pilot:
            await pilot.press("f6")
            await pilot.pause()
            opened = "COPY" in "\n".join(frame(app))
            await pilot.press("escape", "question_mark", "slash", *"Copy: row")
            await pilot.pause()
            assert opened
            return "\n".join(frame(app))

    assert "f6" in asyncio.run(use())


def test_the_palette_finds_an_action_and_does_it():
    async def use() -> str:
        app = inspector(PRESSURE)
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.press("ctrl+p")
            await pilot.pause(0.3)
            listed = frame(app)
            assert any(line.startswith(" next ") for line in listed)
            assert all(line.isascii() for line in listed)
            await pilot.press(*"turn-back")
            await pilot.pause(0.5)
            await pilot.press("enter")
            await pilot.pause(0.3)
            return frame(app)[0]

    assert "t5/7" in asyncio.run(use())


@pytest.mark.parametrize("scope", ["inspect", "list", "app"])
def test_the_palette_offers_every_action_of_the_screen(scope):
    from ctxinspect.tui.screens.palette import Actions

    async def use() -> set[str]:
        app = inspector(PRESSURE)
        async with app.run_test(size=(80, 24)):
            return {action.id for action, _, _ in Actions(app.screen)._offers()}

    wanted = {action.id for action in ACTIONS if action.scope == scope}
    assert wanted - asyncio.run(use()) <= {"palette", "list.down", "list.up"}


def test_the_theme_can_be_changed_and_a_wrong_one_names_the_nearest():
    async def use() -> tuple[str, set[str], str]:
        app = inspector(PRESSURE)
        async with app.run_test(size=(120, 40)) as pilot:
            await pilot.press(":", *"theme textual-light", "enter")
            await pilot.pause()
            strips = app.screen._compositor.render_strips()
            backs = {str(s.style.bgcolor.name) for strip in strips for s in strip if s.style and s.style.bgcolor}
            await pilot.press(":", *"theme nrd", "enter")
            await pilot.pause()
            return app.theme, backs, "\n".join(frame(app))

    theme, backs, text = asyncio.run(use())
    assert theme == "textual-light"
    assert "#000000" not in backs
    assert "theme 'nrd': did you mean" in text
    assert "THEME  ctx-dark; there are ctx-ansi, ctx-dark" in shown(":", *"theme", "enter", size=(160, 30))


def test_a_reading_screen_of_any_size_can_be_closed():
    async def use(size) -> bool:
        app = inspector(LONG)
        async with app.run_test(size=size) as pilot:
            await pilot.press("enter", "Z", "r", "l", "h", "/", "x", "escape", "q")
            await pilot.pause()
            return isinstance(app.screen, ReadingScreen)

    assert not any(asyncio.run(use(size)) for size in ((80, 24), (40, 10), (20, 5), (10, 3), (1, 1)))


def test_a_drag_of_the_mouse_selects_text_and_ctrl_c_copies_it():
    made = session(turn("alpha 中文 beta\nsecond line\n" + "word " * 30 + "end", None))

    async def use() -> tuple[str | None, str | None, list[str]]:
        app = inspector(made)
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.press("7", "g", "enter")
            await pilot.pause()
            await pilot.mouse_down(offset=(7, 2))
            await pilot.hover(offset=(6, 3))
            await pilot.mouse_up(offset=(6, 3))
            await pilot.pause()
            some = app.screen.get_selected_text()
            reverse = [
                segment.text
                for strip in app.screen._compositor.render_strips()
                for segment in strip
                if segment.style and segment.style.reverse
            ]
            await pilot.mouse_down(offset=(1, 4))
            await pilot.hover(offset=(60, 6))
            await pilot.mouse_up(offset=(60, 6))
            await pilot.pause()
            return some, app.screen.get_selected_text(), reverse

    some, wrapped, reverse = asyncio.run(use())
    assert some == "中文 beta\nsecond"
    assert "".join(reverse) == "中文 beta second"
    assert wrapped is not None
    assert "\n" not in wrapped
    assert wrapped.startswith("word word")
