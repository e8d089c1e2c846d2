"""A greedy player, which thinks only of its own next trip. The bots use it to judge positions and to simulate all
seats.

A trip goes to a vein or a loose gem, and home. What it brings counts less by a seventh for every turn that it takes
around exhausted veins and others' homes; on top comes what it is worth to be at home with nothing to carry and start
afresh. The last gem of the game scores for nobody: it attracts only the leader, who wins by taking it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from random import Random
from typing import Final

from kimberley.games.mine.bots.distances import left_on_the_way
from kimberley.games.mine.bots.world import World
from kimberley.games.mine.gems import CAPACITY

FRESH: Final = 3.0
"""Points that a new trip from home is worth."""
END: Final = 5.0
"""Points that ending the game is worth to the leader."""
_KEEPS: Final = 0.86
_HURRIES: Final = 0.72
"""What is left of a point after a turn: usually, and when one more vein ends the game."""

Trip = tuple[float, tuple[float, ...]]
"""What a trip is worth where it leads, and what is left of that on each square."""


class Greedy:
    """How one seat values the squares of a world. It knows no more than the seat would: an unopened vein counts as an
    average one.
    """

    def __init__(self, world: World, seat: int) -> None:
        self.world = world
        self.seat = seat
        left = world.last - world.exhausted
        self._ending = left <= 1
        self._wins = self._ending and leads(world, seat)
        self._left = left_on_the_way(world.barred[seat], _HURRIES if self._ending else _KEEPS)
        self._fresh = FRESH * min(left, 3) / 3
        self._home = world.homes[seat]
        self._live = [nest for nest, gems in enumerate(world.inside) if gems]
        self._as_it_is = self._trips(world.worth[seat], CAPACITY - world.load[seat])

    def prospect(self) -> float:
        """Returns the value of the pawn's place; 0 without a pawn."""
        square = self.world.at[self.seat]
        return self._best_from(square, self._as_it_is) if square >= 0 else 0.0

    def worth_of(self, to: int) -> float:
        """Returns the value of moving to a square and taking the best gems there."""
        world, seat = self.world, self.seat
        nest = world.on[to]
        if nest >= 0 and not world.inside[nest]:
            nest = -1
        if nest < 0 and to != self._home and not world.loose:
            return self._best_from(to, self._as_it_is)
        worth, room = float(world.worth[seat]), CAPACITY - world.load[seat]
        picked = world.pickups(seat, to)
        for square in picked:
            worth += world.value[seat][world.loose[square]]
            room -= world.size(world.loose[square])
        if to == self._home:
            return worth + self._fresh
        if nest >= 0 and self._wins and self._exhausts(nest, room):
            return END
        gain, pips = self._gain(nest, room) if nest >= 0 else (0.0, 0)
        return self._best_from(to, self._trips(worth + gain, room - pips) if picked or gain else self._as_it_is)

    def _best_from(self, to: int, trips: list[Trip]) -> float:
        """Returns the worth of the best trip from a square."""
        best = 0.0
        for value, left in trips:
            if value <= best:
                break
            if value * left[to] > best:
                best = value * left[to]
        return best

    def _trips(self, worth: float, room: int) -> list[Trip]:
        """Returns where a pawn with this load could go, home included; what is worth most comes first."""
        world, left, fresh, value = self.world, self._left, self._fresh, self.world.value[self.seat]
        home = left[self._home]
        trips: list[Trip] = [(worth + fresh, home)]
        if room:
            for nest in self._live:
                square = world.veins[nest]
                if self._wins and self._exhausts(nest, room):
                    trips.append((END, left[square]))
                elif gain := self._gain(nest, room)[0]:
                    trips.append(((worth + gain + fresh) * home[square], left[square]))
            for square, gem in world.loose.items():
                if world.size(gem) <= room:
                    trips.append(((worth + value[gem] + fresh) * home[square], left[square]))
            trips.sort(reverse=True)
        return trips

    def _gain(self, nest: int, room: int) -> tuple[float, int]:
        """Returns what a pawn with this much room takes from a vein, and the pips of that."""
        world = self.world
        if world.opened[nest]:
            gems = self.best(nest, room)
            return float(sum(world.value[self.seat][gem] for gem in gems)), sum(map(world.size, gems))
        small, medium = world.mean[self.seat]
        if room == CAPACITY and not self._ending:
            return small + medium, CAPACITY
        return (max(small, medium), 2) if room > 1 else (small * room, room)

    def _exhausts(self, nest: int, room: int) -> bool:
        """Returns whether a pawn with this much room can take all that is in a vein."""
        if not self.world.opened[nest]:
            return room == CAPACITY
        return sum(map(self.world.size, self.world.inside[nest])) <= room

    def best(self, nest: int, room: int) -> tuple[int, ...]:
        """Returns the gems in an open vein that are worth most to this seat and fit its room. It ends the game only if
        that wins: the last gem scores for nobody.
        """
        gems, value, size = self.world.inside[nest], self.world.value[self.seat], self.world.size
        if self._ending and not self._wins:
            if len(gems) == 1:
                return ()
        elif len(gems) == 2 and room == CAPACITY:
            return tuple(gems)
        return max(
            ((gem,) for gem in gems if size(gem) <= room),
            key=lambda one: value[one[0]] - 0.1 * size(one[0]),
            default=(),
        )


def leads(world: World, seat: int) -> bool:
    """Returns whether a seat has more at home than any other at the table."""
    others = (points for other, points in enumerate(world.points) if other != seat and world.present[other])
    return all(world.points[seat] > points for points in others)


def takes(world: World, seat: int, nest: int) -> tuple[int, ...]:
    """Returns what a seat takes from the vein on which it stands. It ends the game only if that wins."""
    return Greedy(world, seat).best(nest, CAPACITY - world.load[seat])


def offers(world: World, seat: int, nest: int) -> list[tuple[int, ...]]:
    """Returns all that a seat could take."""
    gems, room = world.inside[nest], CAPACITY - world.load[seat]
    chosen = (some for count in range(len(gems) + 1) for some in combinations(gems, count))
    return [some for some in chosen if sum(map(world.size, some)) <= room]


def judged(world: World, seat: int, card: int | None = None) -> dict[tuple[int, int], float]:
    """Returns what each card with each square is worth to a seat; of one card, or of all. Empty where it cannot
    move.
    """
    greedy = Greedy(world, seat)
    return {(on, to): greedy.worth_of(to) for on, to in world.moves(seat) if card is None or on == card}


def moves_to(world: World, seat: int, rng: Random, blur: float, card: int | None = None) -> tuple[int, int] | None:
    """Returns the card with the square that a seat likes best, of one card or of all; None where it cannot move.

    `blur` is how much its judgment errs, as a share of what it judges.
    """
    worth = judged(world, seat, card)
    return max(worth, key=lambda option: worth[option] * (1 - blur * rng.random()), default=None)


def acts(world: World, seat: int, rng: Random, blur: float) -> None:
    """Makes the move that a seat likes best with its card, and takes what it likes best."""
    move = moves_to(world, seat, rng, blur, world.cards[seat])
    if move is not None:
        to = move[1]
        goes(world, seat, to, world.pickups(seat, to), ())


def goes(world: World, seat: int, to: int, picked: Sequence[int], dropped: Sequence[tuple[int, int]]) -> None:
    """Moves a seat's pawn to a square, and takes what it likes best there."""
    nest = world.move(seat, to, picked, dropped)
    if nest >= 0:
        world.take(seat, nest, takes(world, seat, nest))
