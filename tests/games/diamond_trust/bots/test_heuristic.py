"""The heuristic player: it beats chance, spends at the end, and uses what it is told."""

from __future__ import annotations

from random import Random

import pytest

from kimberley.games.diamond_trust import GAME
from kimberley.games.diamond_trust.angola import HOME
from kimberley.games.diamond_trust.bots.foresight import draft, outlook
from kimberley.games.diamond_trust.bots.heuristic import FEWEST, MOST, HeuristicBot
from kimberley.games.diamond_trust.rules import RoundStep
from kimberley.games.diamond_trust.spaces import OrdersSpace
from kimberley.games.table import space_for
from tests.support.chance import at_random
from tests.support.seated_arena import SeatedArena
from tests.support.trust import CUANDO, HUILA, LUNDA, MALANJE, UIGE, Trust

MEET = {0: (UIGE, 0, 0)}


@pytest.mark.nightly
@pytest.mark.slow
def test_it_beats_chance() -> None:
    for seed in range(12):
        seat = seed % 2
        players = [HeuristicBot(FEWEST, seed).choose, at_random(Random(seed))]
        result = SeatedArena(GAME, 2, Random(seed)).play(players if seat == 0 else players[::-1])
        assert result.winners == (seat,)


@pytest.mark.nightly
@pytest.mark.slow
def test_it_spends_its_money_in_the_end() -> None:
    for seed in range(6):
        result = SeatedArena(GAME, 2, Random(seed)).play(
            [HeuristicBot(MOST, seed).choose, HeuristicBot(MOST, seed + 50).choose]
        )
        assert max(score[1] for score in result.scores) <= 12


def test_it_says_where_it_has_nothing_to_choose() -> None:
    ended = Trust().rounds(8).move()
    with pytest.raises(ValueError, match="seat 0 has nothing to choose at 'open'"):
        HeuristicBot(FEWEST, 5).choose(ended.seats.observation(0))


def test_it_sends_the_inspector_to_the_richest_carrier() -> None:
    table = Trust(CUANDO).move({}, {0: (HUILA, 2, 0), 1: (LUNDA, 1, 0)}).sell()
    table.move({0: (CUANDO, 0, 1)}, {2: (MALANJE, 1, 0)})
    assert table.truth.step is RoundStep.INSPECT
    assert HeuristicBot(FEWEST, 1).choose(table.seats.observation(0)) == HUILA


@pytest.mark.slow
def test_it_outbids_a_plan_that_was_told() -> None:
    """Told that the only agent on the rich region offers $4, it mostly offers more, or leaves that region alone."""
    offers = []
    for seed in range(20):
        table = Trust().move(MEET, MEET)
        table.become(diamonds=(0, 0, 0, 0, 12, 0))
        table.sell().pay({0: 1}).plan({}, {0: (HUILA, 4, 0)})
        assert table.known(0).plans[0] == (HUILA, 4, 0)
        orders = HeuristicBot(MOST, seed).choose(table.seats.observation(0))
        assert isinstance(orders, tuple)
        offers += [order[1] for order in orders if isinstance(order, tuple) and order[0] == HUILA]
    assert len(offers) >= 15
    assert sum(isinstance(offer, int) and offer > 4 for offer in offers) >= 0.8 * len(offers)


@pytest.mark.parametrize(("told", "sold"), [(0, 1), (2, 0)])
def test_it_sells_by_what_it_is_told(told: int, sold: int) -> None:
    table = Trust().move(MEET, MEET).sell().pay({0: 1}).move({}, {0: (HOME, 0, 0)})
    table.choose(0, told)
    assert table.known(0).sale == told
    assert HeuristicBot(FEWEST, 1).choose(table.seats.observation(0)) == sold


def test_it_pays_what_keeps_an_agent_loyal() -> None:
    table = Trust().move(MEET, MEET).sell().pay({0: 1}, {0: 3}).move({0: (HOME, 0, 0)}).sell()
    assert table.view(0).own_turned(0, 0) is True
    amounts = HeuristicBot(FEWEST, 1).choose(table.seats.observation(0))
    assert isinstance(amounts, tuple)
    assert isinstance(amounts[0], int)
    assert amounts[0] >= 3


def test_drafts_are_legal_and_keep_to_what_was_told_however_odd() -> None:
    table = Trust().move(MEET, MEET).sell().pay()
    view = outlook(table.view(0), 0)
    rng = Random(4)
    space = space_for(table.view(0).ask(), 0)
    assert isinstance(space, OrdersSpace)
    for _ in range(300):
        orders = draft(view, 0, rng)
        assert space.violation(orders) is None
        assert draft(view, 1, rng, ((LUNDA, 500, 0), (LUNDA, 1, 0), None))[:2] == ((LUNDA, 500, 0), (LUNDA, 1, 0))
