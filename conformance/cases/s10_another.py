"""Section 10: another game at the same table, and whose turn it is to begin it."""

from __future__ import annotations

from typing import Any, Final

from kimberley.conformance.case import case
from kimberley.conformance.cases.s21_games import resigns
from kimberley.conformance.errors import expect, present
from kimberley.conformance.harness.harness import Harness
from kimberley.conformance.plain import spelled
from kimberley.conformance.table.seating_frames import TableDescription, places
from kimberley.conformance.table.table import TargetTable, open_table
from kimberley.games import lookup
from kimberley.protocol.roster import Roster

GAME: Final = "diamond"
"""Its rules say who begins."""


def two_games(**more: Any) -> dict[str, Any]:
    """Returns the arguments of a table at which the target wants two games."""
    game = lookup.find(GAME)
    return {"game": game, "options": dict(game.quick), "job": {"games": 2}, **more}


async def settled(table: TargetTable) -> int:
    """Plays the first game. Returns the seat whose turn it is to begin the next one."""
    await table.until(2)
    began = present(table.game.starting_seat(table.play.public))
    await resigns(table)
    await table.finish()
    # The turn goes to the next seat, and everybody moves up one seat: the number stays the same while all stay.
    return began


@case(
    "10-80",
    "Whose turn it is to begin another game, the target being host",
    covers=("M-LNK-12",),
    expect="the roster lets the player begin who sat after the one that began first",
)
async def host_lets_begin(harness: Harness) -> None:
    async with open_table(harness, **two_games()) as table:
        due = await settled(table)
        await table.next_game()
        begins = table.signed.roster.begins
        expect(begins == due, f"the roster lets seat {spelled(begins)} begin, but it is the turn of seat {due}")
        await table.begin_again()
        await table.until(1)
        await resigns(table)
        await table.finish()


async def offer(table: TargetTable, begins: int) -> None:
    """Runs the round of another game as the suite's host up to its roster, which has this seat begin."""
    connection = table.suite_seats[0].wire
    await table.harness.receive(connection, "again", due="`again`, since the target plays more games")
    connection.send("vote", "again", True)
    first = present(table.announced)
    people, sitting = first.people[::-1], tuple((True, *status[1:]) for status in first.sitting[::-1])
    connection.send(*TableDescription(first.game, first.rules, first.options, first.seats, people, sitting).frame())
    connection.send("prepare", 2)
    place = await table.harness.receive(connection, "place", due="`place`, the answer to `prepare`")
    given = {table.suite_seats[0].identity.public: table.suite_seats[0].place, table.target_identity: place[2:]}
    roster = Roster(first.game, first.rules, first.options, places(people, given), begins)
    connection.send("roster", 2, roster.packed)


@case(
    "10-81",
    "Whose turn it is to begin another game, the target being a joiner",
    covers=("M-SEA-9",),
    expect="the target signs a roster that lets that seat begin",
)
async def joiner_signs(harness: Harness) -> None:
    async with open_table(harness, target="join", **two_games()) as table:
        await offer(table, await settled(table))
        await harness.receive(table.suite_seats[0].wire, "signature", due="`signature`, since it is that seat's turn")


@case(
    "10-82",
    "A host that has another seat begin than the one whose turn it is",
    covers=("M-SEA-9",),
    expect="the target gives the table up and signs nothing: no `signature`",
)
async def joiner_refuses(harness: Harness) -> None:
    async with open_table(harness, target="join", **two_games()) as table:
        await offer(table, 1 - await settled(table))
        connection = table.suite_seats[0].wire
        await harness.expect_closed(connection, "since it is not that seat's turn")
        expect(connection.count("signature") == 1, "the target signed the roster of the second round")


@case(
    "10-50",
    "A host that opens its table again after a game, with another time to wait",
    covers=("M-SEA-24",),
    expect="the target answers with `ready` and false, and signs the roster of that round",
)
async def opened_again(harness: Harness) -> None:
    async with open_table(harness, target="join", **two_games()) as table:
        await settled(table)
        connection = table.suite_seats[0].wire
        await harness.receive(connection, "again", due="`again`, since the target plays more games")
        first = present(table.announced)
        people, options = first.people[::-1], tuple(sorted({**dict(first.options), "grace": 60}.items()))

        def announced(ready: bool) -> tuple[Any, ...]:
            host, target = ((ready, *status[1:]) for status in first.sitting)
            return TableDescription(first.game, first.rules, options, first.seats, people, (target, host)).frame()

        connection.send(*announced(False))
        frame = await harness.receive(connection, "ready", due="`ready`, since the options have changed")
        expect(frame == ("vote", "ready", False), f"the target says {spelled(frame)} of options that have just changed")
        connection.send(*announced(True))
        connection.send("prepare", 2)
        place = await harness.receive(connection, "place", due="`place`, the answer to `prepare`")
        given = {table.suite_seats[0].identity.public: table.suite_seats[0].place, table.target_identity: place[2:]}
        connection.send("roster", 2, Roster(first.game, first.rules, options, places(people, given)).packed)
        await harness.receive(connection, "signature", due="`signature`, since the table is as announced")
