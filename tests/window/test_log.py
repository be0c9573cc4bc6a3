from __future__ import annotations

import pytest

from ctxinspect.window import opening_lines, outcome_lines, share, topology_line, window_label


@pytest.mark.parametrize(
    ("size", "label"),
    [(128_000, "128K"), (8192, "8.192K"), (300, "0.3K"), (1_000_000, "1000K"), (1_048_576, "1048.576K"), (10, "0.01K")],
)
def test_the_window_is_given_in_k_without_rounding(size, label):
    assert window_label(size) == label


def test_the_check_value_of_the_specification():
    ready, prepared = outcome_lines(2, 2, 3815, 1725, 128_000, "conservative")
    assert ready.text == "Context ready: 2 msgs, ~3815 tokens + 1725 tools = 5540 / 128K (4.3%), strategy=conservative"
    assert prepared.text == "Messages prepared: 2 -> 2"


def test_trimming_is_told_with_both_numbers():
    trimmed, prepared = outcome_lines(50, 25, 82_000, 1725, 128_000, "balanced")
    assert trimmed.text == (
        "Messages trimmed: 50 -> 25 msgs. Total: ~82000 tokens + 1725 tools = 83725 / 128K (65.4%), strategy=balanced"
    )
    assert prepared.text == "Messages prepared: 50 -> 25"


def test_the_opening_lines_tell_the_topology_only_where_the_prompt_holds_it():
    assert [line.text for line in opening_lines(3)] == ["Calling pre_hook to prepare 3 messages"]
    lines = opening_lines(3, None, holds_topology=True)
    assert (lines[1].level, lines[1].text) == ("warning", "Topology data is None, injecting placeholder")


def test_the_first_five_nodes_are_named():
    value = '{"nodes": {"R1": {}, "R2": {}, "R3": {}, "R4": {}, "R5": {}, "R6": {}}}'
    line = topology_line(value)
    assert line.level == "info"
    assert line.text == f"Topology injected: {len(value)} chars, nodes: ['R1', 'R2', 'R3', 'R4', 'R5']"


@pytest.mark.parametrize("value", ["", "no json", "[1]", '{"nodes": [1]}', '{"other": {}}', "[" * 100_000])
def test_a_value_without_a_map_of_nodes_names_none(value):
    assert topology_line(value).text == f"Topology injected: {len(value)} chars, nodes: []"


def test_a_share_of_nothing_is_no_number():
    assert share(5, 0) == share(5, -3) == "-"
    assert share(5540, 128_000) == "4.3%"
