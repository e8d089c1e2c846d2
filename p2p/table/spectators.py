"""The gallery: onlookers of one seat, who get the signed roster and every envelope, from the start, and then live.

    seat to onlooker   ("watching",)                              it is let in
                       ("signed", roster, signatures, nonces)     a game, once it begins: what follows is of it
                       ("envelope", envelope)                     anybody's, each chain in its order
    onlooker to seat   ("attest", attestation)                    whose envelopes it misses (`protocol.attest`)

An onlooker holds no keys, and says nothing else. All that it gets is public and signed, so it need not trust the seat.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Final

from p2p.channel import Channel, Lost
from p2p.frames import Frame
from p2p.tasks import Tasks
from protocol.attest import Attestation
from protocol.encoding import Malformed
from protocol.peer import Peer

log = logging.getLogger(__name__)

WATCH: Final = "watch"
"""Purpose of an onlooker's channel."""
MOST_ONLOOKERS: Final = 8
MOST_AHEAD: Final = 1 << 20
"""Bytes that wait to be sent to one onlooker, from which on it gets nothing more until they are gone."""
PAUSE_SECONDS: Final = 0.05
ATTEST_SECONDS: Final = 1.0
"""Between two attestations that one onlooker is heard with."""


class _Showing:
    """One game as it is shown: the frames so far, and the game after it."""

    def __init__(self) -> None:
        self.frames: list[Frame] = []
        self.next: _Showing | None = None


class Gallery:
    """`most` onlookers are let in; 0 for none."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._onlookers: dict[Channel, asyncio.Event] = {}
        self._attested: dict[Channel, Attestation] = {}
        self._showing = _Showing()
        self._peer: Peer | None = None
        self._after: Callable[[Callable[[], None]], None] | None = None
        self._counts: list[int] | None = None
        self._evident = 0
        self._tasks = Tasks()

    def __len__(self) -> int:
        return len(self._onlookers)

    @property
    def attestations(self) -> tuple[Attestation, ...]:
        """The last one of each onlooker that is here, of whatever stage."""
        return tuple(self._attested.values())

    def refusal(self) -> str | None:
        """Why one more onlooker is not let in; None if it is."""
        if self._most == 0:
            return "This table does not let anybody watch."
        return "Enough people watch this table already." if len(self) >= self._most else None

    def admit(self, channel: Channel) -> None:
        """Lets an onlooker in."""
        log.info("%s watches", channel.address)
        self._onlookers[channel] = asyncio.Event()
        channel.send(("watching",))
        self._tasks.start(self._show(channel, self._onlookers[channel]))
        self._tasks.start(self._listen(channel))
        if self._after is not None:
            self._after(self.follow)

    def begin(self, peer: Peer, after: Callable[[Callable[[], None]], None]) -> None:
        """A game begins. `after` calls back when nothing else uses the Peer."""
        self._peer, self._after = peer, after
        self._counts, self._evident = None, 0
        self._showing.next = _Showing()
        self._showing = self._showing.next
        self._stir()

    def follow(self) -> None:
        """Shows what has come since. To be called when nothing else uses the Peer."""
        if self._peer is None or not self._onlookers:
            return
        frames = self._showing.frames
        if self._counts is None:
            # The order of the transcript, so that nobody has to keep more than the stage at hand.
            record = self._peer.record()
            signed, signatures, nonces = record.table.roster.packed, record.table.signatures, record.table.nonces
            frames.append(("signed", signed, signatures, nonces))
            self._counts = [0] * len(record.table.roster.seats)
            for envelope in record.envelopes:
                self._counts[envelope.seat] += 1
                frames.append(("envelope", envelope.pack()))
        for seat, count in enumerate(self._counts):
            new = self._peer.chain(seat, count)
            self._counts[seat] += len(new)
            frames += [("envelope", envelope.pack()) for envelope in new]
        # What has no place in a chain, and proves that a seat signed two things.
        evidence = self._peer.evidence[self._evident :]
        self._evident += len(evidence)
        frames += [("envelope", envelope.pack()) for envelope in evidence]
        self._stir()

    async def close(self) -> None:
        self._tasks.cancel()
        await self._tasks.settle()

    async def _show(self, channel: Channel, news: asyncio.Event) -> None:
        showing, shown = self._showing, 0
        try:
            while channel in self._onlookers:
                news.clear()
                while shown < len(showing.frames):
                    channel.send(showing.frames[shown])
                    shown += 1
                    while channel.unsent > MOST_AHEAD and channel in self._onlookers:  # noqa: ASYNC110
                        await asyncio.sleep(PAUSE_SECONDS)
                if showing.next is not None:
                    showing, shown = showing.next, 0
                    continue
                await news.wait()
        finally:
            self._onlookers.pop(channel, None)
            await channel.close()

    async def _listen(self, channel: Channel) -> None:
        reason = "it speaks, which onlookers do not"
        try:
            while True:
                if not self._heard(channel, await channel.receive()):
                    break
                await asyncio.sleep(ATTEST_SECONDS)
        except Lost as error:
            reason = str(error)
        log.info("%s watches no more: %s", channel.address, reason)
        self._attested.pop(channel, None)
        if (news := self._onlookers.pop(channel, None)) is not None:
            news.set()

    def _heard(self, channel: Channel, frame: Frame) -> bool:
        """Takes what an onlooker says, if it is an attestation of this game; returns whether it is."""
        match frame:
            case ("attest", plain) if self._peer is not None:
                try:
                    attestation = Attestation.of_witness(channel.peer, self._peer.table.game_id, plain)
                except Malformed as error:
                    log.info("%s: %s", channel.address, error)
                    return False
                self._attested[channel] = attestation
                return True
        return False

    def _stir(self) -> None:
        for news in self._onlookers.values():
            news.set()
