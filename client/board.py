"""What a game brings to the client: its board, its dossier, its replay, and its sentences for the line mode.

A board is found by the entry point group `kimberley.boards`, under the id of its game.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, runtime_checkable

from client.canvas import Canvas
from client.palette import Colour
from client.people import Waits
from client.screen import Help, Screen, Ui
from client.seats import TableLike
from client.widgets import Column
from games.table import Plain, State

if TYPE_CHECKING:
    from client.moments import Moments
    from protocol.events import Event
    from protocol.record import Record


class Span(NamedTuple):
    """A piece of a line with its own colours; without `bg` it lies on the ground of the row."""

    text: str
    fg: Colour = "text"
    bold: bool = False
    bg: Colour | None = None


class DossierRow(NamedTuple):
    """A line of the dossier: one tuple of spans for each column, and the step of the record that it is about."""

    cells: tuple[tuple[Span, ...], ...]
    step: int | None = None


@dataclass(frozen=True, slots=True)
class Dossier:
    """What happened in a game, told when nothing is hidden any more.

    `head` draws rows 1 to 3 of the screen on a region of three rows: who played, who won and by what. `columns` lie
    within the width of the region less two; `build` gives columns and rows for a width in columns. `lines` says all of
    it in sentences, for the line mode. `spelling` has the signs in the rows that this game spells in its own way where
    only ASCII can be shown, one character for one.
    """

    title: str
    head: Callable[[Canvas], None]
    build: Callable[[int], tuple[tuple[Column, ...], tuple[DossierRow, ...]]]
    lines: tuple[str, ...]
    spelling: Mapping[str, str] = field(default_factory=dict)


class Reply(NamedTuple):
    """What a typed line led to: sentences to say, and the choice it completes, if `done`."""

    lines: tuple[str, ...]
    choice: Plain = None
    done: bool = False


class PlainSeat(Protocol):
    """A game in sentences, at one seat of a table: what a screen reader reads, and what is typed."""

    def describe(self) -> list[str]:
        """The position as this seat knows it, the most important first."""

    def news(self, event: Event) -> list[str]:
        """What an event of the table means to the game, in sentences; nothing if it means nothing to a player.

        That somebody leaves, resigns, was caught or is waited for is said before, the same way for every game.
        """

    def ask(self) -> list[str]:
        """What must be chosen now, and how to type it."""

    def order(self, text: str) -> Reply:
        """Reads what was typed for the pending ask. Never raises: what makes no sense is answered with how to say it.

        Orders may be given piece by piece; the reply that completes the choice is `done`.
        """

    def help(self) -> list[str]:
        """The game in short, and all that can be typed."""


class Board(Protocol):
    """One game's board. Stateless: what a game in play needs lives in its screen."""

    def view(self, table: TableLike, ui: Ui) -> BoardScreen:
        """The screen that plays the game at this seat of `table`."""

    def dossier(self, record: Record, names: Sequence[str], seat: int | None) -> Dossier:
        """What a complete record tells; `seat` is "you", None for an onlooker."""

    def replay(self, record: Record, names: Sequence[str], ui: Ui, step: int | None = None) -> Screen:
        """Steps through a record on the board, from the start or from a step."""

    def plain(self, table: TableLike) -> PlainSeat:
        """The game in sentences."""

    def about(self) -> Help:
        """The game in short, for the title screen."""


@dataclass(frozen=True, slots=True)
class Written:
    """A game that somebody wrote down as text; nothing in it is proven.

    `replay` steps through it from a step of its story, or from the start; `lines` tell it, for the line mode.
    """

    replay: Callable[[Ui, int | None], Screen]
    lines: tuple[str, ...]


@runtime_checkable
class ReadsText(Protocol):
    """A board whose game has a form as text."""

    def written(self, text: str) -> Written:
        """The game that a text holds. Raises ValueError, with a sentence, for a text that holds none."""


@runtime_checkable
class Unfolds(Protocol):
    """A board that draws its game moment by moment, and so shows it to onlookers. Of any other they see the story."""

    def moments(self, start: State, names: Sequence[str]) -> Moments:
        """The moments of a game that begins in the state `start`, before any of its story is taken up."""


class BoardScreen(Screen):
    """A screen that plays a game at a table. It follows the table from when it is opened until it is closed."""

    def __init__(self, table: TableLike, ui: Ui) -> None:
        super().__init__(ui)
        self._table = table
        self.waits = Waits(table, ui.now)
        """Who is waited for, and since when: for the phase strip."""
        self._stop: Callable[[], None] = lambda: None

    @property
    def table(self) -> TableLike:
        return self._table

    def opened(self) -> None:
        self._stop = self._table.subscribe(self._told)

    def closed(self) -> None:
        self._stop()

    def _told(self, event: Any) -> None:
        self.waits.note()
        self.heard(event)
        self.ui.redraw()

    def heard(self, event: Any) -> None:
        """Takes up what has happened at the table. A frame follows."""
        del event

    def busy(self, now: float) -> bool:
        """Whether the end of the game is still being shown: the dossier waits for it. A key skips it."""
        del now
        return False


@cache
def find_board(name: str) -> Board:
    """The board of the game of that id. Raises LookupError if none is installed."""
    from importlib.metadata import entry_points

    for point in entry_points(group="kimberley.boards", name=name):
        board: Board = point.load()
        return board
    raise LookupError(f"no board is installed for the game {name!r}")
