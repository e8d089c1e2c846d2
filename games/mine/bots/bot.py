"""The bot for Diamond Mine. The higher its level, the more often and the better it simulates.

It draws at random what it cannot see, plays some rounds for all seats as `games.mine.bots.greedy` plays, and chooses
what came out best. Level 1 does not simulate at all.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Final, TypeVar, cast

from kimberley.games.bots.base import Stopped
from kimberley.games.mine.bots.distances import TURNS
from kimberley.games.mine.bots.greedy import judged
from kimberley.games.mine.bots.playouts import ROUNDS, Options, card_options, move_options, ranked, take_options
from kimberley.games.mine.bots.standing import can_rise
from kimberley.games.mine.bots.world import World, world_of
from kimberley.games.mine.moves import CARDS
from kimberley.games.mine.rules import State
from kimberley.games.mine.spaces import MoveChoice, NestSpace, TakeChoice
from kimberley.games.table import Observation, Plain

LEVELS: Final = range(1, 21)
FEWEST: Final = 12
"""Simulations for a decision at level 2."""
GROWTH: Final = 1.25
"""The factor from each level to the next."""
POOREST: Final = 0.6
"""How much level 1 errs in what it judges, as a share of that; the error shrinks to none at level 10."""
WEARY: Final = 5
"""Quiet rounds after which it agrees to end a game in which it cannot better its place, or which one more vein ends.
Where both hold, it agrees at once; where neither does, it waits for three times as many.
"""

T = TypeVar("T")


class MineBot:
    """Chooses from an observation alone; the same seed and observation give the same choice.

    `level` is 1 to 20.
    """

    progress: float = 0.0
    """The progress on the pending choice, from 0 to 1. Any thread may read it."""
    so_far: Plain | None = None
    """The best option for the choice that it thinks about, or thought about last. Any thread may read it."""

    def __init__(self, level: int, seed: int) -> None:
        self._level = level
        self._seed = seed
        self._runner_up: Plain | None = None
        self._stopped = False

    @property
    def playouts(self) -> int:
        """Returns how many simulations it runs for a decision."""
        return 0 if self._level == 1 else round(FEWEST * GROWTH ** (self._level - 2))

    @property
    def blur(self) -> float:
        """Returns how much it errs where it judges without a simulation."""
        return max(0.0, POOREST * (10 - self._level) / 9)

    def choose(self, observation: Observation) -> Plain:
        """Returns a legal choice. Raises ValueError if nothing is asked of the observation's seat."""
        state, seat = cast(State, observation.state), observation.seat
        self._runner_up = self.so_far = None
        rng = Random(f"{self._seed} {seat} {len(observation.story)}")
        match state.phase:
            case "place" if state.turn == seat:
                return self._place(state, seat, rng)
            case "cards" if state.present[seat]:
                card, agrees = self._card(state, seat, rng), self._agrees(state, seat)
                self._runner_up = None if self._runner_up is None else (self._runner_up, agrees)
                return card, agrees
            case "move" if state.turn == seat:
                return self._move(state, seat, rng)
            case "take" if state.turn == seat:
                return self._take(state, seat, rng)
        raise ValueError(f"nothing is asked of seat {seat}")

    def runner_up(self) -> Plain | None:
        """Returns what came out best other than the last choice; None if there was nothing else."""
        return self._runner_up

    def stop(self) -> None:
        """Ends the current choice, which then raises Stopped. Any thread may call it."""
        self._stopped = True

    def _place(self, state: State, seat: int, rng: Random) -> int:
        """Returns a square nearer to its own home than to those of the others."""

        def worth(square: int) -> float:
            far = [TURNS[square][home] for home in _others(state, seat)]
            return min(far) - 1.5 * TURNS[square][state.mine.home(seat)] + rng.random() * (0.5 + 4 * self.blur)

        return self._first(sorted(NestSpace(state.mine, seat).open(), key=worth, reverse=True))

    def _agrees(self, state: State, seat: int) -> bool:
        """Returns whether it agrees to end the game; see `WEARY`."""
        last = state.ends_with_next_vein
        if not last and state.quiet < WEARY:
            return False
        return state.quiet >= WEARY * (1 if last else 3) or not can_rise(state, seat)

    def _card(self, state: State, seat: int, rng: Random) -> int:
        options = card_options(seat, self._blurred(judged(world_of(state, rng), seat), rng))
        agrees = self._agrees(state, seat)

        def lead(card: int) -> None:
            self.so_far = card, agrees

        return self._best(options, state, seat, rng, lead) if options.likes else rng.choice(CARDS)

    def _move(self, state: State, seat: int, rng: Random) -> MoveChoice:
        world = world_of(state, rng)
        worths = self._blurred(judged(world, seat, state.cards[seat]), rng)
        return self._best(move_options(state, seat, world, worths, drops=self.playouts > 0), state, seat, rng)

    def _take(self, state: State, seat: int, rng: Random) -> TakeChoice:
        return self._best(take_options(seat, state.nest, world_of(state, rng)), state, seat, rng)

    def _blurred(self, worth: Mapping[T, float], rng: Random) -> dict[T, float]:
        """Returns the worths with the errors of this level."""
        return {option: value * (1 - self.blur * rng.random()) for option, value in worth.items()}

    def _best(
        self, options: Options[T], state: State, seat: int, rng: Random, lead: Callable[[T], None] | None = None
    ) -> T:
        def draw() -> World:
            return world_of(state, rng)

        try:
            return self._first(
                ranked(options, seat, draw, self.playouts, rng, self._on_progress, lead or self._on_lead, state.quiet)
            )
        finally:
            self.progress = 0.0

    def _on_lead(self, option: object) -> None:
        self.so_far = cast(Plain, option)

    def _on_progress(self, share: float) -> None:
        if self._stopped:
            raise Stopped
        self.progress = share

    def _first(self, options: Sequence[T]) -> T:
        """Returns the first of the options, and keeps the second."""
        self._runner_up = cast(Plain, options[1]) if len(options) > 1 else None
        return options[0]


def _others(state: State, seat: int) -> list[int]:
    """Returns the homes of all others."""
    return [state.mine.home(other) for other in state.order() if other != seat]


def about_level(level: int) -> str:
    """Says how a level plays, in a sentence."""
    times = MineBot(level, 0).playouts
    return (
        f"Plays {ROUNDS} rounds ahead, {times:,} times, before each choice."
        if times
        else "Goes for whatever looks best, and often misjudges it."
    )
