"""Section 15: choices that the target must refuse, and a guilty host."""

from __future__ import annotations

from typing import Final

from kimberley.conformance.case import case
from kimberley.conformance.cases.forged import AS_GUILT, GUILTY
from kimberley.conformance.cases.scripts import Asks, amounts
from kimberley.conformance.forging import forget_spending
from kimberley.conformance.harness.harness import Harness
from kimberley.conformance.table.table import open_table
from kimberley.protocol.crypto.ristretto import RISTRETTO

TOGETHER: Final[Asks] = (("together", (0, 1), 9),)
WITHIN: Final[Asks] = (amounts(2, 12), ("within", (0, 1), 4, 12))


@case(
    "15-57",
    "A forbidden choice that was committed to",
    covers=("M-TOG-1", "M-DEC-1", *AS_GUILT),
    expect=GUILTY,
)
async def forbidden_choice(harness: Harness) -> None:
    async with open_table(harness, TOGETHER) as table:
        table.choices[1, 1] = 9
        await table.until(1, 1)
        await table.expect_caught(1, table.body(1))


@case("15-61", "A cost beyond the limit", covers=("M-TOG-2", *AS_GUILT), expect=GUILTY)
async def beyond_limit(harness: Harness) -> None:
    async with open_table(harness, WITHIN) as table:
        table.choices[2, 1] = 12
        await table.until(2, 1)
        forget_spending(table.play.seats[1])
        await table.expect_caught(1, table.body(1))


@case("15-99", "A guilty host, seen by a seat that joined", covers=("M-ROL-1", *AS_GUILT), expect=GUILTY)
async def guilty_host(harness: Harness) -> None:
    async with open_table(harness, (("roll", (6,)),), target="join", seats=3, seat=1) as table:
        await table.until(1)
        body = table.body(0)
        await table.expect_caught(0, (RISTRETTO.encode_scalar(1) * 3,) if body else ())
