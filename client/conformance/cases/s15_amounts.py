"""Sections 15.3 to 15.6: amounts, tells, totals and rolls that must be refused."""

from __future__ import annotations

from typing import Final

from client.conformance.asks import AskedRoll
from client.conformance.bench import Bench
from client.conformance.case import case, typed
from client.conformance.cases.bending import (
    AS_GUILT,
    GUILTY,
    Foul,
    at,
    entries,
    flipped,
    foul,
    high_bit,
    large_scalar,
    octets,
    put,
)
from client.conformance.cases.scripts import Script, amounts
from client.conformance.group import IDENTITY, L, base, mul, scalar_bytes
from client.conformance.plain import Plain
from client.conformance.proofs import prove_dleq
from client.conformance.table import Table
from client.conformance.tally_asks import AskedSeal
from games.table import Amounts

ROLL: Final[Script] = (("roll", (6,)),)

# -- Seal --------------------------------------------------------------------------------------------------------------

SEAL: Final[Script] = (amounts(2),)
SEALED: Final = ("M-SEL-1",)


def over(*values: int) -> Foul:
    """Amounts that no proof can be true of, sealed with proofs as good as they get."""

    def bend(table: Table, seat: int, body: Plain) -> Plain:
        asked, own = typed(table.play.asked, AskedSeal), table.play.seats[seat]
        space = typed(asked.ask.spaces[seat], Amounts)
        return asked.amounts_body(own, space, values)

    return bend


foul("15-63", "A sealed amount that is negative", SEALED, SEAL, (1, 0), over(-1, 3))
foul("15-64", "A sealed amount beyond its bits", SEALED, SEAL, (1, 0), over(16, 0))
foul("15-65", "Amounts beyond the limit", SEALED, SEAL, (1, 0), over(8, 8))
foul(
    "15-66",
    "A commitment that is the identity",
    (*SEALED, "M-GRP-1"),
    SEAL,
    (1, 0),
    lambda t, s, b: put(b, IDENTITY, 0, 0),
)
foul("15-67", "One commitment too few", SEALED, SEAL, (1, 0), lambda t, s, b: (entries(at(b, 0))[:1], *entries(b)[1:]))
foul("15-68", "One range proof too few", SEALED, SEAL, (1, 0), lambda t, s, b: put(b, entries(at(b, 1))[:1], 1))
foul(
    "15-69",
    "Two commitments in each other's place",
    SEALED,
    SEAL,
    (1, 0),
    lambda t, s, b: put(b, entries(at(b, 0))[::-1], 0),
    chosen=(1, 2),
)
foul(
    "15-70",
    "A range proof that is too long",
    (*SEALED, "M-RNG-1"),
    SEAL,
    (1, 0),
    lambda t, s, b: put(b, octets(at(b, 1, 0)) + bytes(32), 1, 0),
)
foul(
    "15-71",
    "A range proof with the identity for a bit",
    (*SEALED, "M-RNG-1"),
    SEAL,
    (1, 0),
    lambda t, s, b: put(b, IDENTITY + octets(at(b, 1, 0))[32:], 1, 0),
)
foul(
    "15-72",
    "A range proof whose response is not below L",
    (*SEALED, "M-RNG-1", "M-GRP-2"),
    SEAL,
    (1, 0),
    large_scalar(1, 1),
)
foul("15-73", "A range proof with a bit changed", SEALED, SEAL, (1, 0), lambda t, s, b: flipped(b, 300, 1, 1))
foul("15-74", "A proof of the limit with a bit changed", SEALED, SEAL, (1, 0), lambda t, s, b: flipped(b, 100, 2))
foul(
    "15-75",
    "A slot that is passed over",
    ("M-SEL-2", "M-SEL-1"),
    SEAL,
    (1, 0),
    lambda t, s, b: tuple(entries(one)[:1] if isinstance(one, tuple) else one for one in entries(b)),
)

# -- Disclose and Open -------------------------------------------------------------------------------------------------

TELL: Final[Script] = (amounts(2), ("disclose", ((1, 0, "a", "b"),), 4), ("disclose", ((1, 0, "a", "b"),), 4))
TOLD: Final = ("M-TEL-1", "M-TEL-2")

