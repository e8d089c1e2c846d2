"""`kimberley listen RECORD`: the music of a finished game, from its first bar to its last."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from kimberley.client.audio import audio_file
from kimberley.client.audio.arranger import ArrangedBar, BarSource
from kimberley.client.audio.performance import Performance
from kimberley.client.audio.renderer import Renderer
from kimberley.client.audio.reverb import BLOCK
from kimberley.client.audio.synth import RATE, Samples
from kimberley.client.boards.registry import board_of
from kimberley.client.boards.story_music import StoryMusic
from kimberley.client.session.verdicts import MOST_SHOWN, ask_for_patience, audit_file
from kimberley.p2p.base.errors import UserError
from kimberley.p2p.base.text import clean
from kimberley.protocol.audit import AuditedGame, CannotBeAudited

RINGING: Final = 4 * RATE
"""The samples after the last bar in which the hall falls silent."""
HEAVY: Final = 0.7
"""The weight from which a cue is printed."""


def run(path: Path, out: Path | None) -> int:
    """Writes the music of the game in a record to a file. Prints what is heard where. Raises UserError."""
    if out is None:
        raise UserError("Say where to write the music: --out FILE.wav or --out FILE.flac.")
    if out.suffix not in audio_file.SUFFIXES:
        raise UserError(f"{out} must end in {' or '.join(audio_file.SUFFIXES)}.")
    ask_for_patience(path)
    performance = performance_of(_audited(path), path)
    try:
        audio_file.write(out, blocks(_Announced(performance)))
    except OSError as error:
        raise UserError(f"{out} cannot be written: {error.strerror or error}.") from None
    print(f"{performance.suite.title}: {out}")
    return 0


def performance_of(audited: AuditedGame, path: Path) -> Performance:
    """The music of a game. Raises UserError if the game has none."""
    board = board_of(audited.record.table.roster.game)
    music = None if board is None else board.game.music()
    if board is None or music is None:
        raise UserError(f"{path} holds a game without music.")
    heard = StoryMusic(board.game, music, audited.start)
    heard.refresh(audited.story, audited.result)
    return Performance(music.suite, [timed.cue for timed in heard.cues])


def blocks(source: BarSource) -> Iterator[Samples]:
    """The samples of all that a source plays, and of the hall after it."""
    renderer = Renderer(source)
    while not renderer.over:
        yield renderer.block(BLOCK)
    for _ in range(RINGING // BLOCK):
        yield renderer.block(BLOCK)


class _Announced:
    """A source whose bars are printed where a passage or something heavy begins: when, which bar, and what."""

    def __init__(self, source: BarSource) -> None:
        self._source = source
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
            print(f"{minutes:>3}:{seconds:02}  bar {self._bar:>3}  {', '.join([bar.passage, *heavy])}")
        self._passage = bar.passage
        self._seconds += bar.seconds
        return bar


def _audited(path: Path) -> AuditedGame:
    """The game in a record. Raises UserError if it cannot be judged here."""
    try:
        return audit_file(path)
    except CannotBeAudited as error:
        raise UserError(f"{path} cannot be heard: {clean(error.verdict.reason, MOST_SHOWN)}.") from None
