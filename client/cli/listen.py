"""`kimberley listen RECORD`: the music of a finished game, from its first bar to its last."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from typing import Final

from kimberley.client.audio import audio_file
from kimberley.client.audio.arranger import ArrangedBar, BarSource
from kimberley.client.audio.audio_format import BLOCK, RATE
from kimberley.client.audio.block_queue import BlockQueue
from kimberley.client.audio.output import Device, OutputError
from kimberley.client.audio.performance import Performance
from kimberley.client.audio.renderer import Renderer
from kimberley.client.audio.synth import Samples
from kimberley.client.boards.registry import board_of
from kimberley.client.boards.story_music import StoryMusic
from kimberley.client.session.audio import OFF, OUTPUT_VARIABLE
from kimberley.client.session.verdicts import ask_for_patience, game_in
from kimberley.games.phrases import join_names
from kimberley.p2p.base.errors import UserError
from kimberley.protocol.audit import AuditedGame

RINGING: Final = 4 * RATE
"""The samples after the last bar while the hall falls silent."""
AHEAD: Final = 43
"""Blocks that are rendered ahead of the device: a second."""
HEAVY: Final = 0.7
"""The weight from which a cue is announced."""


def run(path: Path, out: Path | None, output: str) -> int:
    """Plays the music of the game in a record on a device, or writes it to a file. Prints what is heard when.

    `output` names the device, as `session.audio` does. Raises UserError.
    """
    if out is None and output == OFF:
        raise UserError(
            f'{OUTPUT_VARIABLE} is "{OFF}", so you would hear nothing. --out FILE.wav writes the music to a file.'
        )
    if out is not None and out.suffix.lower() not in audio_file.SUFFIXES:
        raise UserError(f"{out} must end in {join_names(audio_file.SUFFIXES, 'or')}.")
    ask_for_patience(path)
    performance = performance_of(game_in(path, "heard"), path)
    samples = blocks(Announced(performance, partial(print, flush=True)))
    if out is None:
        _play(samples, output)
        return 0
    try:
        audio_file.write(out, samples)
    except OSError as error:
        _discard(out)
        raise UserError(f"Cannot write {out}: {error.strerror or error}.") from None
    except KeyboardInterrupt:
        _discard(out)
        raise
    print(f"{performance.suite.title}: {out}")
    return 0


def _discard(out: Path) -> None:
    """Removes an unfinished file, but not a device."""
    with suppress(OSError):
        if out.is_file():
            out.unlink()


def _play(samples: Iterable[Samples], output: str) -> None:
    """Plays blocks to their end. Raises UserError if there is no device, or it disappears."""
    ahead = BlockQueue(AHEAD)
    try:
        with closing(Device(output.partition(":")[0], ahead.take)):
            for block in samples:
                ahead.put(block)
            ahead.drain()
    except OutputError as error:
        raise UserError(f"{error} --out FILE.wav writes the music to a file.") from None


def performance_of(audited: AuditedGame, path: Path) -> Performance:
    """Returns the music of a game. Raises UserError if the game has none."""
    board = board_of(audited.record.table.roster.game)
    music = None if board is None else board.game.music()
    if board is None or music is None:
        raise UserError(f"The game in {path} has no music.")
    heard = StoryMusic(board.game, music, audited.start)
    heard.refresh(audited.story, audited.result)
    return Performance(music.suite, [timed.cue for timed in heard.cues])


def blocks(source: BarSource) -> Iterator[Samples]:
    """Yields the samples of everything that a source plays, and of the hall after it."""
    renderer = Renderer(source)
    while not renderer.over:
        yield renderer.block(BLOCK)
    for _ in range(RINGING // BLOCK):
        yield renderer.block(BLOCK)


class Announced:
    """A source that announces where a passage or something heavy begins: when, in which bar, and what."""

    def __init__(self, source: BarSource, tell: Callable[[str], object]) -> None:
        self._source, self._tell = source, tell
        self._seconds = 0.0
        self._bar = 0
        self._passage = ""

    def next_bar(self) -> ArrangedBar | None:
        bar = self._source.next_bar()
        if bar is None:
            return None
        self._bar += 1
        heavy = [cue.kind for cue in bar.cues if cue.weight >= HEAVY]
        if heavy or bar.passage != self._passage:
            minutes, seconds = divmod(int(self._seconds), 60)
            self._tell(f"{minutes:>3}:{seconds:02}  bar {self._bar:>3}  {', '.join([bar.passage, *heavy])}")
        self._passage = bar.passage
        self._seconds += bar.seconds
        return bar
