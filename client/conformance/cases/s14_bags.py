"""Sections 14.8 to 14.10: shuffles, shares and mail that the target must refuse."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from kimberley.client.conformance.asks.show import PendingShow
from kimberley.client.conformance.asks.shuffle import PendingShuffle
from kimberley.client.conformance.cases.mutations import (
    MutateBody,
    at,
    entries,
    flipped,
    forbidden_body,
    large_scalar,
    octets,
    put,
)
from kimberley.client.conformance.cases.scripts import Asks
from kimberley.client.conformance.crypto.bags import MaskedItem, join_items, known_item, mail, share_to_all, shuffle
from kimberley.client.conformance.crypto.group import IDENTITY
from kimberley.client.conformance.encoding.plain import Plain
from kimberley.client.conformance.errors import typed
from kimberley.client.conformance.table.table import TargetTable

# -- Shuffle and Show --------------------------------------------------------------------------------------------------

ROWS: Final = (("heart", 1), ("spade", 2), ("club", 3), ("heart", 4))
SHUFFLE: Final[Asks] = (("shuffle", "deck", ROWS),)
SHUFFLED: Final = ("M-SHU-1", "M-SHF-1")


def items_of(asked: PendingShuffle, deck: Sequence[Sequence[Plain]]) -> tuple[MaskedItem, ...]:
    """These items as they enter the bag."""
    return tuple(known_item(asked.joint, row) for row in deck)


def shuffled(*, bag: str = "deck", swap: bool = False, fresh: bool = False, stage: int = 1) -> MutateBody:
    """A shuffle for another bag, of other items, or in another context."""

    def mutate(table: TargetTable, seat: int, body: Plain) -> Plain:
        asked, own = typed(table.play.asked, PendingShuffle), table.play.seats[seat].secrets
        given = items_of(asked, ROWS) if fresh else asked.items
        return shuffle(own, asked.context(stage, seat), bag, asked.joint, given, swap=swap)

    return mutate


def first_items(table: TargetTable, seat: int, body: Plain) -> Plain:
    """The items that nobody has shuffled yet, as the result of the stage."""
    asked = typed(table.play.asked, PendingShuffle)
    return put(body, join_items(items_of(asked, ROWS)), 0)


forbidden_body("15-94", "A shuffle that exchanges parts of items", SHUFFLED, SHUFFLE, (1, 1), shuffled(swap=True))
forbidden_body(
    "15-95",
    "A shuffle of other items than the stage before left",
    (*SHUFFLED, "M-SHF-2"),
    SHUFFLE,
    (1, 1),
    shuffled(fresh=True),
)
forbidden_body("15-96", "Items as they were before, with the proof due", SHUFFLED, SHUFFLE, (1, 1), first_items)
forbidden_body("15-97", "A shuffle for another bag", SHUFFLED, SHUFFLE, (1, 1), shuffled(bag="bag"))
forbidden_body("15-98", "A shuffle in another stage's context", SHUFFLED, SHUFFLE, (1, 1), shuffled(stage=0))
forbidden_body(
    "14-10", "A shuffle's proof with a bit changed", SHUFFLED, SHUFFLE, (1, 1), lambda t, s, b: flipped(b, 200, 1)
)
forbidden_body(
    "14-11",
    "A shuffle with an item too few",
    (*SHUFFLED, "M-BAG-1"),
    SHUFFLE,
    (1, 1),
    lambda t, s, b: put(b, octets(at(b, 0))[:-128], 0),
)
forbidden_body(
    "14-12",
    "A shuffled item with the identity",
    (*SHUFFLED, "M-GRP-1"),
    SHUFFLE,
    (1, 1),
    lambda t, s, b: put(b, IDENTITY + octets(at(b, 0))[32:], 0),
)
forbidden_body(
    "14-13",
    "A shuffle's proof that is too short",
    SHUFFLED,
    SHUFFLE,
    (1, 1),
    lambda t, s, b: put(b, octets(at(b, 1))[:-32], 1),
)
forbidden_body(
    "14-14", "A shuffle's response that is not below L", (*SHUFFLED, "M-GRP-2"), SHUFFLE, (1, 1), large_scalar(1)
)

SHOW: Final[Asks] = (("shuffle", "deck", ROWS), ("show", (0, 1), ((0, None), (1, 0), (1, 2))))
SHOWN: Final = ("M-SHW-1", "M-SHA-1")
MAILED: Final = ("M-SHW-2", "M-SHA-1")


def with_key(purpose: str, *, mailed: bool) -> MutateBody:
    """Shares made with another key of the seat."""

    def mutate(table: TargetTable, seat: int, body: Plain) -> Plain:
        asked, own = typed(table.play.asked, PendingShow), table.play.seats[seat].secrets
        context, x = own.context(2), own.key(purpose)
        if not mailed:
            return put(body, share_to_all(own, context, x, asked.pairs(None)), 0)
        return put(body, mail(own, context, x, table.play.facts.keys[0].mailbox, asked.pairs(0)), 1, 0, 1)

    return mutate


def to_other_mailbox(table: TargetTable, seat: int, body: Plain) -> Plain:
    """Mail for seat 0 that only the sender can read."""
    asked, own = typed(table.play.asked, PendingShow), table.play.seats[seat].secrets
    mailbox = table.play.facts.keys[seat].mailbox
    return put(body, mail(own, own.context(2), own.key("bag"), mailbox, asked.pairs(0)), 1, 0, 1)


def shown(id: str, title: str, covers: Sequence[str], mutate: MutateBody) -> None:
    forbidden_body(id, title, covers, SHOW, (2, 0), mutate, seats=3)


shown("14-15", "Shares by another key", SHOWN, with_key("coin", mailed=False))
shown("14-16", "Mail by another key", MAILED, with_key("coin", mailed=True))
shown("14-17", "Mail for another mailbox", MAILED, to_other_mailbox)
shown("14-18", "Shares with a bit changed", SHOWN, lambda t, s, b: flipped(b, 1, 0))
shown("14-19", "Mail with a bit changed", MAILED, lambda t, s, b: flipped(b, 140, 1, 0, 1))
shown("14-20", "Mail that is too long", MAILED, lambda t, s, b: put(b, octets(at(b, 1, 0, 1)) + bytes(32), 1, 0, 1))
shown("14-21", "No mail for a receiver", MAILED, lambda t, s, b: put(b, entries(at(b, 1))[:1], 1))
shown("14-22", "Mail in another order", MAILED, lambda t, s, b: put(b, entries(at(b, 1))[::-1], 1))
shown("14-23", "Mail that names another seat", MAILED, lambda t, s, b: put(b, 1, 1, 0, 0))
shown("14-24", "A boolean for a seat's number", (*MAILED, "M-ENC-4"), lambda t, s, b: put(b, False, 1, 0, 0))
shown("14-25", "Empty bytes for shares that are due", SHOWN, lambda t, s, b: put(b, b"", 0))
forbidden_body(
    "14-26",
    "Shares of what is shown to nobody",
    ("M-SHW-1", "M-SHW-3"),
    (("shuffle", "deck", ROWS), ("show", (0,), ((0, 0),))),
    (2, 0),
    lambda t, s, b: put(b, bytes(96), 0),
)
forbidden_body(
    "14-27", "A mail's response that is not below L", (*MAILED, "M-GRP-2"), SHOW, (2, 0), large_scalar(1, 0, 1), seats=3
)
