"""Spectators of an evening, who attest whom they find silent."""

from __future__ import annotations

import asyncio
import contextlib
from random import Random
from typing import TYPE_CHECKING

from kimberley.p2p.base.errors import UserError
from kimberley.p2p.base.tasks import BackgroundTasks
from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.table.spectator_client import SpectatorClient
from kimberley.p2p.transport.address import format_address

if TYPE_CHECKING:
    from tests.simulation.evenings.evening import Evening


class Spectator:
    """Watches one table after the other, each at a seat of its choice."""

    def __init__(self, evening: Evening, identity: Identity, rng: Random) -> None:
        self.attested: list[tuple[bytes, bytes]] = []
        """Whom it has attested to be silent, each with the game."""
        self._evening = evening
        self._identity = identity
        self._rng = rng
        self._tasks = BackgroundTasks()
        evening.wires.add_host(identity.public)

    def start(self) -> None:
        self._tasks.start(self._live())

    async def close(self) -> None:
        self._tasks.cancel()
        await self._tasks.wait()

    async def _live(self) -> None:
        while True:
            doors = [door for one in self._evening.server.referees.values() for door in one.addresses.values()]
            if doors:
                with contextlib.suppress(UserError):
                    await self._watch(format_address(*self._rng.choice(doors)))
            await asyncio.sleep(self._rng.uniform(1, 5))

    async def _watch(self, where: str) -> None:
        watch = await SpectatorClient.open(where, lambda _: self._evening.game, identity=self._identity)
        try:
            for _ in range(self._rng.choice((30, 60, 120))):
                await asyncio.sleep(1.0)
                if watch.problem is not None:
                    return
                if watch.silent:
                    own = watch.attest()
                    record = await watch.record()
                    if record is not None:
                        people = [seat.identity for seat in record.table.roster.seats]
                        self.attested += [(people[seat], record.table.game_id) for seat in own.absent]
        finally:
            await watch.close()
