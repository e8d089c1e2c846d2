"""Corners in which another implementation had to guess: each of them has one answer (SPEC.md, section 30)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from client.conformance.bench import Bench
from client.conformance.case import Failed, case, expect
from client.conformance.cases.s10_links import lose
from client.conformance.cases.s13_leaving import GUILTY, WITHOUT, Choices, leaves_in, target_leaves
from client.conformance.cases.s18_records import judged
from client.conformance.cases.scripts import DECK, Script, amounts, tells
from client.conformance.envelope import LEAVE, RESIGN
from client.conformance.plain import Plain
from client.conformance.table import Table
from client.conformance.written import ASKS, Written
from games import lookup
from games.table import Decide

ROLLS: Final[Script] = (("roll", (6,)), ("roll", (6,)), ("roll", (6,)))

# -- step 0 ------------------------------------------------------------------------------------------------------------


@case("13-36", "A resignation in step 0 of three seats", covers=("M-LEA-1", "M-RES-1"), expect=GUILTY)
async def resigns_first(bench: Bench) -> None:
    async with bench.table(ROLLS, seats=3) as table:
        table.send_envelope(table.sign(1, RESIGN, None))
        await table.guilty(1)


@case("13-37", "A leave in step 0", covers=("M-LEA-1",), expect=GUILTY)
async def leaves_first(bench: Bench) -> None:
    async with bench.table(ROLLS, seats=3) as table:
        table.send_envelope(table.sign(1, LEAVE, (bytes(32), bytes(32), bytes(48 + 64 + 4096))))
        await table.guilty(1)


@case(
    "13-38",
    "The target wants to go in step 0",
    covers=("M-LEA-1",),
    expect="it signs its keys, and leaves in step 1",
)
async def goes_first(bench: Bench) -> None:
    await target_leaves(bench, ROLLS, 1, target="host", seat=0)


# -- tells and shows ---------------------------------------------------------------------------------------------------


@case(
    "14-64",
    "Two tells of one pair in one ask",
    covers=("M-TEL-1", "M-TEL-2"),
    expect="the first carries pads, both payloads are under their key",
)
async def told_twice(bench: Bench) -> None:
    both: Plain = ("disclose", ((1, 0, "a", "b"), (0, 1, "a", "b"), (0, 1, "a", "b"), (1, 0, "a", "b")), 4)
    async with bench.table((amounts(2), both, both)) as table:
        table.choices |= {(1, 0): (5, 1), (1, 1): (0, 2)}
        await table.finish()


@case(
    "13-39",
    "A seat leaves in a Seal of amounts, and others tell each other",
    covers=("M-TEL-1", "M-LEA-2"),
    expect=WITHOUT,
)
async def leaves_between_tells(bench: Bench) -> None:
    own: Plain = ("amounts", (2,), ("a",), 4, 10)
    async with bench.table((amounts(3), tells(3), own, tells(3), amounts(3), tells(3)), seats=4) as table:
        await table.until(3)
        table.choose(2)
        table.play.seats[2].choices.pop()
        table.leave(2)
        await table.finish()


@case("13-40", "A part is shown to a seat that has left", covers=("M-SHW-2",), expect="there is mail for it too")
async def shown_to_who_left(bench: Bench) -> None:
    asks: Script = (("shuffle", "deck", DECK), ("roll", (6,)), ("show", (0, 1), ((0, None), (1, 2), (1, 0))))
    async with bench.table(asks, seats=4) as table:
        await table.until(2)
        table.leave(2)
        await table.finish()


# -- what a leave hides ------------------------------------------------------------------------------------------------

SIZES: Final = (*[9] * 450, 3, 1)
"""Bytes that each choice of seat 1 takes, so that with its length what it leaves behind fills a block, and no more."""
FULL: Final[Choices] = {(step, 1): {9: 1 << 40, 3: 1 << 10, 1: 1}[size] for step, size in enumerate(SIZES, 1)}
MANY: Final[Script] = (*[("decide", 1, 1 << 41)] * len(SIZES), *ROLLS)
LAST: Final = len(SIZES) + 2
"""The step in which it leaves."""


@case(
    "13-41",
    "A seat leaves exactly one block behind",
    covers=("M-ESC-1", "M-LEA-2", "M-CLO-2"),
    expect="no zeros follow: what it left is opened, and the verdict is fair",
    seconds=60,
)
async def leaves_full_block(bench: Bench) -> None:
    await leaves_in(bench, MANY, (LAST, 0), FULL)


@case(
    "13-42",
    "The target leaves exactly one block behind",
    covers=("M-ESC-1", "M-LEA-2"),
    expect="no zeros follow: its envelope of kind 4 is, byte for byte, the one due",
    seconds=60,
)
async def target_leaves_full_block(bench: Bench) -> None:
    await target_leaves(bench, MANY, LAST, target="join", seat=1, chosen=FULL)


# -- connections -------------------------------------------------------------------------------------------------------


@case(
    "10-22",
    "`have` that counts what came by way of another seat",
    covers=("M-LNK-2",),
    expect="the target goes on from that number",
)
async def counts_relays(bench: Bench) -> None:
    async with bench.table((*ROLLS, ("decide", 1, 9)), seats=3) as table:
        await table.until(2)
        table.absorb()
        table.chairs[1].wire.cut()
        table.give(1, quiet=True)
        table.send_envelope(table.given[1], by=2)
        await table.complete()
        await table.hear()
        await table.come_back(1, known=len(table.chain))
        await table.finish()


@case(
    "10-23",
    "A seat that leaves waits for the `have` of who is back",
    covers=("S-LNK-7",),
    expect="it goes when it has sent its envelope on the new connection",
    seconds=60,
)
async def waits_for_have(bench: Bench) -> None:
    async with bench.table((("roll", (6,)), ("decide", 0, 9), ("roll", (6,))), seats=3) as table:
        await table.until(2)
        await lose(bench, table, 2)
        table.chose.add((2, 0))
        table.job.do("bye")
        await table.hear()
        back = table.chairs[2]
        line = await bench.seat_line(table.port, back.identity, table.purpose, back.nickname)
        await bench.pause(0.7)
        expect(not line.closed, "the target went before it could send its envelope")
        await table.take_up(2, line, known=len(table.chain) - 1)
        await bench.wait(lambda: table.gone, "the end of the connections of the target")
        expect(line.count("envelope"), "the target went without giving its envelope to all")


# -- records -----------------------------------------------------------------------------------------------------------


def _roster_only(game: str, **options: Plain) -> bytes:
    """The record of a table of a game at which nobody has signed anything."""
    return Written(game=game, options=tuple(sorted(options.items()))).record.packed


judged(
    "18-50",
    "A roster that does not name the length of a last look",
    ("M-AUD-5",),
    "fair: the option counts for nothing in judging",
    lambda: (Written(options=(("asks", ASKS),)).closed().record.packed, "fair", {}),
)
judged(
    "18-51",
    "A roster with an option that the game does not have",
    ("M-AUD-5",),
    "fair: it is passed over",
    lambda: (Written(options=(("asks", ASKS), ("last_look", 0), ("zoom", 1))).closed().record.packed, "fair", {}),
)
judged(
    "18-52",
    "A roster that leaves out an option of the game",
    ("M-AUD-5",),
    "judged with the default: incomplete at step 0, not unknown",
    lambda: (_roster_only("mine", last_look=0), "incomplete", {"absent": (0, 1), "step": 0, "stage": 0}),
)
judged(
    "18-53",
    "A roster with an option of the game, and a value that it does not have",
    ("M-AUD-5", "M-AUD-4"),
    "unknown",
    lambda: (_roster_only("mine", flawless=0, last_look=0), "unknown", {"seats": ()}),
)


def _two_slots() -> tuple[bytes, str, dict[str, Plain]]:
    written = Written().closed()
    due = next(one for one in written.envelopes if (one.seat, one.step) == (1, 2))
    other = replace(due, step=3).signed(written.identities[1])
    return replace(written.record, evidence=(other.packed,)).packed, "unfair", {"seats": (1,), "step": 3, "stage": 0}


judged(
    "18-54",
    "Two envelopes with one number, for two slots",
    ("M-AUD-4", "M-REC-2"),
    "unfair: guilt is at the slot of the one that comes second",
    _two_slots,
)

# -- the piecepack's jump ----------------------------------------------------------------------------------------------

SUN: Final = 0
TRIES: Final = 12
"""Tables until one of three seats has the suns: each has them in half of all."""


@case(
    "21-11",
    "Jumpy jumps over a tile in the piecepack game",
    covers=("M-GAM-1", "M-GAM-2"),
    expect="the jump is the step of the turn, and leads to any other tile beside the one jumped over",
    seconds=120,
)
async def jumps(bench: Bench) -> None:
    found = lookup.find("piecepack")
    for _ in range(TRIES):
        async with bench.table(game=found, seats=3) as table:
            await table.until(2)
            if SUN in position(table).suits:
                await jumped(table)
                return
        table.job.do("stop")
    raise Failed("no seat of any table has the suns")


def position(table: Table) -> Any:
    """The piecepack game as all see it."""
    return table.play.public


async def jumped(table: Table) -> None:
    """Plays until the seat that has the suns jumps."""
    jumpy = position(table).suits.index(SUN)
    while not (isinstance(ask := table.play.ask, Decide) and (ask.topic, ask.seat) == ("action", jumpy)):
        await table.complete()
    step, others = table.play.step, [tile for tile in range(3) if tile != jumpy]
    table.choices[step, jumpy] = ("jump", *others)
    await table.until(step + 1)
    expect(position(table).pawns[jumpy] == others[1], "the pawn has not jumped")
