"""Announcing and browsing on this machine, over real multicast on the loopback interface."""

import asyncio
import gc
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest
from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo, AsyncZeroconf

from kimberley.p2p.discovery import mdns
from kimberley.p2p.discovery.mdns import Announcer, Browser, DiscoveredTable, discover, instance_prefix, txt_record
from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.transport.handshake import PeerVersion
from kimberley.p2p.transport.listener import Listener
from kimberley.p2p.transport.table_card import TableCard
from kimberley.protocol.envelope import REVISION
from tests.support.announced import Announcements
from tests.support.asyncs import run, until

LOOPBACK = "127.0.0.1"
HERE = [LOOPBACK]


class Table:
    """As much of a table as discovery needs."""

    def __init__(self, nickname: str) -> None:
        identity = Identity.fresh()
        self.card = TableCard(identity.public, nickname, "stones", 3, 1, 2, PeerVersion.own())
        self.door = Listener(identity, lambda channel: None, lambda: self.card)

    async def open(self) -> Announcer:
        await self.door.open(0, LOOPBACK)
        return Announcer(self.door.port, self.card, HERE)


@asynccontextmanager
async def table(nickname: str) -> AsyncIterator[Table]:
    here = Table(nickname)
    async with await here.open() as announcer:
        assert announcer.problem is None
        yield here
    await here.door.close()


def find(browser: Browser, nickname: str) -> DiscoveredTable | None:
    """Finds a table: other tests, and other programs, may announce tables at the same time."""
    return next((found for found in browser.found if found.card.nickname == nickname), None)


@pytest.mark.slow
def test_tables_are_listed_as_they_come_and_go() -> None:
    async def play() -> None:
        changes: list[tuple[str, str]] = []
        async with table("early"), Browser(HERE) as browser:
            assert browser.problem is None
            browser.subscribe(lambda listing: changes.append((listing.what, listing.found.card.nickname)))
            await until(lambda: find(browser, "early"))
            async with table("late") as late:
                await until(lambda: find(browser, "late"))
                found = find(browser, "late")
                assert found is not None
                assert found.card == late.card
                assert (found.host, found.port, found.address) == (
                    LOOPBACK,
                    late.door.port,
                    f"{LOOPBACK}:{late.door.port}",
                )
                assert found.open == 1
                assert found.name.startswith(instance_prefix(late.card.identity))
                late.card = replace(late.card, taken=2)
                late.door.update_card()
                await until(lambda: ("changed", "late") in changes)
                assert find(browser, "late") is not None
            await until(lambda: ("went", "late") in changes)
            assert find(browser, "late") is None
            assert find(browser, "early") is not None
        own = [change for change in changes if change[1] == "late"]
        assert own == [("came", "late"), ("changed", "late"), ("went", "late")]

    run(play())


HOST = """
import asyncio, sys
from tests.p2p.discovery.test_discovery import table
async def host():
    async with table("doomed"):
        print("ready", flush=True)
        await asyncio.sleep(60)
asyncio.run(host())
"""


@pytest.mark.slow
def test_a_killed_host_goes_from_the_list_although_it_said_no_goodbye() -> None:
    async def play() -> None:
        process = await asyncio.create_subprocess_exec(sys.executable, "-c", HOST, stdout=subprocess.PIPE)
        try:
            assert process.stdout is not None
            assert await process.stdout.readline() == b"ready\n"
            async with Browser(HERE) as browser:
                await until(lambda: find(browser, "doomed"))
                found = find(browser, "doomed")
                assert found is not None
                os.kill(process.pid, signal.SIGKILL)
                await until(lambda: find(browser, "doomed") is None, 5)
                # mDNS still announces it; the list knows better, and says so.
                await until(lambda: found.name in browser.silent, 10)
        finally:
            if process.returncode is None:
                process.kill()
            await process.wait()

    run(play())


