"""Bars: the same cues lead to the same music, and without a cue nothing changes."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Final

import pytest

from kimberley.client.audio.arranger import AUTO_BARS, ArrangedBar, Arranger
from kimberley.client.audio.cue import END, STAGE, Cue
from kimberley.client.audio.performance import LEAD_IN, MOST_BARS, Performance
from kimberley.client.audio.players import led_voicings
from kimberley.client.audio.score import read_chords
from tests.support.music import Counted, cue, music_of, suites

SUITE: Final = music_of("diamond-trust").suite
LONGEST_STEP: Final = 5
"""The most semitones by which a voice moves from chord to chord."""


def bars(arranger: Arranger, count: int) -> list[ArrangedBar]:
    return [arranger.next_bar() for _ in range(count)]


def voices(bar: ArrangedBar) -> set[str]:
    return {note.voice for note in bar.notes}


def test_without_a_cue_a_passage_is_repeated_as_it_is() -> None:
    heard = bars(Arranger(SUITE), 32)
    assert {bar.passage for bar in heard} == {"hope"}
    assert heard[:8] == heard[8:16] == heard[16:24] == heard[24:]


def test_the_same_cues_lead_to_the_same_bars() -> None:
    def play() -> list[ArrangedBar]:
        arranger, heard = Arranger(SUITE), []
        for number in range(12):
            arranger.cue(cue(("trip", "auction", STAGE)[number % 3], number, near_end=number / 12))
            heard += bars(arranger, 3)
        return heard

    assert play() == play()


def test_another_story_leads_to_another_piece() -> None:
    def play(first: int) -> list[tuple[str, set[str]]]:
        arranger, heard = Arranger(SUITE), []
        for number in range(first, first + 12):
            arranger.cue(cue("trip" if number % 4 else STAGE, number, near_end=(number - first) / 12))
            heard += [(bar.passage, voices(bar)) for bar in bars(arranger, 2)]
        return heard

    assert play(0) != play(100)


def test_a_cue_is_heard_with_the_next_bar() -> None:
    arranger = Arranger(SUITE)
    bars(arranger, 3)
    arranger.cue(given := cue("auction"))
    after = bars(arranger, 2)
    assert after[0].cues == (given,)
    assert (after[0].motif, after[1].motif) == ("auction", None)
    assert after[1].cues == ()


def test_stages_lead_from_hope_to_the_endgame() -> None:
    arranger, passages = Arranger(SUITE), []
    for month in range(1, 10):
        arranger.cue(cue(STAGE, month, near_end=month / 9))
        passages.append(bars(arranger, 4)[0].passage)
    allowed = [{"hope", "harbor"}] * 2 + [{"trade", "market"}] * 2
    allowed += [{"suspicion", "whispers"}] * 2 + [{"greed", "fever"}] * 2 + [{"endgame"}]
    assert all(passage in names for passage, names in zip(passages, allowed, strict=True))
    arranger.cue(cue(END, 10, near_end=1.0))
    assert arranger.next_bar().passage == "coda"


def test_when_the_inspector_strikes_nothing_else_is_heard_but_the_pad() -> None:
    for passage in SUITE.passages:
        arranger = Arranger(replace(SUITE, arc=((0.0, (passage,)),)))
        before = arranger.next_bar()
        arranger.cue(cue("confiscated", weight=1.0))
        first, second, after = bars(arranger, 3)
        assert voices(first) | voices(second) <= {"brass", "timpani", "pad"}
        assert {note.pitch for note in first.notes if note.voice == "brass"} == {38, 39, 50, 51}, "D and E flat"
        assert {note.pitch for note in second.notes if note.voice == "brass"} == {44, 56}, "A flat"
        assert voices(before) - voices(first)
        assert voices(before) & voices(after) - voices(first), "it goes on"


def test_a_heavier_motif_cuts_a_lighter_one_short_and_a_lighter_one_waits() -> None:
    arranger = Arranger(SUITE)
    arranger.cue(cue(STAGE, weight=0.6))
    assert arranger.next_bar().motif == STAGE
    arranger.cue(cue("confiscated", weight=1.0))
    assert arranger.next_bar().motif == "confiscated"
    arranger.cue(cue("trip", weight=0.2))
    assert [bar.motif for bar in bars(arranger, 3)] == ["confiscated", "trip", None]


def test_past_cues_lead_there_in_silence() -> None:
    cues = [cue(STAGE if number % 5 == 0 else "trip", number, near_end=number / 20) for number in range(15)]
    lived = Arranger(SUITE)
    for one in cues:
        lived.cue(one)
        lived.next_bar()
    joined = Arranger(SUITE, cues)
    first = joined.next_bar()
    assert (first.cues, first.motif) == ((), None)
    assert first.passage == lived.passage
    assert voices(first) <= {layer.voice for layer in SUITE.passages[first.passage].layers}


def test_with_a_closed_lid_it_goes_on_by_itself() -> None:
    heard = bars(Arranger(SUITE, auto=True), 4 * AUTO_BARS)
    passages = [bar.passage for bar in heard]
    assert sum(one != other for one, other in pairwise(passages)) == 3
    assert heard == bars(Arranger(SUITE, auto=True), 4 * AUTO_BARS)


def test_voices_go_from_chord_to_chord_by_short_steps() -> None:
    for suite in suites().values():
        for name, passage in suite.passages.items():
            for text in passage.chords:
                chords = led_voicings(read_chords(text), 60)
                for one, other in pairwise(chords):
                    steps = [abs(a - b) for a, b in zip(one, other, strict=True)]
                    assert max(steps) <= LONGEST_STEP, (suite.title, name, one, other)


# -- a whole game ------------------------------------------------------------------------------------------------------


def perform(cues: list[Cue]) -> Counted:
    counted = Counted(Performance(SUITE, cues))
    while counted.next_bar() is not None:
        pass
    return counted


def test_a_performance_plays_every_cue_once_and_the_coda_at_the_end() -> None:
    cues = [cue("trip", 1, 0.2), cue("confiscated", 2, 1.0), cue(STAGE, 3), cue("sale", 4), cue(END, 5, near_end=1.0)]
    heard = perform(cues).bars
    assert [one for bar in heard for one in bar.cues] == cues
    assert not any(bar.cues for bar in heard[:LEAD_IN])
    assert [bar.passage for bar in heard[-8:]] == ["coda"] * 8


def test_in_a_long_game_light_cues_share_bars() -> None:
    cues = [cue("trip", number, 0.2) for number in range(5000)]
    heard = perform([*cues, cue(END, 5000, near_end=1.0)]).bars
    assert sum(len(bar.cues) for bar in heard) == 5001
    assert len(heard) < MOST_BARS + 20


@pytest.mark.parametrize("name", sorted(suites()))
def test_a_performance_of_nothing_is_short(name: str) -> None:
    performance = Performance(suites()[name], [])
    assert len(list(iter(performance.next_bar, None))) == LEAD_IN
