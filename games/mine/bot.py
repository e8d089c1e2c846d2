"""A player for practice at Diamond Mine. How often it plays on in its head, and how well, grows with its level.

It draws what it cannot see at random, plays some rounds on as `games.mine.greedy` plays, for itself and for all others,
and chooses what came out best. At the first level it does not think ahead at all.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from random import Random
from typing import Final, TypeVar, cast

from games.mine.gems import CAPACITY
from games.mine.greedy import TURNS, acts, goes, moves_to, offers, takes
from games.mine.moves import CARDS, droppable
from games.mine.rules import State
from games.mine.spaces import MoveChoice, Places, TakeChoice
from games.mine.world import World, world_of
from games.table import Observation, Plain

LEVELS: Final = range(1, 21)
FEWEST: Final = 10
"""Times that it plays on for a decision at level 2."""
GROWTH: Final = 1.3
"""By which each level has more."""
POOREST: Final = 0.6
"""How much level 1 errs in what it judges, as a share of that; the error shrinks to none at level 10."""
ERRS: Final = 0.15
"""How much those err whom it thinks ahead for, itself included."""
ROUNDS: Final = 7
"""How many rounds it plays on."""
CLEAR: Final = 5.0
"""Points ahead with which a game is three quarters won."""
WEARY: Final = 5
"""Quiet rounds after which it agrees to end a game that it leads; it does so three times as late where it does not."""

T = TypeVar("T")


class Player:
    """Chooses from an observation alone; the same seed and observation give the same choice.

    `level` is 1 to 20; what is beyond counts as the nearest of them.
    """

    def __init__(self, level: int, seed: int) -> None:
        self._level = min(max(level, LEVELS[0]), LEVELS[-1])
        self._seed = seed

    @property
    def playouts(self) -> int:
        """How often it plays on for a decision."""
        return 0 if self._level == 1 else round(FEWEST * GROWTH ** (self._level - 2))

    @property
    def blur(self) -> float:
        """How much it errs where it judges without thinking ahead."""
        return max(0.0, POOREST * (10 - self._level) / 9)

    def choose(self, observation: Observation) -> Plain:
        """A legal choice. Raises ValueError where nothing is asked of the observation's seat."""
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

        return max(Places(state.mine, seat).open(), key=worth)

    def _agrees(self, state: State, seat: int) -> bool:
        """Ends a game that goes on for nothing."""
        ahead = all(state.score(seat) > state.score(other) for other in state.order() if other != seat)
        return state.quiet >= WEARY * (1 if ahead else 3)

    def _card(self, state: State, seat: int, rng: Random) -> int:
        world = world_of(state, rng)
        found = moves_to(world, seat, rng, self.blur)
        if found is None:
            return rng.choice(CARDS)
        cards = sorted({card for card, _ in world.moves(seat)})

        def play(world: World, card: int, rng: Random) -> None:
            for other in world.to_act:
                wanted = moves_to(world, other, rng, ERRS)
                world.cards[other] = wanted[0] if wanted else 1
            world.cards[seat] = card

        return self._best(state, seat, cards, found[0], play, rng)

    def _move(self, state: State, seat: int, rng: Random) -> MoveChoice:
        world = world_of(state, rng)
        card = state.cards[seat]
        found = moves_to(world, seat, rng, self.blur, card)
        assert found is not None
        plain = {to: (to, tuple(world.pickups(seat, to)), ()) for on, to in world.moves(seat) if on == card}
        options: list[MoveChoice] = list(plain.values())
        if self.playouts:
            options += _droppings(state, seat, world, list(plain))

        def play(world: World, move: MoveChoice, rng: Random) -> None:
            del rng
            goes(world, seat, *move)
            world.to_act.remove(seat)

        return self._best(state, seat, options, plain[found[1]], play, rng)

    def _take(self, state: State, seat: int, rng: Random) -> TakeChoice:
        world, nest = world_of(state, rng), state.nest
        if self._level == 1:
            return tuple(sorted(takes(world, seat, nest)))

        def play(world: World, gems: TakeChoice, rng: Random) -> None:
            del rng
            world.take(seat, nest, gems)
            world.to_act.remove(seat)

        return self._best(state, seat, offers(world, seat, nest), takes(world, seat, nest), play, rng)

    def _best(
        self,
        state: State,
        seat: int,
        options: Sequence[T],
        liked: T,
        play: Callable[[World, T, Random], None],
        rng: Random,
    ) -> T:
        """The option after which it stood best, of those that `play` plays; the one that is `liked`, without thinking.

        Each time all options left are played in the same world and with the same luck; the worse half then drops out.
        """
        if not self.playouts or len(options) == 1:
            return liked
        left = list(options)
        sums = dict.fromkeys(left, 0.0)
        stages = math.ceil(math.log2(len(left)))
        for _ in range(stages):
            for _ in range(max(1, self.playouts // (stages * len(left)))):
                world, luck = world_of(state, rng), rng.getrandbits(32)
                for option in left:
                    sums[option] += _played_on(world.copy(), seat, option, play, Random(luck))
            left.sort(key=lambda option: (-sums[option], option != liked))
            left = left[: (len(left) + 1) // 2]
        return left[0]


def _played_on(world: World, seat: int, option: T, play: Callable[[World, T, Random], None], rng: Random) -> float:
    """How well a seat stands some rounds after it has chosen: from 0 for lost to 1 for won."""
    play(world, option, rng)
    for _ in range(ROUNDS):
        while world.to_act and not world.over:
            acts(world, world.to_act.pop(0), rng, ERRS)
        if world.over:
            break
        world.next_round()
        if world.over:
            break
        for other in world.to_act:
            found = moves_to(world, other, rng, ERRS)
            world.cards[other] = found[0] if found else 1
    return _standing(world, seat)


def _standing(world: World, seat: int) -> float:
    """How well a seat stands: by what is at home, and by what is on the way there unless the game is over."""
    totals = [
        world.points[other] + (0 if world.over or square < 0 else world.worth[other] * _KEPT[TURNS[square][home]])
        for other, (square, home) in enumerate(zip(world.at, world.homes, strict=True))
    ]
    best = max(total for other, total in enumerate(totals) if other != seat and world.present[other])
    ahead = totals[seat] - best
    if world.over:
        return (ahead > 0) + 0.5 * (ahead == 0) + 0.01 * math.tanh(ahead / CLEAR)
    return 1 / (1 + math.exp(-ahead / CLEAR * math.log(3)))


_KEPT: Final = tuple(0.85**turns for turns in range(20))
"""What is left of a point that is as many turns from home."""


def _others(state: State, seat: int) -> list[int]:
    return [state.mine.home(other) for other in state.order() if other != seat]


def _droppings(state: State, seat: int, world: World, squares: Sequence[int]) -> list[MoveChoice]:
    """The moves on which a pawn that has no room for a medium one drops a gem on the first square where it can."""
    if world.load[seat] < CAPACITY - 1:
        return []
    found: list[MoveChoice] = []
    for to in squares:
        places = [square for square in droppable(state.mine, seat, to) if square not in world.loose]
        found += [(to, (), ((places[0], gem),)) for gem in world.gems[seat] if places]
    return found
