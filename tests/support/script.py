"""A game that asks what its option `asks` lists, one after the other (SPEC.md, "Vectors"): any ask, at any table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

from games.table import (
    Answer,
    Ask,
    Bot,
    Decide,
    Option,
    Plain,
    Result,
    Roll,
    Seal,
    Show,
    Shuffle,
    State,
    Together,
    Unreadable,
    changed,
)


@dataclass(frozen=True)
class Below:
    """Whole numbers from 0, below a limit."""

    limit: int

    def read(self, plain: Plain) -> Plain:
        if type(plain) is not int:
            raise Unreadable("a choice is a whole number")
        return plain

    def why_not(self, choice: Plain) -> str | None:
        return None if type(choice) is int and 0 <= choice < self.limit else f"it is not from 0 to {self.limit - 1}"

    def cost(self, choice: Plain) -> int:
        return 0

    def pick(self, rng: Random) -> Plain:
        return rng.randrange(self.limit)


@dataclass(frozen=True)
class Script:
    """How far a script has come, and who is still there."""

    asks: tuple[Plain, ...]
    alive: tuple[bool, ...]
    place: int = 0

    def ask(self) -> Ask | Result:
        if sum(self.alive) > 1:
            for asked in self.asks[self.place :]:
                if (ask := self._read(asked)) is not None:
                    return ask
        places = tuple(1 if alive else 2 for alive in self.alive)
        return Result(places, tuple((place,) for place in places), "the script has ended")

    def tell(self, answer: Answer) -> State:
        place = self.place
        while self._read(self.asks[place]) is None:
            place += 1
        return changed(self, place=place + 1)

    def leave(self, seat: int) -> State:
        return changed(self, alive=tuple(alive and place != seat for place, alive in enumerate(self.alive)))

    def _read(self, asked: Plain) -> Ask | None:
        """The ask, or None where nobody who is still there would be asked."""
        match asked:
            case ("decide", int() as seat, int() as limit):
                return Decide(seat, Below(limit), "number") if self.alive[seat] else None
            case ("together" | "seal" as kind, tuple() as seats, int() as limit):
                asked_of = [alive and seat in seats for seat, alive in enumerate(self.alive)]
                spaces = tuple(Below(limit) if there else None for there in asked_of)
                if not any(asked_of):
                    return None
                return (
                    Together(spaces, (None,) * len(spaces), "number") if kind == "together" else Seal(spaces, "number")
                )
            case ("roll", tuple() as sides):
                return Roll(tuple(side for side in sides if isinstance(side, int)))
            case ("shuffle", str() as bag, tuple() as items):
                return Shuffle(bag, tuple(item for item in items if isinstance(item, (int, tuple))))
            case ("show", tuple() as items, tuple() as parts):
                return Show(
                    tuple(item for item in items if isinstance(item, int)),
                    tuple((part, to) for part, to in parts),
                )
        raise ValueError(f"a script does not know {asked!r}")


class Nobody:
    """Chooses the least."""

    def choose(self, observation: object) -> Plain:
        return 0


class ScriptGame:
    """The game, as the table finds it."""

    id = "script"
    title = "Script"
    revision = 1
    seats: tuple[int, ...] = (2, 3, 4, 5, 6)
    options: tuple[Option, ...] = (Option("asks", "Asks", (((), "none"),)),)
    last_looks = False
    quick: tuple[tuple[str, Plain], ...] = ()

    def start(self, seats: int, options: Mapping[str, Plain], begins: int | None = None) -> Script:
        asks = options["asks"]
        if not isinstance(asks, tuple):
            raise ValueError("asks are an array")
        return Script(asks, (True,) * seats)

    def began(self, state: object) -> int | None:
        return None

    def resigned(self, state: State, seats: Sequence[int]) -> Result:
        raise AssertionError("seats leave this game")

    def bot(self, level: int, seed: int) -> Bot:
        return Nobody()


SCRIPT = ScriptGame()
