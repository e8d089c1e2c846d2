"""A host that drops, delays, repeats, reorders and changes what it and a page of Chromium send each other."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.async_api import BrowserContext

from kimberley.client.session.bots import drive
from kimberley.games.bots.levels import make_bot
from kimberley.games.lookup import find
from kimberley.p2p.base.tasks import BackgroundTasks
from kimberley.p2p.table.events import TableEvent
from kimberley.p2p.table.table import Table
from kimberley.protocol.audit import verify
from kimberley.protocol.events import Caught
from tests.support.altered import ALTERED, after, change
from tests.support.asyncs import until
from tests.support.browser_seat import PATIENCE, BotPage, bot_program, served_table
from tests.support.chromium import Chromium
from tests.support.comeback import answers
from tests.support.signed_once import SignedOnce
from tests.support.web_seat import Between, hostile_host, nothing, passes

pytestmark = pytest.mark.e2e

GAME = find("diamond-trust")
LATE = 0.05
"""Seconds that each message of the page takes longer, at first."""


@pytest.mark.nightly
def test_a_page_waits_comes_back_and_ends_fair_whatever_its_host_does_to_messages(
    chromium: Chromium, tmp_path: Path
) -> None:
    async def visit(context: BrowserContext) -> None:
        watch = SignedOnce()
        with hostile_host(watch) as between:
            async with served_table(GAME, tmp_path, bot_program()) as served:
                host, blamed = served.table, list[TableEvent]()
                host.subscribe(lambda event: blamed.append(event) if isinstance(event, Caught) else None)
                page = await seated(context, served.link.replace("#", "?told#"), between, host)
                playing = BackgroundTasks()
                playing.start(drive(host, make_bot(GAME, 1, 3)))
                await page.tell("play")
                await tampered_with(host, between)
                await only_changed(host, page, between, watch)
                host.play.resign()
                between.received = after(1, change, 2)
                over = await page.heard("over")
                await until(lambda: host.phase == "done", PATIENCE)
                await playing.close()
                assert host.ending.record is not None
                record = host.ending.record.read_bytes()
                assert (bytes(over["record"]), over["problem"]) == (record, "")
                assert verify(record, lambda _: GAME).code == "fair"
                assert (watch.twice, blamed, page.errors) == ([], [], [])

    chromium.run(visit)


async def seated(context: BrowserContext, link: str, between: Between, host: Table) -> BotPage:
    """Returns a page that has sat down, after what was done to its first messages."""
    between.received = after(0, change, 1)
    page = await BotPage.open(context, link)
    assert (await page.heard("no seat"))["text"].endswith("Someone may be tampering with the connection: do not play.")
    page.forget()
    # After the hello: what the host says of its table.
    between.received = after(2, change, 1)
    await page.tell("sit")
    assert (await page.heard("no seat"))["text"].endswith("is not the one that the other side signed. Try again.")
    assert len(host.occupants.names) == 1
    # What is lost is sent again.
    between.received = after(0, nothing, 1)
    await page.tell("sit")
    assert not (await page.heard("seated"))["resumed"]
    return page


async def tampered_with(host: Table, between: Between) -> None:
    """Does everything to messages in both directions; each time the game goes on."""
    between.seconds = LATE
    await until(lambda: answers(host) >= 2, PATIENCE)
    between.seconds = 0.0
    for how in ALTERED:
        for direction in ("sent", "received"):
            opened, answered = between.opened, answers(host)
            setattr(between, direction, after(0, ALTERED[how](), 4))
            await until(lambda before=opened: between.opened > before, PATIENCE)  # type: ignore[misc]
            setattr(between, direction, passes)
            await until(lambda before=answered: answers(host) > before, PATIENCE)  # type: ignore[misc]


async def only_changed(host: Table, page: BotPage, between: Between, watch: SignedOnce) -> None:
    """Lets the page hear nothing but changed frames: it signs nothing, tries to come back, and waits."""
    between.received = change
    await until(lambda: host.reconnection.away, PATIENCE)
    signed, tried = watch.count, between.opened
    await until(lambda: between.opened >= tried + 3, PATIENCE)
    assert watch.count == signed
    assert page.latest("phase")["phase"] == "playing"
    between.received = passes
