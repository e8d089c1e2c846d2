"""After a game: the host opens the table again, and the same people play with other options, or another game."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from kimberley.p2p.table.phases import ClosingPhase, DonePhase
from kimberley.p2p.table.table import Table
from kimberley.protocol.audit import verify
from kimberley.protocol.play import NotAllowed
from tests.support.asyncs import run, until
from tests.support.cards import CARDS
from tests.support.inside import match_of
from tests.support.seated import Circle, circle_of_tables
from tests.support.stones import STONES

GAMES = {game.id: game for game in (CARDS, STONES)}
pytestmark = pytest.mark.slow


def phases(circle: Circle) -> set[str]:
    return {table.phase for table in circle.tables}


async def agree(tables: list[Table]) -> None:
    """Has everybody say that the words are the same, unless they know each other, until they play."""
    for table in tables:
        await until(lambda table=table: table.phase in ("words", "playing"))  # type: ignore[misc]
        table.words.answer(True)
    await until(lambda: {table.phase for table in tables} == {"playing"})


async def played(circle: Circle, seats: int) -> tuple[Table, ...]:
    """Seats people, plays one game, and returns who sits there, the host first."""
    await circle.open(seats, headless=False)
    while len(circle.tables) < seats:
        await circle.join(headless=False)
    if seats > 2:
        for table in circle.tables:
            table.seating.ready(True)
    await agree(circle.tables)
    await circle.play()
    await circle.all("done")
    return tuple(circle.tables)


def test_two_play_another_game_at_the_same_table_and_nobody_is_asked_for_the_words(tmp_path: Path) -> None:
    async def story() -> None:
        async with circle_of_tables(tmp_path, STONES) as circle:
            circle.find = GAMES.__getitem__
            ana, ben = await played(circle, 2)
            first = ana.ending.record
            with pytest.raises(NotAllowed):
                ben.hosting.open_again()
            ana.hosting.open_again()
            await circle.all("open")
            assert {table.occupants.names for table in (ana, ben)} == {("ben", "ana")}
            await asyncio.sleep(0)
            assert ana.phase == "open", "all seats are taken, and the host still chooses"
            assert ana.hosting.begins
            assert ben.hosting.begins
            ana.hosting.change_options({}, 2, CARDS)
            await until(lambda: ben.game is CARDS)
            assert {table.occupants.readiness for table in (ana, ben)} == {(False, False)}
            ana.seating.ready(True)
            # They have compared words.
            await circle.all("playing")
            await circle.play(1)
            await circle.all("done")
            assert ana.ending.record is not None
            assert ana.ending.record != first
            assert verify(ana.ending.record.read_bytes(), lambda _: CARDS).code == "fair"

    run(story(), 120)


def test_a_friend_joins_for_the_next_game(tmp_path: Path) -> None:
    async def story() -> None:
        async with circle_of_tables(tmp_path, STONES) as circle:
            circle.find = GAMES.__getitem__
            ana, ben = await played(circle, 2)
            ana.hosting.open_again()
            ana.hosting.change_options({}, 3, CARDS)
            cleo = await circle.join(headless=False)
            await until(lambda: ben.occupants.names == cleo.occupants.names == ("ben", "ana", "cleo"))
            for table in (ana, ben, cleo):
                assert table.occupants.asks_ready
                table.seating.ready(True)
            await agree([ana, ben, cleo])
            await circle.play(1)
            await circle.all("done")
            # A player who has left meanwhile is not waited for.
            await cleo.close()
            circle.tables.remove(cleo)
            ana.hosting.open_again()
            await until(lambda: ben.occupants.names == ana.occupants.names == ("ana", "ben"))
            for table in (ana, ben):
                table.seating.ready(True)
            await circle.all("playing")

    run(story(), 120)


def test_a_guest_still_at_the_end_of_the_game_learns_of_the_open_table(tmp_path: Path) -> None:
    """The host may have checked the record before the guest has."""

    async def story() -> None:
        async with circle_of_tables(tmp_path, STONES) as circle:
            ana, ben = await played(circle, 2)
            table = ben
            table.set_phase(ClosingPhase(match_of(table)))
            ana.hosting.open_again()
            await asyncio.sleep(0.2)
            assert ben.phase == "closing"
            table.set_phase(DonePhase(match_of(table)))
            assert phases(circle) == {"open"}

    run(story(), 120)


def test_who_does_not_have_the_game_leaves_and_a_program_plays_one_game_only(tmp_path: Path) -> None:
    async def story() -> None:
        async with circle_of_tables(tmp_path, STONES) as circle:
            ana = await circle.open(2, headless=False)
            ben = await circle.join()
            await agree([ana, ben])
            await circle.play()
            await circle.all("done")
            ana.hosting.open_again()
            ana.hosting.change_options({}, 2, CARDS)
            await until(lambda: ben.phase == "failed")
            assert ben.problem is not None
            assert ben.problem.startswith(f'This table plays "{CARDS.id}", which you have not installed.')
            await until(lambda: ana.occupants.names == ("ana",))
            assert ana.phase == "open"

    run(story(), 120)
