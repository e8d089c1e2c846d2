"""Judges turns of Diamond: each is worth the share of a point that its side can expect, by a search of what follows."""

from __future__ import annotations

import math
from random import Random
from typing import Final, cast

from kimberley.games.bots.review import Assessment, DecisionPoint, RatedChoice, of_two
from kimberley.games.diamond.bots.bot import DiamondBot
from kimberley.games.diamond.bots.search import DECIDED, Search
from kimberley.games.diamond.notation import OFFER, format_turn
from kimberley.games.diamond.position import PIECES
from kimberley.games.diamond.rules import SEATS, State
from kimberley.games.table import Observation, Plain, Result

TIMES: Final = 3
"""How many times as many positions as the bot of its level a judge looks at, for each of two turns."""
SCALE: Final = 35.0
"""A score of so much makes a win 2.7 times as likely as a loss: fitted to games of the bot (docs/review.md)."""
INDIFFERENT: Final = 0.03
"""A smaller difference is beyond what the search can tell."""
OPENING: Final = 2 * PIECES - SEATS
"""With more pieces to place than this there is nothing to search for: the first placement, and whether to swap."""


class DiamondJudge:
    """Judges as the bot of its level searches, but longer and without noise. Nothing in Diamond is hidden."""

    unit = "points"
    hidden = False

    def __init__(self, level: int) -> None:
        self._nodes = TIMES * DiamondBot(level, 0).nodes

    def by_knowledge(self, observation: Observation, chosen: Plain, rng: Random) -> Assessment | None:
        """See `ChoiceJudge`. The first placement of each side is not judged."""
        del rng  # the search has no chance in it
        state, turn = cast(State, observation.state), cast(str, chosen)
        position = state.position
        if position.left > OPENING:
            return None
        made = self._rated(state, turn, observation.seat)
        best = self._best(state, observation.seat)
        return Assessment(observation.seat, made, best if best.worth - made.worth > INDIFFERENT else made)

    def by_truth(self, point: DecisionPoint, rng: Random) -> Assessment:
        """Judges like `by_knowledge`, as what is known is the truth."""
        found = self.by_knowledge(point.observation, point.chosen, rng)
        assert found is not None
        return found

    def _best(self, state: State, seat: int) -> RatedChoice:
        """The best turn by a search, or the draw that was offered."""
        position = state.position
        found = self._rated(
            state, format_turn(position, Search(self._nodes, before=state.earlier).best(position).move), seat
        )
        return self._rated(state, OFFER, seat) if state.offered and found.worth < 0.5 else found

    def _rated(self, state: State, turn: str, seat: int) -> RatedChoice:
        """What a turn is worth to the seat that makes it."""
        after = state.apply(turn)
        ended = after.ask()
        if isinstance(ended, Result):
            worth = 0.5 if len(ended.winners) == SEATS else float(ended.winners == (seat,))
        else:
            worth = 1 - chance(Search(self._nodes, before=after.earlier).best(after.position).score)
        return RatedChoice(turn, worth, of_two(seat, worth))


def chance(score: int) -> float:
    """The share of a point that the side to move can expect by the score of a search."""
    if abs(score) > DECIDED:
        return float(score > 0)
    return 1 / (1 + math.exp(-score / SCALE))
