"""The page of a seat in Chromium is killed in each phase of a game, and opened again: the seat goes on."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from pathlib import Path

import pytest
from playwright.async_api import BrowserContext

from kimberley.games.bots.levels import make_bot
from kimberley.games.lookup import find
from kimberley.games.table import Decide, Observation, Together
from kimberley.p2p.table.table import Table
from kimberley.protocol.audit import verify
from tests.support.asyncs import until
from tests.support.browser_seat import PATIENCE, BotPage, ServedTable, bot_program, served_table
from tests.support.chromium import Chromium
from tests.support.effort import tries
from tests.support.signed_once import SignedOnce, sent_envelope
from tests.support.web_seat import Between, hostile_host, nothing, passes

pytestmark = pytest.mark.e2e

GAME = find("diamond-trust")
EVERY_MOMENT = tries(False, True)
"""Whether the page is also killed where it is reloaded or crashes, and when its audit is made."""


class Game:
    """A host in this process, which does what the test says, and the page of the other seat."""

    def __init__(self, context: BrowserContext, served: ServedTable, between: Between) -> None:
        self.host: Table = served.table
        self.page: BotPage
        self.link = served.link.replace("#", "?told#")
        self._context, self._between = context, between
        self._bot = make_bot(GAME, 1, 3)

    async def open(self, *, resumed: bool, hears: int | None = None) -> None:
        """Opens the page. It hears everything from the host again, or at most so many envelopes."""
        self._between.received = passes
        if hears is not None:
            self.hear_at_most(hears)
        self.page = await BotPage.open(self._context, self.link)
        assert (await self.page.heard("seated"))["resumed"] == resumed

    async def reload(self) -> None:
        self._between.received = passes
        self.page.forget()
        await self.page.page.reload()
        assert (await self.page.heard("seated"))["resumed"]

    async def kill(self) -> None:
        """Closes the tab."""
        assert self.page.errors == []
        await self.page.page.close()
        await self._lost()

    async def crash(self) -> None:
        """Ends the process of the tab."""
        crashed = asyncio.Event()
        self.page.page.on("crash", lambda _page: crashed.set())
        session = await self._context.new_cdp_session(self.page.page)
        crashing = asyncio.ensure_future(session.send("Page.crash"))
        await crashed.wait()
        crashing.cancel()
        await self.kill()

    async def _lost(self) -> None:
        await until(lambda: self.host.phase in ("open", "done") or self.host.reconnection.away, PATIENCE)

    def hear_at_most(self, envelopes: int) -> None:
        """Lets the page hear so many envelopes of the host, and then nothing more."""
        left = envelopes

        def gate(message: bytes) -> Iterable[bytes]:
            nonlocal left
            left -= sent_envelope(message) is not None
            if left < 0:
                self._between.received = nothing
            return (message,) if left >= 0 else ()

        self._between.received = gate

    async def slot(self, *slot: int) -> None:
        """Waits until the host is at this step and stage, or later."""
        await until(lambda: self.host.peer is not None and self.host.peer.slot >= slot, PATIENCE)

    async def page_agrees(self) -> None:
        """Has the page say that the four words are the same. Waits until the host hears it."""
        await self.page.heard("phase", lambda told: told["phase"] == "words")
        await self.page.tell("same")
        await until(lambda: self.host.words.agreed == (False, True), PATIENCE)

    async def host_chooses(self) -> None:
        await until(lambda: self.host.peer is not None and self.host.peer.asked is not None, PATIENCE)
        assert self.host.peer is not None
        self.host.play.choose(self._bot.choose(Observation(0, self.host.peer.state, self.host.peer.story)))

    async def page_chooses(self) -> int:
        """Has the page make its choice, and waits until the host hears of it. Returns the step."""
        await self.page.tell("choose")
        step: int = (await self.page.heard("chose"))["step"]
        await until(lambda: self.host.peer is not None and self.host.peer.waiting == (0,), PATIENCE)
        return step

    async def asked(self) -> int:
        """Returns the step of the choice that the page shows, once it does."""
        step: int = (await self.page.heard("phase", lambda told: told["step"] > 0))["step"]
        return step

    async def asked_next(self) -> int:
        """Returns the same, while the host makes what choices it has alone: it may be the one who sends the
        Inspector.
        """
        asked, chosen = asyncio.ensure_future(self.asked()), set[int]()

        def alone() -> bool:
            peer = self.host.peer
            return (
                peer is not None
                and isinstance(peer.ask, Decide)
                and peer.asked is not None
                and peer.slot[0] not in chosen
            )

        while not asked.done():
            await until(lambda: asked.done() or alone(), PATIENCE)
            if alone():
                assert self.host.peer is not None
                chosen.add(self.host.peer.slot[0])
                await self.host_chooses()
        return await asked

    async def nothing_asked(self) -> None:
        """Waits until the page has answered what it was asked before, and is waiting."""
        assert (await self.page.heard("phase"))["step"] == 0


@pytest.mark.nightly
def test_a_page_that_is_killed_in_any_phase_takes_its_seat_again(chromium: Chromium, tmp_path: Path) -> None:
    async def visit(context: BrowserContext) -> None:
        watch = SignedOnce()
        with hostile_host(watch) as between:
            async with served_table(GAME, tmp_path, bot_program(), headless=False) as served:
                game = Game(context, served, between)
                await words(game)
                await first_month(game)
                await closing(game)
                over = await game.page.heard("over")
                # Before it says anything more, it has stored that the game is over.
                said = watch.messages
                await until(lambda: watch.messages > said + 1)
                await game.kill()
                # The game is over, and the record is kept.
                game.page = await BotPage.open(context, game.link)
                told = await game.page.heard("no seat")
                assert "The game at this table is over." in told["text"]
                assert told["records"] == 1
                assert served.table.ending.record is not None
                record = served.table.ending.record.read_bytes()
                assert bytes(over["record"]) == record
                assert verify(record, lambda _: GAME).code == "fair"
                assert watch.twice == []
                assert watch.count > 8

    chromium.run(visit)


async def words(game: Game) -> None:
    """Kills the page while the words are compared, before and after its player has said that they are the same."""
    host = game.host
    await game.open(resumed=False)
    await until(lambda: host.phase == "words", PATIENCE)
    before = host.words.phrase
    if EVERY_MOMENT:
        await game.kill()
        await game.open(resumed=False)
        await until(lambda: host.phase == "words" and host.words.phrase != before, PATIENCE)
        before = host.words.phrase
    await game.page_agrees()
    await game.crash()
    # The host has not begun that game: the page sits down again.
    await game.open(resumed=False)
    await until(lambda: host.phase == "words", PATIENCE)
    assert host.words.phrase != before
    await game.page_agrees()


async def first_month(game: Game) -> None:
    """Kills the page during chance, at an open choice, and at one that is made: sealed, and being opened."""
    host = game.host
    # Its share of the lot has left, and the host's has not come.
    game.hear_at_most(1)
    host.words.answer(True)
    await game.slot(2, 0)
    await game.reload()
    pay = await game.asked()
    if EVERY_MOMENT:
        await game.kill()
        await game.open(resumed=True)
        assert await game.asked() == pay
    assert pay == 2
    assert await game.page_chooses() == pay
    await game.kill()
    await game.open(resumed=True)
    await game.nothing_asked()
    await game.host_chooses()
    while True:
        step = await game.asked()
        assert host.peer is not None
        if isinstance(host.peer.ask, Together):
            break
        await game.page_chooses()
        game.page.forget()
        await game.host_chooses()
    await game.page_chooses()
    # The page hears what the host has committed to, opens its own choice, and does not hear the host's.
    game.hear_at_most(1)
    await game.host_chooses()
    await game.slot(step + 1, 0)
    await game.kill()
    await game.open(resumed=True)
    await game.nothing_asked()
    assert await game.asked_next() > step


async def closing(game: Game) -> None:
    """Has the host resign. Kills the page when it has shown its seed, and when its audit is made."""
    host = game.host
    # The page hears that the host resigns and closes, but not what it shows.
    game.hear_at_most(2)
    host.play.resign()
    await until(lambda: host.phase == "closing" and host.peer is not None and host.peer.slot[1] == 2, PATIENCE)
    await game.kill()
    if EVERY_MOMENT:
        # It hears what the host shows, but not its verdict.
        await game.open(resumed=True, hears=1)
        await until(lambda: host.phase == "done", PATIENCE)
        await game.kill()
    await game.open(resumed=True)
    await game.page.tell("play")
