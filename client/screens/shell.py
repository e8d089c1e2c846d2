"""What the app offers to its own screens, beyond what it offers to boards."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from kimberley.client.session.interfaces import TournamentClientLike
from kimberley.client.session.services import JoinedTournament, Services
from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.screen import MenuItem, Screen, Ui
from kimberley.games.table import Game

if TYPE_CHECKING:
    from kimberley.client.screens.review_making import Reviews
    from kimberley.client.session.audio import Audio
    from kimberley.client.session.banners import Banner, BannerAction
    from kimberley.client.session.chat import UnreadChat
    from kimberley.client.session.participants import WaitTracker
    from kimberley.client.session.settings import Settings
    from kimberley.client.session.table_sharing import TableSharing
    from kimberley.client.session.table_sounds import TableSounds
    from kimberley.p2p.table.table import Table


class TableFrameLike(Protocol):
    """Paints the screens of a table, with what all of them show (`screens.table_frame.TableFrame`)."""

    def paint(self, screen: Screen, canvas: Canvas, now: float, *, alone: bool) -> None:
        """Paints a screen, and what belongs around it."""

    def paint_message(self, canvas: Canvas, now: float) -> None:
        """Shows the last message in the first row, over all that lies over the screen."""

    def key(self, name: str) -> bool:
        """Answers the banner that is shown. Returns False if the key answers nothing."""

    def row_of(self, y: int) -> int:
        """Returns the row of the screen that is shown in a row of the terminal."""


class TableFlowLike(Protocol):
    """Follows the player's table from screen to screen (`screens.table_flow.TableFlow`)."""

    @property
    def table(self) -> Table: ...
    @property
    def waits(self) -> WaitTracker:
        """Returns whom the table is waiting for, and since when."""

    @property
    def counts(self) -> bool:
        """Returns whether the game counts for a tournament."""

    @property
    def following(self) -> str:
        """Returns what comes next in the tournament for which the game counts, or who has won it; empty if there is
        none.
        """

    @property
    def sounds(self) -> TableSounds:
        """Returns what is heard of this table outside of its game."""

    @property
    def sharing(self) -> TableSharing:
        """The copy of this program for friends who are to join the table."""

    @property
    def frame(self) -> TableFrameLike:
        """Paints the screens of this table, with what all of them show."""

    @property
    def chat(self) -> UnreadChat:
        """Returns what the player has not read of the table's chat."""

    def banners(self, screen: Screen, now: float) -> Sequence[Banner]:
        """Returns the banners over `screen` at the time `now`, the most urgent first."""

    def next_frame(self, now: float) -> float | None:
        """Returns when the banners or the shown chat line change by themselves; None if they do not."""

    def answer(self, action: BannerAction, banner: Banner) -> None:
        """Answers a banner."""

    def to_table(self) -> None:
        """Shows the table that is open again after a game, or the next game if that has begun."""

    def take_back(self, choices: int) -> None:
        """Plays the game again at a new table until this player has made that many choices."""

    def play_at(self, level: int) -> None:
        """Leaves a table where the user played alone, and plays the same game alone at another level from now on."""

    def stop_here(self) -> None:
        """Puts the game aside at this seat, without asking anybody."""

    def start(self) -> None:
        """Shows the screen for the table's phase."""

    def leave(self) -> None:
        """Leaves the table, and goes back to the title screen or the tournament."""

    def fault(self, error: Exception) -> None:
        """Shows that a screen of this table has failed, in place of that screen."""

    async def close(self, *, resumable: bool = False) -> None:
        """Called when the program ends: keeps the seat in a running game, and in every case if `resumable`; otherwise
        leaves the table.
        """


class TournamentFlowLike(Protocol):
    """Follows the player's tournament from table to table (`screens.tournament_flow.TournamentFlow`)."""

    @property
    def client(self) -> TournamentClientLike: ...
    @property
    def over(self) -> bool:
        """Whether the tournament has ended, or goes on without this player."""

    def start(self) -> None:
        """Shows the tournament, or the table if there is one already."""

    def withdraw(self) -> None:
        """Leaves the tournament for good, and goes back to the title screen."""

    def leave(self) -> None:
        """Goes back to the title screen from a tournament that is over."""

    async def close(self) -> None:
        """Called when the program ends. The tournament keeps the player's place."""


class Shell(Ui, Protocol):
    """The app, as screens outside of a game see it."""

    @property
    def settings(self) -> Settings: ...
    @property
    def services(self) -> Services: ...
    @property
    def audio(self) -> Audio: ...
    @property
    def stack(self) -> Sequence[Screen]: ...
    @property
    def reviews(self) -> Reviews:
        """The reviews that are being made."""

    @property
    def game(self) -> str | None:
        """The id of the game that the program shows, if it was started for one, such as a replay."""

    @property
    def version(self) -> str:
        """The program's version and the protocol's revision, in a line."""

    @property
    def table_flow(self) -> TableFlowLike | None:
        """The player's table, if any."""

    @property
    def tournament_flow(self) -> TournamentFlowLike | None:
        """The player's tournament, if any."""

    @property
    def left_out(self) -> Sequence[MenuItem]:
        """The shown screen's letters, or the keys for which a portrait screen has no room, as lines of the menu."""

    def games(self) -> Sequence[Game]:
        """Returns the installed games, in their usual order."""

    @property
    def gives_files(self) -> bool:
        """Returns whether `give_file` hands over the file itself. Where it does not, the user finds the file by its
        path.
        """

    def give_file(self, path: Path) -> None:
        """Hands a file to the user: in a page the file, on a terminal a copy of its path. Says so."""

    def apply_settings(self) -> None:
        """Applies changed colors and glyphs."""

    def sit(
        self,
        title: str,
        doing: str,
        reach: Callable[[], Coroutine[Any, Any, Table | JoinedTournament]],
        *,
        guide_from: int | None = None,
    ) -> None:
        """Shows a screen that says `doing` while it awaits the table that `reach` finds, and then takes a seat there.
        If that fails, the player may try again.
        """

    def take_away(self, text: str) -> None:
        """Removes the toast above the keys if it shows this text, which is no longer true."""

    def tell_connecting(self, sentence: str) -> None:
        """Shows what is known of the place in a full table's queue, while the connecting screen waits."""

    def take_seat(self, joined: Table | JoinedTournament, *, guide_from: int | None = None) -> None:
        """Takes a seat at a table, or in a tournament. A guide leads through the first turns, from note `guide_from`
        on.
        """

    def follow_table(self, flow: TableFlowLike) -> None:
        """Follows a table from now on."""

    def forget_table(self) -> None:
        """Stops following the table."""

    def follow_tournament(self, flow: TournamentFlowLike | None) -> None:
        """Follows a tournament from now on; with None, stops following one."""

    @property
    def still_needed(self) -> str:
        """Says why others at a table that the player has left still need this program; "" if they do not."""

    def finish_leaving(self, table: Table) -> None:
        """Leaves a table in the background. If the others need this program until that has ended, it says so."""

    def quit(self) -> None:
        """Ends the program. A running game is kept; any other table is left."""
