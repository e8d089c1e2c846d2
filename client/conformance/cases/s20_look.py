"""Section 20: the last look."""

from __future__ import annotations

import asyncio
from typing import Final

from client.conformance.bench import Bench
from client.conformance.case import case, expect
from client.conformance.cases.scripts import Script
from client.conformance.table import Table

LOOK: Final[Script] = (("decide", 1, 9), ("look", (0, 1), 9), ("roll", (6,)))
SECOND: Final = {"last_look": 1}


async def commitment(bench: Bench, table: Table, cause: float) -> float:
    """The seconds from the public cause to the target's commitment."""
    await table.hear()
    del bench
    return asyncio.get_running_loop().time() - cause


async def to_the_look(table: Table) -> float:
    """Brings a table to its last look. Returns when its public cause was sent."""
    await table.until(1)
    table.give(1)
    cause = asyncio.get_running_loop().time()
    table.end_stage()
    return cause


@case(
    "20-01",
    "A commitment is held until the last look is over",
    covers=("M-LOK-1",),
    expect="not before a second has passed, though the choice was made at once",
)
async def held(bench: Bench) -> None:
    async with bench.table(LOOK, options=SECOND) as table:
        cause = await to_the_look(table)
        waited = await commitment(bench, table, cause)
        expect(waited >= 0.99, f"the target committed after {waited:.2f} s")
        await table.finish()


@case(
    "20-02",
    "A last look in which the target's player says nothing",
    covers=("M-LOK-2",),
    expect="a commitment to 0, which stands from the start, when the second has passed",
)
async def silent(bench: Bench) -> None:
    async with bench.table(LOOK, options=SECOND) as table:
        cause = await to_the_look(table)
        table.keep_silent(0)
        await bench.wait(table.owed, "what stands in the last look", 3 * SECOND["last_look"])
        waited = await commitment(bench, table, cause)
        expect(waited >= 0.99, f"the target committed after {waited:.2f} s")
        await table.finish()


@case("20-03", "A last look with one choice only", covers=("M-LOK-1", "M-HID-3"), expect="held all the same")
async def one_choice(bench: Bench) -> None:
    async with bench.table((("decide", 1, 9), ("look", (0, 1), 1)), options=SECOND) as table:
        cause = await to_the_look(table)
        waited = await commitment(bench, table, cause)
        expect(waited >= 0.99, f"the target committed after {waited:.2f} s")
        await table.finish()


@case("20-04", "Asks that are no last look", covers=("M-LOK-3",), expect="not held, whatever the table's last look")
async def not_a_look(bench: Bench) -> None:
    async with bench.table(
        (("decide", 1, 9), ("together", (0, 1), 9), ("seal", (0, 1), 9)), options={"last_look": 600}
    ) as table:
        await table.finish()


@case("20-05", "A table without a last look", covers=("M-LOK-3",), expect="nothing is held")
async def none(bench: Bench) -> None:
    async with bench.table(LOOK) as table:
        await table.finish()


@case(
    "20-06", "A seat that is not asked takes part in no last look", covers=("M-LOK-3",), expect="nothing is held by it"
)
async def not_asked(bench: Bench) -> None:
    async with bench.table((("decide", 1, 9), ("look", (1,), 9), ("roll", (6,))), options={"last_look": 30}) as table:
        await table.finish()
