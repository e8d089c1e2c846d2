"""The page in a process of its own: it shows what its referee knows, ends with it, and starts again when it dies."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import socket
from collections.abc import Iterator
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import urlopen

import pytest

from kimberley.client.cli.main import main
from kimberley.games import lookup
from kimberley.p2p.base.endings import SIGNALED
from kimberley.p2p.base.errors import UserError
from kimberley.p2p.tournament.orders import OrderReply
from kimberley.referee.organizer import Organizer
from kimberley.referee.organizer_commands import obey_page
from kimberley.referee.page_process import page_process
from kimberley.referee.pages.organizer import TOO_LONG
from kimberley.referee.server import RoundTiming
from tests.referee.test_restart import Referee
from tests.support.asyncs import run, until
from tests.support.evenings import Evening, clock, evening
from tests.support.pages import PAGE_GAMES, get
from tests.support.seated import LOOPBACK, no_faults

pytestmark = pytest.mark.e2e
PATIENCE = 180


@pytest.fixture(autouse=True)
def nothing_fails_in_the_background(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    yield from no_faults(caplog)


def shown(address: str) -> bool:
    """Returns whether somebody listens there."""
    port = int(address.rpartition(":")[2])
    with socket.socket() as attempt:
        return attempt.connect_ex((LOOPBACK, port)) == 0


async def seen(where: str, *patterns: str) -> str:
    """Returns the page, once all of these are found in it."""
    async with asyncio.timeout(PATIENCE):
        while True:
            try:
                page = (await get(where)).text
            except OSError:
                page = ""
            if all(re.search(pattern, page) for pattern in patterns):
                return page
            await asyncio.sleep(0.1)


async def nobody(line: str) -> OrderReply:
    """Obeys nobody."""
    raise AssertionError(line)


async def playing(held: Evening) -> None:
    """Has one player wait for the other, who never chooses."""
    await held.enter("ana")
    await held.enter("ben", plays=False)
    await until(lambda: any(referee.clocks.running for referee in held.server.referees.values()), PATIENCE)


def test_boards_and_clocks_are_shown_also_after_the_process_was_killed(tmp_path: Path) -> None:
    async def story() -> None:
        plan = RoundTiming(players=2, pause=0.0)
        async with evening(tmp_path, lookup.find("diamond"), plan, rounds=1, **clock(3600)) as held:
            said: list[str] = []
            async with page_process(PAGE_GAMES, tmp_path / "referee", LOOPBACK, 0) as page:
                (where,) = page.addresses
                assert "No players yet." in (await get(where)).text
                page.follow(held.server, said.append, nobody)
                await playing(held)
                watched = r'<pre class="board"', r'class="clock runs"', "1 of 1 game in progress"
                before = await seen(where, *watched)
                assert ">away<" not in before
                assert "<h2>In words</h2>" in (await get(f"{where}/tables/1/1")).text
                killed = page.pid
                assert killed is not None
                os.kill(killed, signal.SIGKILL)
                await until(lambda: said, PATIENCE)
                await until(lambda: shown(where), PATIENCE)
                assert page.pid != killed
                await seen(where, *watched)
                assert said == ["! The web page stopped: status -9. Restarting it."]
            assert not shown(where)

    run(story(), 3 * PATIENCE)


def test_a_page_that_reads_nothing_holds_up_nobody_and_catches_up(tmp_path: Path) -> None:
    async def story() -> None:
        plan = RoundTiming(players=2, pause=0.0)
        async with (
            evening(tmp_path, lookup.find("diamond"), plan, rounds=1, **clock(3600)) as held,
            page_process(PAGE_GAMES, tmp_path / "referee", LOOPBACK, 0) as page,
        ):
            page.follow(held.server, lambda _: None, nobody)
            assert page.pid is not None
            os.kill(page.pid, signal.SIGSTOP)
            try:
                await playing(held)
            finally:
                os.kill(page.pid, signal.SIGCONT)
            await seen(page.addresses[0], r'<pre class="board"', r'class="clock runs"')

    run(story(), 3 * PATIENCE)


def test_the_page_ends_when_its_referee_is_killed(tmp_path: Path) -> None:
    typed = ("--game", "diamond", "--web", f"{LOOPBACK}:0")
    with Referee(tmp_path / "referee", *typed) as referee:
        where = referee.wait(r"Web page: (http://\S+)")[1]
        referee.wait("Bots join with")
        assert shown(where)
        referee.process.send_signal(signal.SIGKILL)
        run(until(lambda: not shown(where), PATIENCE))
    with Referee(tmp_path / "referee", *typed) as referee:
        where = referee.wait(r"Web page: (http://\S+)")[1]
        referee.wait("Bots join with")
        referee.process.send_signal(signal.SIGTERM)
        # On a busy machine the ending may take longer than the program gives itself.
        assert referee.end(PATIENCE) in (1, SIGNALED + signal.SIGTERM)
        assert not shown(where)
        assert not any("page's program" in line for line in referee.lines)


def test_where_the_port_is_taken_nothing_has_begun(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server((LOOPBACK, 0)) as taken:
        port = taken.getsockname()[1]
        typed = ("--bind", LOOPBACK, "--data", str(tmp_path / "cup"), "--web", f"{LOOPBACK}:{port}")
        assert main(["referee", "Friday Cup", *typed]) == 1
    said = capsys.readouterr()
    assert f"The page cannot run at {LOOPBACK}, port {port}" in said.err
    assert "Choose another port: --web PORT." in said.err
    assert "Bots join with" not in said.out
    assert not (tmp_path / "cup" / "door").exists()


def test_a_folder_without_a_cup_has_no_page(tmp_path: Path) -> None:
    async def story() -> None:
        with pytest.raises(UserError, match="is no tournament"):
            await page_process(PAGE_GAMES, tmp_path, LOOPBACK, 0).__aenter__()

    run(story())


def test_the_organizer_commands_by_a_link_that_nobody_else_has(tmp_path: Path) -> None:
    def send(url: str, line: str, parts: str = "") -> str:
        """Returns the page after a command was sent with its form, or in these parts."""
        form = (parts or urlencode({"line": line})).encode()
        with urlopen(url, form, timeout=PATIENCE) as answer:
            page: str = answer.read().decode()
            return page

    async def story() -> None:
        async with evening(tmp_path, lookup.find("diamond"), RoundTiming(pause=0.0), rounds=1) as held:
            organizer = Organizer(held.server, held.identity)

            async def obey(line: str) -> OrderReply:
                return await obey_page(organizer, line)

            async with page_process(PAGE_GAMES, tmp_path / "referee", LOOPBACK, 0) as page:
                (where,) = page.addresses
                page.follow(held.server, lambda _: None, obey)
                link = where + page.organizer_path
                assert "decide TABLE NAME[, NAME ...]|draw|nobody: REASON" in await seen(link, "Send")
                said = await asyncio.to_thread(send, link, "say Pizza & <cake>")
                assert "The organizer says: Pizza &amp; &lt;cake&gt;" in said
                assert [one.text for one in held.server.tournament.messages] == ["Pizza & <cake>"]
                later = "The first round begins once two players are here."
                assert later in await asyncio.to_thread(send, link, "start")
                assert "No game is running." in await asyncio.to_thread(send, link, "pause")
                said = await asyncio.to_thread(send, link, "decide <1>")
                assert "&lt;1&gt;" in said
                assert "<1>" not in said
                for wrong in (f"{where}/organizer/", f"{where}/organizer/0", f"{link[:-1]}x"):
                    with pytest.raises(HTTPError, match="404"):
                        await asyncio.to_thread(send, wrong, "close")
                for size in (600, 5000):
                    said = await asyncio.to_thread(send, link, f"say {'x' * size}")
                    assert TOO_LONG in said
                parts = urlencode({"line": "ban", "who": "dan", "reason": "Noise"})
                assert "No player " in await asyncio.to_thread(send, link, "", parts)
                assert len(held.server.tournament.messages) == 1, "too long a command is none"
                assert "Type a command." in await asyncio.to_thread(send, link, " ")
                assert not held.server.tournament.entry_closed
                assert "Close entry" in await seen(link, "Send")
                await playing(held)
                for word in ("next", "hold", "next 5m"):
                    assert "The tournament ends " in await asyncio.to_thread(send, link, word)
                once = "The tournament ends when all games of this round are over."
                assert once in await asyncio.to_thread(send, link, "next")
                assert "It has already started." in await asyncio.to_thread(send, link, "start")
                assert "No player " in await asyncio.to_thread(send, link, "withdraw dan")
                assert "Close entry" not in await seen(link, "Send"), "in the last round nobody new could play"
                # The answer shows at once what the command has changed.
                assert "Resume all" not in await seen(link, "Pause all")
                assert "Resume all" in await asyncio.to_thread(send, link, "pause 1")
                for word in ("stop", "status", "y"):
                    assert "Commands: start, next, hold," in await asyncio.to_thread(send, link, word)

    run(story(), 3 * PATIENCE)
