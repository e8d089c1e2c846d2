"""The rivals of different kinds: each plays whole games by the rules, and each has the habit that it is named for."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random
from typing import cast

import pytest

from kimberley.games.diamond_trust import GAME
from kimberley.games.diamond_trust.angola import HOME, Orders
from kimberley.games.diamond_trust.position import RoundStep
from kimberley.games.diamond_trust.rules import State
from kimberley.games.table import Observation, Plain
from tests.lab.contest import NamedContender
from tests.lab.diamond_trust.opponents import OPPONENTS
from tests.lab.diamond_trust.rivals import RIVALS
from tests.lab.diamond_trust.tuning import STYLES
from tests.support.chance import at_random
from tests.support.effort import first_is_quick
from tests.support.seated_arena import SeatedArena

Choices = tuple[tuple[State, Plain], ...]


@cache
def choices(name: str, seed: int = 1) -> Choices:
    """Returns what a rival chose in a game in seat 0 against the heuristic player, and its own state then."""
    seen: list[tuple[State, Plain]] = []
    own = NamedContender.of(GAME, name).player(seed)

    def noted(observation: Observation) -> Plain:
        chosen = own(observation)
        seen.append((cast(State, observation.state), chosen))
        return chosen

    other = NamedContender.of(GAME, "heuristic").player(seed)
    SeatedArena(GAME, 2, Random(seed)).play([noted, other])
    return tuple(seen)


def chosen_at(name: str, *steps: RoundStep) -> Iterator[tuple[State, Plain]]:
    return ((state, choice) for state, choice in choices(name) if state.step in steps)


def adjusted(name: str) -> list[tuple[Orders, Orders]]:
    """Returns plans with what became of them, where they could be adjusted."""
    found = []
    for seed in (1, 2, 3):
        moves = (each for each in choices(name, seed) if each[0].step is RoundStep.MOVE and each[0].right[0] is True)
        found += [(cast(Orders, state.plan[0]), cast(Orders, final)) for state, final in moves]
    assert found
    return found


def goals(orders: Orders) -> tuple[int, ...]:
    return tuple(order[0] for order in orders)


@pytest.mark.nightly
@pytest.mark.slow
@pytest.mark.parametrize("name", [*RIVALS, *STYLES])
def test_every_rival_beats_chance(name: str) -> None:
    for seed in (1, 2):
        players = [NamedContender.of(GAME, name).player(seed), at_random(Random(seed))]
        result = SeatedArena(GAME, 2, Random(seed)).play(players if seed % 2 else players[::-1])
        assert result.winners == (0 if seed % 2 else 1,)


def test_there_are_more_than_twelve_and_half_of_them_took_no_part_in_the_tuning() -> None:
    assert len(RIVALS) + len(STYLES) >= 12
    assert len(RIVALS) >= len(STYLES)
    assert {*RIVALS, *STYLES} <= OPPONENTS.players.keys()


@pytest.mark.parametrize("name", first_is_quick("greedy", "hoarding", "trusting"))
def test_some_pay_nobody(name: str) -> None:
    assert all(not any(cast(tuple[int, ...], paid)) for _, paid in chosen_at(name, RoundStep.PAY))


def test_the_hoarding_one_keeps_its_diamonds_and_bids_a_dollar() -> None:
    assert all(number == 0 for _, number in chosen_at("hoarding", RoundStep.SALE_PLAN, RoundStep.SALE))
    plans = [cast(Orders, plan) for state, plan in chosen_at("hoarding", RoundStep.PLAN) if state.months_left]
    assert {payment for plan in plans for _, payment, _ in plan} <= {0, 1}


@pytest.mark.nightly
@pytest.mark.slow
def test_the_spendthrift_spends_all_it_has_wherever_it_goes_for_diamonds() -> None:
    bid = [
        (state, cast(Orders, plan))
        for state, plan in chosen_at("spendthrift", RoundStep.PLAN)
        if any(to != HOME and state.diamonds[to] for to, _, _ in cast(Orders, plan))
    ]
    assert bid
    for state, plan in bid:
        spent = sum(payment for _, payment, _ in plan)
        assert state.cash(0) == 0 or spent > 0
        assert cast(int, state.cash(0)) - spent <= 9, "only trips, bribes and what cannot be shared out"


def test_the_paranoid_one_brings_home_what_it_carries() -> None:
    carrying = [
        (agent.at, order[0])
        for state, plan in chosen_at("paranoid", RoundStep.PLAN)
        if state.months_left
        for agent, order in zip(state.agents[0], cast(Orders, plan), strict=True)
        if agent.carries and cast(int, state.cash(0)) > 6
    ]
    assert carrying
    assert all(to == HOME for _, to in carrying)


@pytest.mark.nightly
@pytest.mark.slow
def test_the_bribing_one_pays_no_salary_and_large_bribes() -> None:
    paid = [
        (slot.bribe, amount)
        for state, amounts in chosen_at("bribing", RoundStep.PAY)
        for slot, amount in zip(state.slots(0), cast(tuple[int, ...], amounts), strict=True)
    ]
    assert all(amount == 0 for bribe, amount in paid if not bribe)
    assert max(amount for _, amount in paid) == 4


@pytest.mark.nightly
@pytest.mark.slow
def test_the_unmoved_one_keeps_every_plan_and_the_restless_one_goes_elsewhere() -> None:
    assert all(plan == final for plan, final in adjusted("unmoved"))
    assert all(goals(plan) != goals(final) for plan, final in adjusted("restless"))


@pytest.mark.nightly
@pytest.mark.slow
def test_the_deceiving_one_plans_other_places_than_it_goes_to() -> None:
    pairs = adjusted("deceiving")
    assert sum(goals(plan) != goals(final) for plan, final in pairs) > len(pairs) / 2
