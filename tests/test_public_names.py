from __future__ import annotations

import pytest

import ctxinspect


@pytest.mark.parametrize("name", ctxinspect.__all__)
def test_a_public_name_is_there(name):
    assert getattr(ctxinspect, name) is not None
    assert name in dir(ctxinspect)


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        ctxinspect.nothing  # noqa: B018


def test_every_public_name_has_a_home():
    assert sorted(ctxinspect._HOMES) == ctxinspect.__all__ == sorted(ctxinspect.__all__)
