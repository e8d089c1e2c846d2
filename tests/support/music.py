"""Games and pieces that tests of the music listen to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from hashlib import sha256
from itertools import pairwise
from random import Random
from typing import Final, NamedTuple

import numpy as np

from kimberley.client.audio.arranger import ArrangedBar, Arranger, BarSource
from kimberley.client.audio.audio_format import BLOCK, RATE
from kimberley.client.audio.cue import Cue
from kimberley.client.audio.renderer import Renderer
from kimberley.client.audio.score import Suite
from kimberley.client.audio.synth import Samples
from kimberley.client.audio.title import TITLE
from kimberley.client.boards.game_music import AnyGameMusic
from kimberley.client.boards.registry import find_board
from kimberley.client.boards.story_music import StoryMusic
from kimberley.games import lookup
from kimberley.games.table import Amounts, Answer, Ask, Observation, Plain, Result, State, space_for
from tests.support.seated_arena import SeatedArena

GAMES: Final = ("diamond", "diamond-trust", "land", "mine", "piecepack")
OVERSAMPLED: Final = 4
"""How many samples a true peak is measured with for each one of the file."""


class PlayedGame(NamedTuple):
    """A game of random choices: its first state, the story as each seat knows it, the one in which nothing is hidden,
    and the result.
    """

    start: State
    stories: Sequence[Sequence[tuple[Ask, Answer]]]
    opened: Sequence[tuple[Ask, Answer]]
    result: Result


def music_of(game: str) -> AnyGameMusic:
    music = find_board(game).game.music()
    assert music is not None
    return music


def suites() -> dict[str, Suite]:
    """Returns all suites, by the game's id, and the one of the title screen."""
    return {"title": TITLE, **{game: music_of(game).suite for game in GAMES}}


@cache
def played(game: str, seed: int = 1, twin: bool = False) -> PlayedGame:
    """Returns a game at the smallest table, in which all seats choose at random, and stick to their plans.

    In its `twin` they choose the same, except for what they share out in secret among several: each share goes to
    another.
    """
    rules, rng = lookup.find(game), Random(seed)
    seats = min(rules.seats)
    arena = SeatedArena(rules, seats, Random(seed), dict(rules.quick))

    def choose(observation: Observation) -> Plain:
        ask = observation.state.ask()
        space = space_for(ask, observation.seat)
        assert not isinstance(ask, Result)
        assert space is not None
        chosen = ask.standing_choice(observation.seat) if ask.last_look else space.pick(rng)
        if twin and isinstance(space, Amounts):
            assert isinstance(chosen, tuple)
            return chosen[::-1]
        return chosen

    opened: list[tuple[Ask, Answer]] = []
    while not isinstance(ask := arena.arena.truth.ask(), Result):
        answer = arena.arena.answer(ask, {seat: choose(arena.observation(seat)) for seat in ask.choosers})
        opened.append((ask, answer))
        arena.apply(answer)
    return PlayedGame(arena.start, [arena.observation(seat).story for seat in range(seats)], opened, ask)


def cues_of(game: str, start: State, story: Sequence[tuple[Ask, Answer]], result: Result | None) -> list[Cue]:
    heard = StoryMusic(find_board(game).game, music_of(game), start)
    heard.refresh(story, result)
    return [timed.cue for timed in heard.cues]


def cue(kind: str, number: int = 0, weight: float = 0.5, near_end: float = 0.0) -> Cue:
    """Returns a cue whose digest follows from a number."""
    return Cue(kind, weight, near_end, sha256(b"%d" % number).digest())


def alone(suite: Suite, passage: str) -> Suite:
    """Returns the suite with only this one of its passages."""
    return Suite(
        suite.title, suite.tonic, suite.beats, {passage: suite.passages[passage]}, ((0.0, (passage,)),), passage
    )


class Counted:
    """The first bars of a source, which are kept as they were played."""

    def __init__(self, source: BarSource, most: int | None = None) -> None:
        self._source, self._most = source, most
        self.bars: list[ArrangedBar] = []

    def next_bar(self) -> ArrangedBar | None:
        if len(self.bars) == self._most or (bar := self._source.next_bar()) is None:
            return None
        self.bars.append(bar)
        return bar

    def seconds(self) -> Iterator[tuple[float, ArrangedBar]]:
        """Yields the second at which each bar begins, and the bar."""
        at = 0.0
        for bar in self.bars:
            yield at, bar
            at += bar.seconds


def rendered(source: BarSource) -> Samples:
    """Returns all that a source plays, without the echo after its last bar."""
    renderer, blocks = Renderer(source), []
    while not renderer.over:
        blocks.append(renderer.block(BLOCK))
    return np.concatenate(blocks)


def first_bars(suite: Suite, bars: int) -> Samples:
    return rendered(Counted(Arranger(suite), bars))


def loudness(samples: Samples) -> float:
    """Returns the loudness in LUFS, by EBU R 128."""
    import pyloudnorm  # With scipy's signals, a second, which no other test needs.

    return float(pyloudnorm.Meter(RATE).integrated_loudness(samples.astype(np.float64)))


def true_peak(samples: Samples) -> float:
    """Returns the true peak in decibels below full scale, between the samples too."""
    from scipy import signal

    peaks = [np.abs(signal.resample_poly(channel, OVERSAMPLED, 1)).max() for channel in samples.T]
    return float(20 * np.log10(max(peaks)))


def spectrum(samples: Samples) -> Samples:
    """Returns the decibels of each third of an octave from 50 Hz to 10 kHz."""
    from scipy import signal

    hertz, power = signal.welch(samples.mean(axis=1), RATE, nperseg=8192)
    edges = 50 * 2 ** (np.arange(24) / 3)
    bands = [power[(hertz >= low) & (hertz < high)].sum() for low, high in pairwise(edges)]
    return np.asarray(10 * np.log10(np.array(bands) + 1e-12), np.float32)
