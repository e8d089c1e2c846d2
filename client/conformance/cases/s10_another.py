"""Section 10: another game at the same table, and whose turn it is to begin it."""

from __future__ import annotations

from typing import Any, Final

from client.conformance.bench import Bench
from client.conformance.case import case, expect, present
from client.conformance.cases.s21_games import resigns
from client.conformance.plain import spelled
from client.conformance.roster import Roster
from client.conformance.seating import TableFrame, places
from client.conformance.table import Table
from games import lookup

GAME: Final = "diamond"
"""Its rules say who begins."""


def two_games(**more: Any) -> dict[str, Any]:
    """What a table is made with whose target wants two games."""
    game = lookup.find(GAME)
    return {"game": game, "options": dict(game.quick), "job": {"games": 2}, **more}


async def settled(table: Table) -> int:
    """Plays the first game. Returns the seat whose turn it is to begin the next one."""
    await table.until(2)
    began = present(table.game.began(table.play.public))
    await resigns(table)
    await table.finish()
    # The turn goes to the next seat, and everybody moves up one: for as long as all stay it is the same number.
    return began


@case(
    "10-80",
    "Whose turn it is to begin another game, the target being host",
    covers=("M-LNK-12",),
    expect="the roster lets the person begin who sat after the one that began",
)
async def host_lets_begin(bench: Bench) -> None:
    async with bench.table(**two_games()) as table:
        due = await settled(table)
        await table.next_game()
        begins = table.signed.roster.begins
        expect(begins == due, f"the roster lets seat {spelled(begins)} begin, and it is the turn of seat {due}")
        await table.begin_again()
        await table.until(1)
        await resigns(table)
        await table.finish()


async def offer(table: Table, begins: int) -> None:
    """The suite's host runs the round of another game up to its roster, which has this seat begin."""
    line = table.chairs[0].wire
    await table.bench.receive(line, "again", due="`again`, since the target plays more games")
    line.send("again", True)
    first = present(table.announced)
    people, sitting = first.people[::-1], first.sitting[::-1]
    line.send(*TableFrame(first.game, first.rules, first.options, first.seats, people, sitting).frame())
    line.send("prepare", 2)
    place = await table.bench.receive(line, "place", due="`place`, the answer to `prepare`")
    given = {table.chairs[0].identity.public: table.chairs[0].place, table.target_identity: place[2:]}
    roster = Roster(first.game, first.rules, first.options, places(people, given), begins)
    line.send("roster", 2, roster.packed)


@case(
    "10-81",
    "Whose turn it is to begin another game, the target being a joiner",
    covers=("M-SEA-9",),
    expect="the target signs a roster that lets that seat begin",
)
async def joiner_signs(bench: Bench) -> None:
    async with bench.table(target="join", **two_games()) as table:
        await offer(table, await settled(table))
        await bench.receive(table.chairs[0].wire, "signature", due="`signature`, since it is that seat's turn")


@case(
    "10-82",
    "A host that has another seat begin than the one whose turn it is",
    covers=("M-SEA-9",),
    expect="the target gives the table up, and signs nothing: no `signature`",
)
async def joiner_refuses(bench: Bench) -> None:
    async with bench.table(target="join", **two_games()) as table:
        await offer(table, 1 - await settled(table))
        line = table.chairs[0].wire
        await bench.closed(line, "since it is not that seat's turn")
        expect(line.count("signature") == 1, "the target signed the roster of the second round")
