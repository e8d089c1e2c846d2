"""One seat's way through a game, by steps and stages; no envelopes, no signatures.

A Play is a pure function of its seed, its player's choices and the bodies of the complete stages. A seat at a real
table runs one, inside a Peer; an onlooker runs one without a seed; the audit runs one for each seat from what that seat
published, and compares.

It keeps two states of the game: the seat's own, and the onlooker's, by which every other seat's choices are judged.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from games.table import (
    Answer,
    Ask,
    Decide,
    Disclose,
    Game,
    Leavable,
    Leave,
    Open,
    Plain,
    Result,
    Roll,
    Seal,
    Show,
    Shuffle,
    Space,
    State,
    Together,
    Unreadable,
    after,
    asked,
)
from protocol.asks.base import Desk, Foul, Left, Machine
from protocol.asks.decide import DecideMachine
from protocol.asks.disclose import DiscloseMachine
from protocol.asks.keys import Keys
from protocol.asks.open import OpenMachine
from protocol.asks.roll import RollMachine
from protocol.asks.seal import SealMachine
from protocol.asks.show import ShowMachine
from protocol.asks.shuffle import ShuffleMachine
from protocol.asks.together import TogetherMachine
from protocol.crypto import escrow
from protocol.crypto.elgamal import published_key
from protocol.crypto.group import RISTRETTO, Group
from protocol.crypto.hashing import Context
from protocol.encoding import pack
from protocol.roster import SignedRoster

LEAST_TO_LEAVE: Final = 3
"""Seats present from which on one can leave and the others play on. Below, who goes resigns, and the game ends."""


Entry: TypeAlias = tuple[Ask, Answer, State]
"""What a stage added to a story: the ask, the answer as this seat saw it, and its state after it."""


class Refused(ValueError):
    """A choice that the rules forbid; the text is the rule. Nothing was signed."""


@dataclass(frozen=True, slots=True)
class Departure:
    """How a seat left: in which context, who remained, and the secret that they can open together."""

    seat: int
    context: Context
    remaining: tuple[int, ...]
    secret: bytes


class Play:
    """The state of one seat's game. `seat` is None for an onlooker, who has no seed."""

    def __init__(
        self, game: Game, table: SignedRoster, seat: int | None, seed: bytes, group: Group = RISTRETTO
    ) -> None:
        seats = len(table.roster.seats)
        names = {option.name for option in game.options}
        options = {name: value for name, value in table.roster.options if name in names}
        start = game.start(seats, options, table.roster.begins)
        self.desk = Desk(group, table.game_id, seats, seat, seed)
        self.own: State = start
        self.public: State = start
        self.story: tuple[tuple[Ask, Answer], ...] = ()
        self.step = 0
        self.stage = 0
        self.choices: list[Plain] = []
        self.result: Result | None = None
        self.ask: Ask | None = None
        self.departed: list[Departure] = []
        self._leaving: dict[int, Left] = {}
        self._chosen = False
        self._machine: Machine | None = Keys(self.desk, 0)

    @property
    def seat(self) -> int | None:
        return self.desk.seat

    @property
    def owing(self) -> tuple[int, ...]:
        """The seats that owe a body in this stage; none once the game has its result."""
        if self._machine is None:
            return ()
        return tuple(seat for seat in self._machine.owing(self.stage) if seat not in self.desk.left)

    @property
    def leaving(self) -> tuple[int, ...]:
        """The seats that left during this step, and leave the game with its answer."""
        return tuple(sorted(self._leaving))

    @property
    def wants(self) -> Space | None:
        """The space that this seat must choose from before it can give its next body."""
        if self.ask is None or self._chosen or self.seat is None:
            return None
        return asked(self.ask, self.seat)

    @property
    def owed(self) -> str:
        """What a seat owes in this stage, for a person."""
        return self._machine.owed(self.stage) if self._machine else "nothing"

    @property
    def topic(self) -> str:
        """What this step is about, for a person."""
        match self.ask:
            case None:
                return "the end" if self.result else "the keys"
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

    def leave_body(self) -> Plain:
        """What this seat gives instead of what it owes, when it leaves: its coin and bag keys, and for the audit its
        seed and choices, which the others can open only together (SPEC.md, "Leaving").
        """
        desk = self.desk
        assert desk.seat is not None
        g, context = desk.group, self._context(desk.seat)
        bags = {seat: desk.publics[seat].bag for seat in self._others(desk.seat)}
        left = escrow.leave_behind(g, desk.seed, context, bags, pack((desk.seed, tuple(self.choices))))
        return g.encode_scalar(desk.coin_key.secret), g.encode_scalar(desk.bag_key.secret), left

    def check_leave(self, seat: int, body: Plain) -> None:
        """Raises Foul if public facts forbid that the seat leaves so."""
        if len(self.desk.present) < LEAST_TO_LEAVE or not isinstance(self.public, Leavable) or not self.desk.publics:
            raise Foul("it leaves a table that nobody can leave now")
        self._left(seat, body)

    def complete(self, bodies: Mapping[int, Plain], left: Mapping[int, Plain] | None = None) -> list[Entry]:
        """All bodies of the stage, checked, by seat, and what seats gave that left instead. Returns the story's new
        entries, as this seat sees them.
        """
        machine = self._machine
        assert machine is not None
        for seat, body in sorted((left or {}).items()):
            keys, secret = self._left(seat, body)
            self.departed.append(Departure(seat, self._context(seat), self._others(seat), secret))
            self._leaving[seat] = keys
        self.desk.left.update(self._leaving)
        machine.complete(self.stage, bodies, self._choice)
        self.stage += 1
        return self._answered(machine) if self.stage == machine.stages else []

    @property
    def _choice(self) -> Plain:
        return self.choices[-1] if self._chosen else None

    def _answered(self, machine: Machine) -> list[Entry]:
        """The ask is answered, or nobody is left to answer it; then whoever left meanwhile leaves the game."""
        entries: list[Entry] = []
        if self.ask is not None and machine.answered:
            public, own = machine.answers()
            self._enter(entries, self.ask, public, own)
        for seat in sorted(self._leaving):
            if not isinstance(self.public.ask(), Result):
                self._enter(entries, Leave(seat), None, None)
        self._leaving.clear()
        self.step += 1
        self.stage = 0
        self._chosen = False
        self._next()
        return entries

    def _enter(self, entries: list[Entry], ask: Ask, public: Answer, own: Answer) -> None:
        self.public = after(self.public, ask, public)
        self.own = after(self.own, ask, own) if self.seat is not None else self.public
        self.story = (*self.story, (ask, own))
        entries.append((ask, own, self.own))

    def _next(self) -> None:
        public_ask, own_ask = self.public.ask(), self.own.ask()
        if isinstance(public_ask, Result):
            self.result, self.ask, self._machine = public_ask, None, None
        else:
            assert not isinstance(own_ask, Result)
            self.ask, self._machine = own_ask, self._open(public_ask, own_ask)

    def _left(self, seat: int, body: Plain) -> tuple[Left, bytes]:
        """The keys, and the secret for the audit, of a seat that leaves. Raises Foul."""
        match body:
            case (bytes() as coin, bytes() as bag, bytes() as secret):
                g, publics = self.desk.group, self.desk.publics[seat]
                keys = published_key(g, publics.coin, coin), published_key(g, publics.bag, bag)
                if keys[0] is None or keys[1] is None:
                    raise Foul("the keys that it publishes are not those that it announced")
                if not escrow.well_formed(g, len(self._others(seat)), secret):
                    raise Foul("what it leaves for the audit is not well formed")
                return Left(keys[0], keys[1]), secret
        raise Foul("it leaves without its keys")

    def _others(self, seat: int) -> tuple[int, ...]:
        return tuple(other for other in self.desk.present if other != seat)

    def _context(self, seat: int) -> Context:
        return self.desk.context(self.step, self.stage, seat)

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
            case Shuffle(), _:
                return ShuffleMachine(self.desk, self.step, public)
            case Show(), _:
                return ShowMachine(self.desk, self.step, public)
        raise TypeError(f"a table cannot be asked {public}")


__all__ = ["Foul", "Play", "Refused"]
