"""Looks ahead in Diamond: alpha-beta with iterative deepening on sets of points as integers.

A node is (own, enemy, neutral, left): the pieces of the side to move, of the other, the neutral ones, and how many are
still to be placed. The same search serves both colors. Where the depth runs out it goes on while something is about to
happen: captures, and squares that lack one corner. What was found is kept in a transposition table. Draws by repetition
are seen within the searched line and the game before it. Scores are for the side to move.

The budget is a number of nodes, never a time, so the same question always has the same answer.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple, TypeAlias

from kimberley.games.diamond.board import (
    ALL,
    LINES,
    NEXT,
    PAIRS,
    POINTS,
    SIDE,
    SQUARES,
    SQUARES_AT,
    Bits,
    place,
    points,
)
from kimberley.games.diamond.position import Move, Movement, Placement, Position, Removal

WIN: Final = 100_000
"""A square completed now; one less for each turn until then."""
DECIDED: Final = WIN - 1_000
"""Scores beyond this are wins or losses that were found."""
DEEPEST: Final = 40

PIECE: Final = 40
"""What one more piece is worth in the movement phase."""
CORNERS: Final = (0, 1, 5, 16)
"""What a square is worth by how many corners one side holds, with nothing else on it."""

_CELLS: Final[Bits] = sum(square & -square for square in SQUARES)
"""Each square by its lower right corner, from which the others lie 1, 8 and 9 bits up."""
_CORNERS_OF: Final = tuple((square, tuple(points(square))) for square in SQUARES)
"""Each square with its corners."""
_PROMISE_AT_FIRST: Final = tuple(CORNERS[1] * len(SQUARES_AT[point]) for point in range(POINTS))
"""How good a placement on each point looks on an empty board."""
_PLACES_BY_BIT: Final = tuple((point, 1 << point) for point in range(POINTS))
_SQUARE: Final = 1 | 1 << 1 | 1 << SIDE | 1 << SIDE + 1
_PLACES: Final = POINTS + 2
_STEPS: Final = 1 << 6
_REMOVALS: Final = 1 << 13
"""Turns as integers: a placement is its point, a step 64 * (1 + start) + end, a removal 8192 + point."""
_STEPS_FROM: Final = tuple(
    tuple((_STEPS * (start + 1) + to, 1 << to) for to in points(NEXT[start])) for start in range(POINTS)
)
"""By point: the steps from there, each with the point where it ends."""
_RANK: Final = 1 << 14
_FAVORITE: Final = 1 << 40
_CAPTURE: Final = 1 << 30
"""Ranks that come before others."""

Node: TypeAlias = tuple[Bits, Bits, Bits, int]
RankedTurn: TypeAlias = int
"""A turn with how promising it is: `_RANK` times its rank, plus the turn."""

_BOTH: Final = 10 * SIDE
"""Two sets of points in one integer: so many bits up is the second, and no step on the board leads from one to the
other. What holds for each side is so computed for both at once.
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


def _start(dx: int, dy: int) -> Bits:
    """The points from which a line leads `dx` columns to the right and `dy` rows up."""
    found = 0
    for pair in LINES:
        for a, b in (pair, pair[::-1]):
            (column, row), (to, height) = place(a), place(b)
            if (to - column, height - row) == (dx, dy):
                found |= 1 << a
    return found


def _doubled(bits: Bits) -> Bits:
    """A set of points for both sides."""
    return bits | bits << _BOTH


_FIRST: Final = (1 << _BOTH) - 1
_CELLS_TWICE = _doubled(_CELLS)
_LEFT, _RIGHT = _start(-1, 0), _start(1, 0)
_UP_LEFT, _UP_RIGHT = _start(-1, 1), _start(1, 1)
_DOWN_LEFT, _DOWN_RIGHT = _start(-1, -1), _start(1, -1)
_LEFT_TWICE, _RIGHT_TWICE = _doubled(_LEFT), _doubled(_RIGHT)
_UP_LEFT_TWICE, _UP_RIGHT_TWICE = _doubled(_UP_LEFT), _doubled(_UP_RIGHT)
_DOWN_LEFT_TWICE, _DOWN_RIGHT_TWICE = _doubled(_DOWN_LEFT), _doubled(_DOWN_RIGHT)


