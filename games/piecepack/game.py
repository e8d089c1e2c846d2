"""The piecepack game as the table finds it. The rules are imported when a game starts, not with this module."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, cast

from games.settling import settled
from games.table import Bot, Option, Plain, Result

if TYPE_CHECKING:
    from games.piecepack.rules import State
    from games.table import State as TableState


class Piecepack:
    """Three to six warlords; lots decide their suits, and who begins."""

    id = "piecepack"
    title = "Blood Diamonds, piecepack"
    revision = 1
    seats: tuple[int, ...] = (3, 4, 5, 6)
    options: tuple[Option, ...] = ()
    last_looks = False
    quick: tuple[tuple[str, Plain], ...] = ()

    def start(self, seats: int, options: Mapping[str, Plain], begins: int | None = None) -> State:
        """The table before the lots are drawn. Raises ValueError for what cannot be played."""
        from games.piecepack.rules import State

        settled(self, seats, options, begins)
        return State.before(seats, begins)

    def began(self, state: TableState) -> int | None:
        """The seat that began, once the lots are drawn."""
        return cast("State", state).begins

    def resigned(self, state: TableState, seats: Sequence[int]) -> Result:
        """Who resigns is last, behind all who stayed, whatever it has scored."""
        known = cast("State", state)
        return known.result([stays and seat not in seats for seat, stays in enumerate(known.present)], "by resignation")

    def bot(self, level: int, seed: int) -> Bot:
        """A player of some skill; see `games.piecepack.bot`."""
        from games.piecepack.bot import Warlord

        return Warlord(level, seed)
