"""The tournament's page over HTTP: every page and file of it, for every game."""

from __future__ import annotations

import asyncio
import json
import re
import socket
from html import escape
from itertools import pairwise

import pytest

from kimberley.p2p.base.errors import UserError
from kimberley.p2p.tournament.events import EndCalled, EntryClosed, PlayerEnrolled, RoundPaired, TournamentEnded
from kimberley.p2p.tournament.points import points_in_words
from kimberley.referee.pages import plots, serve
from kimberley.referee.table_wait import TableWait
from tests.support.effort import spread
from tests.support.pages import LOOPBACK, ask, get, open_page
from tests.support.pretend_source import LATER, PretendSource, friday

GAMES = (("diamond-trust", 2), ("diamond", 2), ("land", 4), ("mine", 2), ("piecepack", 3))


def links(page: str) -> set[str]:
    return set(re.findall(r'(?:href|src)="(/[^"]*)"', page))


@pytest.mark.slow
@pytest.mark.parametrize(("game", "seats"), spread(2, GAMES))
def test_every_link_of_every_page_leads_somewhere(game: str, seats: int) -> None:
    async def crawl() -> None:
        async with open_page(friday(game, seats), LOOPBACK, 0) as (where,):
            seen: set[str] = set()
            ahead = {"/"}
            while ahead:
                path = ahead.pop()
                seen.add(path)
                reply = await get(where + path)
                assert reply.status == 200, path
                if reply.headers["Content-Type"].startswith("text/html"):
                    ahead |= links(reply.text) - seen
            assert {"/crosstable", "/plots", "/rounds/2", "/tables/2/1", "/players/1", "/cup.json"} <= seen

    asyncio.run(crawl())


@pytest.mark.slow
def test_a_tie_break_says_what_it_is_the_sum_of() -> None:
    async def look() -> None:
        source = friday()
        row = next(row for row in source.tournament.standings() if row.buchholz_of)
        name = source.tournament.name
        added = " + ".join(
            f"{'bye' if one.opponent is None else escape(name(one.opponent))} {points_in_words(one.points)}"
            for one in row.buchholz_of
        )
        async with open_page(source, LOOPBACK, 0) as (where,):
            value = points_in_words(row.buchholz)
            assert f"<summary>{value}</summary><small>{added}</small>" in (await get(f"{where}/crosstable")).text
            assert f"Buchholz {value} ({added})<" in (await get(f"{where}/players/{row.player.number}")).text

    asyncio.run(look())


@pytest.mark.slow
@pytest.mark.parametrize(("form", "rounds"), [("swiss", 3), ("knockout", 0)])
def test_only_a_knockout_is_ranked_by_stages(form: str, rounds: int) -> None:
    async def look() -> None:
        source = PretendSource.open(format=form, rounds=rounds)
        async with open_page(source, LOOPBACK, 0) as (where,):
            page = (await get(f"{where}/crosstable")).text
            assert ("ranked by stage reached, last result and points; ties" in page) == (form == "knockout")

    asyncio.run(look())


@pytest.mark.slow
def test_a_page_shows_who_plays_whose_clock_runs_who_is_away_and_the_board() -> None:
    async def look() -> None:
        source = friday()
        async with open_page(source, LOOPBACK, 0) as (where,):
            home = (await get(where)).text
            assert "Round 2 of 3: 3 of 4 games in progress. 9 players." in home
            assert home.count('<pre class="board"') == 3
            assert home.count('class="clock runs" data-left="887.6">14:48<') == 3
            assert home.count(">away<") == 1
            assert "Eva &lt;b&gt;" in home
            assert "Eva <b>" not in home
            table = (await get(f"{where}/tables/2/1")).text
            assert "<h2>In words</h2>" in table
            assert re.search(r"Month \d of 9, \d months? left\.", table)
            ruled = (await get(f"{where}/tables/1/2")).text
            assert "has used up the time (step 9: move)." in ruled
            assert 'href="/tables/1/2.kdt"' in ruled

    asyncio.run(look())


