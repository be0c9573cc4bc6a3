from __future__ import annotations

from ctxinspect.text.placeholders import fill, missing_text


def test_a_placeholder_is_replaced_by_its_value():
    filled = fill("Hello {{user_name}}, {{user_name}}!", {"user_name": "Ada"})
    assert filled.text == "Hello Ada, Ada!"
    assert filled.names == ("user_name",)
    assert filled.unfilled == ()


def test_text_inside_a_value_is_not_filled_again():
    assert fill("{{a}}", {"a": "{{b}}", "b": "never"}).text == "{{b}}"


def test_a_null_and_a_missing_value_leave_a_sentence_and_are_named():
    filled = fill("{{topology_info}} {{user_name}} {{fine}}", {"topology_info": None, "fine": ""})
    assert filled.text == "(No topology information available) (No user name available) "
    assert filled.unfilled == ("topology_info", "user_name")


def test_names_are_word_characters_without_spaces():
    text = "{{ a }} {{a-b}} {a} {{}} {{{{a}}}}"
    assert fill(text, {"a": "x"}).text == "{{ a }} {{a-b}} {a} {{}} {{x}}"
    assert fill("{{拓扑}}", {"拓扑": "好"}).text == "好"


def test_underscores_read_as_spaces_in_the_sentence():
    assert missing_text("build_log_tail") == "(No build log tail available)"
