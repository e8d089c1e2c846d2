from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, cast

from kimberley.games.options import resolve_options
from kimberley.games.table import Option, Plain, Result

if TYPE_CHECKING:
    from kimberley.games.mine.rules import State
    from kimberley.games.table import State as TableState

FIFTH = "flawless"


class DiamondMine:
    """Two or four seats. The colors are drawn at random, and so is who begins unless an earlier game decided it."""

    id = "mine"
    title = "Diamond Mine"
    revision = 1
    seats: tuple[int, ...] = (2, 4)
    options: tuple[Option, ...] = (
        Option(
            FIFTH,
            "Flawless gems",
            ((False, "no fifth color"), (True, "a fifth color, worth triple")),
            "With two players, one of the two colors nobody has is flawless. With four, only a fifth color can be.",
        ),
    )
    last_looks = False
    quick: tuple[tuple[str, Plain], ...] = ()

    def start(self, seats: int, options: Mapping[str, Plain], begins: int | None = None) -> State:
        """Returns the table before the lots are drawn. Raises ValueError for seats or options that cannot be played."""
        from kimberley.games.mine.rules import opening

        fifth = resolve_options(self, seats, options, begins)[FIFTH]
        if fifth and seats == 2:
            raise ValueError("a fifth color is only for four players")
        return opening(seats, bool(fifth), begins)

    def starting_seat(self, state: TableState) -> int | None:
        """Returns the seat that placed the first nest and acted first in the first round; None before the lots."""
        return cast("State", state).begins

    def resignation_result(self, state: TableState, seats: Sequence[int]) -> Result:
        """Returns the result: the seat that resigns loses, whatever lies in its home. If all that are left resign, none
        of them has won.
        """
        return cast("State", state).given_up(seats)
