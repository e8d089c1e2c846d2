"""A game that puts the asks of its option `asks`, one after the other (SPEC.md, "Scripts"): any ask, at any table.

No list of games contains it: only `kimberley peer` and the conformance suite play it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from kimberley.conformance.asks import ASKS
from kimberley.conformance.script_memory import NotSpelled, ScriptMemory
from kimberley.games.table import (
    Answer,
    Ask,
    Option,
    Plain,
    Result,
    State,
    evolve,
)


@dataclass(frozen=True)
class ScriptState:
    """The place in a script, and what is remembered of the asks before it."""

    asks: tuple[Plain, ...]
    memory: ScriptMemory
    place: int = 0

    def ask(self) -> Ask | Result:
        if sum(self.memory.alive) > 1:
            for spelled in self.asks[self.place :]:
                if (ask := _read(spelled, self.memory)) is not None:
                    return ask
        places = tuple(1 if alive else 2 for alive in self.memory.alive)
        return Result(places, tuple((place,) for place in places), "the script has ended")

    def apply(self, answer: Answer) -> State:
        place = self.place
        while (ask := _read(self.asks[place], self.memory)) is None:
            place += 1
        return evolve(self, place=place + 1, memory=ASKS[type(ask)].remember(self.memory, ask, answer))

    def leave(self, seat: int) -> State:
        alive = tuple(alive and place != seat for place, alive in enumerate(self.memory.alive))
        return evolve(self, memory=evolve(self.memory, alive=alive))


def _read(spelled: Plain, memory: ScriptMemory) -> Ask | None:
    """Returns the ask, or None if it would be put to nobody who is still there."""
    match spelled:
        case (str() as word, *_):
            for known in ASKS.values():
                if word in known.words:
                    return known.read(spelled, memory)
    raise NotSpelled(spelled)


class ScriptGame:
    """The game as the table sees it. `asks` are the asks with which a table of it may be opened."""

    id = "script"
    title = "Script"
    revision = 1
    seats: tuple[int, ...] = (2, 3, 4, 5, 6)
    last_looks = True
    quick: tuple[tuple[str, Plain], ...] = ()

    def __init__(self, asks: Plain = ()) -> None:
        self.options: tuple[Option, ...] = (Option("asks", "Asks", ((asks, "as listed"),)),)

    def start(self, seats: int, options: Mapping[str, Plain], begins: int | None = None) -> ScriptState:
        asks = options.get("asks", self.options[0].values[0][0])
        if not isinstance(asks, tuple):
            raise ValueError("asks are an array")
        return ScriptState(asks, ScriptMemory((True,) * seats))

    def starting_seat(self, state: object) -> int | None:
        return None

    def resignation_result(self, state: State, seats: Sequence[int]) -> Result:
        raise AssertionError("seats leave this game")


SCRIPT = ScriptGame()
