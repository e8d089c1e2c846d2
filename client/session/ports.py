"""The protocols that the client needs for tables, games, clocks and tournaments; the network layer fulfills them.

Screens, the line mode and bots depend only on these, so that tests and other interfaces can bring their own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, runtime_checkable

from kimberley.games.table import Answer, Ask, Game, Plain, Result, State

if TYPE_CHECKING:
    from kimberley.client.session.copy_offer import CopyOffer
    from kimberley.p2p.far.door import FarDoor
    from kimberley.p2p.table.events import ChatLine
    from kimberley.p2p.table.page_seats import PageSeats
    from kimberley.p2p.tournament.events import TableDecided
    from kimberley.p2p.tournament.messages import WaitReading
    from kimberley.p2p.tournament.settings import TournamentSettings
    from kimberley.p2p.tournament.tournament import Tournament
    from kimberley.protocol.audit import AuditedGame
    from kimberley.protocol.events import Asked, Caught
    from kimberley.protocol.log import Deviation
    from kimberley.protocol.roster import SignedRoster

Stop: TypeAlias = Callable[[], None]


class PeerLike(Protocol):
    """What a seat knows about the running game (`protocol.peer.Peer`)."""

    @property
    def first_state(self) -> State:
        """The first state of the game: all that is in it is public."""

    @property
    def state(self) -> State: ...
    @property
    def story(self) -> tuple[tuple[Ask, Answer], ...]: ...
    @property
    def asked(self) -> Asked | None: ...
    @property
    def waiting(self) -> tuple[int, ...]: ...
    @property
    def result(self) -> Result | None: ...


class VerdictLike(Protocol):
    """The result of auditing a record (`protocol.audit.Verdict`)."""

    @property
    def code(self) -> str: ...
    @property
    def seats(self) -> tuple[int, ...]: ...
    @property
    def reason(self) -> str: ...
    @property
    def deviations(self) -> Sequence[Deviation]: ...
    @property
    def envelopes(self) -> int: ...
    @property
    def names(self) -> Sequence[str]: ...


class HostingLike(Protocol):
    """What the host of a table does between games (`table.hosting.Hosting`). Each of it raises NotAllowed elsewhere."""

    @property
    def queue(self) -> Sequence[str]:
        """The nicknames of those who wait for a seat, in their turn; empty if the player is not the host."""

    @property
    def begins(self) -> bool:
        """Whether a full table waits until its host is ready."""

    def change_options(self, options: Mapping[str, Plain], seats: int, game: Game | None = None) -> None:
        """Changes the options, the number of seats and the game of an open table for all who sit there. Nobody is ready
        then. Raises UserError, NotAllowed.
        """

    def send_away(self, seat: int) -> None:
        """Takes the seat back from a bot, or from a person, who cannot sit down here again. Raises NotAllowed."""

    def open_again(self) -> None:
        """Opens the table again after a game, for a game with other options or another one. Raises NotAllowed."""


class TableLike(Protocol):
    """A seat at a table (`table.table.Table`), as the screens see it. Everything happens on one event loop."""

    @property
    def game(self) -> Game: ...
    @property
    def hosting(self) -> HostingLike: ...
    @property
    def options(self) -> Mapping[str, Plain]: ...
    @property
    def names(self) -> Sequence[str]:
        """For each taken seat: what its player is called, unlike all others there."""

    @property
    def seats(self) -> int:
        """The number of seats, taken or free. `names` has only the taken ones."""

    @property
    def seat(self) -> int: ...
    @property
    def host(self) -> bool: ...
    @property
    def host_seat(self) -> int: ...
    @property
    def phase(self) -> str:
        """One of open, words, playing, closing, done and failed."""

    @property
    def numbers(self) -> Sequence[int]:
        """The numbers of players that can play here, in ascending order."""

    @property
    def asks_ready(self) -> bool:
        """Returns whether the players say when they are ready. They do if the number of players is open."""

    @property
    def readiness(self) -> Sequence[bool]:
        """For each taken seat: whether the player is ready."""

    @property
    def problem(self) -> str | None: ...
    @property
    def warning(self) -> str | None: ...
    @property
    def unannounced(self) -> str | None: ...
    @property
    def phrase(self) -> Sequence[str] | None: ...
    @property
    def acquaintance(self) -> Sequence[str]: ...
    @property
    def called_bots(self) -> Sequence[bool]:
        """For each taken seat: whether the host calls it a bot. Nothing may depend on this claim."""

    @property
    def agreed(self) -> Sequence[bool]: ...
    @property
    def peer(self) -> PeerLike | None: ...
    @property
    def away(self) -> Mapping[int, float]:
        """The seats whose connection is lost, each with the loop time of the loss."""

    @property
    def not_come(self) -> frozenset[int]:
        """Those of the seats `away` that have not come yet since this program took the game up again."""

    @property
    def final_adjustment_until(self) -> float | None: ...
    @property
    def talk(self) -> Sequence[ChatLine]:
        """Returns what those who sit here have said, before, in and after games, the latest last."""

    @property
    def verdict(self) -> VerdictLike | None: ...
    @property
    def audited(self) -> AuditedGame | None:
        """The last game with all that its audit found, once that has been made."""

    @property
    def record(self) -> Path | None: ...
    @property
    def again_from(self) -> Set[int]: ...
    @property
    def addresses(self) -> Sequence[str]:
        """Addresses that others can type to reach this seat; for the host, to join."""

    @property
    def port(self) -> int: ...
    @property
    def bind(self) -> str | None:
        """The only address where this seat listens; None for all."""

    @property
    def page_seats(self) -> PageSeats:
        """Returns how seats come by the page that this program serves."""

    @property
    def far(self) -> FarDoor:
        """Returns how seats come from far away."""

    @property
    def resumable(self) -> bool:
        """Returns whether a failed table can be resumed from its journal."""

    @property
    def can_adjourn(self) -> bool:
        """Returns whether the current game can be continued another day."""

    @property
    def adjourned(self) -> bool:
        """Returns whether all have agreed to put the game aside, and the table has ended for that."""

    @property
    def adjourn_from(self) -> Set[int]:
        """The seats that want to put the game aside."""

    @property
    def grace(self) -> int:
        """Seconds after which the others may stop waiting for an absent seat."""

    @property
    def absent(self) -> Sequence[int]:
        """The seats that may be given up now: their step is missing, and they have been away longer than the grace."""

    @property
    def abandon_from(self) -> Set[int]:
        """The seats that have declared the game abandoned."""

    async def seat_bot(self, nickname: str, note: Plain = None) -> TableLike:
        """Gives a free seat of an open table to a bot of this program. Returns the bot's side of the table. Raises
        UserError.
        """

    def ready(self, yes: bool) -> None: ...
    def same(self, yes: bool) -> None: ...
    def choose(self, plain: Plain, *, final: bool = True) -> None:
        """Makes a choice. During a final adjustment, one that is not `final` only stands for now."""

    def say(self, text: str) -> None:
        """Says something to all at the table, in every phase but "failed"."""

    def resign(self) -> None: ...
    def again(self, yes: bool) -> None: ...
    def adjourn(self, yes: bool) -> None: ...
    def abandon(self) -> None:
        """Declares that the absent players have abandoned the game. Raises NotAllowed if nobody is absent."""

    def leave(self) -> None: ...
    def subscribe(self, callback: Callable[[Any], None]) -> Stop: ...
    def notify(self, text: str) -> None:
        """Notifies the table's subscribers of a problem that does not end the table."""

    async def suspend(self, problem: str = ...) -> None:
        """Ends the table as if the program were killed, so that the game can be resumed. `problem` says why."""

    async def close(self) -> None: ...


