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

from kimberley.games.diamond.board import ALL, LINES, NEXT, PAIRS, POINTS, SIDE, SQUARES, SQUARES_AT, Bits, place
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
_SQUARE: Final = 1 | 1 << 1 | 1 << SIDE | 1 << SIDE + 1
_PLACES: Final = POINTS + 2
_STEPS: Final = 1 << 6
_REMOVALS: Final = 1 << 13
"""Turns as integers: a placement is its point, a step 64 * (1 + start) + end, a removal 8192 + point."""

Node: TypeAlias = tuple[Bits, Bits, Bits, int]
Turn: TypeAlias = tuple[int, int, Bits, Bits, Bits, int]
"""A turn with how promising it is, as (rank, turn, own, enemy, neutral, left); own is still who made it."""


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


_LEFT, _RIGHT = _start(-1, 0), _start(1, 0)
_UP_LEFT, _UP_RIGHT = _start(-1, 1), _start(1, 1)
_DOWN_LEFT, _DOWN_RIGHT = _start(-1, -1), _start(1, -1)


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


def held(own: Bits, others: Bits) -> int:
    """What the squares are worth in which a side stands alone."""
    a, b, c, d = own, own >> 1, own >> 8, own >> 9
    alone = _CELLS & ~(others | others >> 1 | others >> 8 | others >> 9)
    below, above = a ^ b, c ^ d
    both, upper = a & b, c & d
    three = alone & (both & above | upper & below)
    two = alone & (both & ~(c | d) | upper & ~(a | b) | below & above)
    one = alone & (below & ~(c | d) | above & ~(a | b))
    return CORNERS[3] * three.bit_count() + CORNERS[2] * two.bit_count() + CORNERS[1] * one.bit_count()


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
        self._history: dict[int, int] = {}
        self._horizon = 0

    def best(self, position: Position) -> SearchResult:
        """The best turn in a position in which one can be made; deeper and deeper, as far as the budget allows."""
        node = _node(position)
        turns = sorted(self._turns(*node), reverse=True)
        if not turns:
            raise ValueError("there is no turn to look for")
        found = SearchResult(_move(turns[0][1], node[3]), 0, 0, 0)
        try:
            for depth in range(1, DEEPEST + 1):
                self._horizon = 2 * depth + 8
                score, turns = self._root(turns, depth)
                found = SearchResult(_move(turns[0][1], node[3]), score, depth, self.nodes)
                if abs(score) > DECIDED or len(turns) == 1:
                    break
        except BudgetExhausted:
            # The last round stopped halfway: its best turn so far was at least the best of the round before.
            found = found._replace(move=_move(self._so_far, node[3])) if found.depth else found
        return found._replace(nodes=self.nodes)

    def _root(self, turns: list[Turn], depth: int) -> tuple[int, list[Turn]]:
        """The best score, and the turns with the best of them first."""
        best, first = -WIN, turns[0]
        self._so_far = turns[0][1]
        for turn in turns:
            _, move, own, enemy, neutral, left = turn
            score = WIN - 1 if _won(own, move) else -self._look(enemy, own, neutral, left, depth - 1, -WIN, -best, 1)
            if score > best:
                best, first = score, turn
                self._so_far = move
        return best, [first, *(turn for turn in turns if turn is not first)]

    # -- one node ----------------------------------------------------------------------------------------------------

    def _look(
        self, own: Bits, enemy: Bits, neutral: Bits, left: int, depth: int, alpha: int, beta: int, ply: int
    ) -> int:
        self.nodes += 1
        if self.nodes > self._budget:
            raise BudgetExhausted
        node = (own, enemy, neutral, left)
        if node in self._seen:
            return 0
        others = enemy | neutral
        if left:
            if completing(own, others):
                return WIN - ply - 1
        elif reachable(own, others) >= 0:
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
        self._seen.add(node)
        try:
            return self._try(node, turns, depth, alpha, beta, ply)
        finally:
            self._seen.discard(node)

    def _try(self, node: Node, turns: list[Turn], depth: int, alpha: int, beta: int, ply: int) -> int:
        best, choice, floor = -WIN, turns[0][1], alpha
        for _, move, own, enemy, neutral, left in turns:
            score = -self._look(enemy, own, neutral, left, depth - 1, -beta, -alpha, ply + 1)
            if score > best:
                best, choice = score, move
                if score > alpha:
                    alpha = score
                    if score >= beta:
                        self._history[move] = self._history.get(move, 0) + depth * depth + 1
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
        score = held(own, enemy | neutral) - held(enemy, own | neutral)
        empty = ALL & ~(own | enemy | neutral)
        score += (spread(own) & empty).bit_count() - (spread(enemy) & empty).bit_count()
        if not left:
            score += PIECE * (own.bit_count() - enemy.bit_count())
        if self._noise:
            score += (own * 0x9E3779B1 + enemy * 0x85EBCA77 * self._salt) % 1_000_003 % (
                2 * self._noise + 1
            ) - self._noise
        return score

    # -- turns -------------------------------------------------------------------------------------------------------

    def _turns(
        self, own: Bits, enemy: Bits, neutral: Bits, left: int, favorite: int = -1, forced: Bits = 0
    ) -> list[Turn]:
        """Every turn, the promising ones ranked high. `forced` are the only points worth a placement, if any.

        Empty where no piece can be placed or moved: that is a draw.
        """
        empty = ALL & ~(own | enemy | neutral)
        history = self._history
        turns: list[Turn] = []
        if left:
            targets = forced or empty
            while targets:
                bit = targets & -targets
                targets ^= bit
                to = bit.bit_length() - 1
                rank = 1 << 40 if to == favorite else history.get(to, 0) * 64 + _promise(to, own, enemy)
                turns.append((rank, to, own | bit, enemy, neutral, left - 1))
            return turns
        rest = own
        while rest:
            bit = rest & -rest
            rest ^= bit
            start = bit.bit_length() - 1
            base = _STEPS * (start + 1)
            targets = NEXT[start] & empty
            kept = own ^ bit
            while targets:
                landing = targets & -targets
                targets ^= landing
                to = landing.bit_length() - 1
                taken = 0
                for a, b in PAIRS[to]:
                    if kept & a:
                        taken |= enemy & b
                    elif kept & b:
                        taken |= enemy & a
                if taken & (taken - 1):
                    taken = 0
                move = base + to
                rank = 1 << 40 if move == favorite else history.get(move, 0) + (1 << 30 if taken else 0)
                turns.append((rank, move, kept | landing, enemy ^ taken, neutral | taken, 0))
        if turns and neutral:
            alone = neutral & ~spread(own | enemy)
            while alone:
                bit = alone & -alone
                alone ^= bit
                turns.append((0, _REMOVALS + bit.bit_length() - 1, own, enemy, neutral ^ bit, 0))
        return turns


def _promise(to: int, own: Bits, enemy: Bits) -> int:
    """How good a placement looks at first sight: by the squares that it builds or spoils."""
    promise = 0
    for square in SQUARES_AT[to]:
        if not square & enemy:
            promise += CORNERS[min((square & own).bit_count() + 1, 3)]
        elif not square & own:
            promise += CORNERS[min((square & enemy).bit_count(), 3)]
    return promise


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
