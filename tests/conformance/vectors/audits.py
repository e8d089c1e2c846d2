"""Vectors of audits, with scripts in which a seat gave what its seed and its choices do not give, and of
attestations.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Final

from kimberley.conformance.forging import (
    OTHER,
    Bend,
    commits_to,
    flips,
    gives,
    key_above,
    only,
    other_key,
    other_proofs,
    other_range,
    reseeded,
    says,
)
from kimberley.conformance.forging_items import leaves_behind
from kimberley.games.table import Plain
from kimberley.protocol.crypto.elgamal import BAG
from kimberley.protocol.crypto.hashing import derive
from kimberley.protocol.crypto.ristretto import RISTRETTO
from kimberley.protocol.encoding import pack
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
from tests.support.rehearsal import SALT, Place, Rehearsal
from tests.support.tables import seed

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
"""Seat 1 is told something, and makes a choice other than the one that it sealed."""
RIGHT_TOLD: Final = 3
RIGHT: Final = 4


def left_behind(secret: Plain, seeded: bytes | None = None) -> Bend:
    """Returns a leave with another secret, or with nonces of another seed."""
    return leaves_behind(lambda play: pack(secret), seeded)


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
        """Adds a script to the end of the step `last`, with these bodies bent or given instead. `shown` are choices
        other than those that were made, by seat; `seats` those that show anything.
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
        add("a payload that nobody can read", "FalseTell", last=TOLD, bends={(TOLD, 0, 0): flips(-1, 0, 1)})
        add(
            "other nonces of the proof of a limit", "OtherNonce", last=WITHIN, bends={(WITHIN, 1, 0): only(reseeded, 2)}
        )

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
        add("shares to all with another nonce", "OtherNonce", bends={(SHOW, 0, 2): only(reseeded, 0)})
        add("mail with other masks", "OtherNonce", bends={(SHOW, 0, 2): only(reseeded, 1)})

    def leaving(self) -> None:
        add = partial(self.add, "leaving")
        own = seed(2, SALT)
        add("a seat that left is audited by what it left behind")
        add("left behind with other nonces", "OtherNonce", bends={(PART, 0, 2): left_behind((own, ()), OTHER)})
        add("left behind with a choice too many", "TooMany", bends={(PART, 0, 2): left_behind((own, (0,)))})
        secrets: dict[str, Plain] = {"another seed": (OTHER, ()), "no seed": (), "no array": own}
        for comment, secret in secrets.items():
            add(f"left behind: {comment}", "NotLeft", bends={(PART, 0, 2): left_behind(secret)})
        add("left behind: what nobody can open", "NotLeft", bends={(PART, 0, 2): flips(-1, 2)})
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
