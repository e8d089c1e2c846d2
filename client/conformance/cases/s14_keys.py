"""Section 14: keys of step 0 that must be refused."""

from __future__ import annotations

from typing import Final

from client.conformance.cases.bending import (
    NOT_CANONICAL,
    at,
    entries,
    flipped,
    foul,
    high_bit,
    large_scalar,
    octets,
    put,
)
from client.conformance.cases.scripts import Script
from client.conformance.group import IDENTITY, base
from client.conformance.hashing import Secrets
from client.conformance.plain import Plain
from client.conformance.proofs import prove_dleq
from client.conformance.table import Table

# -- keys --------------------------------------------------------------------------------------------------------------

KEYS: Final = ("M-KEY-1", "M-ASK-1")
ROLL: Final[Script] = (("roll", (6,)),)


def other_seat(table: Table, seat: int, body: Plain) -> Plain:
    """The keys proven as if by another seat."""
    play = table.play
    secrets = Secrets(table.signed.game_id, 0, play.seats[seat].secrets.seed)
    x = play.seats[seat].secrets.key("coin")
    return put(body, prove_dleq(secrets, "key coin", secrets.context(0), 0, x, ()), 0, 1)


foul(
    "14-01", "A coin key that is the identity", (*KEYS, "M-GRP-1"), ROLL, (0, 0), lambda t, s, b: put(b, IDENTITY, 0, 0)
)
foul(
    "14-02",
    "A bag key that is not canonical",
    (*KEYS, "M-GRP-1"),
    ROLL,
    (0, 0),
    lambda t, s, b: put(b, NOT_CANONICAL, 1, 0),
)
foul(
    "14-03",
    "A mailbox key with its top bit set",
    (*KEYS, "M-GRP-1"),
    ROLL,
    (0, 0),
    lambda t, s, b: put(b, high_bit(octets(at(b, 2, 0))), 2, 0),
)
foul("14-04", "A key with another one's proof", KEYS, ROLL, (0, 0), lambda t, s, b: put(b, at(b, 1, 1), 0, 1))
foul("14-05", "A proof of possession with a bit changed", KEYS, ROLL, (0, 0), lambda t, s, b: flipped(b, 40, 2, 1))
foul("14-06", "A proof of possession in another seat's context", KEYS, ROLL, (0, 0), other_seat)
foul("14-07", "A response that is not below L", (*KEYS, "M-GRP-2"), ROLL, (0, 0), large_scalar(1, 1))
foul("14-08", "Two keys instead of three", KEYS, ROLL, (0, 0), lambda t, s, b: entries(b)[:2])
foul(
    "14-09",
    "A key that another seat announced",
    KEYS,
    ROLL,
    (0, 0),
    lambda t, s, b: (
        put(b, at(t.given[t.target].body, 0), 0) if t.target in t.given else put(b, (base(1), bytes(64)), 0)
    ),
)
