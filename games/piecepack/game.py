"""The piecepack game as the entry point offers it. The rules are imported only when a game starts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, cast

from kimberley.games.options import resolve_options
from kimberley.games.table import Option, Plain, ReasonKind, Result

if TYPE_CHECKING:
    from kimberley.games.piecepack.rules import State
    from kimberley.games.table import State as TableState


class Piecepack:
    """Three to six warlords. Their suits, and who begins, are drawn at random."""

    id = "piecepack"
    title = "Blood Diamonds: Piecepack"
    revision = 1
    seats: tuple[int, ...] = (3, 4, 5, 6)
    options: tuple[Option, ...] = ()
    last_looks = False
    quick: tuple[tuple[str, Plain], ...] = ()

    def start(self, seats: int, options: Mapping[str, Plain], begins: int | None = None) -> State:
        """Returns the table before the lots are drawn. Raises ValueError for seats or options that cannot be played."""
        from kimberley.games.piecepack.rules import State

        resolve_options(self, seats, options, begins)
        return State.before(seats, begins)

    def starting_seat(self, state: TableState) -> int | None:
        """Returns the seat that began, once the lots are drawn."""
        return cast("State", state).begins

    def resignation_result(self, state: TableState, seats: Sequence[int]) -> Result:
        """Returns the result: the seat that resigns is last, behind all that stayed, whatever its score."""
        known = cast("State", state)
        stay = [present and seat not in seats for seat, present in enumerate(known.present)]
        reason = "by resignation" if any(stay) else "all remaining players resigned"
        return known.result(stay, reason, ReasonKind.RESIGNED if sum(stay) == 1 else ReasonKind.DECIDED)
