"""Rooms: seats in pages play with each other through a program that only serves their page."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from kimberley.games.table import Game
from kimberley.p2p.base.errors import UserError
from kimberley.p2p.sharing import room as rooms
from kimberley.p2p.sharing.server import FileServer
from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.storage.journal import list_journals
from kimberley.p2p.table.admission import REMOVED
from kimberley.p2p.transport.dial import Unreachable
from kimberley.p2p.transport.handshake import ConnectionRejected, JoinerHandshake
from kimberley.p2p.transport.room_door import RoomDoor
from kimberley.p2p.transport.signed_channel import NO_CERTIFICATE
from kimberley.p2p.transport.stream_socket import StreamSocket
from kimberley.p2p.transport.web_channel import ROOM_PATH, SEAT_PATH
from kimberley.protocol.encoding import pack
from tests.support.asyncs import run, until
from tests.support.cards import CARDS
from tests.support.comeback import die, die_in_words, to_answer
from tests.support.inside import identity_of, links_of
from tests.support.seated import LOOPBACK, Circle, circle_of_tables, judged_alike
from tests.support.stones import STONES
from tests.support.web_seat import (
    join_by_page,
    open_in_room,
    open_web_socket,
    page_again_in_room,
    pages,
    room_of,
    served_from,
)


@pytest.fixture(autouse=True)
def nothing_fails_in_the_background(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Asserts that no error in a background task was logged."""
    with pages():
        yield
    assert [record.getMessage() for record in caplog.get_records("call") if record.levelname == "ERROR"] == []


@asynccontextmanager
async def in_room(folder: Path, game: Game, seats: int) -> AsyncIterator[tuple[Circle, FileServer]]:
    """Yields a table that was opened in a page of a room."""
    async with room_of() as room, circle_of_tables(folder, game) as circle:
        _, door = await open_in_room(circle, folder, room, seats)
        try:
            yield circle, room
        finally:
            await door.close()


@pytest.mark.parametrize(
    ("game", "seats"), [pytest.param(STONES, 2, id="two"), pytest.param(CARDS, 3, id="three", marks=pytest.mark.slow)]
)
def test_seats_in_pages_play_with_each_other_in_a_room(tmp_path: Path, game: Game, seats: int) -> None:
    async def story() -> None:
        async with in_room(tmp_path, game, seats) as (circle, room):
            while len(circle.tables) < seats:
                await join_by_page(circle, tmp_path, room)
            await circle.all("playing")
            assert len({table.words.phrase for table in circle.tables}) == 1
            await circle.play()
            await circle.all("done")
            judged_alike(circle)

    run(story(), 120)


@pytest.mark.slow
def test_a_seat_that_lost_its_socket_comes_back_through_the_room(tmp_path: Path) -> None:
    async def story() -> None:
        async with in_room(tmp_path, CARDS, 3) as (circle, room):
            ben, cleo = [await join_by_page(circle, tmp_path, room) for _ in range(2)]
            await circle.all("playing")
            playing = asyncio.create_task(circle.play())
            for table in circle.tables:
                await to_answer(table, 2)
            for seat in (ben, cleo):
                link = links_of(seat)[identity_of(circle.tables[0]).public]
                link.mark_lost()
                with served_from(room.port):
                    link.connect()
            await playing
            await circle.all("done")
            judged_alike(circle)

    run(story(), 120)


@pytest.mark.slow
def test_the_seat_that_opened_the_table_comes_back_to_its_room(tmp_path: Path) -> None:
    async def story() -> None:
        async with room_of() as room, circle_of_tables(tmp_path, STONES) as circle:
            assert room.expected() == ()
            ana, door = await open_in_room(circle, tmp_path, room, 2)
            assert room.expected() == (LOOPBACK,)
            ben = await join_by_page(circle, tmp_path, room)
            await circle.all("playing")
            playing = asyncio.create_task(circle.play())
            for table in circle.tables:
                await to_answer(table, 1)
            await door.close()
            await die(ana)
            playing.cancel()
            await until(lambda: ben.reconnection.away)
            ana, door = await page_again_in_room(circle, tmp_path, room, ana)
            await until(lambda: not ben.reconnection.away)
            await circle.play()
            await circle.all("done")
            judged_alike(circle)
            await door.close()

    run(story(), 120)


def test_the_page_that_opened_the_table_and_is_closed_before_its_guest_agrees_opens_the_table_again(
    tmp_path: Path,
) -> None:
    async def story() -> None:
        async with room_of() as room, circle_of_tables(tmp_path, STONES) as circle:
            ana, door = await open_in_room(circle, tmp_path, room, 2)
            ben = await join_by_page(circle, tmp_path, room, headless=False)
            await until(lambda: ben.words.agreed == (True, False))
            await door.close()
            await die_in_words(ana, tmp_path / "ana")
            await until(lambda: ben.phase == "failed")
            assert ben.problem == "ana lost the connection before the game began. Join again."
            circle.tables.remove(ben)
            ana, door = await page_again_in_room(circle, tmp_path, room, ana)
            assert ana.phase == "playing"
            assert ana.reconnection.not_come == {1}
            # A stranger opens nothing; the player whom the game was for sits down again.
            with pytest.raises(ConnectionRejected, match="already begun"):
                await join_by_page(circle, tmp_path / "stranger", room)
            await join_by_page(circle, tmp_path, room)
            await circle.all("playing")
            await circle.play()
            await circle.all("done")
            judged_alike(circle)
            assert list_journals(tmp_path / "ana") == list_journals(tmp_path / "ben") == []
            await door.close()

    run(story(), 120)