foul("15-76", "No pads where they are due", TOLD, TELL, (2, 0), lambda t, s, b: put(b, b"", 0, 0))
foul("15-77", "Pads where others stand", TOLD, TELL, (3, 0), lambda t, s, b: put(b, base(5) + bytes(512), 0, 0))
foul(
    "15-78",
    "Pads for one total too few",
    (*TOLD, "M-DIS-1"),
    TELL,
    (2, 0),
    lambda t, s, b: put(b, octets(at(b, 0, 0))[:-32], 0, 0),
)
foul(
    "15-79",
    "Pads whose A is the identity",
    (*TOLD, "M-DIS-1", "M-GRP-1"),
    TELL,
    (2, 0),
    lambda t, s, b: put(b, IDENTITY + octets(at(b, 0, 0))[32:], 0, 0),
)
foul("15-80", "A payload that is too short", TOLD, TELL, (2, 0), lambda t, s, b: put(b, octets(at(b, 0, 1))[:-1], 0, 1))
foul("15-81", "A tell that is passed over", ("M-TEL-2",), TELL, (2, 0), lambda t, s, b: ())

OPEN: Final[Script] = (amounts(2), ("open", ((1, "a"), (0, "b"), (1, "spent")), 4))
OPENED: Final = ("M-OPN-1",)
foul(
    "15-82",
    "A total that was not sealed",
    OPENED,
    OPEN,
    (2, 0),
    lambda t, s, b: put(b, int(str(at(b, 0, 0))) + 1, 0, 0),
)
foul("15-83", "A total with another blinding", OPENED, OPEN, (2, 0), lambda t, s, b: flipped(b, 3, 1, 1))
foul(
    "15-84",
    "A blinding that is not below L",
    (*OPENED, "M-GRP-2"),
    OPEN,
    (2, 0),
    lambda t, s, b: put(b, (int.from_bytes(octets(at(b, 0, 1)), "little") + L).to_bytes(32, "little"), 0, 1),
)
foul(
    "15-85",
    "A total beyond its bits, that fits as a point",
    OPENED,
    OPEN,
    (2, 0),
    lambda t, s, b: put(b, int(str(at(b, 0, 0))) + 16, 0, 0),
)
foul(
    "15-86",
    "A boolean for a total",
    (*OPENED, "M-ENC-4"),
    OPEN,
    (2, 0),
    lambda t, s, b: put(b, True, 0, 0),
    chosen=None,
)
foul("15-87", "One total too few", OPENED, OPEN, (2, 0), lambda t, s, b: entries(b)[:1])

# -- Roll --------------------------------------------------------------------------------------------------------------

ROLLED: Final = ("M-ROL-1",)


def another_roll(table: Table, seat: int, body: Plain) -> Plain:
    """The share of another point, with a proof that holds for it."""
    asked, own = typed(table.play.asked, AskedRoll), table.play.seats[seat].secrets
    y, point = own.key("coin"), mul(3, asked.point)
    return (mul(y, point) + prove_dleq(own, "coin share", own.context(1), 0, y, (point,)),)


def by_other_key(table: Table, seat: int, body: Plain) -> Plain:
    """A share by another key than the announced one."""
    asked, own = typed(table.play.asked, AskedRoll), table.play.seats[seat].secrets
    y = own.key("bag")
    return (mul(y, asked.point) + prove_dleq(own, "coin share", own.context(1), 0, y, (asked.point,)),)


foul("15-88", "A share of another point", ROLLED, ROLL, (1, 0), another_roll)
foul("15-89", "A share by another key", ROLLED, ROLL, (1, 0), by_other_key)
foul(
    "15-90",
    "A share that is the identity",
    (*ROLLED, "M-GRP-1"),
    ROLL,
    (1, 0),
    lambda t, s, b: (IDENTITY + octets(at(b, 0))[32:],),
)
foul(
    "15-91",
    "A share with its top bit set",
    (*ROLLED, "M-GRP-1"),
    ROLL,
    (1, 0),
    lambda t, s, b: (high_bit(octets(at(b, 0))[:32]) + octets(at(b, 0))[32:],),
)
foul("15-92", "A share that is too long", ROLLED, ROLL, (1, 0), lambda t, s, b: (octets(at(b, 0)) + b"\0",))
foul(
    "15-93",
    "The share of an earlier roll",
    (*ROLLED, "M-ROL-2"),
    (("roll", (6,)), ("roll", (6,))),
    (2, 0),
    lambda t, s, b: t.play.log[1].bodies[s],
)

# -- the target joins --------------------------------------------------------------------------------------------------


@case("15-99", "A guilty host, seen by a seat that joined", covers=("M-ROL-1", *AS_GUILT), expect=GUILTY)
async def guilty_host(bench: Bench) -> None:
    async with bench.table(ROLL, target="join", seats=3, seat=1) as table:
        await table.until(1)
        body = table.body(0)
        await table.catches(0, (scalar_bytes(1) * 3,) if body else ())
