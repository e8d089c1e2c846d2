"""The vocabulary in which a game tells its table what must happen next.

A game is a pure state machine. `state.ask()` is the next thing that the table must do, or the `Result`;
`state.tell(answer)` is the state after it. The same rules run at a seat of a real table, at an onlooker, in the
practice opponent's simulations and in the audit; they differ only in the answers they are told:
`seen(ask, answer, seat)` is what one seat sees of an answer.

What a seat may not know is `HIDDEN` in its state. The laws that every game obeys, and that tests hold every game to:

- every seat's state is the true one with what the seat may not know replaced by `HIDDEN`; the onlooker's is contained
  in each seat's;
- the onlooker's state never refuses a choice that is legal in truth;
- two truths that differ only in what a seat may not know offer it the same asks, and show it the same state.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from random import Random
from typing import Any, Final, NoReturn, Protocol, TypeAlias, TypeVar, final, runtime_checkable

Plain: TypeAlias = "bool | int | str | bytes | tuple[Plain, ...] | None"
"""What choices, options and results are made of: they travel as they are."""


class Unreadable(ValueError):
    """Plain data that spells no choice of a space."""


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
    """A tell that gave its receiver nothing: the tally was not above, or what came could not be read."""

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
    """The choices open to a seat. A space never lists them: payments times destinations are too many."""

    def read(self, plain: Plain) -> Plain:
        """The choice that `plain` spells, in its one spelling (True is not 1, a list is not read).

        Raises Unreadable.
        """

    def why_not(self, choice: Plain) -> str | None:
        """The rule that forbids `choice`, in a sentence for a person, or None. Never raises, whatever the data."""

    def cost(self, choice: Plain) -> int:
        """What a legal choice takes from the tally that `Within` names; 0 where nothing is named."""

    def pick(self, rng: Random) -> Plain:
        """Some legal choice."""


class Free:
    """A space whose choices take from no tally, and that judges by `forbids` what it can `read`."""

    def read(self, plain: Plain) -> Plain:
        """See `Space.read`."""
        raise NotImplementedError

    def forbids(self, choice: Plain) -> str | None:
        """The rule that forbids a choice that is read, or None."""
        raise NotImplementedError

    def why_not(self, choice: Plain) -> str | None:
        """See `Space.why_not`."""
        try:
            return self.forbids(self.read(choice))
        except Unreadable as error:
            return str(error)

    def cost(self, choice: Plain) -> int:
        """Nothing."""
        del choice
        return 0


@dataclass(frozen=True, slots=True)
class Tally:
    """A running total of what one seat sealed into it; only that seat knows it until it is opened.

    `bits` is the width that bounds it: 0 <= total < 2**bits.
    """

    seat: int
    name: str
    bits: int


@dataclass(frozen=True, slots=True)
class Within:
    """What is sealed or opened now, added to `tally`, must not exceed the public `limit`. Proven on the spot."""

    tally: Tally
    limit: int


@dataclass(frozen=True, slots=True)
class Amounts:
    """A space of one whole amount for each slot. Each is added to its slot's tally, and all of them to `within.tally`.

    `most` is what the seat can still seal: known in its own state, HIDDEN in others', where the proof stands for it.
    """

    slots: tuple[Tally, ...]
    within: Within
    most: int | Hidden

    def read(self, plain: Plain) -> Plain:
        if type(plain) is not tuple or len(plain) != len(self.slots):
            raise Unreadable(f"expected one amount for each of {len(self.slots)} slots")
        if any(type(amount) is not int for amount in plain):
            raise Unreadable("an amount is a whole number")
        return plain

    def why_not(self, choice: Plain) -> str | None:
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
        return f"{total} is more than the {most} there is" if total > most else None

    def cost(self, choice: Plain) -> int:
        assert isinstance(choice, tuple)
        return sum(amount for amount in choice if isinstance(amount, int))

    def pick(self, rng: Random) -> Plain:
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
    """One seat chooses; all learn it. Answer: the choice."""

    seat: int
    space: Space
    topic: str


@dataclass(frozen=True, slots=True)
class Together:
    """Seats choose at the same time; all learn all of it at once (commit, then open).

    Answer: a choice by seat, None where not asked. `within`, by seat, bounds what the choice costs. `stands` makes it a
    last look, in which seats may choose by what they were just told in secret: by seat, the choice that changes
    nothing, HIDDEN where only that seat knows it. A table with a person holds everybody's answer until a fixed time has
    passed; what stands then counts.
    """

    spaces: BySeat
    within: tuple[Within | None, ...]
    topic: str
    stands: tuple[Plain | Hidden, ...] = ()

    @property
    def last_look(self) -> bool:
        """Whether it is one; this follows from public facts."""
        return bool(self.stands)


@dataclass(frozen=True, slots=True)
class Seal:
    """Seats choose at the same time and open nothing before the audit.

    Answer by seat: own choice, HIDDEN for another's, None where not asked.
    """

    spaces: BySeat
    topic: str


@dataclass(frozen=True, slots=True)
class Tell:
    """`owner` tells `receiver` something that it can read only if its tally `more` is above the owner's tally `than`.

    The owner never learns whether. `kind` names what is told, `size` is the width of its encoding in bytes, `what` the
    space it lies in; `says` is what an honest owner tells: known in the owner's state, HIDDEN in others'.
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
    """A batch of tells. Answer, one for each: to the receiver what was told, or NOTHING; to everybody else HIDDEN."""

    tells: tuple[Tell, ...]


