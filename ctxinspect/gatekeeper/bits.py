"""Sets of turns as integers: bit b stands for turn b, so that one operation looks at every turn at once.

`leading` finds the best of all turns without scoring each: the weights of what a turn holds are added for all turns
together, in fixed point, and only those that may be among the best are left for exact scoring. What it leaves out is
certainly worse than what it returns.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import isfinite

__all__ = ["counting_bits", "leading", "members", "turn_bits"]

_PRECISION = 18
"""Binary digits of the fixed point in which weights are added."""
_DIGITS = _PRECISION + 2


def turn_bits(turns: Iterable[int], count: int) -> int:
    """The set of these turns, all below `count`."""
    held = bytearray(count // 8 + 1)
    for turn in turns:
        held[turn >> 3] |= 1 << (turn & 7)
    return int.from_bytes(held, "little")


def members(bits: int) -> list[int]:
    """The turns of a set, ascending."""
    text = f"{bits:b}"[::-1]
    found: list[int] = []
    at = text.find("1")
    while at >= 0:
        found.append(at)
        at = text.find("1", at + 1)
    return found


def counting_bits(digit: int, count: int) -> int:
    """The set of the turns below `count` whose number has this binary digit."""
    half = 1 << digit
    bits, length = ((1 << half) - 1) << half, 2 * half
    while length < count:
        bits |= bits << length
        length *= 2
    return bits & ((1 << count) - 1)


def leading(pool: int, parts: Sequence[tuple[int, float]], limit: int) -> int:
    """The turns of `pool` that may be among its `limit` best, by the sum of the weights of the parts they are in.

    `parts` are sets of turns with a weight of 0 or more. A turn that is left out has a sum smaller, by more than nine
    decimals can hide, than each of at least `limit` turns that are returned.
    """
    whole = sum(weight for _, weight in parts)
    if pool.bit_count() <= limit or whole <= 0 or not isfinite(whole):
        return pool
    scale = (1 << _PRECISION) / whole
    sums = [0] * _DIGITS
    for turns, weight in parts:
        _add(sums, turns & pool, int(weight * scale))
    # Each part was rounded down by less than 1; two more for the ninth decimal and for errors of floats.
    worst = _nth_largest(sums, pool, limit) - len(parts) - 2 - int(scale * 1e-8)
    return _at_least(sums, pool, worst) if worst > 0 else pool


def _add(sums: list[int], turns: int, weight: int) -> None:
    """Add a weight to the sums of all these turns; `sums[k]` holds the turns whose sum has binary digit k."""
    carry = 0
    for digit in range(_DIGITS):
        if not carry and not weight >> digit:
            return
        held = sums[digit]
        if weight >> digit & 1:
            differ = held ^ turns
            sums[digit] = differ ^ carry
            carry = (held & turns) | (carry & differ)
        elif carry:
            sums[digit] = held ^ carry
            carry &= held


def _nth_largest(sums: Sequence[int], pool: int, nth: int) -> int:
    """The nth largest sum among the turns of the pool, digit by digit from the highest."""
    value = 0
    for digit in range(_DIGITS - 1, -1, -1):
        above = pool & sums[digit]
        count = above.bit_count()
        if count >= nth:
            pool, value = above, value | 1 << digit
        else:
            nth -= count
            pool &= ~sums[digit]
    return value


def _at_least(sums: Sequence[int], pool: int, value: int) -> int:
    """The turns of the pool whose sum is at least this."""
    larger, equal = 0, pool
    for digit in range(_DIGITS - 1, -1, -1):
        if value >> digit & 1:
            equal &= sums[digit]
        else:
            larger |= equal & sums[digit]
            equal &= ~sums[digit]
    return larger | equal
