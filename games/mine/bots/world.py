"""A mutable model of the game for the bots' simulations, many times faster than the rules.

A world is one way in which things may be: the colors that a seat has not seen are drawn at random from those that are
left. `tests/games/mine/bots/test_world.py` holds it to the rules, move by move.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import cast

from kimberley.games.mine.gems import CAPACITY, MEDIUM, SMALL, nest_gems, times
from kimberley.games.mine.rules import LAST, QUIET, State
from kimberley.games.mine.squares import BESIDE, RAYS, homes, way
from kimberley.games.table import HIDDEN, Hidden


class World:
    """A position with everything known, from the first cards on.

    By seat: `at` the square of a pawn, -1 if there is none; `load` the pips and `worth` the points that it carries,
    `gems` what that is; `points` at home; `barred` as in `Mine.barred`. By nest: `inside` its gems and `opened`. `on`
    gives the nest on each square, -1 for none. `value[seat][gem]` are a gem's points in a home, and `mean[seat]` what a
    small and a medium gem that nobody has seen are worth on average.
    """

    __slots__ = (
        "at",
        "barred",
        "cards",
        "each",
        "exhausted",
        "first",
        "gems",
        "homes",
        "inside",
        "last",
        "load",
        "loose",
        "mean",
        "on",
        "opened",
        "over",
        "points",
        "present",
        "progress",
        "quiet",
        "to_act",
        "value",
        "veins",
        "worth",
    )

    at: list[int]
    barred: tuple[bytes, ...]
    cards: list[int]
    each: int
    exhausted: int
    first: int
    gems: list[list[int]]
    homes: tuple[int, ...]
    inside: list[list[int]]
    last: int
    load: list[int]
    loose: dict[int, int]
    mean: list[tuple[float, float]]
    on: list[int]
    opened: list[bool]
    over: bool
    points: list[int]
    present: tuple[bool, ...]
    progress: bool
    quiet: int
    to_act: list[int]
    value: list[dict[int, int]]
    veins: tuple[int, ...]
    worth: list[int]

    def copy(self) -> World:
        """Returns a copy to play on in; what never changes is shared."""
        new = World()
        for name in ("barred", "cards", "each", "exhausted", "first", "homes", "last", "mean", "on", "over", "present"):
            setattr(new, name, getattr(self, name))
        for name in ("progress", "quiet", "value", "veins"):
            setattr(new, name, getattr(self, name))
        new.at, new.load, new.worth, new.points = self.at[:], self.load[:], self.worth[:], self.points[:]
        new.gems = [gems[:] for gems in self.gems]
        new.inside = [gems[:] for gems in self.inside]
        new.opened, new.to_act, new.cards = self.opened[:], self.to_act[:], self.cards[:]
        new.loose = dict(self.loose)
        return new

    # -- where pawns can go ------------------------------------------------------------------------------------------

    def shut(self, seat: int) -> bytearray:
        """Returns 1 for each square that a seat's pawn cannot enter, else 0."""
        shut = bytearray(self.barred[seat])
        for other, square in enumerate(self.at):
            if other != seat and square >= 0:
                shut[square] = 1
        return shut

    def moves(self, seat: int) -> Iterator[tuple[int, int]]:
        """Yields every card with every square that it leads to."""
        shut = self.shut(seat)
        for ray in RAYS[self.at[seat]] if self.at[seat] >= 0 else ():
            for card, square in enumerate(ray, 1):
                if shut[square]:
                    break
                yield card, square

    def pickups(self, seat: int, to: int) -> list[int]:
        """Returns the squares on the way to a square where a pawn picks up what it can carry."""
        if not self.loose:
            return []
        room, squares = CAPACITY - self.load[seat], []
        for square in way(self.at[seat], to):
            gem = self.loose.get(square)
            if gem is not None and self.size(gem) <= room:
                room -= self.size(gem)
                squares.append(square)
        return squares

    def size(self, gem: int) -> int:
        """Returns the pips of a gem: 1 or 2."""
        return SMALL if gem < self.each else MEDIUM

    # -- what changes ------------------------------------------------------------------------------------------------

    def move(self, seat: int, to: int, picked: Sequence[int], dropped: Sequence[tuple[int, int]]) -> int:
        """Moves a pawn, and unloads it at home. Returns the vein with gems on which it stands then, or -1."""
        drops = dict(dropped)
        for square in way(self.at[seat], to):
            if square in picked:
                self._bear(seat, self.loose.pop(square))
            if square in drops:
                self.loose[square] = drops[square]
                self._bear(seat, drops[square], -1)
        self.at[seat] = to
        if to == self.homes[seat] and self.gems[seat]:
            self.points[seat] += self.worth[seat]
            self.load[seat] = self.worth[seat] = 0
            self.gems[seat] = []
            self.progress = True
        nest = self.on[to]
        if nest < 0 or not self.inside[nest]:
            return -1
        self.opened[nest] = True
        return nest

    def take(self, seat: int, nest: int, gems: Sequence[int]) -> None:
        """Moves gems from a vein to the pawn on it. The last of them may end the game."""
        for gem in gems:
            self.inside[nest].remove(gem)
            self._bear(seat, gem)
            self.progress = True
        if gems and not self.inside[nest]:
            self.exhausted += 1
            self.over = self.exhausted >= self.last
            square = self.veins[nest]
            if BESIDE[square].isdisjoint(self.homes):
                self.barred = tuple(board[:square] + b"\1" + board[square + 1 :] for board in self.barred)

    def _bear(self, seat: int, gem: int, sign: int = 1) -> None:
        self.load[seat] += sign * self.size(gem)
        self.worth[seat] += sign * self.value[seat][gem]
        if sign > 0:
            self.gems[seat].append(gem)
        else:
            self.gems[seat].remove(gem)

    def next_round(self) -> None:
        """Begins the next round, in which the seat after the first acts first."""
        self.quiet = 0 if self.progress else self.quiet + 1
        self.progress = False
        self.over = self.over or self.quiet >= QUIET
        seats = len(self.at)
        turns = [(self.first + 1 + turn) % seats for turn in range(seats)]
        self.to_act = [seat for seat in turns if self.present[seat]]
        self.first = self.to_act[0]


