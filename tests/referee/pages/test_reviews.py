"""The review of a finished game on the page: it is made once, for the first who asks; no running game has one."""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

import pytest

from kimberley.client.boards.review_report import ReviewReport
from kimberley.client.session.review_file import SUFFIX
from kimberley.client.session.reviewing import ReviewRun
from kimberley.client.web import drawn_games
from kimberley.games import lookup
from kimberley.games.bots.base import Bots
from kimberley.games.bots.lookup import bots_of
from kimberley.games.bots.review import CannotReview, ChoiceJudge
from kimberley.games.table import Game
from kimberley.protocol.audit import audit
from kimberley.protocol.peer import Peer
from kimberley.referee.pages import review_work
from kimberley.referee.pages.review_work import NICE, run_job
from kimberley.referee.pages.serve import MOST_EACH
from kimberley.referee.pages.site import SAFETY
from tests.support.pages import LOOPBACK, get, open_page
from tests.support.pretend_source import NAMES, PretendSource, friday, over, played
from tests.support.tables import at_once, seated

pytestmark = pytest.mark.slow

GAME = "diamond-trust"
TABLE = "/tables/1/1"
REVIEW = f"{TABLE}/review"
PATIENCE = 60.0

Report = Callable[[int, int], None]


@pytest.fixture(autouse=True)
def reviews_are_quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes reviews quick, however busy the machine is."""
    monkeypatch.setattr(drawn_games, "LEVEL", 1)
    monkeypatch.setattr(review_work, "NICE", 0)


@pytest.fixture
def begun(monkeypatch: pytest.MonkeyPatch) -> list[Sequence[str]]:
    """Returns the processes that were started."""
    found: list[Sequence[str]] = []

    async def counted(command: Sequence[str], report: Report) -> bytes:
        found.append(command)
        return await run_job(command, report)

    monkeypatch.setattr(review_work, "run_job", counted)
    return found


def look_at(source: PretendSource, look: Callable[[str], Awaitable[None]]) -> None:
    async def visit() -> None:
        async with asyncio.timeout(PATIENCE), open_page(source, LOOPBACK, 0) as (where,):
            await look(where)

    asyncio.run(visit())


async def made(where: str) -> str:
    """Returns the page once its review is made."""
    async with asyncio.timeout(PATIENCE):
        while "Reviewing this game" in (page := (await get(where + REVIEW)).text):  # noqa: ASYNC110 - a page tells nobody
            await asyncio.sleep(0.05)
        return page


async def crowd(where: str) -> list[str]:
    """Returns what each gets when as many ask at once as the page lets in from one address."""
    return await asyncio.gather(*(asked(where) for _ in range(MOST_EACH)))


async def asked(where: str) -> str:
    """Returns the page, asked for on this event loop: threads would be too few."""
    reader, writer = await asyncio.open_connection(LOOPBACK, int(where.rpartition(":")[2]))
    writer.write(f"GET {REVIEW} HTTP/1.1\r\nHost: {LOOPBACK}\r\nConnection: close\r\n\r\n".encode())
    page = (await reader.read()).decode()
    writer.close()
    await writer.wait_closed()
    return page


def both_over() -> PretendSource:
    """Returns a tournament of four with both tables over."""
    source = PretendSource.open(GAME, names=NAMES[:4])
    source.pair()
    for table in (0, 1):
        source.decide(1, table, (1, 2), record=played(GAME, source.names(1, table)))
    return source


def resigned(game: Game, names: tuple[str, ...]) -> bytes:
    """Returns the record of a game that one of two players soon resigned: it is quickly judged."""
    wire = seated(game, 2, "", at_once(game, 2), names=names)
    wire.run(lambda: len(wire.peers[-1].story) >= 5)
    wire.peers[0].resign()
    wire.run()
    peer: Peer = wire.peers[-1]
    return peer.record().pack()


def test_the_link_leads_to_a_page_with_every_decision(tmp_path: Path, begun: list[Sequence[str]]) -> None:
    record = resigned(lookup.find(GAME), over(GAME, b"").names(1, 0))
    source = over(GAME, record)
    path = tmp_path / "game.kdt"
    path.write_bytes(record)
    audited = audit(path.read_bytes(), lookup.find)
    run = ReviewRun(audited, path, 1, workers=0)
    list(run)
    assert run.review is not None
    report = ReviewReport(audited, run.review)

    async def look(where: str) -> None:
        assert f'<a class="button" href="{REVIEW}">Review</a>' in (await get(where + TABLE)).text
        assert begun == [], "a link that nobody opens costs nothing"
        page = await made(where)
        assert "<h2>Accuracy" in page
        assert f'<a href="{TABLE}">' in page
        for seat, name in enumerate(source.names(1, 0)):
            lines = report.lines_of(seat, by_cost=False)
            (table,) = re.findall(rf"<h2>{name}’s {len(lines)} decisions</h2>.*?<tbody>(.*?)</tbody>", page, re.DOTALL)
            told = re.findall(r'<tr><td class="number">(\d+)</td><td>(.*?)</td><td>(.*?)</td>', table)
            assert told == [(str(line.chapter), line.decision.kind, line.chosen) for line in lines]
        reply = await get(where + REVIEW)
        assert {name: reply.headers[name] for name in SAFETY} == SAFETY
        assert "style=" not in page
        assert "<style" not in page

    look_at(source, look)


@pytest.mark.nightly
def test_many_who_ask_at_once_have_one_review_made_and_it_is_kept(begun: list[Sequence[str]]) -> None:
    source = over(GAME)

    async def ask(where: str) -> None:
        assert all("<h2>Review: " in page for page in await crowd(where))
        await made(where)
        assert all("<h2>Accuracy" in page for page in await crowd(where))
        assert len(begun) == 1

    look_at(source, ask)
    (kept,) = source.reviews.glob(f"*{SUFFIX}")
    review = json.loads(kept.read_text("utf-8"))
    known = next(known for one in review["decisions"] if (known := one["known"])["best"] != known["chosen"])
    seat = next(one["seat"] for one in review["decisions"] if one["known"] is known)
    known["best"]["chances"][seat], known["chosen"]["chances"][seat] = 0.87, 0.1
    kept.write_text(json.dumps(review), "utf-8")

    async def ask_another_day(where: str) -> None:
        assert "77%" in await made(where)

    look_at(source, ask_another_day)


def unfinished(game: Game) -> bytes:
    """Returns the record of a game that stopped after a few steps."""
    wire = seated(game, 2, "", at_once(game, 2))
    wire.run(lambda: len(wire.peers[-1].story) >= 8)
    peer: Peer = wire.peers[-1]
    return peer.record().pack()


def test_running_games_and_those_that_are_not_whole_are_refused(begun: list[Sequence[str]]) -> None:
    running, damaged, stopped = friday(GAME), over(GAME, b"no record"), over(GAME, unfinished(lookup.find(GAME)))
    tried = [
        # Two that are being played, one that was decided on time, and three that are not there.
        (running, ["/tables/2/1", "/tables/2/2", "/tables/1/2", "/tables/3/1", "/tables/2/9", "/tables/0/0"]),
        (damaged, [TABLE]),
        (stopped, [TABLE]),
    ]
    for source, tables in tried:

        async def look(where: str, tables: list[str] = tables) -> None:
            for table in tables:
                assert "/review" not in (await get(where + table)).text, table
                assert (await get(f"{where}{table}/review")).status == 404, table

        look_at(source, look)
        assert list(source.reviews.iterdir()) == []
    assert begun == []


def test_a_game_that_nothing_can_judge_has_no_link(monkeypatch: pytest.MonkeyPatch, begun: list[Sequence[str]]) -> None:
    def refuse(_bots: Bots, level: int) -> ChoiceJudge:
        raise CannotReview(f"It needs a package for level {level}.")

    monkeypatch.setattr(type(bots_of(lookup.find(GAME))), "judge", refuse)

    async def look(where: str) -> None:
        page = (await get(where + TABLE)).text
        assert "Download the record" in page
        assert "/review" not in page
        assert (await get(where + REVIEW)).status == 404
        assert begun == []

    look_at(over(GAME), look)


def test_the_page_says_how_far_it_is_and_other_games_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Sequence[str]] = []
    ended: list[asyncio.Future[bytes]] = []

    async def pretend(command: Sequence[str], report: Report) -> bytes:
        asked.append(command)
        report(12, 52)
        ended.append(asyncio.get_running_loop().create_future())
        return await ended[-1]

    monkeypatch.setattr(review_work, "run_job", pretend)

    async def look(where: str) -> None:
        other = "/tables/1/2/review"
        while "23% judged." not in (page := (await get(where + REVIEW)).text):
            pass
        assert '<progress max="52" value="12" aria-label="Decisions judged">' in page
        assert '<noscript><meta http-equiv="refresh" content="20"></noscript>' in page
        assert "Another game is being reviewed" in (await get(where + other)).text
        assert len(asked) == 1
        ended[0].set_result(b"<h2>All is said</h2>")
        while "<h2>All is said</h2>" not in (await get(where + REVIEW)).text:
            pass
        while "23% judged." not in (await get(where + other)).text:
            pass
        ended[1].set_result(b"")
        while "This game could not be reviewed here" not in (await get(where + other)).text:
            pass
        assert len(asked) == 2, "it is not tried again"

    look_at(both_over(), look)


@pytest.mark.skipif(not hasattr(os, "getpriority"), reason="this system knows no such priorities")
@pytest.mark.nightly
def test_the_process_has_the_lowest_priority_and_ends_when_the_page_is_gone(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(drawn_games, "LEVEL", 15)
    path = tmp_path / "game.kdt"
    path.write_bytes(played(GAME, over(GAME).names(1, 0)))
    command = drawn_games.DrawnGames().review_command(path, NICE)
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        assert process.stdout is not None
        assert process.stdout.readline().split()[0] == b"0"
        assert os.getpriority(os.PRIO_PROCESS, process.pid) == 19
        process.stdout.close()
        assert process.wait(PATIENCE) != 0
    assert list(tmp_path.iterdir()) == [path]