@pytest.mark.slow
def test_a_host_that_froze_goes_from_the_list_and_comes_back() -> None:
    async def play() -> None:
        process = await asyncio.create_subprocess_exec(sys.executable, "-c", HOST, stdout=subprocess.PIPE)
        try:
            assert process.stdout is not None
            await process.stdout.readline()
            async with Browser(HERE) as browser:
                await until(lambda: find(browser, "doomed"))
                os.kill(process.pid, signal.SIGSTOP)
                await until(lambda: find(browser, "doomed") is None)
                os.kill(process.pid, signal.SIGCONT)
                await until(lambda: find(browser, "doomed"))
        finally:
            process.kill()
            await process.wait()

    run(play())


@pytest.mark.slow
def test_a_live_table_stays_listed_when_mdns_loses_it() -> None:
    async def play() -> None:
        here = Table("steady")
        announcer = await here.open()
        async with Browser(HERE) as browser:
            async with announcer:
                await until(lambda: find(browser, "steady"))
            # The goodbye is out, and the table is still there.
            await until(lambda: not any(announcer.name in name for name in browser.announced))
            await asyncio.sleep(mdns.PING_SECONDS * 2)
            assert find(browser, "steady") is not None
            await here.door.close()
            await until(lambda: find(browser, "steady") is None)
            await until(lambda: not any(announcer.name in name for name in browser.watched))

    run(play())


@pytest.mark.slow
def test_what_is_announced_and_does_not_answer_is_not_listed() -> None:
    async def play() -> None:
        here = Table("behind a wall")
        announcer = await here.open()
        await here.door.close()
        async with announcer, Browser(HERE) as browser:
            await until(lambda: announcer.name in browser.silent)
            assert find(browser, "behind a wall") is None

    run(play())


