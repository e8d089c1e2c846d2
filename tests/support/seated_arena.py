"""Plays any game whose seats choose by what they know, as at a real table, or at random."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Final

from kimberley.games.arena import Arena
from kimberley.games.table import Answer, Ask, Chooser, Game, Observation, Plain, Result, State

NAMES: Final = ("ana", "ben", "carla")
"""Players in the order of their seats."""


def play_randomly(arena: Arena) -> Result:
    """Plays to the end with random legal choices; only the truth is kept, which is fast enough for simulations."""
    rng = arena.rng
    while not isinstance(ask := arena.truth.ask(), Result):
        choices = {seat: space.pick(rng) for seat in ask.choosers if (space := ask.space_for(seat)) is not None}
        arena.apply(arena.answer(ask, choices))
    return ask


class SeatedArena:
    """An arena whose seats choose by their observations: each has its own state and story, as at a real table."""

    def __init__(
        self,
        game: Game,
        seats: int,
        rng: Random,
        options: Mapping[str, Plain] | None = None,
        begins: int | None = None,
    ) -> None:
        start = game.start(seats, options or {}, begins)
        self.start = start
        self.arena = Arena(start, rng)
        self.views: list[State] = [start] * seats
        self.spectator: State = start
        self.stories: list[list[tuple[Ask, Answer]]] = [[] for _ in range(seats)]

    def observation(self, seat: int) -> Observation:
        """Returns what a seat knows now."""
        return Observation(seat, self.views[seat], tuple(self.stories[seat]))

    def apply(self, answer: Answer) -> None:
        """Applies a true answer to the pending ask: each seat and the spectator see what they may see of it."""
        ask = self.arena.truth.ask()
        assert not isinstance(ask, Result)
        for seat, view in enumerate(self.views):
            own = view.ask()
            assert not isinstance(own, Result)
            shown = ask.visible_answer(answer, seat)
            self.stories[seat].append((own, shown))
            self.views[seat] = view.apply(shown)
        self.spectator = self.spectator.apply(ask.visible_answer(answer, None))
        self.arena.apply(answer)

    def play(self, players: Sequence[Chooser]) -> Result:
        """Plays to the end with one player for each seat. Raises IllegalChoice for a choice that the rules forbid."""
        while not isinstance(ask := self.arena.truth.ask(), Result):
            choices = {seat: players[seat](self.observation(seat)) for seat in ask.choosers}
            self.apply(self.arena.answer(ask, choices))
        return ask
