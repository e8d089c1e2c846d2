"""What the app offers its own screens, beyond what it offers boards."""

from __future__ import annotations

from collections.abc import Coroutine, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from client.screen import Screen, Ui
from client.seats import TableLike
from client.services import Services
from games.table import Game

if TYPE_CHECKING:
    from client.sitting import Sitting


class Shell(Ui, Protocol):
    """The app, as the screens outside of a game see it."""

    @property
    def services(self) -> Services: ...
    @property
    def stack(self) -> Sequence[Screen]: ...
    @property
    def version(self) -> str:
        """The program's version and the protocol's revision, in a line."""

    @property
    def sitting(self) -> Sitting | None:
        """The table one sits at."""

    def games(self) -> Sequence[Game]:
        """The games that are installed, by title."""

    def apply_settings(self) -> None:
        """Takes up changed colours and glyphs."""

    def sit(self, title: str, doing: str, table: Coroutine[Any, Any, TableLike]) -> None:
        """Waits for a table, with a screen that says what is being done, and then sits down at it."""

    def take_seat(self, table: TableLike) -> None:
        """Sits down at a table."""

    def quit(self) -> None:
        """Leaves the table and the program."""
