"""Players who have only a browser: they join by the referee’s page, and reach the others through the referee."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from kimberley.client.browser import page_services
from kimberley.client.browser.page_services import PageServices
from kimberley.client.session.services import JoinedTournament
from kimberley.client.session.settings import Settings
from kimberley.games import lookup
from kimberley.p2p.base.tasks import BackgroundTasks
from kimberley.p2p.sharing.page_program import FOLDER, HOST, PATH, PageProgram
from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.tournament import events
from kimberley.p2p.tournament.client import TournamentClient
from kimberley.p2p.tournament.messages import AT_REFEREE, ENROL
from kimberley.p2p.transport.channel import Channel, ChannelClosed
from kimberley.p2p.transport.dial import Unreachable, dial
from kimberley.p2p.transport.frames import Frame
from kimberley.p2p.transport.handshake import ConnectionRejected
from kimberley.referee import player_connections, seat_page
from kimberley.referee.seat_page import FormerPortTaken, SeatPage, build_seat_page
from kimberley.referee.server import RoundTiming
from tests.support.asyncs import run, until
from tests.support.evenings import Evening, evening
from tests.support.inside import identity_of, links_of
from tests.support.seated import LOOPBACK, no_faults
from tests.support.stones import MANY_STONES, STONES
from tests.support.web_seat import pages, served_from

PROGRAM = PageProgram({}, bytes(32))
FOUR = RoundTiming(players=4, pause=0.0)


@pytest.fixture(autouse=True)
def nothing_fails_in_the_background(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    yield from no_faults(caplog)


@pytest.fixture(autouse=True)
def in_pages() -> Iterator[None]:
    with pages():
        yield


def seat_page_of(held: Evening) -> SeatPage:
    """Returns the page of an evening’s seats, which is not served yet."""
    return SeatPage(held.server, held.identity, PROGRAM, held.folder / "referee", LOOPBACK)


async def served(held: Evening) -> SeatPage:
    """Returns the page of an evening’s seats."""
    page = seat_page_of(held)
    await page.serve()
    return page


def is_connected(one: TournamentClient, other: TournamentClient) -> bool:
    """Returns whether one player’s table is connected to the other player."""
    if one.table is None or other.table is None:
        return False
    link = links_of(one.table).get(identity_of(other.table).public)
    return link is not None and link.connected


def relayed(one: TournamentClient, other: TournamentClient) -> bool:
    """Returns whether somebody relays between the tables of two players."""
    assert one.table is not None
    assert other.table is not None
    return not links_of(one.table)[identity_of(other.table).public].direct


@pytest.mark.slow
def test_two_phones_and_two_computers_play_all_rounds_with_a_reload_and_a_referee_that_restarts(tmp_path: Path) -> None:
    async def story() -> None:
        async with evening(tmp_path, STONES, FOUR, format="round-robin", options={"rounds": 12}) as held:
            page = await served(held)
            for name in ("ana", "ben"):
                await held.enter(name)
            for name in ("cleo", "dan"):
                await held.enter_by_page(name, page.port)
            await until(lambda: sum(one.table is not None for one in held.clients.values()) == 4)
            cleo = held.clients["cleo"]
            assert cleo.table is not None
            assert cleo.table.port == 0

            def connected() -> bool:
                here = [one for one in held.clients.values() if one.identity in cleo.people]
                return len(here) == 2 and is_connected(*here) and is_connected(*reversed(here)) and relayed(*here)

            await until(connected)
            # A reload: the same key, with what the browser has kept.
            await held.leave("cleo")
            cleo = await held.enter_by_page("cleo", page.port)
            await until(lambda: connected() or held.results, 30)
            # The referee is stopped, and is back at both of its ports.
            port = page.port
            await page.close()
            await held.reopen()
            page = await served(held)
            assert page.port == port
            results = await held.end(120)
            assert [result.how for result in results] == [events.PLAYED] * 6
            await page.close()

    run(story(), 240)


@pytest.mark.slow
def test_a_phone_at_a_table_of_three_is_connected_to_all(tmp_path: Path) -> None:
    async def story() -> None:
        plan = RoundTiming(players=3, pause=0.0)
        async with evening(tmp_path, MANY_STONES, plan, seats=3, rounds=1) as held:
            page = await served(held)
            ana, ben = await held.enter("ana", plays=False), await held.enter("ben", plays=False)
            cleo = await held.enter_by_page("cleo", page.port, plays=False)
            three = (ana, ben, cleo)
            pairs = [(one, other) for one in three for other in three if one is not other]
            await until(lambda: all(is_connected(*pair) for pair in pairs), 30)
            assert {pair for pair in pairs if relayed(*pair)} == {pair for pair in pairs if cleo in pair}
            for name in ("ana", "ben"):
                held.play(name)
            await held.leave("cleo")
            await held.enter_by_page("cleo", page.port)
            (result,) = await held.end(60)
            assert result.how == events.PLAYED
            await page.close()

    run(story(), 120)


class RawPlayer:
    """A player who sends what it likes. `heard` are the frames of the referee about what it has passed on."""

    def __init__(self, channel: Channel, identity: Identity) -> None:
        self.channel, self.key = channel, identity.public
        self.heard: list[Frame] = []
        self.gone = False
        self.place: tuple[int, int] | None = None
        self._tasks = BackgroundTasks()
        self._tasks.start(self._read())

    async def _read(self) -> None:
        try:
            while True:
                frame = await self.channel.receive()
                if frame[0] in ("passed", "lost"):
                    self.heard.append(frame)
        except ChannelClosed:
            self.gone = True

    async def asks(self, *frame: object) -> Frame:
        """Sends a frame. Returns the next that comes about what is passed on."""
        before = len(self.heard)
        self.channel.send(frame)  # type: ignore[arg-type]
        await until(lambda: len(self.heard) > before)
        return self.heard[before]

    async def close(self) -> None:
        self._tasks.cancel()
        await self._tasks.wait()
        await self.channel.close()


@asynccontextmanager
async def four_raw_players(folder: Path, doors: tuple[int, ...]) -> AsyncIterator[tuple[Evening, list[RawPlayer]]]:
    """Yields four players at two tables of two, the first two at one, who have come, with doors at these ports."""
    async with evening(folder, STONES, FOUR, rounds=1) as held:
        found: dict[bytes, RawPlayer] = {}
        for number in range(4):
            identity = Identity.of(bytes([number + 1]) * 32)
            channel = await dial(LOOPBACK, held.server.port, identity, (ENROL,))
            channel.send((ENROL, f"player{number}", 0, False))
            found[identity.public] = RawPlayer(channel, identity)
        await until(lambda: held.server.tournament.round is not None)
        round_ = held.server.tournament.round
        assert round_ is not None
        players = [found[key] for table in round_.tables for key in table.seats]
        for number, (player, port) in enumerate(zip(players, doors, strict=True)):
            player.channel.send(("arrive", 1, number // 2, port))
        try:
            yield held, players
        finally:
            for player in players:
                await player.close()


async def at_table(player: RawPlayer, other: RawPlayer) -> None:
    """Waits until something is passed on from one player to the other."""
    async with asyncio.timeout(10):
        while ("passed", player.key, b"hello") not in other.heard:
            player.channel.send(("pass", other.key, b"hello"))
            await asyncio.sleep(0.05)


@pytest.mark.slow
def test_a_referee_passes_on_between_people_of_one_table_alone(tmp_path: Path) -> None:
    async def story() -> None:
        # Nobody can connect to the first. The two at the other table have doors.
        async with four_raw_players(tmp_path, (0, 47310, 47311, 47312)) as (held, (ana, ben, cleo, dan)):
            await at_table(ana, ben)
            await at_table(ben, ana)
            for player in (ana, ben):
                player.heard.clear()
            nobody, stranger = bytes(32), Identity.fresh().public
            for asking, other in ((ana, cleo.key), (ana, ana.key), (ana, nobody), (ana, stranger), (cleo, dan.key)):
                assert await asking.asks("pass", other, b"hello") == ("lost", other)
            assert [cleo.heard[1:], dan.heard, ben.heard] == [[], [], []]
            assert held.server.present >= {ana.key, cleo.key}
            # What is malformed ends the channel, as ever.
            ana.channel.send(("pass", ben.key))
            await until(lambda: ana.gone)
            assert await ben.asks("pass", ana.key, b"hello") == ("lost", ana.key)

    run(story())


@pytest.mark.slow
def test_a_referee_passes_on_only_so_many_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(player_connections, "PASS_BURST", 1 << 20)
    monkeypatch.setattr(player_connections, "PASS_RATE", 1.0)

    async def story() -> None:
        async with four_raw_players(tmp_path, (0, 0, 0, 0)) as (_, (ana, ben, cleo, dan)):
            await at_table(ana, ben)
            much = bytes(1 << 16)
            for _ in range(32):
                ana.channel.send(("pass", ben.key, much))
            await until(lambda: ana.heard.count(("lost", ben.key)) >= 16)
            assert sum(frame[2] == much for frame in ben.heard if frame[0] == "passed") <= 16
            assert not ana.gone
            # Nobody else pays for it.
            await at_table(cleo, dan)

    run(story())


def test_the_services_of_a_page_join_the_tournament_of_its_referee_and_nobody_else_there(tmp_path: Path) -> None:
    async def story() -> None:
        async with evening(tmp_path, lookup.find("diamond"), FOUR) as held:
            page = await served(held)

            def services(key: bytes) -> PageServices:
                settings = Settings(nickname="ana", path=tmp_path / "ana" / "settings.json")
                return PageServices(settings, (LOOPBACK, page.port), key)

            with served_from(page.port):
                ana = services(held.identity.public + AT_REFEREE)
                assert not ana.may_host
                found = await ana.join("")
                assert isinstance(found, JoinedTournament)
                await until(lambda: held.server.tournament.player(found.client.identity) is not None)
                await found.client.close()
                # The same player again.
                again = await ana.join("")
                assert isinstance(again, JoinedTournament)
                assert again.client.identity == found.client.identity
                await again.client.close()
                with pytest.raises(ConnectionRejected, match="Someone else is at"):
                    await services(Identity.fresh().public + AT_REFEREE).join("")
            assert len(held.server.tournament.players) == 1
            await page.close()

    run(story())


@pytest.mark.slow
def test_a_page_whose_referee_stops_before_it_has_joined_joins_as_soon_as_the_referee_is_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page_services, "ENTER_SECONDS", (0.1,) * 3)

    async def story() -> None:
        async with evening(tmp_path, lookup.find("diamond"), FOUR) as held:
            page = await served(held)
            settings = Settings(nickname="ana", path=tmp_path / "ana" / "settings.json")
            ana = PageServices(settings, (LOOPBACK, page.port), held.identity.public + AT_REFEREE)
            with served_from(page.port):
                await page.close()
                with pytest.raises(Unreachable):
                    await ana.join("")
                monkeypatch.setattr(page_services, "ENTER_SECONDS", (0.1,) * 300)
                joining = asyncio.create_task(ana.join(""))
                await asyncio.sleep(0.3)
                page = await served(held)
                found = await joining
                assert isinstance(found, JoinedTournament)
                await found.client.close()
            await page.close()

    run(story())


def test_the_link_stands_for_the_referee_and_says_that_it_is_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seat_page, "build_page_program", lambda: PROGRAM)
    monkeypatch.setattr(seat_page, "has", lambda _: False)

    async def story() -> None:
        async with evening(tmp_path, STONES, FOUR) as held:
            folder = tmp_path / "referee"
            assert await build_seat_page(held.server, held.identity, folder, LOOPBACK) is None
            monkeypatch.setattr(seat_page, "has", lambda _: True)
            page = await build_seat_page(held.server, held.identity, folder, LOOPBACK)
            assert page is not None
            await page.serve()
            key = held.identity.public + AT_REFEREE
            assert page.digits == PROGRAM.digits(key) != PROGRAM.digits(held.identity.public)
            reader, writer = await asyncio.open_connection(LOOPBACK, page.port)
            writer.write(f"GET {FOLDER}{HOST} HTTP/1.1\r\nHost: {LOOPBACK}\r\n\r\n".encode())
            assert (await reader.read()).endswith(key.hex().encode())
            writer.close()
            assert PATH.startswith("/")
            await page.close()

    run(story())


def test_the_next_run_is_at_the_same_port_or_waits_for_it_once_anybody_has_joined(tmp_path: Path) -> None:
    async def story() -> None:
        async with evening(tmp_path, STONES, FOUR) as held:
            first = await served(held)
            port = first.port
            assert held.server.seats == (port, first.digits)
            await first.close()
            async with await asyncio.start_server(lambda *_: None, LOOPBACK, port):
                moved = await served(held)
                assert moved.port != port
                port = moved.port
                await held.enter_by_page("ana", port, plays=False)
                await moved.close()
                await held.reopen()
                page = seat_page_of(held)
                async with await asyncio.start_server(lambda *_: None, LOOPBACK, port):
                    with pytest.raises(FormerPortTaken, match=f"^Port {port} is in use, so players in browsers"):
                        await page.serve()
                    assert held.server.seats is None
                await page.serve()
                assert held.server.seats == (port, page.digits)
                # The page that was open all the time is back.
                await until(lambda: held.clients["ana"].identity in held.server.present)
                await page.close()

    run(story())