def test_whoever_can_play_in_a_browser_finds_the_page_at_the_address_that_was_reached() -> None:
    async def look() -> None:
        source = PretendSource.open(names=("ana", "ben"), format="knockout", rounds=0)
        async with open_page(source, LOOPBACK, 0) as (where,):
            assert "/play" not in links((await get(where)).text)
            assert (await get(f"{where}/play")).status == 404
            source.seats = 7480, "0123456789abcdef012345"
            assert "/play" in links((await get(where)).text)
            # Whatever name was typed: the page of the seats answers to addresses alone.
            reply = await asyncio.to_thread(ask, where, "/play", "localhost")
            assert reply.status == 303
            assert reply.headers["Location"] == f"http://{LOOPBACK}:7480/p#0123456789abcdef012345"
            assert reply.headers["Cache-Control"] == "no-store"
            source.pair()
            source.decide(1, 0, (2, 1))
            source.add(TournamentEnded(LATER))
            assert "/play" not in links((await get(where)).text)

    asyncio.run(look())


def test_a_page_says_whom_a_table_waits_for_and_marks_bots() -> None:
    async def story() -> None:
        source = PretendSource.open(names=("ana", "ben"))
        source.add(PlayerEnrolled(LATER, bytes(range(32)), "carla", bot=True))
        paired = source.tournament.proceed(LATER)
        assert isinstance(paired, RoundPaired)
        source.add(paired)
        (table,) = source.tournament.rounds[0].tables
        name = source.tournament.name(table.seats[1])
        source.waits[1, 0] = TableWait((1,), "comparing words", source.seconds + 100)
        async with open_page(source, LOOPBACK, 0) as (where,):
            page = (await get(where)).text
            assert f"waiting for {name} (comparing words, 1:40)" in page
            assert "carla (bot)" in page

    asyncio.run(story())


def test_a_round_has_a_point_in_the_plot_of_ratings_once_it_is_over() -> None:
    async def look() -> None:
        source = PretendSource.open(names=("Ana", "Ben", "Eva", "Finn"))
        source.pair()
        async with open_page(source, LOOPBACK, 0) as (where,):
            source.decide(1, 0, (1, 2))
            assert "No round has finished yet." in (await get(f"{where}/plots")).text
            source.decide(1, 1, (1, 2))
            plotted = (await get(f"{where}/plots")).text
            lines = re.findall(r'<polyline points="([^"]*)"', plotted)
            assert [len(line.split()) for line in lines] == [2] * 4 * len(("wide", "narrow"))
            source.pair()
            assert re.findall(r'<polyline points="([^"]*)"', (await get(f"{where}/plots")).text) == lines

    asyncio.run(look())


def test_the_plot_of_times_has_only_those_who_have_thought() -> None:
    bars = (plots.Bar("ana", 72.4), plots.Bar("ben", 3.26), plots.Bar("carla", 0.04))
    assert "ana 72 s; ben 3.3 s; carla under 1 s" in plots.thinking(bars)

    async def look() -> None:
        source = PretendSource.open(names=("Ana", "Ben"))
        source.pair()
        async with open_page(source, LOOPBACK, 0) as (where,):
            plotted = (await get(f"{where}/plots")).text
        assert len(re.findall(r"in seconds: (?:Ana|Ben) 312 s\"", plotted)) == len(("wide", "narrow"))

    asyncio.run(look())


def test_unusual_options_stand_at_the_top_of_the_page() -> None:
    async def look() -> None:
        source = PretendSource.open("land", options={"turns": 25})
        async with open_page(source, LOOPBACK, 0) as (where,):
            assert (
                "Blood Diamonds: Land · Swiss system · 20 min + 10 s per choice · 25 turns each<br>"
                in (await get(where)).text
            )

    asyncio.run(look())


def test_a_cup_without_players_or_without_clocks_is_shown_too() -> None:
    async def look() -> None:
        empty = PretendSource.open(names=())
        async with open_page(empty, LOOPBACK, 0) as (where,):
            assert "No players yet." in (await get(where)).text
            assert "No round has finished yet." in (await get(f"{where}/plots")).text
        free = PretendSource.open(names=("Ana", "Ben"), clock=None)
        free.pair()
        async with open_page(free, LOOPBACK, 0) as (where,):
            home = (await get(where)).text
            assert "no clocks" in home
            assert 'class="clock' not in home

    asyncio.run(look())


def test_the_end_names_the_winner() -> None:
    async def look() -> None:
        source = PretendSource.open(names=("Ana", "Ben"), format="knockout", rounds=0)
        source.pair()
        winner = source.tournament.name(source.tournament.rounds[0].tables[0].seats[1])
        source.decide(1, 0, (2, 1))
        source.add(TournamentEnded(1_795_000_100))
        async with open_page(source, LOOPBACK, 0) as (where,):
            assert f"Finished. {winner} won." in (await get(where)).text

    asyncio.run(look())


