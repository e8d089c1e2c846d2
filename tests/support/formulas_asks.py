"""Section 15 of SPEC.md for the asks of a script, and 11, 12, 16, 18 for whole games, written from its text alone."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import msgpack
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from protocol.crypto.pure import PURE
from tests.support.formulas import (
    SIZE,
    Deriver,
    Item,
    dice,
    digest,
    known_item,
    message,
    pack,
    scalar_bytes,
)

Tally = tuple[int, str]
STAGE, RESIGN, CLOSING = 0, 2, 3
REVISION: Final = 2


@dataclass
class Script:
    """One seat of a script: what it gives is computed from its seed and choices, what others gave is taken in. It
    leaves in the step `goes`.
    """

    table: Any
    seat: int
    seed: bytes
    choices: Sequence[Any]
    goes: int | None = None
    tallies: dict[Tally, bytes] = field(default_factory=dict)
    openings: dict[Tally, tuple[int, int]] = field(default_factory=dict)
    seals: dict[Tally, int] = field(default_factory=dict)
    pads: dict[Any, Any] = field(default_factory=dict)
    items: list[Item] = field(default_factory=list)
    mixing: list[Item] = field(default_factory=list)

    def __post_init__(self) -> None:
        roster, _, nonces = self.table
        fields = msgpack.unpackb(roster, use_list=False)
        (self.asks,) = (value for name, value in fields[3] if name == "asks")
        self.seats = len(fields[4])
        self.game = digest("game", roster, nonces)
        self.who = Deriver(self.game, self.seat, self.seed)
        self.left = list(self.choices)
        self.publics: list[Any] = []

    def due(self, step: int, stage: int) -> Any:
        """The body."""
        who, me = self.who, self.seat
        if step == 0:
            return who.keys()
        if step == self.goes:
            others = [(seat, self.publics[seat][1][0]) for seat in range(self.seats) if seat != me]
            return who.leave(step, stage, others, tuple(self.choices))
        match self.asks[step - 1]:
            case ("decide", _, _):
                return (self.left.pop(0),)
            case ("seal", _, _):
                return who.commit(step, self.left.pop(0))
            case ("together" | "again" | "within" as kind, _, *bounds):
                if stage == 0:
                    return who.commit(step, self.left[0])
                choice = self.left.pop(0)
                proof = None
                if kind == "within":
                    bits, limit = bounds
                    total, blinding = self.opening("spent")
                    proof = who.range_proof("within", who.context(step, 1), 0, bits, limit - choice - total, -blinding)
                return who.choice_nonce(step, choice), choice, proof
            case ("amounts", _, names, bits, limit):
                slots = list(zip(names, self.left[0], strict=True))
                body = who.seal(step, slots, limit, self.opening("spent"), bits)
                for index, (name, amount) in enumerate(slots):
                    for tally in (name, "spent"):
                        total, blinding = self.opening(tally)
                        drawn = who.blinding(step, index, name, amount, bits)
                        self.openings[me, tally] = total + amount, blinding + drawn
                self.left.pop(0)
                return body
            case ("disclose", tells, bits):
                return tuple(
                    self.told(step, index, (receiver, more), than, bits)
                    for index, (owner, receiver, more, than) in enumerate(tells)
                    if owner == me
                )
            case ("open", tallies, _):
                mine = [self.opening(name) for seat, name in tallies if seat == me]
                return tuple((total, scalar_bytes(blinding)) for total, blinding in mine)
            case ("roll", _):
                return who.share(step)
            case ("shuffle", bag, _):
                return who.shuffle(step, bag, self.joint, self.mixed(step, stage))
            case ("show", items, parts):
                shown = [self.items[item][part] for item in items for part, to in parts if to is None]
                receivers = sorted({to for _, to in parts if to not in (None, me)})
                mail = tuple(
                    (to, who.mail(step, self.publics[to][2][0], self.pairs(items, parts, to))) for to in receivers
                )
                return who.shown_to_all(step, shown) if shown else b"", mail
        raise ValueError(self.asks[step - 1])

    def pairs(self, items: Sequence[int], parts: Sequence[Any], to: int) -> list[Any]:
        return [self.items[item][part] for item in items for part, receiver in parts if receiver == to]

    def opening(self, name: str) -> tuple[int, int]:
        return self.openings.get((self.seat, name), (0, 0))

    def told(self, step: int, index: int, more: Tally, than: str, bits: int) -> tuple[bytes, bytes]:
        """One tell, with pads where none stand."""
        counts = self.seals.get(more, 0), self.seals.get((self.seat, than), 0)
        sums, own = self.tallies.get(more, PURE.identity), self.opening(than)
        old_counts, key = self.pads.get((more, than), (None, b""))
        offer = b""
        if old_counts != counts:
            key = self.who.tell_key(step, index, sums, own)
            offer = self.who.pads(step, index, sums, own, key, bits)
            self.pads[more, than] = counts, key
        return offer, self.who.payload(step, index, "say", 4, key, own[0])

    def take_in(self, step: int, stage: int, bodies: Mapping[int, Any]) -> None:
        """What all gave."""
        if step == 0:
            self.publics = [bodies[seat] for seat in range(self.seats)]
            return
        match self.asks[step - 1]:
            case ("amounts", seats, names, _, _):
                for seat in seats:
                    for name, commitment in zip(names, bodies[seat][0], strict=True):
                        self.seals[seat, name] = self.seals.get((seat, name), 0) + 1
                        for tally in ((seat, name), (seat, "spent")):
                            self.tallies[tally] = PURE.add(self.tallies.get(tally, PURE.identity), commitment)
            case ("shuffle", _, _):
                mixing = self.mixed(step, stage)
                self.mixing = _items(bodies[stage][0], len(mixing[0])) if stage in bodies else mixing
                if stage == self.seats - 1:
                    self.items += self.mixing

    def mixed(self, step: int, stage: int) -> list[Item]:
        """What this stage of a shuffle finds."""
        if stage:
            return self.mixing
        return [
            self.items[one] if isinstance(one, int) else known_item(self.joint, one) for one in self.asks[step - 1][2]
        ]

    @property
    def joint(self) -> bytes:
        return _sum([bag for _, (bag, _), _ in self.publics])


def _sum(points: Sequence[bytes]) -> bytes:
    total = PURE.identity
    for point in points:
        total = PURE.add(total, point)
    return total


def _items(data: bytes, parts: int) -> list[Item]:
    points = [data[at : at + SIZE] for at in range(0, len(data), SIZE)]
    pairs = list(zip(points[::2], points[1::2], strict=True))
    return [tuple(pairs[at : at + parts]) for at in range(0, len(pairs), parts)]


# -- whole games -------------------------------------------------------------------------------------------------------


class Diamond:
    """A game of Diamond, in which the seats choose in turns, from the one that begins, or that is rolled."""

    def __init__(self, table: Any, secrets: Sequence[bytes], seeds: Sequence[bytes]) -> None:
        self.table = table
        roster, _, nonces = table
        self.begins = msgpack.unpackb(roster, use_list=False)[5]
        self.game = digest("game", roster, nonces)
        self.keys = [Ed25519PrivateKey.from_private_bytes(secret) for secret in secrets]
        self.seeds = seeds
        self.seats = [Deriver(self.game, seat, seed) for seat, seed in enumerate(seeds)]
        self.head = digest("head", self.game)
        self.ends = [(0, bytes(SIZE)) for _ in secrets]
        self.hashes: list[bytes] = []
        self.sent: list[bytes] = []

    def play(self, choices: Sequence[Sequence[Any]], places: Any, scores: Any, goes: int | None) -> None:
        """The whole game, with this result; `goes` resigns instead of its next choice, if anybody does."""
        left = [list(own) for own in choices]
        self.stage(0, 0, {seat: who.keys() for seat, who in enumerate(self.seats)})
        step, turn = 1, self.begins
        if turn is None:
            shares = {seat: who.share(1) for seat, who in enumerate(self.seats)}
            self.stage(1, 0, shares)
            (turn,) = dice([share[:SIZE] for (share,) in shares.values()], (2,))
            step = 2
        while left[turn]:
            self.stage(step, 0, {turn: (left[turn].pop(0),)})
            step, turn = step + 1, 1 - turn
        assert not left[1 - turn]
        closed = places, scores, () if goes is None else (goes,)
        talk = {} if goes is None else {goes: self.sign(goes, step, 0, RESIGN, None)}
        step += goes is not None
        self.stage(step, 0, dict.fromkeys((0, 1), closed), CLOSING, talk)
        shown = {seat: (seed, tuple(choices[seat])) for seat, seed in enumerate(self.seeds)}
        self.stage(step, 1, shown, CLOSING)
        self.stage(step, 2, dict.fromkeys((0, 1), ("fair", ())), CLOSING)

    def stage(
        self, step: int, stage: int, bodies: Mapping[int, Any], kind: int = STAGE, talk: Mapping[int, Any] | None = None
    ) -> None:
        """What all sign in one stage, and the head behind it. `talk` stands before."""
        taken = []
        for seat, body in sorted(bodies.items()):
            taken += [talk[seat]] if talk and seat in talk else []
            taken.append(self.sign(seat, step, stage, kind, body))
        hashes = [digest("envelope", unsigned) for unsigned, _ in taken]
        self.head = digest("head", self.head, step, stage, hashes)
        self.hashes += hashes
        self.sent += [pack(envelope) for envelope in taken]

    def sign(self, seat: int, step: int, stage: int, kind: int, body: Any) -> tuple[bytes, bytes]:
        """The next envelope of a seat, and its signature."""
        number, previous = self.ends[seat]
        unsigned = pack((REVISION, self.game, seat, number, previous, step, stage, self.head, kind, body))
        self.ends[seat] = number + 1, digest("envelope", unsigned)
        return unsigned, self.keys[seat].sign(message("signature", "envelope") + unsigned)

    @property
    def record(self) -> bytes:
        """The SHA-256 of the record."""
        data = b"kimberley record\n" + pack((REVISION, self.table, self.sent, ()))
        return hashlib.sha256(data + hashlib.sha256(data).digest()).digest()
