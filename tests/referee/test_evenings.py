"""Evenings with hostile players in virtual time: they break no law, and find faults (docs/hostile.md)."""

from __future__ import annotations

import pytest

from tests.simulation.evenings.campaign import play
from tests.simulation.evenings.evening import simulate
from tests.simulation.evenings.faults import FAULTS
from tests.simulation.evenings.plan import Focus, plan
from tests.simulation.evenings.tricks import TRICKS
from tests.support.effort import first_is_quick, one_is_quick, spread, tries

PLAIN = tries(30, 1000)
"""Evenings as their integers mean them, always the same."""


@pytest.mark.parametrize("number", one_is_quick(1, range(3)))
def test_an_honest_evening_is_played_to_its_end(number: int) -> None:
    outcome = simulate(number, Focus(honest=True))
    assert (outcome.broken, set(outcome.rulings)) == ("", {"played"})


@pytest.mark.nightly
@pytest.mark.slow
@pytest.mark.parametrize("start", spread(1, range(0, PLAIN, 5)))
def test_the_evenings_of_the_first_integers_break_no_law(start: int) -> None:
    for number in range(start, start + 5):
        assert (number, simulate(number).broken) == (number, "")


@pytest.mark.slow
@pytest.mark.parametrize(
    "number", first_is_quick(308, 378), ids=["begins while a killed program sits down again", "the same, later"]
)
def test_an_evening_in_which_an_honest_player_once_lost_breaks_no_law(number: int) -> None:
    assert simulate(number).broken == ""


@pytest.mark.slow
def test_an_integer_means_one_evening() -> None:
    assert simulate(3) == simulate(3)
    assert len({str(plan(number)) for number in range(50)}) == 50


@pytest.mark.slow
@pytest.mark.parametrize("name", spread(1, FAULTS))
def test_a_fault_is_found(name: str) -> None:
    fault = FAULTS[name]
    assert any(fault.finds(play(number, fault.focus, name).broken) for number in fault.evenings)


def test_every_trick_is_somebodys() -> None:
    hostile = [guest for number in range(200) for guest in plan(number).guests if guest.tricks]
    assert {name for guest in hostile for name in guest.tricks} == set(TRICKS)
