"""Shares this program with friends who have no copy and are to join one table, for as long as the table is open."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from kimberley.client.session.interfaces import SharingLike
from kimberley.client.session.services import Services
from kimberley.p2p.base.backoff import retry
from kimberley.p2p.base.platform import in_background

if TYPE_CHECKING:
    from kimberley.client.session.copy_offer import CopyOffer
    from kimberley.p2p.table.table import Table

TRUST: Final = "Guests run the program from your computer, so they must trust you."
NEARBY: Final = "The line and the page work on your network only."
AGAIN_SECONDS: Final = (1.0, 2.0, 5.0)
"""Seconds between attempts to serve a page that seats at a resumed table need."""
ENDED: Final = "Sharing has stopped. Anyone who has a copy keeps it."

INVITATION: Final = (
    "Your friend needs Python 3.11 or newer and types this line in a terminal (on Windows, py instead of python3):"
)


def offer_lines(offer: CopyOffer, *, far: bool = False) -> list[str]:
    """Returns what a friend must know besides the line to type, in sentences. `far` if the table can also be joined
    from other networks, where no copy can be fetched.
    """
    play = f"Your friend can play in the browser here: {offer.play}" if offer.play is not None else offer.without
    return [
        f"To check the hash of the line, read these words to your friend: {', '.join(offer.words)}.",
        f"The line and the words are on this page: {offer.site}",
        *([play] if play else []),
        f"Firewall: {offer.firewall}.",
        TRUST,
        *([NEARBY] if far else []),
    ]


class TableSharing:
    """Serves this program from when the host asks for it until the host stops it or the table closes."""

    def __init__(
        self, table: Table, services: Services, picture: Callable[[], str], changed: Callable[[], None]
    ) -> None:
        """Starts nothing yet.

        Args:
            table: The table that friends join.
            services: What serves the program.
            picture: Makes what the page shows of the game, as SVG. Called in the background.
            changed: Called whenever `offer` or `preparing` has changed.

        """
        self.offer: CopyOffer | None = None
        """What to show to a friend; None while nothing is shared."""
        self.unasked = False
        """Whether this is served for the code on the table's screen alone: the host has not asked for it."""
        self.refused = False
        """Whether the host has stopped it: it no longer begins by itself."""
        self._table, self._services, self._picture, self._changed = table, services, picture, changed
        self._sharing: SharingLike | None = None
        self._starting: asyncio.Task[object] | None = None
        self._resuming: asyncio.Task[object] | None = None

    @property
    def preparing(self) -> bool:
        """Returns whether the file is being built, which takes seconds."""
        return self._starting is not None

    @property
    def is_shared(self) -> bool:
        """Returns whether a copy is shared, or will be in a moment."""
        return self.preparing or self.offer is not None

    @property
    def is_asked(self) -> bool:
        """Returns whether the host has asked for what is shared."""
        return self.is_shared and not self.unasked

    async def start(self) -> None:
        """Builds the file and serves it, unless that has begun. `stop` cancels it. Raises UserError."""
        if self._sharing is not None or self._starting is not None:
            return
        self._starting = asyncio.current_task()
        self._changed()
        try:
            self._sharing = await self._services.share(self._table, await in_background(self._picture))
            self.offer = self._sharing.offer()
        finally:
            self._starting = None
            self._changed()

    async def resume(self, failed: Callable[[str], None]) -> None:
        """Serves the page again to the seats in it, which can come back no other way, as soon as it can be served: the
        network or the port may not be there yet. Calls `failed` with each new reason why it is not.
        """
        self._resuming = asyncio.current_task()
        try:
            await retry(self.start, AGAIN_SECONDS, failed)
        finally:
            self._resuming = None

    async def stop(self) -> None:
        """Ends all downloads, and stops serving."""
        for task in {self._starting, self._resuming}:
            if task is not None:
                task.cancel()
        sharing, self._sharing, self.offer = self._sharing, None, None
        if sharing is not None:
            await sharing.close()
            self._changed()
