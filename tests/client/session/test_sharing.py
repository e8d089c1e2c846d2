"""What a friend without a copy is shown: the lines, the words, the page."""

from __future__ import annotations

import base64
import hashlib
import re
import sys
from dataclasses import replace
from html import unescape
from importlib.metadata import version

import pytest

from kimberley.client.cli.share import PHONES, lines_of
from kimberley.client.session.copy_offer import CopyOffer, SharedTable
from kimberley.client.session.share_page import share_page
from kimberley.client.session.sharing import Sharing
from kimberley.client.session.table_sharing import NEARBY, offer_lines
from kimberley.client.ui.qr_code import code_lines
from kimberley.p2p.base.extras import install_line
from kimberley.p2p.sharing.one_line import CommandShell
from kimberley.p2p.sharing.page_program import PageProgram
from kimberley.p2p.sharing.server import ServedFile
from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.transport.address import own_addresses
from kimberley.p2p.transport.web_listener import WebListener
from tests.support.asyncs import run
from tests.support.hall import LOOPBACK, raw

TABLE = SharedTable(7412, "Diamond Trust of London", (2,))
WHEEL = f"kimberley-{version('kimberley')}-py3-none-any.whl"
HOSTILE = '<script>alert("ana")</script>$what{{ }}'


def offered(nickname: str = "ana", table: SharedTable | None = TABLE, address: str | None = "192.168.1.7") -> CopyOffer:
    return Sharing(nickname, table).offer(address)


def page_of(offer: CopyOffer) -> str:
    return share_page(offer).data.decode()


def test_the_line_joins_the_table_at_the_address_where_the_file_is() -> None:
    offer = offered()
    for line in offer.lines.values():
        assert f"'{offer.site}/k'" in line
        assert offer.digits in line
        assert line.endswith(" join 192.168.1.7:7412")
    assert offered(address="2001:db8::7").lines[CommandShell.SH].endswith(' join "[2001:db8::7]:7412"')
    assert offered(table=None).lines[CommandShell.CMD].endswith('"')


def test_an_address_that_means_something_on_this_machine_only_is_not_offered() -> None:
    assert offered(address="fe80::1%eth0").site == offered(address=None).site


@pytest.mark.parametrize("table", [TABLE, None], ids=["at a table", "without one"])
def test_the_page_has_the_lines_and_what_to_do_without_python(table: SharedTable | None) -> None:
    offer = offered(table=table)
    said = unescape(page_of(offer))
    for line in (offer.lines[CommandShell.SH], offer.lines[CommandShell.POWERSHELL]):
        assert line in said
    for word in (*offer.words, offer.digits, "Store", "developer tools", "python.org", "trust ana"):
        assert word in said
    assert ("ana</b> invites you" in said) == (table is not None)


def test_the_page_says_to_a_phone_what_is_missing() -> None:
    here, missing = offered(), replace(offered(), without="Install it:", install="pip install x")
    assert "ask ana to host a game and press f, or to type kimberley share --room" in page_of(here)
    never = page_of(replace(here, without="This needs more than the shared copy."))
    assert "You cannot play on a phone or in a browser here." in never
    assert "the packages for that are missing on ana’s computer" in page_of(missing)
    assert "You cannot" not in page_of(replace(here, play="http://192.0.2.7/#1"))


@pytest.mark.parametrize("play", [None, "http://192.168.100.200:65535/p#0123456789abcdef012345"])
def test_the_address_and_its_code_come_last_and_fit_a_small_terminal(
    monkeypatch: pytest.MonkeyPatch, play: str | None
) -> None:
    monkeypatch.setattr("kimberley.client.cli.share.printed_code", code_lines)
    offer = replace(offered(table=None), play=play)
    wanted = play or offer.site
    head, *code, address = lines_of(offer)[-len(code_lines(wanted)) - 2 :]
    assert (address, code) == (wanted, code_lines(wanted))
    assert len(head) <= 80
    assert 1 + len(code) + 1 < 24
    assert (PHONES in lines_of(offer)) == (play is None)


@pytest.mark.parametrize("terminal", [False, True])
def test_the_words_of_the_line_are_not_broken(monkeypatch: pytest.MonkeyPatch, terminal: bool) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: terminal)
    words = ("corridor", "caravan", "sundial", "almanac", "chimney", "thunder", "homework", "starship")
    lines = "\n".join(lines_of(replace(offered(table=None), words=words))).splitlines()
    first = next(number for number, line in enumerate(lines) if line.startswith("  1 corridor"))
    assert (max(map(len, lines[first : first + 2])) < 80) == terminal
    assert "8 starship" in lines[first + terminal]


@pytest.mark.parametrize("code", [[], ["CODE"]])
def test_a_friend_is_told_to_scan_only_a_code_that_is_there(monkeypatch: pytest.MonkeyPatch, code: list[str]) -> None:
    monkeypatch.setattr("kimberley.client.cli.share.printed_code", lambda _: code)
    said = " ".join(lines_of(replace(offered(table=None), play="http://192.0.2.7/p#1")))
    assert ("Scan this, or open it in a browser." in said) == bool(code)
    assert ("Open this in a browser." in said) == (not code)


@pytest.mark.parametrize(("numbers", "said"), [((2,), "for 2 players"), ((2, 3, 4), "for 2 to 4 players")])
def test_the_page_says_how_many_can_play(numbers: tuple[int, ...], said: str) -> None:
    assert f"to Diamond, {said}." in page_of(offered(table=SharedTable(7411, "Diamond", numbers)))


