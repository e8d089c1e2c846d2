"""Section 13: resignations and leaving."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from kimberley.conformance.case import case
from kimberley.conformance.cases.scripts import DECK, Asks, all_of, amounts, tells
from kimberley.conformance.errors import Failed, expect
from kimberley.conformance.forging import flipped
from kimberley.conformance.harness.harness import Harness
from kimberley.conformance.plain import spelled
from kimberley.conformance.table.table import TargetTable, open_table
from kimberley.games.table import Plain
from kimberley.protocol.envelope import LEAVE, RESIGN, STAGE

GUILTY: Final = "the target finds the seat guilty and signs nothing more, and its record proves the guilt"
WITHOUT: Final = "the ask ends without the seat as section 13.2 says, and the verdict is fair"
TWO: Final[Asks] = (("decide", 1, 9), ("decide", 0, 9), ("roll", (6,)))
Choices = Mapping[tuple[int, int], Plain]
"""By step and seat."""
NONE: Final[Choices] = {}


async def leaves_in(harness: Harness, asks: Asks, slot: tuple[int, int], chosen: Choices = NONE) -> None:
    """Has a seat of the suite leave in a stage, and the others play on to the end."""
    seat = 1
    async with open_table(harness, asks, seats=3) as table:
        table.choices |= chosen
        await table.until(*slot)
        table.leave(seat)
        await table.finish()
        left = [event["seat"] for event in table.job.all("left")]
        expect(left == [seat], f"the target says that the seats {spelled(left)} left")


ALL: Final = all_of(3)
SHUFFLED: Final[Asks] = (("shuffle", "deck", DECK),)
PLACES: Final[dict[str, tuple[Asks, tuple[int, int]]]] = {
    "Roll": ((("roll", (6,)), ("roll", (6,))), (1, 0)),
    "Decide": ((("decide", 1, 9), ("decide", 0, 9)), (1, 0)),
    "Together, before it commits": ((("together", ALL, 9), ("roll", (6,))), (1, 0)),
    "Together, instead of its opening": ((("together", ALL, 9), ("roll", (6,))), (1, 1)),
    "Seal": ((("seal", ALL, 9), ("roll", (6,))), (1, 0)),
    "Seal of amounts": ((amounts(3), amounts(3), ("open", ((0, "spent"), (2, "a")), 4)), (2, 0)),
    "Disclose": ((amounts(3), tells(3), ("roll", (6,))), (2, 0)),
    "Open": ((amounts(3), ("open", ((0, "a"), (1, "a"), (2, "b")), 4), ("roll", (6,))), (2, 0)),
    "Shuffle": ((*SHUFFLED, ("show", (0,), ((0, None), (1, 2)))), (1, 1)),
    "Show": ((*SHUFFLED, ("show", (0, 1), ((0, None), (1, 0), (1, 2))), ("show", (2,), ((1, None),))), (2, 0)),
}


def _leaving(number: int, ask: str, asks: Asks, slot: tuple[int, int]) -> None:
    @case(f"13-{number:02}", f"A seat leaves in {ask}", covers=("M-ASK-2", "M-LEA-2", "M-ESC-1"), expect=WITHOUT)
    async def _(harness: Harness) -> None:
        await leaves_in(harness, asks, slot)


for _number, (_ask, (_asks, _slot)) in enumerate(PLACES.items(), 1):
    _leaving(_number, _ask, _asks, _slot)


async def target_leaves(
    harness: Harness, asks: Asks, step: int, *, target: str, seat: int, chosen: Choices = NONE
) -> None:
    """Has the target leave in a step: it must sign the envelope due, and nothing after it."""
    async with open_table(harness, asks, seats=3, target=target, seat=seat) as table:
        table.choices |= chosen
        await table.until(step - 1)
        if table.target in table.owing:
            await table.await_target()
        else:
            await table.await_slot()
        table.job.do("resign")
        await table.sync()
        table.chose.add((step, seat))
        for other in table.owing:
            if other in table.suite_seats:
                table.give(other)
        table.end_stage()
        envelope = await table.await_target()
        if envelope.kind != LEAVE:
            raise Failed(f"the target signs an envelope of kind {envelope.kind} instead of leaving")
        signed = len(table.chain)
        await table.finish()
        table.read_envelopes()
        expect(len(table.chain) == signed, "the target signed something after it had left")


TARGET_LEAVES: Final = ("M-LEA-1", "M-LEA-2", "M-LEA-3", "M-ESC-1", "M-TLK-1", "M-KEY-2")


@case(
    "13-11",
    "The target leaves in a Roll",
    covers=TARGET_LEAVES,
    expect="its envelope of kind 4 is, byte for byte, the one due",
)
async def target_leaves_roll(harness: Harness) -> None:
    await target_leaves(harness, (("roll", (6,)), ("roll", (6,)), ("roll", (6,))), 2, target="host", seat=0)


@case(
    "13-12",
    "The target leaves instead of deciding",
    covers=TARGET_LEAVES,
    expect="its envelope of kind 4 is, byte for byte, the one due",
)
async def target_leaves_decide(harness: Harness) -> None:
    asks = (("decide", 0, 9), ("decide", 1, 9), ("roll", (6,)))
    await target_leaves(harness, asks, 2, target="join", seat=1)


@case("13-13", "All leave but one", covers=("M-LEA-1", "M-ASK-2"), expect="the script ends when only one seat is left")
async def all_leave(harness: Harness) -> None:
    async with open_table(harness, (("roll", (6,)), ("roll", (6,)), ("roll", (6,))), seats=4) as table:
        await table.until(1)
        table.leave(3)
        await table.until(2)
        table.leave(2)
        await table.finish()


@case("13-14", "Two leave in one stage", covers=("M-LEA-2", "M-CLO-2"), expect=WITHOUT)
async def two_leave(harness: Harness) -> None:
    async with open_table(harness, (("roll", (6,)), ("together", all_of(4), 3), ("roll", (6,))), seats=4) as table:
        await table.until(1)
        table.leave(3)
        table.leave(2)
        await table.finish()


@case(
    "13-15",
    "The audit of a seat that left finds its deviation",
    covers=("M-CLO-2", "M-AUD-1"),
    expect="unfair: the verdict names the seat that left, and where it deviated",
    seconds=60,
)
async def leaver_deviated(harness: Harness) -> None:
    async with open_table(harness, (("seal", ALL, 9), ("roll", (6,)), ("roll", (6,))), seats=3) as table:
        await table.until(1)
        table.give(1, flipped(table.body(1), 0, 0))
        await table.until(2)
        table.leave(1)
        table.deviations = ((1, 0, 1),)
        await table.finish("unfair")


@case("13-23", "A leave where two are present", covers=("M-LEA-1",), expect=GUILTY)
async def leave_of_two(harness: Harness) -> None:
    async with open_table(harness, TWO) as table:
        await table.until(1)
        table.leave(1)
        await table.expect_guilty(1)


@case("13-24", "An envelope of the game after a leave", covers=("M-TLK-1",), expect=GUILTY)
async def plays_on(harness: Harness) -> None:
    async with open_table(harness, (("roll", (6,)), ("roll", (6,)), ("roll", (6,))), seats=3) as table:
        await table.until(1)
        await table.await_target()
        table.leave(1)
        more = table.sign(1, STAGE, (b"x",))
        table.send_envelope(more)
        await table.expect_guilty(1)


@case(
    "13-25",
    "A seat is only gone: it has not left",
    covers=("M-LEA-4", "M-LNK-11"),
    expect="the others wait, and nothing is signed for it",
)
async def vanished(harness: Harness) -> None:
    async with open_table(harness, (("roll", (6,)), ("roll", (6,))), seats=3) as table:
        await table.until(1)
        table.suite_seats[1].wire.send("bye", "is away")
        table.give(2)
        await table.await_target()
        await table.sync()
        expect({one.step for one in table.chain} <= {0, 1}, "the target went on without the seat")
        expect(not table.job.all("left"), "the target says that the seat left")


# -- resignation -------------------------------------------------------------------------------------------------------


async def resigns(table: TargetTable, seat: int) -> None:
    """Resigns for a seat of the suite in the stage at hand."""
    envelope = table.sign(seat, RESIGN, None)
    table.loose[seat].append(envelope)
    table.send_envelope(envelope)


@case(
    "13-26",
    "A seat resigns before it signs",
    covers=("M-RES-1", "M-RES-2", "M-CLO-1"),
    expect="closing, with the result of section 13.1",
)
async def seat_resigns(harness: Harness) -> None:
    async with open_table(harness, TWO) as table:
        await table.until(1)
        await resigns(table, 1)
        table.close((1,))
        await table.finish()


async def target_resigns_now(harness: Harness, table: TargetTable) -> None:
    """Tells the target's player to resign in the stage at hand, and waits until it has."""
    await table.await_slot()
    table.job.do("resign")

    def resigned() -> bool:
        table.read_envelopes()
        return table.chain[-1].kind == RESIGN

    await harness.wait_until(resigned, "the target's resignation")


