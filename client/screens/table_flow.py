"""Follows the player's table: shows the screen for its phase, from the open table to the dossier."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Protocol

from kimberley.client.boards import take_back
from kimberley.client.boards.board_guide import BoardGuide
from kimberley.client.boards.game_screen import GameScreen
from kimberley.client.boards.opening_picture import table_picture
from kimberley.client.boards.registry import find_board
from kimberley.client.screens.shell import Shell
from kimberley.client.screens.table_frame import TableFrame
from kimberley.client.session.banners import STOPPED, WAITS_ON, Banner, BannerAction, Banners, game_begun
from kimberley.client.session.chat import UnreadChat
from kimberley.client.session.game_start import GameStart
from kimberley.client.session.leaving import LEAVE_SECONDS, leave_table
from kimberley.client.session.options import Terms, changed_terms
from kimberley.client.session.participants import (
    WaitTracker,
    is_ready,
    missing_names,
    only_bots,
    waits_for_you,
)
from kimberley.client.session.table_sharing import TableSharing
from kimberley.client.session.table_sounds import TableSounds
from kimberley.client.ui.screen import Screen
from kimberley.games.phrases import join_names
from kimberley.p2p.base.platform import in_background
from kimberley.p2p.sentences import notices
from kimberley.p2p.sentences.notices import CLOSED, SETTING_UP
from kimberley.p2p.sentences.table_events import notice_of
from kimberley.p2p.table.admission import REMOVED
from kimberley.p2p.table.events import ChatLine
from kimberley.protocol.events import Asked, SeatDeparted

if TYPE_CHECKING:
    from kimberley.p2p.table.table import Table

JOIN_AGAIN: Final = "Join again"
BOTS_SECONDS: Final = 2.0
"""Seconds after which a table of bots shows its seats or words, because something keeps the game from beginning."""
SETTLE_SECONDS: Final = 0.1
"""How often the flow checks whether the board has shown the end. Also how long it waits before it shows the words to a
player who has already agreed to them.
"""


class TournamentHome(Protocol):
    """The tournament that opens and closes the table."""

    def lounge(self) -> Screen:
        """Returns the screen between two games."""

    @property
    def following(self) -> str:
        """Returns what comes after the player's game, or once the tournament is over, who has won it, in sentences."""

    def to_player(self, problem: str) -> str:
        """Returns the reason for the end of the player's table, as told to the player."""