def spread(bits: Bits) -> Bits:
    """All points that a line joins to some point of a set."""
    return (
        (bits << 8 | bits >> 8) & ALL
        | (bits & _LEFT) << 1
        | (bits & _RIGHT) >> 1
        | (bits & _UP_LEFT) << 9
        | (bits & _UP_RIGHT) << 7
        | (bits & _DOWN_LEFT) >> 7
        | (bits & _DOWN_RIGHT) >> 9
    )


def lacking_one(own: Bits, others: Bits) -> Bits:
    """The squares of which a side holds three corners while the fourth is open, as a set of `_CELLS`."""
    a, b, c, d = own, own >> 1, own >> 8, own >> 9
    three = (a & b & (c ^ d)) | (c & d & (a ^ b))
    if not three & _CELLS:
        return 0
    return three & _CELLS & ~(others | others >> 1 | others >> 8 | others >> 9)


def completing(own: Bits, others: Bits) -> Bits:
    """The open points that complete a square."""
    cells = lacking_one(own, others)
    found = 0
    while cells:
        lowest = cells & -cells
        found |= lowest * _SQUARE & ~own
        cells ^= lowest
    return found


def reachable(own: Bits, others: Bits) -> int:
    """A step that completes a square, as a turn; -1 for none. A piece that is a corner of the square cannot do it."""
    cells = lacking_one(own, others)
    while cells:
        lowest = cells & -cells
        square = lowest * _SQUARE
        to = (square & ~own).bit_length() - 1
        runners = NEXT[to] & own & ~square
        if runners:
            return _STEPS * (runners.bit_length()) + to
        cells ^= lowest
    return -1


def held(own: Bits, enemy: Bits, neutral: Bits) -> int:
    """What the squares are worth in which a side stands alone, less what those of the other side are worth."""
    sides, others = own | enemy << _BOTH, (enemy | neutral) | (own | neutral) << _BOTH
    b, c, d = sides >> 1, sides >> 8, sides >> 9
    alone = _CELLS_TWICE & ~(others | others >> 1 | others >> 8 | others >> 9)
    below, above, both, upper = sides ^ b, c ^ d, sides & b, c & d
    three = alone & (both & above | upper & below)
    two = alone & (both & ~(c | d) | upper & ~(sides | b) | below & above)
    one = alone & (below & ~(c | d) | above & ~(sides | b))
    return (
        CORNERS[3] * ((three & _FIRST).bit_count() - (three >> _BOTH).bit_count())
        + CORNERS[2] * ((two & _FIRST).bit_count() - (two >> _BOTH).bit_count())
        + CORNERS[1] * ((one & _FIRST).bit_count() - (one >> _BOTH).bit_count())
    )


def room(own: Bits, enemy: Bits, neutral: Bits) -> int:
    """How many open points lie beside the pieces of a side, less those beside the other's."""
    sides = own | enemy << _BOTH
    beside = (
        (sides << 8 | sides >> 8)
        | (sides & _LEFT_TWICE) << 1
        | (sides & _RIGHT_TWICE) >> 1
        | (sides & _UP_LEFT_TWICE) << 9
        | (sides & _UP_RIGHT_TWICE) << 7
        | (sides & _DOWN_LEFT_TWICE) >> 7
        | (sides & _DOWN_RIGHT_TWICE) >> 9
    ) & _doubled(ALL ^ (own | enemy | neutral))
    return (beside & _FIRST).bit_count() - (beside >> _BOTH).bit_count()


