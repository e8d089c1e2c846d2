"""A game that is nothing but work for its table: a bag is shuffled, and every seat draws from it.

    pause  ->  shuffle  ->  pause  ->  one draw for each seat  ->  pause

A pause is a Decide of seat 1, which chooses when it is told to.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from kimberley.games.bots.base import Bot, Level
from kimberley.games.table import Answer, Ask, Decide, Option, Plain, Result, Show, Shuffle, State
from tests.support.cards import Among, Anybody

PAUSE = Among((0,))
OPEN_AND_HIDDEN, HIDDEN_ONLY, BOTH_HIDDEN = "suit to all, value to the seat", "value to the seat", "both to the seat"
SUIT, VALUE = 0, 1


def shown(draw: str, seat: int) -> tuple[tuple[int, int | None], ...]:
    """Returns the parts of an item that a seat's draw shows, and to whom."""
    suit: dict[str, tuple[tuple[int, int | None], ...]] = {
        OPEN_AND_HIDDEN: ((SUIT, None),),
        HIDDEN_ONLY: (),
        BOTH_HIDDEN: ((SUIT, seat),),
    }
    return (*suit[draw], (VALUE, seat))


@dataclass(frozen=True)
class Position:
    """`done` counts the answers so far; `handles` are the items in the bag."""

    seats: int
    items: int
    each: int
    draw: str
    done: int = 0
    handles: tuple[int, ...] = ()

    def ask(self) -> Ask | Result:
        seat = self.done - 3
        if self.done == 1:
            return Shuffle("bag", tuple((item % 3, item) for item in range(self.items)))
        if 0 <= seat < self.seats:
            return Show(self.handles[seat * self.each : (seat + 1) * self.each], shown(self.draw, seat))
        return Decide(0, PAUSE, "pause")

    def apply(self, answer: Answer) -> State:
        handles = tuple(item.handle for item in answer) if self.done == 1 else self.handles
        return replace(self, done=self.done + 1, handles=handles)


@dataclass(frozen=True)
class Drawing:
    """`items` of two parts are shuffled; each seat draws `each` of them, as `draw` says."""

    items: int = 30
    each: int = 2
    draw: str = OPEN_AND_HIDDEN
    id: str = "drawing"
    title: str = "Drawing"
    revision: int = 1
    seats: tuple[int, ...] = (2, 3, 4, 5, 6)
    options: tuple[Option, ...] = ()
    last_looks: bool = False
    quick: tuple[tuple[str, Plain], ...] = ()
    levels: tuple[Level, ...] = (Level("Any", "Chooses anything."),)

    def start(self, seats: int, options: Mapping[str, Plain], begins: int | None = None) -> Position:
        return Position(seats, self.items, self.each, self.draw)

    def starting_seat(self, state: object) -> int | None:
        return None

    def resignation_result(self, state: State, seats: Sequence[int]) -> Result:
        places = tuple(2 if seat in seats else 1 for seat in range(2))
        return Result(places, ((0,), (0,)), "somebody has resigned")

    def bot(self, level: int, seed: int) -> Bot:
        return Anybody(seed)


def pauses(seats: int) -> tuple[int, int, int]:
    """Returns the steps in which a table of so many seats pauses. Step 0 is the keys."""
    return 1, 3, 4 + seats
