"""Judges turns of Diamond: each is worth the share of a point that its side can expect, by a search of what follows."""

from __future__ import annotations

import math
from collections import Counter
from random import Random
from typing import Final, cast

from kimberley.games.bots.review import Assessment, DecisionPoint, RatedChoice, of_two
from kimberley.games.diamond.bots.bot import LEVELS, DiamondBot
from kimberley.games.diamond.bots.search import DECIDED, Search
from kimberley.games.diamond.notation import OFFER, format_turn
from kimberley.games.diamond.position import PIECES, Position
from kimberley.games.diamond.rules import SEATS, TIMES, State
from kimberley.games.table import Observation, Plain, Result

LONGER: Final = 3
"""A judge looks at this many times the positions of the bot of its level, for each of two turns."""
SCALE: Final = 35.0
"""A score of this much makes a win 2.7 times as likely as a loss: fitted to games of the bot (docs/review.md)."""
INDIFFERENT: Final = 0.03
"""A smaller difference is beyond what the search can tell."""
CONFIRMING: Final = 16
"""A mistake must still be worse when this many times the positions are searched, but at most HINTED."""
HINTED: Final = DiamondBot(LEVELS[-1], 0).nodes
"""The positions that a hint looks at, which may have named the turn."""
OPENING: Final = 2 * PIECES - SEATS
"""With more pieces to place than this there is nothing to search for: the first placement, and whether to swap."""


class DiamondJudge:
    """Judges as the bot of its level searches, but longer and without noise. Nothing in Diamond is hidden."""

    unit = "points"
    hidden = False

    def __init__(self, level: int) -> None:
        self._nodes = LONGER * DiamondBot(level, 0).nodes

    def by_knowledge(self, observation: Observation, chosen: Plain, rng: Random) -> Assessment | None:
        """See `ChoiceJudge`. The first placement of each side is not judged."""
        del rng  # the search has no chance in it
        state, turn = cast(State, observation.state), cast(str, chosen)
        position = state.position
        if position.left > OPENING:
            return None
        seat = observation.seat
        made = self._rated(state, turn, seat, self._nodes)
        best = self._best(state, seat)
        confirming = min(CONFIRMING * self._nodes, HINTED)
        if best.worth - made.worth > INDIFFERENT and self._nodes < confirming:
            made, best = (self._rated(state, cast(str, rated.choice), seat, confirming) for rated in (made, best))
        return Assessment(seat, made, best if best.worth - made.worth > INDIFFERENT else made)

    def by_truth(self, point: DecisionPoint, rng: Random) -> Assessment:
        """Judges like `by_knowledge`, since everything is known."""
        assessment = self.by_knowledge(point.observation, point.chosen, rng)
        assert assessment is not None
        return assessment

    def apart(self, observation: Observation, choice: Plain, other: Plain, rng: Random) -> float:
        """See `ChoiceJudge`. Only decided positions are certain."""
        del rng
        state = cast(State, observation.state)
        if state.position.left > OPENING:
            return math.inf
        nodes = min(CONFIRMING * self._nodes, HINTED)
        one, two = (self._rated(state, cast(str, turn), observation.seat, nodes).worth for turn in (choice, other))
        return abs(one - two) + (0 if {one, two} <= {0, 1} else INDIFFERENT)

    def _best(self, state: State, seat: int) -> RatedChoice:
        """Returns the best turn by a search, or the draw that was offered."""
        position = state.position
        turn = format_turn(position, Search(self._nodes, before=_nearly_drawn(state)).best(position).move)
        best = self._rated(state, turn, seat, self._nodes)
        return self._rated(state, OFFER, seat, self._nodes) if state.offered and best.worth < 0.5 else best

    def _rated(self, state: State, turn: str, seat: int, nodes: int) -> RatedChoice:
        """Returns what a turn is worth to the seat that makes it, by a search of `nodes` nodes."""
        after = state.apply(turn)
        ended = after.ask()
        if isinstance(ended, Result):
            worth = 0.5 if len(ended.winners) == SEATS else float(ended.winners == (seat,))
        else:
            worth = 1 - chance(Search(nodes, before=_nearly_drawn(after)).best(after.position).score)
        return RatedChoice(turn, worth, of_two(seat, worth))


def chance(score: int) -> float:
    """Returns the share of a point that the side to move can expect by the score of a search."""
    if abs(score) > DECIDED:
        return float(score > 0)
    return 1 / (1 + math.exp(-score / SCALE))


def _nearly_drawn(state: State) -> list[Position]:
    """Returns the positions that end the game when they occur once more. A bot shuns every position of the game as if
    it were one of them; to a judge, a won position is won until the game is drawn.
    """
    return [position for position, times in Counter(state.earlier).items() if times >= TIMES - 1]
