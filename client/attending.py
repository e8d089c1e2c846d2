"""Playing in a tournament: its own screen between the rounds, and the table to which the referee leads in each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final, Protocol

from client import clocks
from client.seats import Stop, TableLike

if TYPE_CHECKING:
    from client.screen import Screen
    from client.screens.shell import Shell
    from client.sitting import Sitting
    from p2p.referee.cup import Cup
    from p2p.referee.events import Decided
    from p2p.referee.tournament import Tournament

AT_TABLES: Final = ("table", "phase")


class EntrantLike(Protocol):
    """A player's side of a tournament (`p2p.entrant.Entrant`), as the screens see it."""

    @property
    def cup(self) -> Cup: ...
    @property
    def tournament(self) -> Tournament: ...
    @property
    def identity(self) -> bytes: ...
    @property
    def phase(self) -> str:
        """waiting, seated, over, withdrawn or failed."""

    @property
    def table(self) -> TableLike | None:
        """The seat at the table of this round, once it is taken."""

    @property
    def ruling(self) -> Decided | None:
        """The result of that table, once there is one."""

    @property
    def clocks(self) -> Sequence[clocks.ClockLike]: ...
    @property
    def away_since(self) -> float | None:
        """The loop's time since when the referee is not reached."""

    @property
    def problem(self) -> str | None: ...
    def withdraw(self) -> None: ...
    async def close(self) -> None: ...
    def subscribe(self, callback: Callable[[Any], None]) -> Stop: ...


class Attending:
    """Follows one tournament until it is left. `start` shows its screen."""

    def __init__(self, shell: Shell, entrant: EntrantLike) -> None:
        self.shell, self.entrant = shell, entrant
        self._sitting: Sitting | None = None
        self._ruled: object = None
        self._left = False
        self._away = False
        self._stop = entrant.subscribe(self._heard)

    def start(self) -> None:
        """Shows the tournament, or the table if there is one already."""
        self.shell.replace(self.lounge())
        self._follow()

    def lounge(self) -> Screen:
        """The screen where one waits."""
        from client.screens.cup import CupScreen

        return CupScreen(self.shell, self)

    def withdraw(self) -> None:
        """Leaves the tournament for good, and goes back to the title screen."""
        if not self._left:
            self.entrant.withdraw()
            self._leave()

    def leave(self) -> None:
        """Goes back to the title screen from a tournament that is over."""
        if not self._left:
            self._leave()

    async def close(self) -> None:
        """Ends what runs here, when the program ends: the tournament waits for this player to come back."""
        if not self._left:
            self._left = True
            self._forget()
            await self.entrant.close()

    def _leave(self) -> None:
        self._left = True
        self._forget()
        self.shell.start(self.entrant.close(), finish=True)
        self.shell.attend(None)
        self.shell.home()

    def _forget(self) -> None:
        self._stop()
        if self._sitting is not None:
            self._sitting.forget()

    def _heard(self, event: Any) -> None:
        if event.what in AT_TABLES:
            self._follow()
        self._tell_ruling()
        self._tell_away()
        self.shell.redraw()

    def _tell_away(self) -> None:
        """Tells at a table, where nothing else may show it, that the referee is away, and that it is back."""
        away = self.entrant.away_since is not None
        if away != self._away and self._sitting is not None:
            said = "The referee is away. Play on: it comes back to the game." if away else "The referee is back."
            self.shell.toast(said, bad=away)
        self._away = away

    def _tell_ruling(self) -> None:
        """Tells of a ruling at one's own table, once."""
        ruling = self.entrant.ruling
        if ruling is not None and ruling is not self._ruled:
            self.shell.toast(ruling.sentence, bad=bool(ruling.lost))
        self._ruled = ruling

    def _follow(self) -> None:
        """Sits down where the referee leads to; a table that is there no more gives way to the tournament."""
        from client.sitting import Sitting

        table, sitting = self.entrant.table, self._sitting
        if self._left or (sitting is not None and sitting.table is table):
            return
        if sitting is not None:
            sitting.forget()
            self._sitting = None
        if table is None:
            if sitting is not None:
                self.shell.stand_up()
                self.shell.replace(self.lounge())
            return
        clocks.keep(table, self.entrant)
        self._sitting = Sitting(self.shell, table, self.lounge)
        self.shell.alert(True)
        self.shell.take_place(self._sitting)
