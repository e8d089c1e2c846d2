"""Renders the music ahead of the device, on a thread of its own, so that slow work never holds up the device."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from queue import Empty, Queue, SimpleQueue
from typing import Final, Protocol, TypeAlias

import numpy as np

from kimberley.client.audio.audio_format import BLOCK, CHANNELS, Block
from kimberley.client.audio.commands import CloseLid, GiveCue, PlayPiece
from kimberley.client.audio.cue import Cue
from kimberley.p2p.base.platform import start_thread

AHEAD: Final = 32
"""Blocks that are rendered ahead: 0.7 s. A cue is heard with the next bar, which is later."""
LEAVE_BLOCKS: Final = 20
"""Blocks during which a piece fades before another one begins: half a second."""


class Music(Protocol):
    """A piece of music that is rendered while it plays."""

    def cue(self, cue: Cue) -> None:
        """Takes a cue for something that has happened. It is heard with the next bar."""

    def go_on_alone(self, alone: bool) -> None:
        """Starts making transitions by itself, without cues, or stops that."""

    def block(self, frames: int) -> Block:
        """Returns the next frames."""


MusicCommand: TypeAlias = PlayPiece | GiveCue | CloseLid


class MusicStream:
    """The music that is playing, one piece after another. `open_piece` makes what renders a piece."""

    def __init__(self, open_piece: Callable[[PlayPiece], Music]) -> None:
        self.dropouts = 0
        """How often the device asked for more than was rendered."""
        self._open_piece = open_piece
        self._commands: SimpleQueue[MusicCommand] = SimpleQueue()
        self._rendered: Queue[Block] = Queue(AHEAD)
        self._rest: deque[Block] = deque()
        """What was taken from the queue for the device and has not been played yet."""
        self._piece: Music | None = None
        self._began = False
        """Whether the device has had any of the current piece: only then can that be late."""

    def obey(self, command: MusicCommand) -> None:
        """Does what a command says, soon. Can be called from any thread."""
        self._commands.put(command)

    def start(self) -> None:
        start_thread(self._render)

    def take(self, frames: int) -> Block:
        """Returns the next frames; silence where there is no music, or where it is late. To be called from the device's
        thread.
        """
        out = np.zeros((frames, CHANNELS), np.float32)
        filled = 0
        while filled < frames:
            try:
                part = self._rest.popleft() if self._rest else self._rendered.get_nowait()
            except Empty:
                self.dropouts += self._began and self._piece is not None
                break
            self._began = True
            used = min(len(part), frames - filled)
            out[filled : filled + used] = part[:used]
            filled += used
            if used < len(part):
                self._rest.appendleft(part[used:])
        return out

    def _render(self) -> None:
        alone = False
        while True:
            commands = self._pending()
            pieces = [place for place, command in enumerate(commands) if isinstance(command, PlayPiece)]
            for place, command in enumerate(commands):
                match command:
                    # Of pieces that follow each other immediately, only the last one is heard.
                    case PlayPiece() if place == pieces[-1]:
                        self._leave()
                        self._piece = self._open_piece(command)
                        self._began = False
                    case GiveCue(cue) if self._piece is not None and (not pieces or place > pieces[-1]):
                        self._piece.cue(cue)
                    case CloseLid(alone):
                        pass
            if self._piece is not None:
                if commands:
                    self._piece.go_on_alone(alone)
                self._rendered.put(self._piece.block(BLOCK))

    def _pending(self) -> list[MusicCommand]:
        """Takes all waiting commands. Without a piece, waits for one, since there is nothing else to do."""
        commands = [self._commands.get()] if self._piece is None else []
        while not self._commands.empty():
            commands.append(self._commands.get())
        return commands

    def _leave(self) -> None:
        """Lets the current piece fade."""
        if self._piece is None:
            return
        gains = np.linspace(1.0, 0.0, LEAVE_BLOCKS * BLOCK, dtype=np.float32)[:, None]
        for at in range(0, len(gains), BLOCK):
            self._rendered.put(self._piece.block(BLOCK) * gains[at : at + BLOCK])
