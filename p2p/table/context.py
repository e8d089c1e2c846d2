"""What the parts of a table at one seat share: who plays and over which links, and where the table stands."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path

from kimberley.games.table import Game
from kimberley.p2p.base.errors import InternalError, UserError
from kimberley.p2p.base.publisher import Publisher
from kimberley.p2p.base.tasks import BackgroundTasks
from kimberley.p2p.discovery.endpoint import Endpoint
from kimberley.p2p.storage.files import StorageError
from kimberley.p2p.storage.high_water_mark import StaleJournal
from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.storage.journal import Entry
from kimberley.p2p.table.events import Notice, TableChanged, TableEvent
from kimberley.p2p.table.guest_lobby import GuestLobby
from kimberley.p2p.table.lobby import HostLobby
from kimberley.p2p.table.match import Match
from kimberley.p2p.table.occupants import Occupants
from kimberley.p2p.table.paired_lobby import PairedLobby
from kimberley.p2p.table.phases import NoMatch, OpenPhase, Phase, PhaseName
from kimberley.p2p.table.policy import TablePolicy
from kimberley.p2p.table.runner import PeerView
from kimberley.p2p.table.spectators import Spectators
from kimberley.p2p.table.trust_store import TrustStore
from kimberley.p2p.transport.channel import Channel
from kimberley.p2p.transport.handshake import refusal_frame
from kimberley.p2p.transport.link import Link
from kimberley.p2p.transport.mesh import Mesh

log = logging.getLogger(__name__)


class TableContext:
    """The state of a table that more than one of its parts needs, and the events that all of them publish. The table
    itself, `table.session.TableSession`, adds the parts.
    """

    def __init__(
        self,
        game: Game,
        identity: Identity,
        data: Path | None,
        mesh: Mesh,
        policy: TablePolicy,
        *,
        host: bool,
        headless: bool,
        spectators: int,
    ) -> None:
        """Opens a table at which nobody sits yet.

        Args:
            game: The game to play.
            identity: The own identity.
            data: The folder for journal, record and known keys; None to keep nothing.
            mesh: The links to the other seats.
            policy: What the players may decide.
            host: Whether this seat opened the table.
            headless: Nobody is there to compare words.
            spectators: The most spectators that this seat admits.

        Raises:
            StorageError: The known keys cannot be read.
        """
        self._events = Publisher[TableEvent]()
        self.game = game
        """The game to play. Between games the host can choose another one."""
        self.identity = identity
        self.mesh = mesh
        self.policy = policy
        self.host = host
        """Whether this seat opened the table."""
        self.headless = headless
        self.data = data
        self.journals = data
        """The folder for the journal."""
        self.first: tuple[Entry, ...] = ()
        """The first entries of the journal."""
        self.occupants = Occupants(identity.public)
        self.trust = TrustStore(identity.public, data, headless=headless)
        self.spectators = Spectators(spectators)
        self.host_key = identity.public if host else b""
        """The identity of the seat that opened the table."""
        self.host_address = ""
        self.endpoint: Endpoint | None = None
        self.bind: str | None = None
        """The only address where this seat listens; None for all."""
        self.at: Phase = OpenPhase(NoMatch())
        """Where the table stands, and its game."""
        self.problem: str | None = None
        """Why the table failed, or what did not work: a sentence that says what to do."""
        self.peer: PeerView | None = None
        """What this seat knows of the game: one object for each game."""
        self.barred = False
        """Whether this seat cannot join the table again, or should not: the host closed it or removed this seat, or
        somebody may be cheating.
        """
        self.leaving = False
        """Whether this seat has left the game, and stays only until the others have what they need."""
        self.parting: set[bytes] = set()
        """The identities whose goodbye has come, while what they sent before it is not handled yet."""
        self.left = False
        """Whether the table has ended for this seat, or is ending."""
        self.tasks = BackgroundTasks(self.on_internal_error)
        self.closing = BackgroundTasks()
        """Closing connections, and other tasks that the table does not depend on."""
        self.client: object = None
        """What the client that plays here keeps with its seat (`client.session.seat_session`). No part reads it."""

    # -- state ---------------------------------------------------------------------------------------------------------

    @property
    def lobby(self) -> HostLobby | GuestLobby | PairedLobby:
        return self.occupants.lobby

    @property
    def links(self) -> dict[bytes, Link]:
        """The links to the other seats, by identity."""
        return self.mesh.links

    @property
    def phase(self) -> PhaseName:
        """The name of the phase, as clients know it."""
        return self.at.name

    @property
    def match(self) -> Match | NoMatch:
        """The game whose roster is signed; the last one until then."""
        return self.at.match

    @property
    def compared(self) -> Match | None:
        """The game whose words are being compared."""
        return self.at.compared

    @property
    def played(self) -> Match | None:
        """The game that is being played, until all have signed its verdict; None once the table has ended."""
        return None if self.left else self.at.played

    @property
    def game_id(self) -> bytes | None:
        """The game whose roster is signed; None before."""
        return self.match.game_id

    @property
    def gone_seats(self) -> tuple[int, ...]:
        """The seats that have left the game."""
        return self.match.left

    @property
    def port(self) -> int:
        """The port where this seat listens; 0 if it does not."""
        return self.endpoint.port if self.endpoint is not None else 0

    @property
    def addresses(self) -> tuple[str, ...]:
        """What others can type to join, the likeliest first; empty if this seat is not the host."""
        return self.endpoint.addresses if self.endpoint is not None and self.host else ()

    @property
    def host_seat(self) -> int:
        """The seat of the host; it changes from game to game."""
        return self.occupants.seat_of(self.host_key)

    # -- what happens --------------------------------------------------------------------------------------------------

    def subscribe(self, callback: Callable[[TableEvent], None]) -> Callable[[], None]:
        """Calls `callback` with every event from now on. Returns a function that ends the subscription."""
        return self._events.subscribe(callback)

    def publish(self, event: TableEvent) -> None:
        self._events.publish(event)

    def notify(self, text: str) -> None:
        """Tells the subscribers of a problem that does not end the table."""
        self.publish(Notice(text))

    def set_phase(self, phase: Phase) -> None:
        self.at = phase
        if self.host and self.endpoint is not None and phase.before_game:
            self.endpoint.update_card()
        self.publish(TableChanged("phase"))
        self.on_phase(phase)

    def on_phase(self, phase: Phase) -> None:
        """Called with each new phase, once it is published."""
        raise NotImplementedError

    def call_after(self, callback: Callable[[], None]) -> None:
        """Calls back once all envelopes that came before are handled."""
        self.match.call_after(callback)

    def refuse(self, channel: Channel, reason: str) -> None:
        """Tells somebody who has connected why there is no place, and ends the connection."""
        log.info("%s refused: %s", channel.address, reason)
        channel.send(refusal_frame(reason))
        self.closing.start(channel.close())

    # -- the end -------------------------------------------------------------------------------------------------------

    def bar(self, problem: str) -> None:
        """Ends the table for this seat, which should not join it again."""
        self.barred = True
        self.fail(problem)

    def fail(self, problem: str) -> None:
        self.end(problem, "left the table")

    def end(self, problem: str, bye: str | None) -> None:
        """Ends the table for this seat and tells the others why. If `bye` is None, they wait: this seat may come back
        from its journal. Only the first call counts.
        """
        if not self.left:
            self.left = True
            self.on_end(problem, bye)

    def on_end(self, problem: str, bye: str | None) -> None:
        """Called when the table ends here: with the sentence that says why, and with what the others are told; None if
        they wait.
        """
        raise NotImplementedError

    def on_failure(self, error: UserError) -> None:
        """Called when the journal cannot be written, or worse: this seat must not sign anything more."""
        if isinstance(error, StaleJournal):
            # The others wait for the latest copy.
            self.end(str(error), None)
        elif isinstance(error, StorageError):
            self.end(f"{error} Then resume the game.", None)
        elif isinstance(error, InternalError) and self.journals is not None:
            self.end(f"{error} Your game is saved: you can resume it.", None)
        else:
            self.end(str(error), "cannot continue: the program failed")

    def on_internal_error(self, error: BaseException) -> None:
        """Called when a task failed without which the table cannot continue."""
        self.on_failure(InternalError.of(error))
