"""Section 10.2: onlookers whose connection is lost, and who come back."""

from __future__ import annotations

from client.conformance.bench import Bench, Door
from client.conformance.case import case, expect
from client.conformance.cases.s10_third import check_shown
from client.conformance.cases.scripts import whole
from client.conformance.hashing import Identity
from client.conformance.plain import spelled, to_json
from client.conformance.target import Job
from client.conformance.wire import Line
from client.conformance.written import ASKS, Written


@case(
    "10-83",
    "An onlooker that comes back",
    covers=("M-ONL-1", "M-STG-7"),
    expect="`watching`, the signed roster, and everything from the first envelope on once more",
)
async def comes_back(bench: Bench) -> None:
    async with bench.table(whole(3), seats=3) as table:
        identity = bench.identity()
        line = await bench.seat_line(table.port, identity, ("watch",), "onlooker")
        await table.until(3)
        await bench.receive(line, "envelope")
        line.cut()
        await table.until(6)
        line = await bench.seat_line(table.port, identity, ("watch",), "onlooker that is back")
        await table.finish()
        await bench.wait(lambda: line.count("envelope") >= len(table.transcript), "every envelope for the onlooker")
        check_shown(table, line.frames[1:])


def show(line: Line, written: Written, envelopes: slice = slice(None)) -> None:
    """What a seat shows of a game to who looks on."""
    line.send("watching")
    line.send("signed", written.signed.packed, written.signed.signatures, written.signed.nonces)
    for envelope in written.envelopes[envelopes]:
        line.send("envelope", envelope.packed)


async def watched(bench: Bench, written: Written, host: Identity) -> tuple[Job, Door]:
    """The target looks on at a seat of the suite, has seen the first roll, and loses its connection."""
    door = await bench.door()
    job = await bench.job("watch", port=door.port, options={"asks": to_json(ASKS)})
    line = await bench.guest(door, host)
    beginning = [number for number, one in enumerate(written.envelopes) if one.step <= 1]
    show(line, written, slice(len(beginning)))
    await bench.event(job, "answered")
    line.cut()
    return job, door


@case(
    "10-84",
    "An onlooker that loses the seat it watches",
    covers=("S-ONL-4",),
    expect="it connects again to look on, is shown the game from the start, and tells each answer once",
)
async def watches_again(bench: Bench) -> None:
    written, host = Written().closed(), bench.identity()
    job, door = await watched(bench, written, host)
    line = await bench.guest(door, host, at=1)
    expect(line.purpose == ("watch",), f"the target comes back with the purpose {spelled(line.purpose)}")
    show(line, written)
    over = await bench.event(job, "over")
    steps = [event["step"] for event in job.all("answered")]
    expect(over.get("done") and steps == [1, 2, 3], f"the target told the answers of the steps {steps}, then {over}")


@case(
    "10-85",
    "An onlooker that finds somebody else where the seat was",
    covers=("M-HEL-5",),
    expect="the target does not follow what it is shown there",
)
async def somebody_else(bench: Bench) -> None:
    written = Written().closed()
    job, door = await watched(bench, written, bench.identity())
    line = await bench.guest(door, bench.identity(), at=1)
    show(line, written)
    await bench.closed(line, "to an identity that is not the seat's")
    steps = [event["step"] for event in job.all("answered")]
    expect(steps == [1], f"the target told the answers of the steps {steps}")
