"""Watches a table: receives the signed roster and every envelope from one seat, and judges them itself.

It makes no difference which seat that is: in the end a spectator has the transcript that all seats have. If a seat
falls silent, the spectator can attest what it misses (SPEC.md, section 18.1).
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias

from kimberley.games.table import Game
from kimberley.p2p.base.backoff import Backoff
from kimberley.p2p.base.confusables import distinct_names
from kimberley.p2p.base.errors import InternalError, UserError
from kimberley.p2p.base.platform import in_background
from kimberley.p2p.base.publisher import Publisher
from kimberley.p2p.base.tasks import BackgroundTasks
from kimberley.p2p.base.text import clean, quoted
from kimberley.p2p.discovery.mdns import DiscoveredTable
from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.table.chat import MOST_TEXT
from kimberley.p2p.table.common_options import GRACE, GRACE_SECONDS
from kimberley.p2p.table.events import MOST_LINES, ChatLine, News
from kimberley.p2p.table.refusals import rejection
from kimberley.p2p.table.runner import PeerView, Runner
from kimberley.p2p.table.seat_queue import SIT_SECONDS
from kimberley.p2p.table.spectators import WATCH
from kimberley.p2p.table.sync import have_frame
from kimberley.p2p.transport.address import parse_address
from kimberley.p2p.transport.channel import Channel, ChannelClosed
from kimberley.p2p.transport.dial import dial
from kimberley.p2p.transport.frames import Frame
from kimberley.p2p.transport.handshake import ConnectionRejected, refusal_reason
from kimberley.p2p.transport.link import REDIAL_SECONDS
from kimberley.protocol.attestation import Attestation
from kimberley.protocol.audit import AuditedGame
from kimberley.protocol.encoding import Malformed
from kimberley.protocol.events import Event
from kimberley.protocol.peer import Peer
from kimberley.protocol.play import NotAllowed as NotNow
from kimberley.protocol.record import Record
from kimberley.protocol.roster import BadRoster, SignedRoster

log = logging.getLogger(__name__)


class SpectatorChanged(News):
    """Something outside the game has changed: a game has begun, the connection is lost or back, or it is over."""


SpectatorEvent: TypeAlias = Event | News


class SpectatorClient(Publisher[SpectatorEvent]):
    """A table as a spectator sees it. Its attributes are for reading."""

    def __init__(self, where: tuple[str, int], find: Callable[[str], Game], identity: Identity, seat: bytes) -> None:
        """Prepares a spectator, whom `open` connects."""
        super().__init__()
        self.game: Game | None = None
        """The game, once the roster has arrived."""
        self.names: tuple[str, ...] = ()
        self.peer: PeerView | None = None
        """What a spectator knows of the game: one object for each game."""
        self.problem: str | None = None
        """Why nothing more will come: a sentence for a person."""
        self.away_since: float | None = None
        """The loop's time when the connection was lost; None while there is one."""
        self._where = where
        self._find = find
        self._identity = identity
        self._seat = seat
        self.here_since = 0.0
        """The loop's time when the connection was made."""
        self._attested: Attestation | None = None
        self._runner: Runner | None = None
        self._seen: Peer | None = None
        self._game_id = b""
        self._heard: list[tuple[bytes, str]] = []
        """The last lines of the chat in this game: (speaker, text)."""
        self._shown: list[tuple[bytes, str]] | None = None
        """The lines with which the seat begins to show a game, until all have come."""
        self._begun: frozenset[int] = frozenset()
        """The seats that have signed something in this game."""
        self._grace = GRACE_SECONDS
        self._tasks = BackgroundTasks(lambda error: self._end(str(InternalError.of(error))))
        self._channel: Channel | None = None

    @classmethod
    async def open(
        cls, where: str | DiscoveredTable, find: Callable[[str], Game], *, identity: Identity | None = None
    ) -> SpectatorClient:
        """Watches a table.

        Args:
            where: The address of any of its seats, or a discovered table.
            find: Returns the game of an id, or raises LookupError.
            identity: The identity to show; None for a new one.

        Raises:
            UserError: The table cannot be watched; ConnectionRejected if the seat refuses.

        """
        own = identity or Identity.fresh()
        discovered = where if isinstance(where, DiscoveredTable) else None
        host, port = (discovered.host, discovered.port) if discovered else parse_address(str(where))
        channel = await open_spectator_channel(host, port, own, discovered.card.identity if discovered else None)
        watch = cls((host, port), find, own, channel.peer)
        watch._tasks.start(watch._run(channel))
        return watch

    async def close(self) -> None:
        """Stops watching."""
        self._tasks.cancel()
        if self._channel is not None:
            await self._channel.close()
        if self._runner is not None:
            await self._runner.stop()
        await self._tasks.wait()

    # -- who is silent -------------------------------------------------------------------------------------------------

    @property
    def silent(self) -> tuple[int, ...]:
        """The silent seats: nothing is missing but their envelopes for the current stage, for longer than the grace of
        the table, while this spectator was connected. `peer` says who is waited for, and since when.

        Nobody is silent while one of them has signed nothing in this game: the watched seat may show a game that never
        began for that one.
        """
        if self.peer is None or self.away_since is not None or self.problem is not None:
            return ()
        if not self._begun.issuperset(self.peer.waiting):
            return ()
        now = asyncio.get_running_loop().time()
        since = max([self.here_since, *self.peer.waiting_since.values()])
        return self.peer.waiting if now - since >= self._grace else ()

    def attest(self) -> Attestation:
        """Attests that the envelopes of the `silent` seats are missing: to the watched seat, and in this spectator's
        own record.

        Raises NotAllowed while no seat is silent.
        """
        silent = self.silent
        if not silent or self.peer is None:
            raise NotNow(f"nobody you are waiting for has been silent for {self._grace} seconds")
        step, stage = self.peer.slot
        own = Attestation(self._identity.public, step, stage, self.peer.head, silent)
        self._attested = own.signed(self._game_id, self._identity.sign)
        self._show_attestation()
        return self._attested

    async def record(self) -> Record | None:
        """Returns the record as this spectator has it, with its attestation if that still applies; None before a
        game.
        """
        if self._runner is None:
            return None
        record: asyncio.Future[Record] = asyncio.get_running_loop().create_future()
        view, runner = self._runner.view, self._runner
        runner.call_after(lambda: record.set_result(replace(view.record(), attestations=self._standing)))
        return await record

    async def audit(self) -> AuditedGame | None:
        """Returns the game as this spectator has it, and what the record proves; None before a game."""
        peer, record = self._seen, await self.record()
        if peer is None or record is None:
            return None
        return await in_background(AuditedGame.by, peer, record)

    @property
    def _standing(self) -> tuple[Attestation, ...]:
        """The last attestation, if it is about the current stage."""
        own, view = self._attested, self.peer
        stands = own is not None and view is not None and (own.slot, own.head) == (view.slot, view.head)
        return (own,) if own is not None and stands else ()

    def _show_attestation(self) -> None:
        for own in self._standing:
            if self._channel is not None:
                self._channel.send(("vote", "abandon", own.plain()))

    # -- what comes ----------------------------------------------------------------------------------------------------

    async def _run(self, channel: Channel) -> None:
        while self.problem is None:
            self._channel = channel
            self.away_since, self.here_since = None, asyncio.get_running_loop().time()
            self._show_attestation()
            self.publish(SpectatorChanged())
            try:
                while self.problem is None:
                    await self._on_frame(await channel.receive())
            except ChannelClosed as error:
                log.info("the connection to %s is lost: %s", channel.address, error)
            await channel.close()
            if self.problem is None:
                self.away_since = asyncio.get_running_loop().time()
                self.publish(SpectatorChanged())
                channel = await self._reconnect()

    async def _reconnect(self) -> Channel:
        """Reconnects, however long it takes."""
        backoff = Backoff(REDIAL_SECONDS)
        while True:
            await asyncio.sleep(backoff.next())
            try:
                return await open_spectator_channel(*self._where, self._identity, self._seat)
            except UserError as error:
                log.info("the table is not back yet: %s", error)

    async def _on_frame(self, frame: Frame) -> None:
        match frame:
            case ("game", *plain):
                await self.begin(tuple(plain))
            case ("envelope", bytes() as envelope) if self._runner is not None:
                self._runner.submit("received", envelope)
                await self._runner.wait_for_room()
            case ("say", bytes() as speaker, str() as text) if self._runner is not None and len(text) <= MOST_TEXT:
                if self._shown is not None:
                    self._shown = [*self._shown, (speaker, text)][-MOST_LINES:]
                else:
                    self._hear(speaker, text)
            case ("have", bytes(), tuple()):
                lines, self._shown = self._shown or [], None
                for speaker, text in missed(self._heard, lines):
                    self._hear(speaker, text)
            case ("refused", _):
                self._end(refusal_reason(frame) or "")
            case _:
                self._end("The table does not follow the protocol for spectators.")

    async def begin(self, plain: Frame) -> None:
        """Begins a game, or continues one that is shown again after a lost connection: known envelopes are skipped."""
        try:
            signed = SignedRoster.read(plain)
            signed.check()
        except (Malformed, BadRoster) as error:
            self._end(f"This table’s list of players cannot be trusted: {error}.")
            return
        self._shown = []
        if signed.game_id == self._game_id:
            self._say_have()
            return
        try:
            game = self._find(signed.roster.game)
        except LookupError:
            self._end(f"This table plays {quoted(signed.roster.game)}, which you have not installed.")
            return
        if game.revision != signed.roster.rules or len(signed.roster.seats) not in game.seats:
            self._end(f"This table plays {game.title} by different rules. Use the host’s version.")
            return
        try:
            peer = Peer(game, signed, None)
        except ValueError as error:
            self._end(f"This table plays {game.title} with options you do not have: {error}. Use the host’s version.")
            return
        if self._runner is not None:
            await self._runner.stop()
        self._game_id, self._attested, self._begun, self._heard = signed.game_id, None, frozenset(), []
        grace = signed.roster.option(GRACE, GRACE_SECONDS)
        self._grace = grace if isinstance(grace, int) else GRACE_SECONDS
        self.game = game
        self.names = distinct_names([clean(place.nickname) for place in signed.roster.seats])
        self._runner, self._seen = Runner(peer, None, self), peer
        self.peer = self._runner.view
        self._runner.start()
        self._say_have()
        self.publish(SpectatorChanged())

    def _hear(self, speaker: bytes, text: str) -> None:
        """Takes a line of the chat, if it is one of a seat of this game."""
        assert self.peer is not None
        assert self._channel is not None
        self._heard = [*self._heard, (speaker, text)][-MOST_LINES:]
        keys = [place.identity for place in self.peer.table.roster.seats]
        if speaker in keys and (line := clean(text, MOST_TEXT)):
            self.publish(ChatLine(keys.index(speaker), line, checked=speaker == self._channel.peer))

    def _say_have(self) -> None:
        """Tells the seat what this spectator has of the game, and again with each heartbeat."""
        if self._channel is not None:
            self._channel.heartbeat = self._have_frame
            self._channel.send(self._have_frame())

    def _have_frame(self) -> Frame:
        assert self.peer is not None
        return have_frame(self._game_id, self.peer.have)

    def _end(self, problem: str) -> None:
        self.problem = problem
        self.publish(SpectatorChanged())

    # -- called by the runner ------------------------------------------------------------------------------------------

    def send(self, envelope: bytes) -> None:
        raise AssertionError("a spectator signs nothing")

    def on_event(self, event: Event, since: float) -> None:
        del since
        self.publish(event)

    def on_applied(self) -> None:
        peer, seats = self._seen, range(len(self.names))
        if peer is not None and len(self._begun) < len(seats):
            self._begun = frozenset(seat for seat in seats if peer.chain(seat, 0))

    def on_failure(self, error: UserError) -> None:
        self._end(str(error))


def missed(heard: list[tuple[bytes, str]], lines: list[tuple[bytes, str]]) -> list[tuple[bytes, str]]:
    """Returns the lines that are new among the `lines` shown again, which begin somewhere in what was `heard`."""
    known = next((many for many in range(min(len(heard), len(lines)), 0, -1) if heard[-many:] == lines[:many]), 0)
    return lines[known:]


async def open_spectator_channel(host: str, port: int, identity: Identity, expected: bytes | None) -> Channel:
    """Returns a channel on which a seat shows its games. Raises Unreachable, ConnectionRejected."""
    channel = await dial(host, port, identity, (WATCH,), expected=expected)
    try:
        async with asyncio.timeout(SIT_SECONDS):
            first = await channel.receive()
    except (TimeoutError, ChannelClosed) as error:
        await channel.close()
        raise ConnectionRejected(f"{channel.address} does not show its game. Try again.") from error
    if first != ("watching",):
        await channel.close()
        raise rejection(refusal_reason(first) or f"{channel.address} does not show its game.")
    return channel
