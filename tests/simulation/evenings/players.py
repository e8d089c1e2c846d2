"""Players of an evening: their real programs, and people who take their time."""

from __future__ import annotations

import asyncio
import contextlib
import shutil
import tempfile
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, nullcontext
from pathlib import Path
from random import Random
from typing import Final

from kimberley.games.table import Game
from kimberley.p2p.base.backoff import Backoff
from kimberley.p2p.base.errors import UserError
from kimberley.p2p.base.tasks import BackgroundTasks
from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.table.table import Table
from kimberley.p2p.tournament.client import TournamentClient
from tests.simulation.evenings.plan import Guest, Plan

AGAIN_SECONDS: Final = (1.0, 2.0, 4.0, 8.0)
"""Time between two attempts to enroll."""
WORDS_SHARE: Final = 0.7
"""The greatest share of the time for the words that an honest person takes."""
CHOICE_SHARE: Final = 0.08
"""The greatest share of its clock that an honest player takes for one choice."""
KILLED_SHARE: Final = 0.5
"""The share of programs that are killed, among those that end before the evening is over."""
AWAY_SECONDS: Final = (0.5, 3.0)
"""Time for a program to be started again."""


@asynccontextmanager
async def killed(folder: Path) -> AsyncIterator[None]:
    """Restores the folder of a program that ends in the block, as if it were killed at the beginning."""
    folder.mkdir(exist_ok=True)  # noqa: ASYNC240
    with tempfile.TemporaryDirectory() as kept:
        shutil.copytree(folder, kept, dirs_exist_ok=True)
        yield
        shutil.rmtree(folder)
        shutil.copytree(kept, folder)


class Player:
    """One player, with the program that it runs."""

    def __init__(
        self,
        guest: Guest,
        plan: Plan,
        identity: Identity,
        data: Path,
        game: Game,
        where: Callable[[], str],
        rng: Random,
    ) -> None:
        self.guest = guest
        self.identity = identity
        self.client: TournamentClient | None = None
        self.rng = rng
        self.plan = plan
        self._data = data
        self._game = game
        self.where = where
        self.tasks = BackgroundTasks()

    @property
    def key(self) -> bytes:
        return self.identity.public

    def start(self) -> None:
        self.tasks.start(self._live())

    async def close(self) -> None:
        self.tasks.cancel()
        await self.tasks.wait()
        if self.client is not None:
            await self.client.close()

    async def _live(self) -> None:
        await asyncio.sleep(self.guest.comes)
        for end in (*self.guest.restarts, None):
            self.client = await self._entered()
            playing = asyncio.create_task(self._play(self.client))
            try:
                async with asyncio.timeout_at(end):
                    await asyncio.shield(playing)
                    return
            except TimeoutError:
                pass
            finally:
                playing.cancel()
                await asyncio.gather(playing, return_exceptions=True)
            async with killed(self._data) if self.rng.random() < KILLED_SHARE else nullcontext():
                await self.client.close()
            await asyncio.sleep(self.rng.uniform(*AWAY_SECONDS))

    async def _entered(self) -> TournamentClient:
        backoff = Backoff(AGAIN_SECONDS)
        while True:
            with contextlib.suppress(UserError):
                return await TournamentClient.enter(
                    self.where(),
                    lambda _: self._game,
                    nickname=self.guest.name,
                    identity=self.identity,
                    data=self._data,
                    headless=not self.guest.person,
                    bind=None,
                    seek=False,
                )
            await asyncio.sleep(backoff.next())

    # -- at its tables -------------------------------------------------------------------------------------------------

    async def _play(self, client: TournamentClient) -> None:
        """Plays at one table after the other, until the tournament is over."""
        stirred = asyncio.Event()
        stop = client.subscribe(lambda _change: stirred.set())
        played: Table | None = None
        playing = BackgroundTasks()
        try:
            while client.phase not in ("over", "withdrawn", "failed"):
                stirred.clear()
                if client.table is not None and client.table is not played:
                    played = client.table
                    playing.cancel()
                    await playing.wait()
                    playing.start(self.sit(played))
                await stirred.wait()
        finally:
            stop()
            await playing.close()

    async def sit(self, table: Table) -> None:
        """Does what is due at one table, each thing a while after it can be done."""
        loop = asyncio.get_running_loop()
        stirred = asyncio.Event()
        stop = table.subscribe(lambda _event: stirred.set())
        thinks_about: object = None
        until = 0.0
        answered: object = None
        try:
            while table.phase not in ("done", "failed"):
                stirred.clear()
                view = table.peer
                due: tuple[object, ...] | None = None
                most = 0.0
                asked = view.asked if view is not None and table.phase == "playing" else None
                if table.phase == "words" and not table.words.agreed[table.occupants.seat]:
                    due, most = ("words", table.game_id), self.plan.come * WORDS_SHARE
                elif asked is not None and ("choice", asked.step, view) != answered:
                    due, most = ("choice", asked.step, view), self.rng.random() * self.plan.clock.main * CHOICE_SHARE
                if due is None:
                    await stirred.wait()
                elif due != thinks_about:
                    thinks_about, until = due, loop.time() + self.guest.slow * most
                elif loop.time() < until:
                    with contextlib.suppress(TimeoutError):
                        async with asyncio.timeout_at(until):
                            await stirred.wait()
                elif asked is None:
                    table.words.answer(True)
                    await asyncio.sleep(0)
                else:
                    answered = due
                    table.play.choose(asked.space.pick(self.rng))
        finally:
            stop()