@dataclass(frozen=True, slots=True)
class Open:
    """Totals are opened to all. Answer: the totals, in order, None for those of a seat that left before."""

    tallies: tuple[Tally, ...]


@dataclass(frozen=True, slots=True)
class Roll:
    """All seats together make chance: one number below each entry of `sides`.

    A random order of n is sides (n, n-1, ..., 1).
    """

    sides: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Item:
    """Something with an identity and hidden parts, (suit, value) say.

    The handle is public and never used again. `parts` are HIDDEN where one may not know them; `seen[part]` is the
    public bit mask of the seats that have seen the part.
    """

    handle: int
    parts: tuple[Plain | Hidden, ...]
    seen: tuple[int, ...]

    def shown(self, values: Sequence[Plain | Hidden], parts: Sequence[tuple[int, int | None]], seats: int) -> Item:
        """The item after a Show of `parts` has given `values`, at a table of so many seats."""
        known, masks = list(self.parts), list(self.seen)
        for value, (part, to) in zip(values, parts, strict=True):
            known[part] = known[part] if value is HIDDEN else value
            masks[part] |= (1 << seats) - 1 if to is None else 1 << to
        return Item(self.handle, tuple(known), tuple(masks))


@dataclass(frozen=True, slots=True)
class Shuffle:
    """Items are put into a bag, in an order that nobody knows.

    Each is the handle of an item that is at the table, or the parts, known to all, of one that is new to it. All have
    the same number of parts. Answer: as many Items with new handles, of which nobody has seen anything.
    """

    bag: str
    items: tuple[int | tuple[Plain, ...], ...]


@dataclass(frozen=True, slots=True)
class Show:
    """Parts of items are shown: `parts` lists (part, seat), with None for all seats.

    Answer: for each item one value for each of `parts`, HIDDEN to those who were not shown it.
    """

    items: tuple[int, ...]
    parts: tuple[tuple[int, int | None], ...]


@dataclass(frozen=True, slots=True)
class Leave:
    """Nothing is asked: in a story, it stands where a seat has left, and its answer is None."""

    seat: int


