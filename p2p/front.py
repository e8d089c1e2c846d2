"""What a host shows to the network: an open door, and an announcement of it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection

from p2p.address import own_addresses, show
from p2p.card import Card
from p2p.channel import Channel
from p2p.discovery import Announcer
from p2p.door import Door, Limits
from p2p.identity import Identity
from p2p.tasks import Tasks
from p2p.trouble import Trouble


class Front:
    """`welcome` is given each channel through the door; `announced` is told once what keeps others from finding the
    table by itself, or None; `expected` names the addresses of those who may come back.
    """

    def __init__(
        self,
        identity: Identity,
        welcome: Callable[[Channel], None],
        card: Callable[[], Card],
        announced: Callable[[str | None], None],
        limits: Limits | None = None,
        expected: Callable[[], Collection[str]] = tuple,
    ) -> None:
        self._card = card
        self._announced = announced
        self._door = Door(identity, welcome, card, expected, limits=limits)
        self._announcer: Announcer | None = None
        self._starting: asyncio.Task[None] | None = None
        self._tasks = Tasks()

    async def open(self, port: int | None, bind: str | None, *, announce: bool) -> None:
        """Listens, at `bind` only if that is given, and begins to announce. Raises Trouble."""
        await self._door.open(port, bind)
        if announce:
            self._announcer = Announcer(self._door.port, self._card(), None if bind is None else [bind])
            self._starting = self._tasks.start(self._announce(self._announcer))

    async def reopen(self, port: int, bind: str | None) -> None:
        """Listens where it did before, or else at any port that is free, and announces nothing. Raises Trouble."""
        try:
            await self._door.open(port, bind)
        except Trouble:
            await self._door.open(0, bind)

    @property
    def port(self) -> int:
        """Where the door is."""
        return self._door.port

    @property
    def addresses(self) -> tuple[str, ...]:
        """What others may type to join, the likeliest first."""
        return tuple(show(address, self._door.port) for address in own_addresses())

    def changed(self) -> None:
        """The card says something else."""
        self._door.changed()
        if self._announcer is not None:
            self._tasks.start(self._announcer.update(self._card()))

    async def close(self) -> None:
        """Lets nobody in any more, and says goodbye to the network."""
        await self._door.close()
        if self._announcer is not None and self._starting is not None:
            await asyncio.wait([self._starting])
            await self._announcer.close()
        await self._tasks.settle()

    async def _announce(self, announcer: Announcer) -> None:
        await announcer.start()
        self._announced(announcer.problem)
