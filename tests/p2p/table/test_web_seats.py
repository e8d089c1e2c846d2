"""Seats in pages at a table on this machine: they reach its host by a WebSocket, and the others through the host."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from kimberley.games import lookup
from kimberley.games.table import Game
from kimberley.p2p.storage.journal import list_journals
from kimberley.p2p.table import runner
from kimberley.p2p.table.admission import REMOVED
from kimberley.p2p.table.table import Table
from kimberley.p2p.transport.handshake import ConnectionRejected
from kimberley.p2p.transport.signed_channel import unpacked
from tests.support.asyncs import run, until
from tests.support.cards import CARDS
from tests.support.comeback import back, die, die_in_words, to_answer
from tests.support.effort import OTHER_VALUE, first_is_quick
from tests.support.hall import LOOPBACK
from tests.support.inside import identity_of, links_of
from tests.support.seated import Circle, judged_alike
from tests.support.stones import STONES
from tests.support.web_seat import Between, join_by_page, nothing, page_again, pages, passes, served_circle, served_from


@pytest.fixture(autouse=True)
def between(caplog: pytest.LogCaptureFixture) -> Iterator[Between]:
    """Yields what happens to the messages of pages. Asserts that no error in a background task was logged."""
    with pages() as between:
        yield between
    assert [record.getMessage() for record in caplog.get_records("call") if record.levelname == "ERROR"] == []


@pytest.mark.parametrize(
    "game",
    [
        STONES,
        lookup.find("land"),
        *(
            pytest.param(lookup.find(name), marks=OTHER_VALUE)
            for name in ("diamond", "diamond-trust", "mine", "piecepack")
        ),
    ],
    ids=lambda game: game.id,
)
def test_seats_in_pages_play_a_whole_game_with_the_host(tmp_path: Path, game: Game) -> None:
    async def story() -> None:
        seats = min(game.seats)
        async with served_circle(tmp_path, game, seats) as (circle, page):
            while len(circle.tables) < seats:
                guest = await join_by_page(circle, tmp_path, page)
                assert (guest.port, guest.addresses) == (0, ())
            await circle.all("playing")
            assert len({table.words.phrase for table in circle.tables}) == 1
            await circle.play()
            await circle.all("done")
            judged_alike(circle)

    run(story(), 240)


@pytest.mark.slow
@pytest.mark.parametrize("where", first_is_quick("page-page", "page-terminal", "terminal-page"))
def test_seats_in_pages_reach_all_others_through_the_host(
    tmp_path: Path, where: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")

    async def story() -> None:
        async with served_circle(tmp_path, CARDS, 3) as (circle, page):
            for kind in where.split("-"):
                await (join_by_page(circle, tmp_path, page) if kind == "page" else circle.join())
            await circle.all("playing")
            ben, cleo = circle.tables[1:]
            for one, other in ((ben, cleo), (cleo, ben)):
                link = links_of(one)[identity_of(other).public]
                assert (link.connected, link.direct) == (True, False)
            await circle.play()
            await circle.all("done")
            judged_alike(circle)

    run(story(), 120)
    assert "relaying between" in caplog.text


async def half_played(circle: Circle) -> asyncio.Task[None]:
    playing = asyncio.create_task(circle.play())
    for table in circle.tables:
        await to_answer(table, 2)
    return playing


@pytest.mark.slow
def test_a_seat_that_lost_its_connection_comes_back_by_itself(tmp_path: Path) -> None:
    async def story() -> None:
        async with served_circle(tmp_path, CARDS, 3) as (circle, page):
            await join_by_page(circle, tmp_path, page)
            await join_by_page(circle, tmp_path, page)
            assert set(page.server.expected()) == set()
            await circle.all("playing")
            assert set(page.server.expected()) == {LOOPBACK}
            playing = await half_played(circle)
            for channel in list(page.channels):
                await channel.close()
            await playing
            await circle.all("done")
            assert len(page.channels) >= 4
            judged_alike(circle)

    run(story(), 120)


def test_a_seat_whose_page_was_closed_comes_back_from_its_journal(tmp_path: Path) -> None:
    async def story() -> None:
        async with served_circle(tmp_path, STONES, 2) as (circle, page):
            ben = await join_by_page(circle, tmp_path, page)
            await circle.all("playing")
            playing = await half_played(circle)
            await die(ben)
            playing.cancel()
            await page_again(circle, tmp_path, page, ben, "ben")
            await circle.play()
            await circle.all("done")
            judged_alike(circle)

    run(story(), 120)


@pytest.mark.slow
def test_a_seat_that_is_back_hears_through_the_host_however_much_the_host_sends_it(
    tmp_path: Path, between: Between, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It signs nothing before cleo has said what she has of it, and that comes after what ana sends."""
    monkeypatch.setattr(runner, "MOST_WAITING", 0)

    async def story() -> None:
        async with served_circle(tmp_path, CARDS, 3) as (circle, page):
            await circle.join()
            await join_by_page(circle, tmp_path, page)
            await circle.all("playing")
            playing = await half_played(circle)
            ana, ben, _ = circle.tables
            key = identity_of(ben).public
            await die(ben)
            playing.cancel()
            assert ana.peer is not None
            known = [envelope.pack() for envelope in ana.peer.record().envelopes]
            between.seconds = 0.5
            circle.tables.remove(ben)
            circle.follow(await back(tmp_path / "ben", CARDS), "ben")
            await until(lambda: links_of(ana)[key].connected)
            for envelope in (*known, *known):
                links_of(ana)[key].send(("envelope", envelope))
            between.seconds = 0.0
            await circle.play()
            await circle.all("done")
            judged_alike(circle)

    run(story(), 60)