class SharingLike(Protocol):
    """A copy of this program that friends can fetch (`session.sharing.Sharing`)."""

    def offer(self) -> CopyOffer:
        """Returns what to show to a friend."""

    async def close(self) -> None: ...


@runtime_checkable
class AtTable(Protocol):
    """A screen of a table. Its menu has chat, resigning and leaving."""

    @property
    def table(self) -> TableLike: ...


class ClockLike(Protocol):
    """A seat's clock as the referee last reported it (`tournament.messages.ClockReading`)."""

    @property
    def runs(self) -> bool: ...
    @property
    def away(self) -> bool:
        """Returns whether the referee could not reach the seat's player."""

    def left(self, now: float) -> float:
        """Seconds left at the loop time `now`."""


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
    def table(self) -> TableLike | None:
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


class SpectatedGame(Protocol):
    """What a spectator knows about a game: a `protocol.peer.Peer` without a seat, or its view."""

    @property
    def first_state(self) -> State:
        """The first state of the game: all that is in it is public."""

    @property
    def state(self) -> State: ...
    @property
    def story(self) -> tuple[tuple[Ask, Answer], ...]: ...
    @property
    def waiting(self) -> tuple[int, ...]: ...
    @property
    def result(self) -> Result | None: ...
    @property
    def table(self) -> SignedRoster: ...


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
