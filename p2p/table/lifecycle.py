"""What a table is, at one seat, and how it ends: with a record and a verdict, by a goodbye, or for today only.

Frames between seats, besides those of `p2p.course`:

    ("bye", reason)            the seat leaves
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, TypeAlias

from games.table import Game
from p2p import archive
from p2p.attendance import Attendance
from p2p.channel import Channel
from p2p.company import Company, Standing
from p2p.files import StorageTrouble
from p2p.front import Front
from p2p.gallery import Gallery
from p2p.hello import refusal
from p2p.identity import Identity
from p2p.journal import Entry
from p2p.link import Link
from p2p.lobby import HostLobby
from p2p.match import Match
from p2p.mesh import Mesh
from p2p.publisher import Publisher
from p2p.runner import View
from p2p.seldom import Seldom
from p2p.tasks import Tasks
from p2p.trouble import Fault, Trouble
from protocol.audit import Verdict
from protocol.events import Event, Said
from protocol.record import Record

log = logging.getLogger(__name__)

Phase: TypeAlias = Literal["open", "words", "playing", "closing", "done", "failed"]

LEFT: Final = "You have left the table."
ELSEWHERE: Final = "This table is not what you look for: its game is over, or it is another one."
UNJUDGED: Final = "This program could not check the record, which its log says more of. Try kimberley verify."
WAITS: Final = "The game waits to be resumed."
PART_SECONDS: Final = 10.0
"""For connections to come back on which a seat that leaves is waited for."""
PART_PAUSE_SECONDS: Final = 0.1


@dataclass(frozen=True, slots=True)
class Changed:
    """Something else than the game has changed: "people", "phase", "agreed", "away", "again" or "network"."""

    what: str


@dataclass(frozen=True, slots=True)
class Notice:
    """Something went wrong that does not end the table: a sentence for the person."""

    text: str


TableEvent: TypeAlias = Event | Changed | Notice


class Ending(Attendance, Publisher[TableEvent]):
    """What a table holds, its phases, and its end; `p2p.course.Course` is the way there."""

    _mesh: Mesh

    def __init__(
        self, game: Game, identity: Identity, data: Path | None, *, host: bool, headless: bool, onlookers: int
    ) -> None:
        """Raises StorageTrouble."""
        Attendance.__init__(self, game, identity)
        Publisher.__init__(self)
        self.host = host
        self.phase: Phase = "open"
        self.problem: str | None = None
        """Why the table failed, or what did not work: a sentence that says what to do."""
        self.warning: str | None = None
        """Something that a person should think of while comparing the words."""
        self.unannounced: str | None = None
        """Why others cannot find the table by itself, if they cannot."""
        self.resumable = False
        """Whether the table has ended for this process only: its journal waits."""
        self.phrase: tuple[str, str, str, str] | None = None
        self.acquaintance: tuple[Standing, ...] = ("you",)
        """By seat: how well one knows who sits there. A "bot" sits in this program."""
        self.peer: View | None = None
        """What this seat knows of the game; one object for each game."""
        self.talk: list[Said] = []
        self.verdict: Verdict | None = None
        self.record: Path | None = None
        self._again_from: set[bytes] = set()
        """Who wants another game: people, since they change their seats for it."""
        self._gave_up: set[bytes] = set()
        """Who has said bye in the middle of the game at hand, and has not come back."""
        self._data = data
        self._journals = data
        """The folder for the journal."""
        self._first: tuple[Entry, ...] = ()
        """What stands first in the journal."""
        self._headless = headless
        self._lasting = False
        """Whether a game of two, too, goes on where a seat breaks the protocol or leaves."""
        self._company = Company(identity.public, data, headless=headless)
        self._front: Front | None = None
        self._bind: str | None = None
        self._host = identity.public if host else b""
        self._host_address = ""
        self._gallery = Gallery(onlookers)
        self._match: Match | None = None
        self._same: dict[bytes, bytes] = {}
        self._tasks = Tasks(self._at_fault)
        self._closing = Tasks()
        """Connections that end, and what else the table does not depend on."""
        self._ending = asyncio.Lock()
        self._unknown = Seldom(log)
        self._leaving = False
        self._left = False

    @property
    def again_from(self) -> frozenset[int]:
        """The seats whose people want another game."""
        return frozenset(map(self._seat_of, self._again_from))

    @property
    def _links(self) -> dict[bytes, Link]:
        return self._mesh.links

    def _phase(self, phase: Phase) -> None:
        self.phase = phase
        if self.host and self._front is not None and phase in ("open", "words"):
            self._front.changed()
        self._publish(Changed("phase"))

    def notify(self, text: str) -> None:
        """Tells whoever follows this seat of something that went wrong, and does not end the table."""
        self._publish(Notice(text))

    def _announced(self, problem: str | None) -> None:
        self.unannounced = problem
        self._publish(Changed("network"))

    def _expected(self) -> set[str]:
        """Where the other seats of the game at hand were last: they may come back."""
        return {link.address for link in self._links.values()} if self._match is not None else set()

    # -- the verdict ---------------------------------------------------------------------------------------------------

    async def _finish(self, match: Match, record: Record) -> None:
        """All have signed the verdict: the record is whole."""
        async with self._ending:
            if self.phase == "closing":
                await self._keep(match, record)
                self._lobby.turns = match.turns()
                match.release(kept=self.record is not None or self._data is None)
                self._phase("done")
                if self._leaving:
                    self._fail(LEFT)

    async def _keep(self, match: Match, record: Record) -> None:
        """Keeps the record, and judges it."""
        packed = await asyncio.to_thread(record.pack)
        if self._data is not None:
            try:
                self.record = await asyncio.to_thread(archive.save, self._data, self.names, packed)
            except StorageTrouble as error:
                self.problem = str(error)
        self.verdict = await asyncio.to_thread(match.judge, packed)
        if self.verdict is None:
            self.notify(UNJUDGED)

    # -- the end -------------------------------------------------------------------------------------------------------

    def _broke(self, error: Trouble) -> None:
        """The journal cannot be written, or worse: this seat may sign nothing more."""
        if isinstance(error, StorageTrouble):
            self._end(f"{error} Then go on with the game: kimberley resume.", None)
        elif isinstance(error, Fault) and self._journals is not None:
            self._end(f"{error} Your seat is kept: kimberley resume takes it again.", None)
        else:
            self._end(str(error), "cannot go on: a fault of the program")

    def _at_fault(self, error: BaseException) -> None:
        """Something failed without which the table cannot go on."""
        self._broke(Fault.of(error))

    async def _part(self) -> None:
        """Goes, now that nobody needs this seat, once all can have heard of it; a while later, one is enough."""
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
        """The table is over for this seat; others are told why. With None this seat may still come back, from its
        journal, and is waited for.
        """
        self._left = True
        self._tasks.start(self._finally(problem, bye))

    async def _finally(self, problem: str, bye: str | None) -> None:
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
                    await self._let_go(self._match, problem, resumable=bye is None)
            except Exception as error:
                log.exception("the table did not end as it should")
                problem = f"{problem} {Fault.of(error)}"
                if self._match is not None:
                    self._match.release(kept=False)
            self.problem = problem
            self._phase("failed")
            await asyncio.gather(*closing)
            await self._mesh.close()
            if bye is None and self._front is not None:
                # Else the door stays until the table is closed, to tell who comes back that the game is over.
                await self._front.close()

    async def _let_go(self, match: Match, problem: str, *, resumable: bool) -> None:
        """Keeps what is left of a game that has been stopped: its journal where it can be resumed, or its record."""
        if resumable:
            self.resumable = True
            match.release(kept=False)
        elif self.phase in ("playing", "closing"):
            await self._keep(match, match.record())
            if self._data is None:
                match.release(kept=True)
            try:
                await asyncio.to_thread(match.close, problem)
            except StorageTrouble as error:
                log.warning("%s", error)

    async def _tell_the_end(self, channel: Channel) -> None:
        """Somebody comes back to a game that is over here: says so, and shows who was caught."""
        async with self._ending:
            pass  # It ends just now.
        if self.resumable or channel.peer not in dict(self._lobby.people):
            channel.send(refusal(ELSEWHERE))
        else:
            proof = self._match.proof(channel.peer) if self._match is not None else ()
            for frame in (*proof, ("bye", "has given the game up")):
                channel.send(frame)
        await channel.close()
