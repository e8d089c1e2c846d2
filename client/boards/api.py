"""What a game adds to the client: its board, its dossier, its replay, and its sentences for the line mode.

A board is found by the entry point group `kimberley.boards`, under the id of its game.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, runtime_checkable

from kimberley.client.boards.form import Reply
from kimberley.client.session.banners import Banner
from kimberley.client.session.participants import WaitTracker
from kimberley.client.session.ports import TableLike
from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.palette import Color
from kimberley.client.ui.screen import Help, Screen, Ui
from kimberley.client.ui.widgets import Column
from kimberley.games.table import State

if TYPE_CHECKING:
    from kimberley.client.boards.timeline import Timeline
    from kimberley.protocol.audit import AuditedGame
    from kimberley.protocol.events import Event


class Span(NamedTuple):
    """A piece of a line with its own colors. Without `bg`, it keeps the background of the row."""

    text: str
    fg: Color = "text"
    bold: bool = False
    bg: Color | None = None


class DossierRow(NamedTuple):
    """A line of the dossier: a tuple of spans for each column, and the step of the record that the line is about."""

    cells: tuple[tuple[Span, ...], ...]
    step: int | None = None


@dataclass(frozen=True, slots=True)
class Dossier:
    """What happened in a game, shown when nothing is hidden any more.

    `head` draws rows 1 to 3 of the screen on a region of three rows: the players, the winner and how they won.
    `columns` fit within the width of the region less two. `build` returns columns and rows for a width in columns.
    `lines` tells the whole dossier in sentences, for the line mode.
    """

    title: str
    head: Callable[[Canvas], None]
    build: Callable[[int], tuple[tuple[Column, ...], tuple[DossierRow, ...]]]
    lines: tuple[str, ...]


class PlainSeat(Protocol):
    """A game in sentences, for one seat of a table: what a screen reader reads, and what the player types."""

    def describe(self) -> list[str]:
        """The position as this seat knows it, the most important part first."""

    def on_event(self, event: Event) -> list[str]:
        """Describes an event of the table in sentences; empty if it means nothing to a player.

        Leaving, resigning, cheating and waiting are announced before, in the same way for every game.
        """

    def prompt(self) -> list[str]:
        """What to choose now, and how to type it."""

    def submit(self, text: str) -> Reply:
        """Reads the text typed for the pending ask. Never raises: for text it cannot read, the reply says what to type.

        Orders may be given piece by piece. The reply that completes the choice is `done`.
        """

    def help(self) -> list[str]:
        """The game in short, and everything the player can type."""


class Board(Protocol):
    """One game's board. It has no state: the state of a running game lives in its screen."""

    def view(self, table: TableLike, ui: Ui) -> BoardScreen:
        """The screen that plays the game at this seat of `table`."""

    def dossier(self, audited: AuditedGame, names: Sequence[str], seat: int | None) -> Dossier:
        """The dossier of a game that has ended. `seat` is "you", None for a spectator."""

    def replay(self, audited: AuditedGame, names: Sequence[str], ui: Ui, step: int | None = None) -> Screen:
        """A screen that steps through a game on the board, from the start or from a step."""

    def plain(self, table: TableLike) -> PlainSeat:
        """The game in sentences."""

    def about(self) -> Help:
        """The game in short, for the title screen."""


@dataclass(frozen=True, slots=True)
class WrittenGame:
    """A game that somebody wrote down as text. Nothing in it is proven.

    `replay` steps through the game from a step of its story, or from the start. `lines` describes it for the line mode.
    """

    replay: Callable[[Ui, int | None], Screen]
    lines: tuple[str, ...]


@runtime_checkable
class ReadsText(Protocol):
    """A board whose game has a text format."""

    def read_text(self, text: str) -> WrittenGame:
        """Reads the game in a text. Raises ValueError with a sentence if the text holds none."""


@runtime_checkable
class HasRules(Protocol):
    """A board that brings the rules of its game. For other boards, `about` takes their place."""

    def rules(self) -> Help:
        """All rules of the game, for the second page of F1 and for the line mode: the aim, what there is, a turn step
        by step, the end, and every special case.
        """


@runtime_checkable
class HasTimeline(Protocol):
    """A board that draws each position of its game, and so can show it to spectators. For other boards, they see the
    story.
    """

    def timeline(self, start: State, names: Sequence[str]) -> Timeline:
        """The timeline of a game that begins in the state `start`, before any of its story is read."""


class BoardScreen(Screen):
    """A screen that plays a game at a table. It follows the table from when it is opened until it is closed."""

    def __init__(self, table: TableLike, ui: Ui) -> None:
        super().__init__(ui)
        self._table = table
        self.waits = WaitTracker(table, ui.now)
        """Tracks who the table waits for and since when, for the phase strip."""
        self._stop: Callable[[], None] = lambda: None

    @property
    def table(self) -> TableLike:
        return self._table

    def opened(self) -> None:
        self._stop = self._table.subscribe(self._on_table_event)

    def closed(self) -> None:
        self._stop()

    def _on_table_event(self, event: Any) -> None:
        self.waits.refresh()
        self.on_event(event)
        self.ui.redraw()

    def on_event(self, event: Any) -> None:
        """Handles an event of the table. A frame follows."""
        del event

    def requests(self) -> Sequence[Banner]:
        """What the game itself asks of this player now, such as an offered draw: shown above what the table asks."""
        return ()

    def busy(self, now: float) -> bool:
        """Whether the end of the game is still being shown. The dossier waits for it. A key skips it."""
        del now
        return False
