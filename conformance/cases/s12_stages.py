"""Section 12: stages, heads and the order of envelopes."""

from __future__ import annotations

from typing import Final

from kimberley.conformance.case import case
from kimberley.conformance.cases.scripts import Asks, whole
from kimberley.conformance.errors import Failed, expect
from kimberley.conformance.harness.harness import Harness
from kimberley.conformance.harness.profile import SPECTATORS
from kimberley.conformance.plain import spelled
from kimberley.conformance.table.table import TargetTable, open_table
from kimberley.protocol.envelope import STAGE

GUILTY: Final = "the target finds the seat guilty and signs nothing more, and its record proves the guilt"
GAME: Final[Asks] = (("decide", 1, 9), ("roll", (6,)), ("together", (0, 1), 9))
THREE: Final[Asks] = (("roll", (6,)), ("together", (0, 1, 2), 9), ("seal", (0, 1, 2), 9))


@case(
    "12-01",
    "Envelopes in any order of seats",
    covers=("M-GEN-1", "M-STG-1"),
    expect="the same heads, whichever envelope comes first",
)
async def any_order(harness: Harness) -> None:
    async with open_table(harness, THREE, seats=3) as table:
        while table.closing is None:
            for seat in (2, 1):
                if seat in table.owing:
                    table.give(seat)
            await table.complete()
        await table.finish()


@case(
    "12-02",
    "One table twice, with envelopes in another order",
    covers=("M-GEN-1",),
    expect="the same envelopes, byte for byte",
)
async def twice(harness: Harness) -> None:
    chains = []
    first: TargetTable | None = None
    for order in ((1, 2), (2, 1)):
        async with open_table(harness, THREE, seats=3, play=False) as table:
            if first is not None:
                table.seed = first.seed
                table.suite_seats = first.suite_seats
                for suite_seat in table.suite_seats.values():
                    suite_seat.connection = None
            await table.sit()
            await table.begin()
            while table.closing is None:
                for seat in order:
                    if seat in table.owing:
                        table.give(seat)
                await table.complete()
            await table.finish()
            chains.append([one.pack() for one in table.chain])
            for connection in table.connections:
                connection.abort()
            first = table
    if chains[0] != chains[1]:
        raise Failed("the target signed other envelopes although everything that they depend on was the same")


@case("12-08", "An envelope of a seat that does not owe", covers=("M-STG-5", "M-STG-7"), expect=GUILTY)
async def does_not_owe(harness: Harness) -> None:
    async with open_table(harness, (("decide", 0, 9), ("roll", (6,)))) as table:
        await table.until(1)
        table.send_envelope(table.sign(1, STAGE, (3,)))
        await table.expect_guilty(1, (1, 0))


@case(
    "12-09",
    "An envelope for a stage to come waits",
    covers=("M-STG-7", "M-STG-2"),
    expect="it is judged once its stage is at hand",
)
async def stage_to_come(harness: Harness) -> None:
    async with open_table(harness, (("decide", 1, 9), ("decide", 0, 9), ("roll", (6,))), seats=2) as table:
        await table.until(1)
        table.give(1)
        table.send_envelope(table.sign(1, STAGE, (99,), step=2, stage=0, head=bytes(32)))
        await table.sync()
        expect(not table.job.all("guilty"), "a seat was blamed for a stage that is not at hand")


@case(
    "12-11",
    "All that came before a guilty envelope counts",
    covers=("M-STG-4", "M-REC-3"),
    expect="the record holds the transcript and the envelope",
)
async def guilt_at_the_end(harness: Harness) -> None:
    async with open_table(harness, GAME) as table:
        await table.until(3)
        table.give(1, (b"short",))
        record = await table.expect_guilty(1)
        signed = len(table.chain)
        await harness.pause(0.3)
        table.read_envelopes()
        expect(len(table.chain) == signed, "the target signed something after it had found guilt")
        expect(table.given[1] in record.envelopes, "the record lacks the envelope that proves the guilt")


@case(
    "12-12",
    "A seat that found guilt shows it to the others",
    covers=("M-REC-3", "M-STG-4"),
    expect="the target passes the guilty envelope on",
)
async def shown_to_others(harness: Harness) -> None:
    async with open_table(harness, THREE, seats=3) as table:
        await table.until(1)
        wrong = table.give(1, (b"short",))
        await table.expect_guilty(1)
        await harness.wait_until(
            lambda: wrong in table.relayed_envelopes(), "the envelope that proves the guilt, passed on"
        )


@case(
    "12-13",
    "A whole game with envelopes through others",
    covers=("M-LNK-3",),
    expect="an envelope counts for the seat that signed it, whoever sends it",
)
async def by_way_of_others(harness: Harness) -> None:
    async with open_table(harness, THREE, seats=3) as table:
        while table.closing is None or table.closing < 3:
            for seat in (1, 2):
                if seat in table.owing:
                    table.send_envelope(table.give(seat, quiet=True), by=3 - seat)
            await table.complete()
        await table.expect_verdict("fair")


@case("12-14", "Each envelope comes three times", covers=("M-ENV-4", "M-GEN-2"), expect="the same as once")
async def three_times(harness: Harness) -> None:
    async with open_table(harness, whole(2)) as table:
        while table.closing is None or table.closing < 3:
            if 1 in table.owing:
                due = table.give(1)
                table.suite_seat.wire.send("envelope", due.pack())
                table.suite_seat.wire.send("envelope", due.pack())
            await table.complete()
        await table.expect_verdict("fair")


@case(
    "12-15",
    "A spectator follows to the end",
    covers=("M-STG-6", "M-ONL-1"),
    expect="the watching target reports the same answers and the result",
)
async def spectator(harness: Harness) -> None:
    async with open_table(harness, GAME) as table:
        await harness.require(SPECTATORS)
        watch = await harness.start_job("watch", port=table.port)
        await table.until(2)
        await harness.await_event(watch, "answered", 40)
        await table.finish()
        over = await harness.await_event(watch, "over", 30)
        if not over.get("done"):
            raise Failed(f"the spectator did not reach the end: {spelled(watch.events)}")
        rolled = next(event["answer"] for event in watch.all("answered") if event["step"] == 2)
        expect(rolled == list(table.play.story[1][1]), f"the spectator saw {spelled(rolled)}")
