"""Section 20: the last look."""

from __future__ import annotations

import asyncio
from typing import Final

from kimberley.conformance.case import case
from kimberley.conformance.cases.scripts import Asks
from kimberley.conformance.errors import expect
from kimberley.conformance.harness.harness import Harness
from kimberley.conformance.table.table import TargetTable, open_table

LOOK: Final[Asks] = (("decide", 1, 9), ("look", (0, 1), 9), ("roll", (6,)))
SECOND: Final = {"last_look": 1}
QUIET: Final = {"last_look": 4, "quiet_time": 1}


async def commitment(harness: Harness, table: TargetTable, cause: float) -> float:
    """Waits for the target's commitment. Returns the seconds since its public cause."""
    await table.await_target()
    del harness
    return asyncio.get_running_loop().time() - cause


async def to_the_look(table: TargetTable) -> float:
    """Brings a table to its last look. Returns the loop time before its public cause was sent."""
    await table.until(1)
    cause = asyncio.get_running_loop().time()
    table.give(1)
    table.end_stage()
    return cause


@case(
    "20-01",
    "A commitment is held until the last look is over",
    covers=("M-LOK-1",),
    expect="no commitment before a second has passed, although the choice was made at once",
)
async def held(harness: Harness) -> None:
    async with open_table(harness, LOOK, options=SECOND) as table:
        cause = await to_the_look(table)
        waited = await commitment(harness, table, cause)
        expect(waited >= 0.99, f"the target committed after {waited:.2f} s")
        await table.finish()


@case(
    "20-02",
    "A last look in which the target's player says nothing",
    covers=("M-LOK-2",),
    expect="after a second, a commitment to 0, the choice that stands from the start",
)
async def silent(harness: Harness) -> None:
    async with open_table(harness, LOOK, options=SECOND) as table:
        cause = await to_the_look(table)
        table.keep_silent(0)
        await harness.wait_until(table.owed, "the commitment of the last look", 3 * SECOND["last_look"])
        waited = await commitment(harness, table, cause)
        expect(waited >= 0.99, f"the target committed after {waited:.2f} s")
        await table.finish()


@case("20-03", "A last look with one choice only", covers=("M-LOK-1", "M-HID-3"), expect="the commitment is still held")
async def one_choice(harness: Harness) -> None:
    async with open_table(harness, (("decide", 1, 9), ("look", (0, 1), 1)), options=SECOND) as table:
        cause = await to_the_look(table)
        waited = await commitment(harness, table, cause)
        expect(waited >= 0.99, f"the target committed after {waited:.2f} s")
        await table.finish()


@case(
    "20-04",
    "Asks that are not a last look",
    covers=("M-LOK-3",),
    expect="no commitment is held, however long the table's last look is",
)
async def not_a_look(harness: Harness) -> None:
    async with open_table(
        harness, (("decide", 1, 9), ("together", (0, 1), 9), ("seal", (0, 1), 9)), options={"last_look": 600}
    ) as table:
        await table.finish()


@case("20-05", "A table without a last look", covers=("M-LOK-3",), expect="no commitment is held")
async def none(harness: Harness) -> None:
    async with open_table(harness, LOOK) as table:
        await table.finish()


@case(
    "20-06",
    "A seat that is not asked takes part in no last look",
    covers=("M-LOK-3",),
    expect="the seat holds nothing back",
)
async def not_asked(harness: Harness) -> None:
    async with open_table(
        harness, (("decide", 1, 9), ("look", (1,), 9), ("roll", (6,))), options={"last_look": 30}
    ) as table:
        await table.finish()


@case(
    "20-07",
    "A last look with a quiet time",
    covers=("M-LOK-1", "M-LOK-6"),
    expect="a commitment when the second of the quiet time is over, although the choice was made at once",
)
async def quiet(harness: Harness) -> None:
    async with open_table(harness, LOOK, options=QUIET) as table:
        cause = await to_the_look(table)
        waited = await commitment(harness, table, cause)
        expect(0.99 <= waited < QUIET["last_look"] - 1, f"the target committed after {waited:.2f} s")
        await table.finish()


@case(
    "20-08",
    "A last look with a quiet time in which the target's program is not done in time",
    covers=("M-LOK-2", "M-LOK-6"),
    expect="a commitment to 0 when the second of the quiet time is over",
)
async def quiet_and_silent(harness: Harness) -> None:
    async with open_table(harness, LOOK, options=QUIET) as table:
        cause = await to_the_look(table)
        table.keep_silent(0)
        await harness.wait_until(table.owed, "the commitment of the last look", QUIET["last_look"] + 2)
        waited = await commitment(harness, table, cause)
        expect(0.99 <= waited < QUIET["last_look"] - 1, f"the target committed after {waited:.2f} s")
        await table.finish()
