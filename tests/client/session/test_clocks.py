"""Clocks of a tournament's table, as text."""

from __future__ import annotations

import pytest

from kimberley.client.session.clocks import LOW_SECONDS, ClockFace, clock_sentences, next_clock_tick, strip_text
from kimberley.p2p.sentences.notices import clock_digits

NAMES = ("ana", "ben of a long name")


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [(888.0, "14:48"), (887.1, "14:48"), (0.2, "0:01"), (0.0, "0:00"), (-3.0, "0:00"), (3723.0, "1:02:03")],
)
def test_a_clock_shows_zero_only_when_the_time_is_over(seconds: float, shown: str) -> None:
    assert clock_digits(seconds) == shown


@pytest.mark.parametrize(("left", "tick"), [(3.0, 101.0), (2.25, 100.25), (0.5, 100.5)])
def test_the_digits_change_next_with_the_next_whole_second(left: float, tick: float) -> None:
    faces = [ClockFace(0, left, True), ClockFace(1, 7.125, False)]
    assert next_clock_tick(faces, 100.0) == tick


def test_clocks_that_stand_or_are_over_change_no_digits() -> None:
    assert next_clock_tick([ClockFace(0, 0.0, True), ClockFace(1, 7.5, False)], 100.0) is None


def test_the_strip_warns_of_little_time_and_of_a_player_who_is_away() -> None:
    mine, theirs = ClockFace(0, 90.0, False), ClockFace(1, 65.0, True)
    assert strip_text([theirs, mine], 0, NAMES, 60) == ("you 1:30  ben of a long name ▸1:05", "soft")
    away = ClockFace(1, 65.0, True, away=True)
    assert strip_text([mine, away], 0, NAMES, 60) == ("you 1:30  ben of a long name ▸1:05 away", "warning")
    assert strip_text([ClockFace(0, LOW_SECONDS + 1, True), theirs], 0, NAMES, 60)[1] == "money"
    assert strip_text([ClockFace(0, LOW_SECONDS - 1, True), theirs], 0, NAMES, 60)[1] == "warning"


def test_names_give_way_to_times_and_the_running_clock_comes_first() -> None:
    faces = [ClockFace(0, 90.0, False), ClockFace(1, 65.0, False), ClockFace(2, 30.0, True)]
    names = (*NAMES, "carla")
    assert strip_text(faces, 0, names, 19) == ("1:30  1:05  ▸0:30", "soft")
    assert strip_text(faces, 0, names, 12) == ("1:30  ▸0:30", "soft")


def test_the_line_mode_says_whose_clock_runs_and_who_is_away() -> None:
    faces = [ClockFace(0, 90.0, True), ClockFace(1, 65.0, False, away=True)]
    assert clock_sentences(faces, 0, NAMES) == [
        "You have 1:30 left, and the clock is running.",
        "ben of a long name has 1:05 left and is away.",
    ]
