from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, cast

from games.settling import settled
from games.table import Bot, Option, Plain, Result

if TYPE_CHECKING:
    from games.mine.rules import State
    from games.table import State as TableState

FIFTH = "flawless"


class DiamondMine:
    """Two or four seats; lots decide who begins, unless an earlier game has, and who has which colour."""

    id = "mine"
    title = "Diamond Mine"
    revision = 1
    seats: tuple[int, ...] = (2, 4)
    options: tuple[Option, ...] = (
        Option(
            FIFTH,
            "Flawless stones",
            ((False, "no fifth colour"), (True, "a fifth colour, worth triple")),
            "Two seats always have one: a colour that is drawn by lot.",
        ),
    )
    last_looks = False
    quick: tuple[tuple[str, Plain], ...] = ()

    def start(self, seats: int, options: Mapping[str, Plain], begins: int | None = None) -> State:
        """The table before the lots are drawn. Raises ValueError for what cannot be played."""
        from games.mine.rules import opening

        fifth = settled(self, seats, options, begins)[FIFTH]
        if fifth and seats == 2:
            raise ValueError("two seats play with four colours, of which lots make one flawless: leave the fifth out")
        return opening(seats, bool(fifth), begins)

    def began(self, state: TableState) -> int | None:
        """The seat that placed the first nest and acted first in the first round; None before the lots."""
        return cast("State", state).begins

    def resigned(self, state: TableState, seats: Sequence[int]) -> Result:
        """Who resigns loses, whatever lies in its home; where all do that are left, none of them has won."""
        return cast("State", state).given_up(seats)

    def bot(self, level: int, seed: int) -> Bot:
        """A player of some skill; see `games.mine.bot`."""
        from games.mine.bot import Player

        return Player(level, seed)
