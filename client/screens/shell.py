"""What the app offers its own screens, beyond what it offers boards."""

from __future__ import annotations

from collections.abc import Coroutine, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from client.screen import Screen, Ui
from client.seats import TableLike
from client.services import Enrolled, Services
from games.table import Game

if TYPE_CHECKING:
    from client.attending import Attending
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

    @property
    def attending(self) -> Attending | None:
        """The tournament one plays in."""

    def games(self) -> Sequence[Game]:
        """The games that are installed, by title."""

    def apply_settings(self) -> None:
        """Takes up changed colours and glyphs."""

    def sit(self, title: str, doing: str, table: Coroutine[Any, Any, TableLike | Enrolled]) -> None:
        """Waits for a table or a tournament, with a screen that says what is being done, and then sits down there."""

    def take_seat(self, found: TableLike | Enrolled) -> None:
        """Sits down at a table, or takes part in a tournament."""

    def take_place(self, sitting: Sitting) -> None:
        """Sits down where a tournament leads to."""

    def stand_up(self) -> None:
        """Sits at no table any more."""

    def attend(self, attending: Attending | None) -> None:
        """Plays in a tournament; in none any more."""

    def quit(self) -> None:
        """Leaves the table and the program."""
