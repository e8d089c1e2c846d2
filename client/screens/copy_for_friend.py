"""What the host of an open table does about a friend who has no copy of the program (`session.table_sharing`)."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Final

from kimberley.client.screens.copy_panel import LINK_KEY
from kimberley.client.screens.shell import Shell
from kimberley.client.session.table_sharing import ENDED
from kimberley.client.ui.keys import Hint
from kimberley.client.ui.screen import Section
from kimberley.p2p.base.errors import UserError
from kimberley.p2p.sharing.one_line import CommandShell

if TYPE_CHECKING:
    from kimberley.client.session.copy_offer import CopyOffer
    from kimberley.client.session.table_sharing import TableSharing

PAGE_PLAYS: Final = (
    "The QR code next to it opens a page where your friend can play on a phone. l copies the link to that page."
)
PAGE_HELPS: Final = (
    "The QR code next to it opens a page with the line to copy and eight words for checking it. Press l to see how "
    "your friend could play in a browser."
)


class CopyForFriend:
    """Starts and stops sharing, and gives what the friend needs."""

    def __init__(self, shell: Shell, sharing: TableSharing, copy: Callable[[str], None]) -> None:
        """Takes `copy`, which puts a text on the clipboard."""
        self._shell, self._sharing, self._copy = shell, sharing, copy
        self._hidden = sharing.unasked
        """Whether the table is shown although a copy is shared."""

    @property
    def link(self) -> str | None:
        """Returns the link by which a phone joins the table; None if no page is served."""
        return self._sharing.offer.play if self._sharing.offer is not None else None

    async def serve(self) -> None:
        """Serves the page from the start, so that the code on the table's screen is a link. If that fails, the code
        holds the command, and nothing is said: nobody has asked yet.
        """
        if self._sharing.is_shared or self._sharing.refused:
            return
        self._hidden = self._sharing.unasked = True
        with suppress(UserError):
            await self._sharing.start()

    @property
    def shows(self) -> bool:
        """Returns whether what is shared is shown in place of the table."""
        return self._sharing.is_shared and not self._hidden

    @property
    def line(self) -> str | None:
        """Returns what the friend types; None if it is not there yet."""
        offer = self._sharing.offer
        return offer.lines[CommandShell.SH] if offer is not None else None

    @property
    def stop_label(self) -> str:
        """Returns the label of the button that ends it."""
        return "Stop sharing" if self._sharing.offer is not None else "Cancel"

    def help(self) -> Section:
        """Returns what F1 says about it."""
        return Section(
            "A friend without Kimberley",
            "f shows one line that your friend types in a terminal with Python 3.11 or newer. The line fetches the "
            "program from you, checks its hash, and joins your table. y copies the line. "
            f"{PAGE_HELPS if self.link is None else PAGE_PLAYS} Esc returns to the table. The line works until you "
            "stop sharing or close the table. Your friend must trust your copy of the program.",
        )

    def hints(self) -> list[Hint]:
        """Returns the keys while it is shown."""
        offer = self._sharing.offer
        return [
            *([Hint("y", "copy the line")] if offer else []),
            *([Hint(LINK_KEY, "copy the link")] if offer and offer.play else []),
            Hint("f", self.stop_label.lower()),
            Hint("Esc", "back"),
        ]

    def key(self, name: str, *, may_start: bool) -> bool:
        """Handles a key; one can start sharing only if `may_start`. Returns False if the key means nothing here."""
        offer = self._sharing.offer
        match name:
            case "esc" if self.shows:
                self._hidden = True
            case _ if name == LINK_KEY and self.shows and offer is not None:
                self._give_link(offer)
            case "f" if self._sharing.is_shared and self._hidden:
                self._hidden = self._sharing.unasked = False
            case "f" if may_start:
                self._shell.start(self._share())
            case _:
                return False
        return True

    def _give_link(self, offer: CopyOffer) -> None:
        """Copies the link for joining in a browser, or says what that needs."""
        if offer.play is not None:
            self._copy(offer.play)
        elif offer.install:
            copy = partial(self._copy, offer.install)
            self._shell.confirm("To join in a browser", offer.without, "Copy the line", "Back", copy)
        else:
            self._shell.toast(offer.without, bad=True)

    async def _share(self) -> None:
        """Offers a copy to a friend who has none, or takes that back."""
        self._sharing.refused = self._sharing.is_shared
        if self._sharing.preparing:
            await self._sharing.stop()
            return
        if self._sharing.offer is not None:
            await self._sharing.stop()
            self._shell.toast(ENDED)
            return
        self._hidden = self._sharing.unasked = False
        try:
            await self._sharing.start()
        except UserError as error:
            self._shell.confirm("Sharing failed", str(error), "Try again", "Back", self._try_again)

    def _try_again(self) -> None:
        self._shell.start(self._share())
