"""A small game for tests of everything around games: all hold out stones, a die decides, and so on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

from kimberley.games.bots.base import Bot, Level
from kimberley.games.table import (
    Answer,
    Ask,
    Decide,
    Observation,
    Option,
    Plain,
    Result,
    Roll,
    Together,
    Unreadable,
)

MOST = 9


@dataclass(frozen=True, slots=True)
class Stones:
    """The number of stones a player holds out."""

    def read(self, plain: Plain) -> Plain:
        if type(plain) is not int:
            raise Unreadable("a number of stones is a whole number")
        return plain

    def violation(self, choice: Plain) -> str | None:
        if type(choice) is not int:
            return "a number of stones is a whole number"
        return None if 0 <= choice <= MOST else f"one holds out 0 to {MOST} stones"

    def cost(self, choice: Plain) -> int:
        del choice
        return 0

    def pick(self, rng: Random) -> Plain:
        return rng.randint(0, MOST)


@dataclass(frozen=True)
class Position:
    """`left` is the rounds to play, `held` the stones held out in this one, `totals` the stones won."""

    left: int
    totals: tuple[int, ...] = (0, 0)
    held: tuple[int, ...] | None = None
    tosser: int | None = None

    def ask(self) -> Ask | Result:
        if self.left == 0:
            places = tuple(1 + sum(other > own for other in self.totals) for own in self.totals)
            return Result(places, tuple((total,) for total in self.totals), "all stones are held out")
        if self.held is None:
            seats = len(self.totals)
            return Together((Stones(),) * seats, (None,) * seats, "stones", (0,) * seats)
        if self.tosser is None:
            return Roll((len(self.totals),))
        return Decide(self.tosser, Stones(), "toss")

    def apply(self, answer: Answer) -> Position:
        if self.held is None:
            return Position(self.left, self.totals, answer)
        if self.tosser is None:
            return Position(self.left, self.totals, self.held, answer[0])
        won = list(self.totals)
        won[self.tosser] += sum(self.held) - answer
        return Position(self.left - 1, tuple(won))


class Any:
    """A bot that makes random legal choices."""

    def __init__(self, seed: int) -> None:
        self._rng = Random(seed)

    def choose(self, observation: Observation) -> Plain:
        ask = observation.state.ask()
        assert isinstance(ask, Together | Decide)
        return Stones().pick(self._rng)


@dataclass(frozen=True)
class StonesGame:
    id: str = "stones"
    title: str = "Stones"
    revision: int = 1
    seats: tuple[int, ...] = (2,)
    options: tuple[Option, ...] = (
        Option("rounds", "Rounds", ((3, "three"), (1, "one"), (12, "twelve"), (40, "forty"))),
    )
    last_looks: bool = True
    quick: tuple[tuple[str, Plain], ...] = ()
    levels: tuple[Level, ...] = (Level("Any", "Chooses anything."), Level("Other", "Chooses anything else."))

    def start(self, seats: int, options: Mapping[str, Plain], begins: int | None = None) -> Position:
        assert seats in self.seats
        rounds = options.get("rounds", 3)
        assert isinstance(rounds, int)
        return Position(rounds, (0,) * seats)

    def starting_seat(self, state: object) -> int | None:
        return None

    def resignation_result(self, state: object, seats: Sequence[int]) -> Result:
        assert isinstance(state, Position)
        everybody = range(len(state.totals))
        places = tuple(1 + (len(everybody) - len(seats)) * (seat in seats) for seat in everybody)
        return Result(places, ((0,),) * len(everybody), "somebody has resigned")

    def bot(self, level: int, seed: int) -> Bot:
        del level
        return Any(seed)


STONES = StonesGame()
MANY_STONES = StonesGame(id="many stones", title="Many Stones", seats=(2, 3, 4, 5, 6))
"""For more seats. Its rules do not let a seat leave, so a resignation ends the game for all."""
