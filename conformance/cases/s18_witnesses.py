"""Section 18.1: spectators that attest; and seats that wait for others (sections 9.3 and 10)."""

from __future__ import annotations

from typing import Final

from kimberley.conformance.case import case
from kimberley.conformance.cases.s10_links import leaving_while_one_is_away
from kimberley.conformance.cases.scripts import Asks
from kimberley.conformance.errors import expect
from kimberley.conformance.forging import entries
from kimberley.conformance.harness.harness import Harness
from kimberley.conformance.plain import to_json
from kimberley.conformance.table.attestations import attest, expect_attestation
from kimberley.conformance.table.offline import ASKS, OfflineGame
from kimberley.conformance.table.table import TargetTable, open_table
from kimberley.protocol.envelope import START
from kimberley.protocol.roster import SignedRoster

GRACE: Final = 5
THREE: Final[Asks] = (("roll", (6,)), ("roll", (6,)), ("decide", 2, 9), ("roll", (6,)))


@case(
    "18-39",
    "A spectator attests whose envelope it misses",
    covers=("M-ATT-3",),
    expect="the target refuses before the grace is over, and then gives an attestation that verifies",
    seconds=60,
)
async def spectator_attests(harness: Harness) -> None:
    written = OfflineGame(options=(("asks", ASKS), ("grace", GRACE), ("last_look", 0))).until(3)
    listener = await harness.listen()
    job = await harness.start_job("watch", port=listener.port, options={"asks": to_json(ASKS)})
    connection = await harness.accept(listener, harness.identity())
    connection.send("watching")
    connection.send("game", *entries(written.signed.plain()))
    for envelope in written.envelopes:
        connection.send("envelope", envelope.pack())
    await harness.wait_until(lambda: len(job.all("answered")) == 2, "the answers that the spectator sees")
    job.do("abandon")
    await harness.await_event(job, "forbidden")
    expect(not connection.count("abandon"), "the spectator attests before the grace is over")
    await harness.pause(GRACE + 0.5)
    job.do("abandon")
    _, _, attestation = await harness.receive(connection, "abandon")
    expect_attestation(attestation, written.game_id, (3, 0), written.head, (1,))


@case(
    "18-42",
    "A spectator at a game that one seat shows, and the other has signed nothing in",
    covers=("M-ATT-4",),
    expect="it attests nothing: the game may never have begun for that seat",
    seconds=60,
)
async def spectator_misled(harness: Harness) -> None:
    written = OfflineGame(options=(("asks", ASKS), ("grace", GRACE), ("last_look", 0))).until(1)
    listener = await harness.listen()
    job = await harness.start_job("watch", port=listener.port, options={"asks": to_json(ASKS)})
    connection = await harness.accept(listener, harness.identity())
    connection.send("watching")
    connection.send("game", *entries(written.signed.plain()))
    connection.send("envelope", written.envelopes[1].pack())
    await harness.pause(GRACE + 1.0)
    job.do("abandon")
    await harness.await_event(job, "forbidden")
    expect(not connection.count("abandon"), "the spectator attests against a seat that has signed nothing")


@case(
    "18-40",
    "What a spectator attests",
    covers=("S-ONL-3", "M-REC-5"),
    expect="it is in the record of a game that is given up",
)
async def spectator_in_record(harness: Harness) -> None:
    async with open_table(harness, (("roll", (6,)), ("decide", 1, 9), ("roll", (6,)))) as table:
        identity = harness.identity()
        connection = await harness.connect_spectator(table.port, identity)
        await table.until(2)
        attestation = attest(identity, table.signed.game_id, (2, 0), table.head, (1,))
        connection.send("vote", "abandon", attestation.plain())
        await table.sync()
        await harness.pause(0.3)
        table.job.do("bye")
        record = await table.expect_verdict("incomplete", [1])
        expect(attestation in record.attestations, f"the record holds the attestations {record.attestations}")


@case(
    "10-21",
    "A seat that leaves waits until the others have its envelope",
    covers=("S-LNK-7",),
    expect="it leaves after the seat that was away has come back and has the envelope",
    seconds=60,
)
async def waits_to_leave(harness: Harness) -> None:
    async with leaving_while_one_is_away(harness) as table:
        await harness.pause(0.7)
        expect(not table.suite_seats[1].wire.count("bye"), "the target left before everybody could have its envelope")
        await table.reconnect(2, known=len(table.chain) - 1)
        await harness.wait_until(lambda: table.gone, "the end of the target's connections")
        expect(table.suite_seats[2].wire.count("envelope"), "the target left without giving its envelope to everybody")


class EarlySeatTable(TargetTable):
    """A table at which the highest seat connects to the target before the target has all nonces."""

    async def before_nonces(self, signed: SignedRoster) -> None:
        suite_seat = self.suite_seats[self.seats - 1]
        purpose = ("seat", signed.game_id)
        suite_seat.connection = await self.harness.connect_seat(
            self.port, suite_seat.identity, purpose, suite_seat.nickname
        )
        suite_seat.early = True
        suite_seat.connection.send("have", signed.game_id, ((0, START),) * self.seats)
        suite_seat.connection.send("vote", "same", (signed.game_id, True))
        await self.harness.pause(0.3)


@case(
    "09-57",
    "A seat that connects, and agrees to the words, before the target has all nonces",
    covers=("M-LNK-9", "M-WRD-5"),
    expect="both count once the target has them, and the game begins",
)
async def early_seat(harness: Harness) -> None:
    async with open_table(harness, THREE, target="join", seats=3, seat=1, kind=EarlySeatTable) as table:
        await table.finish()


@case(
    "09-58",
    "`same` for another game",
    covers=("M-WRD-5", "M-WRD-1"),
    expect="it does not count",
)
async def other_words(harness: Harness) -> None:
    async with open_table(harness, (("roll", (6,)),), play=False) as table:
        await table.sit()
        table.prepare()
        await harness.await_event(table.job, "words")
        table.suite_seat.wire.send("vote", "same", (bytes(32), True))
        await harness.pause(0.3)
        expect(not table.job.all("began"), "the target began")
        await table.say_same()
        await table.finish()
