"""The players of Diamond that enter contests besides those that every game has."""

from __future__ import annotations

from random import Random
from typing import Final, cast

from kimberley.games.diamond.board import Bits
from kimberley.games.diamond.bots.evaluation import FIRST, PIECE, both_sides, completing, held, lacking_one, reaches
from kimberley.games.diamond.notation import format_turn
from kimberley.games.diamond.position import Move, Position, Swap
from kimberley.games.diamond.rules import State
from kimberley.games.table import Chooser, Observation, Plain
from tests.lab.opponents import Opponents

WINS: Final = 10_000


def greedy(seed: int) -> Chooser:
    """Completes a square, else lets the other side complete none, else has the most after its turn; it never swaps."""

    def choose(observation: Observation) -> Plain:
        position = cast(State, observation.state).position
        rng = Random(f"{seed} {len(observation.story)}")
        worth = {
            move: (_worth(position, move), rng.random()) for move in position.moves() if not isinstance(move, Swap)
        }
        return format_turn(position, max(worth, key=worth.__getitem__))

    return choose


def _worth(position: Position, move: Move) -> int:
    """Returns what the side to move has after a turn: squares begun, and pieces in the movement phase."""
    after = position.after(move)
    if after.won():
        return WINS
    own, enemy = after.pieces[position.turn], after.pieces[after.turn]
    lost = completing(enemy, own | after.neutral) if after.placing else reachable(enemy, own | after.neutral)
    worth = held(both_sides(own, enemy), after.neutral) - (WINS if lost else 0)
    return worth if after.placing else worth + PIECE * (own.bit_count() - enemy.bit_count())


def reachable(own: Bits, others: Bits) -> bool:
    """Returns whether a step completes a square."""
    return reaches(own, lacking_one(own, others) & FIRST)


OPPONENTS: Final = Opponents({"greedy": greedy})
