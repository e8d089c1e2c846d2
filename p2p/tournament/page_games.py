"""What a tournament's pages show of games. The player's program draws it, and lends it to the referee's pages.

What is `Markup` is HTML, and is shown as it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

if TYPE_CHECKING:
    from markupsafe import Markup

    from kimberley.p2p.table.spectated_game import SpectatedGame
    from kimberley.protocol.audit import Verdict

DASHES: Final = ("none", "7 4", "2 3", "10 3 2 3", "4 4", "12 4")
"""The dashes of each seat's line: color alone does not tell lines apart."""


class SeatMark(NamedTuple):
    """The sign of a seat and its color in CSS."""

    sign: str
    color: str


class Moment(NamedTuple):
    """What happened before a position. `heading` begins a chapter, and is empty within it."""

    at: int
    heading: str
    lines: tuple[Markup, ...]


class DossierLine(NamedTuple):
    """A line of the dossier, with the position that it is about."""

    at: int | None
    cells: tuple[Markup, ...]


class CourseMeasure(NamedTuple):
    """A quantity in which the seats are compared: its sign, its name, its color in CSS, and what follows an amount."""

    sign: str
    name: str
    color: str
    unit: str


class GameCourse(NamedTuple):
    """How a finished game went, sample by sample.

    Args:
        unit: What a sample is the end of: "month".
        labels: The number of that unit, for each sample. There are at least two.
        positions: The position that each sample is about.
        measures: The quantities, the decisive one first.
        amounts: For each measure the amounts by seat, sample by sample.
        marks: How the board marks each seat.
        names: The players by seat.
        turn: The index of the sample at which the game turned; None if there is none.
        told: How the winner got ahead there, in a sentence; empty if the game did not turn.
        turned: What happened at the turn, in sentences; empty likewise.

    """

    unit: str
    labels: tuple[str, ...]
    positions: tuple[int, ...]
    measures: tuple[CourseMeasure, ...]
    amounts: tuple[tuple[tuple[int, ...], ...], ...]
    marks: tuple[SeatMark, ...]
    names: tuple[str, ...]
    turn: int | None
    told: str
    turned: str


class PageGame(Protocol):
    """A finished game with nothing hidden any more. Its positions count from 0, the start."""

    verdict: Verdict
    shown: bool
    """Whether there are positions to show. If not, everything that follows is empty."""
    reviewable: bool
    """Whether each choice can be judged here."""
    last: int
    """The number of the last position."""
    unit: str
    """The word for one position: "move"."""
    marks: tuple[SeatMark, ...]
    words: tuple[str, ...]
    """The last position in sentences."""
    moments: tuple[Moment, ...]
    course: GameCourse | None
    headings: tuple[str, ...]
    """The headings of the dossier; empty if there is none."""
    dossier: tuple[DossierLine, ...]
    called: str
    """What players call the dossier."""
    hides: bool
    """Whether anything was hidden before the end."""

    def picture(self, at: int) -> Markup:
        """Returns a position."""

    def tall(self, at: int) -> Markup:
        """Returns a position for a phone; empty if the board has no such form."""

    def told(self, at: int) -> str:
        """Returns what happened before a position, as plain text."""


class PageGames(Protocol):
    """Games as parts of pages. Methods that take the id of a running game raise LookupError if it is not installed."""

    def style_sheet(self) -> bytes:
        """Returns the style sheet of boards and reviews, with colors, text and tables for all pages."""

    def picture(self, game: str, view: SpectatedGame, size: tuple[int, int] | None = None) -> Markup:
        """Returns the position as a spectator sees it, in columns and rows."""

    def tall(self, game: str, view: SpectatedGame) -> Markup:
        """Returns the same for a phone; empty if the board has no such form."""

    def words(self, game: str, view: SpectatedGame) -> tuple[str, ...]:
        """Returns the position in sentences."""

    def marks(self, game: str, view: SpectatedGame | None) -> Sequence[SeatMark]:
        """Returns how the board marks the seats; empty if lots decide that and are not known yet, or no longer."""

    def finished(self, record: bytes) -> PageGame:
        """Returns the game in a record, audited. That can take several seconds."""

    def review_command(self, record: Path, nice: int) -> tuple[str, ...]:
        """Returns the command that reviews the game in a record, with that priority. It prints how many steps are
        judged, and of how many ("12 72"), then an empty line, and the review as HTML.
        """

    def verify_command(self, file: Path) -> tuple[str, ...]:
        """Returns `kimberley verify --json`, as a process of its own, for a file."""