def test_a_page_that_is_closed_while_it_agrees_on_the_words_is_back_in_the_game_that_the_host_begins(
    tmp_path: Path, between: Between
) -> None:
    def until_it_agrees(message: bytes) -> Iterable[bytes]:
        """Lets nothing more arrive once the host agrees on the words."""
        match unpacked(message):
            case ("signed", _, bytes() as packed, _) if (unpacked(packed) or ())[:2] == ("vote", "same"):
                between.received = nothing
                return ()
        return (message,)

    async def story() -> None:
        async with served_circle(tmp_path, STONES, 2) as (circle, page):
            between.received = until_it_agrees
            ben = await join_by_page(circle, tmp_path, page)
            await until(lambda: circle.tables[0].phase == "playing")
            assert ben.phase == "words"
            await die_in_words(ben, tmp_path / "ben")
            between.received = passes
            await page_again(circle, tmp_path, page, ben, "ben")
            await circle.play()
            await circle.all("done")
            judged_alike(circle)

    run(story(), 120)


def test_a_seat_that_leaves_a_game_that_did_not_begin_keeps_nothing_of_it_and_can_sit_down_again(
    tmp_path: Path,
) -> None:
    async def story() -> None:
        async with served_circle(tmp_path, STONES, 2, headless=False) as (circle, page):
            host = circle.tables[0]
            ben = await join_by_page(circle, tmp_path, page)
            await until(lambda: host.words.agreed == (False, True))
            await die_in_words(ben, tmp_path / "ben")
            await until(lambda: host.phase == "open")
            late = await page_again(circle, tmp_path, page, ben, "ben")
            await late.close()
            assert (late.ending.record, list_journals(tmp_path / "ben")) == (None, [])
            circle.tables.remove(late)
            ben = await join_by_page(circle, tmp_path, page)
            await until(lambda: host.phase == "words")
            host.words.answer(True)
            await circle.play()
            await circle.all("done")
            judged_alike(circle)

    run(story(), 120)


def test_a_phone_is_removed_and_others_behind_its_address_are_not(tmp_path: Path) -> None:
    async def story() -> None:
        async with served_circle(tmp_path, CARDS, 4) as (circle, page):
            host = circle.tables[0]
            ben, cleo = [await join_by_page(circle, tmp_path, page, headless=False) for _ in range(2)]
            host.hosting.send_away(1)
            await until(lambda: ben.phase == "failed" and cleo.occupants.names == ("ana", "cleo"))
            assert REMOVED in str(ben.problem)
            circle.tables.remove(ben)
            with served_from(page.port), pytest.raises(ConnectionRejected, match="has removed you"):
                await Table.join(
                    f"{LOOPBACK}:{page.port}",
                    lambda _: CARDS,
                    nickname="ben",
                    identity=identity_of(ben),
                    data=None,
                    listen=False,
                    seek=False,
                )
            await join_by_page(circle, tmp_path / "others", page, headless=False)
            assert len(host.occupants.names) == 3

    run(story(), 60)
