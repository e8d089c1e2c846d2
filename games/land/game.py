"""The land game as the entry point offers it. The rules are imported only when a game starts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final, cast

from kimberley.games.options import resolve_options
from kimberley.games.phrases import join_names
from kimberley.games.table import Option, Plain, ReasonKind, Result

if TYPE_CHECKING:
    from kimberley.games.land.rules import State
    from kimberley.games.table import State as TableState

MAPS: Final = Option(
    "map",
    "Map",
    (
        ("kimberley", "Two Rivers, 24 by 24"),
        ("small", "Horseshoe, 12 by 12"),
        ("rolled", "random map, 24 by 24"),
        ("rolled-small", "random map, 12 by 12"),
    ),
    "Small maps make a shorter game: each sector comes up four times as often.",
)
TURNS: Final = Option(
    "turns",
    "Length",
    ((0, "play to a million"), (25, "25 turns each"), (50, "50 turns each"), (100, "100 turns each")),
    "If nobody has won after this many turns each, the player with the most cash wins.",
)
QUICK_TURNS: Final = 25


class LandGame:
    """Two to six seats. The one that begins is drawn at random unless an earlier game decided it."""

    id = "land"
    title = "Blood Diamonds: Land"
    revision = 1
    seats: tuple[int, ...] = (2, 3, 4, 5, 6)
    options: tuple[Option, ...] = (MAPS, TURNS)
    last_looks = False
    quick: tuple[tuple[str, Plain], ...] = (("map", "small"), ("turns", QUICK_TURNS))

    def start(self, seats: int, options: Mapping[str, Plain], begins: int | None = None) -> State:
        """Returns the state before anything is rolled. Raises ValueError for seats or options that cannot be played."""
        from kimberley.games.land.rules import opening

        chosen = resolve_options(self, seats, options, begins)
        return opening(seats, str(chosen["map"]), cast(int, chosen["turns"]), begins)

    def starting_seat(self, state: TableState) -> int | None:
        """Returns the seat that began."""
        return cast("State", state).first

    def resignation_result(self, state: TableState, seats: Sequence[int]) -> Result:
        """Returns the result: the seat that resigns loses, whatever the accounts say. If both resign, neither wins."""
        from kimberley.games.land.rules import SEAT_NAMES

        known = cast("State", state)
        places = tuple(2 if seat in seats and len(set(seats)) < known.seats else 1 for seat in range(known.seats))
        who = join_names([SEAT_NAMES[seat] for seat in sorted(set(seats))])
        kind = ReasonKind.RESIGNED if 2 in places else ReasonKind.DECIDED
        return Result(places, known.scores(set(seats)), f"{who} resigned", known.counts(), SEAT_NAMES, kind)
