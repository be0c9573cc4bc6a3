from __future__ import annotations

import pytest

import ctxinspect


@pytest.mark.parametrize("name", ctxinspect.__all__)
def test_a_public_name_is_there(name):
    assert getattr(ctxinspect, name) is not None
    assert name in dir(ctxinspect)


def test_the_names_that_the_designs_give_are_public():
    from ctxinspect import (
        ComponentPriority,
        ContextAssembler,
        ContextComponent,
        ContextGatekeeper,
        count_tokens,
        create_pre_model_hook,
        estimate_tool_tokens,
        extract_anchors,
        toolresult_read,
    )

    named = (
        ContextAssembler,
        ContextComponent,
        ContextGatekeeper,
        create_pre_model_hook,
        extract_anchors,
        toolresult_read,
    )
    assert all(callable(one) and one.__doc__ for one in named)
    assert [priority.value for priority in ComponentPriority] == [100, 90, 70, 50, 30]
    assert (count_tokens("hello world"), estimate_tool_tokens([])) == (2, 0)


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        ctxinspect.nothing  # noqa: B018


def test_every_public_name_has_a_home():
    assert sorted(ctxinspect._HOMES) == ctxinspect.__all__ == sorted(ctxinspect.__all__)
