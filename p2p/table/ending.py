"""How a table ends at one seat: with a record and a verdict, with a goodbye, or until it is resumed."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

from kimberley.games.table import Game
from kimberley.p2p.base.errors import InternalError
from kimberley.p2p.base.platform import in_background
from kimberley.p2p.storage import archive
from kimberley.p2p.storage.files import StorageError
from kimberley.p2p.table.admission import CLOSED
from kimberley.p2p.table.context import TableContext
from kimberley.p2p.table.lobby import HostLobby
from kimberley.p2p.table.match import Match
from kimberley.p2p.table.part import TablePart
from kimberley.p2p.table.phases import ClosingPhase, DonePhase, FailedPhase, NoMatch
from kimberley.p2p.transport.channel import Channel
from kimberley.p2p.transport.handshake import refusal_frame
from kimberley.p2p.transport.link import Link
from kimberley.protocol.audit import AuditedGame, Verdict
from kimberley.protocol.record import Record

log = logging.getLogger(__name__)

LEFT: Final = "You have left the table."
ELSEWHERE: Final = "This is not your table. Its game is over, or another one is being played."
UNJUDGED: Final = (
    "This program could not check the record; the log has details. Check it again later, in Finished games."
)
WAITS: Final = "You can resume the game."


class Ending(TablePart):
    """Keeps the record, has the game audited, and closes the table."""

    def __init__(self, table: TableContext) -> None:
        self.audited: AuditedGame | None = None
        """The last game with everything that its audit found, once it is audited. Everything that shows it takes it
        from here.
        """
        self.record: Path | None = None
        self.resumable = False
        """Whether the table has ended for this process only: its journal can be resumed."""
        self._table = table
        self._lock = asyncio.Lock()
        self._ruled = table.policy.players_end_game
        """Whether the result stands, so that nobody still has to be shown the game."""
        self._bye = ""
        """What the others were told when the table ended."""
        self._close_journal: Callable[[], None] | None = None
        """What is left to do with the journal of a game that is over here, once its result stands."""

    @property
    def verdict(self) -> Verdict | None:
        """What the audit of the last game found."""
        return self.audited.verdict if self.audited is not None else None

    def game_changed(self) -> None:
        self.audited, self.record, self._table.problem = None, None, None

    def finish(self, match: Match) -> None:
        """Completes the record: all have signed the verdict."""
        self._table.tasks.start(self._finish(match, match.record()))

    def rule(self) -> None:
        """Ends the game by the referee's ruling."""
        self._ruled = True
        self._table.closing.start(self._settle())

    def leave_journal(self) -> None:
        """Leaves the journal to the program's next run if the result does not stand yet."""
        if self._close_journal is not None:
            self._table.match.release(kept=False)

    def close(self, problem: str, bye: str | None) -> None:
        """Closes the table for this seat and tells the others why. If `bye` is None, they wait."""
        self._bye = bye or ""
        self._table.tasks.start(self._close_table(problem, bye))

    def on_channel(self, channel: Channel) -> bool:
        match channel.purpose:
            case ("seat", bytes() as game_id) if self._table.left and game_id == self._table.mesh.game_id:
                self._table.closing.start(self._reply_game_over(channel))
                return True
        return False

    # -- the verdict ---------------------------------------------------------------------------------------------------

    async def _finish(self, match: Match, record: Record) -> None:
        """Completes the record: all have signed the verdict."""
        table = self._table
        async with self._lock:
            if isinstance(table.at, ClosingPhase):
                await self._keep_record(match, record)
                table.lobby.turns = _turns_after(match, table.game)
                kept = self.record is not None or table.data is None
                await self._settle(lambda: match.release(kept=kept))
                table.set_phase(DonePhase(match))
                if table.leaving:
                    table.fail(LEFT)

    async def _keep_record(self, match: Match, record: Record) -> None:
        """Stores the record and audits the game."""
        table = self._table
        packed = await in_background(record.pack)
        if table.data is not None:
            save = partial(archive.save_record, practice=match.practice)
            try:
                self.record = await in_background(save, table.data, table.occupants.names, packed)
            except StorageError as error:
                table.problem = str(error)
        self.audited = await in_background(match.audit, record)
        if self.audited is None:
            table.notify(UNJUDGED)

    # -- the end -------------------------------------------------------------------------------------------------------

    async def _close_table(self, problem: str, bye: str | None) -> None:
        table = self._table
        async with self._lock:
            match = table.match
            links: list[Link] = list(table.links.values())
            waiting: tuple[Link, ...] = ()
            closing: list[asyncio.Task[None]] = []
            if isinstance(table.lobby, HostLobby):
                table.lobby.close()
                waiting = table.lobby.waiting.links
                if table.spectators.before_game and bye is not None:
                    # There will be no game to come back for.
                    closing.append(table.closing.start(table.spectators.close(refusal_frame(CLOSED))))
            last = [] if bye is None else [("bye", bye)]
            try:
                await match.stop()
                # The referee may have this seat's signature of the words: then the game begins even without this seat.
                match.discard(kept=bye is None and not table.policy.players_begin)
                closing += [
                    *(table.closing.start(link.close(*last)) for link in links),
                    *(table.closing.start(link.close(refusal_frame(CLOSED))) for link in waiting),
                ]
                await self._release_match(match, problem, resumable=bye is None)
            except Exception as error:
                log.exception("the table did not end as it should")
                problem = f"{problem} {InternalError.of(error)}"
                match.release(kept=False)
            table.problem = problem
            table.set_phase(FailedPhase(match))
            if table.policy.players_end_game:
                # A referee can still need what this seat has.
                closing.append(table.closing.start(table.spectators.close()))
            await asyncio.gather(*closing)
            await table.mesh.close()
            if bye is None and table.endpoint is not None:
                # Otherwise it listens until the table is closed, to tell returning seats that the game is over.
                await table.endpoint.close()

    async def _release_match(self, match: Match | NoMatch, problem: str, *, resumable: bool) -> None:
        """Keeps what is left of a stopped game: its journal if it can be resumed, otherwise its record. Nothing is left
        of a game that has not begun.
        """
        table = self._table
        if isinstance(match, NoMatch):
            return
        if resumable:
            self.resumable = True
            match.release(kept=False)
        elif match.catch_up.unbegun:
            match.release(kept=True)
        elif table.at.played is match:
            await self._keep_record(match, match.record())
            if table.data is None:
                match.release(kept=True)
                return
            await self._settle(lambda: match.close(problem), now=match.peer.caught is None)

    async def _settle(self, close: Callable[[], None] | None = None, *, now: bool = False) -> None:
        """Closes the journal of a game that is over here: `now`, or as soon as the result stands. Until then a referee
        may not have seen what this seat has, and the program can come back to show it.
        """
        self._close_journal = close or self._close_journal
        if self._close_journal is not None and (now or self._ruled):
            close, self._close_journal = self._close_journal, None
            try:
                await in_background(close)
            except StorageError as error:
                log.warning("%s", error)

    async def _reply_game_over(self, channel: Channel) -> None:
        """Tells a seat that comes back that the game is over here, and shows who was caught."""
        table = self._table
        async with self._lock:
            pass  # Wait until the table has ended.
        if self.resumable or channel.peer not in dict(table.lobby.people):
            channel.send(refusal_frame(ELSEWHERE))
        else:
            proof = table.match.catch_up.proof()
            for frame in (*proof, ("bye", self._bye)):
                channel.send(frame)
        await channel.close()


def _turns_after(match: Match, game: Game) -> tuple[bytes, ...]:
    """Returns the identities in the order in which they begin further games, from the seat after the one that began
    this finished game; empty if the rules have no such order.
    """
    began = game.starting_seat(match.peer.public)
    if began is None:
        return ()
    keys = tuple(place.identity for place in match.table.roster.seats)
    return (*keys[began + 1 :], *keys[: began + 1])
