"""Beliefs: every sampled world could have happened, the truth is never ruled out, and false words stop nothing."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import numpy as np
import pytest

from kimberley.games.diamond_trust import GAME
from kimberley.games.diamond_trust.angola import AGENTS, HOME
from kimberley.games.diamond_trust.bots.beliefs import LITTLE, Draw, Evidence, worlds
from kimberley.games.diamond_trust.bots.heuristic import FEWEST, HeuristicBot
from kimberley.games.diamond_trust.bots.history import History, ObservedRound, PossiblePayment
from kimberley.games.diamond_trust.bots.simulator import Games
from kimberley.games.diamond_trust.rules import RoundStep, State
from kimberley.games.table import Disclose, Result
from tests.support.effort import first_is_quick
from tests.support.laws import Telling, answered, anyhow, honestly, pick
from tests.support.seated_arena import SeatedArena
from tests.support.trust import HUILA, LUNDA, UIGE, Trust

WORLDS = 40


def observed(seed: int, telling: Telling = honestly) -> Iterator[tuple[SeatedArena, int, History]]:
    """Plays a game between a sensible player and one that does anything. Yields each step at which a seat has a
    history.
    """
    rng = Random(seed)
    table = SeatedArena(GAME, 2, rng)
    histories = [History(0), History(1)]
    trader = HeuristicBot(FEWEST, seed)
    while not isinstance(ask := table.arena.truth.ask(), Result):
        if table.arena.truth != GAME.start(2, {}):
            for seat, history in enumerate(histories):
                history.read(table.observation(seat).story)
                yield table, seat, history
        choices = {
            seat: trader.choose(table.observation(0)) if seat == 0 else pick(ask, 1, rng) for seat in ask.choosers
        }
        table.apply(answered(table.arena, ask, choices, telling))


def drawn(table: SeatedArena, seat: int, history: History) -> Games:
    view = table.views[seat]
    assert isinstance(view, State)
    return worlds(history, view, WORLDS, np.random.default_rng(1))


@pytest.mark.parametrize("seed", first_is_quick(*range(12)))
def test_the_truth_is_never_ruled_out(seed: int) -> None:
    for table, seat, history in observed(seed):
        truth = table.arena.truth
        assert isinstance(truth, State)
        evidence = Evidence(history.rounds)
        for agent in range(AGENTS):
            salary, bribes = truth.salary[1 - seat][agent], truth.bribes[seat][agent]
            assert isinstance(salary, int)
            assert isinstance(bribes, int)
            assert evidence.salary[agent].least[-1] <= salary <= evidence.salary[agent].most[-1]
            assert evidence.bribes[agent].least[-1] <= bribes <= evidence.bribes[agent].most[-1]
        spent = truth.spent[1 - seat]
        assert isinstance(spent, int)
        assert evidence.spent.least[-1] <= spent <= evidence.spent.most[-1]


@pytest.mark.slow
@pytest.mark.parametrize("seed", first_is_quick(*range(6)))
def test_every_world_fits_what_was_seen(seed: int) -> None:
    heard = 0
    for table, seat, history in observed(seed):
        truth, games, rival = table.arena.truth, drawn(table, seat, history), 1 - seat
        assert isinstance(truth, State)
        paid = games.salary[rival].sum(axis=0) + games.bribes[seat].sum(axis=0)
        assert (games.cash >= 0).all()
        assert (games.cash[rival] + paid == truth.limit[rival]).all()
        assert (games.cash[seat] == truth.cash(seat)).all()
        assert (games.salary[seat] == np.array(truth.salary[seat])[:, None]).all()
        assert (games.bribes[rival] == np.array(truth.bribes[rival])[:, None]).all()
        told = history.rounds[-1].told
        for agent, payload in told.items():
            turned = games.turned()[rival, agent]
            assert (turned == (payload is not None)).all()
            if payload is not None and truth.step is not RoundStep.PAY:
                heard += 1
                assert (games.salary[rival, agent] == payload[0]).all()
                for own, total in enumerate(payload[1]):
                    assert ((games.last_briber[seat, own] == agent) == (total is not None)).all()
                    assert total is None or (games.bribes[seat, own] == total).all()
                assert payload[2] is None or (games.cash[rival] + paid == truth.limit[rival]).all()
    assert heard


def test_a_told_salary_and_cash_are_known_exactly() -> None:
    table = Trust().pay({}, {0: 3, 1: 2}).move({0: (UIGE, 0, 0)}, {0: (UIGE, 1, 0)}).sell()
    table.pay({0: 4}, {0: 1}).move({}, {0: (HOME, 0, 0)}).sell().pay({}, {1: 2})
    observation = table.seats.observation(0)
    history = History(0)
    history.read(observation.story)
    games = worlds(history, table.view(0), WORLDS, np.random.default_rng(2))
    assert (games.salary[1, 0] == 3).all()
    assert (games.cash[1] == table.truth.cash(1)).all()
    assert (games.bribes[0, 0] == 1).all()
    assert len(set(games.salary[1, 1].tolist())) > 1


def test_who_had_little_is_not_believed_to_have_paid_it() -> None:
    def paid(room: int) -> float:
        salaries = tuple(PossiblePayment(False, agent, agent) for agent in range(AGENTS))
        months = [ObservedRound((0,) * AGENTS, (0,) * AGENTS, salaries, room=room) for _ in range(2)]
        spent = Draw(Evidence(months), 1000, np.random.default_rng(1)).spent
        return float((spent > 0).mean())

    assert paid(1) < 0.5 < 0.9 < paid(LITTLE)


def test_changed_orders_betray_that_one_of_ones_own_agents_is_turned() -> None:
    """The other side changed an order that was told: it was told something itself."""
    table = Trust().move({0: (UIGE, 0, 0), 1: (LUNDA, 0, 0)}, {0: (UIGE, 0, 0), 1: (LUNDA, 0, 0)}).sell()
    table.pay({0: 1}, {1: 2}).plan({}, {0: (HUILA, 1, 0)}).reveal({}, {0: (HUILA, 2, 0)})
    observation = table.seats.observation(0)
    history = History(0)
    history.read(observation.story)
    games = worlds(history, table.view(0), WORLDS, np.random.default_rng(3))
    assert games.turned()[0].any(axis=0).all()


@pytest.mark.nightly
@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_false_words_stop_nothing(seed: int) -> None:
    for table, seat, history in observed(seed, anyhow):
        games = drawn(table, seat, history)
        assert games.size == WORLDS
        assert (games.cash >= 0).all()


def test_a_history_grows_with_its_story() -> None:
    *_, (table, seat, history) = observed(2)
    again = History(seat)
    again.read(table.observation(seat).story)
    assert again.rounds == history.rounds
    assert history.begins(table.observation(seat).story)
    assert not history.begins(table.observation(1 - seat).story)
    tells = [ask for ask, _ in table.observation(seat).story if isinstance(ask, Disclose)]
    assert tells
    assert any(seen.told for seen in history.rounds)