class Search:
    """One search, with its transposition table. `noise` is added to every judgment, the same way for the same `salt`.

    `before` are the positions of the game that may come about again.
    """

    def __init__(self, budget: int, noise: int = 0, salt: int = 0, before: Iterable[Position] = ()) -> None:
        self.nodes = 0
        self._budget = budget
        self._noise = noise
        self._salt = salt * 2 + 1
        self._seen: set[Node] = {_node(position) for position in before}
        self._table: dict[Node, tuple[int, int, int, int]] = {}
        self._history = [0] * _RANK
        self._judged: dict[Node, int] = {}
        self._horizon = 0

    def best(self, position: Position) -> SearchResult:
        """The best turn in a position in which one can be made; deeper and deeper, as far as the budget allows."""
        node = _node(position)
        turns = sorted(self._turns(*node), reverse=True)
        if not turns:
            raise ValueError("there is no turn to look for")
        found = SearchResult(_move(turns[0] % _RANK, node[3]), 0, 0, 0)
        try:
            for depth in range(1, DEEPEST + 1):
                self._horizon = 2 * depth + 8
                score, turns = self._root(node, turns, depth)
                found = SearchResult(_move(turns[0] % _RANK, node[3]), score, depth, self.nodes)
                if abs(score) > DECIDED or len(turns) == 1:
                    break
        except BudgetExhausted:
            # The last round stopped halfway: its best turn so far was at least the best of the round before.
            found = found._replace(move=_move(self._so_far, node[3])) if found.depth else found
        return found._replace(nodes=self.nodes)

    def _root(self, node: Node, turns: list[RankedTurn], depth: int) -> tuple[int, list[RankedTurn]]:
        """The best score, and the turns with the best of them first."""
        best, first = -WIN, turns[0]
        self._so_far = turns[0] % _RANK
        for turn in turns:
            move = turn % _RANK
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
        self.nodes += 1
        if self.nodes > self._budget:
            raise BudgetExhausted
        node = (own, enemy, neutral, left)
        if not left and node in self._seen:
            return 0
        threatened = 0
        sides = own | enemy << _BOTH
        b, c, d = sides >> 1, sides >> 8, sides >> 9
        if (sides & b & (c ^ d) | c & d & (sides ^ b)) & _CELLS_TWICE:
            others = enemy | neutral
            if completing(own, others) if left else reachable(own, others) >= 0:
                return WIN - ply - 1
            threatened = self._threatened(own, enemy, neutral, left)
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
        turns = self._turns(own, enemy, neutral, left, favorite, threatened if left > 1 else 0)
        if not turns:
            return 0
        turns.sort(reverse=True)
        if left:
            return self._try(node, turns, depth, alpha, beta, ply)
        self._seen.add(node)
        try:
            return self._try(node, turns, depth, alpha, beta, ply)
        finally:
            self._seen.discard(node)

    def _try(self, node: Node, turns: list[RankedTurn], depth: int, alpha: int, beta: int, ply: int) -> int:
        best, choice, floor = -WIN, turns[0] % _RANK, alpha
        for turn in turns:
            move = turn % _RANK
            own, enemy, neutral, left = _after(node, move)
            score = -self._look(enemy, own, neutral, left, depth - 1, -beta, -alpha, ply + 1)
            if score > best:
                best, choice = score, move
                if score > alpha:
                    alpha = score
                    if score >= beta:
                        self._history[move] += depth * depth + 1
                        break
        kind = 1 if best >= beta else -1 if best <= floor else 0
        stored = best + ply if best > DECIDED else best - ply if best < -DECIDED else best
        self._table[node] = max(depth, 0), kind, stored, choice
        return best

    def _threatened(self, own: Bits, enemy: Bits, neutral: Bits, left: int) -> Bits:
        """The points on which the enemy could complete a square with its next turn."""
        others = own | neutral
        if left > 1:
            return completing(enemy, others)
        return completing(enemy, others) if reachable(enemy, others) >= 0 else 0

    def _quiet(self, own: Bits, enemy: Bits, neutral: Bits, left: int, alpha: int, beta: int, ply: int) -> int:
        """The score where the depth has run out: as it stands, or after captures."""
        score = self._judge(own, enemy, neutral, left)
        if left or score >= beta or ply >= self._horizon:
            return score
        alpha = max(alpha, score)
        for after_own, after_enemy, after_neutral in _captures(own, enemy, neutral):
            taken = -self._look(after_enemy, after_own, after_neutral, 0, 0, -beta, -alpha, ply + 1)
            if taken > score:
                score = taken
                if score >= beta:
                    break
                alpha = max(alpha, score)
        return score

    def _judge(self, own: Bits, enemy: Bits, neutral: Bits, left: int) -> int:
        node = (own, enemy, neutral, left)
        known = self._judged.get(node)
        if known is not None:
            return known
        score = held(own, enemy, neutral) + room(own, enemy, neutral)
        if not left:
            score += PIECE * (own.bit_count() - enemy.bit_count())
        if self._noise:
            score += (own * 0x9E3779B1 + enemy * 0x85EBCA77 * self._salt) % 1_000_003 % (
                2 * self._noise + 1
            ) - self._noise
        self._judged[node] = score
        return score

    # -- turns -------------------------------------------------------------------------------------------------------

    def _turns(
        self, own: Bits, enemy: Bits, neutral: Bits, left: int, favorite: int = -1, forced: Bits = 0
    ) -> list[RankedTurn]:
        """Every turn, the promising ones ranked high. `forced` are the only points worth a placement, if any.

        Empty where no piece can be placed or moved: that is a draw.
        """
        empty = ALL & ~(own | enemy | neutral)
        if left:
            return self._placements(own, enemy, forced or empty, favorite)
        history = self._history
        turns: list[RankedTurn] = []
        exposed = spread(enemy)
        for start in points(own):
            for step, landing in _STEPS_FROM[start]:
                if empty & landing:
                    rank = history[step]
                    if exposed & landing and _captured(step, own, enemy):
                        rank += _CAPTURE
                    turns.append((_FAVORITE if step == favorite else rank) * _RANK + step)
        if turns and neutral:
            alone = neutral & ~spread(own | enemy)
            while alone:
                bit = alone & -alone
                alone ^= bit
                turns.append(_REMOVALS + bit.bit_length() - 1)
        return turns

    def _placements(self, own: Bits, enemy: Bits, targets: Bits, favorite: int) -> list[RankedTurn]:
        """Placements on these points, ranked by the squares that they build or spoil."""
        promise = [*_PROMISE_AT_FIRST]
        taken = own | enemy
        for square, corners in _CORNERS_OF:
            if square & taken:
                if not square & enemy:
                    more = CORNERS[min((square & own).bit_count() + 1, 3)] - CORNERS[1]
                elif not square & own:
                    more = CORNERS[min((square & enemy).bit_count(), 3)] - CORNERS[1]
                else:
                    more = -CORNERS[1]
                for corner in corners:
                    promise[corner] += more
        history = self._history
        turns = [(history[to] * 64 + promise[to]) * _RANK + to for to, bit in _PLACES_BY_BIT if targets & bit]
        if favorite >= 0:
            turns = [_FAVORITE * _RANK + favorite if turn % _RANK == favorite else turn for turn in turns]
        return turns


