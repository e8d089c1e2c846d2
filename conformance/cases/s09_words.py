"""Section 9.3: the words."""

from __future__ import annotations

from typing import Final

from kimberley.conformance.case import case
from kimberley.conformance.errors import expect
from kimberley.conformance.harness.harness import Harness
from kimberley.conformance.table.table import open_table
from kimberley.games.table import Plain

ROLL: Final[tuple[Plain, ...]] = (("roll", (6,)),)


# -- the words ---------------------------------------------------------------------------------------------------------


@case(
    "09-54",
    "The words differ",
    covers=("M-WRD-4", "M-WRD-1"),
    expect="the table ends, and the target signs nothing of the game",
)
async def words_differ(harness: Harness) -> None:
    for target in ("host", "join"):
        async with open_table(harness, ROLL, target=target, play=False) as table:
            await table.sit()
            table.prepare()
            await table.say_same(False)
            await harness.await_event(table.job, "problem")
            expect(not table.job.all("began"), "the target began the game nevertheless")
            table.read_envelopes()
            expect(not table.chain, "the target signed something")


@case(
    "09-55",
    "Play begins when all have said that the words are the same",
    covers=("M-WRD-1",),
    expect="nothing is signed before the last seat has said so",
)
async def all_say_same(harness: Harness) -> None:
    async with open_table(harness, ROLL, seats=3, play=False) as table:
        await table.sit()
        table.prepare()
        await harness.await_event(table.job, "words")
        table.suite_seats[1].wire.send("vote", "same", (table.signed.game_id, True))
        table.suite_seats[2].wire.send("vote", "same", (bytes(32), True))
        await harness.receive(table.suite_seats[1].wire, "same")
        await harness.pause(0.3)
        table.read_envelopes()
        expect(not table.chain, "the target signed something before all had compared the words")
        table.suite_seats[2].wire.send("vote", "same", (table.signed.game_id, True))
        await harness.await_event(table.job, "began")
        table.say_have()
        await table.finish()


@case(
    "09-56",
    "The words of the roster",
    covers=("M-WRD-1",),
    expect="the target shows the words that follow from roster and nonces",
)
async def words(harness: Harness) -> None:
    for target in ("host", "join"):
        async with open_table(harness, ROLL, target=target, seats=3) as table:
            await table.finish()


@case(
    "09-61",
    "A seat whose connection is lost after the target has said that the words are the same",
    covers=("S-WRD-8",),
    expect="the seat comes back to the same roster, hears `same` again, and the game begins",
)
async def lost_at_the_words(harness: Harness) -> None:
    async with open_table(harness, ROLL, play=False) as table:
        await table.sit()
        table.prepare()
        await harness.receive(table.suite_seat.wire, "same")
        table.suite_seat.wire.abort()
        await table.reconnect(1)
        await harness.receive(table.suite_seat.wire, "same", due="`same`, once more")
        table.suite_seat.wire.send("vote", "same", (table.signed.game_id, True))
        await harness.await_event(table.job, "began")
        table.say_have()
        await table.finish()
