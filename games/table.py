"""The vocabulary in which a game tells its table what must happen next.

A game is a pure state machine. `state.ask()` is the next thing that the table must do, or the `Result`;
`state.apply(answer)` is the state after it. The same rules run at each seat of a real table, at an onlooker, in the
bots' simulations and in the audit. Only the answers that they are given differ: `visible_answer(ask, answer, seat)` is
what one seat sees of an answer.

What a seat may not know is `HIDDEN` in its state. The laws that every game obeys, and that tests hold every game to:

- every seat's state is the true one with what the seat may not know replaced by `HIDDEN`; the onlooker's is contained
  in each seat's;
- the onlooker's state never refuses a choice that is legal in truth;
- two truths that differ only in what a seat may not know offer it the same asks, and show it the same state.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Final, NoReturn, Protocol, TypeAlias, TypeVar, final, runtime_checkable

Plain: TypeAlias = "bool | int | str | bytes | tuple[Plain, ...] | None"
"""What choices, options and results are made of. Plain values travel as they are (SPEC.md, "Encoding")."""


class Unreadable(ValueError):
    """Plain data that does not spell a choice of the space; the message says what was expected."""


@final
class Hidden:
    """The single unknown: no arithmetic, no order, no truth value; equal only to itself."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "HIDDEN"

    def __bool__(self) -> NoReturn:
        raise TypeError("HIDDEN has no truth value: ask `is HIDDEN` first")

    def __copy__(self) -> Hidden:
        return self

    def __deepcopy__(self, memo: object) -> Hidden:
        return self

    def __reduce__(self) -> str:
        return "HIDDEN"


HIDDEN: Final = Hidden()


@final
class Nothing:
    """What the receiver of a tell gets where its tally was not above the other, or where it could not read what
    came.
    """

    __slots__ = ()

    def __repr__(self) -> str:
        return "NOTHING"

    def __bool__(self) -> bool:
        return False

    def __reduce__(self) -> str:
        return "NOTHING"


NOTHING: Final = Nothing()


# -- spaces: what may be chosen ----------------------------------------------------------------------------------------


@runtime_checkable
class Space(Protocol):
    """The choices open to a seat. A space never lists them all: payments times destinations would be too many."""

    def read(self, plain: Plain) -> Plain:
        """The choice that `plain` spells. Every choice has one spelling: True is not 1, and a list is not a tuple.

        Raises Unreadable.
        """

    def violation(self, choice: Plain) -> str | None:
        """The rule that `choice` violates, in a sentence for a person, or None where it is legal. Never raises,
        whatever the data.
        """

    def cost(self, choice: Plain) -> int:
        """What a legal choice adds to the tally that `Within` names; 0 where there is no such tally."""

    def pick(self, rng: Random) -> Plain:
        """A random legal choice."""


class BaseSpace:
    """A base for spaces whose choices add to no tally. A subclass gives `read`, `broken_rule` and `pick`."""

    def read(self, plain: Plain) -> Plain:
        """See `Space.read`."""
        raise NotImplementedError

    def broken_rule(self, choice: Plain) -> str | None:
        """The rule that a choice violates, after `read` has accepted it; None where it is legal."""
        raise NotImplementedError

    def violation(self, choice: Plain) -> str | None:
        """See `Space.violation`."""
        try:
            return self.broken_rule(self.read(choice))
        except Unreadable as error:
            return str(error)

    def cost(self, choice: Plain) -> int:
        """Nothing."""
        del choice
        return 0


@dataclass(frozen=True, slots=True)
class Tally:
    """A running total of the amounts that one seat has sealed into it. Only that seat knows the total until it is
    opened.

    `bits` bounds it: 0 <= total < 2**bits.
    """

    seat: int
    name: str
    bits: int


@dataclass(frozen=True, slots=True)
class Within:
    """A public `limit`: `tally` and what is sealed or opened now must not exceed it together. Each seat proves that at
    once.
    """

    tally: Tally
    limit: int


@dataclass(frozen=True, slots=True)
class Amounts:
    """One whole amount for each slot. Each is added to its slot's tally, and all of them to `within.tally`.

    `most` is what the seat can still seal: known in its own state, HIDDEN in the others', which rely on the proof.
    """

    slots: tuple[Tally, ...]
    within: Within
    most: int | Hidden

    def read(self, plain: Plain) -> Plain:
        """See `Space.read`."""
        if type(plain) is not tuple or len(plain) != len(self.slots):
            raise Unreadable(f"expected one amount for each of {len(self.slots)} slots")
        if any(type(amount) is not int for amount in plain):
            raise Unreadable("an amount is a whole number")
        return plain

    def violation(self, choice: Plain) -> str | None:
        """See `Space.violation`."""
        try:
            amounts = self.read(choice)
        except Unreadable as error:
            return str(error)
        assert isinstance(amounts, tuple)
        total = 0
        for amount in amounts:
            assert isinstance(amount, int)
            if amount < 0:
                return "an amount cannot be negative"
            total += amount
        most = self.within.limit if self.most is HIDDEN else self.most
        assert isinstance(most, int)
        return f"the amounts add up to {total}, and there is only {most}" if total > most else None

    def cost(self, choice: Plain) -> int:
        """The sum of the amounts."""
        assert isinstance(choice, tuple)
        return sum(amount for amount in choice if isinstance(amount, int))

    def pick(self, rng: Random) -> Plain:
        """Random amounts within the limit."""
        left = self.within.limit if self.most is HIDDEN else self.most
        assert isinstance(left, int)
        picked = [0] * len(self.slots)
        for slot in rng.sample(range(len(picked)), len(picked)):
            picked[slot] = rng.randint(0, left) if rng.random() < 0.5 else 0
            left -= picked[slot]
        return tuple(picked)