def world_of(state: State, rng: Random) -> World:
    """Returns a world that fits all that is known in `state`: gems not seen get colors that are left, at random."""
    small, medium = _unseen(state)
    drawn = {True: rng.sample(small, len(small)), False: rng.sample(medium, len(medium))}
    mine, colors = state.mine, {}
    for nest in range(len(mine.inside)):
        for gem in nest_gems(nest, mine.each):
            color = state.color(gem) if mine.opened[nest] else HIDDEN
            colors[gem] = drawn[gem < mine.each].pop() if isinstance(color, Hidden) else color
    return _world(state, colors)


def true_world(state: State) -> World:
    """Returns the world of a true state: the veins that nobody has opened hold what they do."""
    nests, each = len(state.mine.inside), state.mine.each
    return _world(state, {gem: cast(int, state.color(gem)) for nest in range(nests) for gem in nest_gems(nest, each)})


def _world(state: State, colors: Mapping[int, int]) -> World:
    """Returns the world of a state whose gems have these colors. What its seats expect of unopened veins follows from
    what all know.
    """
    mine, world = state.mine, World()
    seats, nests = range(state.seats), range(len(mine.veins))
    small, medium = _unseen(state)
    world.each, world.veins, world.last = mine.each, mine.veins, LAST[state.seats]
    world.homes, world.present = homes(state.seats), state.present
    world.at = [-1 if square is None else square for square in mine.pawns]
    world.inside = [list(mine.inside[nest]) for nest in nests]
    world.opened = list(mine.opened)
    world.exhausted = mine.exhausted
    world.on = [-1] * 64
    for nest, square in enumerate(mine.veins):
        world.on[square] = nest
    world.barred = tuple(mine.barred(seat) for seat in seats)
    world.loose = dict(mine.loose)
    world.value = [
        {gem: mine.size(gem) * times(color, state.colors[seat], state.flawless) for gem, color in colors.items()}
        for seat in seats
    ]
    world.mean = [(_mean(small, state, seat), 2 * _mean(medium, state, seat)) for seat in seats]
    world.gems = [list(mine.carried[seat]) for seat in seats]
    world.load = [mine.load(seat) for seat in seats]
    world.worth = [sum(world.value[seat][gem] for gem in mine.carried[seat]) for seat in seats]
    world.points = [state.score(seat) for seat in seats]
    world.cards = [card or 0 for card in state.cards]
    world.first, world.progress, world.quiet = state.first, state.progress, state.quiet
    world.over = bool(state.ended)
    world.to_act = [seat for seat in state.order() if not state.acted[seat]]
    return world


def _unseen(state: State) -> tuple[list[int], list[int]]:
    """Returns the colors that nobody has seen: those of small gems, and those of medium ones."""
    small, medium = ([color for color, count in enumerate(counts) for _ in range(count)] for counts in state.unknown())
    return small, medium


def _mean(colors: Sequence[int], state: State, seat: int) -> float:
    own, flawless = state.colors[seat], state.flawless
    return sum(times(color, own, flawless) for color in colors) / max(1, len(colors))
