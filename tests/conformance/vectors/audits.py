"""Vectors of audits: scripts in which a seat gave what its seed and its choices do not give. And of attestations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final

from kimberley.conformance.forging import (
    OTHER,
    Bend,
    key_above,
    other_key,
    other_proofs,
    other_range,
    reseeded,
    says,
)
from kimberley.games.table import Plain
from kimberley.protocol.attestation import Attestation
from kimberley.protocol.crypto import escrow, signatures
from kimberley.protocol.crypto.elgamal import BAG
from kimberley.protocol.crypto.hashing import derive
from kimberley.protocol.crypto.ristretto import RISTRETTO
from kimberley.protocol.encoding import pack
from kimberley.protocol.play import Play
from tests.conformance.vectors.asks import (
    AGAIN,
    AMOUNTS,
    DEALING,
    PAID,
    PART,
    PARTING,
    PAYING,
    PICKED,
    PICKING,
    ROLL,
    SEAL,
    SHOW,
    SHUFFLE,
    TELLS,
    TOGETHER,
    TOLD,
    WITHIN,
)
from tests.conformance.vectors.book import Book
from tests.conformance.vectors.functions import Past
from tests.conformance.vectors.primitives import GAME, REFUSE, flipped
from tests.support.rehearsal import SALT, Place, Rehearsal, commits_to, gives
from tests.support.tables import identity, seed

g: Final = RISTRETTO
BITS: Final = 3
Choices = Sequence[Sequence[Plain]]

RIGHTS: Final = (
    ("seal", (0, 1), 9),
    ("amounts", (0, 1), ("a", "b"), 3, 7),
    ("disclose", TELLS, 3),
    ("again", (0, 1), 9),
)
RIGHTLY: Final = ((3, (2, 1), 3), (5, (2, 4), 8))
"""Seat 1 is told something, and chooses otherwise than it sealed."""
RIGHT_TOLD: Final = 3
RIGHT: Final = 4


def other_entry(at: int) -> Bend:
    """The body with one entry made with other nonces."""

    def bend(play: Play, body: Any) -> Plain:
        other: Any = reseeded(play, body)
        return (*body[:at], other[at], *body[at + 1 :])

    return bend


def unreadable(play: Play, body: Any) -> Plain:
    """A payload that does not authenticate."""
    return ((body[0][0], flipped(body[0][1])),)


def unopened(play: Play, body: Any) -> Plain:
    """A leave that does not open."""
    return (*body[:2], flipped(body[2]))


def left_behind(seeded: bytes, secret: Plain) -> Bend:
    """A leave whose secret is another, or with nonces of another seed."""

    def bend(play: Play, body: Any) -> Plain:
        crypto = play.crypto
        where = crypto.context(play.step, play.stage, crypto.seat or 0)
        bags = {seat: crypto.public_keys[seat].bag for seat in crypto.present if seat != crypto.seat}
        return body[0], body[1], escrow.leave_behind(g, seeded, where, bags, pack(secret))

    return bend


class Audits:
    """Fills the book. Each script is played honestly once; a test says what is given instead."""

    def __init__(self, book: Book) -> None:
        self.book = book
        self.scripts: dict[str, tuple[int, Plain, Choices, Mapping[int, Sequence[int]]]] = {
            "choices": (2, PICKING, PICKED, {}),
            "amounts": (2, PAYING, PAID, {}),
            "rights": (2, RIGHTS, RIGHTLY, {}),
            "items": (3, DEALING[:2], ((), (), ()), {}),
            "leaving": (3, PARTING, ((7,), (), ()), {PART: (2,)}),
        }
        self.honest = {name: Rehearsal(*script) for name, script in self.scripts.items()}
        book.shared.update({name: played.played for name, played in self.honest.items()})

    def add(
        self,
        name: str,
        comment: str,
        *flags: str,
        last: int | None = None,
        shown: Mapping[int, tuple[Plain, ...]] | None = None,
        seats: tuple[int, ...] = (),
        instead: tuple[tuple[int, int, int, Plain], ...] = (),
        bends: Mapping[Place, Bend] | None = None,
    ) -> Any:
        """A script to the end of the step `last`, with these bodies bent or given instead. `shown` are other choices
        than were made, by seat; `seats` those that show anything.
        """
        played = Rehearsal(*self.scripts[name], bends=bends, last=last)
        past = Past(name, played.end, (*played.instead_of(self.honest[name]), *instead))
        shows = tuple((seat, own, (shown or {}).get(seat, choices)) for seat, own, choices in played.shows(*seats))
        return self.book.add("audit", comment, {"past": past, "shown": shows}, *flags)

    def choices(self) -> None:
        add = partial(self.add, "choices")
        add("what all seeds and choices give")
        add("one seat shows nothing", seats=(1,))
        add("proofs of possession with other nonces", "OtherNonce", last=0, bends={(0, 0, 1): other_proofs})
        add("a key of another seed", "OtherKey", last=0, bends={(0, 0, 0): other_key(BAG)})
        nonce = {(TOGETHER, stage, 1): reseeded for stage in (0, 1)}
        add("a commitment with another nonce, rightly opened", "OtherNonce", last=TOGETHER, bends=nonce)
        add("another choice shown than opened", "OtherChoice", shown={0: (1, 5, 3, 3)})
        add("another choice sealed than shown", "OtherChoice", last=SEAL, bends={(SEAL, 0, 1): commits_to(8)})
        where = self.honest["choices"].plays[1].crypto.context(AGAIN, 0, 1)
        opened: Plain = (derive(seed(1, SALT), "choice nonce", where, 0, 7), 7, None)
        against: Mapping[Place, Bend] = {(AGAIN, 0, 1): commits_to(7), (AGAIN, 1, 1): gives(opened)}
        shown: Mapping[int, tuple[Plain, ...]] = {1: (4, 5, 7)}
        add("another choice than sealed, though nothing was told", "NoRight", last=AGAIN, bends=against, shown=shown)
        add("the same, hidden at the audit", "OtherChoice", last=AGAIN, bends=against)
        add("a choice too few", "NotShown", shown={1: (4, 5)})
        add("no choice", "NotShown", shown={1: ()})
        add("a choice too many", "TooMany", shown={1: (4, 5, 5, 0)})
        add("a choice that is none", "NoRight", shown={0: (True, 2, 3, 3)})
        share: Mapping[Place, Bend] = {(ROLL, 0, 0): reseeded}
        add("a share of a roll with another nonce", "OtherNonce", bends=share)
        add("the same, by a seat that shows nothing: nobody can tell", bends=share, seats=(1,))
        both: Mapping[Place, Bend] = {**share, (ROLL, 0, 1): reseeded}
        add("two seats in one stage", "OtherNonce", bends=both)
        add("two seats, of which the earlier decides", "OtherNonce", "OtherChoice", bends=share, shown={1: (3, 5, 5)})
        cut: tuple[tuple[int, int, int, Plain], ...] = ((ROLL, 0, 1, None),)
        add("a last stage that was cut short", instead=cut)
        add("a last stage that was cut short, of which what is there is wrong", "OtherNonce", instead=cut, bends=share)

    def amounts(self) -> None:
        add = partial(self.add, "amounts")
        add("what all seeds and choices give")
        add("another blinding", "OtherNonce", last=AMOUNTS, bends={(AMOUNTS, 0, 0): reseeded})
        add("other nonces of a range proof", "OtherNonce", last=AMOUNTS, bends={(AMOUNTS, 0, 0): other_range})
        add("other amounts shown than sealed", "OtherChoice", shown={0: ((2, 2), (1,), 3)})
        add("more shown than there was", "NoRight", shown={0: ((4, 4), (1,), 3)})
        add("other exponents and decoys of pads", "OtherNonce", last=TOLD, bends={(TOLD, 0, 0): reseeded})
        for comment, least in (("above less than its total", 0), ("nowhere", 7)):
            add(f"pads with the key {comment}", "FalsePads", last=TOLD, bends={(TOLD, 0, 0): key_above(least)})
        add("something else told", "FalseTell", last=TOLD, bends={(TOLD, 0, 0): says(0)})
        add("something else told to a seat that cannot read it", "FalseTell", last=TOLD, bends={(TOLD, 0, 1): says(0)})
        add("a payload that nobody can read", "FalseTell", last=TOLD, bends={(TOLD, 0, 0): unreadable})
        add("other nonces of the proof of a limit", "OtherNonce", last=WITHIN, bends={(WITHIN, 1, 0): other_entry(2)})

    def rights(self) -> None:
        add = partial(self.add, "rights")
        add("another choice than sealed, after something was told")
        lie: Mapping[Place, Bend] = {(RIGHT_TOLD, 0, 0): says(0)}
        add("the same, after something untrue was told: its teller alone deviates", "FalseTell", bends=lie)
        where = self.honest["rights"].plays[0].crypto.context(RIGHT, 0, 0)
        opened: Plain = (derive(seed(0, SALT), "choice nonce", where, 0, 7), 7, None)
        against: Mapping[Place, Bend] = {(RIGHT, 0, 0): commits_to(7), (RIGHT, 1, 0): gives(opened)}
        shown: Mapping[int, tuple[Plain, ...]] = {0: (3, (2, 1), 7)}
        add("another choice than sealed, by who could read nothing", "NoRight", bends=against, shown=shown)

    def items(self) -> None:
        add = partial(self.add, "items")
        add("what all seeds give")
        add("an order and masks of its own", "OtherNonce", last=SHUFFLE, bends={(SHUFFLE, 1, 1): reseeded})
        add("shares to all with another nonce", "OtherNonce", bends={(SHOW, 0, 2): other_entry(0)})
        add("mail with other masks", "OtherNonce", bends={(SHOW, 0, 2): other_entry(1)})

    def leaving(self) -> None:
        add = partial(self.add, "leaving")
        own = seed(2, SALT)
        add("a seat that left is audited by what it left behind")
        add("left behind with other nonces", "OtherNonce", bends={(PART, 0, 2): left_behind(OTHER, (own, ()))})
        add("left behind with a choice too many", "TooMany", bends={(PART, 0, 2): left_behind(own, (own, (0,)))})
        secrets: dict[str, Plain] = {"another seed": (OTHER, ()), "no seed": (), "no array": own}
        for comment, secret in secrets.items():
            add(f"left behind: {comment}", "NotLeft", bends={(PART, 0, 2): left_behind(own, secret)})
        add("left behind: what nobody can open", "NotLeft", bends={(PART, 0, 2): unopened})
        other: Mapping[Place, Bend] = {(0, 0, 0): other_key(BAG)}
        add("another's key does not open what was left behind", "OtherKey", "Absent", bends=other)
        add("one of those that remained shows nothing", "Absent", seats=(1,))


def audits() -> Book:
    unfair = "Unfair: the seats at the earliest slot that has any."
    book = Book(
        "audits",
        "16, 17",
        "Scripts whose bodies pass all public checks, with the seeds and choices shown: who deviated, and where.",
        {
            "OtherNonce": ("A nonce, blinding, mask or order is not the one that the seed gives.", unfair),
            "OtherKey": ("A key is not the one that the seed gives.", unfair),
            "OtherChoice": ("What was signed is not the choice that was shown.", unfair),
            "NoRight": ("The seat's own state forbids the choice.", unfair),
            "NotShown": ("A choice is missing.", "Unfair, where the choice was asked for."),
            "TooMany": ("A choice was shown that nobody asked for.", "Unfair, at the last stage, or where it left."),
            "FalsePads": ("The key does not lie above the owner's total and only there.", unfair),
            "FalseTell": ("What was told is not what the owner's state says.", unfair),
            "NotLeft": ("What was left behind does not open to the seat's seed and choices.", "Unfair, where it left."),
            "Absent": ("What was left behind cannot be opened for want of another's key.", "Its seat is absent."),
        },
    )
    made = Audits(book)
    for part in (made.choices, made.amounts, made.rights, made.items, made.leaving):
        part()
    return book


def attestations() -> Book:
    book = Book(
        "attestations",
        "18.1",
        "Who says that a step is absent.",
        {
            "NotSigned": ("The witness has not signed it, or for another table or purpose.", "The record is damaged."),
            "Malformed": ("It is no attestation: a type, a length or an order is wrong.", REFUSE),
        },
    )
    for absent in ((1,), (0, 2)):
        given = {"secret": identity(3), "game": GAME, "step": 7, "stage": 1, "head": bytes(range(32)), "absent": absent}
        plain = book.add("attest", "", given)["attestation"]
        book.add("read_attestation", "", {"game": GAME, "attestation": plain})
    book.add("read_attestation", "for another table", {"game": bytes(32), "attestation": plain}, "NotSigned")
    witness, step, stage, _, absent, signature = plain
    other = signatures.public(identity(1))
    one = Attestation(*plain)
    for comment, changed in {
        "of another witness": (other, *plain[1:]),
        "of another step": (witness, step + 1, *plain[2:]),
        "of another stage": (witness, step, stage + 1, *plain[3:]),
        "of another head": (*plain[:3], bytes(32), absent, signature),
        "of other seats": (*plain[:4], (2,), signature),
        "another signature": (*plain[:5], flipped(signature)),
        "signed as an envelope": replace(
            one, signature=signatures.sign(identity(3), "envelope", one.message(GAME))
        ).plain(),
    }.items():
        book.add("read_attestation", comment, {"game": GAME, "attestation": changed}, "NotSigned")

    def signed(**fields: Any) -> Plain:
        return replace(one, **fields).signed(GAME, partial(signatures.sign, identity(3))).plain()

    for comment, changed in {
        "nobody absent": signed(absent=()),
        "seats in descending order": signed(absent=(2, 0)),
        "a seat twice": signed(absent=(1, 1)),
        "a seat that no table has": signed(absent=(6,)),
        "a truth value for a seat": signed(absent=(True,)),
        "a negative step": signed(step=-1),
        "a truth value for the stage": signed(stage=True),
        "a head of 31 bytes": signed(head=bytes(31)),
        "a short signature": (*plain[:5], signature[:63]),
        "a field too many": (*plain, ()),
        "no array": b"",
    }.items():
        book.add("read_attestation", comment, {"game": GAME, "attestation": changed}, "Malformed")
    return book


def books() -> Iterator[Book]:
    yield from (audits(), attestations())
