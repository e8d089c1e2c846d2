"""Sections 15.3 to 15.6: amounts, tells, totals and rolls that the target must refuse."""

from __future__ import annotations

from typing import Final

from kimberley.conformance.case import case
from kimberley.conformance.cases.mutations import (
    AS_GUILT,
    GUILTY,
    at,
    entries,
    flipped,
    forbidden_body,
    forged,
    high_bit,
    large_scalar,
    octets,
    unreduced,
)
from kimberley.conformance.cases.scripts import Asks, amounts
from kimberley.conformance.forging import put, sealing, share_by_bag_key, share_of_other_point
from kimberley.conformance.harness.harness import Harness
from kimberley.conformance.table.table import open_table
from kimberley.protocol.crypto.ristretto import RISTRETTO

ROLL: Final[Asks] = (("roll", (6,)),)

# -- Seal --------------------------------------------------------------------------------------------------------------

SEAL: Final[Asks] = (amounts(2),)
SEALED: Final = ("M-SEL-1",)


forbidden_body("15-63", "A sealed amount that is negative", SEALED, SEAL, (1, 0), forged(sealing(-1, 3)))
forbidden_body("15-64", "A sealed amount beyond its bits", SEALED, SEAL, (1, 0), forged(sealing(16, 0)))
forbidden_body("15-65", "Amounts beyond the limit", SEALED, SEAL, (1, 0), forged(sealing(8, 8)))
forbidden_body(
    "15-66",
    "A commitment that is the identity",
    (*SEALED, "M-GRP-1"),
    SEAL,
    (1, 0),
    lambda t, s, b: put(b, RISTRETTO.identity, 0, 0),
)
forbidden_body(
    "15-67", "One commitment too few", SEALED, SEAL, (1, 0), lambda t, s, b: (entries(at(b, 0))[:1], *entries(b)[1:])
)
forbidden_body(
    "15-68", "One range proof too few", SEALED, SEAL, (1, 0), lambda t, s, b: put(b, entries(at(b, 1))[:1], 1)
)
forbidden_body(
    "15-69",
    "Two commitments in each other's place",
    SEALED,
    SEAL,
    (1, 0),
    lambda t, s, b: put(b, entries(at(b, 0))[::-1], 0),
    chosen=(1, 2),
)
forbidden_body(
    "15-70",
    "A range proof that is too long",
    (*SEALED, "M-RNG-1"),
    SEAL,
    (1, 0),
    lambda t, s, b: put(b, octets(at(b, 1, 0)) + bytes(32), 1, 0),
)
forbidden_body(
    "15-71",
    "A range proof with the identity for a bit",
    (*SEALED, "M-RNG-1"),
    SEAL,
    (1, 0),
    lambda t, s, b: put(b, RISTRETTO.identity + octets(at(b, 1, 0))[32:], 1, 0),
)
forbidden_body(
    "15-72",
    "A range proof whose response is not below L",
    (*SEALED, "M-RNG-1", "M-GRP-2"),
    SEAL,
    (1, 0),
    large_scalar(1, 1),
)
forbidden_body("15-73", "A range proof with a bit changed", SEALED, SEAL, (1, 0), lambda t, s, b: flipped(b, 300, 1, 1))
forbidden_body(
    "15-74", "A proof of the limit with a bit changed", SEALED, SEAL, (1, 0), lambda t, s, b: flipped(b, 100, 2)
)
forbidden_body(
    "15-75",
    "A slot that is passed over",
    ("M-SEL-2", "M-SEL-1"),
    SEAL,
    (1, 0),
    lambda t, s, b: tuple(entries(one)[:1] if isinstance(one, tuple) else one for one in entries(b)),
)

# -- Disclose and Open -------------------------------------------------------------------------------------------------

TELL: Final[Asks] = (amounts(2), ("disclose", ((1, 0, "a", "b"),), 4), ("disclose", ((1, 0, "a", "b"),), 4))
TOLD: Final = ("M-TEL-1", "M-TEL-2")

