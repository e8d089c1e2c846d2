"""Diamond as the table finds it. The rules are imported when a game starts, not with this module."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, cast

from games.settling import settled
from games.table import Bot, Option, Plain, Result

if TYPE_CHECKING:
    from games.diamond.rules import State
    from games.table import State as TableState


class Diamond:
    """Two seats; lots decide which of them begins, as Black, unless an earlier game has."""

    id = "diamond"
    title = "Diamond"
    revision = 1
    seats: tuple[int, ...] = (2,)
    options: tuple[Option, ...] = ()
    last_looks = False
    quick: tuple[tuple[str, Plain], ...] = ()

    def start(self, seats: int, options: Mapping[str, Plain], begins: int | None = None) -> State:
        """The empty board; who `begins` is rolled first where it is not given. Raises ValueError for what cannot be."""
        from games.diamond.rules import State

        settled(self, seats, options, begins)
        return State(first=begins)

    def began(self, state: TableState) -> int | None:
        """The seat that placed the first piece, whichever colour it plays since."""
        return cast("State", state).first

    def resigned(self, state: TableState, seats: Sequence[int]) -> Result:
        """Who resigns loses, whatever stands on the board; where both do, it is a draw."""
        from games.diamond.position import COLOURS
        from games.diamond.rules import SEATS, drawn

        if len(set(seats)) == SEATS:
            return drawn("both sides resigned")
        known = cast("State", state)
        places = tuple(2 if seat in seats else 1 for seat in range(SEATS))
        who = "one side" if known.first is None else COLOURS[known.colour(seats[0])]
        return Result(places, tuple((2 - place,) for place in places), f"{who} resigned")

    def bot(self, level: int, seed: int) -> Bot:
        """A player of some skill; see `games.diamond.bot`."""
        from games.diamond.bot import Player

        return Player(level, seed)
