"""The protocols that the client needs for clocks, tournaments and watched tables; the network layer fulfills them.

Screens, the line mode and bots depend only on these, and on the parts of a table (`p2p.table.session`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, runtime_checkable

from kimberley.games.table import Game
from kimberley.p2p.table.spectated_game import SpectatedGame

if TYPE_CHECKING:
    from kimberley.client.session.copy_offer import CopyOffer
    from kimberley.p2p.table.table import Table
    from kimberley.p2p.tournament.events import TableDecided
    from kimberley.p2p.tournament.messages import WaitReading
    from kimberley.p2p.tournament.settings import TournamentSettings
    from kimberley.p2p.tournament.tournament import Tournament
    from kimberley.protocol.audit import AuditedGame
    from kimberley.protocol.events import Caught

Stop: TypeAlias = Callable[[], None]


class SharingLike(Protocol):
    """A copy of this program that friends can fetch (`session.sharing.Sharing`)."""

    def offer(self) -> CopyOffer:
        """Returns what to show to a friend."""

    async def close(self) -> None: ...


@runtime_checkable
class AtTable(Protocol):
    """A screen of a table. Its menu has chat, resigning and leaving."""

    @property
    def table(self) -> Table: ...


class ClockLike(Protocol):
    """A seat's clock as the referee last reported it (`tournament.messages.ClockReading`)."""

    @property
    def runs(self) -> bool: ...
    @property
    def away(self) -> bool:
        """Returns whether the referee could not reach the seat's player."""

    def left(self, now: float) -> float:
        """Returns the seconds left at the loop time `now`."""


class ClockKeeperLike(Protocol):
    """Knows the clocks of a table, by seat (`tournament.client.TournamentClient`)."""

    @property
    def clocks(self) -> Sequence[ClockLike]: ...
    @property
    def wait(self) -> WaitReading | None:
        """Whom the table waits for before its game; None if the referee has not said so."""

    @property
    def paused(self) -> bool:
        """Returns whether the organizer has stopped them."""

    @property
    def away_since(self) -> float | None:
        """The loop time since which the referee cannot be reached."""


class TournamentClientLike(Protocol):
    """A player's side of a tournament (`tournament.client.TournamentClient`), as the screens see it."""

    @property
    def settings(self) -> TournamentSettings: ...
    @property
    def tournament(self) -> Tournament: ...
    @property
    def identity(self) -> bytes: ...
    @property
    def phase(self) -> str:
        """One of waiting, seated, over, withdrawn and failed."""

    @property
    def table(self) -> Table | None:
        """This player's seat at the table of the current round, once it is taken."""

    @property
    def ruling(self) -> TableDecided | None:
        """The result of that table, once it is decided."""

    @property
    def clocks(self) -> Sequence[ClockLike]: ...
    @property
    def wait(self) -> WaitReading | None: ...
    @property
    def paused(self) -> bool:
        """Returns whether the organizer has stopped them."""

    @property
    def away_since(self) -> float | None:
        """The loop time since which the referee cannot be reached."""

    @property
    def problem(self) -> str | None: ...
    def withdraw(self) -> None: ...
    async def close(self) -> None: ...
    def subscribe(self, callback: Callable[[Any], None]) -> Stop: ...


class SpectatedPeer(SpectatedGame, Protocol):
    """A spectator's view of a game that may still be running (`table.runner.PeerView`)."""

    @property
    def waiting_since(self) -> dict[int, float]: ...
    @property
    def finished(self) -> bool: ...
    @property
    def caught(self) -> Caught | None: ...


class SpectatorLike(Protocol):
    """A table that the user watches (`table.spectator_client.SpectatorClient`). Everything happens on one event
    loop.
    """

    @property
    def game(self) -> Game | None: ...
    @property
    def peer(self) -> SpectatedPeer | None:
        """Returns what is known about the game: one object per game, None before the first."""

    @property
    def problem(self) -> str | None: ...
    @property
    def away_since(self) -> float | None: ...
    def subscribe(self, callback: Callable[[Any], None]) -> Stop: ...
    async def audit(self) -> AuditedGame | None:
        """Audits the game as this spectator has it, trusting nobody's word. None before a game."""

    async def close(self) -> None: ...
