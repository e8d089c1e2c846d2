"""What a table at one seat consists of, and how it ends: with a record and a verdict, with a goodbye, or until resumed.

Frames between seats, besides those of `table.session`:

    ("bye", reason)            the seat leaves
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, TypeAlias

from kimberley.games.table import Game
from kimberley.p2p.base.errors import InternalError, UserError
from kimberley.p2p.base.publisher import Publisher
from kimberley.p2p.base.rate_limited_log import RateLimitedLog
from kimberley.p2p.base.tasks import BackgroundTasks
from kimberley.p2p.discovery.endpoint import Endpoint
from kimberley.p2p.storage import archive
from kimberley.p2p.storage.files import StorageError
from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.storage.journal import Entry
from kimberley.p2p.table.lobby import HostLobby
from kimberley.p2p.table.match import Match
from kimberley.p2p.table.occupants import Occupants
from kimberley.p2p.table.runner import PeerView
from kimberley.p2p.table.spectators import Spectators
from kimberley.p2p.table.trust_store import TrustLevel, TrustStore
from kimberley.p2p.transport.channel import Channel
from kimberley.p2p.transport.handshake import refusal_frame
from kimberley.p2p.transport.link import Link
from kimberley.p2p.transport.mesh import Mesh
from kimberley.protocol.audit import Verdict
from kimberley.protocol.events import ChatMessage, Event
from kimberley.protocol.record import Record

log = logging.getLogger(__name__)

Phase: TypeAlias = Literal["open", "words", "playing", "closing", "done", "failed"]

LEFT: Final = "You have left the table."
ELSEWHERE: Final = "This is not the table that you are looking for. Its game is over, or another one is played."
UNJUDGED: Final = "This program could not check the record; its log says more. Try kimberley verify."
WAITS: Final = "The game can be resumed."
PART_SECONDS: Final = 10.0
"""How long a leaving seat waits for lost connections to come back."""
PART_PAUSE_SECONDS: Final = 0.1


@dataclass(frozen=True, slots=True)
class TableChanged:
    """Something besides the game has changed: "people", "phase", "agreed", "away", "again" or "network"."""

    what: str


@dataclass(frozen=True, slots=True)
class Notice:
    """Something went wrong that does not end the table: a sentence for the player."""

    text: str


TableEvent: TypeAlias = Event | TableChanged | Notice


class TableLifecycle(Occupants, Publisher[TableEvent]):
    """What a table holds, its phases, and its end; `table.session.TableSession` leads there."""

    _mesh: Mesh

    def __init__(
        self, game: Game, identity: Identity, data: Path | None, *, host: bool, headless: bool, onlookers: int
    ) -> None:
        """Raises StorageError."""
        Occupants.__init__(self, game, identity)
        Publisher.__init__(self)
        self.host = host
        self.phase: Phase = "open"
        self.problem: str | None = None
        """Why the table failed, or what did not work: a sentence that says what to do."""
        self.warning: str | None = None
        """What the player should keep in mind while comparing the words."""
        self.unannounced: str | None = None
        """Why others cannot discover the table; None if they can."""
        self.resumable = False
        """Whether the table has ended for this process only: its journal can be resumed."""
        self.phrase: tuple[str, str, str, str] | None = None
        self.acquaintance: tuple[TrustLevel, ...] = ("you",)
        """By seat: how well this player knows the others. A "bot" sits in this program."""
        self.peer: PeerView | None = None
        """What this seat knows of the game: one object for each game."""
        self.talk: list[ChatMessage] = []
        self.verdict: Verdict | None = None
        self.record: Path | None = None
        self._again_from: set[bytes] = set()
        """The identities that want another game: players change seats for it."""
        self._gave_up: set[bytes] = set()
        """The identities that said goodbye during this game and have not come back."""
        self._data = data
        self._journals = data
        """The folder for the journal."""
        self._first: tuple[Entry, ...] = ()
        """The first entries of the journal."""
        self._headless = headless
        self._lasting = False
        """Whether even a game of two goes on when a seat leaves or breaks the protocol."""
        self._trust = TrustStore(identity.public, data, headless=headless)
        self._endpoint: Endpoint | None = None
        self._bind: str | None = None
        self._host = identity.public if host else b""
        self._host_address = ""
        self._spectators = Spectators(onlookers)
        self._match: Match | None = None
        self._same: dict[bytes, bytes] = {}
        self._tasks = BackgroundTasks(self._on_internal_error)
        self._closing = BackgroundTasks()
        """Closing connections, and other tasks that the table does not depend on."""
        self._ending = asyncio.Lock()
        self._unknown = RateLimitedLog(log)
        self._leaving = False
        self._left = False

    @property
    def again_from(self) -> frozenset[int]:
        """The seats whose players want another game."""
        return frozenset(map(self._seat_of, self._again_from))

    @property
    def _links(self) -> dict[bytes, Link]:
        return self._mesh.links

    def _set_phase(self, phase: Phase) -> None:
        self.phase = phase
        if self.host and self._endpoint is not None and phase in ("open", "words"):
            self._endpoint.update_card()
        self._publish(TableChanged("phase"))

    def notify(self, text: str) -> None:
        """Tells the subscribers of a problem that does not end the table."""
        self._publish(Notice(text))

    def _on_announced(self, problem: str | None) -> None:
        self.unannounced = problem
        self._publish(TableChanged("network"))

    def _expected(self) -> set[str]:
        """Where the other seats of this game were last: they may come back."""
        return {link.address for link in self._links.values()} if self._match is not None else set()

    # -- the verdict ---------------------------------------------------------------------------------------------------

    async def _finish(self, match: Match, record: Record) -> None:
        """All have signed the verdict: the record is complete."""
        async with self._ending:
            if self.phase == "closing":
                await self._keep_record(match, record)
                self._lobby.turns = match.turns()
                match.release(kept=self.record is not None or self._data is None)
                self._set_phase("done")
                if self._leaving:
                    self._fail(LEFT)

    async def _keep_record(self, match: Match, record: Record) -> None:
        """Stores the record and judges it."""
        packed = await asyncio.to_thread(record.pack)
        if self._data is not None:
            try:
                self.record = await asyncio.to_thread(archive.save_record, self._data, self.names, packed)
            except StorageError as error:
                self.problem = str(error)
        self.verdict = await asyncio.to_thread(match.judge, packed)
        if self.verdict is None:
            self.notify(UNJUDGED)

    # -- the end -------------------------------------------------------------------------------------------------------

    def _on_failure(self, error: UserError) -> None:
        """The journal cannot be written, or worse: this seat must not sign anything more."""
        if isinstance(error, StorageError):
            self._end(f"{error} Then continue the game: kimberley resume.", None)
        elif isinstance(error, InternalError) and self._journals is not None:
            self._end(f"{error} Your seat is kept: continue with kimberley resume.", None)
        else:
            self._end(str(error), "cannot go on: a fault of the program")

    def _on_internal_error(self, error: BaseException) -> None:
        """A task failed without which the table cannot go on."""
        self._on_failure(InternalError.of(error))

    async def _depart(self) -> None:
        """Leaves, once the others need nothing more from this seat and all can have heard of it; after a while, one is
        enough.
        """
        loop = asyncio.get_running_loop()
        waited = loop.time() + PART_SECONDS
        while not self._left:
            sent = [link.sent_all for link in self._links.values()]
            if all(sent) or (any(sent) and loop.time() > waited):
                self._fail(LEFT)
            await asyncio.sleep(PART_PAUSE_SECONDS)

    def _fail(self, problem: str) -> None:
        self._end(problem, "left the table")

    def _end(self, problem: str, bye: str | None) -> None:
        """Ends the table for this seat and tells the others why. If `bye` is None, they wait: this seat may come back
        from its journal.
        """
        self._left = True
        self._tasks.start(self._close_table(problem, bye))

    async def _close_table(self, problem: str, bye: str | None) -> None:
        async with self._ending:
            if self.phase == "failed":
                return
            links = list(self._links.values())
            if isinstance(self._lobby, HostLobby):
                self._lobby.close()
                links += self._lobby.newcomers()
            last = [] if bye is None else [("bye", bye)]
            closing: list[asyncio.Task[None]] = []
            try:
                if self._match is not None:
                    await self._match.stop()
                    self._match.discard()
                closing = [asyncio.create_task(link.close(*last)) for link in links]
                if self._match is not None:
                    await self._release_match(self._match, problem, resumable=bye is None)
            except Exception as error:
                log.exception("the table did not end as it should")
                problem = f"{problem} {InternalError.of(error)}"
                if self._match is not None:
                    self._match.release(kept=False)
            self.problem = problem
            self._set_phase("failed")
            await asyncio.gather(*closing)
            await self._mesh.close()
            if bye is None and self._endpoint is not None:
                # Otherwise it listens until the table is closed, to tell returning seats that the game is over.
                await self._endpoint.close()

    async def _release_match(self, match: Match, problem: str, *, resumable: bool) -> None:
        """Keeps what is left of a stopped game: its journal if it can be resumed, otherwise its record."""
        if resumable:
            self.resumable = True
            match.release(kept=False)
        elif self.phase in ("playing", "closing"):
            await self._keep_record(match, match.record())
            if self._data is None:
                match.release(kept=True)
            try:
                await asyncio.to_thread(match.close, problem)
            except StorageError as error:
                log.warning("%s", error)

    async def _reply_game_over(self, channel: Channel) -> None:
        """A seat comes back to a game that is over here. Says so, and shows who was caught."""
        async with self._ending:
            pass  # Wait until it has ended.
        if self.resumable or channel.peer not in dict(self._lobby.people):
            channel.send(refusal_frame(ELSEWHERE))
        else:
            proof = self._match.proof(channel.peer) if self._match is not None else ()
            for frame in (*proof, ("bye", "gave up the game")):
                channel.send(frame)
        await channel.close()
