"""Section 13: talk, resignation, leaving."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from client.conformance.bench import Bench
from client.conformance.case import Failed, case, expect
from client.conformance.cases.bending import entries, flipped, octets, put
from client.conformance.cases.scripts import DECK, Script, all_of, amounts, tells
from client.conformance.envelope import CHAT, LEAVE, RESIGN, STAGE
from client.conformance.group import IDENTITY, L
from client.conformance.plain import Plain, spelled
from client.conformance.table import Table

GUILTY: Final = "the seat is found guilty, the target signs nothing more, and its record proves it"
WITHOUT: Final = "the ask is finished without the seat as 13.2 says, and the verdict is fair"
TWO: Final[Script] = (("decide", 1, 9), ("decide", 0, 9), ("roll", (6,)))
Choices = Mapping[tuple[int, int], Plain]
"""By step and seat."""
NONE: Final[Choices] = {}


async def leaves_in(bench: Bench, asks: Script, slot: tuple[int, int], chosen: Choices = NONE) -> None:
    """A seat of the suite leaves with a stage, and all others play on to the end."""
    seat = 1
    async with bench.table(asks, seats=3) as table:
        table.choices |= chosen
        await table.until(*slot)
        table.choose(seat)
        if table.play.stage == 0 and table.play.space(seat) is not None:
            table.play.seats[seat].choices.pop()
        table.leave(seat)
        await table.finish()
        left = [event["seat"] for event in table.job.all("left")]
        expect(left == [seat], f"the target says that {spelled(left)} left")


ALL: Final = all_of(3)
SHUFFLED: Final[Script] = (("shuffle", "deck", DECK),)
PLACES: Final[dict[str, tuple[Script, tuple[int, int]]]] = {
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


def _leaving(number: int, ask: str, asks: Script, slot: tuple[int, int]) -> None:
    @case(f"13-{number:02}", f"A seat leaves in {ask}", covers=("M-ASK-2", "M-LEA-2", "M-ESC-1"), expect=WITHOUT)
    async def _(bench: Bench) -> None:
        await leaves_in(bench, asks, slot)


for _number, (_ask, (_asks, _slot)) in enumerate(PLACES.items(), 1):
    _leaving(_number, _ask, _asks, _slot)


async def target_leaves(
    bench: Bench, asks: Script, step: int, *, target: str, seat: int, chosen: Choices = NONE
) -> None:
    """The target leaves in a step: the envelope that it signs must be the one due, and it signs no other after it."""
    async with bench.table(asks, seats=3, target=target, seat=seat) as table:
        table.choices |= chosen
        await table.until(step - 1)
        if table.target in table.owing:
            await table.hear()
        table.job.do("resign")
        await table.sync()
        table.chose.add((step, seat))
        for other in table.owing:
            if other in table.chairs:
                table.give(other)
        table.end_stage()
        envelope = await table.hear()
        if envelope.kind != LEAVE:
            raise Failed(f"the target signs kind {envelope.kind} where it leaves")
        signed = len(table.chain)
        await table.finish()
        table.absorb()
        expect(len(table.chain) == signed, "the target signed something after it had left")


TARGET_LEAVES: Final = ("M-LEA-1", "M-LEA-2", "M-LEA-3", "M-ESC-1", "M-TLK-2", "M-KEY-2")


@case(
    "13-11",
    "The target leaves in a Roll",
    covers=TARGET_LEAVES,
    expect="its envelope of kind 4 is, byte for byte, the one due",
)
async def target_leaves_roll(bench: Bench) -> None:
    await target_leaves(bench, (("roll", (6,)), ("roll", (6,)), ("roll", (6,))), 2, target="host", seat=0)


@case(
    "13-12",
    "The target leaves instead of deciding",
    covers=TARGET_LEAVES,
    expect="its envelope of kind 4 is, byte for byte, the one due",
)
async def target_leaves_decide(bench: Bench) -> None:
    asks = (("decide", 0, 9), ("decide", 1, 9), ("roll", (6,)))
    await target_leaves(bench, asks, 2, target="join", seat=1)


@case("13-13", "All leave but one", covers=("M-LEA-1", "M-ASK-2"), expect="the script ends when one seat is left")
async def all_leave(bench: Bench) -> None:
    async with bench.table((("roll", (6,)), ("roll", (6,)), ("roll", (6,))), seats=4) as table:
        await table.until(1)
        table.leave(3)
        await table.until(2)
        table.leave(2)
        await table.finish()


@case("13-14", "Two leave in one stage", covers=("M-LEA-2", "M-CLO-2"), expect=WITHOUT)
async def two_leave(bench: Bench) -> None:
    async with bench.table((("roll", (6,)), ("together", all_of(4), 3), ("roll", (6,))), seats=4) as table:
        await table.until(1)
        table.leave(3)
        table.leave(2)
        await table.finish()


@case(
    "13-15",
    "The audit of who left finds its deviation",
    covers=("M-CLO-2", "M-AUD-1"),
    expect="unfair: it names the seat that left, where it deviated",
    seconds=60,
)
async def leaver_deviated(bench: Bench) -> None:
    async with bench.table((("seal", ALL, 9), ("roll", (6,)), ("roll", (6,))), seats=3) as table:
        await table.until(1)
        table.give(1, flipped(table.body(1), 0, 0))
        await table.until(2)
        table.leave(1)
        table.deviations = ((1, 0, 1),)
        await table.finish("unfair")


@case(
    "13-16",
    "What a leaver left does not open",
    covers=("M-CLO-2", "M-ESC-1"),
    expect="unfair: it names the seat, at the slot in which it left",
)
async def left_nothing(bench: Bench) -> None:
    async with bench.table((("roll", (6,)), ("roll", (6,))), seats=3) as table:
        await table.until(1)
        table.leave(1, lambda body: flipped(body, -1, 2))
        table.deviations = ((1, 0, 1),)
        await table.finish("unfair")


def bad_leave(id: str, title: str, bend: Callable[[Plain], Plain], covers: Sequence[str] = ("M-LEA-2",)) -> None:
    @case(id, title, covers=covers, expect=GUILTY)
    async def _(bench: Bench) -> None:
        async with bench.table((("roll", (6,)), ("roll", (6,))), seats=3) as table:
            await table.until(1)
            table.leave(1, bend)
            await table.guilty(1)


bad_leave("13-17", "A leave with another coin key", lambda body: flipped(body, 0, 0))
bad_leave("13-18", "A leave with another bag key", lambda body: flipped(body, 0, 1))
bad_leave(
    "13-19",
    "A leave whose coin key is not below L",
    lambda body: put(body, (int.from_bytes(octets(entries(body)[0]), "little") + L).to_bytes(32, "little"), 0),
    ("M-LEA-2", "M-GRP-2"),
)
bad_leave(
    "13-20",
    "A leave that leaves a byte too few",
    lambda body: put(body, octets(entries(body)[2])[:-1], 2),
    ("M-ESC-1",),
)
bad_leave(
    "13-21",
    "A leave whose R is the identity",
    lambda body: put(body, IDENTITY + octets(entries(body)[2])[32:], 2),
    ("M-ESC-1", "M-GRP-1"),
)
bad_leave("13-22", "A leave with nothing in it", lambda body: ())


@case("13-23", "A leave where two are present", covers=("M-LEA-1",), expect=GUILTY)
async def leave_of_two(bench: Bench) -> None:
    async with bench.table(TWO) as table:
        await table.until(1)
        table.leave(1)
        await table.guilty(1)


@case("13-24", "An envelope of the game after a leave", covers=("M-TLK-2",), expect=GUILTY)
async def plays_on(bench: Bench) -> None:
    async with bench.table((("roll", (6,)), ("roll", (6,)), ("roll", (6,))), seats=3) as table:
        await table.until(1)
        await table.hear()
        table.leave(1)
        more = table.sign(1, STAGE, (b"x",))
        table.send_envelope(more)
        await table.guilty(1)


@case(
    "13-25",
    "A seat is only gone: it has not left",
    covers=("M-LEA-4", "M-LNK-11"),
    expect="the others wait, nothing is signed for it",
)
async def vanished(bench: Bench) -> None:
    async with bench.table((("roll", (6,)), ("roll", (6,))), seats=3) as table:
        await table.until(1)
        table.chairs[1].wire.send("bye", "is away")
        table.give(2)
        await table.hear()
        await table.sync()
        expect({one.step for one in table.chain} <= {0, 1}, "the target went on without the seat")
        expect(not table.job.all("left"), "the target says that the seat left")


# -- resignation -------------------------------------------------------------------------------------------------------


async def resigns(table: Table, seat: int) -> None:
    """A seat of the suite resigns at the slot at hand."""
    envelope = table.sign(seat, RESIGN, None)
    table.loose[seat].append(envelope)
    table.send_envelope(envelope)


@case(
    "13-26",
    "A seat resigns before it signs",
    covers=("M-RES-1", "M-RES-2", "M-CLO-1"),
    expect="closing, with the result that 13.1 says",
)
async def seat_resigns(bench: Bench) -> None:
    async with bench.table(TWO) as table:
        await table.until(1)
        await resigns(table, 1)
        table.close((1,))
        await table.finish()


async def hears_resignation(bench: Bench, table: Table) -> None:
    """The target's player resigns."""
    table.job.do("resign")

    def resigned() -> bool:
        table.absorb()
        return table.chain[-1].kind == RESIGN

    await bench.wait(resigned, "the target's resignation")


