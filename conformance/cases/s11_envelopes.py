"""Section 11: envelopes. Wrong bytes are dropped; an envelope that proves guilt counts at once."""

from __future__ import annotations

from typing import Final

from kimberley.conformance.case import case
from kimberley.conformance.cases.scripts import Asks
from kimberley.conformance.errors import Failed, expect
from kimberley.conformance.harness.harness import Harness
from kimberley.conformance.table.table import TargetTable, open_table
from kimberley.protocol.envelope import STAGE, Envelope

DROPPED: Final = "the bytes are dropped, nobody is blamed, and the game comes to a fair end"
GAME: Final[Asks] = (("decide", 1, 9), ("roll", (6,)), ("decide", 0, 9))


@case(
    "11-23",
    "A number that comes too early is kept",
    covers=("M-ENV-5", "M-STG-1"),
    expect="it counts once those before it have come",
)
async def too_early(harness: Harness) -> None:
    async with open_table(harness, decisions(3)) as table:
        await table.until(1)
        for late in reversed(decided(table, 3)):
            table.send_envelope(late)
        await table.finish()


def decisions(count: int) -> Asks:
    """Returns `count` decisions of seat 1, one after the other, before all roll."""
    return (*(("decide", 1, 9) for _ in range(count)), ("roll", (6,)))


def decided(table: TargetTable, count: int) -> list[Envelope]:
    """Returns what seat 1 signs in `count` stages, in which nobody else owes anything; none of it is sent."""
    signed = []
    for _ in range(count):
        signed.append(table.give(1, quiet=True))
        table.end_stage()
    return signed


@case(
    "11-24",
    "Seventeen numbers that come too early",
    covers=("M-LIM-1",),
    expect="sixteen are kept; the rest have to be sent again",
)
async def far_too_early(harness: Harness) -> None:
    async with open_table(harness, decisions(18)) as table:
        await table.until(1)
        first, *early = decided(table, 18)
        for envelope in (*early, first):
            table.send_envelope(envelope)
        slot = await table.sync()
        expect(slot == (18, 0), f"the target is at {slot} with the first envelope and those that it had to keep")
        table.send_envelope(early[-1])
        await table.finish()


@case(
    "11-26",
    "Frames that hold no bytes",
    covers=("M-FRM-6",),
    expect="no effect: they are ignored, or the connection ends",
)
async def no_bytes(harness: Harness) -> None:
    async with open_table(harness, GAME, seats=3) as table:
        await table.until(1)
        table.suite_seat.wire.send("envelope", "text")
        table.suite_seat.wire.send("envelope", 5)
        await harness.pause(0.2)
        expect(not table.job.all("guilty"), "a seat was blamed for a frame")
        if table.suite_seat.wire.closed:
            return
        await table.finish()


@case(
    "11-27",
    "An envelope of the largest size is taken for what it is",
    covers=("M-ENV-1", "M-LIM-1"),
    expect="it is judged like any other: the seat is guilty of a body with a wrong shape",
)
async def largest(harness: Harness) -> None:
    async with open_table(harness, GAME) as table:
        await table.until(1)
        table.body(1)
        empty = table.sign(1, STAGE, (b"",), kept=False)
        room = 1047552 - len(empty.pack()) - 3 - 3
        await table.expect_caught(1, (bytes(room),))


@case("11-28", "An envelope above the largest size", covers=("M-ENV-1", "M-LIM-1"), expect=DROPPED)
async def too_large(harness: Harness) -> None:
    async with open_table(harness, GAME) as table:
        await table.until(1)
        table.body(1)
        large = table.sign(1, STAGE, (bytes(1047552),), kept=False)
        table.suite_seat.wire.send("envelope", large.pack())
        await table.finish()


@case(
    "11-29",
    "The target numbers its envelopes without gaps",
    covers=("M-ENV-2", "M-LNK-1"),
    expect="one chain, the same to every seat",
)
async def own_chain(harness: Harness) -> None:
    async with open_table(harness, (("roll", (6,)), ("decide", 0, 3), ("together", (0, 1, 2), 3)), seats=3) as table:
        await table.finish()
        lengths = {connection.count("envelope") for connection in table.connections}
        if lengths != {len(table.chain)}:
            raise Failed(f"the target signed {len(table.chain)} envelopes, but sent {lengths} on its connections")
