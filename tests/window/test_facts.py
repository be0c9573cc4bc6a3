from __future__ import annotations

from ctxinspect.window import Unit, window_sizes
from ctxinspect.window.facts import window_findings


def ids(**over):
    options = {"tools": 0, "system": 10, "request": 50, "dropped": (), "size": 1000, "priming": 3} | over
    sizes = window_sizes(1, "balanced", options["tools"], context_tokens=options["size"])
    return {
        finding.id: finding
        for finding in window_findings(
            sizes,
            system_tokens=options["system"],
            priming=options["priming"],
            request_tokens=options["request"],
            dropped=options["dropped"],
        )
    }


def test_a_request_with_room_has_no_findings():
    assert ids() == {}


def test_tools_over_the_input_budget_are_an_error_with_advice_and_both_figures():
    found = ids(tools=751, request=13)["tools-over-budget"]
    assert found.severity == "error"
    assert "751" in found.text
    assert "750" in found.text
    assert "more aggressive strategy" in found.text
    assert "conservative one makes it worse" in found.text
    assert "tools-over-budget" not in ids(tools=750, request=13)


def test_a_system_message_over_the_budget_counts_the_priming_too():
    assert "system-over-budget" in ids(system=748)
    assert "system-over-budget" not in ids(system=747)
    assert "system-over-budget" not in ids(system=748, priming=0)


def test_headroom_is_low_under_one_and_a_half_times_the_system_message():
    assert "low-headroom" not in ids(system=500)
    found = ids(system=501)["low-headroom"]
    assert found.severity == "warning"
    assert found.message == 0


def test_without_a_system_message_nothing_is_said_about_it():
    assert set(ids(system=None, tools=800, request=3)) == {"tools-over-budget", "over-budget"}


def test_a_request_over_budget_says_how_many_tokens_are_missing():
    assert "over-budget" not in ids(request=750)
    found = ids(request=757)["over-budget"]
    assert found.severity == "error"
    assert "7 more than" in found.text


def test_trimmed_history_is_told_with_units_and_tokens():
    dropped = [Unit("turn", 0, None, 30), Unit("turn", 1, None, 20), Unit("round", 2, 0, 5)]
    found = ids(dropped=dropped)["history-trimmed"]
    assert found.severity == "info"
    assert found.text == "2 turns and 1 round trimmed to fit, 55 tokens"