@case(
    "13-27",
    "The target resigns",
    covers=("M-RES-1", "M-TLK-3", "M-TLK-2"),
    expect="an envelope of kind 2 with slot and head, then closing when the other closes",
)
async def target_resigns(bench: Bench) -> None:
    async with bench.table(TWO) as table:
        await table.until(1)
        await hears_resignation(bench, table)
        last = table.chain[-1]
        expect((last.slot, last.head, last.body) == (table.slot, table.head, None), "its slot, head or body is wrong")
        table.close((0,))
        table.give(1)
        await table.finish()


@case(
    "13-28",
    "A resignation in a stage that the target has signed",
    covers=("M-RES-2", "M-TLK-3"),
    expect="its envelope stands as talk, and closing begins",
)
async def resigns_late(bench: Bench) -> None:
    async with bench.table((("roll", (6,)), ("roll", (6,)))) as table:
        await table.until(1)
        await table.hear()
        table.given.clear()
        await resigns(table, 1)
        table.close((1,))
        await table.finish()


@case("13-29", "Both resign", covers=("M-RES-2",), expect="closing: both resigned, both are first")
async def both_resign(bench: Bench) -> None:
    async with bench.table(TWO) as table:
        await table.until(1)
        await hears_resignation(bench, table)
        await resigns(table, 1)
        table.close((0, 1))
        await table.finish()


