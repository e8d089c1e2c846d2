"""Judges choices in the piecepack game by playing their turn on: each is worth the points by which its seat then leads.

Choices are found and played on as the bot does (`drafts`, `playouts`), in worlds that fit what the seat knew, or in the
true one. The best and the one that was chosen are then played on anew against each other, in the same worlds with the
same luck: what was found by luck in the search loses its lead there, and a difference that may be chance does not
count, nor does one of less than a point.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from random import Random
from statistics import fmean
from typing import Final, cast

from kimberley.games.bots.review import Assessment, DecisionPoint, RatedChoice, compared, mean_chances, most_apart, odds
from kimberley.games.piecepack.bots.bot import FEWEST, PiecepackBot
from kimberley.games.piecepack.bots.drafts import drafts
from kimberley.games.piecepack.bots.guess import imagine
from kimberley.games.piecepack.bots.playouts import most_promising, play_on
from kimberley.games.piecepack.bots.worth import prospects
from kimberley.games.piecepack.coins import PART_VALUE
from kimberley.games.piecepack.field import places
from kimberley.games.piecepack.rules import State
from kimberley.games.table import Item, Observation, Plain, evolve

TIMES: Final = 2
"""A judge plays on this many times the turns of the bot of its level to search, and as many again to compare."""
CONSIDERED: Final = 8
"""How many choices are searched, besides the one that was made; for a tile, all places are."""
SHOWN: Final = 3
"""How many of the best ones of the search are compared with the one that was made."""
INDIFFERENT: Final = 1.0
"""Points: a smaller difference is beyond what the reckoning at the end of a turn can tell."""
SCALE: Final = 1.0
"""Points by which one seat must be ahead of another to be 2.7 times as likely to win, with the last tile drawn."""
GROWTH: Final = 1.25
"""The same for each tile that is still face down."""
UPSET: Final = 0.15
"""How often being ahead does not matter. All three are fitted to games of the bot (docs/review.md)."""


class PiecepackJudge:
    """Judges as the bot of its level looks ahead, but with more turns, and with more candidates."""

    unit = "points"
    hidden = True

    def __init__(self, level: int) -> None:
        self._playouts = TIMES * max(FEWEST, PiecepackBot(level, 0).playouts)

    def by_knowledge(self, observation: Observation, chosen: Plain, rng: Random) -> Assessment | None:
        """See `ChoiceJudge`. What a spy looks at is not judged, for what it teaches brings no points in that turn."""
        state, seat = cast(State, observation.state), observation.seat
        if state.phase == "peek" or not alternatives(imagine(state, rng), chosen):
            return None
        return self._assessed(state, seat, [chosen], rng)

    def by_truth(self, point: DecisionPoint, rng: Random) -> Assessment:
        """See `ChoiceJudge`. The order of the bag is known as well; only tiles and what a war zone takes are drawn."""
        return self._assessed(seen_by(cast(State, point.truth), point.seat), point.seat, point.tried, rng)

    def _assessed(self, state: State, seat: int, tried: Sequence[Plain], rng: Random) -> Assessment:
        """Returns the first of the choices in `tried`, compared with the others and the best that are found."""
        final = list(dict.fromkeys([*tried, *self._searched(state, seat, tried[0], rng)]))
        leads, chances = self._played_on(state, seat, final, rng)
        rated = [
            RatedChoice(choice, round(fmean(led), 3), mean_chances(won))
            for choice, led, won in zip(final, leads, chances, strict=True)
        ]
        return compared(seat, rated, leads, INDIFFERENT)

    def apart(self, observation: Observation, choice: Plain, other: Plain, rng: Random) -> float:
        """See `ChoiceJudge`."""
        state, seat = cast(State, observation.state), observation.seat
        if state.phase == "peek":
            return math.inf
        _, (one, two) = self._played_on(state, seat, [choice, other], rng)
        return most_apart([won[seat] for won in one], [won[seat] for won in two])

    def _played_on(
        self, state: State, seat: int, choices: Sequence[Plain], rng: Random
    ) -> tuple[list[list[float]], list[list[tuple[float, ...]]]]:
        """Returns the points by which the seat leads, and the chances of all, by choice, in the same worlds."""
        leads: list[list[float]] = [[] for _ in choices]
        chances: list[list[tuple[float, ...]]] = [[] for _ in choices]
        for _ in range(self._playouts // len(choices)):
            world, luck = imagine(state, rng), rng.random()
            for choice, led, won in zip(choices, leads, chances, strict=True):
                end = play_on(world.apply(choice), state.turns, seat, Random(luck))
                stand = standings(end)
                led.append(lead(stand, seat))
                won.append(chances_to_win(end, stand))
        return leads, chances

    def _searched(self, state: State, seat: int, chosen: Plain, rng: Random) -> list[Plain]:
        """Returns the best of the choices that could have been made instead."""
        others = alternatives(imagine(state, rng), chosen)
        if len(others) <= SHOWN:
            return others
        _, outcomes = most_promising(state, seat, others, self._playouts, rng, leading)
        return sorted(others, key=lambda one: (-len(outcomes[one]), -fmean(outcomes[one])))[:SHOWN]


def alternatives(world: State, chosen: Plain) -> list[Plain]:
    """Returns what could be chosen instead in an imagined world, the most promising first."""
    options = [*drafts(world), ()] if world.phase == "steal" else drafts(world)
    few = options if world.phase == "place" else options[:CONSIDERED]
    return [choice for choice in dict.fromkeys(few) if choice != chosen]


def seen_by(truth: State, seat: int) -> State:
    """Returns the truth as if the seat had seen every coin, so that it knows what to steal."""

    def seen(coin: Item) -> Item:
        return Item(coin.handle, coin.parts, (coin.seen[0], coin.seen[PART_VALUE] | 1 << seat))

    return evolve(truth, hands=tuple(tuple(map(seen, hand)) for hand in truth.hands))


# -- what a turn has come to -------------------------------------------------------------------------------------------


def standings(end: State) -> dict[int, float]:
    """Returns, by seat that still plays, its points, and what it may gain in its turns to come, if it has any."""
    acting = () if end.ended else yet_to_act(end)
    present = (seat for seat, here in enumerate(end.present) if here)
    return {seat: prospects(end, seat) if seat in acting else end.scores[seat] for seat in present}


def yet_to_act(end: State) -> set[int]:
    """Returns the seats that act once more before the last tile is drawn, if each seat that has room now explores."""
    acting: set[int] = set()
    left = len(end.stack)
    for seat in (end.turn, *end.others(end.turn)):
        explores = end.phase == "explore" if seat == end.turn else bool(places(end.field, end.at(seat)))
        left -= explores
        if left <= 0:
            break
        acting.add(seat)
    return acting


def leading(end: State, seat: int) -> float:
    """Returns by how many points a seat stands better than its best rival; negative if it stands worse."""
    return lead(standings(end), seat)


def lead(stand: Mapping[int, float], seat: int) -> float:
    """Returns the same, from the `standings`."""
    return stand[seat] - max((worth for other, worth in stand.items() if other != seat), default=0.0)


def chances_to_win(end: State, stand: Mapping[int, float]) -> tuple[float, ...]:
    """Returns, by seat, the chance to win from the `standings`; the winners share it once nobody acts any more."""
    if end.ended or not yet_to_act(end):
        best = max(stand.values())
        shares = odds({seat: worth for seat, worth in stand.items() if worth == best}, SCALE)
    else:
        shares = odds(stand, SCALE + GROWTH * len(end.stack), UPSET)
    return tuple(shares.get(seat, 0.0) for seat in range(end.seats))
