"""The land game as the table finds it. The rules are imported when a game starts, not with this module."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final, cast

from games.settling import settled
from games.table import Bot, Option, Plain, Result

if TYPE_CHECKING:
    from games.land.rules import State
    from games.table import State as TableState

MAPS: Final = Option(
    "map",
    "Map",
    (
        ("kimberley", "Two Rivers, 24 by 24"),
        ("small", "Horseshoe, 12 by 12"),
        ("rolled", "rolled by the table, 24 by 24"),
        ("rolled-small", "rolled by the table, 12 by 12"),
    ),
    "The small maps are for short games: every sector is rolled four times as often.",
)
TURNS: Final = Option(
    "turns",
    "Length",
    ((0, "to the million"), (25, "25 turns each"), (50, "50 turns each"), (100, "100 turns each")),
    "The short game ends after so many turns of each player, if nobody has won: then the most cash wins.",
)


class LandGame:
    """Two to six seats; lots decide which of them begins, unless an earlier game did."""

    id = "land"
    title = "Blood Diamonds, the land game"
    revision = 1
    seats: tuple[int, ...] = (2, 3, 4, 5, 6)
    options: tuple[Option, ...] = (MAPS, TURNS)
    last_looks = False
    quick: tuple[tuple[str, Plain], ...] = (("map", "small"), ("turns", 25))

    def start(self, seats: int, options: Mapping[str, Plain], begins: int | None = None) -> State:
        """The state before anything is rolled. Raises ValueError for what cannot be played."""
        from games.land.rules import opening

        chosen = settled(self, seats, options, begins)
        return opening(seats, str(chosen["map"]), cast(int, chosen["turns"]), begins)

    def began(self, state: TableState) -> int | None:
        """The seat that began."""
        return cast("State", state).first

    def resigned(self, state: TableState, seats: Sequence[int]) -> Result:
        """Who resigns loses, whatever the accounts say; where both do, neither won."""
        from games.land.rules import SEAT_NAMES

        known = cast("State", state)
        places = tuple(2 if seat in seats and len(set(seats)) < known.seats else 1 for seat in range(known.seats))
        who = " and ".join(SEAT_NAMES[seat] for seat in sorted(set(seats)))
        return Result(places, known.scores(set(seats)), f"{who} resigned")

    def bot(self, level: int, seed: int) -> Bot:
        """A player of some skill; see `games.land.bot`."""
        from games.land.bot import Player

        return Player(level, seed)
