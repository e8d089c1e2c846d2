"""Turns played on in imagined worlds, by which the bot and the judge look ahead."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import sqrt
from random import Random
from statistics import fmean, stdev
from typing import Final

from kimberley.games.bots.base import unreported
from kimberley.games.piecepack.bots.drafts import CHOOSING, at_first_sight
from kimberley.games.piecepack.bots.guess import chance, imagine
from kimberley.games.piecepack.bots.worth import evaluate
from kimberley.games.piecepack.rules import State
from kimberley.games.table import Plain

LONGEST: Final = 40
"""Steps of the table in one imagined turn, after which it is judged as it stands."""

Outcomes = dict[Plain, list[float]]
"""What was judged after each candidate, world by world."""


Value = Callable[[State, int], float]
"""How well a seat stands in an imagined world."""


def most_promising(
    state: State,
    seat: int,
    options: list[Plain],
    playouts: int,
    rng: Random,
    value: Value = evaluate,
    report: Callable[[float], None] = unreported,
    lead: Callable[[Plain], None] = unreported,
) -> tuple[Plain, Outcomes]:
    """Returns the option that is best on average by sequential halving, and what was judged.

    `report` is called meanwhile with the share that is done, from 0 to 1; if it raises an exception, that ends this.
    `lead` is called with the best option so far whenever some have dropped out.
    """
    outcomes: Outcomes = {option: [] for option in options}
    left, todo = options, 1.0
    while len(left) > 1:
        playouts //= 2
        todo /= 2
        worlds = max(1, playouts // len(left))
        for played in range(worlds):
            report(1 - todo * (2 - played / worlds))
            world, luck = imagine(state, rng), rng.random()
            for option in left:
                end = play_on(world.apply(option), state.turns, seat, Random(luck))
                outcomes[option].append(value(end, seat))
        left = sorted(left, key=lambda option: -fmean(outcomes[option]))[: len(left) // 2]
        lead(left[0])
    return left[0], outcomes


def is_clear(better: Sequence[float], base: Sequence[float]) -> bool:
    """Returns whether one option is better than another by more than the error of the mean, in the worlds that both
    were played in.
    """
    gains = [one - other for one, other in zip(better, base, strict=False)]
    return len(gains) > 1 and fmean(gains) > stdev(gains) / sqrt(len(gains))


def play_on(world: State, turn: int, seat: int, rng: Random) -> State:
    """Returns an imagined world after a turn is played on, everybody acting at first sight: to the end of the turn, or
    until a seat has made its choice in another's turn.
    """
    for _ in range(LONGEST):
        if world.ended or world.turns != turn or is_aside(world, seat):
            break
        if world.phase in CHOOSING:
            world = world.apply(at_first_sight(world, rng, 1.0))
        else:
            world = world.apply(chance(world, world.ask(), rng))
    return world


def is_aside(world: State, seat: int) -> bool:
    """Returns whether a seat has made its choice in another's turn, which goes on."""
    return world.turn != seat and world.phase in ("act", "path", "explore", "place")