Ask: TypeAlias = Decide | Together | Seal | Disclose | Open | Roll | Shuffle | Show | Leave
Answer: TypeAlias = Any
"""What the table answers an ask with: see each ask."""


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended.

    `places` by seat, 1 for the first, equal for a tie; `scores` by seat, what the places were judged by; `reason` a
    sentence.
    """

    places: tuple[int, ...]
    scores: tuple[tuple[int, ...], ...]
    reason: str

    @property
    def winners(self) -> tuple[int, ...]:
        return tuple(seat for seat, place in enumerate(self.places) if place == 1)


# -- games -------------------------------------------------------------------------------------------------------------


class State(Protocol):
    """A position of a game, as the truth has it, as a seat knows it, or as an onlooker does. Frozen."""

    def ask(self) -> Ask | Result:
        """What the table must do next, or how the game ended."""

    def tell(self, answer: Answer) -> State:
        """The state after the pending ask is answered. Told values that contradict what is known never raise."""


@runtime_checkable
class Leavable(Protocol):
    """A state of a game that goes on where a seat leaves: what games for three seats and more have."""

    def leave(self, seat: int) -> State:
        """The state after a seat has left for good. If that one was to decide, something else is asked now.

        A seat that leaves while several choose has chosen None.
        """


@dataclass(frozen=True, slots=True)
class Observation:
    """What a seat knows: its own state, and its story: every ask so far with the answer as it saw it."""

    seat: int
    state: State
    story: tuple[tuple[Ask, Answer], ...]


class Bot(Protocol):
    """Something that chooses for a seat from its observation alone."""

    def choose(self, observation: Observation) -> Plain:
        """A choice from the space that the observation's state offers its seat.

        In a last look it should take as much work whether or not the seat was told something: work shows.
        """


@dataclass(frozen=True, slots=True)
class Option:
    """Something that a table may settle before it starts.

    `name` on the wire; `values` its choices, each with a label, the first of them the default; `about` a sentence on
    what it changes. Label and value are shown side by side: at most 20 and 30 characters.
    """

    name: str
    label: str
    values: tuple[tuple[Plain, str], ...]
    about: str = ""


class Game(Protocol):
    """A game, as the entry point group `kimberley.games` names it. The entry point's name is the game's id."""

    @property
    def id(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def revision(self) -> int:
        """Of the rules: tables and records of another revision are refused."""

    @property
    def seats(self) -> tuple[int, ...]:
        """The numbers of seats it can be played with."""

    @property
    def options(self) -> tuple[Option, ...]: ...
    @property
    def last_looks(self) -> bool:
        """Whether it ever asks for a last look (see Together): only then a table settles how long one takes."""

    @property
    def quick(self) -> tuple[tuple[str, Plain], ...]:
        """Options, (name, value), with which it is over soonest: what a demonstration plays. Others stay as they are by
        default.
        """

    def start(self, seats: int, options: Mapping[str, Plain], begins: int | None = None) -> State:
        """The first state: all that is in it is public.

        `begins` is the seat that begins where an earlier game of the same table settled it; None leaves it to the
        rules, by lot say. Raises ValueError for what cannot be played.
        """

    def began(self, state: State) -> int | None:
        """The seat that began, which another game at the same table lets the next one do.

        None while that is not settled, or where the game has no such thing.
        """

    def resigned(self, state: State, seats: Sequence[int]) -> Result:
        """The result where the seats given, and no others, resigned in `state` (an onlooker's).

        For games of two seats.
        """

    def bot(self, level: int, seed: int) -> Bot: ...


def standing(ask: Together, seat: int) -> Plain:
    """The choice that changes nothing for a seat in a last look. `ask` is of its own state, or of the truth."""
    stands = ask.stands[seat]
    assert not isinstance(stands, Hidden)
    return stands


def asked(ask: Ask | Result, seat: int) -> Space | None:
    """The space from which `seat` must choose now, or None."""
    match ask:
        case Decide():
            return ask.space if ask.seat == seat else None
        case Together() | Seal():
            return ask.spaces[seat]
        case _:
            return None


def seen(ask: Ask, answer: Answer, seat: int | None) -> Answer:
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


def changed(state: T, **values: object) -> T:
    """A copy of a frozen dataclass (without slots) with some fields replaced, faster than dataclasses.replace."""
    new: T = object.__new__(type(state))
    new.__dict__.update(state.__dict__)
    new.__dict__.update(values)
    return new


def after(state: State, ask: Ask, answer: Answer) -> State:
    """The state after an entry of a story."""
    if isinstance(ask, Leave):
        assert isinstance(state, Leavable)
        return state.leave(ask.seat)
    return state.tell(answer)


def contained(less: object, more: object, path: str = "state") -> str | None:
    """None if `less` is `more` with some of its leaves HIDDEN; else where they differ."""
    if less is HIDDEN or less is more:
        return None
    if is_dataclass(less) and not isinstance(less, type) and type(less) is type(more):
        pairs = [(f.name, getattr(less, f.name), getattr(more, f.name)) for f in fields(less)]
        return next((where for name, a, b in pairs if (where := contained(a, b, f"{path}.{name}"))), None)
    if isinstance(less, tuple) and isinstance(more, tuple) and len(less) == len(more):
        pairs = [(str(index), a, b) for index, (a, b) in enumerate(zip(less, more, strict=True))]
        return next((where for name, a, b in pairs if (where := contained(a, b, f"{path}[{name}]"))), None)
    if type(less) is type(more) and less == more:
        return None
    return f"{path}: {less!r} is not {more!r}"


Chooser: TypeAlias = Callable[[Observation], Plain]
