"""Whole tables in memory: rosters, peers, and a pump that carries envelopes between them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from random import Random

from kimberley.games.bots.levels import make_bot
from kimberley.games.table import Answer, Ask, Game, Observation, Plain
from kimberley.protocol.audit import AuditedGame
from kimberley.protocol.crypto import signatures
from kimberley.protocol.events import Asked, AuditDue, Event, Send
from kimberley.protocol.peer import Peer
from kimberley.protocol.roster import Roster, RosterSeat, SignedRoster, nonce_commitment, seed_hash

Chooser = Callable[[Peer, Asked], Plain]


def secret(name: str) -> bytes:
    return hashlib.sha256(name.encode()).digest()


def identity(seat: int) -> bytes:
    return secret(f"identity {seat}")


def signed_roster(
    game: Game,
    seats: int = 2,
    salt: str = "",
    options: Mapping[str, Plain] | None = None,
    revision: int | None = None,
    begins: int | None = None,
    names: Sequence[str] = (),
) -> SignedRoster:
    """Returns a roster signed by every seat. Seeds are `seed(seat, salt)`. `names` are by seat, if they matter."""
    nonces = tuple(secret(f"nonce {seat} {salt}") for seat in range(seats))
    places = tuple(
        RosterSeat(
            signatures.public(identity(seat)),
            names[seat] if names else f"player{seat + 1}",
            nonce_commitment(nonces[seat]),
            seed_hash(seed(seat, salt)),
        )
        for seat in range(seats)
    )
    rules = game.revision if revision is None else revision
    roster = Roster(game.id, rules, tuple(sorted((options or {}).items())), places, begins)
    signed = tuple(roster.signature(partial(signatures.sign, identity(seat))) for seat in range(seats))
    return SignedRoster(roster, signed, nonces)


def renamed(table: SignedRoster, nickname: str) -> SignedRoster:
    """Returns the same table with another nickname for the first seat, signed by all."""
    first, *others = table.roster.seats
    roster = replace(table.roster, seats=(replace(first, nickname=nickname), *others))
    signed = tuple(roster.signature(partial(signatures.sign, identity(seat))) for seat in range(len(roster.seats)))
    return replace(table, roster=roster, signatures=signed)


def seed(seat: int, salt: str = "") -> bytes:
    return secret(f"seed {seat} {salt}")


def whole_story(peer: Peer) -> tuple[tuple[Ask, Answer], ...]:
    """Returns what the audit of a peer's record tells of its game."""
    return AuditedGame.by(peer, peer.record()).story


def peer_of(game: Game, table: SignedRoster, seat: int | None, salt: str = "", cls: type[Peer] = Peer) -> Peer:
    if seat is None:
        return cls(game, table, None)
    return cls(game, table, seat, seed(seat, salt), partial(signatures.sign, identity(seat)))


def at_random(rng: Random) -> Chooser:
    """Returns a chooser of random legal choices."""
    return lambda peer, asked: asked.space.pick(rng)


def by_bots(game: Game, seats: int, level: int = 1, salt: int = 0) -> list[Chooser]:
    """Returns one of the game's bots for each seat."""

    def chooser(seat: int) -> Chooser:
        bot = make_bot(game, level, salt * 100 + seat)
        return lambda peer, asked: bot.choose(Observation(seat, peer.state, peer.story))

    return [chooser(seat) for seat in range(seats)]


def at_once(game: Game, seats: int, salt: int = 0) -> list[Chooser]:
    """Returns players who choose at once: bots; in Diamond Trust, whose bots think for long, at random."""
    if game.id == "diamond-trust":
        return [at_random(Random(f"{salt} {seat}")) for seat in range(seats)]
    return by_bots(game, seats, salt=salt)


@dataclass
class Wire:
    """Carries what peers send to all the others, in order or shuffled, until nothing more moves.

    The players of `silent` seats choose nothing. `alter` can change an envelope on its way from one peer to another;
    None drops it.
    """

    peers: list[Peer]
    choosers: Sequence[Chooser]
    rng: Random | None = None
    silent: set[int] = field(default_factory=set)
    alter: Callable[[int, int, bytes], bytes | None] = lambda sender, receiver, envelope: envelope
    events: list[tuple[int, Event]] = field(default_factory=list)
    sent: list[tuple[int, bytes]] = field(default_factory=list)
    lines: dict[tuple[int, int], list[bytes]] = field(default_factory=dict)

    def start(self) -> None:
        for peer in self.peers:
            peer.start()

    def run(self, stop: Callable[[], bool] = lambda: False) -> None:
        """Runs until every peer is done, nothing moves, or `stop` returns True."""
        moved = True
        while moved and not stop():
            moved = False
            for index, peer in enumerate(self.peers):
                for event in peer.take():
                    moved = True
                    self.events.append((index, event))
                    self._handle(index, peer, event)
            for line in self._order():
                moved = True
                self.peers[line[1]].receive(self.lines[line].pop(0))

    def _order(self) -> list[tuple[int, int]]:
        full = [line for line, envelopes in self.lines.items() if envelopes]
        return full if self.rng is None else self.rng.sample(full, min(1, len(full)))

    def _handle(self, index: int, peer: Peer, event: Event) -> None:
        match event:
            case Send(envelope):
                self.sent.append((index, envelope))
                for other in range(len(self.peers)):
                    if other != index and (arriving := self.alter(index, other, envelope)) is not None:
                        self.lines.setdefault((index, other), []).append(arriving)
            case Asked() if peer.asked is event and peer.seat not in self.silent:
                assert peer.seat is not None
                peer.choose(self.choosers[peer.seat](peer, event))
            case AuditDue() if peer.seat is not None:
                peer.audit()


def seated(
    game: Game,
    seats: int,
    salt: str = "",
    choosers: Sequence[Chooser] | None = None,
    cheats: Mapping[int, type[Peer]] | None = None,
    order: Random | None = None,
    names: Sequence[str] = (),
) -> Wire:
    """Returns a table that has started: its seats, some of which may cheat, and a spectator after them."""
    table = signed_roster(game, seats, salt, names=names)
    kinds = cheats or {}
    peers = [peer_of(game, table, seat, salt, kinds.get(seat, Peer)) for seat in range(seats)]
    players = choosers or [at_random(Random(f"{salt} {seat}")) for seat in range(seats)]
    wire = Wire([*peers, peer_of(game, table, None)], players, order)
    wire.start()
    return wire


def played(game: Game, seats: int = 2, salt: str = "", choosers: Sequence[Chooser] | None = None) -> Wire:
    """Returns a whole game between honest peers, closed and audited."""
    table = signed_roster(game, seats, salt)
    table.check()
    peers = [peer_of(game, table, seat, salt) for seat in range(seats)]
    wire = Wire(peers, choosers or [at_random(Random(f"{salt} {seat}")) for seat in range(seats)])
    wire.start()
    wire.run()
    return wire
