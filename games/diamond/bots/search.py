"""Looks ahead in Diamond: alpha-beta with iterative deepening on sets of points as integers.

A node is (own, enemy, neutral, left): the pieces of the side to move, of the other, the neutral ones, and how many are
still to be placed. The same search serves both colors. Where the depth runs out, it continues while something is about
to happen: captures, and squares that lack one corner. What was found is kept in a transposition table. Draws by
repetition are seen within the searched line and the game before it. Scores are for the side to move.

Most nodes are the last ones of their lines: `_try_last` judges them by what one turn changes in the node before.

The budget is a number of nodes, never a time, so the same question always has the same answer.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple, TypeAlias

from kimberley.games.diamond.board import ALL, NEXT, POINTS, SQUARES_AT, Bits, points
from kimberley.games.diamond.bots.evaluation import (
    BOTH,
    EVEN,
    FIRST,
    HELD,
    LACKING,
    PIECE,
    corners,
    held,
    lacking_one,
    reaches,
    room,
    spread,
    summary,
)
from kimberley.games.diamond.bots.turns import (
    AROUND,
    CAPTURES_AT,
    ON_COMING,
    ON_LEAVING,
    PLACES,
    PROMISE,
    RANK,
    REMOVALS,
    SQUARES_AROUND,
    SQUARES_TWICE,
    STEPS,
    STEPS_FROM,
    TURN,
    LookupTable,
    RankedTurn,
    captured,
    move_of,
)
from kimberley.games.diamond.position import Move, Position

WIN: Final = 100_000
"""A square completed now; one less for each turn until then."""
DECIDED: Final = WIN - 1_000
"""Scores beyond this are wins or losses that were found."""
DEEPEST: Final = 40

_REFUTED: Final = RANK << 6
"""The history heuristic: a turn that refutes another rises by this, times a little more than the square of the depth.
It outweighs what a placement promises.
"""
_CAPTURE: Final = 1 << 50
_FAVORITE: Final = 1 << 60
"""Captures come before other turns, and the turn that was best when a node was last searched comes first of all."""

_UNRANKED: Final[list[RankedTurn]] = list(range(RANK))
"""Every turn with its initial rank."""

_OWN_NOISE, _ENEMY_NOISE, _PRIME = 0x9E3779B1, 0x85EBCA77, 1_000_003
"""The noise in a score comes from a hash of the pieces. Each adds its part, modulo a prime."""

Node: TypeAlias = tuple[Bits, Bits, Bits, int]
Lifted: TypeAlias = tuple[Bits, int, int, Bits, Bits, int]
"""A board while a piece of the side to move is in the air: its other pieces; all pieces of both sides, the neutral ones
on both; their `summary`; the open points; the points beside its pieces; the hash of what stands there, as the
other side sees it.
"""


class SearchResult(NamedTuple):
    """The best turn, its score for the side that makes it, the depth of the last complete iteration, and the nodes
    spent.
    """

    move: Move
    score: int
    depth: int
    nodes: int


class BudgetExhausted(Exception):
    """The budget is spent."""


class Search:
    """One search, with its transposition table. `noise` is added to every judgment, the same way for the same `salt`.

    `before` are the positions of the game that may occur again.
    """

    def __init__(self, budget: int, noise: int = 0, salt: int = 0, before: Iterable[Position] = ()) -> None:
        self.nodes = 0
        self._spent = 0
        """The nodes of earlier searches."""
        self._budget = budget
        self._noise = noise
        self._enemy_noise = _ENEMY_NOISE * (2 * salt + 1)
        self._noise_of = [(self._enemy_noise << point) % _PRIME for point in range(POINTS)]
        self._before = frozenset(_node(position) for position in before)
        self._seen: set[Node] = set()
        self.latest: SearchResult | None = None
        """What the last complete iteration of the latest search has found. Safe to read from any thread."""
        self._table: dict[Node, tuple[int, int, int, int]] = {}
        self._ranked: list[RankedTurn] = _UNRANKED.copy()
        # One side's pieces stand the same way in many nodes, so what follows from them alone is kept.
        self._spread = LookupTable(lambda own, _: spread(own))
        self._pieces = LookupTable(lambda own, _: [(STEPS_FROM[start], NEXT[start]) for start in points(own)])
        self._horizon = 0

    @property
    def progress(self) -> float:
        """Returns how much of the budget is spent, from 0 to 1. Safe to read from any thread."""
        return min(1.0, (self.nodes - self._spent) / max(1, self._budget - self._spent))

    def allow(self, nodes: int) -> None:
        """Allows `nodes` more nodes. What was found is kept."""
        self._spent, self._budget = self.nodes, self.nodes + nodes

    def best(self, position: Position, without: Move | None = None) -> SearchResult:
        """Returns the best turn in a position, searching deeper and deeper as far as the budget allows. Raises
        ValueError if there is no turn but the one to do `without`.
        """
        self._seen = set(self._before)
        node, placing = _node(position), position.placing
        turns = [turn for turn in self._turns(node) if move_of(turn & TURN, placing) != without]
        if not turns:
            raise ValueError("there is no turn to look for")
        best = SearchResult(move_of(turns[0] & TURN, placing), 0, 0, 0)
        self.latest = None
        try:
            for depth in range(1, DEEPEST + 1):
                self._horizon = 2 * depth + 8
                score, turns = self._root(node, turns, depth)
                self.latest = best = SearchResult(move_of(turns[0] & TURN, placing), score, depth, self.nodes)
                if abs(score) > DECIDED or len(turns) == 1:
                    break
        except BudgetExhausted:
            # The last round stopped halfway: its best turn so far was at least the best of the round before.
            best = best._replace(move=move_of(self._so_far, placing)) if best.depth else best
        return best._replace(nodes=self.nodes)

    def _root(self, node: Node, turns: list[RankedTurn], depth: int) -> tuple[int, list[RankedTurn]]:
        """Returns the best score, and the turns with the best of them first."""
        best, first = -WIN, turns[0]
        self._so_far = turns[0] & TURN
        for turn in turns:
            move = turn & TURN
            own, enemy, neutral, left = _after(node, move)
            score = WIN - 1 if _won(own, move) else -self._look(enemy, own, neutral, left, depth - 1, -WIN, -best, 1)
            if score > best:
                best, first = score, turn
                self._so_far = move
        return best, [first, *(turn for turn in turns if turn != first)]

    # -- one node ----------------------------------------------------------------------------------------------------

    def _look(
        self, own: Bits, enemy: Bits, neutral: Bits, left: int, depth: int, alpha: int, beta: int, ply: int
    ) -> int:
        """Returns the score of a node: at least `beta` or at most `alpha` where it lies outside of them."""
        self.nodes += 1
        if self.nodes > self._budget:
            raise BudgetExhausted
        node = own, enemy, neutral, left
        if not left and node in self._seen:
            return 0
        threatened = False
        lacking = lacking_one(own | enemy << BOTH, neutral)
        if lacking:
            if lacking & FIRST if left else reaches(own, lacking & FIRST):
                return WIN - ply - 1
            threatened = lacking > FIRST if left > 1 else reaches(enemy, lacking >> BOTH)
        if depth <= 0 and (not threatened or ply >= self._horizon):
            return self._quiet(own, enemy, neutral, left, alpha, beta, ply)
        kept = self._table.get(node)
        favorite = -1
        if kept is not None:
            known, kind, score, favorite = kept
            if known >= depth:
                score = score - ply if score > DECIDED else score + ply if score < -DECIDED else score
                if kind == 0 or (kind > 0 and score >= beta) or (kind < 0 and score <= alpha):
                    return score
        forced = corners(lacking >> BOTH) & ~enemy if threatened and left > 1 else 0
        turns = self._turns(node, favorite, forced)
        if not turns:
            return 0
        self._seen.add(node)
        if depth > 1 or left == 1:
            best, choice = self._try(node, turns, depth, alpha, beta, ply)
        else:
            harmless = 0 if threatened else lacking >> BOTH << BOTH
            best, choice = self._try_last(node, turns, depth, alpha, beta, ply, harmless)
        self._seen.discard(node)
        if best >= beta:
            self._ranked[choice] += (depth * depth + 1) * _REFUTED
        kind = 1 if best >= beta else -1 if best <= alpha else 0
        stored = best + ply if best > DECIDED else best - ply if best < -DECIDED else best
        self._table[node] = max(depth, 0), kind, stored, choice
        return best

    def _try(self, node: Node, turns: list[RankedTurn], depth: int, alpha: int, beta: int, ply: int) -> tuple[int, int]:
        """Returns the best score after some turns, and the turn that has it."""
        best, choice = -WIN, turns[0] & TURN
        for turn in turns:
            own, enemy, neutral, left = _after(node, turn & TURN)
            score = -self._look(enemy, own, neutral, left, depth - 1, -beta, -alpha, ply + 1)
            if score > best:
                best, choice = score, turn & TURN
                if score > alpha:
                    alpha = score
                    if score >= beta:
                        break
        return best, choice

    def _try_last(
        self, node: Node, turns: list[RankedTurn], depth: int, alpha: int, beta: int, ply: int, harmless: int
    ) -> tuple[int, int]:
        """Does what `_try` does where the nodes after the turns are the last ones of their lines.

        They are judged by what a turn changes in this node. A turn puts a piece on a point: from the hand, or after it
        was lifted elsewhere, which leaves the same board for all steps of that piece. Where something may be about to
        happen, `_look` goes on as usual.

        `harmless` are squares that the enemy cannot complete, though they lack one corner, as in `lacking_one`.
        """
        own, enemy, neutral, left = node
        stands = summary(own | enemy << BOTH, neutral)
        pieces = 0 if left else PIECE * (own.bit_count() - enemy.bit_count())
        beside_enemy = self._spread[enemy]
        noise_of, noise, noises = self._noise_of, self._noise, 2 * self._noise + 1
        lifted: dict[int, Lifted] = {}
        best, choice = -WIN, turns[0] & TURN
        for turn in turns:
            move = turn & TURN
            start, to = move // STEPS, move % STEPS
            if turn & _CAPTURE or move >= REMOVALS:
                then_own, then_enemy, then_neutral, _ = _after(node, move)
                score = -self._look(then_enemy, then_own, then_neutral, 0, depth - 1, -beta, -alpha, ply + 1)
            else:
                if start not in lifted:
                    lifted[start] = self._lift(node, start, stands)
                after, around, squares, empty, beside, hashed = lifted[start]
                for square in SQUARES_AROUND[to]:
                    squares += ON_COMING[around & square]
                after |= 1 << to
                lacking = squares >> LACKING & ~harmless
                lost = lacking > FIRST and (left > 0 or reaches(enemy, lacking >> BOTH))
                if lacking and not lost and (left or reaches(after, lacking & FIRST)):
                    score = -self._look(enemy, after, neutral, left and left - 1, depth - 1, -beta, -alpha, ply + 1)
                else:
                    self.nodes += 1
                    if self.nodes > self._budget:
                        raise BudgetExhausted
                    if not left and (enemy, after, neutral, 0) in self._seen:
                        score = 0
                    elif lost:
                        score = ply + 2 - WIN
                    else:
                        empty ^= 1 << to
                        beside = (beside | NEXT[to]) & empty
                        score = (squares & HELD) - EVEN + beside.bit_count() - (beside_enemy & empty).bit_count()
                        score += pieces + noise - (hashed + noise_of[to]) % _PRIME % noises
                        if not left and score > alpha and ply + 1 < self._horizon:
                            landings = beside & beside_enemy
                            score = -self._after_captures(
                                enemy, after, neutral, landings, -score, -beta, -alpha, ply + 1
                            )
            if score > best:
                best, choice = score, move
                if score > alpha:
                    alpha = score
                    if score >= beta:
                        break
        return best, choice

    def _lift(self, node: Node, start: int, stands: int) -> Lifted:
        """Returns the board without the piece that a step lifts, `start` being its point plus 1; 0 lifts none.

        `stands` is the `summary` of the node.
        """
        own, enemy, neutral, _ = node
        whole = own | enemy << BOTH | neutral | neutral << BOTH
        bit = 1 << start >> 1
        if start:
            for square in SQUARES_AROUND[start - 1]:
                stands += ON_LEAVING[whole & square]
        own ^= bit
        empty = ALL & ~(own | enemy | neutral)
        hashed = (enemy * _OWN_NOISE + own * self._enemy_noise) % _PRIME
        return own, whole ^ bit, stands, empty, self._spread[own], hashed

    # -- where the depth has run out ---------------------------------------------------------------------------------

    def _quiet(self, own: Bits, enemy: Bits, neutral: Bits, left: int, alpha: int, beta: int, ply: int) -> int:
        """Returns the score as it stands, or after captures."""
        beside, beside_enemy = self._spread[own], self._spread[enemy]
        empty = ALL & ~(own | enemy | neutral)
        score = held(own | enemy << BOTH, neutral) + room(beside, beside_enemy, empty)
        if not left:
            score += PIECE * (own.bit_count() - enemy.bit_count())
        hashed = (own * _OWN_NOISE + enemy * self._enemy_noise) % _PRIME
        score += hashed % (2 * self._noise + 1) - self._noise
        if left or score >= beta or ply >= self._horizon:
            return score
        landings = beside & beside_enemy & empty
        return self._after_captures(own, enemy, neutral, landings, score, alpha, beta, ply)

    def _after_captures(
        self, own: Bits, enemy: Bits, neutral: Bits, landings: Bits, score: int, alpha: int, beta: int, ply: int
    ) -> int:
        """Returns a score as it stands, or the best one after captures by steps to some points."""
        if score > alpha:
            alpha = score
        sides = own | enemy << BOTH
        while landings:
            landing = landings & -landings
            landings ^= landing
            to = landing.bit_length() - 1
            for _, ends, taken in CAPTURES_AT[to][sides & AROUND[to]]:
                after = -self._look(enemy ^ taken, own ^ ends, neutral | taken, 0, 0, -beta, -alpha, ply + 1)
                if after > score:
                    score = after
                    if score > alpha:
                        alpha = score
                        if score >= beta:
                            return score
        return score

    # -- turns -------------------------------------------------------------------------------------------------------

    def _turns(self, node: Node, favorite: int = -1, forced: Bits = 0) -> list[RankedTurn]:
        """Returns every turn, the promising ones first. `forced` are the only points worth a placement, if any.

        Empty where no piece can be placed or moved: that is a draw.
        """
        ranked = self._ranked
        if favorite >= 0:
            ranked[favorite] += _FAVORITE
        turns = self._placements(node, forced) if node[3] else self._movements(node)
        if favorite >= 0:
            ranked[favorite] -= _FAVORITE
        turns.sort(reverse=True)
        return turns

    def _placements(self, node: Node, forced: Bits) -> list[RankedTurn]:
        own, enemy, neutral, _ = node
        sides, ranked = own | enemy << BOTH, self._ranked
        targets = forced or ALL & ~(own | enemy | neutral)
        promise = [PROMISE[sides & square] for square in SQUARES_TWICE]
        promise.append(0)
        return [
            ranked[to] + (promise[square] + promise[other]) * RANK for to, bit, square, other in PLACES if targets & bit
        ]

    def _movements(self, node: Node) -> list[RankedTurn]:
        own, enemy, neutral, _ = node
        sides, ranked = own | enemy << BOTH, self._ranked
        beside, beside_enemy = self._spread[own], self._spread[enemy]
        empty = ALL & ~(own | enemy | neutral)
        captures = [
            step for to in points(beside & beside_enemy & empty) for step, _, _ in CAPTURES_AT[to][sides & AROUND[to]]
        ]
        for step in captures:
            ranked[step] += _CAPTURE
        turns = [ranked[step] for steps, around in self._pieces[own] for step in steps[around & empty]]
        for step in captures:
            ranked[step] -= _CAPTURE
        if turns and neutral:
            turns += [REMOVALS + at for at in points(neutral & ~(beside | beside_enemy))]
        return turns


def _after(node: Node, turn: int) -> Node:
    """Returns the node after a turn; `own` is still the side that made it."""
    own, enemy, neutral, left = node
    if left:
        return own | 1 << turn, enemy, neutral, left - 1
    if turn >= REMOVALS:
        return own, enemy, neutral ^ 1 << (turn - REMOVALS), 0
    to = turn % STEPS
    taken = captured(turn, own, enemy) if NEXT[to] & enemy else 0
    return own ^ 1 << (turn // STEPS - 1) ^ 1 << to, enemy ^ taken, neutral | taken, 0


def _won(own: Bits, turn: int) -> bool:
    """Returns whether a turn has completed a square; `own` stands after it."""
    if turn >= REMOVALS:
        return False
    return any(own & square == square for square in SQUARES_AT[turn % STEPS])


def _node(position: Position) -> Node:
    return position.pieces[position.turn], position.pieces[1 - position.turn], position.neutral, position.left
