"""Every reported failure that the program can answer is named in a test."""

from __future__ import annotations

from pathlib import Path

from tests.support.shared import shared_folder

TESTS = Path(__file__).resolve().parents[1]
KINDS = range(1, 87)
"""Numbers of the cases on pairing, interrupted turns, trimming, counting, shape and loading."""


def test_every_case_on_pairing_trimming_counting_shape_and_loading_is_in_a_test():
    numbers = {path.name[:3] for path in shared_folder("cases").iterdir() if path.name[:3].isdigit()}
    sources = "".join(path.read_text("utf-8") for path in TESTS.rglob("test_*.py"))
    missing = sorted(number for number in numbers if int(number) in KINDS and f'"{number}"' not in sources)
    assert missing == []
