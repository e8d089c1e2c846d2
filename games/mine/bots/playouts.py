"""Plays on from the options of a decision in imagined worlds, for the bots and the judge to think ahead.

All seats play some rounds as `games.mine.bots.greedy` plays, and what each then has is added up.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Final, Generic, TypeVar

from kimberley.games.bots.base import unreported
from kimberley.games.mine.bots.greedy import Greedy, acts, goes, moves_to, offers, takes
from kimberley.games.mine.bots.world import World
from kimberley.games.mine.gems import CAPACITY
from kimberley.games.mine.moves import CARDS, droppable
from kimberley.games.mine.rules import State
from kimberley.games.mine.spaces import MoveChoice, TakeChoice

ERRS: Final = 0.15
"""How much the seats err in a playout, as a share of what they judge."""
ROUNDS: Final = 5
"""Rounds in a playout of the bot."""
CLEAR: Final = 5.0
"""The lead in points with which the bot expects to win three games in four."""
TASTE: Final = 0.03
"""The weight of a point of first liking against the outcome of the playouts."""

T = TypeVar("T")
Worths = Mapping[tuple[int, int], float]
"""What each card with each square is worth to a seat; see `greedy.judged`."""


@dataclass(frozen=True, slots=True)
class Options(Generic[T]):
    """What a seat could choose, with the points by which it likes each. `play` plays one of them in a world."""

    likes: Mapping[T, float]
    play: Callable[[World, T, Random], None]


def card_options(seat: int, worths: Worths) -> Options[int]:
    """Returns the cards with which a seat can move. The other seats show those that they like best."""
    likes: dict[int, float] = {}
    for (card, _), worth in worths.items():
        likes[card] = max(worth, likes.get(card, 0.0))

    def play(world: World, card: int, rng: Random) -> None:
        _show_cards(world, rng)
        world.cards[seat] = card

    return Options(likes, play)


def move_options(state: State, seat: int, world: World, worths: Worths, drops: bool) -> Options[MoveChoice]:
    """Returns the moves with the card of a seat, on which its pawn picks up what it can; if it `drops`, also those on
    which it makes room.
    """
    likes: dict[MoveChoice, float] = {}
    for (_, to), worth in worths.items():
        likes[to, tuple(world.pickups(seat, to)), ()] = worth
        if drops:
            likes.update((move, worth - lost) for move, lost in _droppings(state, seat, world, to))

    def play(world: World, move: MoveChoice, rng: Random) -> None:
        del rng
        goes(world, seat, *move)
        world.to_act.remove(seat)

    return Options(likes, play)


def take_options(seat: int, nest: int, world: World) -> Options[TakeChoice]:
    """Returns all that a seat could take from the vein on which it stands."""
    likes = dict.fromkeys(offers(world, seat, nest), 0.0)
    likes[tuple(sorted(takes(world, seat, nest)))] = 1.0

    def play(world: World, gems: TakeChoice, rng: Random) -> None:
        del rng
        world.take(seat, nest, gems)
        world.to_act.remove(seat)

    return Options(likes, play)


def _droppings(state: State, seat: int, world: World, to: int) -> list[tuple[MoveChoice, int]]:
    """Returns the moves on which a pawn that has no room for a medium gem drops one, on the first square where it can,
    and the points dropped.
    """
    places = [square for square in droppable(state.mine, seat, to) if square not in world.loose]
    if world.load[seat] < CAPACITY - 1 or not places:
        return []
    return [((to, (), ((places[0], gem),)), world.value[seat][gem]) for gem in world.gems[seat]]


def ranked(
    options: Options[T],
    seat: int,
    draw: Callable[[], World],
    playouts: int,
    rng: Random,
    report: Callable[[float], None] = unreported,
    lead: Callable[[T], None] = unreported,
    quiet: int = 0,
) -> list[T]:
    """Returns the options, first the one after which the seat stood best, with some weight on the points by which it
    likes one; without playouts, the one that it likes best. After `quiet` rounds without a gem it looks that much
    further ahead, and the weight grows: putting off the end can look best round after round, yet brings nothing.

    Each time all options left are played in the same world and with the same luck; the worse half then drops out.
    `report` is called meanwhile with the share that is done, from 0 to 1; if it raises an exception, that ends this.
    `lead` is called with the best option so far whenever some have dropped out.
    """
    left = sorted(options.likes, key=lambda option: -options.likes[option])
    if not playouts:
        return left
    out: list[T] = []
    sums, times, taste = dict.fromkeys(left, 0.0), 0, TASTE * (1 + quiet)
    stages = math.ceil(math.log2(len(left)))
    for stage in range(stages):
        rounds = max(1, playouts // (stages * len(left)))
        for played in range(rounds):
            report((stage + played / rounds) / stages)
            world, luck = draw(), rng.getrandbits(32)
            times += 1
            for option in left:
                sums[option] += _standing(played_on(options, option, world, luck, ROUNDS + quiet), seat)
        left.sort(key=lambda option: -sums[option] / times - taste * options.likes[option])
        half = (len(left) + 1) // 2
        left, out = left[:half], left[half:] + out
        lead(left[0])
    return left + out


def played_on(options: Options[T], option: T, world: World, luck: int, rounds: int = ROUNDS) -> World:
    """Returns a world `rounds` rounds after an option was chosen in it. The same `luck` gives the same world."""
    world, rng = world.copy(), Random(luck)
    options.play(world, option, rng)
    for _ in range(rounds):
        while world.to_act and not world.over:
            acts(world, world.to_act.pop(0), rng, ERRS)
        if not world.over:
            world.next_round()
        if world.over:
            break
        _show_cards(world, rng)
    return world


def totals(world: World) -> list[float]:
    """Returns, by seat, the points at home, and what its prospects are worth unless the game is over."""
    return [points + (0 if world.over else Greedy(world, seat).prospect()) for seat, points in enumerate(world.points)]


def lead(world: World, seat: int, totals: list[float]) -> float:
    """Returns by how many points a seat is ahead of the best of the others."""
    return totals[seat] - max(total for other, total in enumerate(totals) if other != seat and world.present[other])


def _show_cards(world: World, rng: Random) -> None:
    """Chooses for every seat the card with the move that it likes best."""
    for seat in world.to_act:
        wanted = moves_to(world, seat, rng, ERRS)
        world.cards[seat] = wanted[0] if wanted else CARDS[0]


def _standing(world: World, seat: int) -> float:
    """Returns how well a seat stands: from 0 for lost to 1 for won."""
    ahead = lead(world, seat, totals(world))
    if world.over:
        return (ahead > 0) + 0.5 * (ahead == 0) + 0.01 * math.tanh(ahead / CLEAR)
    return 1 / (1 + math.exp(-ahead / CLEAR * math.log(3)))