# -- asks: what the table must do next ---------------------------------------------------------------------------------

BySeat: TypeAlias = tuple["Space | None", ...]
"""A space for each seat, None where the seat is not asked."""


@dataclass(frozen=True, slots=True)
class Decide:
    """One seat chooses, and all learn what. Answer: the choice."""

    seat: int
    space: Space
    topic: str


@dataclass(frozen=True, slots=True)
class Together:
    """Seats choose at the same time, and all learn everything at once (commit, then open).

    Answer: a choice by seat, None where not asked. `within`, by seat, bounds what the choice costs. `stands` makes it a
    last look, in which a seat may react to what it was just told in secret. It holds, by seat, the choice that changes
    nothing, HIDDEN where only that seat knows it. A table with a person holds everybody's answer until a fixed time has
    passed; the choice as it stands then counts.
    """

    spaces: BySeat
    within: tuple[Within | None, ...]
    topic: str
    stands: tuple[Plain | Hidden, ...] = ()

    @property
    def last_look(self) -> bool:
        """Whether this is a last look, which follows from public facts."""
        return bool(self.stands)


@dataclass(frozen=True, slots=True)
class Seal:
    """Seats choose at the same time and open nothing before the audit.

    Answer by seat: the own choice, HIDDEN for another's, None where not asked.
    """

    spaces: BySeat
    topic: str


@dataclass(frozen=True, slots=True)
class Tell:
    """A message from `owner` that `receiver` can read only if its tally `more` is above the owner's tally `than`.

    The owner never learns whether it could. `kind` names the message, `size` is the width of its encoding in bytes, and
    `what` is the space that it lies in. `says` is what an honest owner tells: known in the owner's state, HIDDEN in the
    others'.
    """

    owner: int
    receiver: int
    more: Tally
    than: Tally
    kind: str
    size: int
    what: Space
    says: Plain | Hidden


@dataclass(frozen=True, slots=True)
class Disclose:
    """A batch of tells. Answer, one entry for each tell: for the receiver what it was told, or NOTHING; for everybody
    else HIDDEN.
    """

    tells: tuple[Tell, ...]


@dataclass(frozen=True, slots=True)
class Open:
    """Totals are opened to all. Answer: the totals, in order, None for those of a seat that has left."""

    tallies: tuple[Tally, ...]


@dataclass(frozen=True, slots=True)
class Roll:
    """All seats roll dice together. Answer: one number below each entry of `sides`.

    A random order of n is sides (n, n-1, ..., 1).
    """

    sides: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Item:
    """Something with an identity and hidden parts, such as a card (suit, value).

    The handle is public and never used again. `parts` are HIDDEN to those who may not know them; `seen[part]` is the
    public bit mask of the seats that have seen the part.
    """

    handle: int
    parts: tuple[Plain | Hidden, ...]
    seen: tuple[int, ...]

    def shown(self, values: Sequence[Plain | Hidden], parts: Sequence[tuple[int, int | None]], seats: int) -> Item:
        """The item after a Show of `parts` gave `values`, at a table of `seats` seats."""
        known, masks = list(self.parts), list(self.seen)
        for value, (part, to) in zip(values, parts, strict=True):
            known[part] = known[part] if value is HIDDEN else value
            masks[part] |= (1 << seats) - 1 if to is None else 1 << to
        return Item(self.handle, tuple(known), tuple(masks))


@dataclass(frozen=True, slots=True)
class Shuffle:
    """Items are put into a bag, in an order that nobody knows.

    Each entry is the handle of an item at the table, or the public parts of a new item. All have the same number of
    parts. Answer: as many Items with new handles, of which nobody has seen anything.
    """

    bag: str
    items: tuple[int | tuple[Plain, ...], ...]


@dataclass(frozen=True, slots=True)
class Show:
    """Parts of items are shown: `parts` lists (part, seat), with None for all seats.

    Answer: for each item, one value for each of `parts`, HIDDEN to the seats that were not shown it.
    """

    items: tuple[int, ...]
    parts: tuple[tuple[int, int | None], ...]


