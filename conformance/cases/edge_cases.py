"""Edge cases that are easy to guess wrong: SPEC.md has one answer to each."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from kimberley.conformance.case import case
from kimberley.conformance.cases.s10_links import leaving_while_one_is_away
from kimberley.conformance.cases.s13_leaving import GUILTY, WITHOUT, Choices, leaves_in, target_leaves
from kimberley.conformance.cases.s18_records import record_case
from kimberley.conformance.cases.scripts import DECK, Asks, amounts, tells
from kimberley.conformance.errors import Failed, expect
from kimberley.conformance.harness.harness import Harness
from kimberley.conformance.table.offline import ASKS, OfflineGame
from kimberley.conformance.table.table import TargetTable, open_table
from kimberley.games import lookup
from kimberley.games.table import Decide, Plain
from kimberley.protocol.envelope import CLOSING, LEAVE, RESIGN

ROLLS: Final[Asks] = (("roll", (6,)), ("roll", (6,)), ("roll", (6,)))

# -- step 0 ------------------------------------------------------------------------------------------------------------


@case("13-36", "A resignation in step 0 of three seats", covers=("M-LEA-1", "M-RES-1"), expect=GUILTY)
async def resigns_first(harness: Harness) -> None:
    async with open_table(harness, ROLLS, seats=3) as table:
        table.send_envelope(table.sign(1, RESIGN, None))
        await table.expect_guilty(1)


@case("13-37", "A leave in step 0", covers=("M-LEA-1",), expect=GUILTY)
async def leaves_first(harness: Harness) -> None:
    async with open_table(harness, ROLLS, seats=3) as table:
        table.send_envelope(table.sign(1, LEAVE, (bytes(32), bytes(32), bytes(48 + 64 + 4096))))
        await table.expect_guilty(1)


@case(
    "13-38",
    "The target wants to go in step 0",
    covers=("M-LEA-1",),
    expect="it signs its keys and leaves in step 1",
)
async def goes_first(harness: Harness) -> None:
    await target_leaves(harness, ROLLS, 1, target="host", seat=0)


# -- tells and shows ---------------------------------------------------------------------------------------------------


@case(
    "14-64",
    "Two tells of one pair in one ask",
    covers=("M-TEL-1", "M-TEL-2"),
    expect="the first carries pads, and both payloads are sealed with their key",
)
async def told_twice(harness: Harness) -> None:
    both: Plain = ("disclose", ((1, 0, "a", "b"), (0, 1, "a", "b"), (0, 1, "a", "b"), (1, 0, "a", "b")), 4)
    async with open_table(harness, (amounts(2), both, both)) as table:
        table.choices |= {(1, 0): (5, 1), (1, 1): (0, 2)}
        await table.finish()


@case(
    "13-39",
    "A seat leaves in a Seal of amounts, and others tell each other",
    covers=("M-TEL-1", "M-LEA-2"),
    expect=WITHOUT,
)
async def leaves_between_tells(harness: Harness) -> None:
    own: Plain = ("amounts", (2,), ("a",), 4, 10)
    async with open_table(harness, (amounts(3), tells(3), own, tells(3), amounts(3), tells(3)), seats=4) as table:
        await table.until(3)
        table.leave(2)
        await table.finish()


@case("13-40", "A part is shown to a seat that has left", covers=("M-SHW-2",), expect="it still gets mail")
async def shown_to_who_left(harness: Harness) -> None:
    asks: Asks = (("shuffle", "deck", DECK), ("roll", (6,)), ("show", (0, 1), ((0, None), (1, 2), (1, 0))))
    async with open_table(harness, asks, seats=4) as table:
        await table.until(2)
        table.leave(2)
        await table.finish()


# -- what a leave hides ------------------------------------------------------------------------------------------------

SIZES: Final = (*[9] * 450, 3, 1)
"""Bytes of each choice of seat 1: what it leaves behind, with its length, fills exactly one block."""
FULL: Final[Choices] = {(step, 1): {9: 1 << 40, 3: 1 << 10, 1: 1}[size] for step, size in enumerate(SIZES, 1)}
MANY: Final[Asks] = (*[("decide", 1, 1 << 41)] * len(SIZES), *ROLLS)
LAST: Final = len(SIZES) + 2
"""The step in which it leaves."""


@case(
    "13-41",
    "A seat leaves exactly one block behind",
    covers=("M-ESC-1", "M-LEA-2", "M-CLO-2"),
    expect="no zeros follow: what it left behind opens, and the verdict is fair",
    seconds=60,
)
async def leaves_full_block(harness: Harness) -> None:
    await leaves_in(harness, MANY, (LAST, 0), FULL)


@case(
    "13-42",
    "The target leaves exactly one block behind",
    covers=("M-ESC-1", "M-LEA-2"),
    expect="no zeros follow: its envelope of kind 4 is, byte for byte, the one due",
    seconds=60,
)
async def target_leaves_full_block(harness: Harness) -> None:
    await target_leaves(harness, MANY, LAST, target="join", seat=1, chosen=FULL)


# -- connections -------------------------------------------------------------------------------------------------------


@case(
    "10-22",
    "`have` that counts what came through another seat",
    covers=("M-LNK-2",),
    expect="the target goes on from that number",
)
async def counts_relays(harness: Harness) -> None:
    async with open_table(harness, (*ROLLS, ("decide", 1, 9)), seats=3) as table:
        await table.until(2)
        table.read_envelopes()
        table.suite_seats[1].wire.abort()
        table.give(1, quiet=True)
        table.send_envelope(table.given[1], by=2)
        await table.complete()
        await table.await_target()
        await table.reconnect(1, known=len(table.chain))
        await table.finish()


@case(
    "10-23",
    "A seat that leaves waits for the `have` of a seat that is back",
    covers=("S-LNK-7",),
    expect="it leaves after it has sent its envelope on the new connection",
    seconds=60,
)
async def waits_for_have(harness: Harness) -> None:
    async with leaving_while_one_is_away(harness) as table:
        suite_seat = table.suite_seats[2]
        connection = await harness.connect_seat(table.port, suite_seat.identity, table.purpose, suite_seat.nickname)
        await harness.pause(0.7)
        expect(not connection.closed, "the target left before it could send its envelope")
        await table.resume_connection(2, connection, known=len(table.chain) - 1)
        await harness.wait_until(lambda: table.gone, "the end of the target's connections")
        expect(connection.count("envelope"), "the target left without giving its envelope to everybody")


# -- records -----------------------------------------------------------------------------------------------------------


def _roster_only(game: str, **options: Plain) -> bytes:
    """Returns the record of a table at which nobody has signed anything but the roster."""
    return OfflineGame(game=game, options=tuple(sorted(options.items()))).record.pack()


record_case(
    "18-50",
    "A roster that does not name the length of a last look",
    ("M-AUD-5",),
    "fair: the option does not matter to the verdict",
    lambda: (OfflineGame(options=(("asks", ASKS),)).closed().record.pack(), "fair", {}),
)
record_case(
    "18-51",
    "A roster with an option that the game does not have",
    ("M-AUD-5",),
    "fair: the option is ignored",
    lambda: (OfflineGame(options=(("asks", ASKS), ("last_look", 0), ("zoom", 1))).closed().record.pack(), "fair", {}),
)
record_case(
    "18-52",
    "A roster that leaves out an option of the game",
    ("M-AUD-5",),
    "the default counts: incomplete at step 0, not unknown",
    lambda: (_roster_only("mine", last_look=0), "incomplete", {"absent": (0, 1), "step": 0, "stage": 0}),
)
record_case(
    "18-53",
    "A roster with an option of the game, and a value that it does not have",
    ("M-AUD-5", "M-AUD-4"),
    "unknown",
    lambda: (_roster_only("mine", flawless=0, last_look=0), "unknown", {"seats": ()}),
)


def _two_slots() -> tuple[bytes, str, dict[str, Plain]]:
    written = OfflineGame().closed()
    due = next(one for one in written.envelopes if (one.seat, one.step) == (1, 2))
    other = replace(due, step=3).signed(written.identities[1].sign)
    return replace(written.record, evidence=(other,)).pack(), "unfair", {"seats": (1,), "step": 3, "stage": 0}


record_case(
    "18-54",
    "Two envelopes with one number, for two slots",
    ("M-AUD-4", "M-REC-2"),
    "unfair: guilt is at the slot of the one that comes second",
    _two_slots,
)


def _resigned(*closes: tuple[tuple[int, int], bytes | None]) -> bytes:
    """Returns the record of a game in which seat 1 resigns on its own turn, and seat 0 answers with closing envelopes
    of these (slot, head), where None is the right head.
    """
    written = OfflineGame(asks=(("decide", 1, 9),)).until(1)
    written.sign(1, RESIGN, None, (1, 0))
    for slot, head in closes:
        written.head = head or written.head
        written.sign(0, CLOSING, ((1, 2), ((1,), (2,)), (1,)), slot)
    return written.record.pack()


record_case(
    "18-55",
    "A resignation that nobody has answered",
    ("M-AUD-4", "M-AUD-2"),
    "incomplete: the other seat owes CLOSE, and nobody the stage cut short",
    lambda: (_resigned(), "incomplete", {"absent": (0,), "step": 2, "stage": 0}),
)
record_case(
    "18-56",
    "A resignation, and CLOSE over another past",
    ("M-AUD-4", "M-STG-6"),
    "damaged: closing has begun, and its head is not the one due",
    lambda: (_resigned(((2, 0), bytes(32))), "damaged", {"seats": ()}),
)
record_case(
    "18-57",
    "A resignation, and an envelope for a later stage of closing",
    ("M-AUD-4", "M-STG-6"),
    "incomplete: closing has begun, and both seats owe CLOSE",
    lambda: (_resigned(((2, 1), None)), "incomplete", {"absent": (0, 1), "step": 2, "stage": 0}),
)

# -- the piecepack's jump ----------------------------------------------------------------------------------------------

SUN: Final = 0
TRIES: Final = 12
"""How many tables are tried until one of three seats has the suns; half of all tables do."""


@case(
    "21-11",
    "Jumpy jumps over a tile in the piecepack game",
    covers=("M-GAM-1", "M-GAM-2"),
    expect="the jump is the step of the turn, and leads to any other tile next to the one that was jumped over",
    seconds=120,
)
async def jumps(harness: Harness) -> None:
    game = lookup.find("piecepack")
    for _ in range(TRIES):
        async with open_table(harness, game=game, seats=3) as table:
            await table.until(2)
            if SUN in position(table).suits:
                await jumped(table)
                return
        table.job.do("stop")
    raise Failed("no seat of any table has the suns")


def position(table: TargetTable) -> Any:
    """Returns the state of the piecepack game as everybody sees it."""
    return table.play.public


async def jumped(table: TargetTable) -> None:
    """Plays until the seat that has the suns jumps."""
    jumper = position(table).suits.index(SUN)
    while not (isinstance(ask := table.play.ask, Decide) and (ask.topic, ask.seat) == ("action", jumper)):
        await table.complete()
    step, others = table.play.step, [tile for tile in range(3) if tile != jumper]
    table.choices[step, jumper] = ("jump", *others)
    await table.until(step + 1)
    expect(position(table).pawns[jumper] == others[1], "the pawn did not jump")
