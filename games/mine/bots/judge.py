"""Judges choices in Diamond Mine by playing them out: each is worth the lead in points at the end of the game.

Choices are found and ranked as the bot does (`playouts`), in worlds that fit what the seat knew, or in the true one.
The best ones and the one that was chosen are then played out anew, in the same worlds and with the same luck: what was
found by luck in the ranking loses its lead there. A difference that may be chance does not count, nor does one that
lowers the chance to win.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from random import Random
from statistics import fmean
from typing import Any, Final, cast

from kimberley.games.bots.review import Assessment, DecisionPoint, RatedChoice, compared, mean_chances, most_apart
from kimberley.games.mine.bots.bot import MineBot
from kimberley.games.mine.bots.greedy import judged
from kimberley.games.mine.bots.playouts import (
    Options,
    card_options,
    lead,
    move_options,
    played_on,
    ranked,
    take_options,
    totals,
)
from kimberley.games.mine.bots.world import World, true_world, world_of
from kimberley.games.mine.moves import CARDS
from kimberley.games.mine.rules import State
from kimberley.games.mine.spaces import CardChoice
from kimberley.games.table import Answer, Observation, Plain

TIMES: Final = 4
"""A judge compares choices by this many times the playouts of the bot of its level."""
TO_THE_END: Final = 10_000
"""More rounds than any game has."""
SHOWN: Final = 3
"""How many of the best choices of the ranking are compared with the one that was made."""
VICTORY: Final = 5.0
"""Points that a win counts for, and a loss against, so that a seat that is behind does not end the game to lose by
less.
"""


class MineJudge:
    """Plays choices on as the bot of its level does, and then to the end to compare them."""

    unit = "points"
    hidden = True

    def __init__(self, level: int) -> None:
        self._playouts = MineBot(max(2, level), 0).playouts

    def by_knowledge(self, observation: Observation, chosen: Plain, rng: Random) -> Assessment | None:
        """See `ChoiceJudge`. What is in unopened veins is drawn. The placing of nests is not judged."""
        state, seat = cast(State, observation.state), observation.seat
        return self._assessed(state, seat, [chosen], None, lambda: world_of(state, rng), rng)

    def by_truth(self, point: DecisionPoint, rng: Random) -> Assessment:
        """See `ChoiceJudge`. Only the future is drawn."""
        state = cast(State, point.truth)
        world = true_world(state)
        assessment = self._assessed(state, point.seat, point.tried, point.answer, lambda: world, rng)
        assert assessment is not None
        return assessment

    def _assessed(
        self, state: State, seat: int, tried: Sequence[Plain], answer: Answer, draw: Callable[[], World], rng: Random
    ) -> Assessment | None:
        """Returns the first of the choices in `tried`, compared with the others and the best that are found."""
        options = _options(state, seat, tried[0], answer, draw())
        if len({tried[0], *options.likes}) < 2:
            return None
        final = list(dict.fromkeys([*tried, *ranked(options, seat, draw, self._playouts, rng)[:SHOWN]]))
        reached = self._played_on(options, final, draw, rng)
        leads = [[_lead(world, seat) for world in worlds] for worlds in reached]
        rated = [
            RatedChoice(choice, round(fmean(own), 3), mean_chances(map(_shares, worlds)))
            for choice, own, worlds in zip(final, leads, reached, strict=True)
        ]
        return compared(seat, rated, leads)

    def apart(self, observation: Observation, choice: Plain, other: Plain, rng: Random) -> float:
        """See `ChoiceJudge`."""
        state, seat = cast(State, observation.state), observation.seat
        options = _options(state, seat, choice, None, world_of(state, rng))
        if not {choice, other} <= set(options.likes):
            return math.inf
        one, two = self._played_on(options, [choice, other], lambda: world_of(state, rng), rng)
        return most_apart(*([_shares(world)[seat] for world in worlds] for worlds in (one, two)))

    def _played_on(
        self, options: Options[Any], choices: Sequence[Plain], draw: Callable[[], World], rng: Random
    ) -> list[list[World]]:
        """Returns the ends of games by choice, in the same worlds."""
        reached: list[list[World]] = [[] for _ in choices]
        for _ in range(TIMES * self._playouts // len(choices)):
            world, luck = draw(), rng.getrandbits(32)
            for worlds, option in zip(reached, choices, strict=True):
                worlds.append(played_on(options, option, world, luck, TO_THE_END))
        return reached


def _options(state: State, seat: int, chosen: Plain, answer: Answer, world: World) -> Options[Any]:
    """Returns what a seat could choose; nothing if nests are being placed, or if its pawn cannot move."""
    match state.phase:
        case "cards":
            return _card_options(state, seat, cast(CardChoice, chosen), answer, world)
        case "move":
            return move_options(state, seat, world, judged(world, seat, state.cards[seat]), drops=True)
        case "take":
            return take_options(seat, state.nest, world)
    return Options({}, lambda world, option, rng: None)


def _card_options(
    state: State, seat: int, chosen: CardChoice, answer: tuple[CardChoice | None, ...] | None, world: World
) -> Options[CardChoice]:
    """Returns the cards, all with the wish to end the game that came with the one that was chosen.

    `answer` has the cards that the others show at the same time; without it they show those that they like best, and do
    not end the game.
    """
    cards = card_options(seat, judged(world, seat))
    likes = {(card, chosen[1]): cards.likes.get(card, 0.0) for card in CARDS} if cards.likes else {}
    choices = answer or ()
    ends = answer is not None and all(
        theirs is not None and theirs[1] for theirs, here in zip(answer, state.present, strict=True) if here
    )

    def play(world: World, choice: CardChoice, rng: Random) -> None:
        cards.play(world, choice[0], rng)
        for other, theirs in enumerate(choices):
            if other != seat:
                world.cards[other] = theirs[0] if theirs else 0
        world.over = ends

    return Options(likes, play)


def _lead(world: World, seat: int) -> float:
    """Returns by how many points a seat is ahead of the best of the others, a victory included."""
    ahead = lead(world, seat, totals(world))
    return ahead + math.copysign(VICTORY, ahead) if ahead else 0.0


def _shares(world: World) -> tuple[float, ...]:
    """Returns the share of each seat in the first place. Seats that have left have nothing."""
    most = max(points for points, here in zip(world.points, world.present, strict=True) if here)
    first = [here and points == most for points, here in zip(world.points, world.present, strict=True)]
    return tuple(won / sum(first) for won in first)
