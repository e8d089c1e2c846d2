"""The tournament's page over HTTP: every page and file of it, for every game, and what it does with odd requests."""

from __future__ import annotations

import asyncio
import json
import logging
import re
import socket
import urllib.error
import urllib.request
from collections.abc import Hashable, Mapping
from contextlib import ExitStack, suppress
from email.message import Message
from html import escape
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from kimberley.client.web import plots, serve
from kimberley.client.web.__main__ import LOG, keep_log
from kimberley.client.web.gate import ELSEWHERE, FAILED, MISDIRECTED
from kimberley.client.web.packed_cache import Packed
from kimberley.client.web.pages import Pages
from kimberley.client.web.serve import open_page
from kimberley.p2p.base.errors import UserError
from kimberley.p2p.tournament import export
from kimberley.p2p.tournament.events import PlayerEnrolled, RoundPaired, TournamentEnded
from kimberley.p2p.tournament.points import points_in_words
from kimberley.p2p.tournament.table_wait import TableWait
from kimberley.p2p.tournament.tournament import Tournament
from tests.support.pretend_source import LATER, PretendSource, friday

LOOPBACK = "127.0.0.1"
GAMES = (("diamond-trust", 2), ("diamond", 2), ("land", 4), ("mine", 2), ("piecepack", 3))


class Reply(NamedTuple):
    status: int
    headers: Message
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()


def fetch(url: str, headers: Mapping[str, str] | None = None, method: str = "GET") -> Reply:
    request = urllib.request.Request(url, headers=dict(headers or {}), method=method)
    try:
        with urllib.request.urlopen(request, timeout=60) as reply:
            return Reply(reply.status, reply.headers, reply.read())
    except urllib.error.HTTPError as error:
        with error:
            return Reply(error.code, error.headers, error.read())


async def get(url: str, headers: Mapping[str, str] | None = None, method: str = "GET") -> Reply:
    return await asyncio.to_thread(fetch, url, headers, method)


def links(page: str) -> set[str]:
    return set(re.findall(r'(?:href|src)="(/[^"]*)"', page))


@pytest.mark.slow
@pytest.mark.parametrize(("game", "seats"), GAMES)
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
            assert f"Buchholz {value}: {added}<" in (await get(f"{where}/players/{row.player.number}")).text

    asyncio.run(look())


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


# -- many who ask, and few who mean it ---------------------------------------------------------------------------------


def test_an_answer_is_made_once_however_many_ask(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []
    as_json = export.as_json

    def counted(tournament: Tournament) -> dict[str, object]:
        made.append(len(tournament.rounds))
        return as_json(tournament)

    async def ask() -> None:
        source = friday()
        async with open_page(source, LOOPBACK, 0) as (where,):
            for number in (1, 2):
                replies = await asyncio.gather(*(get(f"{where}/cup.json") for _ in range(20)))
                assert len({reply.body for reply in replies}) == 1
                assert len(made) == number
                source.decide(2, number - 1, (1, 2))

    monkeypatch.setattr(export, "as_json", counted)
    asyncio.run(ask())


@pytest.mark.parametrize(
    "sent",
    [
        pytest.param(b"", id="nothing", marks=pytest.mark.slow),
        pytest.param(b"GET / HTTP/1.1\r\n", id="half a request"),
        pytest.param(
            b"GET /plots HTTP/1.1\r\nHost: a\r\n\r\n" * 200, id="answers that nobody reads", marks=pytest.mark.slow
        ),
    ],
)
def test_who_stalls_is_dropped(sent: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    create_server = socket.create_server

    def with_little_room(address: tuple[str, int], **options: Any) -> socket.socket:
        """What the system has sent is read to its end, a byte at a time: by itself it would take megabytes."""
        made = create_server(address, **options)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 14)
        return made

    monkeypatch.setattr(serve, "ANSWER_SECONDS", 0.5)
    monkeypatch.setattr(socket, "create_server", with_little_room)

    async def stall() -> None:
        async with open_page(friday(), LOOPBACK, 0) as (where,):
            with silent(where, sent) as stalled:
                await asyncio.to_thread(dropped, stalled)
            monkeypatch.undo()
            assert (await get(where)).status == 200

    asyncio.run(stall())


def test_who_waits_for_a_page_that_takes_long_to_make_gets_it(monkeypatch: pytest.MonkeyPatch) -> None:
    longest = 0.05
    monkeypatch.setattr(serve, "ANSWER_SECONDS", longest)

    async def slowly(round_: int, table: int) -> None:
        await asyncio.sleep(10 * longest)

    async def ask() -> None:
        source = friday()
        monkeypatch.setattr(source, "catch_up", slowly)
        async with open_page(source, LOOPBACK, 0) as (where,):
            assert (await get(f"{where}/tables/2/1")).status == 200

    asyncio.run(ask())


def test_of_too_many_connections_the_oldest_makes_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serve, "MOST_EACH", 3)

    async def crowd() -> None:
        async with open_page(PretendSource.open(), LOOPBACK, 0) as (where,):
            with ExitStack() as all_of_them:
                held = [all_of_them.enter_context(silent(where, b"")) for _ in range(4)]
                await asyncio.to_thread(dropped, held[0])
                assert (await get(where)).status == 200
                await asyncio.to_thread(dropped, held[1])

    asyncio.run(crowd())


