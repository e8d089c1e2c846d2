"""The batched simulator plays exactly by the rules: whole random games, all phases, all quantities."""

from __future__ import annotations

from random import Random
from typing import Any, cast

import numpy as np
import pytest

from kimberley.games.arena import Arena
from kimberley.games.diamond_trust import GAME
from kimberley.games.diamond_trust.angola import AGENTS, SEATS
from kimberley.games.diamond_trust.bots.policy import Noise, OrderArrays, ToldOrders
from kimberley.games.diamond_trust.bots.rollout import Rollout, RolloutPolicy
from kimberley.games.diamond_trust.bots.simulator import NOBODY, Games, Whole
from kimberley.games.diamond_trust.knowledge import Knowledge
from kimberley.games.diamond_trust.rules import RoundStep, State
from kimberley.games.table import Result, space_for
from tests.support.effort import tries

GAMES = 400
"""Games of one batch; each seed is another batch."""


class Recorded:
    """One game of the rules by random choices: by round what was chosen, and the truth after each phase."""

    def __init__(self, seed: int) -> None:
        rng = Random(seed)
        arena = Arena(GAME.start(2, {}), rng)
        self.rounds: list[dict[str, Any]] = []
        self.inspector = NOBODY
        while True:
            state = arena.truth
            assert isinstance(state, State)
            ask = state.ask()
            if isinstance(ask, Result):
                self.result = ask
                return
            self._before(state)
            choices = {}
            for seat in ask.choosers:
                space = space_for(ask, seat)
                assert space is not None
                choices[seat] = space.pick(rng)
            answer = arena.answer(ask, choices)
            arena.apply(answer)
            after = arena.truth
            assert isinstance(after, State)
            self._after(state, answer, after)

    def _before(self, state: State) -> None:
        match state.step:
            case RoundStep.PAY | RoundStep.PLAN | RoundStep.PAY_TOLD:
                if len(self.rounds) < state.round():
                    self.rounds.append(
                        {"mover": NOBODY, "inspector": state.inspector, "amounts": np.zeros((2, 3), int)}
                    )
                self.rounds[-1].setdefault("begun", snapshot(state))
            case RoundStep.MOVE:
                self.rounds[-1]["paid"] = snapshot(state)
                self.rounds[-1]["rights"] = state.right
            case RoundStep.SALE_PLAN | RoundStep.OPEN:
                self.rounds[-1]["collected"] = snapshot(state)
            case RoundStep.SALE:
                self.rounds[-1]["told sales"] = [knowledge(state, seat).sale is not None for seat in range(SEATS)]
                self.rounds[-1]["sale rights"] = state.right

    def _after(self, state: State, answer: Any, after: State) -> None:
        match state.step:
            case RoundStep.INSPECTOR:
                self.inspector = answer[0]
            case RoundStep.PAY:
                for seat in range(SEATS):
                    for slot, amount in zip(state.slots(seat), answer[seat] or (), strict=True):
                        self.rounds[-1]["amounts"][seat, slot.by] = amount
            case RoundStep.MOVE:
                self.rounds[-1]["orders"] = np.array(answer)
                self.rounds[-1]["moved"] = {"agents": np.array([[agent.at for agent in side] for side in after.agents])}
                assert after.moved is not None
                mover = after.moved.inspector_mover
                self.rounds[-1]["mover"] = NOBODY if mover is None else mover
            case RoundStep.INSPECT:
                self.rounds[-1]["inspector"] = answer
            case RoundStep.SALE:
                self.rounds[-1]["sold"] = answer


def knowledge(state: State, seat: int) -> Knowledge:
    known = state.known[seat]
    assert isinstance(known, Knowledge)
    return known


class Adjusting:
    """Changes every plan that it is asked about again."""

    def pick(self, games: Any) -> Adjusting:
        return self

    def move(self, games: Games, noise: Noise, told: ToldOrders) -> OrderArrays:
        return OrderArrays(*(part + 1 for part in told.orders))

    def answer(self, games: Games, planned: Whole) -> Whole:
        return planned + 1


def snapshot(state: State) -> dict[str, Any]:
    return {
        "inspector": state.inspector,
        "diamonds": (*state.diamonds, 0),
        "at": [[agent.at for agent in side] for side in state.agents],
        "carries": [[agent.carries for agent in side] for side in state.agents],
        "vault": state.vault,
        "cash": [state.cash(seat) for seat in range(SEATS)],
        "salary": state.salary,
        "bribes": state.bribes,
        "last_briber": [[NOBODY if by is None else by for by in side] for side in state.last_briber],
    }


def assert_same(games: Games, recorded: list[Recorded], number: int, when: str) -> None:
    columns = games.columns()
    for name in recorded[0].rounds[number][when]:
        expected = np.stack([np.array(game.rounds[number][when][name]) for game in recorded], axis=-1)
        differs = np.flatnonzero((columns[name] != expected).reshape(-1, games.size).any(axis=0))
        assert not differs.size, f"{name} of game {differs[0]} when {when} in round {number + 1}"


def gathered(recorded: list[Recorded], number: int, what: str) -> Any:
    return np.stack([np.array(game.rounds[number][what]) for game in recorded], axis=-1).astype(np.int16)


@pytest.mark.nightly
@pytest.mark.slow
@pytest.mark.parametrize("seed", range(tries(2, 5)))
def test_it_plays_as_the_rules_do(seed: int) -> None:
    recorded = [Recorded(seed * GAMES + game) for game in range(GAMES)]
    games = Games.begin(np.array([game.inspector for game in recorded]))
    rollout = Rollout(cast(RolloutPolicy, Adjusting()), Noise(Random(seed)))
    told_ever = silent_ever = False
    for number in range(9):
        assert_same(games, recorded, number, "begun")
        meetings = games.meetings()
        amounts = gathered(recorded, number, "amounts")
        assert not amounts[~games.payable(meetings)].any()
        games.pay(amounts, meetings)
        assert_same(games, recorded, number, "paid")
        turned = games.turned()
        rights = gathered(recorded, number, "rights").astype(bool)
        orders = gathered(recorded, number, "orders")
        plan = OrderArrays(orders[:, :, 0], orders[:, :, 1], orders[:, :, 2])
        for before, after in zip(plan, rollout.adjusted(games, plan, turned), strict=True):
            assert (after - before == rights[:, None]).all()
        mover = games.move(*plan)
        assert (mover == gathered(recorded, number, "mover")).all()
        games.collect(gathered(recorded, number, "inspector"), games.rival_payments())
        assert_same(games, recorded, number, "collected")
        if number < 8:
            sold, told = gathered(recorded, number, "sold"), gathered(recorded, number, "told sales")
            assert (rollout.final_sale(games, sold, turned) - sold == told).all()
            # Others may adjust as well, as those do that learn of a double agent at home, but have no number to answer.
            assert (told <= gathered(recorded, number, "sale rights")).all()
            games.sell(sold)
            told_ever |= bool(told.any())
            silent_ever |= not told[:, turned.any(axis=(0, 1))].all()
    assert told_ever
    assert silent_ever
    first = np.array([game.result.places[0] for game in recorded])
    second = np.array([game.result.places[1] for game in recorded])
    assert (games.outcome() == (1 + np.sign(second - first)) / 2).all()


def test_a_copy_of_some_games_is_apart_from_them() -> None:
    games = Games.begin(np.array([0, 1, 2]))
    some = games.pick(np.array([2, 2, 0]))
    some.pay(np.ones((SEATS, AGENTS, 3), np.int16), some.meetings())
    assert list(some.inspector) == [2, 2, 0]
    assert (games.cash == 18).all()
    assert (some.cash == 15).all()
