from __future__ import annotations

import pytest

from ctxinspect.assembler import assemble
from ctxinspect.model.session import Component
from ctxinspect.tokens.counter import named_counter
from tests.support.golden import expected_requests, golden_session, session_files


def components_at(session, turn_id) -> list[Component]:
    own = {component.name: component for component in session.turns[turn_id].components}
    return [*(own.pop(component.name, component) for component in session.components), *own.values()]


@pytest.mark.parametrize("file", session_files())
def test_every_golden_request_is_assembled_as_expected(file):
    session = golden_session(file)
    counter = named_counter(session.context.counter)
    for want in expected_requests(file):
        turn_id = want["turn_id"]
        variables = {**session.variables, **session.turns[turn_id].variables}
        trace = assemble(components_at(session, turn_id), variables, session.context.assembler, counter).trace
        expected = dict(want["assembly"])
        rows = expected.pop("components")
        assert {key: getattr(trace, key) for key in expected} == expected
        assert [{key: getattr(row, key) for key in rows[0]} for row in trace.components] == rows
        system = [message["content"] for message in want["messages"] if message["role"] == "system"][:1]
        assert [trace.text] == system or not trace.text
