"""One seat's way through a game, by steps and stages; no envelopes, no signatures.

A Play is a pure function of its seed, its player's choices and the bodies of the complete stages. A seat at a real
table runs one, inside a Peer; an onlooker runs one without a seed; the audit runs one for each seat from what that seat
published, and compares.

It keeps two states of the game: the seat's own, and the onlooker's, by which every other seat's choices are judged.
"""

from __future__ import annotations

from collections.abc import Mapping

from games.table import (
    Answer,
    Ask,
    Decide,
    Disclose,
    Game,
    Open,
    Plain,
    Result,
    Roll,
    Seal,
    Space,
    State,
    Together,
    Unreadable,
    asked,
)
from protocol.asks.base import Desk, Foul, Machine
from protocol.asks.decide import DecideMachine
from protocol.asks.disclose import DiscloseMachine
from protocol.asks.keys import Keys
from protocol.asks.open import OpenMachine
from protocol.asks.roll import RollMachine
from protocol.asks.seal import SealMachine
from protocol.asks.together import TogetherMachine
from protocol.crypto.group import RISTRETTO, Group
from protocol.roster import SignedRoster


class Refused(ValueError):
    """A choice that the rules forbid; the text is the rule. Nothing was signed."""


class Play:
    """The state of one seat's game. `seat` is None for an onlooker, who has no seed."""

    def __init__(
        self, game: Game, table: SignedRoster, seat: int | None, seed: bytes, group: Group = RISTRETTO
    ) -> None:
        seats = len(table.roster.seats)
        names = {option.name for option in game.options}
        start = game.start(seats, {name: value for name, value in table.roster.options if name in names})
        self.desk = Desk(group, table.game_id, seats, seat, seed)
        self.own: State = start
        self.public: State = start
        self.story: tuple[tuple[Ask, Answer], ...] = ()
        self.step = 0
        self.stage = 0
        self.choices: list[Plain] = []
        self.result: Result | None = None
        self.ask: Ask | None = None
        self._chosen = False
        self._machine: Machine | None = Keys(self.desk, 0)

    @property
    def seat(self) -> int | None:
        return self.desk.seat

    @property
    def owing(self) -> tuple[int, ...]:
        """The seats that owe a body in this stage; none once the game has its result."""
        return self._machine.owing(self.stage) if self._machine else ()

    @property
    def wants(self) -> Space | None:
        """The space that this seat must choose from before it can give its next body."""
        if self.ask is None or self._chosen or self.seat is None:
            return None
        return asked(self.ask, self.seat)

    @property
    def owed(self) -> str:
        """What a seat owes in this stage, for a person."""
        return self._machine.names[self.stage] if self._machine else "nothing"

    @property
    def topic(self) -> str:
        """What this step is about, for a person."""
        match self.ask:
            case None:
                return "the keys"
            case Decide(topic=topic) | Together(topic=topic) | Seal(topic=topic):
                return topic
            case Disclose(tells):
                return f"what agents tell of the {tells[0].kind}" if tells else "what agents tell"
            case ask:
                return type(ask).__name__.lower()

    def choose(self, plain: Plain) -> None:
        """The player's choice. Raises Refused with the rule that forbids it."""
        space = self.wants
        if space is None:
            raise Refused("nothing is asked of this seat now")
        try:
            choice = space.read(plain)
        except Unreadable as error:
            raise Refused(str(error)) from None
        if reason := space.why_not(choice):
            raise Refused(reason)
        self.choices.append(choice)
        self._chosen = True

    def body(self) -> Plain:
        """What this seat gives to the stage. It must owe, and have chosen."""
        assert self._machine is not None
        return self._machine.body(self.stage, self._choice)

    def check(self, seat: int, body: Plain) -> None:
        """Raises Foul if public facts forbid the body that a seat owes in this stage."""
        assert self._machine is not None
        self._machine.check(self.stage, seat, body)

    def explain(self, given: Plain, due: Plain) -> str:
        """Why the body that this seat gave, instead of the one due, is a deviation."""
        assert self._machine is not None
        return self._machine.explain(self.stage, given, due, self._choice)

    def complete(self, bodies: Mapping[int, Plain]) -> tuple[Ask, Answer] | None:
        """All bodies of the stage, checked, by seat. Returns the ask and this seat's answer if that answered it."""
        machine = self._machine
        assert machine is not None
        machine.complete(self.stage, bodies, self._choice)
        self.stage += 1
        if self.stage < machine.stages:
            return None
        return self._answered(machine)

    @property
    def _choice(self) -> Plain:
        return self.choices[-1] if self._chosen else None

    def _answered(self, machine: Machine) -> tuple[Ask, Answer] | None:
        answered = None
        if self.ask is not None:
            public, own = machine.answers()
            answered = self.ask, own
            self.story = (*self.story, answered)
            self.public = self.public.tell(public)
            self.own = self.own.tell(own) if self.seat is not None else self.public
        self.step += 1
        self.stage = 0
        self._chosen = False
        public_ask, own_ask = self.public.ask(), self.own.ask()
        if isinstance(public_ask, Result):
            self.result, self.ask, self._machine = public_ask, None, None
        else:
            assert not isinstance(own_ask, Result)
            self.ask, self._machine = own_ask, self._open(public_ask, own_ask)
        return answered

    def _open(self, public: Ask, own: Ask) -> Machine:
        """The machine of an ask. What is public comes from the onlooker's ask, only what this seat itself says from its
        own.
        """
        match public, own:
            case Decide(), _:
                return DecideMachine(self.desk, self.step, public)
            case Together(), _:
                return TogetherMachine(self.desk, self.step, public)
            case Seal(), _:
                return SealMachine(self.desk, self.step, public)
            case Disclose(), Disclose():
                return DiscloseMachine(self.desk, self.step, public, own)
            case Roll(), _:
                return RollMachine(self.desk, self.step, public)
            case Open(), _:
                return OpenMachine(self.desk, self.step, public)
        raise NotImplementedError(f"no machine answers {type(public).__name__} yet")


__all__ = ["Foul", "Play", "Refused"]
