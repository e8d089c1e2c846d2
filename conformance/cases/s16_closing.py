"""Sections 16 and 17: closing, the audit and what it finds."""

from __future__ import annotations

from typing import Final

from kimberley.conformance.case import case
from kimberley.conformance.cases.forged import AUDITED, FOUND
from kimberley.conformance.cases.scripts import Asks
from kimberley.conformance.errors import Failed, expect
from kimberley.conformance.forging import (
    flipped,
)
from kimberley.conformance.harness.harness import Harness
from kimberley.conformance.plain import spelled
from kimberley.conformance.table.table import open_table
from kimberley.protocol.envelope import CLOSING

TOGETHER: Final[Asks] = (("together", (0, 1), 9),)


# -- what the audit finds ----------------------------------------------------------------------------------------------


@case("17-18", "A choice that only the seat's own state can judge", covers=AUDITED, expect=FOUND)
async def no_right(harness: Harness) -> None:
    async with open_table(harness, (("seal", (0, 1), 9), ("again", (0, 1), 9), ("roll", (6,)))) as table:
        table.choices |= {(1, 1): 3, (2, 1): 4}
        table.deviations = ((2, 0, 1),)
        await table.finish("unfair")


@case(
    "17-19",
    "The earliest deviation decides",
    covers=("M-CLO-2", "M-AUD-4"),
    expect="the verdict names the earlier of two slots",
)
async def earliest(harness: Harness) -> None:
    async with open_table(harness, (("seal", (0, 1), 9), ("seal", (0, 1), 9))) as table:
        for step in (1, 2):
            await table.until(step)
            table.give(1, flipped(table.body(1), 0, 0))
        table.deviations = ((1, 0, 1),)
        await table.finish("unfair")


@case(
    "17-20",
    "Two seats deviate in one stage",
    covers=("M-CLO-2", "M-AUD-4"),
    expect="the verdict names both seats, in order",
)
async def both_deviate(harness: Harness) -> None:
    async with open_table(harness, (("seal", (0, 1, 2), 9),), seats=3) as table:
        await table.until(1)
        for seat in (2, 1):
            table.give(seat, flipped(table.body(seat), 0, 0))
        table.deviations = ((1, 0, 1), (1, 0, 2))
        await table.finish("unfair")


# -- closing -----------------------------------------------------------------------------------------------------------


@case("16-10", "The seed is not shown before all have signed CLOSE", covers=("M-CLO-1",), expect="no SHOW before")
async def shows_late(harness: Harness) -> None:
    async with open_table(harness, TOGETHER) as table:
        await table.until(2)
        await table.await_target()
        await table.sync()
        expect([one.stage for one in table.chain if one.kind == CLOSING] == [0], "the target showed its seed too early")
        await table.finish()


@case(
    "16-15",
    "Another seat signs a false verdict",
    covers=("M-CLO-3", "M-AUD-1"),
    expect="the record is unfair, and names the seat that signed the false verdict",
)
async def false_verdict(harness: Harness) -> None:
    async with open_table(harness, TOGETHER) as table:
        await table.until(2)
        while table.closing is None or table.closing < 2:
            await table.complete()
        table.give(1, ("unfair", ((1, 0, 0),)))
        await table.complete()
        verdict = await harness.await_event(table.job, "verdict")
        if verdict["code"] != "unfair" or verdict["seats"] != [1]:
            raise Failed(f"the target's verdict is {spelled(verdict)}, but seat 1 signed a false one")


@case(
    "16-16",
    "A seat does not show its seed",
    covers=("M-AUD-2", "M-ERR-2"),
    expect="incomplete: the verdict names the seat that is absent",
)
async def shows_nothing(harness: Harness) -> None:
    async with open_table(harness, TOGETHER) as table:
        await table.until(2)
        await table.complete()
        await table.await_target()
        table.suite_seat.wire.send("bye", "had enough")
        await table.expect_verdict("incomplete", [1])


@case(
    "16-17",
    "The result and the places",
    covers=("M-CLO-1",),
    expect="the target reports the result that everybody signs",
)
async def result(harness: Harness) -> None:
    async with open_table(harness, (("roll", (6,)), ("roll", (6,))), seats=3) as table:
        await table.until(1)
        table.leave(2)
        await table.finish()
        event = await harness.await_event(table.job, "result")
        expect(
            (event["places"], event["scores"]) == ([1, 1, 2], [[1], [1], [2]]), f"the target reports {spelled(event)}"
        )
