"""Diamond Trust of London as the entry point offers it. The rules are imported only when a game starts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, cast

from kimberley.games.options import resolve_options
from kimberley.games.table import Option, Plain, ReasonKind, Result

if TYPE_CHECKING:
    from kimberley.games.diamond_trust.rules import State
    from kimberley.games.table import State as TableState


class DiamondTrust:
    """Two seats: seat 0 plays London, seat 1 Antwerp."""

    id = "diamond-trust"
    title = "Diamond Trust of London"
    revision = 1
    seats: tuple[int, ...] = (2,)
    options: tuple[Option, ...] = ()
    last_looks = True
    quick: tuple[tuple[str, Plain], ...] = ()

    def start(self, seats: int, options: Mapping[str, Plain], begins: int | None = None) -> State:
        """Returns the position before the Inspector's first region is rolled. Both sides act at once, so nobody
        `begins`.

        Raises ValueError for seats or options that cannot be played.
        """
        from kimberley.games.diamond_trust.rules import State

        resolve_options(self, seats, options, begins)
        return State()

    def starting_seat(self, state: TableState) -> int | None:
        """Returns None: nobody begins."""

    def resignation_result(self, state: TableState, seats: Sequence[int]) -> Result:
        """Returns the result: a seat that resigns loses, whatever is in the vaults. If both resign, it is a draw."""
        from kimberley.games.diamond_trust.angola import HOMES

        vault = cast("State", state).vault
        scores = tuple((diamonds,) for diamonds in vault)
        if len(set(seats)) == len(vault):
            return Result((1,) * len(vault), scores, "both sides resigned")
        places = tuple(2 if seat in seats else 1 for seat in range(len(vault)))
        return Result(places, scores, f"{HOMES[seats[0]]} resigned", (), HOMES, ReasonKind.RESIGNED)