def test_who_comes_before_the_table_is_opened_hears_so(tmp_path: Path) -> None:
    async def story() -> None:
        async with room_of() as room, circle_of_tables(tmp_path, STONES) as circle:
            with pytest.raises(Unreachable, match="no table is open in this room yet"):
                await join_by_page(circle, tmp_path, room)

    run(story())


def test_nobody_takes_the_room_of_somebody_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def story() -> None:
        async with in_room(tmp_path, STONES, 2) as (circle, room):
            told: list[str] = []
            path = f"{ROOM_PATH}?{'0' * 32}"
            await open_web_socket(LOOPBACK, room.port, path, lambda _: None, told.append)
            await until(lambda: told)
            assert told == ["someone else has already opened a table in this room"]
            await join_by_page(circle, tmp_path, room)
            await circle.all("playing")

    run(story())


@pytest.mark.slow
def test_a_seat_does_not_wait_for_long_for_a_page_that_is_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rooms, "WAIT_SECONDS", 0.1)
    monkeypatch.setattr(rooms, "OWNER_SECONDS", 0.2)

    async def story() -> None:
        async with room_of() as room, circle_of_tables(tmp_path, STONES) as circle:
            _, door = await open_in_room(circle, tmp_path, room, 2)
            await door.close()
            with pytest.raises(Unreachable, match="the host of the table in this room is away"):
                await join_by_page(circle, tmp_path, room)
            # The room is free for another page after a while.
            told: list[str] = []
            path = f"{ROOM_PATH}?{'0' * 32}"
            while True:
                told.clear()
                socket = await open_web_socket(LOOPBACK, room.port, path, lambda _: None, told.append)
                await asyncio.sleep(0.05)
                if not told:
                    break
            socket.close()

    run(story())


def test_a_room_that_is_gone_is_said(tmp_path: Path) -> None:
    async def story() -> None:
        async with room_of() as room, circle_of_tables(tmp_path, STONES) as circle:
            await room.close()
            with pytest.raises(UserError, match="Is the program that serves this page still running"):
                await open_in_room(circle, tmp_path, room, 2)

    run(story())


def test_strangers_count_against_the_limits_until_they_are_seats(tmp_path: Path) -> None:
    async def story() -> None:
        async with in_room(tmp_path, STONES, 2) as (circle, room):
            assert room.connections == 0
            told: list[str] = []
            silent: list[StreamSocket] = []
            for _ in range(3):
                silent.append(await open_web_socket(LOOPBACK, room.port, SEAT_PATH, lambda _: None, told.append))
            await until(lambda: room.connections == 3)
            await join_by_page(circle, tmp_path, room)
            await until(lambda: room.connections == 3)
            silent[0].send(bytes(5000))
            await until(lambda: told)
            for one in silent:
                one.close()
            await until(lambda: room.connections == 0)

    run(story())


def test_strangers_who_fall_silent_in_their_hello_cost_one_line_that_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("kimberley.p2p.transport.signed_channel.HELLO_SECONDS", 0.1)
    caplog.set_level(logging.INFO, "kimberley.p2p.transport.room_door")

    async def story() -> None:
        async with in_room(tmp_path, STONES, 2) as (_, room):
            ended: list[str] = []
            m1 = pack(JoinerHandshake(Identity.fresh(), ("seat",), NO_CERTIFICATE).hello())
            for _ in range(3):
                (await open_web_socket(LOOPBACK, room.port, SEAT_PATH, lambda _: None, ended.append)).send(m1)
            await until(lambda: len(ended) == 3)

    run(story())
    assert [record.getMessage() for record in caplog.records] == ["somebody in the room is no seat: it took too long"]


def test_a_room_needs_a_page() -> None:
    async def story() -> None:
        async with room_of() as room:
            with pytest.raises(UserError, match="room does not answer"):
                await RoomDoor(Identity.fresh(), lambda _: None, (LOOPBACK, room.port)).open()

    run(story())


def test_a_seat_in_a_room_is_removed_alone_since_nobody_sees_where_the_others_come_from(tmp_path: Path) -> None:
    async def story() -> None:
        async with in_room(tmp_path, CARDS, 4) as (circle, room):
            host = circle.tables[0]
            ben = await join_by_page(circle, tmp_path, room, headless=False)
            host.hosting.send_away(1)
            await until(lambda: ben.phase == "failed")
            assert REMOVED in str(ben.problem)
            circle.tables.remove(ben)
            await join_by_page(circle, tmp_path / "others", room, headless=False)
            assert len(host.occupants.names) == 2

    run(story(), 60)
