"""Section 9: who is ready, when a round is due, and what `table` may say meanwhile."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from client.conformance.bench import Bench
from client.conformance.case import Failed, case, expect, present
from client.conformance.cases.hosting import hosting
from client.conformance.plain import Plain, spelled
from client.conformance.seating import Chair, TableFrame
from client.conformance.table import Table
from client.conformance.wire import Frame

ROLL: Final[tuple[Plain, ...]] = (("roll", (6,)),)


@case(
    "09-70",
    "A table of two at which nobody says `ready`",
    covers=("M-SEA-15",),
    expect="a `table` that shows both, and the round at once",
)
async def nobody_ready(bench: Bench) -> None:
    port = await hosting(bench)
    line = await bench.seat_line(port, bench.identity())
    await bench.receive(line, "table")
    line.send("sit", "ana", 0)
    await bench.receive(line, "prepare")
    tables = [TableFrame.read(frame) for frame in line.frames if frame[0] == "table"]
    if len(tables[-1].people) != 2:
        raise Failed("the round begins before a `table` has shown who sits there")


@case("09-71", "A table of three", covers=("M-SEA-15",), expect="no round before every seat is ready")
async def all_ready(bench: Bench) -> None:
    async with bench.table(ROLL, play=False, seats=3) as table:
        await table.gather()
        first, last = table.chairs[1].wire, table.chairs[2].wire
        for line, yes in ((first, True), (first, False), (last, True)):
            line.send("ready", yes)
            await bench.pause(0.3)
            if first.count("prepare") or last.count("prepare"):
                raise Failed("the round begins although one seat is not ready")
        await table.settle()
        await table.mesh()
        await table.begin()
        await table.finish()


@case(
    "09-72",
    "`ready` while words are compared, and in a game",
    covers=("M-SEA-15", "M-ERR-1"),
    expect="it is ignored: no further round begins, and the game comes to a fair end",
)
async def ready_later(bench: Bench) -> None:
    async with bench.table((("decide", 1, 9), ("decide", 2, 9)), play=False, seats=3) as table:
        await table.sit()
        for chair in table.chairs.values():
            chair.wire.send("ready", True)
        await table.begin()
        await table.until(2)
        for chair in table.chairs.values():
            chair.wire.send("ready", True)
        await table.finish()
        rounds = [line.count("prepare") for line in table.lines]
        expect(rounds == [1, 1], f"the seats got {spelled(rounds)} times `prepare`, and one round is due")


class Crossing(Table):
    """A host that sends its first `table` twice: the second one crosses the target's `sit`."""

    crossed = False

    def send(self, chair: Chair, frame: Frame) -> None:
        super().send(chair, frame)
        if frame[0] == "table" and not self.crossed:
            self.crossed = True
            super().send(chair, frame)


@case("09-73", "A `table` that crosses a `sit`", covers=("M-SEA-16",), expect="the target waits on for its seat")
async def crossing(bench: Bench) -> None:
    async with bench.table(ROLL, target="join", kind=Crossing) as table:
        await table.finish()


@case(
    "09-74",
    "A host that takes readiness back",
    covers=("S-SEA-17",),
    expect="the target says `ready` again",
)
async def taken_back(bench: Bench) -> None:
    async with bench.table(ROLL, target="join", seats=3, play=False) as table:
        await table.gather()
        line = table.chairs[0].wire
        await bench.receive(line, "ready")
        announced = present(table.announced)
        for ready in (True, False):
            sitting = (*announced.sitting[:-1], (ready, *announced.sitting[-1][1:]))
            line.send(*replace(announced, sitting=sitting).frame())
        await bench.receive(line, "ready")
