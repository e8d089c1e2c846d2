"""A game that puts the asks of its option `asks`, one after the other (SPEC.md, "Scripts"): any ask, at any table.

No list of games contains it: only `kimberley peer` and the conformance suite play it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from kimberley.games.table import (
    HIDDEN,
    NOTHING,
    Amounts,
    Answer,
    Ask,
    Bot,
    Decide,
    Disclose,
    Hidden,
    Open,
    Option,
    Plain,
    Result,
    Roll,
    Seal,
    Show,
    Shuffle,
    State,
    Tally,
    Tell,
    Together,
    Unreadable,
    Within,
    evolve,
)

SPENT: Final = "spent"
"""The tally of a seat to which all its amounts are added."""
SAY: Final = "say"
SAY_SIZE: Final = 4
"""The kind and the size of what seats tell each other in a script."""


@dataclass(frozen=True)
class IntegersBelow:
    """Whole numbers from 0 to below `limit`. `only` is the only one allowed; `most` is what the seat can still pay."""

    limit: int
    only: Plain | Hidden = HIDDEN
    most: int | Hidden = HIDDEN
    costs: bool = False

    def read(self, plain: Plain) -> Plain:
        if type(plain) is not int:
            raise Unreadable("a choice is a whole number")
        return plain

    def violation(self, choice: Plain) -> str | None:
        if type(choice) is not int or not 0 <= choice < self.limit:
            return f"it is not from 0 to {self.limit - 1}"
        if isinstance(self.most, int) and choice > self.most:
            return f"it is more than the {self.most} that is left"
        return (
            None
            if self.only in (HIDDEN, choice)
            else f"it sealed {self.only!r} and was told nothing, so it must choose the same"
        )

    def cost(self, choice: Plain) -> int:
        return choice if self.costs and isinstance(choice, int) else 0

    def pick(self, rng: Random) -> Plain:
        if isinstance(self.only, int):
            return self.only
        return rng.randrange(min(self.limit, self.most + 1) if isinstance(self.most, int) else self.limit)


@dataclass(frozen=True)
class ScriptState:
    """The place in a script, and the seats that are still there.

    `totals` are (seat, name of the tally, total). By seat, `sealed` is what it sealed last, and `told` whether it could
    read anything in the last disclosure.
    """

    asks: tuple[Plain, ...]
    alive: tuple[bool, ...]
    place: int = 0
    totals: tuple[tuple[int, str, int | Hidden], ...] = ()
    sealed: tuple[Plain | Hidden, ...] = ()
    told: tuple[bool | Hidden, ...] = ()

    def ask(self) -> Ask | Result:
        if sum(self.alive) > 1:
            for asked in self.asks[self.place :]:
                if (ask := self._read(asked)) is not None:
                    return ask
        places = tuple(1 if alive else 2 for alive in self.alive)
        return Result(places, tuple((place,) for place in places), "the script has ended")

    def apply(self, answer: Answer) -> State:
        place = self.place
        while (ask := self._read(self.asks[place])) is None:
            place += 1
        told = evolve(self, place=place + 1)
        match ask:
            case Seal(spaces):
                for space, choice in zip(spaces, answer, strict=True):
                    if isinstance(space, Amounts) and choice is not None:
                        told = told.paid(space, choice)
                if not any(isinstance(space, Amounts) for space in spaces):
                    told = evolve(told, sealed=answer)
            case Disclose(tells):
                read = tuple(answer[at] for at in range(len(tells)))
                told = evolve(told, told=tuple(self._told(seat, tells, read) for seat in range(len(self.alive))))
        return told

    def leave(self, seat: int) -> State:
        return evolve(self, alive=tuple(alive and place != seat for place, alive in enumerate(self.alive)))

    def paid(self, space: Amounts, choice: Answer) -> ScriptState:
        """The state after a seat has sealed amounts."""
        totals = {(seat, name): total for seat, name, total in self.totals}
        for at, slot in enumerate(space.slots):
            for tally in (slot, space.within.tally):
                before = totals.get((tally.seat, tally.name), 0)
                known = isinstance(before, int) and choice is not HIDDEN
                totals[tally.seat, tally.name] = before + choice[at] if known else HIDDEN
        return evolve(
            self, totals=tuple((*key, total) for key, total in sorted(totals.items(), key=lambda one: one[0]))
        )

    def _told(self, seat: int, tells: Sequence[Tell], answer: Sequence[Answer]) -> bool | Hidden:
        own = [told for tell, told in zip(tells, answer, strict=True) if tell.receiver == seat]
        return HIDDEN if any(told is HIDDEN for told in own) else any(told is not NOTHING for told in own)

    def _total(self, seat: int, name: str) -> int | Hidden:
        return next((total for owner, named, total in self.totals if (owner, named) == (seat, name)), 0)

    def _left(self, seat: int, limit: int) -> int | Hidden:
        """How much of a limit a seat can still pay."""
        spent = self._total(seat, SPENT)
        return limit - spent if isinstance(spent, int) else HIDDEN

    def _bound(self, seat: int) -> Plain | Hidden:
        """What a seat must choose: what it sealed, if it was told nothing. HIDDEN if it may choose, or nobody knows."""
        told = self.told[seat] if self.told else False
        return HIDDEN if told is HIDDEN or told or not self.sealed else self.sealed[seat]

    def _read(self, asked: Plain) -> Ask | None:
        """The ask, or None if it would be put to nobody who is still there."""
        match asked:
            case ("decide", int() as seat, int() as limit):
                return Decide(seat, IntegersBelow(limit), "number") if self.alive[seat] else None
            case ("together" | "look" | "seal" | "again" as kind, tuple() as seats, int() as limit):
                there = self._there(seats)
                only = [self._bound(seat) if kind == "again" else HIDDEN for seat in range(len(there))]
                spaces = tuple(
                    IntegersBelow(limit, bound) if here else None for here, bound in zip(there, only, strict=True)
                )
                if not any(there):
                    return None
                if kind == "seal":
                    return Seal(spaces, "number")
                return Together(spaces, (None,) * len(there), "number", (0,) * len(there) if kind == "look" else ())
            case ("within", tuple() as seats, int() as bits, int() as limit):
                there = self._there(seats)
                paying = tuple(
                    IntegersBelow(limit + 1, most=self._left(seat, limit), costs=True) if here else None
                    for seat, here in enumerate(there)
                )
                within = tuple(
                    Within(Tally(seat, SPENT, bits), limit) if here else None for seat, here in enumerate(there)
                )
                return Together(paying, within, "payment") if any(there) else None
            case ("amounts", tuple() as seats, tuple() as names, int() as bits, int() as limit):
                there = self._there(seats)
                amounts = tuple(
                    Amounts(
                        tuple(Tally(seat, str(name), bits) for name in names),
                        Within(Tally(seat, SPENT, bits), limit),
                        self._left(seat, limit),
                    )
                    if here
                    else None
                    for seat, here in enumerate(there)
                )
                return Seal(amounts, "amounts") if any(there) else None
            case ("disclose", tuple() as tells, int() as bits):
                staying = tuple(self._tell(tell, bits) for tell in tells if self._stays(tell))
                return Disclose(staying) if staying else None
            case ("open", tuple() as tallies, int() as bits):
                named = [(seat, name) for seat, name in map(_seat_and_name, tallies) if self.alive[seat]]
                return Open(tuple(Tally(seat, name, bits) for seat, name in named)) if named else None
            case ("roll", tuple() as sides):
                return Roll(tuple(side for side in sides if isinstance(side, int)))
            case ("shuffle", str() as bag, tuple() as items):
                return Shuffle(bag, tuple(item for item in items if isinstance(item, (int, tuple))))
            case ("show", tuple() as items, tuple() as parts):
                return Show(
                    tuple(item for item in items if isinstance(item, int)),
                    tuple((part, to) for part, to in parts),
                )
        raise ValueError(f"a script has no ask {asked!r}")

    def _there(self, seats: tuple[Plain, ...]) -> list[bool]:
        return [alive and seat in seats for seat, alive in enumerate(self.alive)]

    def _stays(self, tell: Plain) -> bool:
        match tell:
            case (int() as owner, int() as receiver, _, _):
                return self.alive[owner] and self.alive[receiver]
        raise ValueError(f"a script has no tell {tell!r}")

    def _tell(self, tell: Plain, bits: int) -> Tell:
        """The tell (owner, receiver, name of the receiver's tally, name of the owner's): the owner tells its total."""
        match tell:
            case (int() as owner, int() as receiver, str() as more, str() as than):
                tallies = Tally(receiver, more, bits), Tally(owner, than, bits)
                return Tell(
                    owner, receiver, *tallies, SAY, SAY_SIZE, IntegersBelow(1 << bits), self._total(owner, than)
                )
        raise ValueError(f"a script has no tell {tell!r}")


def _seat_and_name(plain: Plain) -> tuple[int, str]:
    match plain:
        case (int() as seat, str() as name):
            return seat, name
    raise ValueError(f"a script has no tally {plain!r}")


class LowestBot:
    """A bot that chooses 0."""

    def choose(self, observation: object) -> Plain:
        return 0


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
        return ScriptState(asks, (True,) * seats)

    def starting_seat(self, state: object) -> int | None:
        return None

    def resignation_result(self, state: State, seats: Sequence[int]) -> Result:
        raise AssertionError("seats leave this game")

    def bot(self, level: int, seed: int) -> Bot:
        return LowestBot()


SCRIPT = ScriptGame()
