"""The spectators of one seat: they receive the signed roster and every envelope, from the start, and then live.

    seat to spectator   ("watching",)                              it is admitted
                       ("game", roster, signatures, nonces)       a game, once it begins: what follows belongs to it
                       ("say", speaker, text)                     what was said in it, and then each line as it comes
                       ("envelope", envelope)                     anybody's, each chain in its order
    spectator to seat   ("vote", "abandon", attestation)           whose envelopes it misses (`protocol.attestation`)

A spectator holds no keys, and says nothing else. Everything it receives but the chat is public and signed, so it need
not trust the seat (SPEC.md, section 18).
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable
from typing import Final

from kimberley.p2p.base.tasks import BackgroundTasks
from kimberley.p2p.table.events import MOST_LINES
from kimberley.p2p.table.sync import Have, Sync, have_frame, have_of, read_have
from kimberley.p2p.transport.channel import Channel, ChannelClosed
from kimberley.p2p.transport.frames import Frame
from kimberley.protocol.attestation import Attestation
from kimberley.protocol.encoding import Malformed
from kimberley.protocol.peer import Peer

log = logging.getLogger(__name__)

NO_SPECTATORS: Final = "This table does not allow spectators."
WATCH: Final = "watch"
"""Purpose of a spectator's channel."""
MOST_SPECTATORS: Final = 8  # SPEC: spectators of a seat
HAVE_SECONDS: Final = 0.05
"""Time between two frames of one spectator."""
ATTEST_SECONDS: Final = 1.0  # SPEC: witness
"""Time between two attestations of one spectator."""


class Spectators:
    """Admits up to `most` spectators; 0 for none."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._channels: dict[Channel, Sync | None] = {}
        """What each spectator was sent of the game, once there is one."""
        self._attested: dict[Channel, Attestation] = {}
        self._peer: Peer | None = None
        self._after: Callable[[Callable[[], None]], None] | None = None
        self._have: Have = ()
        self._lines: deque[Frame] = deque(maxlen=MOST_LINES)
        """What was said since the game began."""
        self._tasks = BackgroundTasks()
        self._closing = BackgroundTasks()

    def __len__(self) -> int:
        return len(self._channels)

    @property
    def attestations(self) -> tuple[Attestation, ...]:
        """The latest attestation of each spectator that is connected, of any stage."""
        return tuple(self._attested.values())

    @property
    def before_game(self) -> bool:
        """Returns whether no game has been shown."""
        return self._peer is None

    def is_watched_by(self, identity: bytes) -> bool:
        """Returns whether this identity is among the spectators."""
        return any(channel.peer == identity for channel in self._channels)

    def refusal(self) -> str | None:
        """Returns why one more spectator is not admitted; None if it is."""
        if self._most == 0:
            return NO_SPECTATORS
        return "This table has no room for more spectators." if len(self) >= self._most else None

    def admit(self, channel: Channel) -> None:
        """Admits a spectator."""
        log.info("%s watches", channel.address)
        self._channels[channel] = None
        channel.send(("watching",))
        listening = self._tasks.start(self._listen(channel))
        # Not at the end of the task itself: it may be canceled before it begins.
        listening.add_done_callback(lambda _: self._dismiss(channel))
        self._show(channel)

    def begin_game(self, peer: Peer, after: Callable[[Callable[[], None]], None]) -> None:
        """Begins to show a game. `after` calls back when nothing else uses the Peer."""
        self._peer, self._after, self._have = peer, after, have_of(peer)
        self._lines.clear()
        for channel in self._channels:
            self._show(channel)

    def say(self, speaker: bytes, text: str) -> None:
        """Passes on a line of the chat, once a game is shown."""
        if self._peer is not None:
            self._lines.append(("say", speaker, text))
            for channel in self._channels:
                channel.send(self._lines[-1])

    def refresh(self) -> None:
        """Shows what is new. To be called when nothing else uses the Peer."""
        if self._peer is not None:
            self._have = have_of(self._peer)
            for sync in self._channels.values():
                if sync is not None:
                    sync.flush()

    async def close(self, *last: Frame) -> None:
        """Ends the connection of each spectator, after these `last` frames, including those that come later."""
        for channel in self._channels:
            for frame in last:
                channel.send(frame)
        await self._tasks.close()
        await self._closing.wait()

    def _dismiss(self, channel: Channel) -> None:
        self._channels.pop(channel, None)
        self._attested.pop(channel, None)
        self._closing.start(channel.close())

    def _show(self, channel: Channel) -> None:
        """Shows a spectator which game it is; the rest follows when it says what it has."""
        peer = self._peer
        if peer is None:
            return
        signed, seats, clock = peer.table, range(len(peer.table.roster.seats)), asyncio.get_running_loop().time
        channel.send(("game", signed.roster.packed, signed.signatures, signed.nonces))
        for line in self._lines:
            channel.send(line)
        channel.send(self._have_frame(signed.game_id))
        channel.heartbeat = lambda: self._have_frame(signed.game_id)
        self._channels[channel] = Sync(peer, channel, clock, live=seats)

    def _have_frame(self, game_id: bytes) -> Frame:
        return have_frame(game_id, self._have)

    async def _listen(self, channel: Channel) -> None:
        reason = "it sent a frame that no spectator sends"
        try:
            while True:
                frame = await channel.receive()
                if not self._on_frame(channel, frame):
                    break
                await asyncio.sleep(ATTEST_SECONDS if frame[0] == "vote" else HAVE_SECONDS)
        except ChannelClosed as error:
            reason = str(error)
        log.info("%s stopped watching: %s", channel.address, reason)

    def _on_frame(self, channel: Channel, frame: Frame) -> bool:
        """Takes an attestation of this game, and what the spectator has of it. Returns False for any other frame."""
        if self._peer is None or self._after is None:
            return False
        game_id = self._peer.table.game_id
        match frame:
            case ("vote", "abandon", plain):
                try:
                    attestation = Attestation.of_witness(channel.peer, game_id, plain)
                except Malformed as error:
                    log.info("%s: %s", channel.address, error)
                    return False
                self._attested[channel] = attestation
            case ("have", bytes() as other, tuple()) if other != game_id:
                pass  # Of the game before.
            case _:
                sync = self._channels[channel]
                have = read_have(frame, game_id, len(self._peer.table.roster.seats))
                if have is None or sync is None:
                    return False
                self._after(lambda: sync.on_have(have))
        return True
