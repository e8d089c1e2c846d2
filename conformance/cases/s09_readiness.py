"""Section 9: which seats are ready, when a round is due, and what `table` may say meanwhile."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from kimberley.conformance.case import case
from kimberley.conformance.cases.hosting import hosting
from kimberley.conformance.errors import Failed, expect, present
from kimberley.conformance.harness.connection import Frame
from kimberley.conformance.harness.harness import Harness
from kimberley.conformance.plain import spelled
from kimberley.conformance.table.seating_frames import SuiteSeat, TableDescription
from kimberley.conformance.table.table import TargetTable, open_table
from kimberley.games.table import Plain

ROLL: Final[tuple[Plain, ...]] = (("roll", (6,)),)
LONG_SECONDS: Final = 12.0
"""More than a joiner waits for a `table` (section 24.3)."""


@case(
    "09-70",
    "A table of two at which nobody says `ready`",
    covers=("M-SEA-15",),
    expect="a `table` that shows both players, and then the round at once",
)
async def nobody_ready(harness: Harness) -> None:
    port = await hosting(harness)
    connection = await harness.connect_seat(port, harness.identity())
    await harness.receive(connection, "table")
    connection.send("sit", "ana", 0)
    await harness.receive(connection, "prepare")
    tables = [TableDescription.read(frame) for frame in connection.frames if frame[0] == "table"]
    if len(tables[-1].people) != 2:
        raise Failed("the round begins before a `table` has shown both players")


@case("09-71", "A table of three", covers=("M-SEA-15",), expect="no round before every seat is ready")
async def all_ready(harness: Harness) -> None:
    async with open_table(harness, ROLL, play=False, seats=3) as table:
        await table.seat_everybody()
        first, last = table.suite_seats[1].wire, table.suite_seats[2].wire
        for connection, yes in ((first, True), (first, False), (last, True)):
            connection.send("vote", "ready", yes)
            await harness.pause(0.3)
            if first.count("prepare") or last.count("prepare"):
                raise Failed("the round begins although a seat is not ready")
        await table.sign_roster()
        await table.mesh()
        await table.begin()
        await table.finish()


@case(
    "09-72",
    "`ready` while words are compared, and in a game",
    covers=("M-SEA-15", "M-ERR-1"),
    expect="it is ignored: no further round begins, and the game comes to a fair end",
)
async def ready_later(harness: Harness) -> None:
    async with open_table(harness, (("decide", 1, 9), ("decide", 2, 9)), play=False, seats=3) as table:
        await table.sit()
        for suite_seat in table.suite_seats.values():
            suite_seat.wire.send("vote", "ready", True)
        await table.begin()
        await table.until(2)
        for suite_seat in table.suite_seats.values():
            suite_seat.wire.send("vote", "ready", True)
        await table.finish()
        rounds = [connection.count("prepare") for connection in table.connections]
        expect(rounds == [1, 1], f"the seats got `prepare` {spelled(rounds)} times, and one round is due")


class CrossingTable(TargetTable):
    """A host that sends its first `table` twice: the second one crosses the target's `sit`."""

    crossed = False

    def send(self, suite_seat: SuiteSeat, frame: Frame) -> None:
        super().send(suite_seat, frame)
        if frame[0] == "table" and not self.crossed:
            self.crossed = True
            super().send(suite_seat, frame)


@case("09-73", "A `table` that crosses a `sit`", covers=("M-SEA-16",), expect="the target keeps waiting for its seat")
async def crossing(harness: Harness) -> None:
    async with open_table(harness, ROLL, target="join", kind=CrossingTable) as table:
        await table.finish()


class QueueTable(TargetTable):
    """A host that keeps the target waiting in its queue for longer than a joiner waits for a `table`."""

    async def keep_waiting(self, host: SuiteSeat) -> None:
        self.send(host, self.announce(self.target).frame())
        await self.harness.receive(host.wire, "queue")
        self.send(host, ("queue", 2))
        await self.harness.pause(LONG_SECONDS)
        self.send(host, ("queue", 1))


@case(
    "09-77",
    "A host that has no seat yet",
    covers=("M-SEA-20",),
    expect="the target says `queue`, is told its place, and waits for its seat for as long as it takes",
    seconds=60,
)
async def in_queue(harness: Harness) -> None:
    async with open_table(harness, ROLL, target="join", kind=QueueTable) as table:
        await table.finish()


@case(
    "09-74",
    "A host that takes readiness back",
    covers=("S-SEA-17",),
    expect="the target says `ready` again",
)
async def taken_back(harness: Harness) -> None:
    async with open_table(harness, ROLL, target="join", seats=3, play=False) as table:
        await table.seat_everybody()
        connection = table.suite_seats[0].wire
        await harness.receive(connection, "ready")
        announced = present(table.announced)
        for ready in (True, False):
            sitting = (*announced.sitting[:-1], (ready, *announced.sitting[-1][1:]))
            connection.send(*replace(announced, sitting=sitting).frame())
        await harness.receive(connection, "ready")


@case(
    "09-93",
    "Options that change while the table is open",
    covers=("M-SEA-24",),
    expect="the target answers with `ready` and false, is ready again, and plays with the new options",
)
async def changed_options(harness: Harness) -> None:
    async with open_table(harness, ROLL, target="join", seats=3, play=False) as table:
        await table.seat_everybody()
        connection = table.suite_seats[0].wire
        await harness.receive(connection, "ready")
        table.options["grace"] = 60
        table.announced = table.announce(table.seats)
        connection.send(*table.announced.frame())
        frame = await harness.receive(connection, "ready")
        expect(frame == ("vote", "ready", False), f"the target says {spelled(frame)} of options that have just changed")
        await table.sign_roster()
        await table.mesh()
        await table.begin()
        await table.finish()
