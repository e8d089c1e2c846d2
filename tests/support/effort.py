"""How much tests try: one case of several for each change, the others each night, or everything with `--thorough`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, TypeVar

import pytest
from _pytest.mark import ParameterSet

T = TypeVar("T")

OTHER_VALUE: Final = (pytest.mark.slow, pytest.mark.nightly)

_thorough = _hasty = False


def set_effort(*, thorough: bool, hasty: bool) -> None:
    """Sets how thorough tests are, or that only what is quick is wanted: values that wait for the night then need not
    even be collected. Call this before importing tests: they read the setting on import.
    """
    global _thorough, _hasty
    _thorough, _hasty = thorough, hasty


def tries(usual: T, thorough: T) -> T:
    """Returns `usual`, or `thorough` with `--thorough`."""
    return thorough if _thorough else usual


def first_is_quick(first: object, *others: object) -> list[object]:
    """Returns values for `parametrize`: other values than the first run the same code, so they are `nightly`."""
    return _wanted([pytest.param(first), *(pytest.param(other, marks=OTHER_VALUE) for other in others)])


def each_once(firsts: Iterable[object], seconds: Iterable[object]) -> list[object]:
    """Returns all pairs for `parametrize` with two names. Those with the first value of either are quick: each value is
    tried, and what remains are other combinations of them, which are `nightly`.
    """
    known, others = list(firsts), list(seconds)
    return _wanted(
        pytest.param(a, b, marks=() if a == known[0] or b == others[0] else OTHER_VALUE) for a in known for b in others
    )


def one_is_quick(quick: object, values: Iterable[object]) -> list[object]:
    """Returns values for `parametrize`: those other than `quick` run the same code, so they are `nightly`."""
    known = list(values)
    assert quick in known
    return _wanted(pytest.param(value, marks=() if value == quick else OTHER_VALUE) for value in known)


def spread(count: int, values: Iterable[object]) -> list[object]:
    """Returns values for `parametrize`: `count` of them, from the first on at equal distances, are tried for each
    change. The others are `nightly`. A tuple has the values of several names.
    """
    known = list(values)
    now = {len(known) * number // count for number in range(count)}
    return _wanted(value if number in now else _at_night(value) for number, value in enumerate(known))


def _wanted(values: Iterable[object]) -> list[object]:
    def waits(value: object) -> bool:
        return isinstance(value, ParameterSet) and all(mark in value.marks for mark in OTHER_VALUE)

    return [value for value in values if not (_hasty and waits(value))]


def _at_night(value: object) -> object:
    if isinstance(value, ParameterSet):
        return value._replace(marks=(*value.marks, *OTHER_VALUE))
    values: Sequence[object] = value if isinstance(value, tuple) else (value,)
    return pytest.param(*values, marks=OTHER_VALUE)
