"""Finished games on the page: every moment at its own address, the verdict, and what nobody can hide any more."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable

import pytest

from kimberley.client.boards.game_timeline import GameTimeline
from kimberley.client.web import drawn_games
from kimberley.client.web.picture import position_html
from kimberley.games import lookup
from kimberley.games.table import Game
from kimberley.p2p.tournament.events import ORGANIZER, WITHDREW
from kimberley.protocol.audit import AuditedGame, audit
from tests.support.pages import LOOPBACK, Reply, get, open_page
from tests.support.pretend_source import PretendSource, over, played, stopped

Fetch = Callable[[str], Awaitable[Reply]]
TABLE = "/tables/1/1"


def look_at(source: PretendSource, look: Callable[[Fetch], Awaitable[None]]) -> None:
    async def visit() -> None:
        async with open_page(source, LOOPBACK, 0) as (where,):
            await look(lambda path: get(where + path))

    asyncio.run(visit())


@pytest.mark.slow
def test_every_moment_has_an_address_and_the_last_is_shown_first() -> None:
    async def look(fetch: Fetch) -> None:
        page = (await fetch(TABLE)).text
        count = max(map(int, re.findall(rf'href="{TABLE}/moments/(\d+)"', page)))
        assert f"move {count} of {count}" in page
        assert {f'href="{TABLE}/moments/{at}"' for at in range(1, count + 1)} <= set(re.findall(r'href="[^"]*"', page))
        start, end = (await fetch(f"{TABLE}/moments/0")).text, (await fetch(f"{TABLE}/moments/{count}")).text
        assert "An empty board." in start
        assert 'data-key="ArrowLeft"' not in start
        assert 'data-key="ArrowRight"' not in end
        assert board(start) != board(end) == board(page)
        assert (await fetch(f"{TABLE}/moments/{count + 1}")).status == 404
        assert (await fetch(f"{TABLE}/moments/-1")).status == 404

    look_at(over("diamond"), look)


def test_the_verdict_the_moments_and_the_course_are_told() -> None:
    source = over("diamond")

    async def look(fetch: Fetch) -> None:
        page = (await fetch(TABLE)).text
        assert '<span class="verdict fair">fair</span>' in page
        assert "every move was replayed" in page
        assert re.search(rf"<span>.*{source.names(1, 0)[0]}.*places a piece on \w\d\.", page)
        # The dossier of this game is a list of its moves too: once is enough.
        assert page.count("<h2>Moves ") == 1
        assert "<h2>The moves" not in page
        assert f'href="{TABLE}.kdt"' in page
        record = (await fetch(f"{TABLE}.kdt")).body
        assert audit(record, lookup.find).verdict.code == "fair"

    look_at(source, look)


@pytest.mark.slow
def test_nothing_is_hidden_any_more() -> None:
    async def look(fetch: Fetch) -> None:
        page = (await fetch(TABLE)).text
        assert "<h2>The dossier <small>all secrets revealed</small></h2>" in page
        assert re.search(r'<th scope="col"><span class="away-from-sight">No\.</span></th>', page)
        assert "Who paid whom" in page
        assert re.search(r"plans?: .* to \w+", page)
        assert "$ ?" not in board(page)

    look_at(over("diamond-trust"), look)


@pytest.mark.slow
def test_each_thing_that_an_agent_revealed_begins_a_line() -> None:
    source = PretendSource.open(names=("ana", "ben"))
    source.pair()
    source.decide(1, 0, (1, 2), record=played("diamond-trust", source.names(1, 0), 3))

    async def look(fetch: Fetch) -> None:
        before = re.findall(r"(.{4})its orders, ", (await fetch(TABLE)).text)
        assert "<br>" in before
        assert set(before) <= {"<br>", "<td>"}

    look_at(source, look)


def test_nobody_is_blamed_for_a_game_that_the_organizer_ended() -> None:
    source = PretendSource.open("diamond", names=("ana", "ben"))
    source.pair()
    source.decide(1, 0, (1, 0), ORGANIZER, "A decision.", stopped("diamond", source.names(1, 0), 6))

    async def look(fetch: Fetch) -> None:
        page = (await fetch(TABLE)).text
        assert '<span class="verdict incomplete">incomplete</span>' in page
        assert "Incomplete: the organizer ended the game. Everything up to that point checks out." in page
        assert "stopped while waiting" not in page
        assert "who stopped" not in page
        assert "The last position in words" in page
        assert ", to place." not in page
        assert "The end in words" not in page

    look_at(source, look)


def test_a_game_without_a_move_has_no_list_of_moves() -> None:
    source = PretendSource.open("diamond", names=("ana", "ben"))
    source.pair()
    source.decide(1, 0, (1, 0), WITHDREW, "Someone left.", stopped("diamond", source.names(1, 0), 1))

    async def look(fetch: Fetch) -> None:
        page = (await fetch(TABLE)).text
        assert "move 0 of 0" in page
        assert "click one to go there" not in page

    look_at(source, look)


def test_where_the_referee_has_ruled_no_other_record_is_needed() -> None:
    source = PretendSource.open("diamond", names=("ana", "ben"))
    source.pair()
    source.decide(1, 0, (1, 0), WITHDREW, "Someone left.", stopped("diamond", source.names(1, 0), 6))

    async def look(fetch: Fetch) -> None:
        page = (await fetch(TABLE)).text
        assert "Incomplete: the game stopped before it was finished; " in page
        assert "Everything up to that point checks out." in page
        assert "Compare it" not in page

    look_at(source, look)


def test_a_game_is_audited_and_a_moment_drawn_once_however_many_ask(monkeypatch: pytest.MonkeyPatch) -> None:
    audits: list[object] = []
    drawn: list[object] = []

    def counted(data: bytes, find: Callable[[str], Game]) -> AuditedGame:
        audits.append(data)
        return audit(data, find)

    def counting(timeline: GameTimeline, at: int) -> str:
        drawn.append(at)
        return position_html(timeline, at)

    monkeypatch.setattr(drawn_games, "audit", counted)
    monkeypatch.setattr(drawn_games, "position_html", counting)
    source = over("diamond")

    async def look(fetch: Fetch) -> None:
        moments = [f"{TABLE}/moments/{at}" for at in (3, 4, 3, 4, 3)]
        await asyncio.gather(*map(fetch, moments))
        source.pair()  # All pages are of another version now.
        await asyncio.gather(*map(fetch, moments))
        assert (len(audits), len(drawn)) == (1, 2)

    look_at(source, look)


def test_bytes_that_are_no_record_are_called_so_and_can_still_be_taken_home() -> None:
    async def look(fetch: Fetch) -> None:
        page = (await fetch(TABLE)).text
        assert '<span class="verdict damaged">damaged</span>' in page
        assert "/moments/" not in page
        assert "<code>kimberley verify</code> checks it.</p>" in page
        assert (await fetch(f"{TABLE}/moments/0")).status == 404
        assert (await fetch(f"{TABLE}.kdt")).body == b"no record"

    look_at(over("diamond", b"no record"), look)


def board(page: str) -> str:
    """Returns the picture of the position."""
    found = re.search(r'<pre class="board".*?</pre>', page, re.DOTALL)
    assert found is not None
    return found[0]
