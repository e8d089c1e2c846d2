"""One seat's game in steps and stages, without envelopes and signatures.

A Play is a pure function of its seed, its player's choices and the bodies of the complete stages. A seat at a real
table runs one, inside a Peer; a spectator runs one without a seed. The audit runs one for each seat, from the seed and
the choices that the seat published, and compares.

It keeps two states of the game: the seat's own, and the spectator's, by which every other seat's choices are judged.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from kimberley.games.table import (
    Answer,
    Ask,
    Game,
    Leave,
    Plain,
    Result,
    Space,
    State,
    SupportsLeave,
    state_after,
)
from kimberley.protocol.asks import machine_for
from kimberley.protocol.asks.base import CryptoContext, Machine, ProtocolViolation, PublishedKeys
from kimberley.protocol.asks.keys import KeysMachine
from kimberley.protocol.crypto import escrow
from kimberley.protocol.crypto.elgamal import published_key
from kimberley.protocol.crypto.group import Group
from kimberley.protocol.crypto.hashing import Context
from kimberley.protocol.crypto.ristretto import RISTRETTO
from kimberley.protocol.encoding import pack
from kimberley.protocol.roster import SignedRoster

LEAST_TO_LEAVE: Final = 3  # SPEC: fewest present to leave
"""The fewest present seats with which a seat can leave while the others play on. With fewer seats, a seat that leaves
resigns, and the game ends.
"""


Entry: TypeAlias = tuple[Ask, Answer, State]
"""An entry that a stage adds to a story: the ask, the answer as this seat saw it, and its state after it."""


class NotAllowed(ValueError):
    """The player's action is not allowed now; the message says why. Nothing was signed."""


@dataclass(frozen=True, slots=True)
class Departure:
    """The departure of a seat: the context, the seats that remained, the secret that they can open together, and the
    game as everybody knew it then.
    """

    seat: int
    context: Context
    remaining: tuple[int, ...]
    secret: bytes
    state: State


