"""Scores as text: chords and patterns."""

from __future__ import annotations

import pytest

from kimberley.client.audio.score import Chord, Tone, read_chords, read_pattern


def test_chords_are_read() -> None:
    assert read_chords("Dm9 A/C# Bbmaj7") == (
        Chord(2, 2, (0, 3, 10, 14)),
        Chord(1, 9, (0, 4, 7)),
        Chord(10, 10, (0, 4, 7, 11)),
    )
    assert read_chords("") == ()


@pytest.mark.parametrize("text", ["H", "Dfoo", "D/", "d"])
def test_what_is_no_chord_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is not a chord"):
        read_chords(text)


def test_a_bar_is_divided_by_its_tokens() -> None:
    first, second = read_pattern("1 - . 3! | 13' . 2b, -")
    assert [(step.start, step.length) for step in first] == [(0.0, 0.5), (0.75, 0.25)]
    assert first[1].tones == (Tone(2, 0, True),)
    assert second[0].tones == (Tone(0, 0, False), Tone(2, 12, False))
    assert second[1].tones == (Tone(1, -13, False),)
    assert (second[1].start, second[1].length) == (0.5, 0.5)


@pytest.mark.parametrize("text", ["0", "1 x", "#1", "1,#"])
def test_what_is_no_pattern_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is not a pattern token"):
        read_pattern(text)