def hasten(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets browsers look and forget within seconds."""
    monkeypatch.setattr(mdns, "RETRY_SECONDS", (0.2,))
    monkeypatch.setattr(mdns, "ASK_SECONDS", 0.3)
    monkeypatch.setattr(mdns, "FORGET_SECONDS", 1.5)


@pytest.mark.slow
def test_a_host_that_was_killed_is_soon_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    hasten(monkeypatch)

    async def play() -> None:
        process = await asyncio.create_subprocess_exec(sys.executable, "-c", HOST, stdout=subprocess.PIPE)
        try:
            assert process.stdout is not None
            await process.stdout.readline()
            async with Browser(HERE) as browser:
                await until(lambda: find(browser, "doomed"))
                found = find(browser, "doomed")
                assert found is not None
                os.kill(process.pid, signal.SIGKILL)
                await until(lambda: found.name in browser.silent)
                await until(lambda: found.name not in browser.silent)
                assert any(found.name in name for name in browser.announced), "it would be found if it came back"
        finally:
            await process.wait()

    run(play())


@pytest.mark.slow
def test_a_host_behind_a_firewall_is_told_of_for_as_long_as_it_announces_its_table(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    hasten(monkeypatch)

    async def play() -> None:
        here = Table("behind a wall")
        announcer = await here.open()
        await here.door.close()
        async with announcer, Browser(HERE) as browser:
            await until(lambda: announcer.name in browser.silent)
            end = asyncio.get_running_loop().time() + 2 * mdns.FORGET_SECONDS
            while asyncio.get_running_loop().time() < end:
                assert announcer.name in browser.silent
                await asyncio.sleep(0.05)
            await announcer.close()
            await until(lambda: announcer.name not in browser.silent)

    run(play())


@pytest.mark.slow
def test_a_new_joiner_sees_what_is_there() -> None:
    async def play() -> None:
        async with table("there"):
            found, problem = await discover(2, HERE)
            assert problem is None
            assert "there" in [entry.card.nickname for entry in found]

    run(play())


@pytest.mark.slow
def test_two_tables_of_one_nickname_are_both_listed() -> None:
    async def play() -> None:
        async with table("twin") as one, table("twin") as other, Browser(HERE) as browser:
            both = {one.card.identity, other.card.identity}
            await until(lambda: both <= {found.card.identity for found in browser.found})

    run(play())


@pytest.mark.slow
def test_the_announcement_says_what_the_design_asks() -> None:
    async def play() -> None:
        here = Table("ana")
        async with await here.open() as announcer:
            zeroconf = AsyncZeroconf(interfaces=HERE)
            info = AsyncServiceInfo(mdns.SERVICE, f"{announcer.name}.{mdns.SERVICE}")
            assert await info.async_request(zeroconf.zeroconf, 5000)
            assert info.port == here.door.port
            assert info.properties == {
                b"txtvers": b"1",
                b"revisions": b"%d" % REVISION,
                b"game": b"stones",
                b"rules": b"3",
                b"open": b"1",
                b"nickname": b"ana",
                b"fingerprint": here.card.identity.hex()[:4].encode(),
            }
            await announcer.update(replace(here.card, taken=2))

            def open_seats() -> bytes | None:
                fresh = AsyncServiceInfo(mdns.SERVICE, f"{announcer.name}.{mdns.SERVICE}")
                fresh.load_from_cache(zeroconf.zeroconf)
                return fresh.properties.get(b"open")

            await until(lambda: open_seats() == b"0")
            await zeroconf.async_close()
        await here.door.close()

    run(play())


def test_text_entries_fit_their_records() -> None:
    card = TableCard(bytes(32), "ж" * 24, "g" * 40, 1, 1, 2, PeerVersion((1,), "1"))
    assert all(len(key) + 1 + len(value) <= mdns.TXT_BYTES for key, value in txt_record(card).items())


def test_two_tables_of_one_identity_have_two_names() -> None:
    card = Table("ana").card
    names = {Announcer(1, card).name for _ in range(20)}
    assert len(names) == 20
    assert all(name.startswith(instance_prefix(card.identity)) for name in names)


def test_no_network_is_a_sentence() -> None:
    async def play() -> None:
        nowhere = ["198.51.100.77"]
        async with Announcer(1, Table("ana").card, nowhere) as announcer, Browser(nowhere) as browser:
            for problem in (announcer.problem, browser.problem):
                assert problem is not None
                assert problem.startswith("Tables on this network cannot be found automatically (")
                assert "You can still join by address." in problem
            await announcer.update(Table("ana").card)
            assert browser.found == ()
        found, problem = await discover(1, nowhere)
        assert found == ()
        assert problem is not None

    run(play())


@pytest.mark.slow
def test_a_browser_may_be_left_at_any_moment(caplog: pytest.LogCaptureFixture) -> None:
    async def play() -> None:
        async with table("there"):
            for hundredths in range(0, 30, 6):
                async with Browser(HERE):
                    await asyncio.sleep(hundredths / 100)
        gc.collect()

    run(play())
    assert [record.getMessage() for record in caplog.records if record.levelname == "ERROR"] == []


@pytest.mark.parametrize("turns", range(6))
def test_what_is_opened_is_closed_in_a_canceled_task_too(turns: int) -> None:
    opened: list[AsyncZeroconf] = []

    async def ask() -> None:
        opened.append(await mdns.open_multicast(HERE, alone=True))
        browser = AsyncServiceBrowser(opened[0].zeroconf, mdns.SERVICE, handlers=[lambda **_: None])
        try:
            await asyncio.Event().wait()
        finally:
            await mdns.close_multicast(opened[0], browser)

    async def play() -> None:
        asking = asyncio.ensure_future(ask())
        while not opened:  # noqa: ASYNC110 - each turn of the loop counts
            await asyncio.sleep(0)
        for _ in range(turns):
            await asyncio.sleep(0)
        asking.cancel()
        await asyncio.wait([asking])
        assert opened[0].zeroconf.done

    run(play())


def test_an_announcement_that_comes_while_a_browser_is_left_starts_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    network = Announcements(monkeypatch)

    async def play() -> None:
        async with Browser(HERE):
            before = asyncio.all_tasks()
            network.announce("early")
            assert len(asyncio.all_tasks() - before) == 1
        before = asyncio.all_tasks()
        network.announce("late")
        assert asyncio.all_tasks() == before

    run(play())
