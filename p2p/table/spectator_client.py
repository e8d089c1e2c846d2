"""Watching a table: an onlooker gets the signed roster and every envelope from a seat, and judges them itself.

Which seat it is makes no difference: what an onlooker ends up with is the transcript that all seats have. Where one of
them falls silent, it can attest what it misses (SPEC.md, section 18.1).
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias

from games.table import Game
from p2p.address import parse
from p2p.channel import Channel, Lost
from p2p.common_options import GRACE, GRACE_SECONDS
from p2p.dial import dial
from p2p.discovery import Found
from p2p.frames import Frame
from p2p.gallery import WATCH
from p2p.hello import Refused, refused
from p2p.identity import Identity
from p2p.link import REDIAL_SECONDS
from p2p.lobby import SIT_SECONDS
from p2p.publisher import Publisher
from p2p.runner import Runner, View
from p2p.tasks import Tasks
from p2p.text import clean
from p2p.trouble import Fault, Trouble
from protocol.attest import Attestation
from protocol.encoding import Malformed
from protocol.events import Event
from protocol.peer import Peer
from protocol.play import Refused as NotNow
from protocol.record import Record
from protocol.roster import BadRoster, SignedRoster

log = logging.getLogger(__name__)


class Changed:
    """Something else than the game has changed: a game has begun, the connection is lost or back, or it is over."""


WatchEvent: TypeAlias = Event | Changed


class Watch(Publisher[WatchEvent]):
    """A table as an onlooker sees it. Its attributes are for reading."""

    def __init__(self, where: tuple[str, int], find: Callable[[str], Game], identity: Identity, seat: bytes) -> None:
        """Use `open`."""
        super().__init__()
        self.game: Game | None = None
        """What is played, once the roster has come."""
        self.names: tuple[str, ...] = ()
        self.peer: View | None = None
        """What an onlooker knows of the game; one object for each game."""
        self.problem: str | None = None
        """Why nothing more will come: a sentence for a person."""
        self.away_since: float | None = None
        """The loop's time since when the connection is lost; None while there is one."""
        self._where = where
        self._find = find
        self._identity = identity
        self._seat = seat
        self._here_since = 0.0
        """The loop's time since when there is a connection."""
        self._attested: Attestation | None = None
        self._runner: Runner | None = None
        self._game_id = b""
        self._grace = GRACE_SECONDS
        self._tasks = Tasks(lambda error: self._end(str(Fault.of(error))))
        self._channel: Channel | None = None

    @classmethod
    async def open(cls, where: str | Found, find: Callable[[str], Game], *, identity: Identity | None = None) -> Watch:
        """Watches the table at an address, of any of its seats, or that was found. `find` gives the game of an id, or
        raises LookupError. Raises Trouble, Refused among them.
        """
        own = identity or Identity.fresh()
        found = where if isinstance(where, Found) else None
        host, port = (found.host, found.port) if found else parse(str(where))
        channel = await admitted(host, port, own, found.card.identity if found else None)
        watch = cls((host, port), find, own, channel.peer)
        watch._tasks.start(watch._follow(channel))
        return watch

    async def close(self) -> None:
        """Watches no more."""
        self._tasks.cancel()
        if self._channel is not None:
            await self._channel.close()
        if self._runner is not None:
            await self._runner.stop()
        await self._tasks.settle()

    # -- who is silent -------------------------------------------------------------------------------------------------

    @property
    def silent(self) -> tuple[int, ...]:
        """The seats whose envelope for the stage at hand is all that this onlooker misses, and has missed for the grace
        of the table while it was connected. For whom it waits in any case, and since when, `peer` says.
        """
        if self.peer is None or self.away_since is not None or self.problem is not None:
            return ()
        now = asyncio.get_running_loop().time()
        since = max([self._here_since, *self.peer.waiting_since.values()])
        return self.peer.waiting if now - since >= self._grace else ()

    def attest(self) -> Attestation:
        """Attests, to the seat that is watched and in this onlooker's own record, that the envelopes of those who are
        `silent` are missing. Raises `protocol.play.Refused` while nobody is.
        """
        silent = self.silent
        if not silent or self.peer is None:
            raise NotNow(f"nobody who is waited for has been silent for {self._grace} seconds")
        step, stage = self.peer.slot
        own = Attestation(self._identity.public, step, stage, self.peer.head, silent)
        self._attested = own.signed(self._game_id, self._identity.sign)
        self._show_attestation()
        return self._attested

    async def record(self) -> Record | None:
        """The record as this onlooker has it, its attestation included where that still stands; None before a game."""
        if self._runner is None:
            return None
        record: asyncio.Future[Record] = asyncio.get_running_loop().create_future()
        view, runner = self._runner.view, self._runner
        runner.after(lambda: record.set_result(replace(view.record(), attestations=self._standing)))
        return await record

    @property
    def _standing(self) -> tuple[Attestation, ...]:
        """What was attested last, if it is of the stage at hand."""
        own, view = self._attested, self.peer
        stands = own is not None and view is not None and (own.slot, own.head) == (view.slot, view.head)
        return (own,) if own is not None and stands else ()

    def _show_attestation(self) -> None:
        for own in self._standing:
            if self._channel is not None:
                self._channel.send(("attest", own.plain()))

    # -- what comes ----------------------------------------------------------------------------------------------------

    async def _follow(self, channel: Channel) -> None:
        while self.problem is None:
            self._channel = channel
            self.away_since, self._here_since = None, asyncio.get_running_loop().time()
            self._show_attestation()
            self._publish(Changed())
            try:
                while self.problem is None:
                    await self._take(await channel.receive())
            except Lost as error:
                log.info("the connection to %s is lost: %s", channel.address, error)
            await channel.close()
            if self.problem is None:
                self.away_since = asyncio.get_running_loop().time()
                self._publish(Changed())
                channel = await self._again()

    async def _again(self) -> Channel:
        """Connects again, however long it takes."""
        attempt = 0
        while True:
            await asyncio.sleep(REDIAL_SECONDS[min(attempt, len(REDIAL_SECONDS) - 1)])
            attempt += 1
            try:
                return await admitted(*self._where, self._identity, self._seat)
            except Trouble as error:
                log.info("the table is not back yet: %s", error)

    async def _take(self, frame: Frame) -> None:
        match frame:
            case ("signed", *plain):
                await self._begin(tuple(plain))
            case ("envelope", bytes() as envelope) if self._runner is not None:
                self._runner.give("received", envelope)
                await self._runner.room()
            case ("refused", _):
                self._end(refused(frame) or "")
            case _:
                self._end("The table does not show its game as a table does.")

    async def _begin(self, plain: Frame) -> None:
        """A game begins, or is shown again after the connection was lost: then what is known already is passed over."""
        try:
            signed = SignedRoster.read(plain)
            signed.check()
        except (Malformed, BadRoster) as error:
            self._end(f"The table shows a roster that cannot be trusted: {error}.")
            return
        if signed.game_id == self._game_id:
            return
        try:
            game = self._find(signed.roster.game)
        except LookupError:
            self._end(f"This table plays {clean(signed.roster.game, 40)!r}, which is not installed here.")
            return
        if game.revision != signed.roster.rules or len(signed.roster.seats) not in game.seats:
            self._end(f"This table plays {game.title} by other rules than are installed here. Use the same version.")
            return
        try:
            peer = Peer(game, signed, None)
        except ValueError as error:
            self._end(f"This table plays {game.title} with options that are none here: {error}. Use the same version.")
            return
        if self._runner is not None:
            await self._runner.stop()
        self._game_id, self._attested = signed.game_id, None
        grace = signed.roster.option(GRACE, GRACE_SECONDS)
        self._grace = grace if isinstance(grace, int) else GRACE_SECONDS
        self.game = game
        self.names = tuple(clean(place.nickname) for place in signed.roster.seats)
        self._runner = Runner(peer, None, self)
        self.peer = self._runner.view
        self._runner.start()
        self._publish(Changed())

    def _end(self, problem: str) -> None:
        self.problem = problem
        self._publish(Changed())

    # -- what the runner tells -----------------------------------------------------------------------------------------

    def send(self, envelope: bytes) -> None:
        raise AssertionError("an onlooker signs nothing")

    def happened(self, event: Event, since: float) -> None:
        del since
        self._publish(event)

    def taken(self) -> None:
        """Nothing depends on it here."""

    def broke(self, error: Trouble) -> None:
        self._end(str(error))


async def admitted(host: str, port: int, identity: Identity, expected: bytes | None) -> Channel:
    """A channel on which a seat shows its games. Raises Unreachable, Refused."""
    channel = await dial(host, port, identity, (WATCH,), expected=expected)
    try:
        async with asyncio.timeout(SIT_SECONDS):
            first = await channel.receive()
    except (TimeoutError, Lost) as error:
        await channel.close()
        raise Refused(f"{channel.address} does not show its game. Try again.") from error
    if first != ("watching",):
        await channel.close()
        raise Refused(refused(first) or f"{channel.address} does not show its game.")
    return channel
