"""The vocabulary in which a game tells its table what must happen next.

A game is a pure state machine. `state.ask()` is the next thing that the table must do, or the `Result`;
`state.apply(answer)` is the state after it. The same rules run at each seat of a real table, at a spectator, in the
bots' simulations and in the audit. Only the answers that they are given differ: `ask.visible_answer(answer, seat)` is
what one seat sees of an answer.

What a seat may not know is `HIDDEN` in its state. The laws that every game obeys, and that tests hold every game to:

- every seat's state is the true one with what the seat may not know replaced by `HIDDEN`; the spectator's is contained
  in each seat's;
- the spectator's state never refuses a choice that is legal in truth;
- two truths that differ only in what a seat may not know offer it the same asks, and show it the same state.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Final, Protocol, TypeAlias, TypeVar, runtime_checkable

from kimberley.games.asks.base import Ask
from kimberley.games.asks.decide import Decide
from kimberley.games.asks.disclose import Disclose, Tell
from kimberley.games.asks.leave import Leave
from kimberley.games.asks.open import Open
from kimberley.games.asks.roll import Roll
from kimberley.games.asks.seal import Seal
from kimberley.games.asks.show import Show
from kimberley.games.asks.shuffle import Item, Shuffle
from kimberley.games.asks.together import Together
from kimberley.games.spaces import Amounts, BaseSpace, BySeat, Space, Tally, Within
from kimberley.games.values import HIDDEN, NOTHING, Answer, Hidden, Nothing, Plain, Unreadable

__all__ = [
    "HIDDEN",
    "NOTHING",
    "ONE_LEFT",
    "OTHERS_RESIGNED",
    "Amounts",
    "Answer",
    "Ask",
    "BaseSpace",
    "BySeat",
    "Chooser",
    "Decide",
    "Disclose",
    "Game",
    "Hidden",
    "Item",
    "Leave",
    "Nothing",
    "Observation",
    "Open",
    "Option",
    "Plain",
    "ReasonKind",
    "Result",
    "Roll",
    "Seal",
    "Show",
    "Shuffle",
    "Space",
    "State",
    "SupportsLeave",
    "Tally",
    "Tell",
    "Together",
    "Unreadable",
    "Within",
    "evolve",
    "space_for",
    "state_after",
]

ONE_LEFT: Final = "only one player is left"
OTHERS_RESIGNED: Final = "the others resigned"
"""Reasons of results where others have resigned, in more than one game."""


class ReasonKind(Enum):
    """What the reason of a result says.

    `DECIDED`: why the winners won, or why nobody did. `OVER`: when the game ended; what each player had says why
    somebody won. `RESIGNED`: that all who have not won have resigned. `AGREED`: that the players agreed to a draw, so
    also how the game ended.
    """

    DECIDED = auto()
    OVER = auto()
    RESIGNED = auto()
    AGREED = auto()


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended.

    `places` by seat: 1 for the first, equal for a tie. `scores` by seat: what the places were judged by. `reason`: a
    sentence for a person, without its full stop. `counts` by seat: what each player had in the end, in words, such as
    "18 points"; empty if the reason says all that a person would ask. `sides`: what stands for the seats in the reason,
    by seat, such as "A" or "London"; empty if nothing does. `kind`: what the reason says. Seats sign the places and
    the scores alone.
    """

    places: tuple[int, ...]
    scores: tuple[tuple[int, ...], ...]
    reason: str
    counts: tuple[str, ...] = field(default=(), compare=False)
    sides: Sequence[str] = field(default=(), compare=False)
    kind: ReasonKind = field(default=ReasonKind.DECIDED, compare=False)

    def reason_for(self, names: Sequence[str]) -> str:
        """Returns the reason with names in place of sides. `names` by seat."""
        if not self.sides:
            return self.reason
        named = dict(zip(self.sides, names, strict=False))
        return re.sub(rf"\b({'|'.join(self.sides)})\b", lambda match: named.get(match[0], match[0]), self.reason)

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats in first place."""
        return tuple(seat for seat, place in enumerate(self.places) if place == 1)


# -- games -------------------------------------------------------------------------------------------------------------


class State(Protocol):
    """A position of a game: the truth, or what a seat or a spectator knows of it. Frozen."""

    def ask(self) -> Ask | Result:
        """Returns what the table must do next, or how the game ended."""

    def apply(self, answer: Answer) -> State:
        """Returns the state after the pending ask is answered. Never raises for what another seat told, even if it
        contradicts what is known.
        """


@runtime_checkable
class SupportsLeave(Protocol):
    """A state of a game that continues when a seat leaves. Games for three or more seats have it."""

    def leave(self, seat: int) -> State:
        """Returns the state after a seat has left for good. If that seat was to decide, something else is asked now.

        A seat that leaves while several choose has chosen None.
        """


@runtime_checkable
class SupportsPeriod(Protocol):
    """A state that can say how far the game is. Games that count nothing do without it."""

    def period(self) -> str:
        """Returns how far the game is, as players count: "month 4 of 9"; empty before there is anything to count."""


@runtime_checkable
class SupportsText(Protocol):
    """A game whose players write games down."""

    def as_text(
        self, start: State, story: Sequence[tuple[Ask, Answer]], result: Result | None, names: Sequence[str]
    ) -> str:
        """Returns a whole game in writing: who played what, and every turn. `names` by seat; `result` is None if there
        is none.
        """


@dataclass(frozen=True, slots=True)
class Observation:
    """What a seat knows: its own state, and its story: every ask so far with the answer as it saw it."""

    seat: int
    state: State
    story: tuple[tuple[Ask, Answer], ...]


@dataclass(frozen=True, slots=True)
class Option:
    """A setting that a table agrees on before it starts.

    `name` is what travels; `values` are (value, label), the default first; `about` is a sentence on what the option
    changes. `label` has at most 20 characters and the label of a value at most 30: they are shown side by side.
    """

    name: str
    label: str
    values: tuple[tuple[Plain, str], ...]
    about: str = ""


class Game(Protocol):
    """A game, as a package offers it in the entry point group `kimberley.games`. The entry point's name is the game's
    id. Computer players are the business of `games.bots`.
    """

    @property
    def id(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def revision(self) -> int:
        """The revision of the rules. Tables and records of another revision are refused."""

    @property
    def seats(self) -> tuple[int, ...]:
        """The numbers of seats that the game can be played with."""

    @property
    def options(self) -> tuple[Option, ...]: ...
    @property
    def last_looks(self) -> bool:
        """Returns whether the game ever asks for a last look (see Together). Only then does a table agree on how long
        one takes.
        """

    @property
    def quick(self) -> tuple[tuple[str, Plain], ...]:
        """The options, (name, value), that make the game as short as possible, for demonstrations and for a player’s
        first game. All others keep their defaults.
        """

    def start(self, seats: int, options: Mapping[str, Plain], begins: int | None = None) -> State:
        """Returns the first state: all that is in it is public.

        `begins` is the seat that begins if an earlier game at the table decided that; None leaves it to the rules,
        which may draw lots. Raises ValueError for seats or options that cannot be played.
        """

    def starting_seat(self, state: State) -> int | None:
        """Returns the seat that began; in a rematch the next seat begins.

        None while that is not decided, or where nobody begins.
        """

    def resignation_result(self, state: State, seats: Sequence[int]) -> Result:
        """Returns the result when `seats`, and no others, resign in `state`, a spectator's.

        For games of two seats.
        """


def space_for(ask: Ask | Result, seat: int) -> Space | None:
    """Returns the space from which `seat` must choose now, or None."""
    return None if isinstance(ask, Result) else ask.space_for(seat)


T = TypeVar("T")


def evolve(state: T, **values: object) -> T:
    """Returns a copy of a frozen dataclass (without slots) with some fields replaced, faster than dataclasses."""
    new: T = object.__new__(type(state))
    new.__dict__.update(state.__dict__)
    new.__dict__.update(values)
    return new


def state_after(state: State, ask: Ask, answer: Answer) -> State:
    """Returns the state after an entry of a story."""
    if isinstance(ask, Leave):
        assert isinstance(state, SupportsLeave)
        return state.leave(ask.seat)
    return state.apply(answer)


Chooser: TypeAlias = Callable[[Observation], Plain]
