"""Sections 15.3 to 15.6: amounts, tells, totals and rolls that the target must refuse."""

from __future__ import annotations

from typing import Final

from kimberley.client.conformance.asks.roll import PendingRoll
from kimberley.client.conformance.asks.seal import PendingSeal
from kimberley.client.conformance.case import case
from kimberley.client.conformance.cases.mutations import (
    AS_GUILT,
    GUILTY,
    MutateBody,
    at,
    entries,
    flipped,
    forbidden_body,
    high_bit,
    large_scalar,
    octets,
    put,
)
from kimberley.client.conformance.cases.scripts import Asks, amounts
from kimberley.client.conformance.crypto.group import IDENTITY, L, base, mul, scalar_bytes
from kimberley.client.conformance.crypto.proofs import prove_dleq
from kimberley.client.conformance.encoding.plain import Plain
from kimberley.client.conformance.errors import typed
from kimberley.client.conformance.harness.harness import Harness
from kimberley.client.conformance.table.table import TargetTable, open_table
from kimberley.games.table import Amounts

ROLL: Final[Asks] = (("roll", (6,)),)

# -- Seal --------------------------------------------------------------------------------------------------------------

SEAL: Final[Asks] = (amounts(2),)
SEALED: Final = ("M-SEL-1",)


def over(*values: int) -> MutateBody:
    """Amounts for which no valid proof exists, sealed with the best proofs possible."""

    def mutate(table: TargetTable, seat: int, body: Plain) -> Plain:
        asked, own = typed(table.play.asked, PendingSeal), table.play.seats[seat]
        space = typed(asked.ask.spaces[seat], Amounts)
        return asked.amounts_body(own, space, values)

    return mutate


forbidden_body("15-63", "A sealed amount that is negative", SEALED, SEAL, (1, 0), over(-1, 3))
forbidden_body("15-64", "A sealed amount beyond its bits", SEALED, SEAL, (1, 0), over(16, 0))
forbidden_body("15-65", "Amounts beyond the limit", SEALED, SEAL, (1, 0), over(8, 8))
forbidden_body(
    "15-66",
    "A commitment that is the identity",
    (*SEALED, "M-GRP-1"),
    SEAL,
    (1, 0),
    lambda t, s, b: put(b, IDENTITY, 0, 0),
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
    lambda t, s, b: put(b, IDENTITY + octets(at(b, 1, 0))[32:], 1, 0),
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
    "15-77", "Pads where others stand", TOLD, TELL, (3, 0), lambda t, s, b: put(b, base(5) + bytes(512), 0, 0)
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
    lambda t, s, b: put(b, IDENTITY + octets(at(b, 0, 0))[32:], 0, 0),
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
    lambda t, s, b: put(b, (int.from_bytes(octets(at(b, 0, 1)), "little") + L).to_bytes(32, "little"), 0, 1),
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


def another_roll(table: TargetTable, seat: int, body: Plain) -> Plain:
    """The share of another point, with a proof that is valid for that point."""
    asked, own = typed(table.play.asked, PendingRoll), table.play.seats[seat].secrets
    y, point = own.key("coin"), mul(3, asked.point)
    return (mul(y, point) + prove_dleq(own, "coin share", own.context(1), 0, y, (point,)),)


def by_other_key(table: TargetTable, seat: int, body: Plain) -> Plain:
    """A share made with another key than the announced one."""
    asked, own = typed(table.play.asked, PendingRoll), table.play.seats[seat].secrets
    y = own.key("bag")
    return (mul(y, asked.point) + prove_dleq(own, "coin share", own.context(1), 0, y, (asked.point,)),)


forbidden_body("15-88", "A share of another point", ROLLED, ROLL, (1, 0), another_roll)
forbidden_body("15-89", "A share by another key", ROLLED, ROLL, (1, 0), by_other_key)
forbidden_body(
    "15-90",
    "A share that is the identity",
    (*ROLLED, "M-GRP-1"),
    ROLL,
    (1, 0),
    lambda t, s, b: (IDENTITY + octets(at(b, 0))[32:],),
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
        await table.expect_caught(0, (scalar_bytes(1) * 3,) if body else ())
