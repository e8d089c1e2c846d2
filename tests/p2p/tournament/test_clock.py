"""Clocks: they run for those who are to choose, and for nobody else."""

from __future__ import annotations

from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kimberley.games.table import Plain
from kimberley.p2p.tournament.clock import TableClocks
from kimberley.p2p.tournament.settings import MOST_INCREMENT, MOST_MAIN, TimeControl
from kimberley.protocol.encoding import Malformed, pack, unpack


def test_the_longest_clock_is_one_and_a_longer_one_is_none() -> None:
    TimeControl(MOST_MAIN, MOST_INCREMENT).check()
    for main, increment in ((MOST_MAIN + 1, 0), (0, 0), (1, MOST_INCREMENT + 1), (1, -1)):
        with pytest.raises(ValueError, match=r"."):
            TimeControl(main, increment).check()


def test_who_chooses_gets_the_increment_and_stops() -> None:
    clocks = TableClocks.of(2, TimeControl(60, 10)).turn(100.0, {0})
    assert clocks.left(0, 115.0) == 45
    assert clocks.left(1, 115.0) == 60
    clocks = clocks.chosen(115.0, 0)
    assert clocks.left(0, 999.0) == 55
    assert clocks.used(0, 999.0) == 15


def test_several_think_at_once() -> None:
    clocks = TableClocks.of(3, TimeControl(60)).turn(0.0, {0, 2}).chosen(20.0, 2).turn(30.0, {0, 1})
    assert [clocks.left(seat, 40.0) for seat in range(3)] == [20, 50, 40]


def test_a_seat_falls_and_no_increment_brings_it_back() -> None:
    clocks = TableClocks.of(2, TimeControl(5, 10)).turn(0.0, {1})
    assert clocks.fallen(4.999) == ()
    assert clocks.fallen(5.0) == (1,)
    late = clocks.chosen(6.0, 1)
    assert late.fallen(6.0) == (1,)
    assert late.left(1, 6.0) == 0


def test_a_choice_in_the_last_moment_brings_the_increment() -> None:
    clocks = TableClocks.of(2, TimeControl(60, 10)).turn(0.0, {0})
    assert clocks.chosen(59.5, 0).left(0, 59.5) == 10.5


def test_only_who_runs_gets_an_increment() -> None:
    clocks = TableClocks.of(2, TimeControl(60, 10)).turn(0.0, {0})
    assert clocks.chosen(5.0, 1).left(1, 5.0) == 60


def test_without_a_clock_thinking_is_only_counted() -> None:
    clocks = TableClocks.of(2, None).turn(0.0, {0, 1}).chosen(7.0, 0)
    assert clocks.used(0, 100.0) == 7
    assert clocks.used(1, 100.0) == 100
    assert clocks.left(1, 100.0) == inf
    assert clocks.fallen(1e9) == ()


def test_a_clock_that_goes_back_charges_nothing() -> None:
    clocks = TableClocks.of(2, TimeControl(60)).turn(100.0, {0})
    assert clocks.left(0, 50.0) == 60
    assert clocks.turn(50.0, {0}).left(0, 60.0) == 50


def test_nobody_is_charged_while_the_referee_is_down() -> None:
    clocks = TableClocks.of(2, TimeControl(60, 5)).turn(0.0, {0})
    stored = unpack(pack(clocks.plain(12.5)))
    again = TableClocks.read(stored)
    assert again.running == frozenset()
    assert again.left(0, 10_000.0) == 47.5
    assert again.turn(3.0, {0}).chosen(4.0, 0).left(0, 4.0) == 51.5


@pytest.mark.parametrize(
    "plain",
    [
        None,
        (),
        ((0, 0), (1, 1)),
        ((0,), (1,), 0),
        ((0, 0), (1,), 0),
        ((0, True), None, 0),
        ((0, 0), None, -1),
        ((-1, 0), None, 0),
    ],
)
def test_what_are_no_clocks_is_refused(plain: Plain) -> None:
    with pytest.raises(Malformed):
        TableClocks.read(plain)


@given(
    st.integers(2, 6),
    st.integers(1, 100),
    st.integers(0, 20),
    st.lists(st.tuples(st.integers(0, 40), st.integers(0, 5), st.booleans()), max_size=30),
)
def test_thinking_and_what_is_left_add_up(
    seats: int, main: int, increment: int, story: list[tuple[int, int, bool]]
) -> None:
    """Whatever happens, nobody gains time except by a choice in time, and nobody loses any except while running."""
    clocks, now = TableClocks.of(seats, TimeControl(main, increment)), 0.0
    choices = [0] * seats
    for gone, seat, chooses in story:
        now += gone
        if chooses:
            choices[seat % seats] += seat % seats in clocks.running and clocks.left(seat % seats, now) > 0
            clocks = clocks.chosen(now, seat % seats)
        else:
            clocks = clocks.turn(now, {seat % seats, 0})
        for one in range(seats):
            given = main + increment * choices[one]
            assert clocks.left(one, now) == max(0.0, given - clocks.used(one, now))
        again = TableClocks.read(clocks.plain(now))
        assert [again.left(one, 0.0) for one in range(seats)] == [clocks.left(one, now) for one in range(seats)]
    assert sum(clocks.used(one, now) for one in range(seats)) <= seats * now


def test_time_that_an_organizer_adds_is_added_once_however_often_it_is_told() -> None:
    clocks = TableClocks.of(2, TimeControl(60)).turn(100.0, {0}).extended((30, 0)).extended((30, 0))
    assert (clocks.left(0, 110.0), clocks.left(1, 110.0)) == (80.0, 60.0)
    stored = TableClocks.read(clocks.plain(110.0))
    assert stored.extended((30, 5)).left(1, 0.0) == 65.0
    assert stored.extended((30, 5)).left(0, 0.0) == 80.0
    assert TableClocks.read(((1000, 0), (60, 60), 0)).extended((0, 7)).left(1, 0.0) == 67.0, "of an earlier version"
    assert TableClocks.of(2, None).extended((30, 0)) == TableClocks.of(2, None)
