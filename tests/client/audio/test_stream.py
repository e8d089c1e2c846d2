"""Music that is rendered ahead, on a thread of its own: the device never waits for it, and hears all of it."""

from __future__ import annotations

from collections.abc import Callable
from queue import Queue

import numpy as np

from kimberley.client.audio.audio_format import BLOCK, CHANNELS, Block
from kimberley.client.audio.commands import CloseLid, GiveCue, PlayPiece
from kimberley.client.audio.cue import Cue
from kimberley.client.audio.stream import AHEAD, LEAVE_BLOCKS, MusicCommand, MusicStream
from kimberley.client.audio.title import TITLE
from tests.support.program import PATIENCE

FIRST, SECOND = PlayPiece(TITLE), PlayPiece(TITLE, (Cue("trip", 1.0, 0.0, b""),))


class Counted:
    """A piece whose frames count up. `gate` lets blocks be rendered."""

    def __init__(self, level: float, gate: Queue[None] | None = None) -> None:
        self.level, self.at, self._gate = level, 0, gate
        self.done: Queue[object] = Queue()

    def cue(self, cue: Cue) -> None:
        self.done.put(cue)

    def go_on_alone(self, alone: bool) -> None:
        self.done.put(alone)

    def block(self, frames: int) -> Block:
        if self._gate is not None:
            self._gate.get()
        counted = self.level + np.arange(self.at, self.at + frames, dtype=np.float32)
        self.at += frames
        return np.repeat(counted[:, None], CHANNELS, axis=1)


def taken(stream: MusicStream, frames: int, wait: Callable[[], object] = lambda: None) -> Block:
    """Takes so many frames that are not silence, in odd numbers."""
    parts: list[Block] = []
    while sum(map(len, parts)) < frames:
        part = stream.take(331)
        parts.append(part[part[:, 0] > 0])
        wait()
    return np.concatenate(parts)[:frames]


def test_all_that_is_rendered_is_heard_in_order() -> None:
    piece = Counted(1.0)
    stream = MusicStream(lambda command: piece)
    stream.obey(FIRST)
    stream.start()
    heard = taken(stream, 5 * BLOCK)[:, 0]
    assert np.array_equal(heard, 1.0 + np.arange(5 * BLOCK))


def test_music_that_is_late_is_silence_and_counted_and_nothing_before_it_began_is() -> None:
    gate: Queue[None] = Queue()
    stream = MusicStream(lambda command: Counted(1.0, gate))
    stream.start()
    assert not stream.take(500).any()
    stream.obey(FIRST)
    assert stream.dropouts == 0
    gate.put(None)
    taken(stream, BLOCK)
    assert not stream.take(500).any()
    assert stream.dropouts > 0


def test_one_piece_fades_before_the_next_begins() -> None:
    pieces = iter((Counted(1e6), Counted(1.0)))
    stream = MusicStream(lambda command: next(pieces))
    stream.obey(FIRST)
    stream.start()
    taken(stream, BLOCK)
    stream.obey(SECOND)
    heard = taken(stream, (AHEAD + LEAVE_BLOCKS + 4) * BLOCK)[:, 0]
    second = int(np.argmax(heard == 1.0))
    assert second >= LEAVE_BLOCKS * BLOCK * 0.9
    fading = heard[second - LEAVE_BLOCKS * BLOCK // 2 : second]
    assert (np.diff(fading) <= 0).all()
    assert fading[-1] < 100
    assert np.array_equal(heard[second : second + 100], 1.0 + np.arange(100))


def test_a_piece_is_told_cues_and_the_lid() -> None:
    piece = Counted(1.0)
    stream = MusicStream(lambda command: piece)
    cue = SECOND.cues[0]
    for command in (FIRST, GiveCue(cue), CloseLid(True)):
        stream.obey(command)
    stream.start()
    assert [piece.done.get(timeout=PATIENCE) for _ in range(2)] == [cue, True]


def test_of_many_pieces_at_once_the_last_one_is_heard_with_the_cues_after_it() -> None:
    opened: list[PlayPiece] = []
    piece = Counted(1.0)

    def open_piece(command: PlayPiece) -> Counted:
        opened.append(command)
        return piece

    stream, cue = MusicStream(open_piece), SECOND.cues[0]
    commands: list[MusicCommand] = [FIRST, GiveCue(cue), *[SECOND] * 50, FIRST, GiveCue(cue)]
    for command in commands:
        stream.obey(command)
    stream.start()
    taken(stream, BLOCK)
    assert opened == [FIRST]
    assert [piece.done.get(timeout=PATIENCE) for _ in range(2)] == [cue, False]
