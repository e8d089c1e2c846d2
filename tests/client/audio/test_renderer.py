"""Samples: exact, without clicks, whatever the size of the blocks."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import Final

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion

from kimberley.client.audio.arranger import Arranger
from kimberley.client.audio.audio_file import quantized
from kimberley.client.audio.audio_format import BLOCK, RATE
from kimberley.client.audio.cue import END, STAGE
from kimberley.client.audio.renderer import CEILING, Renderer
from kimberley.client.audio.reverb import Reverb
from kimberley.client.audio.synth import Samples
from tests.support.music import Counted, alone, cue, first_bars, music_of, suites

SUITE: Final = music_of("diamond-trust").suite
BOUND: Final = 0.3
"""What two samples beside each other may differ by where a block, or a passage, ends."""
CHANGES: Final = (("confiscated", 1.0), (STAGE, 0.6), ("sale", 0.6), (STAGE, 0.6), (END, 1.0))


QUICK: Final = ("diamond-trust", "title")
"""Two tests, not one with some slow values: a run without those would count their snapshots as unused."""


@pytest.mark.slow
@pytest.mark.parametrize("name", QUICK)
def test_the_first_bar_of_each_passage_is_what_it_was(name: str, snapshot: SnapshotAssertion) -> None:
    assert first_bar_of_each_passage(name) == snapshot


@pytest.mark.slow
@pytest.mark.nightly
@pytest.mark.parametrize("name", sorted(set(suites()) - set(QUICK)))
def test_the_first_bar_of_other_suites_is_what_it_was(name: str, snapshot: SnapshotAssertion) -> None:
    assert first_bar_of_each_passage(name) == snapshot


def first_bar_of_each_passage(name: str) -> dict[str, str]:
    """Returns hashes of samples of 16 bits. They are the same on every machine, since each operation is exact."""
    suite = suites()[name]
    return {
        passage: hashlib.sha256(quantized(first_bars(alone(suite, passage), 1)).tobytes()).hexdigest()[:16]
        for passage in suite.passages
    }


def test_blocks_of_any_size_are_parts_of_the_same_music() -> None:
    whole = Renderer(Arranger(SUITE)).block(30000)
    parts, renderer, left = [], Renderer(Arranger(SUITE)), 30000
    for size in (1, 1023, 1024, 7000, 20952):
        parts.append(renderer.block(size))
        left -= size
    assert left == 0
    assert (np.concatenate(parts) == whole).all()


@pytest.mark.slow
def test_there_is_no_click_where_the_music_changes() -> None:
    arranger, samples = Arranger(SUITE), list[Samples]()
    counted = Counted(arranger, len(CHANGES) + 1)
    renderer = Renderer(counted)
    for number, (kind, weight) in enumerate(CHANGES):
        samples.append(renderer.block(BLOCK))
        arranger.cue(cue(kind, number, weight, number / len(CHANGES)))
        while len(counted.bars) < number + 2:
            samples.append(renderer.block(BLOCK))
    heard = np.concatenate(samples)
    jumps = np.abs(np.diff(heard, axis=0)).max(axis=1)
    assert jumps[BLOCK - 1 :: BLOCK].max() < BOUND
    for second, _ in counted.seconds():
        at = int(second * RATE)
        assert jumps[max(0, at - 200) : at + 200].max(initial=0) < BOUND
    assert len({bar.passage for bar in counted.bars}) == 4


def test_nothing_exceeds_the_ceiling() -> None:
    loud = replace(SUITE, passages={"hope": SUITE.passages["hope"]._replace(gain=20.0)}, coda="hope")
    assert np.abs(first_bars(loud, 1)).max() == pytest.approx(CEILING)


def test_the_hall_rings_and_falls_silent() -> None:
    hall = Reverb(2.0)
    clap = np.zeros(BLOCK, np.float32)
    clap[0] = 1
    echo = np.concatenate([hall.block(clap), *(hall.block(np.zeros(BLOCK, np.float32)) for _ in range(129))], axis=1)
    early, late = np.abs(echo[:, 2000:20000]).max(), np.abs(echo[:, 88200:]).max()
    assert early > 0.01
    assert late < early / 300, "60 decibels in 2 seconds, or about"
    assert (echo[0] != echo[1]).any(), "it is wide"


def test_a_source_that_ends_is_over() -> None:
    renderer = Renderer(Counted(Arranger(SUITE), 1))
    while not renderer.over:
        renderer.block(BLOCK)
    for _ in range(6 * 43):
        last = renderer.block(BLOCK)
    assert np.abs(last).max() < 1e-4
