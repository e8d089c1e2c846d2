"""Section 9.3: the words."""

from __future__ import annotations

from typing import Final

from client.conformance.bench import Bench
from client.conformance.case import case, expect
from client.conformance.plain import Plain

GIVES_UP: Final = "the target gives the table up, and signs nothing"
FREED: Final = "the connection ends, the seat is free again, and others can sit"
ROLL: Final[tuple[Plain, ...]] = (("roll", (6,)),)


# -- the words ---------------------------------------------------------------------------------------------------------


@case(
    "09-54",
    "The words differ",
    covers=("M-WRD-4", "M-WRD-1"),
    expect="the table is over, nothing of the game is signed",
)
async def words_differ(bench: Bench) -> None:
    for target in ("host", "join"):
        async with bench.table(ROLL, target=target, play=False) as table:
            await table.sit()
            table.prepare()
            await table.say_same(False)
            await bench.event(table.job, "problem")
            expect(not table.job.all("began"), "the target began all the same")
            table.absorb()
            expect(not table.chain, "the target signed something")


@case(
    "09-55",
    "Play begins when all have said that the words are the same",
    covers=("M-WRD-1",),
    expect="nothing is signed before the last one has",
)
async def all_say_same(bench: Bench) -> None:
    async with bench.table(ROLL, seats=3, play=False) as table:
        await table.sit()
        table.prepare()
        await bench.event(table.job, "words")
        table.chairs[1].wire.send("same", table.signed.game_id, True)
        table.chairs[2].wire.send("same", bytes(32), True)
        await bench.receive(table.chairs[1].wire, "same")
        await bench.pause(0.3)
        table.absorb()
        expect(not table.chain, "the target signed something before all had compared the words")
        table.chairs[2].wire.send("same", table.signed.game_id, True)
        await bench.event(table.job, "began")
        await table.finish()


@case(
    "09-56",
    "The words of the roster",
    covers=("M-WRD-1",),
    expect="the target shows the words that follow from roster and nonces",
)
async def words(bench: Bench) -> None:
    for target in ("host", "join"):
        async with bench.table(ROLL, target=target, seats=3) as table:
            await table.finish()
