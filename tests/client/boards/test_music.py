"""The music of all five games: it hears what is public, and nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

import numpy as np
import pytest

from kimberley.client.audio.arranger import Arranger
from kimberley.client.audio.audio_format import RATE
from kimberley.client.audio.cue import END, STAGE, Cue
from kimberley.client.audio.performance import Performance
from kimberley.client.audio.score import MODES, Layer, Suite, read_chords, read_pattern
from kimberley.client.audio.voices import VOICES
from kimberley.client.boards.registry import find_board
from kimberley.client.boards.story_music import StoryMusic
from kimberley.games import lookup
from kimberley.protocol.audit import audit
from tests.support.effort import one_is_quick, tries
from tests.support.music import (
    GAMES,
    Counted,
    alone,
    cues_of,
    first_bars,
    loudness,
    music_of,
    played,
    rendered,
    spectrum,
    suites,
    true_peak,
)
from tests.support.paths import ROOT

RECORD: Final = ROOT / "tests" / "data" / "diamond-trust.kdt"
SUITES: Final = suites()
QUIETEST, LOUDEST, HIGHEST_PEAK = -20.0, -16.0, -1.0
SILENT: Final = -40.0
"""The decibels of a bar in which nothing is heard, or next to nothing."""
EIGHTH: Final = 16
"""Bars of about an eighth of a game."""
DIFFERENT: Final = 2.0
"""Decibels by which a third of an octave differs on average between passages that follow each other."""


@pytest.mark.parametrize("name", sorted(SUITES))
def test_a_suite_can_be_played(name: str) -> None:
    suite = SUITES[name]
    assert suite.arc[0][0] == 0
    assert {one for _, names in suite.arc for one in names} | {suite.coda} == set(suite.passages)
    for passage in suite.passages.values():
        assert 84 <= passage.tempo <= 116
        assert passage.mode in MODES
        assert all(read_chords(text) for text in passage.chords)
    layers = [layer for passage in suite.passages.values() for layer in passage.layers]
    for layer in (*layers, *(layer for motif in suite.motifs.values() for layer in motif.layers)):
        assert layer.voice in VOICES
        assert all(read_pattern(text) for text in layer.patterns)
    for motif in suite.motifs.values():
        assert all(
            bars in (1, motif.bars) for layer in motif.layers for bars in map(len, map(read_pattern, layer.patterns))
        )
        assert len(read_chords(motif.chords)) <= motif.bars


@pytest.mark.parametrize("game", GAMES)
def test_a_clock_on_every_beat_tells_that_the_end_is_near_and_nothing_else_sounds_so(game: str) -> None:
    suite = SUITES[game]
    ticking = {name for name, passage in suite.passages.items() if any(ticks(layer, suite) for layer in passage.layers)}
    assert ticking == set(suite.arc[-1][1])


def ticks(layer: Layer, suite: Suite) -> bool:
    """Returns whether a layer strikes wood or stone on every beat, whenever its passage is played."""
    beats = {beat / suite.beats for beat in range(suite.beats)}
    return (
        layer.voice in ("tick", "pick")
        and not layer.optional
        and all(beats <= {step.start for step in bar} for text in layer.patterns for bar in read_pattern(text))
    )


@pytest.mark.parametrize("game", one_is_quick("land", GAMES))
def test_every_motif_of_a_suite_answers_something_that_can_happen(game: str) -> None:
    heard = {
        cue.kind
        for seed in range(4)
        for cue in cues_of(game, played(game, seed).start, played(game, seed).stories[0], played(game, seed).result)
    }
    assert {STAGE, END} <= heard
    assert set(music_of(game).suite.motifs) - heard <= {"offer", "swap", "left", "cut off", "robbed", "mine", "sale"}


@pytest.mark.parametrize("game", GAMES)
def test_all_players_and_spectators_hear_the_same_and_so_does_whoever_knows_everything(game: str) -> None:
    found = played(game)
    public = [(ask, ask.visible_answer(answer, None)) for ask, answer in found.opened]
    heard = [cues_of(game, found.start, story, found.result) for story in (*found.stories, found.opened, public)]
    assert all(cues == heard[0] for cues in heard)
    assert len(heard[0]) > 8


@pytest.mark.parametrize("game", GAMES)
def test_cues_come_step_by_step_as_the_story_grows(game: str) -> None:
    game_played = played(game)
    board, story = find_board(game).game, game_played.stories[0]
    growing = StoryMusic(board, music_of(game), game_played.start)
    for length in range(1, len(story) + 1):
        growing.refresh(story[:length], None)
        assert all(timed.step < length for timed in growing.cues)
    growing.refresh(story, game_played.result)
    growing.refresh(story, game_played.result)
    whole = cues_of(game, game_played.start, story, game_played.result)
    assert [timed.cue for timed in growing.cues] == whole
    assert growing.until(len(story)) == growing.cues
    assert all(timed.part <= 0.5 for timed in growing.until(3, 0.5) if timed.step == 3)


@pytest.mark.slow
def test_two_games_that_differ_in_hidden_things_alone_sound_the_same_sample_for_sample() -> None:
    one, other = played("diamond-trust", 5), played("diamond-trust", 5, twin=True)
    assert one.stories != other.stories, "each seat paid its agents otherwise"
    first, second = (cues_of("diamond-trust", game.start, game.stories[0], game.result) for game in (one, other))
    assert first == second
    suite = music_of("diamond-trust").suite
    heard = [rendered(Counted(Performance(suite, cues), 5)) for cues in (first, second)]
    assert (heard[0] == heard[1]).all()


@pytest.mark.slow
def test_a_replay_plays_the_same_piece_as_the_game() -> None:
    """An audited game knows everything. What a seat knew of it leads to the same cues."""
    audited = audit(RECORD.read_bytes(), lookup.find)
    opened = cues_of("diamond-trust", audited.start, audited.story, audited.result)
    for seat in (0, 1, None):
        seen = [(ask, ask.visible_answer(answer, seat)) for ask, answer in audited.story]
        assert cues_of("diamond-trust", audited.start, seen, audited.result) == opened


@pytest.mark.slow
@pytest.mark.parametrize("name", tries(["diamond", "mine"], sorted(SUITES)))
@pytest.mark.nightly
def test_passages_that_idle_are_equally_loud_and_differ_in_their_spectrum(name: str) -> None:
    spectra = []
    for passage in SUITES[name].passages:
        samples = first_bars(alone(SUITES[name], passage), 8)
        assert QUIETEST < loudness(samples) < LOUDEST, passage
        assert true_peak(samples) < HIGHEST_PEAK, passage
        spectra.append(spectrum(samples))
    for one, other in pairwise(spectra):
        shape, changed = one - one.mean(), other - other.mean()
        assert np.abs(shape - changed).mean() > DIFFERENT


@pytest.mark.slow
@pytest.mark.nightly
def test_a_recorded_game_is_loud_enough_never_too_loud_and_never_silent() -> None:
    audited = audit(RECORD.read_bytes(), lookup.find)
    cues = cues_of("diamond-trust", audited.start, audited.story, audited.result)
    check_sound("diamond-trust", cues, tries(EIGHTH, None))


@pytest.mark.slow
@pytest.mark.parametrize("game", [game for game in GAMES if game != "diamond-trust"])
@pytest.mark.nightly
def test_a_game_of_each_other_kind_is_so_too(game: str) -> None:
    game_played = played(game, 3)
    check_sound(
        game, cues_of(game, game_played.start, game_played.stories[0], game_played.result), tries(EIGHTH, 4 * EIGHTH)
    )


def check_sound(game: str, cues: Sequence[Cue], most: int | None) -> None:
    """Measures the first `most` bars of a performance."""
    counted = Counted(Performance(SUITES[game], cues), most)
    samples = rendered(counted)
    assert QUIETEST < loudness(samples) < LOUDEST
    assert true_peak(samples) < HIGHEST_PEAK
    for second, bar in counted.seconds():
        heard = samples[int(second * RATE) : int((second + bar.seconds) * RATE)]
        assert 20 * np.log10(np.sqrt((heard**2).mean()) + 1e-9) > SILENT, f"{second:.0f} s, {bar.passage}"


def test_the_title_suite_needs_no_game() -> None:
    assert {bar.passage for bar in (Arranger(SUITES["title"]).next_bar() for _ in range(3))} == {"stones"}
