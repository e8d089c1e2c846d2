"""Section 14: keys of step 0 that the target must refuse."""

from __future__ import annotations

from typing import Final

from kimberley.conformance.cases.mutations import (
    NOT_CANONICAL,
    at,
    entries,
    flipped,
    forbidden_body,
    forged,
    high_bit,
    large_scalar,
    octets,
)
from kimberley.conformance.cases.scripts import Asks
from kimberley.conformance.forging import proof_of_other_seat, put
from kimberley.protocol.crypto.ristretto import RISTRETTO

# -- keys --------------------------------------------------------------------------------------------------------------

KEYS: Final = ("M-KEY-1", "M-ASK-1")
ROLL: Final[Asks] = (("roll", (6,)),)


forbidden_body(
    "14-01",
    "A coin key that is the identity",
    (*KEYS, "M-GRP-1"),
    ROLL,
    (0, 0),
    lambda t, s, b: put(b, RISTRETTO.identity, 0, 0),
)
forbidden_body(
    "14-02",
    "A bag key that is not canonical",
    (*KEYS, "M-GRP-1"),
    ROLL,
    (0, 0),
    lambda t, s, b: put(b, NOT_CANONICAL, 1, 0),
)
forbidden_body(
    "14-03",
    "A mailbox key with its top bit set",
    (*KEYS, "M-GRP-1"),
    ROLL,
    (0, 0),
    lambda t, s, b: put(b, high_bit(octets(at(b, 2, 0))), 2, 0),
)
forbidden_body("14-04", "A key with another one's proof", KEYS, ROLL, (0, 0), lambda t, s, b: put(b, at(b, 1, 1), 0, 1))
forbidden_body(
    "14-05", "A proof of possession with a bit changed", KEYS, ROLL, (0, 0), lambda t, s, b: flipped(b, 40, 2, 1)
)
forbidden_body(
    "14-06", "A proof of possession in another seat's context", KEYS, ROLL, (0, 0), forged(proof_of_other_seat)
)
forbidden_body("14-07", "A response that is not below L", (*KEYS, "M-GRP-2"), ROLL, (0, 0), large_scalar(1, 1))
forbidden_body("14-08", "Two keys instead of three", KEYS, ROLL, (0, 0), lambda t, s, b: entries(b)[:2])
forbidden_body(
    "14-09",
    "A key that another seat announced",
    KEYS,
    ROLL,
    (0, 0),
    lambda t, s, b: (
        put(b, at(t.given[t.target].body, 0), 0) if t.target in t.given else put(b, (RISTRETTO.base(1), bytes(64)), 0)
    ),
)
