"""The spectators of one seat: they receive the signed roster and every envelope, from the start, and then live.

    seat to spectator   ("watching",)                              it is admitted
                       ("signed", roster, signatures, nonces)     a game, once it begins: what follows belongs to it
                       ("envelope", envelope)                     anybody's, each chain in its order
    spectator to seat   ("attest", attestation)                    whose envelopes it misses (`protocol.attestation`)

A spectator holds no keys, and says nothing else. Everything it receives is public and signed, so it need not trust the
seat (SPEC.md, section 18).
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Final

from kimberley.p2p.base.tasks import BackgroundTasks
from kimberley.p2p.transport.channel import Channel, ChannelClosed
from kimberley.p2p.transport.frames import Frame
from kimberley.protocol.attestation import Attestation
from kimberley.protocol.encoding import Malformed
from kimberley.protocol.peer import Peer

log = logging.getLogger(__name__)

WATCH: Final = "watch"
"""Purpose of a spectator's channel."""
MOST_SPECTATORS: Final = 8
MOST_AHEAD: Final = 1 << 20
"""Bytes that wait to be sent to one spectator. Above this it gets nothing more until they are sent."""
PAUSE_SECONDS: Final = 0.05
ATTEST_SECONDS: Final = 1.0
"""Time between two attestations of one spectator."""


class _GameFeed:
    """The frames of one game so far, and the feed of the next game."""

    def __init__(self) -> None:
        self.frames: list[Frame] = []
        self.next: _GameFeed | None = None


class Spectators:
    """Admits up to `most` spectators; 0 for none."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._spectators: dict[Channel, asyncio.Event] = {}
        self._attested: dict[Channel, Attestation] = {}
        self._showing = _GameFeed()
        self._peer: Peer | None = None
        self._after: Callable[[Callable[[], None]], None] | None = None
        self._counts: list[int] | None = None
        self._evident = 0
        self._tasks = BackgroundTasks()
        self._closing = BackgroundTasks()

    def __len__(self) -> int:
        return len(self._spectators)

    @property
    def attestations(self) -> tuple[Attestation, ...]:
        """The latest attestation of each spectator that is connected, of any stage."""
        return tuple(self._attested.values())

    def is_watched_by(self, identity: bytes) -> bool:
        """Returns whether this identity is among the spectators."""
        return any(channel.peer == identity for channel in self._spectators)

    def refusal(self) -> str | None:
        """Returns why one more spectator is not admitted; None if it is."""
        if self._most == 0:
            return "This table does not allow spectators."
        return "This table has no room for more spectators." if len(self) >= self._most else None

    def admit(self, channel: Channel) -> None:
        """Admits a spectator."""
        log.info("%s watches", channel.address)
        self._spectators[channel] = asyncio.Event()
        channel.send(("watching",))
        showing = self._tasks.start(self._show(channel, self._spectators[channel]))
        # Not at the end of the task itself: it may be canceled before it begins.
        showing.add_done_callback(lambda _: self._dismiss(channel))
        self._tasks.start(self._listen(channel))
        if self._after is not None:
            self._after(self.refresh)

    def begin_game(self, peer: Peer, after: Callable[[Callable[[], None]], None]) -> None:
        """Begins to show a game. `after` calls back when nothing else uses the Peer."""
        self._peer, self._after = peer, after
        self._counts, self._evident = None, 0
        self._showing.next = _GameFeed()
        self._showing = self._showing.next
        self._wake_all()

    def refresh(self) -> None:
        """Shows what is new. To be called when nothing else uses the Peer."""
        if self._peer is None or not self._spectators:
            return
        frames = self._showing.frames
        if self._counts is None:
            # In the order of the transcript, so that nobody has to keep more than the current stage.
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
        # Envelopes outside the chains, which prove that a seat signed two things.
        evidence = self._peer.evidence[self._evident :]
        self._evident += len(evidence)
        frames += [("envelope", envelope.pack()) for envelope in evidence]
        self._wake_all()

    async def close(self) -> None:
        """Ends the connection of each spectator, also of those that come later."""
        await self._tasks.close()
        await self._closing.wait()

    def _dismiss(self, channel: Channel) -> None:
        self._spectators.pop(channel, None)
        self._attested.pop(channel, None)
        self._closing.start(channel.close())

    async def _show(self, channel: Channel, news: asyncio.Event) -> None:
        showing, shown = self._showing, 0
        while channel in self._spectators:
            news.clear()
            while shown < len(showing.frames):
                channel.send(showing.frames[shown])
                shown += 1
                while channel.unsent > MOST_AHEAD and channel in self._spectators:  # noqa: ASYNC110
                    await asyncio.sleep(PAUSE_SECONDS)
            if showing.next is not None:
                showing, shown = showing.next, 0
                continue
            await news.wait()

    async def _listen(self, channel: Channel) -> None:
        reason = "it sent a frame that no spectator sends"
        try:
            while True:
                if not self._on_frame(channel, await channel.receive()):
                    break
                await asyncio.sleep(ATTEST_SECONDS)
        except ChannelClosed as error:
            reason = str(error)
        log.info("%s stopped watching: %s", channel.address, reason)
        self._attested.pop(channel, None)
        if (news := self._spectators.pop(channel, None)) is not None:
            news.set()

    def _on_frame(self, channel: Channel, frame: Frame) -> bool:
        """Takes an attestation of this game. Returns False for any other frame."""
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

    def _wake_all(self) -> None:
        for news in self._spectators.values():
            news.set()