class TableFlow:
    """Follows one table until the player leaves it. `start` shows its first screen."""

    def __init__(
        self, shell: Shell, table: Table, tournament: TournamentHome | None = None, *, guide_from: int | None = None
    ) -> None:
        """Takes the `tournament` for which the game counts. A guide leads through the first turns of the first game,
        from the note `guide_from` on; if that is None, only in a game between people that this player has never played.
        """
        self.shell = shell
        self.table = table
        self._tournament = tournament
        self.waits = WaitTracker(table, shell.now)
        self.shown = ""
        """Which kind of screen is shown: "open", "words", "game", "done" or "failed"; nothing before the first one."""
        self.shown_peer: object = None
        """The game that was shown last, as the table has it."""
        self._stop = table.subscribe(self._on_event)
        self._banners = Banners(table, shell.now, counts=self.counts)
        self.chat = UnreadChat(table, shell.now)
        self.sounds = TableSounds(table, shell.audio)
        self.sharing = TableSharing(table, shell.services, partial(table_picture, table), shell.redraw)
        self.frame = TableFrame(self)
        self._guide_from = guide_from
        self._guide: BoardGuide | None = None
        """The guide on the board that was shown last."""
        self._start = GameStart()
        self._seated, self._full = tuple(table.occupants.names), table.phase == "words"
        """Who sat at the table when the player was last told who left, and whether it was full."""
        self._told_left = ""
        """The last sentence about who has left, until somebody joins."""
        self._terms = Terms.of(table)
        self._aside = self._left = False
        self._wants_rematch = False
        """Whether the player has asked for another game since the last one."""
        self._end: Screen | None = None
        """The dossier of the last game, once it is built."""

    def start(self) -> None:
        """Shows the screen for the table's phase."""
        self._follow()
        if self.table.page_seats.port:
            self.shell.start(self._serve_page_again())

    @property
    def counts(self) -> bool:
        """Returns whether the game counts for a tournament."""
        return self._tournament is not None

    @property
    def following(self) -> str:
        """Returns what comes next in the tournament for which the game counts, or who has won it; empty if there is
        none.
        """
        return self._tournament.following if self._tournament is not None else ""

    def leave(self) -> None:
        """Leaves the table, and goes back to the title screen or the tournament. Everyone at the table notices."""
        if self._left:
            return
        self.forget()
        if self._tournament is None:
            self.shell.finish_leaving(self.table)
            self.shell.home()
            return
        if self.table.phase not in ("done", "failed"):
            self.table.departures.leave()
        self.shell.forget_table()
        self.shell.replace(self._tournament.lounge())

    def play_at(self, level: int) -> None:
        """Leaves a table where the user played alone, and plays the same game alone at another level from now on."""
        shell, table = self.shell, self.table
        shell.settings.level = level
        shell.settings.save()
        self.leave()
        opening = partial(
            shell.services.alone, table.game.id, dict(table.occupants.options), table.occupants.seats, level
        )
        shell.sit(table.game.title, SETTING_UP, opening)

    def fault(self, error: Exception) -> None:
        """Shows that a screen of this table has failed, in place of that screen. The player can go on from there."""
        from kimberley.client.screens.fault import FaultScreen
        from kimberley.p2p.base.errors import InternalError

        self.shown, self.shown_peer = self._kind, self.table.peer
        problem, again = str(InternalError.of(error)), self._show_again
        self.shell.replace(FaultScreen(self.shell, self.table, problem, again, self.leave, counts=self.counts))

    def _show_again(self) -> None:
        self.shown = ""
        self._follow()

    def forget(self) -> None:
        """Stops following the table, which stays as it is."""
        if self._left:
            return
        self._left = True
        self._stop()
        self._end_sharing()
        self.shell.audio.leave_room()
        self.shell.alert(False)

    async def close(self, *, resumable: bool = False) -> None:
        """Called when the program ends: keeps the seat in a running game, and in every case if `resumable`; otherwise
        leaves the table. Does not wait for long.
        """
        if self._left or self.counts:
            return
        self._left = True
        self._stop()
        await self.sharing.stop()
        kept = resumable or waits_for_you(self.table)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self.table.suspend() if kept else leave_table(self.table), LEAVE_SECONDS)

    async def _serve_page_again(self) -> None:
        """Lets seats in the page that this program served come back to this table, which was resumed."""
        await self.sharing.resume(lambda reason: self.shell.toast(reason, bad=True))

    def _end_sharing(self) -> None:
        self.shell.start(self.sharing.stop(), finish=True)

    def _on_event(self, event: Any) -> None:
        from kimberley.client.screens import dialogs

        if self._left:
            return
        if self.table.phase == "failed":
            self._end_sharing()
        self.waits.refresh()
        self._banners.refresh()
        self.sounds.on_event(event)
        if self.table.phase == "done" and self.table.occupants.seat in self.table.rematch.again_from:
            self._wants_rematch = True
        match event:
            case ChatLine():
                self.chat.on_message(event)
            case Asked():
                self.shell.alert(True)
            case SeatDeparted() if self.table.phase in ("closing", "done"):
                pass  # Nobody plays on: the end of the game tells who resigned.
            case SeatDeparted(seat=seat) if seat == self.table.occupants.seat:
                self.shell.toast(f"{notices.YOU_HAVE_LEFT} You can keep watching.")
            case _ if (notice := notice_of(event, self.table.occupants.names)) is not None:
                self.shell.toast(notice.text, bad=notice.bad)
        self._follow()
        self._tell_who_left()
        self._tell_options()
        dialogs.renew(self.shell)
        self.shell.redraw()

    def _tell_options(self) -> None:
        """Tells a player at somebody else's open table what its host has changed."""
        table, before = self.table, self._terms
        self._terms = Terms.of(table)
        if table.phase == "open" and not table.host and not self.counts:
            changes = changed_terms(table.occupants.names[table.host_seat], before, self._terms)
            if changes:
                self.shell.toast(changes)

    def _tell_who_left(self) -> None:
        """Tells who has left before the game, and whether the table was full before."""
        names, before, own = tuple(self.table.occupants.names), self._seated, self.table.occupants.seat
        if self._told_left and len(names) > len(before):
            self.shell.take_away(self._told_left)
            self._told_left = ""
        if self.table.phase == "words":
            # A name may be gone some events before the table is open again.
            self._seated, self._full = max(names, before, key=len), True
            return
        self._seated = names
        if self.table.phase != "open":
            self._full = False
        elif len(names) < len(before) and not self.counts:
            gone = join_names(missing_names(before, names))
            self._told_left = f"{gone} left.{' The table is open again.' if self._full else ''}"
            self.shell.toast(self._told_left)
            self._full = False
            if self.table.host and self.shown == "done" and self._has_dossier and not is_ready(self.table, own):
                # The rematch did not begin: the host decides at the open table what comes next.
                self.to_table()

    # -- banners -------------------------------------------------------------------------------------------------------

    def banners(self, screen: Screen, now: float) -> Sequence[Banner]:
        """Returns the banners over `screen` at the time `now`, the most urgent first."""
        asked = screen.requests() if isinstance(screen, GameScreen) else ()
        begun = (game_begun(self.table),) if self.shown == "done" and self._kind in ("words", "game") else ()
        return (*asked, *self._banners.current(now), *begun)

    def next_frame(self, now: float) -> float | None:
        """Returns when the banners or the shown chat line change by themselves; None if they do not."""
        times = (self._banners.next_frame(now), self.chat.next_frame(now))
        return min((when for when in times if when is not None), default=None)

    def answer(self, action: BannerAction, banner: Banner) -> None:
        """Answers a banner."""
        from kimberley.client.screens import dialogs

        match action:
            case BannerAction.PUT_ASIDE:
                self.table.adjournment.vote(True)
            case BannerAction.PLAY_ON:
                self._banners.keep_playing()
            case BannerAction.STOP_HERE:
                dialogs.put_aside(self.shell, self.table)
            case BannerAction.GIVE_UP:
                dialogs.give_up(self.shell, self.table)
            case BannerAction.WAIT_ON:
                self._banners.hide(banner.topic)
                self.shell.toast(WAITS_ON)
            case BannerAction.JOIN:
                self._show_again()
        self.shell.redraw()

    def take_back(self, choices: int) -> None:
        """Plays the game again at a new table until this player has made that many choices."""
        self.forget()
        self.shell.home()
        table, services = self.table, self.shell.services
        guide_from = self._guide.at if self._guide is not None and self._guide.running else None
        self.shell.sit(
            table.game.title, take_back.DOING, lambda: services.take_back(table, choices), guide_from=guide_from
        )

    def stop_here(self) -> None:
        """Puts the game aside at this seat, without asking anybody."""
        self._aside = True
        self.shell.start(self.table.suspend(STOPPED))

    @property
    def _kind(self) -> str:
        """The kind of screen for the current phase."""
        return "game" if self.table.phase in ("playing", "closing") else self.table.phase

    def _follow(self) -> None:
        """Shows the screen for the current phase, unless it is already shown."""
        from kimberley.client.screens import connecting, lobby

        table, kind = self.table, self._kind
        if kind == self.shown and (kind not in ("game", "done") or table.peer is self.shown_peer):
            return
        match kind:
            case "open" if self._tournament is not None:
                self._show(kind, self._tournament.lounge())
            case "open" if self.shown == "done" and (table.host or self._has_dossier):
                # Another game is being set up at the same table: the dossier stays until it begins.
                return
            case "open" if self.shown == "done" and self._end is not None:
                # The board, which is still shown, would take those who sit down now for those who have played.
                self._show("done", self._end)
            case "words" | "game" if self.shown == "done" and self._has_dossier and not self._wants_rematch:
                # A player who still reads joins with a banner's button. Until then the game waits, as for any choice.
                return
            case "open" | "words" if only_bots(self.table) and self.shown != "done":
                # Nobody is waited for, and there is nobody to compare words with.
                self.shown = kind
                self.shell.start(self._show_later(kind, BOTS_SECONDS))
            case "words" if table.words.agreed[table.occupants.seat]:
                # The player knows everyone here: usually the game begins before anyone could read the words.
                self.shown = kind
                self.shell.start(self._show_later(kind, SETTLE_SECONDS))
            case "open":
                self.to_table()
            case "words":
                self._show(kind, lobby.LobbyScreen(self.shell, table, self))
            case "game":
                self.shown_peer = table.peer
                screen = find_board(table.game.id).view(table, self.shell)
                self._guide = screen.guide
                if self._guide_from is not None or self._is_first_game():
                    screen.start_guide(self._guide_from or 0)
                self._guide_from = None
                self.shell.settings.skip_guide(table.game.id)
                self._show(kind, screen)
                if notice := self._start.told(table):
                    self.shell.toast(notice)
            case "done":
                self.shown, self.shown_peer, self._wants_rematch, self._end = kind, table.peer, False, None
                self.shell.settings.skip_guide(table.game.id)
                self.shell.start(self._to_dossier())
            case "failed" if self.shown == "done":
                # The others have left. The dossier stays for as long as this player reads it.
                return
            case "failed" if self.shown == "words" and self.shown_peer is not None and not self.counts:
                # The others do not want another game after all.
                self.leave()
                self.shell.toast(table.problem or CLOSED)
            case "failed":
                problem = table.problem or ""
                if self._tournament is not None:
                    problem = self._tournament.to_player(problem)
                title, record = table.game.title, table.ending.record
                self.shell.toast("")
                home = "back to the tournament" if self.counts else "title screen"
                # Before the game, another seat is as good as the lost one.
                rejoins = table.peer is None and not (table.host or table.barred or self.counts)
                if self._aside or table.adjournment.adjourned:
                    end = connecting.PUT_ASIDE
                elif problem == REMOVED:
                    end = connecting.REMOVED
                else:
                    end = connecting.OUT if rejoins or table.ending.resumable else connecting.CLOSED
                again = self._join_again if rejoins else None
                failed = connecting.FailedScreen(
                    self.shell, title, problem, record, self.leave, home, end, again, JOIN_AGAIN
                )
                self._show(kind, failed)

    def _join_again(self) -> None:
        from kimberley.client.screens.join import open_join

        self.leave()
        open_join(self.shell)

    @property
    def _has_dossier(self) -> bool:
        """Whether the end of the game is no longer shown on the board."""
        return not any(isinstance(screen, GameScreen) for screen in self.shell.stack)

    def to_table(self) -> None:
        """Shows the table that is open again after a game, or the next game if that has begun."""
        from kimberley.client.screens import waiting

        if self.table.phase != "open":
            self._show_again()
            return
        self._show("open", waiting.WaitingScreen(self.shell, self.table, self))

    def _is_first_game(self) -> bool:
        """Returns whether a game between people begins that this player has never played."""
        table = self.table
        begun = table.peer is not None and any(table.occupants.seat in ask.choosers for ask, _ in table.peer.story)
        first = table.game.id not in self.shell.settings.guided
        return first and not begun and not self.counts and not only_bots(table)

    async def _show_later(self, kind: str, seconds: float) -> None:
        """Shows the seats or the words if the game has not begun by then."""
        from kimberley.client.screens import lobby, waiting

        await asyncio.sleep(seconds)
        if self._left or not self.table.phase == self.shown == kind:
            return
        screen = lobby.LobbyScreen if kind == "words" else waiting.WaitingScreen
        self.shell.replace(screen(self.shell, self.table, self))

    def _show(self, kind: str, screen: Screen) -> None:
        self.shown = kind
        self.shell.replace(screen)

    async def _to_dossier(self) -> None:
        """Builds the dossier, waits until the player goes on from the end on the board, and opens it."""
        from kimberley.client.screens.dossier import DossierScreen

        table, dossier = self.table, None
        if table.ending.audited is not None:
            board = find_board(table.game.id)
            dossier = await in_background(
                board.dossier, table.ending.audited, table.occupants.names, table.occupants.seat
            )
        self._end = end = DossierScreen(self.shell, table, self, dossier)
        while True:
            game_screen = next((screen for screen in self.shell.stack if isinstance(screen, GameScreen)), None)
            if self._left or self.shown != "done" or game_screen is None or not game_screen.busy(self.shell.now()):
                break
            await asyncio.sleep(SETTLE_SECONDS)
        if not self._left and self.shown == "done" and end not in self.shell.stack:
            self.shell.replace(end)