forbidden_body("15-76", "No pads where they are due", TOLD, TELL, (2, 0), lambda t, s, b: put(b, b"", 0, 0))
forbidden_body(
    "15-77", "Pads where others stand", TOLD, TELL, (3, 0), lambda t, s, b: put(b, RISTRETTO.base(5) + bytes(512), 0, 0)
)
forbidden_body(
    "15-78",
    "Pads for one total too few",
    (*TOLD, "M-DIS-1"),
    TELL,
    (2, 0),
    lambda t, s, b: put(b, octets(at(b, 0, 0))[:-32], 0, 0),
)
forbidden_body(
    "15-79",
    "Pads whose A is the identity",
    (*TOLD, "M-DIS-1", "M-GRP-1"),
    TELL,
    (2, 0),
    lambda t, s, b: put(b, RISTRETTO.identity + octets(at(b, 0, 0))[32:], 0, 0),
)
forbidden_body(
    "15-80", "A payload that is too short", TOLD, TELL, (2, 0), lambda t, s, b: put(b, octets(at(b, 0, 1))[:-1], 0, 1)
)
forbidden_body("15-81", "A tell that is passed over", ("M-TEL-2",), TELL, (2, 0), lambda t, s, b: ())

OPEN: Final[Asks] = (amounts(2), ("open", ((1, "a"), (0, "b"), (1, "spent")), 4))
OPENED: Final = ("M-OPN-1",)
forbidden_body(
    "15-82",
    "A total that was not sealed",
    OPENED,
    OPEN,
    (2, 0),
    lambda t, s, b: put(b, int(str(at(b, 0, 0))) + 1, 0, 0),
)
forbidden_body("15-83", "A total with another blinding", OPENED, OPEN, (2, 0), lambda t, s, b: flipped(b, 3, 1, 1))
forbidden_body(
    "15-84",
    "A blinding that is not below L",
    (*OPENED, "M-GRP-2"),
    OPEN,
    (2, 0),
    lambda t, s, b: put(b, unreduced(octets(at(b, 0, 1))), 0, 1),
)
forbidden_body(
    "15-85",
    "A total beyond its bits, that fits as a point",
    OPENED,
    OPEN,
    (2, 0),
    lambda t, s, b: put(b, int(str(at(b, 0, 0))) + 16, 0, 0),
)
forbidden_body(
    "15-86",
    "A boolean for a total",
    (*OPENED, "M-ENC-4"),
    OPEN,
    (2, 0),
    lambda t, s, b: put(b, True, 0, 0),
    chosen=None,
)
forbidden_body("15-87", "One total too few", OPENED, OPEN, (2, 0), lambda t, s, b: entries(b)[:1])

# -- Roll --------------------------------------------------------------------------------------------------------------

ROLLED: Final = ("M-ROL-1",)


forbidden_body("15-88", "A share of another point", ROLLED, ROLL, (1, 0), forged(share_of_other_point))
forbidden_body("15-89", "A share by another key", ROLLED, ROLL, (1, 0), forged(share_by_bag_key))
forbidden_body(
    "15-90",
    "A share that is the identity",
    (*ROLLED, "M-GRP-1"),
    ROLL,
    (1, 0),
    lambda t, s, b: (RISTRETTO.identity + octets(at(b, 0))[32:],),
)
forbidden_body(
    "15-91",
    "A share with its top bit set",
    (*ROLLED, "M-GRP-1"),
    ROLL,
    (1, 0),
    lambda t, s, b: (high_bit(octets(at(b, 0))[:32]) + octets(at(b, 0))[32:],),
)
forbidden_body("15-92", "A share that is too long", ROLLED, ROLL, (1, 0), lambda t, s, b: (octets(at(b, 0)) + b"\0",))
forbidden_body(
    "15-93",
    "The share of an earlier roll",
    (*ROLLED, "M-ROL-2"),
    (("roll", (6,)), ("roll", (6,))),
    (2, 0),
    lambda t, s, b: t.play.log[1].bodies[s],
)

# -- the target joins --------------------------------------------------------------------------------------------------


@case("15-99", "A guilty host, seen by a seat that joined", covers=("M-ROL-1", *AS_GUILT), expect=GUILTY)
async def guilty_host(harness: Harness) -> None:
    async with open_table(harness, ROLL, target="join", seats=3, seat=1) as table:
        await table.until(1)
        body = table.body(0)
        await table.expect_caught(0, (RISTRETTO.encode_scalar(1) * 3,) if body else ())