@dataclass(frozen=True, slots=True)
class Leave:
    """Asks nothing. It marks in a story that a seat has left, and its answer is None."""

    seat: int


Ask: TypeAlias = Decide | Together | Seal | Disclose | Open | Roll | Shuffle | Show | Leave
Answer: TypeAlias = Any
"""What the table answers to an ask: see each ask."""


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended.

    `places` by seat: 1 for the first, equal for a tie. `scores` by seat: what the places were judged by. `reason`: a
    sentence for a person, without its full stop.
    """

    places: tuple[int, ...]
    scores: tuple[tuple[int, ...], ...]
    reason: str

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats on the first place."""
        return tuple(seat for seat, place in enumerate(self.places) if place == 1)


# -- games -------------------------------------------------------------------------------------------------------------


class State(Protocol):
    """A position of a game: the truth, or what a seat or an onlooker knows of it. Frozen."""

    def ask(self) -> Ask | Result:
        """What the table must do next, or how the game ended."""

    def apply(self, answer: Answer) -> State:
        """The state after the pending ask is answered. What another seat told never raises, even if it contradicts what
        is known.
        """


@runtime_checkable
class SupportsLeave(Protocol):
    """A state of a game that goes on when a seat leaves. Games for three or more seats have it."""

    def leave(self, seat: int) -> State:
        """The state after a seat has left for good. If that seat was to decide, something else is asked now.

        A seat that leaves while several choose has chosen None.
        """


@dataclass(frozen=True, slots=True)
class Observation:
    """What a seat knows: its own state, and its story: every ask so far with the answer as it saw it."""

    seat: int
    state: State
    story: tuple[tuple[Ask, Answer], ...]


class Bot(Protocol):
    """A computer player, which chooses for a seat from its observation alone."""

    def choose(self, observation: Observation) -> Plain:
        """A choice from the space that the observation's state offers its seat.

        In a last look it should do the same work whether or not the seat was told something: others can see how long it
        takes.
        """


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
    id.
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
        """Whether the game ever asks for a last look (see Together). Only then a table agrees on how long one takes."""

    @property
    def quick(self) -> tuple[tuple[str, Plain], ...]:
        """The options, (name, value), that make the game as short as possible, for demonstrations. All others keep
        their defaults.
        """

    def start(self, seats: int, options: Mapping[str, Plain], begins: int | None = None) -> State:
        """The first state: all that is in it is public.

        `begins` is the seat that begins if an earlier game at the table decided that; None leaves it to the rules,
        which may draw lots. Raises ValueError for seats or options that cannot be played.
        """

    def starting_seat(self, state: State) -> int | None:
        """The seat that began; in a rematch the next seat begins.

        None while that is not decided, or where nobody begins.
        """

    def resignation_result(self, state: State, seats: Sequence[int]) -> Result:
        """The result when `seats`, and no others, resign in `state`, an onlooker's.

        For games of two seats.
        """

    def bot(self, level: int, seed: int) -> Bot: ...


def standing_choice(ask: Together, seat: int) -> Plain:
    """The choice that changes nothing for a seat in a last look. `ask` comes from the seat's own state or from the
    truth.
    """
    stands = ask.stands[seat]
    assert not isinstance(stands, Hidden)
    return stands


def space_for(ask: Ask | Result, seat: int) -> Space | None:
    """The space from which `seat` must choose now, or None."""
    match ask:
        case Decide():
            return ask.space if ask.seat == seat else None
        case Together() | Seal():
            return ask.spaces[seat]
        case _:
            return None


def visible_answer(ask: Ask, answer: Answer, seat: int | None) -> Answer:
    """What a seat (None: an onlooker) sees of the true answer to an ask."""
    match ask:
        case Seal():
            return tuple(
                choice if choice is None or chooser == seat else HIDDEN for chooser, choice in enumerate(answer)
            )
        case Disclose(tells):
            return tuple(told if tell.receiver == seat else HIDDEN for tell, told in zip(tells, answer, strict=True))
        case Shuffle():
            return tuple(Item(item.handle, (HIDDEN,) * len(item.parts), (0,) * len(item.parts)) for item in answer)
        case Show(_, parts):
            return tuple(
                tuple(v if to is None or to == seat else HIDDEN for v, (_, to) in zip(values, parts, strict=True))
                for values in answer
            )
        case _:
            return answer


T = TypeVar("T")


def evolve(state: T, **values: object) -> T:
    """A copy of a frozen dataclass (without slots) with some fields replaced. Faster than dataclasses.replace."""
    new: T = object.__new__(type(state))
    new.__dict__.update(state.__dict__)
    new.__dict__.update(values)
    return new


def state_after(state: State, ask: Ask, answer: Answer) -> State:
    """The state after an entry of a story."""
    if isinstance(ask, Leave):
        assert isinstance(state, SupportsLeave)
        return state.leave(ask.seat)
    return state.apply(answer)


Chooser: TypeAlias = Callable[[Observation], Plain]
