"""Many who ask for the page, and few who mean it: limits, names and what fails."""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import Hashable
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import pytest

from kimberley.p2p.tournament.tournament import Tournament
from kimberley.p2p.tournament.tournament_json import as_json
from kimberley.referee.pages import serve, site
from kimberley.referee.pages.__main__ import LOG, keep_log
from kimberley.referee.pages.gate import ELSEWHERE, FAILED, MISDIRECTED
from kimberley.referee.pages.packed_cache import Packed
from kimberley.referee.pages.pages import Pages
from tests.support.effort import first_is_quick
from tests.support.pages import LOOPBACK, get, open_page
from tests.support.pretend_source import PretendSource, friday


@pytest.mark.slow
def test_an_answer_is_made_once_however_many_ask(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []

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

    monkeypatch.setattr(site, "as_json", counted)
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
@pytest.mark.slow
def test_who_stalls_is_dropped(sent: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    create_server = socket.create_server

    def with_little_room(address: tuple[str, int], **options: Any) -> socket.socket:
        """Makes the system take little to send, since it is read a byte at a time: by itself it would take
        megabytes.
        """
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


@pytest.mark.slow
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
    """Returns a connection on which somebody sends this, and reads nothing."""
    made = socket.create_connection((LOOPBACK, int(where.rpartition(":")[2])), timeout=60)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    made.sendall(sent)
    return made


def dropped(connection: socket.socket) -> None:
    """Returns once the other side has dropped the connection."""
    with suppress(ConnectionResetError):
        while connection.recv(1):
            pass


def answers(where: str, *lines: str, path: str = "/") -> tuple[int, str]:
    """Returns status and body of what comes for a request with these lines."""
    host, port = where.removeprefix("http://").rsplit(":", 1)
    with socket.create_connection((host, int(port)), timeout=60) as line:
        line.sendall("\r\n".join([f"GET {path} HTTP/1.1", *lines, "Connection: close", "", ""]).encode())
        said = b"".join(iter(lambda: line.recv(1 << 16), b""))
    head, _, body = said.partition(b"\r\n\r\n")
    return int(head.split()[1]), body.decode(errors="replace")


@pytest.mark.parametrize(
    "host",
    first_is_quick(
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
    ),
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
