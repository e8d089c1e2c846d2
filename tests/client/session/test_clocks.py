"""Clocks of a tournament's table, as text."""

from __future__ import annotations

import pytest

from kimberley.client.session.clocks import (
    ClockFace,
    clock_sentences,
    next_clock_tick,
    strip_text,
    words_countdown,
)
from kimberley.client.session.participants import WaitTracker
from kimberley.client.session.seat_session import session_of
from kimberley.p2p.sentences.notices import clock_digits
from kimberley.p2p.tournament.clock import LOW_SECONDS
from kimberley.p2p.tournament.messages import WaitReading
from tests.support.pretend import PretendTable
from tests.support.pretend_tournament import Keeper, running, standing

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


@pytest.mark.parametrize(
    ("seats", "agreed", "said"),
    [
        ((0,), (False, True), "You have 1:40 to confirm, or you lose this game."),
        ((0, 1), (False, False), "You and ben have 1:40 to confirm, or lose this game."),
        ((1,), (True, False), "ben has 1:40 to confirm, or loses this game."),
        ((1, 2), (True, False, False), "ben and cleo have 1:40 to confirm, or lose this game."),
        # The referee does not know yet what this program knows.
        ((0, 1), (False, True), "You have 1:40 to confirm, or you lose this game."),
        ((0, 1), (True, True), None),
        ((7,), (False, False), None),
        ((), (False, False), None),
    ],
)
def test_who_has_to_confirm_the_words_reads_how_long(
    seats: tuple[int, ...], agreed: tuple[bool, ...], said: str | None
) -> None:
    table = PretendTable(agreed=agreed, names=("ana", "ben", "cleo")[: len(agreed)])
    keeper = Keeper(())
    session_of(table).clock_keeper = keeper
    assert words_countdown(table, 5.0) is None
    keeper.wait = WaitReading(seats, 105.0)
    assert words_countdown(table, 5.0) == said
    keeper.paused = True
    assert words_countdown(table, 5.0) is None
    keeper.paused = False
    table.put(called_bots=(True,) * len(agreed))
    assert words_countdown(table, 5.0) is None, "bots confirm at once"
    table.put(called_bots=(), phase="playing")
    assert words_countdown(table, 5.0) is None


@pytest.mark.parametrize(
    ("faces", "room", "text", "colour"),
    [
        ((ClockFace(0, 887.2, True), ClockFace(1, 1200.0, False)), 40, "you ▸14:48  ben 20:00", "money"),
        ((ClockFace(0, 887.2, False), ClockFace(1, 59.0, True)), 40, "you 14:48  ben ▸0:59", "soft"),
        ((ClockFace(0, 59.0, True), ClockFace(1, 3723.0, True)), 40, "you ▸0:59  ben ▸1:02:03", "warning"),
        ((ClockFace(0, 887.2, True), ClockFace(1, 1200.0, False)), 15, "▸14:48  20:00", "money"),
        (
            (ClockFace(0, 10.0, False), ClockFace(1, 30.0, False), ClockFace(2, 600.0, True)),
            40,
            "you 0:10  ben 0:30  carla ▸10:00",
            "soft",
        ),
        (
            (ClockFace(0, 10.0, False), ClockFace(1, 30.0, False), ClockFace(2, 600.0, True)),
            31,
            "you 0:10  ben 0:30  car… ▸10:00",
            "soft",
        ),
        (
            (ClockFace(0, 10.0, False), ClockFace(1, 30.0, False), ClockFace(2, 600.0, True)),
            20,
            "0:10  0:30  ▸10:00",
            "soft",
        ),
        (
            (ClockFace(0, 10.0, False), ClockFace(1, 30.0, False), ClockFace(2, 600.0, True)),
            14,
            "0:10  ▸10:00",
            "soft",
        ),
        (
            (ClockFace(0, 887.2, False), ClockFace(1, 720.0, False, away=True)),
            28,
            "you 14:48  ben 12:00 away",
            "warning",
        ),
        (
            (ClockFace(0, 887.2, True), ClockFace(1, 720.0, False, away=True)),
            24,
            "▸14:48  12:00 away",
            "money",
        ),
        ((ClockFace(0, 0.0, True), ClockFace(1, 5.0, False)), 40, "you ▸0:00  ben 0:05", "warning"),
    ],
)
def test_the_strip_shows_all_clocks_and_who_is_away(
    faces: tuple[ClockFace, ...], room: int, text: str, colour: str
) -> None:
    assert strip_text(faces, 0, ("ana", "ben", "carla"), room) == (text, colour)


def test_a_board_shows_the_clocks_where_it_says_who_is_waited_for() -> None:
    table = PretendTable(phase="playing")
    now = 100.0
    waits = WaitTracker(table, lambda: now)
    keeper = Keeper((running(600.5, at=40.0), standing(500.0)))
    session_of(table).clock_keeper = keeper
    assert waits.strip_text(now, 40) == ("you ▸9:01  ben 8:20", "money")
    assert waits.next_frame(now) == pytest.approx(100.5)
    assert waits.sentences(now)[:2] == ["You have 9:01 left, and the clock is running.", "ben has 8:20 left."]
    table.change(away={1: 90.0})
    assert waits.strip_text(now, 40) == ("you ▸9:01  ben 8:20 away", "money")
    assert "ben has 8:20 left and is away." in waits.sentences(now)
    keeper.away_since = 95.0
    assert waits.strip_text(now, 40) == ("ben away for 10 s", "warning")
    table.change(away={})
    assert waits.strip_text(now, 40) == ("referee offline", "warning")
    keeper.away_since, keeper.paused = None, True
    assert waits.strip_text(now, 40) == ("paused  you ▸9:01  ben 8:20", "warning")
    assert "The organizer has paused this table." in waits.sentences(now)
    keeper.paused = False
    keeper.clocks = (standing(541.0), standing(500.0, away=True))
    assert waits.strip_text(now, 40) == ("you 9:01  ben 8:20 away", "warning")
    keeper.away_since = 95.0
    assert "the clocks are unknown" in waits.sentences(now)[0]


def test_the_time_that_a_player_is_away_counts_on_though_you_are_awaited_for_longer() -> None:
    table = PretendTable(phase="words", agreed=(False, False))
    waits = WaitTracker(table, lambda: 10.0)
    waits.refresh()
    table.change(away={1: 95.0})
    assert waits.strip_text(100.0, 40) == ("ben away for 5 s", "warning")
    assert waits.next_frame(100.0) == 101.0
