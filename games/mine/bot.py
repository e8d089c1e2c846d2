"""The bot for Diamond Mine. The higher its level, the more often and the better it simulates.

It draws at random what it cannot see, plays some rounds for all seats as `games.mine.greedy` plays, and chooses what
came out best. Level 1 does not simulate at all.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from random import Random
from typing import Final, TypeVar, cast

from kimberley.games.mine.gems import CAPACITY
from kimberley.games.mine.greedy import TURNS, Greedy, acts, goes, judged, moves_to, offers, takes
from kimberley.games.mine.moves import CARDS, droppable
from kimberley.games.mine.rules import State
from kimberley.games.mine.spaces import MoveChoice, NestSpace, TakeChoice
from kimberley.games.mine.world import World, world_of
from kimberley.games.table import Observation, Plain

LEVELS: Final = range(1, 21)
FEWEST: Final = 12
"""Simulations for a decision at level 2."""
GROWTH: Final = 1.25
"""The factor from each level to the next."""
POOREST: Final = 0.6
"""How much level 1 errs in what it judges, as a share of that; the error shrinks to none at level 10."""
ERRS: Final = 0.15
"""How much the seats err in its simulations, itself included."""
ROUNDS: Final = 5
"""Rounds in a simulation."""
CLEAR: Final = 5.0
"""The lead in points at which a game is won three times in four."""
TASTE: Final = 0.03
"""The weight of a point of first liking against the outcome of the simulations."""
WEARY: Final = 5
"""Quiet rounds after which it agrees to end a game that it leads, or in which one vein is left. Otherwise it waits for
three times as many.
"""

T = TypeVar("T")


class MineBot:
    """Chooses from an observation alone; the same seed and observation give the same choice.

    `level` is 1 to 20.
    """

    def __init__(self, level: int, seed: int) -> None:
        self._level = level
        self._seed = seed

    @property
    def playouts(self) -> int:
        """How many simulations it runs for a decision."""
        return 0 if self._level == 1 else round(FEWEST * GROWTH ** (self._level - 2))

    @property
    def blur(self) -> float:
        """How much it errs where it judges without a simulation."""
        return max(0.0, POOREST * (10 - self._level) / 9)

    def choose(self, observation: Observation) -> Plain:
        """A legal choice. Raises ValueError if nothing is asked of the observation's seat."""
        state, seat = cast(State, observation.state), observation.seat
        rng = Random(f"{self._seed} {seat} {len(observation.story)}")
        match state.phase:
            case "place" if state.turn == seat:
                return self._place(state, seat, rng)
            case "cards" if state.present[seat]:
                return self._card(state, seat, rng), self._agrees(state, seat)
            case "move" if state.turn == seat:
                return self._move(state, seat, rng)
            case "take" if state.turn == seat:
                return self._take(state, seat, rng)
        raise ValueError(f"nothing is asked of seat {seat}")

    def _place(self, state: State, seat: int, rng: Random) -> int:
        """Nearer to its own home than to those of the others."""

        def worth(square: int) -> float:
            far = [TURNS[square][home] for home in _others(state, seat)]
            return min(far) - 1.5 * TURNS[square][state.mine.home(seat)] + rng.random() * (0.5 + 4 * self.blur)

        return max(NestSpace(state.mine, seat).open(), key=worth)

    def _agrees(self, state: State, seat: int) -> bool:
        """Ends a game that goes on for nothing."""
        ahead = all(state.score(seat) > state.score(other) for other in state.order() if other != seat)
        last = state.veins_to_end - state.mine.exhausted <= 1
        return state.quiet >= WEARY * (1 if ahead or last else 3)

    def _card(self, state: State, seat: int, rng: Random) -> int:
        likes: dict[int, float] = {}
        for (card, _), worth in self._blurred(judged(world_of(state, rng), seat), rng).items():
            likes[card] = max(worth, likes.get(card, 0.0))

        def play(world: World, card: int, rng: Random) -> None:
            _show_cards(world, rng)
            world.cards[seat] = card

        return self._best(state, seat, likes, play, rng) if likes else rng.choice(CARDS)

    def _move(self, state: State, seat: int, rng: Random) -> MoveChoice:
        world = world_of(state, rng)
        likes: dict[MoveChoice, float] = {}
        for (_, to), worth in self._blurred(judged(world, seat, state.cards[seat]), rng).items():
            likes[to, tuple(world.pickups(seat, to)), ()] = worth
            if self.playouts:
                likes.update((move, worth - lost) for move, lost in _droppings(state, seat, world, to))

        def play(world: World, move: MoveChoice, rng: Random) -> None:
            del rng
            goes(world, seat, *move)
            world.to_act.remove(seat)

        return self._best(state, seat, likes, play, rng)

    def _take(self, state: State, seat: int, rng: Random) -> TakeChoice:
        world, nest = world_of(state, rng), state.nest
        likes = dict.fromkeys(offers(world, seat, nest), 0.0)
        likes[tuple(sorted(takes(world, seat, nest)))] = 1.0

        def play(world: World, gems: TakeChoice, rng: Random) -> None:
            del rng
            world.take(seat, nest, gems)
            world.to_act.remove(seat)

        return self._best(state, seat, likes, play, rng)

    def _blurred(self, worth: Mapping[T, float], rng: Random) -> dict[T, float]:
        """What is judged, with the errors of this level."""
        return {option: value * (1 - self.blur * rng.random()) for option, value in worth.items()}

    def _best(
        self, state: State, seat: int, likes: Mapping[T, float], play: Callable[[World, T, Random], None], rng: Random
    ) -> T:
        """The option after which it stood best, with some weight on the points by which it `likes` one; without
        thinking ahead, the one that it likes best. `play` plays an option.

        Each time all options left are played in the same world and with the same luck; the worse half then drops out.
        """
        left = sorted(likes, key=lambda option: -likes[option])
        if not self.playouts:
            return left[0]
        sums, times = dict.fromkeys(left, 0.0), 0
        stages = math.ceil(math.log2(len(left)))
        for _ in range(stages):
            for _ in range(max(1, self.playouts // (stages * len(left)))):
                world, luck = world_of(state, rng), rng.getrandbits(32)
                times += 1
                for option in left:
                    sums[option] += _played_on(world.copy(), seat, option, play, Random(luck))
            left.sort(key=lambda option: -sums[option] / times - TASTE * likes[option])
            left = left[: (len(left) + 1) // 2]
        return left[0]


def _show_cards(world: World, rng: Random) -> None:
    """All choose the card with the move that they like best."""
    for seat in world.to_act:
        wanted = moves_to(world, seat, rng, ERRS)
        world.cards[seat] = wanted[0] if wanted else CARDS[0]


def _played_on(world: World, seat: int, option: T, play: Callable[[World, T, Random], None], rng: Random) -> float:
    """How well a seat stands some rounds after it has chosen: from 0 for lost to 1 for won."""
    play(world, option, rng)
    for _ in range(ROUNDS):
        while world.to_act and not world.over:
            acts(world, world.to_act.pop(0), rng, ERRS)
        if not world.over:
            world.next_round()
        if world.over:
            break
        _show_cards(world, rng)
    return _standing(world, seat)


def _standing(world: World, seat: int) -> float:
    """How well a seat stands: by what is at home, and by its prospects unless the game is over."""
    totals = [
        points + (0 if world.over else Greedy(world, other).prospect()) for other, points in enumerate(world.points)
    ]
    ahead = totals[seat] - max(total for other, total in enumerate(totals) if other != seat and world.present[other])
    if world.over:
        return (ahead > 0) + 0.5 * (ahead == 0) + 0.01 * math.tanh(ahead / CLEAR)
    return 1 / (1 + math.exp(-ahead / CLEAR * math.log(3)))


def _others(state: State, seat: int) -> list[int]:
    """The homes of all others."""
    return [state.mine.home(other) for other in state.order() if other != seat]


def _droppings(state: State, seat: int, world: World, to: int) -> list[tuple[MoveChoice, int]]:
    """The moves on which a pawn that has no room for a medium gem drops one on the first square where it can, and the
    points dropped.
    """
    places = [square for square in droppable(state.mine, seat, to) if square not in world.loose]
    if world.load[seat] < CAPACITY - 1 or not places:
        return []
    return [((to, (), ((places[0], gem),)), world.value[seat][gem]) for gem in world.gems[seat]]


def about_level(level: int) -> str:
    """How a level plays, in a sentence."""
    times = MineBot(level, 0).playouts
    return (
        f"Plays on {times:,} times in its mind before it chooses." if times else "Does what looks best, and often errs."
    )