def _captured(move: int, own: Bits, enemy: Bits) -> Bits:
    """What a step captures, as a set; `own` and `enemy` stand before it."""
    kept, taken = own ^ 1 << (move // _STEPS - 1), 0
    for a, b in PAIRS[move % _STEPS]:
        if kept & a:
            taken |= enemy & b
        elif kept & b:
            taken |= enemy & a
    return 0 if taken & (taken - 1) else taken


def _after(node: Node, move: int) -> Node:
    """What stands after a turn; own is still who made it."""
    own, enemy, neutral, left = node
    if left:
        return own | 1 << move, enemy, neutral, left - 1
    if move >= _REMOVALS:
        return own, enemy, neutral ^ 1 << (move - _REMOVALS), 0
    to = move % _STEPS
    taken = _captured(move, own, enemy) if NEXT[to] & enemy else 0
    return own ^ 1 << (move // _STEPS - 1) ^ 1 << to, enemy ^ taken, neutral | taken, 0


def _captures(own: Bits, enemy: Bits, neutral: Bits) -> Iterable[tuple[Bits, Bits, Bits]]:
    """What stands after each capture."""
    landings = spread(own) & spread(enemy) & ~(own | enemy | neutral)
    while landings:
        landing = landings & -landings
        landings ^= landing
        to = landing.bit_length() - 1
        pairs = [
            pair for pair in PAIRS[to] if (own & pair[0] and enemy & pair[1]) or (own & pair[1] and enemy & pair[0])
        ]
        if not pairs:
            continue
        runners = NEXT[to] & own
        while runners:
            runner = runners & -runners
            runners ^= runner
            kept = own ^ runner
            taken = 0
            for a, b in pairs:
                if kept & (a | b):
                    taken |= enemy & (a | b)
            if taken and not taken & (taken - 1):
                yield kept | landing, enemy ^ taken, neutral | taken


def _won(own: Bits, move: int) -> bool:
    """Whether a turn has completed a square; `own` stands after it."""
    if move >= _REMOVALS:
        return False
    return any(own & square == square for square in SQUARES_AT[move & 63])


def _node(position: Position) -> Node:
    return position.pieces[position.turn], position.pieces[1 - position.turn], position.neutral, position.left


def _move(move: int, left: int) -> Move:
    """A turn from its integer."""
    if left:
        return Placement(move)
    if move >= _REMOVALS:
        return Removal(move - _REMOVALS)
    return Movement(move // _STEPS - 1, move % _STEPS)