def test_a_request_that_is_too_large_is_refused() -> None:
    async def ask() -> None:
        async with open_page(PretendSource.open(), LOOPBACK, 0) as (where,):
            with silent(where, b"GET / HTTP/1.1\r\nX-Much: " + b"x" * serve.MOST_HEADERS) as asked:
                assert (await asyncio.to_thread(asked.recv, 12)) == b"HTTP/1.1 400"
                await asyncio.to_thread(dropped, asked)

    asyncio.run(ask())


def silent(where: str, sent: bytes) -> socket.socket:
    """A connection on which somebody sends this, and reads nothing."""
    made = socket.create_connection((LOOPBACK, int(where.rpartition(":")[2])), timeout=60)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    made.sendall(sent)
    return made


def dropped(connection: socket.socket) -> None:
    """Returns once the other side has dropped the connection."""
    with suppress(ConnectionResetError):
        while connection.recv(1):
            pass


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
            assert re.search(r"Arena until \d\d:\d\d: 2 games in progress, 2 finished\. 4 players\.", home)
            assert ">Table 4<" in home
            assert ">Table 1<" not in home
            assert "Round by round" not in (await get(f"{where}/crosstable")).text
            assert ">Table 1<" in (await get(f"{where}/rounds/1")).text

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


def answers(where: str, *lines: str, path: str = "/") -> tuple[int, str]:
    """Status and body of what comes for a request with these lines."""
    host, port = where.removeprefix("http://").rsplit(":", 1)
    with socket.create_connection((host, int(port)), timeout=60) as line:
        line.sendall("\r\n".join([f"GET {path} HTTP/1.1", *lines, "Connection: close", "", ""]).encode())
        said = b"".join(iter(lambda: line.recv(1 << 16), b""))
    head, _, body = said.partition(b"\r\n\r\n")
    return int(head.split()[1]), body.decode(errors="replace")


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1",
        "127.0.0.1:8080",
        "192.168.77.7:8080",
        "[::1]:8080",
        "[fe80::1%25eth0]",
        "localhost:8080",
        "cup.example",
        "CUP.example.:80",
        "mine",
        "mine.local:8080",
        "mine.lan",
        "mine.home.arpa",
    ],
)
def test_the_page_answers_to_addresses_and_to_the_names_of_its_machine(
    host: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(socket, "gethostname", lambda: "Mine")

    async def ask() -> None:
        async with open_page(friday(), LOOPBACK, 0, names=("cup.example",)) as (where,):
            status, body = await asyncio.to_thread(answers, where, f"Host: {host}")
            assert status == 200
            assert "Round 2 of 3" in body

    asyncio.run(ask())


@pytest.mark.parametrize(
    "lines",
    [
        ("Host: attacker.example",),
        ("Host: mine.attacker.example",),
        ("Host: 127.0.0.1.attacker.example:8080",),
        ("Host: localhost.attacker.example",),
        ("Host: 127.0.0.1/rounds/1?",),
        ("Host: 127.0.0.1:80@attacker.example",),
        ("Host: [::1].attacker.example",),
        ("Host: 127.1",),
        ("Host: ",),
    ],
)
def test_a_name_that_somebody_points_at_this_machine_gets_nothing(
    lines: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(socket, "gethostname", lambda: "mine")

    async def ask() -> None:
        async with open_page(friday(), LOOPBACK, 0) as (where,):
            for path in ("/", "/cup.json", "/rounds/1/"):
                status, body = await asyncio.to_thread(answers, where, *lines, path=path)
                assert (status, body) == (MISDIRECTED, ELSEWHERE)

    asyncio.run(ask())


def test_each_page_has_one_path_and_is_made_once_however_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Hashable] = []
    plain = Packed.of

    def counted(version: Hashable, body: bytes) -> Packed:
        made.append(version)
        return plain(version, body)

    monkeypatch.setattr(Packed, "of", counted)

    async def ask() -> None:
        source = friday()
        async with open_page(source, LOOPBACK, 0) as (where,):
            for path in ("/wall", "/rounds/1", "/players/1"):
                assert (await get(where + path)).status == 200
            before = len(made)
            for host in ("127.0.0.1", "127.0.0.1:1", "[::1]", "127.0.0.2"):
                for path in ("/wall", "/wall/900", "/wall/77", "/rounds/1", "/rounds/1?x=2", "/players/1"):
                    status, _ = await asyncio.to_thread(answers, where, f"Host: {host}", path=path)
                    assert status == 200
            assert len(made) == before
            for path in ("/rounds/01", "/rounds/1000000", "/players/0001", "/wall/01", f"/rounds/{'9' * 5000}"):
                status, _ = await asyncio.to_thread(answers, where, f"Host: {LOOPBACK}", path=path)
                assert status == 404
            assert len(made) == before + 1, "the page that says so"

    asyncio.run(ask())


def test_what_fails_says_so_in_a_sentence_and_goes_to_the_log_once_in_a_while(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    root = logging.getLogger()
    monkeypatch.setattr(root, "handlers", [])
    level = root.level
    monkeypatch.setattr(Pages, "plotted", lambda self: int("9" * 5000))
    keep_log(tmp_path)

    async def ask() -> None:
        async with open_page(friday(), LOOPBACK, 0) as (where,):
            for _ in range(20):
                assert await asyncio.to_thread(answers, where, f"Host: {LOOPBACK}", path="/plots") == (500, FAILED)
            assert (await get(where)).status == 200

    try:
        asyncio.run(ask())
    finally:
        root.setLevel(level)
        for handler in root.handlers:
            handler.close()
    said = capfd.readouterr()
    assert (said.out, said.err) == ("", "")
    log = (tmp_path / LOG).read_text()
    assert log.count("Traceback") == 1
    assert "GET '/plots' failed" in log