class Play:
    """The state of one seat's game, or of a spectator's.

    Args:
        game: The game that the roster names.
        table: The signed roster.
        seat: The seat's number from 0; None for a spectator.
        seed: The seat's secret seed, 32 bytes; empty for a spectator.
        group: The group of all commitments and proofs.

    """

    def __init__(
        self, game: Game, table: SignedRoster, seat: int | None, seed: bytes, group: Group = RISTRETTO
    ) -> None:
        seats = len(table.roster.seats)
        names = {option.name for option in game.options}
        options = {name: value for name, value in table.roster.options if name in names}
        start = game.start(seats, options, table.roster.begins)
        self.crypto = CryptoContext(group, table.game_id, seats, seat, seed)
        self.start: State = start
        self.own: State = start
        self.public: State = start
        self.story: tuple[tuple[Ask, Answer], ...] = ()
        self.step = 0
        self.stage = 0
        self.choices: list[Plain] = []
        self.result: Result | None = None
        self.ask: Ask | None = None
        self.departed: list[Departure] = []
        self._leaving: dict[int, PublishedKeys] = {}
        self.chosen = False
        """Whether the last of the choices belongs to this step."""
        self.machine: Machine | None = KeysMachine(self.crypto, 0)
        """The machine of the current step; None once the game has its result."""

    @property
    def seat(self) -> int | None:
        """This seat; None for a spectator."""
        return self.crypto.seat

    @property
    def owing(self) -> tuple[int, ...]:
        """The seats that owe a body in this stage; none once the game has its result."""
        if self.machine is None:
            return ()
        return tuple(seat for seat in self.machine.owing(self.stage) if seat not in self.crypto.departed)

    @property
    def leaving(self) -> tuple[int, ...]:
        """The seats that are leaving in this step; they leave the game once it is answered."""
        return tuple(sorted(self._leaving))

    @property
    def leavable(self) -> bool:
        """Returns whether a seat can leave in this step while the others play on."""
        enough = len(self.crypto.present) >= LEAST_TO_LEAVE
        return enough and isinstance(self.public, SupportsLeave) and bool(self.crypto.public_keys)

    @property
    def wants(self) -> Space | None:
        """The space that this seat must choose from before it can give its next body."""
        if self.ask is None or self.chosen or self.seat is None:
            return None
        return self.ask.space_for(self.seat)

    @property
    def topic(self) -> str:
        """Says what this step is about, in words for a person."""
        if self.ask is None:
            return "the end" if self.result else "the keys"
        return self.ask.subject

    def choose(self, choice: Plain) -> None:
        """Accepts a choice from what this seat `wants`. Raises NotAllowed with the rule that the choice breaks."""
        assert self.wants is not None
        if reason := self.wants.violation(choice):
            raise NotAllowed(reason)
        self.choices.append(choice)
        self.chosen = True

    def body(self) -> Plain:
        """Returns the body that this seat delivers to the stage. The seat must owe one, and have made its choice."""
        assert self.machine is not None
        return self.machine.body(self.stage, self._choice)

    def check(self, seat: int, body: Plain) -> None:
        """Raises ProtocolViolation if public facts forbid the body that a seat owes in this stage."""
        assert self.machine is not None
        self.machine.check(self.stage, seat, body)

    def explain(self, given: Plain, due: Plain) -> str:
        """Returns the reason why the body that this seat gave, instead of the one due, is a deviation."""
        assert self.machine is not None
        return self.machine.explain(self.stage, given, due, self._choice)

    def leave_body(self) -> Plain:
        """Returns the body of this seat's leave, instead of what it owes: its coin and bag keys, and for the audit its
        seed and choices, which the others can open only together (SPEC.md, "Leaving").
        """
        crypto = self.crypto
        assert crypto.seat is not None
        g, context = crypto.group, self.context(crypto.seat)
        bags = {seat: crypto.public_keys[seat].bag for seat in self._others(crypto.seat)}
        left = escrow.leave_behind(g, crypto.seed, context, bags, pack((crypto.seed, tuple(self.choices))))
        return g.encode_scalar(crypto.coin_key.secret), g.encode_scalar(crypto.bag_key.secret), left

    def check_leave(self, seat: int, body: Plain) -> None:
        """Raises ProtocolViolation if public facts forbid this leave."""
        if not self.leavable:
            raise ProtocolViolation("they left a table that nobody could leave then")
        self._left(seat, body)

    def complete(self, bodies: Mapping[int, Plain], left: Mapping[int, Plain] | None = None) -> list[Entry]:
        """Completes the stage with its checked `bodies` by seat, and the leave bodies of seats that `left` instead.

        Returns the story's new entries, as this seat sees them.
        """
        machine = self.machine
        assert machine is not None
        for seat, body in sorted((left or {}).items()):
            keys, secret = self._left(seat, body)
            self.departed.append(Departure(seat, self.context(seat), self._others(seat), secret, self.public))
            self._leaving[seat] = keys
        self.crypto.departed.update(self._leaving)
        machine.complete(self.stage, bodies, self._choice)
        self.stage += 1
        return self._answered(machine) if self.stage == machine.stages else []

    @property
    def _choice(self) -> Plain:
        return self.choices[-1] if self.chosen else None

    def _answered(self, machine: Machine) -> list[Entry]:
        """Ends the step: the ask is answered, or nobody is left to answer it. Then seats that left meanwhile leave the
        game.
        """
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
        self.chosen = False
        self._next()
        return entries

    def _enter(self, entries: list[Entry], ask: Ask, public: Answer, own: Answer) -> None:
        self.public = state_after(self.public, ask, public)
        self.own = state_after(self.own, ask, own) if self.seat is not None else self.public
        self.story = (*self.story, (ask, own))
        entries.append((ask, own, self.own))

    def _next(self) -> None:
        public_ask, own_ask = self.public.ask(), self.own.ask()
        if isinstance(public_ask, Result):
            self.result, self.ask, self.machine = public_ask, None, None
        else:
            assert not isinstance(own_ask, Result)
            self.ask, self.machine = own_ask, machine_for(self.crypto, self.step, public_ask, own_ask)

    def _left(self, seat: int, body: Plain) -> tuple[PublishedKeys, bytes]:
        """Returns the keys, and the secret for the audit, of a seat that leaves. Raises ProtocolViolation."""
        match body:
            case (bytes() as coin, bytes() as bag, bytes() as secret):
                g, public_keys = self.crypto.group, self.crypto.public_keys[seat]
                keys = published_key(g, public_keys.coin, coin), published_key(g, public_keys.bag, bag)
                if keys[0] is None or keys[1] is None:
                    raise ProtocolViolation("the keys they published are not those they announced")
                if not escrow.well_formed(g, len(self._others(seat)), secret):
                    raise ProtocolViolation("what they left for the audit is not well formed")
                return PublishedKeys(keys[0], keys[1]), secret
        raise ProtocolViolation("they left without publishing their keys")

    def _others(self, seat: int) -> tuple[int, ...]:
        return tuple(other for other in self.crypto.present if other != seat)

    def context(self, seat: int) -> Context:
        """Returns the context of a proof by a seat in the current stage."""
        return self.crypto.context(self.step, self.stage, seat)


__all__ = ["NotAllowed", "Play", "ProtocolViolation"]