def test_a_page_that_has_not_changed_is_not_sent_again() -> None:
    async def look() -> None:
        source = friday()
        async with open_page(source, LOOPBACK, 0) as (where,):
            first = await get(f"{where}/crosstable")
            tag = {"If-None-Match": first.headers["ETag"]}
            again = await get(f"{where}/crosstable", tag)
            assert (again.status, again.body) == (304, b"")
            source.decide(2, 0, (1, 2))
            changed = await get(f"{where}/crosstable", tag)
            assert changed.status == 200
            assert changed.headers["ETag"] != first.headers["ETag"]
            packed = await get(f"{where}/crosstable", {"Accept-Encoding": "gzip"})
            assert packed.headers["Content-Encoding"] == "gzip"
            assert len(packed.body) < len(first.body) / 3

    asyncio.run(look())


def test_records_and_tables_can_be_taken_home() -> None:
    async def look() -> None:
        async with open_page(friday(), LOOPBACK, 0) as (where,):
            record = await get(f"{where}/tables/1/1.kdt")
            assert record.body == b"record 1 0"
            assert record.headers["Content-Disposition"] == "attachment; filename*=utf-8''friday-cup-1-1.kdt"
            assert json.loads((await get(f"{where}/cup.json")).text)["cup"]["name"] == "Friday Cup"
            assert len((await get(f"{where}/standings.csv")).text.splitlines()) == 10
            assert len((await get(f"{where}/results.csv")).text.splitlines()) > 4

    asyncio.run(look())


def test_what_is_not_there_is_not_found() -> None:
    nowhere = (
        "/rounds/0",
        "/rounds/3",
        "/rounds/99999999999999999999",
        "/tables/2/9",
        "/tables/2/1.kdt",
        "/tables/9/9.kdt",
        "/players/0",
        "/players/10",
        "/static/../site.py",
        "/static/%2e%2e/site.py",
        "/%00",
        "/wp-login.php",
    )

    async def look() -> None:
        async with open_page(friday(), LOOPBACK, 0) as (where,):
            assert {path: (await get(where + path)).status for path in nowhere} == dict.fromkeys(nowhere, 404)

    asyncio.run(look())


@pytest.mark.slow
def test_nothing_can_be_sent_and_nothing_from_elsewhere_is_loaded() -> None:
    async def look() -> None:
        async with open_page(friday(), LOOPBACK, 0) as (where,):
            for method in ("POST", "PUT", "DELETE"):
                assert (await get(where, method=method)).status == 405
            for path in ("/", "/tables/2/1", "/plots"):
                reply = await get(where + path)
                assert "default-src 'none'" in reply.headers["Content-Security-Policy"]
                assert not re.search(r'(?:href|src|action)="(?:\w+:)?//', reply.text)

    asyncio.run(look())


def test_a_port_that_is_taken_says_what_to_do() -> None:
    async def look() -> None:
        with socket.create_server((LOOPBACK, 0)) as taken:
            page = open_page(PretendSource.open(), LOOPBACK, taken.getsockname()[1])
            with pytest.raises(UserError, match="Choose another port: --web PORT"):
                await page.__aenter__()

    asyncio.run(look())


def test_a_machine_without_a_network_shows_its_page_to_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serve, "own_addresses", list)

    async def look() -> None:
        async with open_page(PretendSource.open(), "", 0) as (where,):
            assert where.startswith("http://127.0.0.1:")
            assert (await get(where)).status == 200

    asyncio.run(look())


def test_names_beside_curves_keep_apart_and_inside() -> None:
    curves = [plots.Curve(f"p{number}", (1500, 1500)) for number in range(20)]
    drawn = plots.ratings(curves)
    heights = sorted(float(y) for y in re.findall(r'y="([\d.]+)" fill="#\w+" text-anchor="start">p', drawn))
    assert len(heights) == 20
    assert all(after - before >= plots.LABEL_ROWS - 0.1 for before, after in pairwise(heights))
    assert heights[0] > 0
    assert heights[-1] < plots.LINES_HEIGHT


