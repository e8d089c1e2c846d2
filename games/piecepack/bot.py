"""The bot for the piecepack game. It knows only what its seat knows.

It imagines worlds that fit what it knows, plays its turn on in each of them, and keeps a tree of its own choices with
what came of them on average (UCT over determinized worlds: Cowling, Powley, Whitehouse, "Information Set Monte Carlo
Tree Search", 2012). A higher level imagines more worlds, and slips less often. Level 1 does not look ahead: it does
what makes sense at first sight.
"""

from __future__ import annotations

from math import log, sqrt
from random import Random
from typing import Final, cast

from kimberley.games.piecepack.drafts import CHOOSING, at_random, by_rule, drafts
from kimberley.games.piecepack.guess import chance, imagine
from kimberley.games.piecepack.rules import State
from kimberley.games.piecepack.worth import evaluate
from kimberley.games.table import Decide, Observation, Plain, space_for

LEVELS: Final = range(1, 21)
FEWEST: Final = 20
"""Worlds that level 2 samples for a choice."""
GROWTH: Final = 1.28
"""The factor from each level to the next."""
CARELESS: Final = 0.5
"""How often level 2 does something sensible without thinking ahead."""
CAREFUL: Final = 10
"""The level from which it always thinks ahead."""
CURIOUS: Final = 15.0
"""The weight of exploration in the tree search, in points."""
FIRST: Final = 4
"""Choices that are considered from the start."""
SEARCHED: Final = ("place", "act", "path", "defend")
"""The phases in which it looks ahead; the rest follows simple rules."""
RESTLESS: Final = 0.4
"""How likely a turn that could end goes on, beyond the tree."""
BUSY: Final = 0.85
"""How likely it goes on with a turn that it could end, where it does not look ahead."""
LONGEST: Final = 120
"""Steps of the table in one imagined turn, after which it is judged as it stands."""
EFFORT: Final = 0.3
"""The points that an action must gain, so that coins are not wasted."""


class Node:
    """The outcomes of a line of the seat's choices."""

    __slots__ = ("next", "total", "visits")

    def __init__(self) -> None:
        self.visits = 0
        self.total = 0.0
        self.next: dict[Plain, Node] = {}

    @property
    def mean(self) -> float:
        """The average outcome of this choice, in points."""
        return self.total / self.visits


class PiecepackBot:
    """Chooses from an observation alone; the same seed and observation give the same choice.

    `level` is 1 to 20; other values are clamped to that range.
    """

    def __init__(self, level: int, seed: int) -> None:
        self._level = min(max(level, LEVELS[0]), LEVELS[-1])
        self._seed = seed

    @property
    def worlds(self) -> int:
        """How many worlds it imagines for a choice; none at level 1."""
        return round(FEWEST * GROWTH ** (self._level - 2)) if self._level > 1 else 0

    @property
    def slips(self) -> float:
        """How often it does something sensible without thinking ahead."""
        return 1.0 if self._level == 1 else CARELESS * max(0, CAREFUL - self._level) / (CAREFUL - 2)

    def choose(self, observation: Observation) -> Plain:
        """A legal choice. Raises ValueError if nothing is asked of the observation's seat."""
        state, seat = cast(State, observation.state), observation.seat
        ask = state.ask()
        if not isinstance(ask, Decide) or space_for(ask, seat) is None:
            raise ValueError(f"seat {seat} has nothing to choose at {state.phase!r}")
        rng = Random(f"{self._seed} {seat} {len(observation.story)}")
        world = imagine(state, rng)
        if rng.random() < self.slips or state.phase not in SEARCHED:
            return at_random(world, rng, BUSY)
        options = drafts(world)
        if len(options) == 1:
            return options[0]
        root = Node()
        for _ in range(self.worlds):
            explore(root, imagine(state, rng), seat, rng)
        return max(root.next, key=lambda choice: (root.next[choice].visits, root.next[choice].mean))


def explore(root: Node, world: State, seat: int, rng: Random) -> None:
    """Plays a turn in one world, by the tree as far as it goes and then at random, and records the outcome."""
    turn, path, node, effort = world.turns, [root], root, 0.0
    growing = True
    for _ in range(LONGEST):
        if world.ended or world.turns != turn or (len(path) > 1 and idle(world, seat)):
            break
        if world.phase not in CHOOSING:
            world = world.apply(chance(world, world.ask(), rng))
            continue
        if world.turn != seat and world.phase != "defend":
            choice = at_random(world, rng, RESTLESS)
        elif world.phase not in SEARCHED or (world.phase == "defend" and world.attacked != seat):
            choice = by_rule(world)
        elif growing:
            choice = promising(node, drafts(world), rng)
            growing = choice in node.next
            node = node.next.setdefault(choice, Node())
            path.append(node)
        else:
            choice = at_random(world, rng, RESTLESS)
        effort += EFFORT if world.phase == "act" else 0.0
        world = world.apply(choice)
    worth = evaluate(world, seat) - effort
    for each in path:
        each.visits += 1
        each.total += worth


def idle(world: State, seat: int) -> bool:
    """Whether a seat has made its choice in another's turn, which goes on."""
    return world.turn != seat and world.phase in ("act", "path", "explore", "place")


def promising(node: Node, options: list[Plain], rng: Random) -> Plain:
    """A choice that was never tried, or else the one with the best mean and doubt; of many only the first few, and more
    as the node is better known (progressive widening: Coulom, 2007).
    """
    considered = options[: FIRST + int(sqrt(node.visits))]
    fresh = [option for option in considered if option not in node.next]
    if fresh:
        return rng.choice(fresh)
    doubt = log(node.visits + 1)
    return max(considered, key=lambda one: node.next[one].mean + CURIOUS * sqrt(doubt / node.next[one].visits))
