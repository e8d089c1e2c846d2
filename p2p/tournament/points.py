"""Points for places at a table: exact fractions (docs/formats.md, "Points and tie-breaks")."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from fractions import Fraction
from typing import Final

UNIT: Final = 120
"""Points travel in 120ths: at tables of 2 to 6 these are always whole numbers."""

_SCORES: Final = (Fraction(0), Fraction(1, 2), Fraction(1))
"""Scores by halves of a point."""
_VULGAR: Final = {
    Fraction(1, 2): "½",
    Fraction(1, 3): "⅓",
    Fraction(2, 3): "⅔",
    Fraction(1, 4): "¼",
    Fraction(3, 4): "¾",
    Fraction(1, 5): "⅕",
    Fraction(2, 5): "⅖",
    Fraction(3, 5): "⅗",
    Fraction(4, 5): "⅘",
    Fraction(1, 6): "⅙",
    Fraction(5, 6): "⅚",
    Fraction(1, 8): "⅛",
    Fraction(3, 8): "⅜",
    Fraction(5, 8): "⅝",
    Fraction(7, 8): "⅞",
}


def beaten(place: int, other: int) -> Fraction:
    """Returns a seat's score against another: 1 for a win, 1/2 for a tie, else 0. Place 0, a loss by ruling, scores
    nothing.
    """
    return _SCORES[_halves(place, other)]


def _halves(place: int, other: int) -> int:
    if place == 0:
        return 0
    return 1 if place == other else 2 * (other == 0 or place < other)


def points(places: Sequence[int]) -> tuple[Fraction, ...]:
    """Returns, by seat, the fraction of the other seats that it has beaten: at a table of two 1 for a win, 1/2 for a
    draw.
    """
    most = 2 * (len(places) - 1)
    return tuple(
        Fraction(sum(_halves(mine, other) for rival, other in enumerate(places) if rival != seat), most)
        for seat, mine in enumerate(places)
    )


def places_after_ruling(seats: int, lost: Collection[int], places: Sequence[int] | None) -> tuple[int, ...]:
    """Returns the places after a ruling against the seats that `lost`: 0 for them; the others keep the game's order.

    If the game had placed nobody (None), the others tie.
    """
    order = places or (1,) * seats
    left = [place for seat, place in enumerate(order) if seat not in lost]
    return tuple(0 if seat in lost else 1 + sum(other < place for other in left) for seat, place in enumerate(order))


def plain_points(values: Sequence[Fraction]) -> tuple[int, ...]:
    """Returns points in 120ths, the form in which they travel."""
    return tuple(int(value * UNIT) for value in values)


def points_in_words(value: Fraction) -> str:
    """Returns points as text for people: 2½, or two decimals if there is no such character."""
    whole, rest = divmod(value, 1)
    if not rest:
        return str(whole)
    if rest not in _VULGAR:
        return f"{float(value):.2f}"
    return f"{whole or ''}{_VULGAR[rest]}"