@case(
    "13-30",
    "A resignation with another head",
    covers=("M-RES-1", "M-GEN-3"),
    expect="it does not count, nobody is blamed",
)
async def resigns_elsewhere(bench: Bench) -> None:
    async with bench.table(TWO) as table:
        await table.until(1)
        table.send_envelope(table.sign(1, RESIGN, None, head=bytes(32)))
        await table.sync()
        expect(not table.job.all("guilty"), "a seat was blamed")
        expect(not table.job.all("result"), "the resignation ended the game")


@case("13-31", "A resignation where the seat could leave", covers=("M-RES-1",), expect=GUILTY)
async def resigns_of_three(bench: Bench) -> None:
    async with bench.table((("roll", (6,)), ("roll", (6,))), seats=3) as table:
        await table.until(1)
        await table.hear()
        table.send_envelope(table.sign(1, RESIGN, None))
        await table.guilty(1)


@case("13-32", "An envelope of the game after a resignation", covers=("M-TLK-2",), expect=GUILTY)
async def plays_on_resigned(bench: Bench) -> None:
    async with bench.table((("decide", 0, 9), ("decide", 1, 9))) as table:
        await table.until(1)
        await resigns(table, 1)
        table.send_envelope(table.sign(1, STAGE, (1,)))
        await table.guilty(1)


# -- talk --------------------------------------------------------------------------------------------------------------


@case("13-33", "A thousand chats", covers=("M-TLK-1",), expect="they count; the thousand and first is guilt")
async def thousand(bench: Bench) -> None:
    async with bench.table(TWO) as table:
        await table.until(1)
        for number in range(1000):
            table.chair.wire.send("envelope", table.sign(1, CHAT, str(number)).packed)
        await bench.wait(lambda: len(table.job.all("said")) == 1000, "what the seat said", 60)
        expect(not table.job.all("guilty"), "a seat was blamed for its thousandth chat")
        table.send_envelope(table.sign(1, CHAT, "more"))
        await table.guilty(1)


@case(
    "13-34",
    "The target's talk is cut to what an envelope carries",
    covers=("M-TLK-1", "M-ENV-1"),
    expect="500 characters at most",
)
async def long_talk(bench: Bench) -> None:
    async with bench.table(TWO) as table:
        await table.until(1)
        table.job.do("say", text="y" * 800)
        await table.sync()
        said = [one.body for one in table.chain if one.kind == CHAT]
        expect(len(str(said[0])) <= 500, "the target signs a longer chat")
        await table.finish()


@case(
    "13-35",
    "Talk during closing",
    covers=("M-STG-1", "M-TLK-1"),
    expect="it stands in the transcript before the verdict",
)
async def late_talk(bench: Bench) -> None:
    async with bench.table((("roll", (6,)),)) as table:
        await table.until(2)
        table.say(1, "well played")
        await table.sync()
        await table.finish()
