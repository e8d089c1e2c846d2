"""Follows the player's table: shows the screen for its phase, from the open table to the dossier."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Coroutine
from typing import Any, Final

from kimberley.client.boards.api import BoardScreen
from kimberley.client.boards.registry import find_board
from kimberley.client.screens.shell import Shell
from kimberley.client.session import notices
from kimberley.client.session.participants import (
    WaitTracker,
    continues_without_you,
    departed_seats,
    elapsed,
    who_gives_up,
    who_offers_adjournment,
)
from kimberley.client.session.ports import TableLike
from kimberley.client.ui.glyphs import clean
from kimberley.client.ui.screen import Screen
from kimberley.p2p.base.platform import in_background
from kimberley.p2p.table.table import Notice, TableChanged
from kimberley.protocol.events import Asked, Caught, ChatMessage, SeatDeparted

PART_SECONDS: Final = 2.0
"""How long the program waits before it ends, so that the others get what they need to play on."""
SETTLE_SECONDS: Final = 0.1
"""How often the flow checks whether the board has shown the end. Also how long it waits before it shows the words to a
player who has already agreed to them.
"""


def leave_table(table: TableLike) -> Coroutine[Any, Any, None]:
    """Leaves a table. Await the result: it ends when the table is closed.

    If the others can play on, the table is not closed before they have what they need for that.
    """
    owes = table.phase == "playing" and continues_without_you(table)
    table.leave()
    return _parted(table, owes)


async def _parted(table: TableLike, owes: bool) -> None:
    stirred = asyncio.Event()
    stop = table.subscribe(lambda _event: stirred.set())
    try:
        while owes and table.phase not in ("failed", "done"):
            stirred.clear()
            await stirred.wait()
    finally:
        stop()
        await table.close()


class TableFlow:
    """Follows one table until the player leaves it. `start` shows its first screen."""

    def __init__(self, shell: Shell, table: TableLike, lounge: Callable[[], Screen] | None = None) -> None:
        """`lounge` makes the screen between two games of a tournament, which opens and closes its tables itself."""
        self.shell = shell
        self.table = table
        self._lounge = lounge
        self.waits = WaitTracker(table, shell.now)
        self._shown = ""
        self._peer: object = None
        self._stop = table.subscribe(self._on_event)
        self._away: set[int] = set()
        self._absent: tuple[int, ...] = ()
        self._left = False

    def start(self) -> None:
        """Shows the screen for the table's phase."""
        self._follow()

    @property
    def counts(self) -> bool:
        """Whether the game counts for a tournament."""
        return self._lounge is not None

    def leave(self) -> None:
        """Leaves the table, and goes back to the title screen or the tournament. Everyone at the table notices."""
        if self._left:
            return
        self.forget()
        if self._lounge is None:
            self.shell.start(leave_table(self.table), finish=True)
            self.shell.home()
            return
        if self.table.phase not in ("done", "failed"):
            self.table.leave()
        self.shell.forget_table()
        self.shell.replace(self._lounge())

    def fault(self, error: Exception) -> None:
        """Shows that a screen of this table has failed, in place of that screen. The player can go on from there."""
        from kimberley.client.screens.fault import FaultScreen
        from kimberley.p2p.base.errors import InternalError

        self._shown, self._peer = self._kind, self.table.peer
        problem, again = str(InternalError.of(error)), self._show_again
        self.shell.replace(FaultScreen(self.shell, self.table, problem, again, self.leave, counts=self.counts))

    def _show_again(self) -> None:
        self._shown = ""
        self._follow()

    def forget(self) -> None:
        """Stops following the table, which stays as it is."""
        if self._left:
            return
        self._left = True
        self._stop()
        self.shell.alert(False)

    async def close(self, *, resumable: bool = False) -> None:
        """Called when the program ends: leaves the table, or keeps the seat if `resumable`. Does not wait for long."""
        if self._left or self.counts:
            return
        self._left = True
        self._stop()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self.table.suspend() if resumable else leave_table(self.table), PART_SECONDS)

    def _on_event(self, event: Any) -> None:
        if self._left:
            return
        self.waits.refresh()
        match event:
            case ChatMessage(seat, text) if seat != self.table.seat:
                self.shell.toast(f"{self.table.names[seat]}: {clean(text)}")
            case Asked():
                self.shell.alert(True)
            case TableChanged("away"):
                self._announce_away()
            case TableChanged("aside") if others := who_offers_adjournment(self.table):
                self.shell.toast(notices.offers_adjournment(others, "F10 to agree."))
            case TableChanged("abandon") if others := who_gives_up(self.table):
                self.shell.toast(notices.offers_abandonment(others, "F10 to agree."), bad=True)
            case Notice(text):
                self.shell.toast(text, bad=True)
            case SeatDeparted(seat=seat):
                self.shell.toast(self._describe_departure(seat))
            case Caught(seat):
                self.shell.toast(notices.caught(self.table.names[seat], event.reason), bad=True)
        self._announce_absent()
        self._follow()
        self.shell.redraw()

    def _announce_absent(self) -> None:
        """Announces once that the user may stop waiting."""
        before, self._absent = self._absent, tuple(self.table.absent)
        if self._absent and not before:
            names = [self.table.names[seat] for seat in self._absent]
            self.shell.toast(
                notices.absent(names, elapsed(self.table.grace), "F10, then g, to stop waiting."), bad=True
            )

    def _describe_departure(self, seat: int) -> str:
        if seat == self.table.seat:
            return f"{notices.YOU_HAVE_LEFT} Stay to watch the rest and the fairness check."
        return notices.left(self.table.names[seat])

    def _announce_away(self) -> None:
        """Announces connections that were lost, and those that are back. Before the game the lobby shows them."""
        table, away = self.table, set(self.table.away)
        if table.phase in ("open", "words"):
            self._away = away
            return
        for seat in away - self._away:
            self.shell.toast(notices.connection_lost(table.names[seat]), bad=True)
        for seat in self._away - away - departed_seats(table):
            self.shell.toast(notices.back(table.names[seat]))
        self._away = away

    @property
    def _kind(self) -> str:
        """The kind of screen for the current phase."""
        return "game" if self.table.phase in ("playing", "closing") else self.table.phase

    def _follow(self) -> None:
        """Shows the screen for the current phase, unless it is already shown."""
        from kimberley.client.screens import connecting, lobby, waiting

        table, kind = self.table, self._kind
        if kind == self._shown and (kind != "game" or table.peer is self._peer):
            return
        match kind:
            case "open" if self._lounge is not None:
                self._show(kind, self._lounge())
            case "open" if self._shown == "done":
                # Another game is being set up at the same table: the dossier stays until it begins.
                return
            case "words" if table.agreed[table.seat]:
                # The player knows everyone here: usually the game begins before anyone could read the words.
                self._shown = kind
                self.shell.start(self._show_words_later())
            case "open":
                self._show(kind, waiting.WaitingScreen(self.shell, table, self))
            case "words":
                self._show(kind, lobby.LobbyScreen(self.shell, table, self))
            case "game":
                self._peer = table.peer
                self._show(kind, find_board(table.game.id).view(table, self.shell))
            case "done":
                self._shown = kind
                self.shell.start(self._to_dossier())
            case "failed" if self._shown == "done":
                # The others have left. The dossier stays for as long as this player reads it.
                return
            case "failed" if self._shown == "words" and self._peer is not None and not self.counts:
                # The others do not want another game after all.
                self.leave()
                self.shell.toast(table.problem or "The table is closed.")
            case "failed":
                problem = table.problem or ""
                title, record = table.game.title, table.record
                self.shell.toast("")
                home = "the tournament" if self.counts else "title screen"
                self._show(kind, connecting.FailedScreen(self.shell, title, problem, record, self.leave, home))

    async def _show_words_later(self) -> None:
        """Shows the words if the others are still comparing them."""
        from kimberley.client.screens.lobby import LobbyScreen

        await asyncio.sleep(SETTLE_SECONDS)
        if not self._left and self.table.phase == "words" and self._shown == "words":
            self.shell.replace(LobbyScreen(self.shell, self.table, self))

    def _show(self, kind: str, screen: Screen) -> None:
        self._shown = kind
        self.shell.replace(screen)

    async def _to_dossier(self) -> None:
        """Builds the dossier, waits until the board has shown how the game ended, and opens it."""
        from kimberley.client.screens.dossier import DossierScreen

        table, found = self.table, None
        if table.audited is not None:
            board = find_board(table.game.id)
            found = await in_background(board.dossier, table.audited, table.names, table.seat)
        while True:
            shown = next((each for each in self.shell.stack if isinstance(each, BoardScreen)), None)
            if shown is None or not shown.busy(self.shell.now()):
                break
            await asyncio.sleep(SETTLE_SECONDS)
        if not self._left and self._shown == "done":
            self.shell.replace(DossierScreen(self.shell, table, self, found))
