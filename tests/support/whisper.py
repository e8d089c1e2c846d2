"""An ask that exists only in the tests, and a game that uses it.

Everything about the ask is in this module: `Whisper` says what it is, `WhisperMachine` runs it, and `WHISPER` is how
a script spells it. `known` enters it into the two registries for a while.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from random import Random
from typing import Final

from kimberley.conformance.asks import ASKS, ScriptAsk
from kimberley.conformance.script_memory import IntegersBelow, NotSpelled, ScriptMemory
from kimberley.games.asks.base import Ask, Dealer
from kimberley.games.bots.base import Bot, Level
from kimberley.games.table import (
    HIDDEN,
    NOTHING,
    Answer,
    BaseSpace,
    Decide,
    Hidden,
    Nothing,
    Observation,
    Option,
    Plain,
    Result,
    Space,
    Unreadable,
    evolve,
    space_for,
)
from kimberley.protocol.asks import MACHINES
from kimberley.protocol.asks.base import AskMachine, CryptoContext, ProtocolViolation
from kimberley.protocol.crypto.disclosure import open_payload, seal_payload, sealed_size
from kimberley.protocol.encoding import Malformed, pack, unpack

LABEL: Final = "whisper"
SIZE: Final = 4
"""The width of what is whispered, in bytes."""


# -- what it is --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Whisper(Ask):
    """One seat chooses, and only one other learns what.

    Answer: the choice, HIDDEN to all but the two; NOTHING to a listener that cannot read it.
    """

    teller: int
    listener: int
    space: Space
    topic: str

    @property
    def choosers(self) -> tuple[int, ...]:
        return (self.teller,)

    def space_for(self, seat: int) -> Space | None:
        return self.space if seat == self.teller else None

    def visible_answer(self, answer: Answer, seat: int | None) -> Answer:
        return answer if seat in (self.teller, self.listener) else HIDDEN

    def resolve(self, dealer: Dealer, choices: Mapping[int, Plain]) -> Answer:
        return dealer.choice(self.teller, self.space, None, self.topic, choices)

    @property
    def details(self) -> str:
        return self.topic

    @property
    def subject(self) -> str:
        return f"a whispered {self.topic}"

    def describe(self, answer: Answer, names: Sequence[str], in_text: Callable[[Answer], str]) -> str:
        return f"{names[self.teller]} whispers to {names[self.listener]}: {self.topic} {in_text(answer)}."


# -- how it is run -----------------------------------------------------------------------------------------------------


class WhisperMachine(AskMachine[Whisper]):
    """A choice that only its listener can read. Body: (sealed choice,)."""

    def __init__(self, crypto: CryptoContext, step: int, ask: Whisper, own: Whisper) -> None:
        super().__init__(crypto, step, ask, own)
        self.sealed: bytes | None = None
        self.heard: Plain | Hidden | Nothing = HIDDEN

    def owing(self, stage: int) -> tuple[int, ...]:
        return (self.ask.teller,)

    def owed(self, stage: int) -> str:
        return "what it whispers"

    def body(self, stage: int, choice: Plain) -> Plain:
        context = self.context(stage, self.ask.teller)
        return (seal_payload(self._key(self.ask.listener), LABEL, context, 0, pack(choice), SIZE),)

    def check(self, stage: int, seat: int, body: Plain) -> None:
        match body:
            case (bytes() as sealed,) if len(sealed) == sealed_size(SIZE):
                return
        raise ProtocolViolation("it is no whisper")

    def complete(self, stage: int, bodies: Mapping[int, Plain], choice: Plain) -> None:
        match bodies.get(self.ask.teller):
            case (bytes() as sealed,):
                self.sealed = sealed
                if self.crypto.seat == self.ask.teller:
                    self.heard = choice
                elif self.crypto.seat == self.ask.listener:
                    self.heard = self._open(sealed)

    @property
    def answered(self) -> bool:
        return self.sealed is not None

    def answers(self) -> tuple[Answer, Answer]:
        return HIDDEN, self.heard

    def explain(self, stage: int, given: Plain, due: Plain, choice: Plain) -> str:
        return "it whispered something other than it showed at the audit"

    def _open(self, sealed: bytes) -> Plain | Nothing:
        payload = open_payload(self._key(self.ask.teller), LABEL, self.context(0, self.ask.teller), 0, sealed, SIZE)
        try:
            choice = self.ask.space.read(unpack(payload or b""))
        except (Malformed, Unreadable):
            return NOTHING
        return NOTHING if self.ask.space.violation(choice) else choice

    def _key(self, other: int) -> bytes:
        """Returns the key that this seat shares with another."""
        return self.crypto.group.mul(self.crypto.mailbox_key.secret, self.crypto.public_keys[other].mailbox)


# -- how a script spells it --------------------------------------------------------------------------------------------


def _read(spelled: Plain, memory: ScriptMemory) -> Whisper | None:
    match spelled:
        case (_, int() as teller, int() as listener, int() as limit):
            there = memory.alive[teller] and memory.alive[listener]
            return Whisper(teller, listener, IntegersBelow(limit), "number") if there else None
    raise NotSpelled(spelled)


WHISPER: Final = ScriptAsk(("whisper",), _read)


# -- the registries ----------------------------------------------------------------------------------------------------


@contextmanager
def known() -> Iterator[None]:
    """Enters the ask into the registries for a while."""
    MACHINES[Whisper], ASKS[Whisper] = WhisperMachine, WHISPER
    try:
        yield
    finally:
        del MACHINES[Whisper], ASKS[Whisper]


# -- a game that uses it -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Numbers(BaseSpace):
    """The numbers from 0 to 9, or `only` one of them."""

    only: Plain | Hidden | Nothing = HIDDEN

    def read(self, plain: Plain) -> Plain:
        if type(plain) is not int:
            raise Unreadable("it is not a whole number")
        return plain

    def broken_rule(self, choice: Plain) -> str | None:
        if not isinstance(choice, int) or not 0 <= choice <= 9:
            return "it is not from 0 to 9"
        return None if self.only in (HIDDEN, NOTHING, choice) else f"it was told {self.only!r}"

    def pick(self, rng: Random) -> Plain:
        return self.only if isinstance(self.only, int) else rng.randint(0, 9)


@dataclass(frozen=True)
class Circle:
    """Each seat whispers a number to the next one, then each says aloud what it was told."""

    seats: int
    told: tuple[Plain | Hidden | Nothing, ...] = ()
    said: tuple[Plain, ...] = ()

    def ask(self) -> Ask | Result:
        if (teller := len(self.told)) < self.seats:
            return Whisper(teller, (teller + 1) % self.seats, Numbers(), "number")
        if (place := len(self.said)) < self.seats:
            return Decide((place + 1) % self.seats, Numbers(self.told[place]), "echo")
        return Result((1,) * self.seats, ((0,),) * self.seats, "all have said what they were told")

    def apply(self, answer: Answer) -> Circle:
        if len(self.told) < self.seats:
            return evolve(self, told=(*self.told, answer))
        return evolve(self, said=(*self.said, answer))


class Parrot:
    """A bot that makes random legal choices."""

    def __init__(self, seed: int) -> None:
        self._rng = Random(seed)

    def choose(self, observation: Observation) -> Plain:
        space = space_for(observation.state.ask(), observation.seat)
        assert space is not None
        return space.pick(self._rng)


@dataclass(frozen=True)
class CircleGame:
    id: str = "circle"
    title: str = "Circle"
    revision: int = 1
    seats: tuple[int, ...] = (3,)
    options: tuple[Option, ...] = ()
    last_looks: bool = False
    quick: tuple[tuple[str, Plain], ...] = ()
    levels: tuple[Level, ...] = (Level("Any", "Chooses anything."),)

    def start(self, seats: int, options: Mapping[str, Plain], begins: int | None = None) -> Circle:
        return Circle(seats)

    def starting_seat(self, state: object) -> int | None:
        return None

    def resignation_result(self, state: object, seats: Sequence[int]) -> Result:
        return Result(tuple(1 + (seat in seats) for seat in range(3)), ((0,),) * 3, "somebody has resigned")

    def bot(self, level: int, seed: int) -> Bot:
        return Parrot(seed)


CIRCLE: Final = CircleGame()
