"""A seat in a page, without a browser: whole games on its platform, and all is there when the page is opened again."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from kimberley.client.browser import seat
from kimberley.client.browser.page_services import PageServices
from kimberley.client.browser.platform import PULSE_SECONDS
from kimberley.client.browser.seat import open_seat
from kimberley.client.session.bots import drive
from kimberley.games.bots.levels import make_bot
from kimberley.p2p.base import platform
from kimberley.p2p.base.errors import UserError
from kimberley.p2p.table.table import Table
from kimberley.protocol.crypto import backend
from kimberley.protocol.crypto.wasm_sodium import libsodium_of
from kimberley.protocol.log import full_story, reexecute
from tests.support.asyncs import run
from tests.support.cards import FEW_CARDS
from tests.support.pretend_browser import PretendBrowser, PretendDatabase
from tests.support.stones import STONES
from tests.support.tables import seated


@pytest.fixture(autouse=True)
def as_before(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Makes sure that this process is no page after the test."""
    monkeypatch.setattr("threading.Thread.start", lambda self: pytest.fail("a page has no threads"))
    former = platform.set_platform(platform.SystemPlatform())
    yield
    platform.set_platform(former)
    backend.bring(None)


async def played(services: PageServices) -> Table:
    table = await services.alone(STONES.id, {"last_look": 0}, 2, 1)
    table.seating.ready(True)
    await drive(table, make_bot(STONES, 1, 1))
    return table


def test_a_game_in_the_page_is_there_when_it_is_opened_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kimberley.games.lookup.find", lambda _: STONES)
    monkeypatch.setattr("kimberley.client.session.bots.LOOK_SECONDS", 0.0)
    kept = PretendDatabase()

    async def first() -> bytes:
        services, message = await open_seat(PretendBrowser(kept), tmp_path / "one")
        assert (message["name"], services.settings.nickname) == ("guest", "guest")
        table = await played(services)
        record = table.ending.record
        assert record is not None
        await platform.in_background(lambda: None)
        table.departures.leave()
        await services.close()
        return record.read_bytes()

    async def again() -> None:
        services, _ = await open_seat(PretendBrowser(kept), tmp_path / "two")
        (game,) = await services.records()
        assert game.path.read_bytes() == record
        assert (await services.verify(game)).finding.verdict == "fair"  # type: ignore[union-attr]

    record = run(first())
    run(again())


def test_long_computing_lets_happen_what_cannot_wait(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def story() -> None:
        await open_seat(PretendBrowser(), tmp_path)
        calls: list[float] = []
        stop = platform.while_busy(lambda: calls.append(clock[0]))
        clock = [time.monotonic()]
        monkeypatch.setattr("time.monotonic", lambda: clock[0])
        group = backend.group()
        for number in range(30):
            clock[0] += 0.1
            group.base(1_000_000 + number)
        assert 4 <= len(calls) <= 6
        stop()
        clock[0] += 9
        group.base(2_000_000)
        assert len(calls) <= 6

    run(story())


def test_the_audit_lets_it_happen_though_it_computes_nothing_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wire = seated(FEW_CARDS, 3)
    wire.run()
    clock = [time.monotonic()]

    def later() -> float:
        clock[0] += 2 * PULSE_SECONDS
        return clock[0]

    async def story() -> None:
        # The results of what a seat has checked before are known: libsodium must not be called at all.
        monkeypatch.setattr(seat, "libsodium_of", lambda module, _pulse: libsodium_of(module, lambda: None))
        await open_seat(PretendBrowser(), tmp_path)
        calls: list[float] = []
        platform.while_busy(lambda: calls.append(clock[0]))
        monkeypatch.setattr("time.monotonic", later)
        own = wire.peers[0]
        plays = []
        for who in own.shown:
            calls.clear()
            plays.append(reexecute(own.game, own.table, own.log, who, *own.shown[who]).play)
            assert len(calls) >= len(own.log)
        calls.clear()
        assert len(full_story(plays)) == len(own.story) <= len(calls)

    run(story())


def test_a_page_neither_hosts_nor_looks_around(tmp_path: Path) -> None:
    async def story() -> None:
        services, _ = await open_seat(PretendBrowser(), tmp_path)
        for asked in (services.host("diamond", {}, 2), services.spectate("ana")):
            with pytest.raises(UserError, match="serves it"):
                await asked
        services.watch(lambda: None)()
        assert services.nearby().tables == ()
        assert await services.addresses() == ()
        with pytest.raises(OSError, match="only connect to the host"):
            await platform.listen(asyncio.Protocol, None, 0)

    run(story())
