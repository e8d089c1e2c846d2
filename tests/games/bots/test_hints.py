"""What a hint names, and that a review calls none of it a mistake."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from kimberley.games import lookup
from kimberley.games.bots import hints
from kimberley.games.bots.base import Comparing
from kimberley.games.bots.levels import make_bot
from kimberley.games.bots.review import NEAR, Assessment, RatedChoice, decision_points, of_two, review_decision
from kimberley.games.land.deals import BUY
from kimberley.games.table import Answer, Ask, Observation, Plain, Result
from tests.support.chance import at_random
from tests.support.seated_arena import SeatedArena

SEATS = {"diamond": 2, "land": 2, "mine": 2, "piecepack": 3}
HINTS = 2
"""Hints that a player follows in each game."""
LEVEL = 6
"""The level of the bot that gives them: it thinks little."""


@pytest.fixture(autouse=True)
def advisers_that_think_little(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hints, "make_adviser", lambda game: make_bot(game, LEVEL, hints.SEED))


@dataclass(frozen=True)
class Strict:
    """A judge that always finds something else better by `gain`, in other worlds than a hint."""

    hidden = False
    apart_by: float = 0.0
    gain: float = 0.11

    def by_knowledge(self, observation: Observation, chosen: Plain, rng: Random) -> Assessment:
        del rng
        seat = observation.seat
        made, best = (
            RatedChoice(chosen, 0.0, of_two(seat, 0.5)),
            RatedChoice("other", 1.0, of_two(seat, 0.5 + self.gain)),
        )
        return Assessment(seat, made, best)

    def apart(self, observation: Observation, choice: Plain, other: Plain, rng: Random) -> float:
        del observation, choice, other, rng
        return self.apart_by


def followed(game: str, how: Any) -> tuple[SeatedArena, list[tuple[Ask, Answer]], set[int]]:
    """Returns a game in which seat 0 chooses `how`, a function of a bot, its observation and its choice, at first at
    random.
    """
    rules = lookup.find(game)
    table, rng = SeatedArena(rules, SEATS[game], Random(3), {"turns": 25} if game == "land" else {}), Random(3)
    story: list[tuple[Ask, Answer]] = []
    asked: set[int] = set()
    while len(asked) < HINTS and not isinstance(ask := table.arena.truth.ask(), Result):
        choices = {seat: at_random(rng)(table.observation(seat)) for seat in ask.choosers}
        if 0 in choices and len(story) > 12:
            known = table.observation(0)
            bot = hints.make_adviser(rules)
            choice = how(bot, known, hints.choose(bot, known))
            if choice is not None:
                choices[0] = choice
                asked.add(len(story))
        answer = table.arena.answer(ask, choices)
        story.append((ask, answer))
        table.apply(answer)
    return table, story, asked


@pytest.mark.parametrize("game", SEATS)
def test_a_choice_that_a_hint_named_is_no_mistake(game: str) -> None:
    table, story, asked = followed(game, lambda _bot, _known, choice: choice)
    hinted = partial(hints.names, lookup.find(game))
    points = [point for point in decision_points(table.start, story, SEATS[game]) if point.step in asked]
    points = [point for point in points if point.seat == 0]
    assert len(points) == HINTS
    for point in points:
        judge: Any = Strict()
        alone, beside = review_decision(judge, point, "salt"), review_decision(judge, point, "salt", hinted)
        assert alone is not None
        assert beside is not None
        assert (alone.mistake, beside.mistake) == (True, False)
        assert beside.accuracy == 100
        assert alone.known.best in beside.known.others


def test_no_hint_is_asked_where_the_loss_is_large() -> None:
    table, story, asked = followed("mine", lambda _bot, _known, choice: choice)
    points = [point for point in decision_points(table.start, story, 2) if point.step in asked and point.seat == 0]
    judge: Any = Strict(gain=2 * NEAR)
    for point in points:
        found = review_decision(judge, point, "salt", lambda *_: pytest.fail("a hint was asked"))
        assert found is not None
        assert found.mistake


@pytest.mark.parametrize(("apart", "mistake"), [(0.0, False), (0.2, True)])
def test_so_is_a_choice_that_it_called_about_as_good(
    apart: float, mistake: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, judge = lookup.find("piecepack"), Strict(apart)
    monkeypatch.setattr(hints, "bots_of", lambda _game: SimpleNamespace(judge=lambda _level: judge))

    def next_best(bot: Any, known: Observation, choice: Plain) -> Plain | None:
        del known, choice
        assert isinstance(bot, Comparing)
        return bot.runner_up()

    table, story, asked = followed("piecepack", next_best)
    points = [point for point in decision_points(table.start, story, 3) if point.step in asked and point.seat == 0]
    assert points
    for point in points:
        strict: Any = replace(judge)
        found = review_decision(strict, point, "salt", partial(hints.names, game))
        assert found is not None
        assert found.mistake == mistake


@pytest.mark.slow
def test_deals_are_named_without_the_prices_that_a_bot_sets_and_in_any_order() -> None:
    rules = lookup.find("land")
    table, rng = SeatedArena(rules, 2, Random(3)), Random(3)
    for _ in range(60):
        ask: Any = table.arena.truth.ask()
        known = table.observation(ask.choosers[0]) if ask.choosers else None
        if known is not None:
            bot = hints.make_adviser(rules)
            whole: Any = bot.choose(known)
            named: Any = hints.choose(bot, known)
            if len(named) > 1 and all(deal[0] == BUY for deal in named):
                assert whole != named
                assert hints.names(rules, known, tuple(reversed(named)))
                assert not hints.names(rules, known, named[1:])
                return
        choices = {seat: at_random(rng)(table.observation(seat)) for seat in ask.choosers}
        table.apply(table.arena.answer(ask, choices))
    raise AssertionError("no turn buys several parcels")
