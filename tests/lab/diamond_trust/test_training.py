"""The double oracle: how a population is played, and what an epoch makes of a response."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from kimberley.games.diamond_trust.bots.bot import practice
from kimberley.games.diamond_trust.bots.parameters import NAMES, Mix, NotTrained, numbers, shipped, shipped_mix
from kimberley.games.diamond_trust.bots.strategist import DiamondTrustBot
from tests.lab.diamond_trust.opponents import SearchContender
from tests.lab.diamond_trust.response import Response
from tests.lab.diamond_trust.training import PlayedPair, Population, Training, shares_of

FIRST, SECOND, THIRD = (tuple(numbers({"home": value}).tolist()) for value in (1.0, 2.0, 3.0))


@pytest.mark.nightly
@pytest.mark.slow
def test_in_a_circle_each_is_played_as_often() -> None:
    """Rock, paper, scissors."""
    assert shares_of(((0.5, 0.0, 1.0), (1.0, 0.5, 0.0), (0.0, 1.0, 0.5))) == pytest.approx((1 / 3,) * 3, abs=0.01)


@pytest.mark.nightly
@pytest.mark.slow
def test_who_loses_to_all_is_not_played() -> None:
    assert shares_of(((0.5, 0.8), (0.2, 0.5))) == (1.0, 0.0)


@pytest.mark.nightly
@pytest.mark.slow
def test_nobody_gains_against_how_a_population_is_played() -> None:
    won = ((0.5, 0.9, 0.4), (0.1, 0.5, 0.6), (0.6, 0.4, 0.5))
    shares = shares_of(won)
    for column in range(3):
        assert sum(share * won[row][column] for row, share in enumerate(shares)) >= 0.495


def test_a_mix_follows_each_in_its_share_of_the_games() -> None:
    mix = Mix((FIRST, SECOND, THIRD), (0.25, 0.75))
    followed = Counter(tuple(mix.models(seed)[0].tolist()) for seed in range(400))
    assert set(followed) == {FIRST, SECOND}
    assert 60 < followed[FIRST] < 140
    assert [tuple(model.tolist()) for model in mix.following(1).models(5)] == [SECOND, FIRST, THIRD]
    assert all(len(mix.models(seed)) == 3 for seed in range(5))


def test_the_bot_follows_what_ships() -> None:
    bot = practice(8, 3)
    assert isinstance(bot, DiamondTrustBot)
    assert SearchContender(1).mix == shipped_mix() == Population.of_plain(shipped()).mix


def test_a_response_begins_with_whom_its_target_follows_most() -> None:
    target = SearchContender(1, Mix((FIRST, SECOND, THIRD), (0.25, 0.75)))
    assert tuple(Response.begin(target, 3, 1).now.tolist()) == SECOND


def epoch() -> Training:
    """Returns an epoch whose response is already trained."""
    population = Population(Mix((FIRST, SECOND, THIRD), (0.5, 0.5)), ((0.5, 0.5), (0.5, 0.5)))
    target = SearchContender(1, population.mix)
    return Training(population, 2, Response.begin(target, 0, 1))


@pytest.mark.nightly
@pytest.mark.slow
def test_a_response_meets_every_member_and_joins() -> None:
    """It comes after those before it, and before those that are never played."""
    training = epoch()
    for match in training.matches():
        follows = match.member.mix.models(0)[0]
        assert tuple(follows.tolist()) == (FIRST, SECOND)[match.number]
        training.played(PlayedPair(match.number, match.seed, (0.75, 0.25)[match.number]))
    assert not training.matches()
    after, figures = training.learned()
    assert after.won == ((0.5, 0.5, 0.25), (0.5, 0.5, 0.75), (0.75, 0.25, 0.5))
    assert after.mix.players == (FIRST, SECOND, FIRST, THIRD)
    assert len(after.mix.shares) == 3
    assert (figures["won_of_the_mix"], figures["games"]) == (0.5, 8)


@pytest.mark.nightly
@pytest.mark.slow
def test_who_was_only_a_guess_can_become_a_member() -> None:
    after = epoch().population.joined(THIRD, (0.5, 0.5))
    assert after.members == after.mix.players == (FIRST, SECOND, THIRD)


def test_an_epoch_goes_on_where_it_stopped() -> None:
    training = epoch()
    training.played(PlayedPair(0, 1, 0.75))
    again = Training.of_plain(json.loads(json.dumps(training.as_plain())))
    assert again.matches() == training.matches()
    assert len(again.matches()) == 3
    assert again.points == {(0, 1): 0.75}


@pytest.mark.parametrize(
    "odd",
    [
        {"shares": []}, {"shares": [0.0]}, {"shares": [2.0, -1.0]}, {"won": [[0.5, 0.5]]}, {"won": []},
        {"players": []}, {"players": [1]}, {"players": [{"home": float("nan")}]}, {"players": [{"home": 1e39}]},
        {"players": [{"home": 10**400}]}, {"shares": [float("nan")]}, {"shares": [10**400]}, {"won": [[float("nan")]]},
    ],
)  # fmt: skip
def test_what_is_no_population_is_refused(odd: dict[str, object]) -> None:
    good = {"players": [dict.fromkeys(NAMES, 1.0)], "shares": [1.0], "won": [[0.5]]}
    assert Population.of_plain(good).members == (tuple(numbers(dict.fromkeys(NAMES, 1.0)).tolist()),)
    with pytest.raises((KeyError, TypeError, ValueError)):
        Population.of_plain(good | odd)


@pytest.mark.parametrize(
    "odd",
    [{"points": [["0", 1, 0.5]]}, {"points": [[0, 1, 1.5]]}, {"points": [[0, 1, float("nan")]]}, {"pairs": 0}],
)
def test_the_state_of_no_epoch_is_refused(odd: dict[str, object]) -> None:
    good = epoch().as_plain()
    assert Training.of_plain(good).as_plain() == good
    with pytest.raises(NotTrained):
        Training.of_plain(good | odd)
