"""Sitting at a table: shows the screen that its phase calls for, from the open door to the dossier."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Coroutine
from typing import Any, Final

from client.board import BoardScreen, find_board
from client.glyphs import clean
from client.people import Waits, asks_aside, gives_up, goes_on, in_a_row, lasting, left
from client.screen import Screen
from client.screens.shell import Shell
from client.seats import TableLike
from p2p.table import Changed, Notice
from protocol.events import Asked, Caught, Gone, Said

PART_SECONDS: Final = 2.0
"""For the others to get what they need to play on, before the program ends."""
SETTLE_SECONDS: Final = 0.1
"""Between looks at whether a board has shown its end; and how long words may be up before they are shown to who agreed.
"""


def part(table: TableLike) -> Coroutine[Any, Any, None]:
    """Leaves a table. What is returned is to be awaited: it ends when nothing of the table runs on.

    Where the others can play on, that takes until they have got what they need for it.
    """
    owes = table.phase == "playing" and goes_on(table)
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


class Sitting:
    """Follows one table until it is left. `start` shows its first screen."""

    def __init__(self, shell: Shell, table: TableLike, lounge: Callable[[], Screen] | None = None) -> None:
        """`lounge`: the screen where one waits for a table of a tournament, and comes back to from it. The tournament
        opens such a table, and closes it.
        """
        self.shell = shell
        self.table = table
        self._lounge = lounge
        self.waits = Waits(table, shell.now)
        self._shown = ""
        self._peer: object = None
        self._stop = table.subscribe(self._heard)
        self._away: set[int] = set()
        self._absent: tuple[int, ...] = ()
        self._left = False

    def start(self) -> None:
        """Shows what the table's phase calls for."""
        self._follow()

    @property
    def counts(self) -> bool:
        """Whether the game counts for a tournament."""
        return self._lounge is not None

    def leave(self) -> None:
        """Leaves the table, which everybody at it notices, and goes back to where one came from."""
        if self._left:
            return
        self.forget()
        if self._lounge is None:
            self.shell.start(part(self.table), finish=True)
            self.shell.home()
            return
        if self.table.phase not in ("done", "failed"):
            self.table.leave()
        self.shell.stand_up()
        self.shell.replace(self._lounge())

    def fault(self, error: Exception) -> None:
        """A screen of this table has failed: says so in its place, from where the person can go on."""
        from client.screens.fault import FaultScreen
        from p2p.trouble import Fault

        self._shown, self._peer = self._kind, self.table.peer
        problem, again = str(Fault.of(error)), self._show_again
        self.shell.replace(FaultScreen(self.shell, self.table, problem, again, self.leave, counts=self.counts))

    def _show_again(self) -> None:
        self._shown = ""
        self._follow()

    def forget(self) -> None:
        """Follows the table no more, which stays as it is."""
        if self._left:
            return
        self._left = True
        self._stop()
        self.shell.alert(False)

    async def close(self, *, resumable: bool = False) -> None:
        """When the program ends: leaves, or keeps the seat if `resumable`. Waits for that, but not for long."""
        if self._left or self.counts:
            return
        self._left = True
        self._stop()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self.table.suspend() if resumable else part(self.table), PART_SECONDS)

    def _heard(self, event: Any) -> None:
        if self._left:
            return
        self.waits.note()
        match event:
            case Said(seat, text) if seat != self.table.seat:
                self.shell.toast(f"{self.table.names[seat]}: {clean(text)}")
            case Asked():
                self.shell.alert(True)
            case Changed("away"):
                self._say_who_is_away()
            case Changed("aside") if others := asks_aside(self.table):
                self.shell.toast(f"{others} would like to put the game aside. F10 to agree.")
            case Changed("abandon") if others := gives_up(self.table):
                self.shell.toast(f"{others} would like to wait no longer. F10 to agree.", bad=True)
            case Notice(text):
                self.shell.toast(text, bad=True)
            case Gone(seat=seat):
                self.shell.toast(self._told_gone(seat))
            case Caught(seat):
                self.shell.toast(f"{self.table.names[seat]} was caught cheating: {event.reason}", bad=True)
        self._say_who_is_absent()
        self._follow()
        self.shell.redraw()

    def _say_who_is_absent(self) -> None:
        """Tells, once, that one need not wait any longer."""
        before, self._absent = self._absent, tuple(self.table.absent)
        if self._absent and not before:
            names = in_a_row([self.table.names[seat] for seat in self._absent])
            self.shell.toast(
                f"{names}: away for more than {lasting(self.table.grace)}. F10, to give up waiting.", bad=True
            )

    def _told_gone(self, seat: int) -> str:
        if seat == self.table.seat:
            return "You have left the game. Stay to see how it goes on, and how it is proven fair."
        return f"{self.table.names[seat]} has left the game; it goes on without them."

    def _say_who_is_away(self) -> None:
        """Tells of connections that were lost, and of those that are back. Before the game the lobby shows them."""
        table, away = self.table, set(self.table.away)
        if table.phase in ("open", "words"):
            self._away = away
            return
        for seat in away - self._away:
            self.shell.toast(f"The connection to {table.names[seat]} is lost. Waiting for it to come back.", bad=True)
        for seat in self._away - away - left(table):
            self.shell.toast(f"{table.names[seat]} is back.")
        self._away = away

    @property
    def _kind(self) -> str:
        """Which screen the present phase calls for."""
        return "game" if self.table.phase in ("playing", "closing") else self.table.phase

    def _follow(self) -> None:
        """Shows the screen of the present phase, if it is not the one that is shown."""
        from client.screens import connecting, lobby, waiting

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
                # Everybody here is known: mostly the game begins before anything could be read.
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
            case "failed" if self._shown in ("done", "words") and self._peer is not None and not self.counts:
                # The others have seen the end as well: they went home, and so does this seat.
                self.leave()
                self.shell.toast(table.problem or "The table is closed.")
            case "failed":
                problem = table.problem or ""
                title, record = table.game.title, table.record
                self.shell.toast("")
                home = "the tournament" if self.counts else "title screen"
                self._show(kind, connecting.FailedScreen(self.shell, title, problem, record, self.leave, home))

    async def _show_words_later(self) -> None:
        """Shows the words if others still compare them."""
        from client.screens.lobby import LobbyScreen

        await asyncio.sleep(SETTLE_SECONDS)
        if not self._left and self.table.phase == "words" and self._shown == "words":
            self.shell.replace(LobbyScreen(self.shell, self.table, self))

    def _show(self, kind: str, screen: Screen) -> None:
        self._shown = kind
        self.shell.replace(screen)

    async def _to_dossier(self) -> None:
        """Reads the record, and waits until the board has shown how the game ended."""
        from client.screens.dossier import DossierScreen

        table, found = self.table, None
        if table.peer is not None:
            board = find_board(table.game.id)
            found = await asyncio.to_thread(board.dossier, table.peer.record(), table.names, table.seat)
        while True:
            shown = next((each for each in self.shell.stack if isinstance(each, BoardScreen)), None)
            if shown is None or not shown.busy(self.shell.now()):
                break
            await asyncio.sleep(SETTLE_SECONDS)
        if not self._left and self._shown == "done":
            self.shell.replace(DossierScreen(self.shell, table, self, found))
