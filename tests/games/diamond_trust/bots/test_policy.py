"""The policy of simulations: each side by itself, legal, and with the numbers of its own side only."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random

import numpy as np
import pytest

from kimberley.games.diamond_trust.angola import AGENTS, HOME, SEATS, income, least_errand
from kimberley.games.diamond_trust.bots.parameters import START, numbers
from kimberley.games.diamond_trust.bots.policy import (
    MOST_SOLD,
    Noise,
    OrderArrays,
    Parameters,
    Policy,
    ToldOrders,
    price,
    trip_total,
)
from kimberley.games.diamond_trust.bots.rollout import Rollout, RolloutPolicy
from kimberley.games.diamond_trust.bots.simulator import NOBODY, Games
from tests.lab.diamond_trust.recipe import DraftPolicy
from tests.lab.diamond_trust.tuning import STYLES
from tests.support.effort import each_once

SIZE = 200


def by_style(name: str) -> RolloutPolicy:
    style = numbers(STYLES[name])
    return Policy(Parameters(style, style))


PLAYS: dict[str, Callable[[], RolloutPolicy]] = {
    **{name: partial(by_style, name) for name in STYLES},
    "recipe": DraftPolicy,
}


def later(rounds: int) -> Games:
    """Returns games some rounds later, played in mixed styles."""
    p = Parameters(numbers(STYLES["steady"]), numbers(STYLES["briber"]))
    rollout = Rollout(Policy(p), Noise(Random(rounds)), until=9 - rounds)
    games = rollout.from_pay(Games.begin(np.arange(SIZE, dtype=np.int16) % 6))
    games.sell(np.minimum(games.vault, np.int16(1)))
    return games


@pytest.mark.parametrize(("name", "rounds"), each_once(PLAYS, [1, 4, 8]))
def test_what_it_chooses_is_legal(name: str, rounds: int) -> None:
    play, noise, games = PLAYS[name](), Noise(Random(1)), later(rounds)
    meetings, turned = games.meetings(), games.turned()
    amounts = play.pay(games, meetings, turned, noise)
    assert (amounts >= 0).all()
    assert not amounts[~games.payable(meetings)].any()
    assert (amounts.sum(axis=1) <= games.cash).all()
    games.pay(amounts, meetings)
    check_orders(games, plan := play.move(games, noise))
    told = ToldOrders(games.turned(), plan)
    check_orders(games, play.move(games, noise, told))
    mover = games.move(*plan)
    inspector = play.inspect(games, mover, games.rival_payments(), noise)
    assert ((inspector >= 0) & (inspector < HOME)).all()
    assert (inspector == games.inspector)[mover == NOBODY].all()
    for number in (sold := play.sale(games, noise), play.answer(games, sold)):
        assert ((number >= 0) & (number <= games.vault)).all()


@pytest.mark.parametrize("name", STYLES)
@pytest.mark.parametrize("rounds", [1, 4])
def test_a_side_with_little_cash_does_what_it_can_pay_for(name: str, rounds: int) -> None:
    play, noise, games = by_style(name), Noise(Random(2)), later(rounds)
    games.cash[:] = np.arange(SIZE, dtype=np.int16) % 9
    least = np.array([[least_errand(places) for places in side] for side in np.moveaxis(games.at, 1, 2).tolist()])
    amounts = play.pay(games, games.meetings(), games.turned(), noise).sum(axis=1)
    assert ((amounts == 0) | (games.cash - amounts >= least)).all()
    assert amounts.any()
    orders = play.move(games, noise)
    check_orders(games, orders)
    trips = trip_total(games, orders.to)
    assert not trips[games.cash == 0].any()
    assert ((trips > 0) & (games.cash < 6)).any()


def check_orders(games: Games, orders: OrderArrays) -> None:
    to, payment, bribe = orders
    assert ((to >= 0) & (to <= HOME)).all()
    assert (payment >= 0).all()
    assert (bribe >= 0).all()
    assert not payment[to == HOME].any()
    assert not bribe[to != games.inspector].any()
    for one in range(AGENTS):
        for other in range(one):
            assert not ((to[:, one] == to[:, other]) & (to[:, one] != HOME)).any()
    assert (trip_total(games, to) + payment.sum(axis=1) + bribe.sum(axis=1) <= games.cash).all()


@pytest.mark.parametrize("seat", range(SEATS))
def test_a_side_plays_by_its_own_numbers_and_what_it_may_see(seat: int) -> None:
    """The other side's numbers, money, salaries and what it paid change nothing but what it does itself."""
    own, one, other = (numbers(STYLES[name]) for name in ("steady", "briber", "lavish"))
    games, changed = later(4), later(4)
    rival = 1 - seat
    changed.cash[rival] += 7
    changed.salary[rival] += 3
    changed.bribes[rival] += 3
    changed.bribes[seat] += 1
    turned = games.turned()
    turned[seat] = False
    mine = np.full(SIZE, seat, np.int16)
    found = []
    for truth, theirs in ((games, one), (changed, other)):
        policy = Policy(Parameters(own, theirs) if seat == 0 else Parameters(theirs, own))
        noise = Noise(Random(5))
        meetings = truth.meetings()
        found.append(
            [
                policy.pay(truth, meetings, turned, noise)[seat],
                *(part[seat] for part in policy.move(truth, noise)),
                policy.inspect(truth, mine, truth.rival_payments(), noise),
                policy.sale(truth, noise)[seat],
            ]
        )
    for before, after in zip(*found, strict=True):
        assert (before == after).all()


def test_a_told_sale_is_answered_exactly() -> None:
    """By the dollars that it earns, each diamond at its price."""
    games = later(4)
    p = Parameters(numbers({"sale_worth": 1.0}), numbers({"sale_worth": 1.0}))
    planned = np.tile(np.arange(SIZE, dtype=np.int16) % 4, (SEATS, 1))
    worth, answers = price(games), Policy(p).answer(games, planned)
    for seat in range(SEATS):
        for game in range(SIZE):
            theirs = int(planned[1 - seat, game])
            most = min(int(games.vault[seat, game]), MOST_SOLD - 1)
            gains = [income((own, theirs))[0] - own * float(worth[seat, game]) for own in range(most + 1)]
            assert gains[answers[seat, game]] == pytest.approx(max(gains), abs=1e-3)


def test_parameters_have_names_that_are_known() -> None:
    assert all(set(style) <= set(START) for style in STYLES.values())
    with pytest.raises(AttributeError, match="no parameter 'courage'"):
        _ = Parameters(numbers({}), numbers({})).courage
