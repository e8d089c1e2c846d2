"""Sections 14.8 to 14.10: shuffles, shares and mail that the target must refuse."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from kimberley.conformance.cases.mutations import (
    MutateBody,
    at,
    entries,
    flipped,
    forbidden_body,
    forged,
    large_scalar,
    octets,
)
from kimberley.conformance.cases.scripts import Asks
from kimberley.conformance.forging import (
    mail_by_coin_key,
    mail_to_itself,
    put,
    shares_by_coin_key,
    shuffled,
    unshuffled,
)
from kimberley.protocol.crypto.ristretto import RISTRETTO

# -- Shuffle and Show --------------------------------------------------------------------------------------------------

ROWS: Final = (("heart", 1), ("spade", 2), ("club", 3), ("heart", 4))
SHUFFLE: Final[Asks] = (("shuffle", "deck", ROWS),)
SHUFFLED: Final = ("M-SHU-1", "M-SHF-1")


forbidden_body(
    "15-94", "A shuffle that exchanges parts of items", SHUFFLED, SHUFFLE, (1, 1), forged(shuffled(swap=True))
)
forbidden_body(
    "15-95",
    "A shuffle of other items than the stage before left",
    (*SHUFFLED, "M-SHF-2"),
    SHUFFLE,
    (1, 1),
    forged(shuffled(fresh=True)),
)
forbidden_body("15-96", "Items as they were before, with the proof due", SHUFFLED, SHUFFLE, (1, 1), forged(unshuffled))
forbidden_body("15-97", "A shuffle for another bag", SHUFFLED, SHUFFLE, (1, 1), forged(shuffled(bag="bag")))
forbidden_body("15-98", "A shuffle in another stage's context", SHUFFLED, SHUFFLE, (1, 1), forged(shuffled(stage=0)))
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
    lambda t, s, b: put(b, RISTRETTO.identity + octets(at(b, 0))[32:], 0),
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


def shown(id: str, title: str, covers: Sequence[str], mutate: MutateBody) -> None:
    forbidden_body(id, title, covers, SHOW, (2, 0), mutate, seats=3)


shown("14-15", "Shares by another key", SHOWN, forged(shares_by_coin_key))
shown("14-16", "Mail by another key", MAILED, forged(mail_by_coin_key))
shown("14-17", "Mail for another mailbox", MAILED, forged(mail_to_itself))
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
