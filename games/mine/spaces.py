"""The choices open to a seat: where to place a nest, which card, which move, what to take."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from random import Random
from typing import Final, cast

from kimberley.games.mine import moves
from kimberley.games.mine.gems import CAPACITY, size
from kimberley.games.mine.mine import Mine
from kimberley.games.mine.moves import CARDS
from kimberley.games.mine.squares import SQUARES, homes, name, quadrant, way
from kimberley.games.phrases import count_of
from kimberley.games.table import BaseSpace, Plain, Unreadable

CardChoice = tuple[int, bool]
"""A card, and whether the seat agrees to end the game."""
MoveChoice = tuple[int, tuple[int, ...], tuple[tuple[int, int], ...]]
"""The target square, the squares where a gem is picked up, and (square, gem) for each gem that is dropped, both in the
order of the move.
"""
TakeChoice = tuple[int, ...]
"""Gems in ascending order."""

_HANDLES: Final = 0.5
"""How often a random move picks up or drops a gem where it can."""
_DIGS: Final = 0.8
"""How often a random move goes to a vein or brings something home, where it can."""
_PATIENCE: Final = 10
_AGREES: Final = 0.5
"""How often a random card comes with the wish to end the game, after more than `_PATIENCE` quiet rounds."""


def _numbers(plain: Plain) -> bool:
    return type(plain) is tuple and all(type(number) is int for number in plain)


@dataclass(frozen=True)
class NestSpace(BaseSpace):
    """The squares on which a seat can place the next nest."""

    mine: Mine
    seat: int

    def read(self, plain: Plain) -> Plain:
        if type(plain) is not int:
            raise Unreadable("a nest is placed on a square, a number from 0 to 63")
        return plain

    def broken_rule(self, choice: Plain) -> str | None:
        square = cast(int, choice)
        if square not in SQUARES:
            return "the board has the squares 0 to 63"
        if square in homes(self.mine.seats):
            return "you cannot place a nest on a home"
        if square in quadrant(self.mine.home(self.seat)):
            return "place your nests outside your own quarter of the board"
        return f"there is already a nest on {name(square)}" if square in self.mine.veins else None

    def open(self) -> tuple[int, ...]:
        """Returns all squares where the nest can be placed."""
        return tuple(square for square in SQUARES if self.broken_rule(square) is None)

    def pick(self, rng: Random) -> Plain:
        return rng.choice(self.open())


@dataclass(frozen=True)
class CardSpace(BaseSpace):
    """The movement cards. `quiet` rounds have passed in which nothing happened."""

    quiet: int = 0

    def read(self, plain: Plain) -> Plain:
        match plain:
            case (card, end) if type(plain) is tuple and type(card) is int and type(end) is bool:
                return plain
        raise Unreadable("expected a card, and true or false: whether to end the game")

    def broken_rule(self, choice: Plain) -> str | None:
        return None if cast(CardChoice, choice)[0] in CARDS else "the cards are 1, 2 and 3"

    def pick(self, rng: Random) -> Plain:
        return rng.choice(CARDS), self.quiet > _PATIENCE and rng.random() < _AGREES


@dataclass(frozen=True)
class PawnMoveSpace(BaseSpace):
    """The moves that a seat can make with a card; there is at least one."""

    mine: Mine
    seat: int
    card: int

    def read(self, plain: Plain) -> Plain:
        match plain:
            case (to, picked, dropped) if type(plain) is tuple and type(to) is int and _numbers(picked):
                if type(dropped) is tuple and all(_numbers(one) and len(cast(tuple[int], one)) == 2 for one in dropped):
                    return plain
        raise Unreadable("expected a square, the squares of gems picked up, and (square, gem) for each gem dropped")

    def broken_rule(self, choice: Plain) -> str | None:
        to, picked, dropped = cast(MoveChoice, choice)
        return moves.violation(self.mine, self.seat, self.card, to, picked, dropped)

    def targets(self) -> tuple[int, ...]:
        """Returns the squares that the pawn can reach."""
        return moves.targets(self.mine, self.seat, self.card)

    def way(self, to: int) -> tuple[int, ...]:
        """Returns the squares that the pawn enters on the way to one of its targets, the target last."""
        start = self.mine.pawns[self.seat]
        assert start is not None
        return way(start, to)

    def droppable(self, to: int) -> tuple[int, ...]:
        """Returns the squares on that way where a gem can be dropped, if what lies there is picked up."""
        return moves.droppable(self.mine, self.seat, to)

    def pick(self, rng: Random) -> Plain:
        mine, seat = self.mine, self.seat
        targets = self.targets()
        wanted = tuple(to for to in targets if self._wanted(to))
        to = rng.choice(wanted if wanted and rng.random() < _DIGS else targets)
        carried, picked, dropped = set(mine.carried[seat]), [], []
        for square in self.way(to):
            lying = mine.loose_at(square)
            if lying is not None and rng.random() < _HANDLES and self._bears(carried | {lying}):
                picked.append(square)
                carried.add(lying)
                lying = None
            if lying is None and carried and square in self.droppable(to) and rng.random() < _HANDLES:
                dropped.append((square, rng.choice(sorted(carried))))
                carried.remove(dropped[-1][1])
        return to, tuple(picked), tuple(dropped)

    def _wanted(self, to: int) -> bool:
        """Returns whether a gem can be had or brought home there."""
        nest = self.mine.vein_at(to)
        if nest is None:
            return to == self.mine.home(self.seat) and bool(self.mine.carried[self.seat])
        return bool(self.mine.inside[nest])

    def _bears(self, gems: set[int]) -> bool:
        return sum(map(self.mine.size, gems)) <= CAPACITY


@dataclass(frozen=True)
class TakeSpace(BaseSpace):
    """What a pawn can take from the vein where it stands: some of its `gems`, at most `room` pips.

    There are `each` small gems, which have the first handles.
    """

    gems: tuple[int, ...]
    room: int
    each: int

    def read(self, plain: Plain) -> Plain:
        if not _numbers(plain):
            raise Unreadable("expected the gems to take, as numbers")
        return plain

    def broken_rule(self, choice: Plain) -> str | None:
        gems = cast(TakeChoice, choice)
        if gems != tuple(gem for gem in self.gems if gem in gems):
            return "name gems of this vein, each once, in ascending order"
        if sum(size(gem, self.each) for gem in gems) > self.room:
            return f"you have room for only {count_of(self.room, 'pip')}"
        return None

    def offers(self) -> tuple[TakeChoice, ...]:
        """Returns all choices of gems that fit, the fewest gems first."""
        chosen = (gems for count in range(len(self.gems) + 1) for gems in combinations(self.gems, count))
        return tuple(gems for gems in chosen if self.broken_rule(gems) is None)

    def pick(self, rng: Random) -> Plain:
        return rng.choice(self.offers())
