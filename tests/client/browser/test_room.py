"""Pages in a room, without a browser: what the services of a page do where nobody in a terminal plays."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from kimberley.client.browser.page_services import PageServices
from kimberley.client.cli.share import lines_of
from kimberley.client.session.settings import Settings
from kimberley.client.session.sharing import Sharing
from kimberley.p2p.base.errors import UserError
from kimberley.p2p.sharing.page_program import PageProgram
from kimberley.p2p.sharing.room import Room
from kimberley.p2p.table.table import Table
from kimberley.p2p.transport.room_door import NO_HOST
from tests.support.asyncs import run, until
from tests.support.comeback import die_in_words
from tests.support.hall import LOOPBACK
from tests.support.seated import play
from tests.support.web_seat import pages, room_of, served_from


@pytest.fixture(autouse=True)
def in_pages() -> Iterator[None]:
    with pages():
        yield


def services(folder: Path, name: str, port: int, host_key: bytes = NO_HOST) -> PageServices:
    """Returns the services of one player's page."""
    settings = Settings(nickname=name, path=folder / name / "settings.json")
    return PageServices(settings, (LOOPBACK, port), host_key)


@pytest.mark.slow
def test_one_page_opens_a_table_and_another_joins_it_and_both_come_back(tmp_path: Path) -> None:
    async def story() -> None:
        async with room_of() as room:
            with served_from(room.port):
                ana, ben = (services(tmp_path, name, room.port) for name in ("ana", "ben"))
                with pytest.raises(UserError, match=r"No table is open in this room yet\. To open one"):
                    await ben.join("")
                assert ana.may_host
                host = await ana.host("diamond", {}, 2)
                guest = await ben.join("")
                assert isinstance(host, Table)
                assert isinstance(guest, Table)
                seats = (host, guest)
                await until(lambda: {seat.phase for seat in seats} == {"words"})
                for seat in seats:
                    seat.words.answer(True)
                await until(lambda: {seat.phase for seat in seats} == {"playing"})
                for table, player in ((host, ana), (guest, ben)):
                    await table.suspend()
                    await player.close()
                ana, ben = (services(tmp_path, name, room.port) for name in ("ana", "ben"))
                host, guest = await ana.resume(None), await ben.resume(None)
                assert isinstance(host, Table)
                assert isinstance(guest, Table)
                await asyncio.gather(play(host, Random(1)), play(guest, Random(2)))
                for table in (host, guest):
                    assert table.ending.verdict is not None
                    assert table.ending.verdict.code == "fair"
                    await table.close()
                for player in (ana, ben):
                    await player.close()

    run(story())


def test_a_page_that_is_opened_again_before_its_game_began_sits_down_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kimberley.client.browser.page_services.SEAT_SECONDS", 0.1)

    async def story() -> None:
        async with room_of() as room:
            with served_from(room.port):
                ana, ben = (services(tmp_path, name, room.port) for name in ("ana", "ben"))
                host, guest = await ana.host("diamond", {}, 2), await ben.join("")
                assert isinstance(host, Table)
                assert isinstance(guest, Table)
                await until(lambda: host.phase == guest.phase == "words")
                before = guest.words.phrase
                guest.words.answer(True)
                await until(lambda: host.words.agreed == (False, True))
                await die_in_words(guest, tmp_path / "ben")
                await ben.close()
                await until(lambda: host.phase == "open")
                ben = services(tmp_path, "ben", room.port)
                assert len(await ben.unfinished()) == 1
                again = await ben.resume(None)
                assert isinstance(again, Table)
                assert await ben.unfinished() == ()
                await until(lambda: host.phase == again.phase == "words")
                assert host.words.phrase == again.words.phrase != before
                for player, table in ((ana, host), (ben, again)):
                    await table.close()
                    await player.close()

    run(story())


def test_elsewhere_a_page_opens_no_table(tmp_path: Path) -> None:
    async def story() -> None:
        ana = services(tmp_path, "ana", 1, bytes([1]) * 32)
        assert not ana.may_host
        with pytest.raises(UserError, match="you join that host’s table"):
            await ana.host("diamond", {}, 2)

    run(story())


@pytest.mark.slow
def test_a_room_is_shared_by_its_link_and_passes_on_until_it_is_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = PageProgram({}, bytes(32))
    monkeypatch.setattr("kimberley.client.session.sharing.build_page_program", lambda: program)
    monkeypatch.setattr("kimberley.client.session.sharing.require", lambda *_: None)

    async def story() -> None:
        sharing = Sharing("ana", door=Room())
        await sharing.open(0, LOOPBACK)
        try:
            offer = sharing.offer()
            assert offer.play == program.link(offer.site, NO_HOST)
            said = "\n".join(lines_of(offer))
            assert offer.play in said
            assert f"they must be {offer.page_digits}." in said
            assert "One friend opens a table" in said
            with served_from(sharing.port):
                ana, ben = (services(tmp_path, name, sharing.port) for name in ("ana", "ben"))
                host, guest = await ana.host("diamond", {}, 2), await ben.join("")
                assert isinstance(guest, Table)
                await until(lambda: host.phase == guest.phase == "words")
                await sharing.close()
                await until(lambda: guest.phase == "failed")
                assert guest.problem == "ana lost the connection before the game began. Join again."
                for player in (ana, ben):
                    await player.close()
                await guest.close()
                assert isinstance(host, Table)
                await host.close()
        finally:
            await sharing.close()

    run(story())
