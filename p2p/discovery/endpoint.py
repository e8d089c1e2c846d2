"""What a host shows to the network: a listener and its announcement."""

from __future__ import annotations

from collections.abc import Callable, Collection

from kimberley.p2p.base.errors import UserError
from kimberley.p2p.base.tasks import BackgroundTasks
from kimberley.p2p.discovery.mdns import Announcer
from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.transport.address import format_address, reachable_at
from kimberley.p2p.transport.channel import Channel
from kimberley.p2p.transport.listener import Listener, ListenerLimits
from kimberley.p2p.transport.table_card import TableCard


class Endpoint:
    """A listener and the announcement of it on the local network (SPEC.md, section 6)."""

    def __init__(
        self,
        identity: Identity,
        welcome: Callable[[Channel], None],
        card: Callable[[], TableCard],
        announced: Callable[[str | None], None],
        limits: ListenerLimits | None = None,
        expected: Callable[[], Collection[str]] = tuple,
    ) -> None:
        """Prepares an endpoint, which `open` or `reopen` starts.

        Args:
            identity: The identity that the listener proves in the handshake.
            welcome: Called with each channel after its handshake.
            card: Returns the card to show to others.
            announced: Called once with the reason why others cannot discover the table, or None if they can.
            limits: Limits for strangers; None for the defaults.
            expected: Returns the addresses of peers that may come back.
        """
        self._card = card
        self._on_announced = announced
        self._listener = Listener(identity, welcome, card, expected, limits=limits)
        self._bind: str | None = None
        self._announcer: Announcer | None = None
        self._tasks = BackgroundTasks()

    async def open(self, port: int | None, bind: str | None, *, announce: bool) -> None:
        """Starts to listen (only at `bind`, if given) and to announce. Raises UserError."""
        self._bind = bind
        await self._listener.open(port, bind)
        if announce:
            self._announcer = Announcer(self._listener.port, self._card(), None if bind is None else [bind])
            self._tasks.start(self._announce(self._announcer))

    async def reopen(self, port: int, bind: str | None) -> None:
        """Listens at the previous port, or at any free one if that is taken. Announces nothing. Raises UserError."""
        self._bind = bind
        try:
            await self._listener.open(port, bind)
        except UserError:
            await self._listener.open(0, bind)

    @property
    def port(self) -> int:
        """The port it listens at."""
        return self._listener.port

    @property
    def addresses(self) -> tuple[str, ...]:
        """What others can type to join, the likeliest first."""
        return tuple(format_address(address, self._listener.port) for address in reachable_at(self._bind))

    def update_card(self) -> None:
        """Shows the changed card to everybody."""
        self._listener.update_card()
        if self._announcer is not None:
            self._tasks.start(self._announcer.update(self._card()))

    def withdraw(self) -> None:
        """Starts to say goodbye to the network, so that nobody else comes. It still listens."""
        if self._announcer is not None:
            self._announcer.withdraw()

    async def close(self) -> None:
        """Says goodbye to the network and stops listening."""
        self.withdraw()
        await self._listener.close()
        if self._announcer is not None:
            await self._announcer.close()
        await self._tasks.wait()

    async def _announce(self, announcer: Announcer) -> None:
        await announcer.start()
        self._on_announced(announcer.problem)
