"""How much tests try: the quick ones one case of several, the slow ones all that a change must pass, or everything
with `--thorough`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

import pytest

T = TypeVar("T")

_thorough = False


def set_thorough(thorough: bool) -> None:
    """Sets how thorough tests are. Call this before importing tests: they read the setting on import."""
    global _thorough
    _thorough = thorough


def tries(usual: T, thorough: T) -> T:
    """Returns `usual`, or `thorough` with `--thorough`."""
    return thorough if _thorough else usual


def first_is_quick(first: object, *others: object) -> list[object]:
    """Returns values for `parametrize`: other values than the first run the same code, so they are marked `slow`."""
    return [pytest.param(first), *(pytest.param(other, marks=pytest.mark.slow) for other in others)]


def each_once(firsts: Iterable[object], seconds: Iterable[object]) -> list[object]:
    """Returns all pairs for `parametrize` with two names. Those with the first value of either are quick: each value is
    tried, and what remains are other combinations of them, marked `slow`.
    """
    known, others = list(firsts), list(seconds)
    return [
        pytest.param(a, b, marks=() if a == known[0] or b == others[0] else pytest.mark.slow)
        for a in known
        for b in others
    ]


def one_is_quick(quick: object, values: Iterable[object]) -> list[object]:
    """Returns values for `parametrize`: those other than `quick` run the same code, so they are marked `slow`."""
    known = list(values)
    assert quick in known
    return [pytest.param(value, marks=() if value == quick else pytest.mark.slow) for value in known]
