"""Diamond as the entry point offers it. The rules are imported only when a game starts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, cast

from kimberley.games.options import resolve_options
from kimberley.games.table import Answer, Ask, Option, Plain, ReasonKind, Result

if TYPE_CHECKING:
    from kimberley.games.diamond.rules import State
    from kimberley.games.table import State as TableState


class Diamond:
    """Two seats. The one that begins, as Black, is drawn at random unless an earlier game decided it."""

    id = "diamond"
    title = "Diamond"
    revision = 1
    seats: tuple[int, ...] = (2,)
    options: tuple[Option, ...] = ()
    last_looks = False
    quick: tuple[tuple[str, Plain], ...] = ()

    def start(self, seats: int, options: Mapping[str, Plain], begins: int | None = None) -> State:
        """Returns the empty board. If `begins` is None, the first roll decides who begins. Raises ValueError for seats
        or options that cannot be played.
        """
        from kimberley.games.diamond.rules import State

        resolve_options(self, seats, options, begins)
        return State(first=begins)

    def starting_seat(self, state: TableState) -> int | None:
        """Returns the seat that placed the first piece, whichever color it plays now."""
        return cast("State", state).first

    def resignation_result(self, state: TableState, seats: Sequence[int]) -> Result:
        """Returns the result: a seat that resigns loses, whatever is on the board. If both resign, it is a draw."""
        from kimberley.games.diamond.position import COLORS
        from kimberley.games.diamond.rules import SEATS, drawn

        if len(set(seats)) == SEATS:
            return drawn("both sides resigned")
        known = cast("State", state)
        places = tuple(2 if seat in seats else 1 for seat in range(SEATS))
        sides = () if known.first is None else tuple(COLORS[known.color(seat)] for seat in range(SEATS))
        who = sides[seats[0]] if sides else "one side"
        return Result(
            places, tuple((2 - place,) for place in places), f"{who} resigned", (), sides, ReasonKind.RESIGNED
        )

    def as_text(
        self, start: TableState, story: Sequence[tuple[Ask, Answer]], result: Result | None, names: Sequence[str]
    ) -> str:
        """Returns the players by color, and the score sheet of the game. A game that never began has no colors."""
        from kimberley.games.diamond.position import BLACK, COLORS, WHITE
        from kimberley.games.diamond.score_sheet import ScoreSheet, resigned_colors, turns_of_story, write_sheet

        final = start
        for _, answer in story:
            final = final.apply(answer)
        known = cast("State", final)
        if known.first is None:
            return ""
        sides = ", ".join(f"{COLORS[color]}: {names[known.seat(color)]}" for color in (BLACK, WHITE))
        return f"{sides}\n{write_sheet(ScoreSheet(turns_of_story(story), resigned_colors(result)))}"
