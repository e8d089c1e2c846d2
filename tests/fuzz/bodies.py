"""Targets: what seats sign, judged where it is due at a table that plays, and choices in every game."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import cache, partial
from random import Random

from kimberley.games import lookup
from kimberley.games.table import Game, Plain, Space, Unreadable
from kimberley.protocol.asks.seal import SealMachine
from kimberley.protocol.asks.together import TogetherMachine
from kimberley.protocol.closing import Closing
from kimberley.protocol.crypto.ristretto import RISTRETTO
from kimberley.protocol.encoding import Malformed, pack, unpack
from kimberley.protocol.envelope import LEAVE, Envelope
from kimberley.protocol.peer import Peer
from kimberley.protocol.play import Play, ProtocolViolation
from tests.fuzz.target import Target, same
from tests.support.cards import CARDS
from tests.support.cheats import leaver
from tests.support.tables import Wire, peer_of, seated, signed_roster


@dataclass(frozen=True)
class Due:
    """A body that a seat owed, and that was found good, with the machines that found it so."""

    judge: Play | Closing
    seat: int
    kind: int
    body: Plain

    @property
    def name(self) -> str:
        if self.kind == LEAVE:
            return "leave"
        if isinstance(self.judge, Closing):
            return ("close", "seed", "verdict")[self.judge.stage]
        machine = self.judge.machine
        name = type(machine).__name__.removesuffix("Machine").lower()
        if isinstance(machine, SealMachine) and isinstance(self.body, tuple) and len(self.body) > 1:
            return f"{name}-amounts"
        return f"{name}-{self.judge.stage}" if isinstance(machine, TogetherMachine) else name

    @property
    def free(self) -> bool:
        """Whether a seat may sign more than one body here, as its player chooses or its randomness falls."""
        return self.name in ("keys", "decide", "together-0", "seal", "disclose", "leave", "seed", "verdict")

    def check(self, body: Plain) -> bool:
        """Returns whether the body is accepted."""
        try:
            if self.kind == LEAVE:
                assert isinstance(self.judge, Play)
                self.judge.check_leave(self.seat, body)
            else:
                self.judge.check(self.seat, body)
        except ProtocolViolation:
            return False
        return True


class Noting(Peer):
    """Keeps the first body of every sort that it finds good, with what it was judged by."""

    kept: dict[str, Due]

    def check(self, envelope: Envelope) -> None:
        judge = self.closing or self.play
        super().check(envelope)
        if self.caught is None:
            due = Due(judge, envelope.seat, envelope.kind, envelope.body)
            if due.name not in self.kept:
                # What comes later changes the machines; the group is the same for all.
                memo = {id(RISTRETTO): RISTRETTO}
                self.kept[due.name] = Due(deepcopy(judge, memo), due.seat, due.kind, due.body)


@cache
def dues() -> dict[str, Due]:
    """Returns one of every sort of body, from a table of cards that one seat leaves, and one of Diamond Trust."""
    kept: dict[str, Due] = {}
    noting = type("Kept", (Noting,), {"kept": kept})
    goer = leaver(lambda peer: peer.play.topic == "roll")
    cards = seated(CARDS, 4, "fuzz", cheats={0: noting, 2: goer})
    cards.run()
    trust = seated(lookup.find("diamond-trust"), 2, "fuzz", cheats={0: noting})
    trust.run(lambda: {"open", "disclose", "seal-amounts"} <= kept.keys())
    return kept


NAMES = (
    *("keys", "roll", "shuffle", "show", "decide", "together-0", "together-1", "seal", "seal-amounts", "disclose"),
    *("open", "leave", "close", "seed", "verdict"),
)


def body(name: str, data: bytes) -> None:
    """Checks that only what is due is accepted. Where the seat may choose, anything is judged without an error."""
    try:
        value = unpack(data)
    except Malformed:
        return
    due = dues()[name]
    if due.check(value) and not due.free:
        assert same(value, due.body), "another body than the one that is due was accepted"


# -- choices -----------------------------------------------------------------------------------------------------------

MOST_ENVELOPES = 120
"""Envelopes of a table whose asks are looked at."""


@cache
def spaces(id: str) -> dict[str, tuple[Space, list[Plain]]]:
    """Returns the spaces that the seats of a game are asked to choose from as it begins, by topic, with legal
    choices.
    """
    game: Game = lookup.find(id)
    found: dict[str, tuple[Space, list[Plain]]] = {}
    rng = Random(id)
    seats = max(game.seats)
    roster = signed_roster(game, seats, "fuzz", dict(game.quick))

    def choose(peer: Peer, asked: object) -> Plain:
        space, topic = asked.space, peer.play.topic  # type: ignore[attr-defined]
        choice: Plain = space.pick(rng)
        found.setdefault(topic, (space, []))[1].append(choice)
        return choice

    wire = Wire([peer_of(game, roster, seat, "fuzz") for seat in range(seats)], [choose] * seats)
    wire.start()
    wire.run(lambda: len(wire.sent) > MOST_ENVELOPES)
    return found


def choice(id: str, data: bytes) -> None:
    """Checks a choice of another seat, as every space of the game reads and judges it."""
    try:
        value = unpack(data)
    except Malformed:
        return
    for space, _ in spaces(id).values():
        reason = space.violation(value)
        try:
            read = space.read(value)
        except Unreadable:
            assert reason is not None
            continue
        if reason is None:
            assert same(read, value), "a choice has two spellings"
            space.cost(read)


def choices(id: str) -> Sequence[bytes]:
    return [pack(legal) for _, some in spaces(id).values() for legal in some[:8]]


def due_bodies(name: str) -> Sequence[bytes]:
    return [pack(dues()[name].body)]


BODIES = tuple(Target(f"body-{name}", partial(body, name), partial(due_bodies, name)) for name in NAMES)
CHOICES = tuple(Target(f"choice-{id}", partial(choice, id), partial(choices, id)) for id in lookup.ids())