def test_a_name_cannot_write_the_page() -> None:
    page = page_of(offered(HOSTILE, SharedTable(7411, HOSTILE, (2,))))
    assert HOSTILE not in page
    assert "alert(&quot;ana&quot;)" in page
    assert page.count("<script>") == 1


def test_the_page_runs_no_script_but_its_own_and_loads_nothing() -> None:
    served = share_page(offered())
    page, headers = served.data.decode(), dict(served.headers)
    policy = headers["Content-Security-Policy"].split("; ")
    assert "default-src 'none'" in policy
    for kind in ("style", "script"):
        (inline,) = re.findall(f"<{kind}>(.*?)</{kind}>", page, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(inline.encode()).digest()).decode()
        assert f"{kind}-src 'sha256-{digest}'" in policy
    assert re.findall(r'(?:src|href)="([^"]+)"', page) == ["https://www.python.org/downloads/", "/k"]


@pytest.mark.slow
def test_what_is_shared_is_there_until_it_is_closed() -> None:
    async def play() -> tuple[CopyOffer, bytes]:
        sharing = Sharing("ana", TABLE)
        try:
            await sharing.open(0, LOOPBACK)
            async with raw(sharing.port, tls=False) as (reader, writer):
                writer.write(f"GET /{WHEEL} HTTP/1.1\r\n\r\n".encode())
                return sharing.offer(), (await reader.read(-1)).partition(b"\r\n\r\n")[2]
        finally:
            await sharing.close()

    offer, wheel = run(play())
    assert offer.site.startswith("http://127.0.0.1:")
    assert offer.size > 1_000_000
    assert offer.pip == f'pip install "{offer.site}/{WHEEL}#sha256={hashlib.sha256(wheel).hexdigest()}"'
    assert offer.pip in unescape(page_of(offer))
    said = "\n".join(lines_of(offer))
    for text in (*offer.words, offer.digits, *offer.lines.values(), offer.site, offer.pip):
        assert text in said


@pytest.mark.slow
def test_the_page_names_the_game_of_the_table_as_it_is_now() -> None:
    async def play() -> list[str]:
        sharing = Sharing("ana", TABLE)
        pages = []
        try:
            await sharing.open(0, LOOPBACK)
            for table in (TABLE, replace(TABLE, title="Diamond")):
                sharing.change_table(table)
                async with raw(sharing.port, tls=False) as (reader, writer):
                    writer.write(b"GET / HTTP/1.1\r\n\r\n")
                    pages.append((await reader.read(-1)).decode())
        finally:
            await sharing.close()
        return pages

    before, now = run(play())
    assert "to Diamond Trust of London, for 2 players." in before
    assert "to Diamond, for 2 players." in now


@pytest.mark.slow
def test_an_address_that_means_all_of_this_machine_is_not_offered() -> None:
    async def play() -> tuple[str, str]:
        sharing = Sharing("ana", TABLE)
        try:
            await sharing.open(0, "0.0.0.0")
            return sharing.offer().site, f":{sharing.port}"
        finally:
            await sharing.close()

    site, port = run(play())
    assert site in {f"http://{one}{port}" for one in [*own_addresses(), LOOPBACK]}


@pytest.mark.slow
def test_a_seat_in_the_browser_is_offered_with_what_its_page_must_check(monkeypatch: pytest.MonkeyPatch) -> None:
    key = bytes(range(32))
    program = PageProgram({"/p": ServedFile(b"<p>seat</p>", ())}, bytes(32))
    monkeypatch.setattr("kimberley.client.session.sharing.require", lambda extra, doing: None)
    monkeypatch.setattr("kimberley.client.session.sharing.build_page_program", lambda: program)

    asked: list[str] = []

    def expected() -> list[str]:
        asked.append(LOOPBACK)
        return asked

    async def play() -> tuple[CopyOffer, bytes, bytes]:
        sharing = Sharing("ana", TABLE, WebListener(Identity(bytes(32), key), lambda channel: None, expected))
        try:
            await sharing.open(0, LOOPBACK)
            return sharing.offer(), await got(sharing.port, "/p"), await got(sharing.port, "/play/host")
        finally:
            await sharing.close()

    offer, page, host = run(play())
    assert offer.play == program.link(offer.site, key)
    assert len(asked) == 2, "whoever comes may be a seat that comes back"
    assert (page, host, offer.page_digits) == (b"<p>seat</p>", key.hex().encode(), program.digits(key))
    assert offer.play in "\n".join(offer_lines(offer))
    assert NEARBY not in offer_lines(offer)
    assert NEARBY in offer_lines(offer, far=True)
    assert f'href="{offer.play}">Play in this browser</a>' in page_of(offer)
    # The page that it leads to shows these digits; here only those of the line are to be compared.
    assert page_of(offer).count(offer.page_digits) == 1


def test_without_what_it_needs_the_line_to_type_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "kimberley_browser_runtime", None)

    async def play() -> CopyOffer:
        sharing = Sharing("ana", TABLE, WebListener(Identity(bytes(32), bytes(32)), lambda channel: None))
        try:
            await sharing.open(0, LOOPBACK)
            return sharing.offer()
        finally:
            await sharing.close()

    offer = run(play())
    assert offer.play is None
    assert offer.without.endswith(f" {offer.install}")
    assert offer.install == install_line("browser")
    assert offer.without in offer_lines(offer)
    assert offer.without in lines_of(offer)
    assert "Join" not in page_of(offer)


async def got(port: int, path: str) -> bytes:
    async with raw(port, tls=False) as (reader, writer):
        writer.write(f"GET {path} HTTP/1.1\r\n\r\n".encode())
        return (await reader.read(-1)).partition(b"\r\n\r\n")[2]
