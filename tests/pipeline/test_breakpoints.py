"""Breakpoints: an edit gives a new collection, and their file holds exactly what was written or says what is wrong where."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxinspect.errors import InputError, UsageError
from ctxinspect.pipeline.breakpoints import (
    Breakpoint,
    Breakpoints,
    dump_breakpoints,
    load_breakpoints,
    parse_breakpoints,
)

EXPRESSIONS = (
    "topic",
    "topic margin<0.05",
    'text "a \\"quoted\\" word"',
    "drop role=tool or trunc",
    "text /ünïcödé\\/x/i",
)
HEAD = 'format = "ctxinspect-breaks/1"\n'


def test_an_edit_gives_a_new_collection_and_an_id_is_never_used_twice():
    first = Breakpoints().add("topic").add("trunc", once=True)
    fewer = first.remove(2)
    assert [(item.id, item.expression, item.once) for item in first] == [(1, "topic", False), (2, "trunc", True)]
    assert [item.id for item in fewer.add("drop")] == [1, 3]
    assert fewer.replace(1, "cover").get(1) == Breakpoint(1, "cover")


def test_a_breakpoint_is_switched_off_and_on_without_being_deleted():
    one = Breakpoints().add("topic")
    off = one.toggle(1)
    assert off.enabled == ()
    assert off.toggle(1) == one == off.toggle(1, enabled=True) == one.toggle(1, enabled=True)
    assert one.with_ignore(1, 5).get(1).ignore == 5


@pytest.mark.parametrize("edit", [lambda b: b.remove(7), lambda b: b.toggle(7), lambda b: b.with_ignore(7, 1)])
def test_an_unknown_id_names_those_there_are(edit):
    with pytest.raises(UsageError, match="no breakpoint 7; there are 1, 2"):
        edit(Breakpoints().add("topic").add("drop"))
    with pytest.raises(UsageError, match="none is set"):
        edit(Breakpoints())


def test_an_expression_that_cannot_be_read_is_never_set():
    with pytest.raises(UsageError, match='did you mean "topic"'):
        Breakpoints().add("tpic")
    with pytest.raises(UsageError, match="0 or more"):
        Breakpoints().add("topic").with_ignore(1, -1)


@given(
    st.lists(
        st.tuples(st.sampled_from(EXPRESSIONS), st.booleans(), st.integers(0, 9), st.booleans(), st.booleans()),
        max_size=5,
    )
)
def test_what_is_written_is_read_again(rows):
    breakpoints = Breakpoints()
    for expression, enabled, ignore, once, gone in rows:
        breakpoints = breakpoints.add(expression, once=once)
        number = breakpoints.last_id
        breakpoints = breakpoints.toggle(number, enabled=enabled).with_ignore(number, ignore)
        breakpoints = breakpoints.remove(number) if gone else breakpoints
    assert parse_breakpoints(dump_breakpoints(breakpoints)).items == breakpoints.items


def test_ids_may_be_left_out_of_a_file():
    text = HEAD + '[[breakpoint]]\non = "topic"\n[[breakpoint]]\nid = 4\non = "drop"\n'
    assert [(item.id, item.expression) for item in parse_breakpoints(text)] == [(4, "drop"), (5, "topic")]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "b.toml:1: no format; expected format"),
        ('format = "ctxinspect-breaks/9"', "b.toml:1: format is 'ctxinspect-breaks/9'; expected"),
        (HEAD + "[[breakpoint]\n", "b.toml:2: not TOML"),
        (HEAD + "breakpoint = 3", "b.toml:2: breakpoint is no table"),
        (HEAD + 'breaks = "x"', "b.toml:2: unknown key 'breaks'; did you mean \"breakpoint\"?"),
        (HEAD + '\n[[breakpoint]]\non = "topic"\nignor = 3', "b.toml:5: unknown key 'breakpoint.ignor'; did you mean \"ignore\"?"),
        (HEAD + '[[breakpoint]]\non = "topic"\n[[breakpoint]]\non = 7', "b.toml:5: on is 7; expected a string"),
        (HEAD + '[[breakpoint]]\nid = 0\non = "topic"', "b.toml:3: id is 0; expected a whole number from 1"),
        (HEAD + '[[breakpoint]]\non = "topic"\nignore = true', "b.toml:4: ignore is True; expected a whole number from 0"),
        (HEAD + "[[breakpoint]]\nid = 3", "b.toml:2: a breakpoint without on"),
        (HEAD + '[[breakpoint]]\non = "topic margn<1"', "b.toml:3: on: topic: no field 'margn'; did you mean \"margin\"?"),
        (HEAD + '[[breakpoint]]\nid = 2\non = "topic"\n[[breakpoint]]\nid = 2\non = "topic"', "b.toml:6: id 2 twice"),
    ],
)  # fmt: skip
def test_a_bad_file_is_one_line_with_file_line_and_key(text, said):
    with pytest.raises(InputError) as raised:
        parse_breakpoints(text, "b.toml")
    assert str(raised.value).startswith(said)
    assert "\n" not in str(raised.value)


def test_a_file_is_loaded_with_or_without_a_byte_order_mark(tmp_path):
    path = tmp_path / "breaks.toml"
    path.write_text("\ufeff" + dump_breakpoints(Breakpoints().add("topic")), "utf-8")
    assert load_breakpoints(path).items == (Breakpoint(1, "topic"),)
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match="not UTF-8"):
        load_breakpoints(path)
