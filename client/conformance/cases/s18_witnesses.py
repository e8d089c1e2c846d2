"""Section 18.1: onlookers that attest; and what waits for others (sections 9.3, 10)."""

from __future__ import annotations

from typing import Final

from client.conformance.bench import Bench
from client.conformance.case import Failed, case, expect
from client.conformance.cases.s10_links import lose
from client.conformance.cases.scripts import Script
from client.conformance.plain import spelled, to_json
from client.conformance.record import attest, attests
from client.conformance.roster import Signed
from client.conformance.table import Table
from client.conformance.written import ASKS, Written

GRACE: Final = 5
THREE: Final[Script] = (("roll", (6,)), ("roll", (6,)), ("decide", 2, 9), ("roll", (6,)))


@case(
    "18-39",
    "An onlooker attests whose envelope it misses",
    covers=("M-ATT-3",),
    expect="refused before the grace is over; then an attestation that holds",
    seconds=60,
)
async def onlooker_attests(bench: Bench) -> None:
    written = Written(options=(("asks", ASKS), ("grace", GRACE), ("last_look", 0))).until(3)
    door = await bench.door()
    job = await bench.job("watch", port=door.port, options={"asks": to_json(ASKS)})
    line = await bench.guest(door, bench.identity())
    line.send("watching")
    line.send("signed", written.signed.packed, written.signed.signatures, written.signed.nonces)
    for envelope in written.envelopes:
        line.send("envelope", envelope.packed)
    await bench.wait(lambda: len(job.all("answered")) == 2, "the answers that the onlooker saw")
    job.do("abandon")
    await bench.event(job, "forbidden")
    expect(not line.count("attest"), "the onlooker attests before the grace is over")
    await bench.pause(GRACE + 0.5)
    job.do("abandon")
    _, said = await bench.receive(line, "attest")
    if not isinstance(said, tuple) or said[1:5] != (3, 0, written.head, (1,)) or not attests(written.game_id, said):
        raise Failed(f"the onlooker attests {spelled(said)}")


@case(
    "18-40",
    "What an onlooker attests",
    covers=("S-ONL-3", "M-REC-5"),
    expect="it stands in the record of a game that is given up",
)
async def onlooker_in_record(bench: Bench) -> None:
    async with bench.table((("roll", (6,)), ("decide", 1, 9), ("roll", (6,)))) as table:
        identity = bench.identity()
        line = await bench.seat_line(table.port, identity, ("watch",), "onlooker")
        await table.until(2)
        said = attest(identity, table.signed.game_id, (2, 0), table.head, (1,))
        line.send("attest", said)
        await table.sync()
        await bench.pause(0.3)
        table.job.do("bye")
        record = await table.judged("incomplete", [1])
        expect(said in record.attestations, f"the record holds the attestations {spelled(record.attestations)}")


@case(
    "10-21",
    "A seat that leaves waits until the others have its envelope",
    covers=("S-LNK-7",),
    expect="it goes when who was away has come back for it",
    seconds=60,
)
async def waits_to_leave(bench: Bench) -> None:
    async with bench.table((("roll", (6,)), ("decide", 0, 9), ("roll", (6,))), seats=3) as table:
        await table.until(2)
        await lose(bench, table, 2)
        table.chose.add((2, 0))
        table.job.do("bye")
        await table.hear()
        await bench.pause(0.7)
        expect(not table.chairs[1].wire.count("bye"), "the target went before all could have its envelope")
        await table.come_back(2, known=len(table.chain) - 1)
        await bench.wait(lambda: table.gone, "the end of the connections of the target")
        expect(table.chairs[2].wire.count("envelope"), "the target went without giving its envelope to all")


class Early(Table):
    """A table at which the highest seat connects to the target before the target has all nonces."""

    async def before_nonces(self, signed: Signed) -> None:
        chair = self.chairs[self.seats - 1]
        purpose = ("seat", signed.game_id)
        chair.line = await self.bench.seat_line(self.port, chair.identity, purpose, chair.nickname)
        chair.early = True
        chair.line.send("have", 0)
        chair.line.send("same", signed.game_id, True)
        await self.bench.pause(0.3)


@case(
    "09-57",
    "A seat that connects, and agrees to the words, before the target has all nonces",
    covers=("M-LNK-9", "M-WRD-5"),
    expect="both are kept until it has them, and play begins",
)
async def early_seat(bench: Bench) -> None:
    async with bench.table(THREE, target="join", seats=3, seat=1, kind=Early) as table:
        await table.finish()


@case(
    "09-58",
    "The word that the words are the same, of another game",
    covers=("M-WRD-5", "M-WRD-1"),
    expect="it does not count",
)
async def other_words(bench: Bench) -> None:
    async with bench.table((("roll", (6,)),), play=False) as table:
        await table.sit()
        table.prepare()
        await bench.event(table.job, "words")
        table.chair.wire.send("same", bytes(32), True)
        await bench.pause(0.3)
        expect(not table.job.all("began"), "the target began")
        await table.say_same()
        await table.finish()