@case(
    "13-27",
    "The target resigns",
    covers=("M-RES-1", "M-TLK-2", "M-TLK-1"),
    expect="an envelope of kind 2 with slot and head, then closing once the other seat closes",
)
async def target_resigns(harness: Harness) -> None:
    async with open_table(harness, TWO) as table:
        await table.until(1)
        await target_resigns_now(harness, table)
        last = table.chain[-1]
        expect(
            (last.slot, last.head, last.body) == (table.slot, table.head, None),
            "the slot, head or body of the resignation is wrong",
        )
        table.close((0,))
        table.give(1)
        await table.finish()


@case(
    "13-28",
    "A resignation in a stage that the target has signed",
    covers=("M-RES-2", "M-TLK-2"),
    expect="the target's envelope for the stage counts as talk, and closing begins",
)
async def resigns_late(harness: Harness) -> None:
    async with open_table(harness, (("roll", (6,)), ("roll", (6,)))) as table:
        await table.until(1)
        await table.await_target()
        table.given.clear()
        await resigns(table, 1)
        table.close((1,))
        await table.finish()


@case("13-29", "Both resign", covers=("M-RES-2",), expect="closing: both resigned, and both are first")
async def both_resign(harness: Harness) -> None:
    async with open_table(harness, TWO) as table:
        await table.until(1)
        await target_resigns_now(harness, table)
        await resigns(table, 1)
        table.close((0, 1))
        await table.finish()


@case(
    "13-43",
    "Another result in answer to the target's resignation",
    covers=("M-STG-7", "M-STG-4"),
    expect="guilt, before the target signs its own CLOSE",
)
async def answered_wrongly(harness: Harness) -> None:
    async with open_table(harness, TWO) as table:
        await table.until(1)
        await target_resigns_now(harness, table)
        table.close((0,))
        table.give(1, ((1, 1), table.result.scores, (0,)))
        await table.expect_guilty(1)
        table.read_envelopes()
        expect(table.chain[-1].kind == RESIGN, "the target signed CLOSE although the guilt was there before it could")


@case("13-31", "A resignation where the seat could leave", covers=("M-RES-1",), expect=GUILTY)
async def resigns_of_three(harness: Harness) -> None:
    async with open_table(harness, (("roll", (6,)), ("roll", (6,))), seats=3) as table:
        await table.until(1)
        await table.await_target()
        table.send_envelope(table.sign(1, RESIGN, None))
        await table.expect_guilty(1)