def test_an_arena_shows_the_latest_table_of_each_player_and_until_when_it_lasts() -> None:
    async def look() -> None:
        source = PretendSource.open(names=("Ana", "Ben", "Eva", "Finn"), format="arena", rounds=0, minutes=30)
        source.pair()
        source.decide(1, 0, (1, 2))
        source.decide(1, 1, (1, 2))
        opened = source.tournament.proceed(LATER + 5)
        assert opened is not None
        source.add(opened)
        async with open_page(source, LOOPBACK, 0) as (where,):
            home = (await get(where)).text
            assert re.search(r"Arena until \d\d:\d\d: 0 games in progress, 2 finished\. 4 players\.", home)
            assert ">Table 4<" in home
            assert ">Table 1<" not in home
            crosstable = (await get(f"{where}/crosstable")).text
            assert "Round by round" not in crosstable
            assert "ties are broken by direct encounter, wins, then the starting number" in crosstable
            assert "Buchholz" not in crosstable
            assert "The arena is not over yet." in (await get(f"{where}/plots")).text
            assert "when the arena is over." in (await get(f"{where}/check")).text
            tables = (await get(f"{where}/rounds/1")).text
            assert ">Table 1<" in tables
            assert "<h2>All tables</h2>" in tables
            assert "<h2>Table 1 <small>finished</small></h2>" in (await get(f"{where}/tables/1/1")).text
            person = source.tournament.player(source.tournament.rounds[0].tables[0].seats[0])
            assert person is not None
            player = (await get(f"{where}/players/{person.number}")).text
            assert "<span>finished</span>" in player
            # An arena has no rounds in words.
            assert not any(re.search(r"round 1\b", page, re.IGNORECASE) for page in (home, tables, player))

    asyncio.run(look())


def test_after_the_organizers_last_call_no_page_promises_another_round() -> None:
    async def look() -> None:
        source = PretendSource.open(names=("Ana", "Ben", "Eva", "Finn"))
        source.pair()
        async with open_page(source, LOOPBACK, 0) as (where,):
            assert "Round 1 of 3: 2 of 2 games in progress." in (await get(where)).text
            source.add(EndCalled(LATER))
            assert "Round 1 of 1: 2 of 2 games in progress." in (await get(where)).text
            assert "Round 1 of 1" in (await get(f"{where}/wall")).text

    asyncio.run(look())


def test_a_number_can_be_clicked_only_where_it_is_the_sum_of_something() -> None:
    async def look() -> None:
        source = PretendSource.open(names=("Ana", "Ben"))
        async with open_page(source, LOOPBACK, 0) as (where,):
            assert "click a number" not in (await get(f"{where}/crosstable")).text
            source.pair()
            source.decide(1, 0, (1, 2))
            assert "click a number to see how it is counted" in (await get(f"{where}/crosstable")).text

    asyncio.run(look())

    asyncio.run(look())


def test_nobody_is_told_to_join_once_entry_is_closed() -> None:
    async def look() -> None:
        source = PretendSource.open()
        async with open_page(source, LOOPBACK, 0) as (where,):
            assert "To join from this network" in (await get(where)).text
            source.add(EntryClosed(LATER))
            assert "To join" not in (await get(where)).text

    asyncio.run(look())


def test_teams_stand_above_the_players() -> None:
    async def look() -> None:
        source = PretendSource.open(names=("Ana", "Ben", "Eva", "Finn"), boards=2)
        source.pair()
        source.decide(1, 0, (1, 2))
        source.decide(1, 1, (1, 1))
        async with open_page(source, LOOPBACK, 0) as (where,):
            home = (await get(where)).text
            assert "Swiss system, teams of 2" in home
            assert home.index("<h2>Teams</h2>") < home.index("<h2>Standings</h2>")
            assert re.search(r"Team \d</th><td class=\"number points\">2</td><td class=\"number\">1½</td>", home)

    asyncio.run(look())


def test_a_part_of_a_point_is_one_point() -> None:
    async def look() -> None:
        source = PretendSource.open("land", 4, names=("Ana", "Ben", "Eva", "Finn"))
        source.pair()
        source.decide(1, 0, (1, 2, 3, 4))
        async with open_page(source, LOOPBACK, 0) as (where,):
            pages = [(await get(f"{where}/players/{number}")).text for number in range(1, 5)]
        for said in ("1 point, rating", "⅔ point, rating", "⅓ point, rating", "0 points, rating"):
            assert sum(said in page for page in pages) == 1

    asyncio.run(look())
