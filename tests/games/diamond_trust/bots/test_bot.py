"""The practice opponent: it never peeks, answers legally and repeatably whatever it is told, and plays well."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from random import Random
from typing import cast

import numpy as np
import pytest

from kimberley.games.bots.base import Bot
from kimberley.games.bots.hints import choose
from kimberley.games.bots.levels import make_bot
from kimberley.games.diamond_trust import GAME
from kimberley.games.diamond_trust.angola import HOME, Orders, least_errand
from kimberley.games.diamond_trust.bots.beliefs import worlds
from kimberley.games.diamond_trust.bots.bot import practice
from kimberley.games.diamond_trust.bots.decisions import Decision
from kimberley.games.diamond_trust.bots.effort import effort
from kimberley.games.diamond_trust.bots.heuristic import MOST, HeuristicBot
from kimberley.games.diamond_trust.bots.history import History
from kimberley.games.diamond_trust.bots.levels import LADDER
from kimberley.games.diamond_trust.bots.parameters import tuned
from kimberley.games.diamond_trust.bots.policy import Noise, Parameters, Policy
from kimberley.games.diamond_trust.bots.rollout import Rollout
from kimberley.games.diamond_trust.bots.search import MixedStrategy, Ranked, Report
from kimberley.games.diamond_trust.bots.searcher import Searcher, mixed
from kimberley.games.diamond_trust.bots.strategist import DiamondTrustBot, choice_of_row
from kimberley.games.diamond_trust.knowledge import Knowledge
from kimberley.games.diamond_trust.rules import RoundStep, State
from kimberley.games.diamond_trust.spaces import NumberSpace, OrdersSpace
from kimberley.games.table import Ask, Observation, Plain, Result, evolve, space_for
from tests.lab.contest import ContestTable, NamedContender, play_rotation
from tests.support.chance import at_random
from tests.support.effort import OTHER_VALUE, spread, tries
from tests.support.laws import TwoTruths
from tests.support.seated_arena import SeatedArena
from tests.support.trust import CUANDO, HUILA, LUNDA, UIGE, Trust

MEET = {0: (UIGE, 0, 0)}


QUICK_LEVELS = range(1, 9)
"""Levels whose decisions take little time. Those above differ from the highest of these in numbers, and the highest of
all in that it refines.
"""


def searching(size: int, seed: int, solves: bool = True) -> DiamondTrustBot:
    """Returns a bot that searches with this size, and solves the end of the game, which takes over half of the time."""
    return DiamondTrustBot(Searcher(replace(effort(size), solves=solves)), seed)


def refining(seed: int) -> DiamondTrustBot:
    """Returns a bot that refines, as the highest level does, in little time."""
    return DiamondTrustBot(Searcher(replace(effort(2), refines=True, solves=False)), seed)


class Watched(TwoTruths):
    """Two truths that differ only in what the watcher may not know: a bot of any level must choose the same in both. At
    each decision a third of the levels are asked, and one that refines.
    """

    asked = 0

    def _step(self, first: Ask | Result, second: Ask | Result) -> None:
        assert self.watcher is not None
        if not isinstance(first, Result) and self.watcher in first.choosers:
            one, other = (table.observation(self.watcher) for table in self.tables)
            makers: list[Callable[[int], Bot]] = [
                partial(practice, level) for level in QUICK_LEVELS[self.asked % 3 :: 3]
            ]
            for make in (*makers, refining):
                assert make(7).choose(one) == make(7).choose(other)
            self.asked += 1
        super()._step(first, second)


@pytest.mark.nightly
@pytest.mark.slow
@pytest.mark.parametrize("seed", range(tries(2, 4)))
def test_what_it_may_not_know_changes_no_choice(seed: int) -> None:
    pair = Watched(GAME, 2, seed % 2, Random(seed))
    pair.run()
    assert pair.differed
    assert pair.asked > 20


@pytest.mark.nightly
@pytest.mark.slow
def test_what_was_asked_before_changes_no_choice() -> None:
    """It remembers what it has read of a story; a bot that begins in the middle chooses the same."""
    table = SeatedArena(GAME, 2, Random(3))
    going = [searching(1, 11, solves=False), searching(1, 12, solves=False)]
    while not isinstance(ask := table.arena.truth.ask(), Result):
        choices = {seat: going[seat].choose(table.observation(seat)) for seat in ask.choosers}
        for seat, choice in choices.items():
            assert searching(1, 11 + seat, solves=False).choose(table.observation(seat)) == choice
        table.apply(table.arena.answer(ask, choices))
    stranger = SeatedArena(GAME, 2, Random(4))
    stranger.apply((CUANDO,))
    assert going[0].choose(stranger.observation(0)) == searching(1, 11, solves=False).choose(stranger.observation(0))


@pytest.mark.nightly
@pytest.mark.slow
def test_it_beats_chance_and_the_heuristic_player() -> None:
    won = 0.0
    for seed in range(6):
        seat = seed % 2
        rival = at_random(Random(seed)) if seed < 2 else HeuristicBot(MOST, seed).choose
        players = [searching(2, seed, solves=False).choose, rival]
        result = SeatedArena(GAME, 2, Random(seed)).play(players if seat == 0 else players[::-1])
        won += result.winners == (seat,)
    assert won >= 4


def payments(seed: int) -> Iterator[tuple[State, tuple[int, ...], Plain]]:
    """Yields what the strongest level advises a seat to pay in the months of a game that others play: the state, the
    payment, and its plan where that payment is made.
    """
    table = SeatedArena(GAME, 2, Random(seed))
    players = [HeuristicBot(MOST, seed + seat) for seat in range(2)]
    while not isinstance(ask := table.arena.truth.ask(), Result):
        known = table.observation(seed % 2)
        choices = {seat: players[seat].choose(table.observation(seat)) for seat in ask.choosers}
        if known.seat in ask.choosers and cast(State, known.state).step is RoundStep.PAY:
            adviser = practice(len(LADDER), 0)
            choices[known.seat] = paid = adviser.choose(known)
            table.apply(table.arena.answer(ask, choices))
            while not isinstance(asked := table.arena.truth.ask(), Result) and known.seat not in asked.choosers:
                table.apply(table.arena.answer(asked, {}))
            yield cast(State, known.state), cast(tuple[int, ...], paid), adviser.choose(table.observation(known.seat))
            continue
        table.apply(table.arena.answer(ask, choices))


@pytest.mark.nightly
@pytest.mark.slow
@pytest.mark.parametrize("seed", range(tries(3, 30)))
def test_what_is_paid_leaves_money_for_a_trip_and_in_the_first_month_somebody_travels(seed: int) -> None:
    advised = list(payments(seed))
    for state, paid, plan in advised:
        places, cash = state.places(seed % 2), cast(int, state.cash(seed % 2))
        assert not sum(paid) or cash - sum(paid) >= least_errand(places)
        if state.round() == 1:
            assert sum(paid)
            assert any(to != HOME for to, _, _ in cast(Orders, plan))
    assert len(advised) > 3


class Drafting:
    """A thinker that checks every candidate it could try, and takes any of them."""

    def __init__(self) -> None:
        self.most_paid = {False: 0, True: 0}
        """The highest salary or bribe among candidates, by whether drafts are varied."""
        self.varied = 0
        """How often there were variations of two candidates."""

    def __call__(self, state: State, seat: int, history: History, rng: Random, report: Report) -> MixedStrategy:
        del report
        play = Policy(Parameters(tuned()[0], tuned()[0]))
        drawn = worlds(history, state, 20, np.random.default_rng(rng.getrandbits(64)))
        space = space_for(state.ask(), seat)
        assert space is not None
        if isinstance(space, OrdersSpace | NumberSpace):
            # A last look is thought through as if there were a right to change what was planned.
            space = replace(space, exactly=None)
        for varied in self.most_paid:
            decision = Decision(state, seat, drawn, Rollout(play, Noise(rng)), [play], varied=varied)
            drafts = decision.drafts(32)
            rows, best, more = drafts.tolist(), drafts[:2].tolist(), []
            if decision.can_vary:
                more = decision.variations(drafts[:2], 16).tolist()
                assert more[: len(best)] == best
                assert len(set(map(tuple, more))) == len(more) <= 16
                self.varied += len(more) > len(best)
            choices = [choice_of_row(state, seat, row) for row in rows + more]
            assert [why for choice in choices if (why := space.violation(choice)) is not None] == []
            if state.step is RoundStep.PAY:
                self.most_paid[varied] = max(self.most_paid[varied], *map(max, rows))
        return [(rng.choice(rows), 1.0)]


def test_a_choice_is_drawn_as_often_as_the_thinker_says() -> None:
    def think(state: State, seat: int, history: History, rng: Random, report: Report) -> MixedStrategy:
        del state, seat, history, rng, report
        return [([0, 0, 0], 0.25), ([1, 0, 0], 0.75)]

    observation = Trust().seats.observation(0)
    bots = [DiamondTrustBot(think, seed) for seed in range(400)]
    assert bots[0].strategy(observation) == [((0, 0, 0), 0.25), ((1, 0, 0), 0.75)]
    assert np.mean([bot.choose(observation) == (1, 0, 0) for bot in bots]) == pytest.approx(0.75, abs=0.07)
    assert {(bot.choose_likeliest(observation), bot.runner_up()) for bot in bots} == {((1, 0, 0), (0, 0, 0))}
    assert all(choose(bot, observation) == (1, 0, 0) for bot in bots), "a hint names no choice that is drawn rarely"


def test_of_two_finalists_each_is_as_likely_as_it_is_the_better_one() -> None:
    def of(*values: float) -> MixedStrategy:
        rows = np.arange(len(values), dtype=np.int16)[:, None]
        return mixed(Ranked(rows, np.array(values, np.float32), np.full(len(values), 0.03, np.float32)))

    assert of(0.6) == [([0], 1.0)]
    assert of(0.6, 0.6) == [([0], 0.5), ([1], 0.5)]
    assert [share for _, share in of(0.6, 0.5)] == pytest.approx([0.991, 0.009], abs=0.001)


def test_a_search_that_refines_reports_its_progress_over_both_halves() -> None:
    shares: list[float] = []
    observation, history = Trust().seats.observation(0), History(0)
    history.read(observation.story)
    think = Searcher(replace(effort(2), refines=True))
    think(cast(State, observation.state), 0, history, Random(1), shares.append)
    assert shares == sorted(shares)
    assert (shares[0], shares.count(0.5), shares[-1] > 0.5) == (0, 1, True)


@pytest.mark.nightly
@pytest.mark.slow
def test_every_candidate_and_variation_is_legal_and_some_pay_more_than_the_policy_would() -> None:
    thinkers = Drafting(), Drafting()
    SeatedArena(GAME, 2, Random(5)).play([DiamondTrustBot(think, seat).choose for seat, think in enumerate(thinkers)])
    assert all(think.most_paid[True] > think.most_paid[False] > 0 for think in thinkers)
    assert all(think.varied > 20 for think in thinkers)


@pytest.mark.parametrize("level", [*spread(3, QUICK_LEVELS), pytest.param(len(LADDER), marks=OTHER_VALUE)])
def test_a_bot_of_a_level_answers_legally(level: int) -> None:
    """In a month with every kind of decision, in which agents are met and paid."""
    table = Trust().move(MEET, MEET).sell()
    bot, month = practice(level, 3), table.truth.months_left
    while table.truth.months_left == month:
        ask = table.truth.ask()
        assert not isinstance(ask, Result)
        choices = {seat: bot.choose(table.seats.observation(seat)) for seat in ask.choosers}
        for seat, choice in choices.items():
            space = space_for(table.view(seat).ask(), seat)
            assert space is not None
            assert space.violation(choice) is None
        table.seats.apply(table.seats.arena.answer(ask, choices))


def test_the_lowest_levels_keep_their_plan_whatever_they_overhear() -> None:
    table = Trust().move(MEET, MEET)
    table.become(diamonds=(0, 0, 0, 0, 12, 0))
    table.sell().pay({0: 1}).plan({}, {0: (HUILA, 4, 0)})
    assert table.known(0).plans[0] == (HUILA, 4, 0)
    stays = table.truth.plan[0]
    told = table.seats.observation(0)
    assert [practice(level, 3).choose(told) == stays for level in (1, 2, 3)] == [True, True, False]


def test_the_lowest_levels_bribe_less_often() -> None:
    table = Trust().move(MEET, MEET).sell()
    met = table.seats.observation(0)
    [bribe] = [index for index, slot in enumerate(table.view(0).slots(0)) if slot.bribe]

    def bribes(level: int) -> int:
        return sum(cast(tuple[int, ...], practice(level, seed).choose(met))[bribe] > 0 for seed in range(100))

    assert 0 < bribes(1) < bribes(4) / 2


@pytest.mark.nightly
@pytest.mark.slow
@pytest.mark.parametrize("level", [2, 3, 4])
def test_each_of_the_lowest_levels_beats_the_one_below(level: int) -> None:
    """Of 40 games about 26; the seeds decide them."""
    better, worse = (NamedContender.of(GAME, f"level:{number}") for number in (level, level - 1))
    pairs = [play_rotation(ContestTable(GAME, 2), better, worse, seed) for seed in range(20)]
    assert sum(sum(pair.points) for pair in pairs) >= 24


@pytest.mark.nightly
@pytest.mark.slow
def test_the_recipe_beats_a_player_who_does_anything() -> None:
    recipe, anything = (NamedContender.of(GAME, name) for name in ("recipe:1", "random"))
    assert [play_rotation(ContestTable(GAME, 2), recipe, anything, seed).points for seed in (1, 2)] == [(1, 1)] * 2


def test_a_level_that_there_is_not_is_refused() -> None:
    for level in (0, len(LADDER) + 1):
        with pytest.raises(ValueError, match=f"has levels 1 to 11, not {level}"):
            make_bot(GAME, level, 5)


def test_it_says_where_it_has_nothing_to_choose() -> None:
    ended = Trust().rounds(8).move()
    with pytest.raises(ValueError, match="seat 0 has nothing to choose at 'open'"):
        searching(1, 5).choose(ended.seats.observation(0))


@pytest.mark.nightly
@pytest.mark.slow
def test_it_sends_the_inspector_to_the_richest_carrier() -> None:
    table = Trust(CUANDO).move({}, {0: (HUILA, 2, 0), 1: (LUNDA, 1, 0)})
    mine, theirs = table.truth.agents
    table.become(agents=(mine, tuple(agent._replace(carries=9 * (agent.at == HUILA)) for agent in theirs)))
    table.sell().move({0: (CUANDO, 0, 1)}, {})
    assert table.truth.step is RoundStep.INSPECT
    assert [searching(2, seed).choose(table.seats.observation(0)) for seed in range(5)].count(HUILA) >= 4


@pytest.mark.nightly
@pytest.mark.slow
def test_it_outbids_a_plan_that_was_told_or_leaves_it_alone() -> None:
    offers = []
    for seed in range(8):
        table = Trust().move(MEET, MEET)
        table.become(diamonds=(0, 0, 0, 0, 12, 0))
        table.sell().pay({0: 1}).plan({}, {0: (HUILA, 4, 0)})
        assert table.known(0).plans[0] == (HUILA, 4, 0)
        orders = searching(2, seed).choose(table.seats.observation(0))
        assert isinstance(orders, tuple)
        offers += [order[1] for order in orders if isinstance(order, tuple) and order[0] == HUILA]
    assert len(offers) >= 6
    assert all(isinstance(offer, int) and (offer > 4 or offer == 0) for offer in offers)


@pytest.mark.parametrize("player", [searching(2, 3), HeuristicBot(MOST, 3)])
def test_it_chooses_whatever_it_was_told(player: Bot) -> None:
    """Even where all that it knows is nonsense."""
    table = Trust().move(MEET, MEET).sell().pay({0: 1}).plan()
    nonsense = Knowledge(
        turned=(True, True, True), plans=((LUNDA, 200, 9), (LUNDA, 200, 0), (HOME, 0, 0)), spent=-400, sale=0
    )
    observation = table.seats.observation(0)
    state = observation.state
    assert isinstance(state, State)
    odd = Observation(0, evolve(state, known=(nonsense, state.known[1])), observation.story)
    space = space_for(odd.state.ask(), 0)
    assert space is not None
    assert space.violation(player.choose(odd)) is None
