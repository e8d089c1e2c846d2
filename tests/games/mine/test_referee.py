"""Whole games of Diamond Mine against a second, slow version of its rules, told as a referee would tell them.

The referee is one generator, from the lots to the end: it yields what the table has to be asked next, is sent what was
answered, and looks at a board of letters and numbers. It shares no code with the rules.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from random import Random
from typing import Any, TypeAlias, cast

import pytest

from kimberley.games.arena import Arena
from kimberley.games.mine import GAME
from kimberley.games.mine.rules import State
from kimberley.games.table import Ask, Decide, Plain, Result, Roll, Show, Shuffle, Together
from tests.support.effort import first_is_quick

Square: TypeAlias = tuple[int, int]
"""Column and row, from 0."""
Legal: TypeAlias = Callable[[Any], bool]


@dataclass
class Choice:
    """Somebody chooses what is `legal`."""

    seat: int
    topic: str
    legal: Legal


@dataclass
class Cards:
    """All choose a card."""


Step: TypeAlias = "Roll | Show | Shuffle | Choice | Cards"
Play: TypeAlias = Generator[Step, Any, Any]


class GameOver(Exception):
    """The game is over, for a reason with these words in it."""


def at(number: int) -> Square:
    return number % 8, number // 8


def number(square: Square) -> int:
    return square[0] + 8 * square[1]


def line(start: Square, end: Square) -> list[Square]:
    """Returns the squares after `start` up to `end`, [] where no straight line joins them."""
    wide, high = end[0] - start[0], end[1] - start[1]
    far = max(abs(wide), abs(high))
    if not far or wide not in (0, far, -far) or high not in (0, far, -far):
        return []
    return [(start[0] + wide // far * step, start[1] + high // far * step) for step in range(1, far + 1)]


@dataclass
class Referee:
    seats: int
    fifth: bool
    parts: list[tuple[Any, ...]]
    homes: list[Square] = field(default_factory=list)
    colors: list[int] = field(default_factory=list)
    flawless: int = -1
    pawns: list[Square] = field(default_factory=list)
    veins: dict[Square, list[int]] = field(default_factory=dict)
    opened: set[Square] = field(default_factory=set)
    loose: dict[Square, int] = field(default_factory=dict)
    carried: list[list[int]] = field(default_factory=list)
    stored: list[list[int]] = field(default_factory=list)
    happened: bool = False

    @property
    def each(self) -> int:
        return 25 if self.fifth else 20

    def pips(self, gems: Any) -> int:
        return sum(1 if gem < self.each else 2 for gem in gems)

    def points(self, seat: int) -> int:
        total = 0
        for gem in self.stored[seat]:
            color = self.parts[gem][0]
            total += self.pips([gem]) * (3 if color == self.flawless else 2 if color == self.colors[seat] else 1)
        return total

    def game(self) -> Play:
        first, *lots = yield Roll((self.seats, 4, 3, 2))
        left = [0, 1, 2, 3]
        drawn = [left.pop(lot) for lot in lots] + left
        self.colors, self.flawless = drawn[: self.seats], drawn[2] if self.seats == 2 else 4
        self.homes = [(0, 0), (7, 7)] if self.seats == 2 else [(0, 0), (0, 7), (7, 7), (7, 0)]
        self.carried, self.stored = [[] for _ in self.homes], [[] for _ in self.homes]
        gems = tuple((color,) for color in range(5 if self.fifth else 4) for _ in range(5))
        yield Shuffle("small gems", gems)
        yield Shuffle("medium gems", gems)
        for nest in range(10 if self.seats == 2 else 8):
            seat = (first + nest) % self.seats
            square = yield Choice(seat, "placing", self.placing(seat))
            self.veins[at(square)] = [nest, self.each + nest]
        self.pawns = list(self.homes)
        quiet = 0
        while True:
            cards = yield Cards()
            if all(end for _, end in cards):
                raise GameOver("agreed")
            self.happened = False
            for turn in range(self.seats):
                seat = (first + turn) % self.seats
                yield from self.act(seat, cards[seat][0])
            first = (first + 1) % self.seats
            quiet = 0 if self.happened else quiet + 1
            if quiet == 30:
                raise GameOver("30 rounds")

    def placing(self, seat: int) -> Legal:
        home = self.homes[seat]

        def legal(choice: int) -> bool:
            column, row = at(choice)
            inside = abs(column - home[0]) < 4 and abs(row - home[1]) < 4
            return 0 <= choice < 64 and not inside and at(choice) not in [*self.homes, *self.veins]

        return legal

    def barred(self, seat: int, square: Square) -> bool:
        if square in [pawn for other, pawn in enumerate(self.pawns) if other != seat]:
            return True
        if square in self.homes and square != self.homes[seat]:
            return True
        near = any(max(abs(square[0] - home[0]), abs(square[1] - home[1])) == 1 for home in self.homes)
        return square in self.veins and not self.veins[square] and not near

    def ways(self, seat: int, card: int) -> list[Square]:
        found = []
        column, row = self.pawns[seat]
        for square in ((column + wide * card, row + high * card) for wide in (-1, 0, 1) for high in (-1, 0, 1)):
            way = line((column, row), square) if {*square} <= {*range(8)} else []
            if len(way) == card and not any(self.barred(seat, entered) for entered in way):
                found.append(square)
        return found

    def moving(self, seat: int, card: int) -> Legal:
        ways = self.ways(seat, card)

        def legal(choice: Any) -> bool:
            to, picked, dropped = choice
            if to not in range(64) or at(to) not in ways:
                return False
            try:
                self.travel(seat, at(to), list(picked), list(dropped))
            except ValueError:
                return False
            return True

        return legal

    def travel(self, seat: int, to: Square, picked: list[int], dropped: list[Any]) -> tuple[Any, list[int]]:
        """Returns what lies about and what is carried after a move. Raises ValueError for what cannot be done on the
        way.
        """
        loose, carried = dict(self.loose), list(self.carried[seat])
        for square in line(self.pawns[seat], to):
            if picked and at(picked[0]) == square:
                if square not in loose:
                    raise ValueError("no gem")
                carried.append(loose.pop(at(picked.pop(0))))
                if self.pips(carried) > 3:
                    raise ValueError("too much")
            if dropped and at(dropped[0][0]) == square:
                gem = dropped.pop(0)[1]
                if square == to or square in [*loose, *self.veins, *self.homes] or gem not in carried:
                    raise ValueError("not here")
                carried.remove(gem)
                loose[square] = gem
        if picked or dropped:
            raise ValueError("not on the way, or not in its order")
        return loose, carried

    def act(self, seat: int, card: int) -> Play:
        if not self.ways(seat, card):
            return
        to, picked, dropped = yield Choice(seat, "move", self.moving(seat, card))
        self.loose, self.carried[seat] = self.travel(seat, at(to), list(picked), list(dropped))
        self.pawns[seat] = at(to)
        if at(to) == self.homes[seat] and self.carried[seat]:
            self.happened = True
            self.stored[seat] += self.carried[seat]
            self.carried[seat] = []
        vein = self.veins.get(at(to))
        if vein is None:
            return
        if at(to) not in self.opened:
            yield Show(tuple(vein), ((0, None),))
            self.opened.add(at(to))
        load = self.pips(self.carried[seat])
        if not any(load + self.pips([gem]) <= 3 for gem in vein):
            return
        held = tuple(vein)
        gems = yield Choice(seat, "take", lambda chosen: set(chosen) <= set(held) and load + self.pips(chosen) <= 3)
        self.happened |= bool(gems)
        self.carried[seat] += gems
        self.veins[at(to)] = [gem for gem in vein if gem not in gems]
        if [*self.veins.values()].count([]) == (6 if self.seats == 2 else 8):
            raise GameOver("exhausted")


def agree(step: Step, state: State, ask: Ask | Result, rng: Random) -> None:
    """Checks that the table asks what the referee says."""
    match step:
        case Choice(seat, topic, legal):
            assert isinstance(ask, Decide), ask
            assert (ask.seat, ask.topic) == (seat, topic)
            for choice in [*(ask.space.pick(rng) for _ in range(4)), *tries(topic, state, rng)]:
                reason = ask.space.violation(choice)
                assert (reason is None) == legal(choice), (choice, reason)
        case Cards():
            assert isinstance(ask, Together)
            assert all(space is not None for space in ask.spaces)
        case _:
            assert ask == step


def tries(topic: str, state: State, rng: Random) -> list[Plain]:
    """Returns choices, good and bad."""
    if topic == "placing":
        return list(range(-1, 65))
    if topic == "take":
        one, two = sorted(rng.sample(range(40), 2))
        vein = state.mine.inside[state.nest]
        return [(), (one,), (two,), (one, two), vein, vein[:1], vein[1:]]
    start = cast(int, state.mine.pawns[state.turn])
    gems = [*state.mine.carried[state.turn], *(gem for _, gem in state.mine.loose), 3]
    found: list[Plain] = []
    card = state.cards[state.turn]
    lined = [to for to in range(64) if len(line(at(start), at(to))) == card]
    for to in (*rng.sample(lined, min(3, len(lined))), *rng.sample(range(-1, 65), 4)):
        way = [number(square) for square in line(at(start), at(to))] or [rng.randrange(64)]
        for _ in range(2):
            squares = [start, *way]
            picked = tuple(square for square in squares if rng.random() < 0.2)
            lying = tuple((square, rng.choice(gems)) for square in squares if rng.random() < 0.3)
            found += [(to, picked, lying), (to, (), lying[:1]), (to, picked[:1], ())]
        found.append((to, (), ()))
    return found


@pytest.mark.parametrize(("seats", "fifth"), [(2, False), pytest.param(4, False, marks=pytest.mark.slow), (4, True)])
@pytest.mark.parametrize("seed", first_is_quick(*range(3)))
def test_a_whole_game_goes_as_the_referee_says(seats: int, fifth: bool, seed: int) -> None:
    rng = Random(seed)
    arena = Arena(GAME.start(seats, {"flawless": fifth}), rng)
    referee = Referee(seats, fifth, arena.parts)
    play = referee.game()
    step, ended = next(play), ""
    while not ended:
        ask = arena.truth.ask()
        agree(step, cast(State, arena.truth), ask, rng)
        choices: dict[int, Plain] = {}
        if isinstance(ask, Decide):
            choices = {ask.seat: ask.space.pick(rng)}
        elif isinstance(ask, Together):
            choices = {seat: space.pick(rng) for seat, space in enumerate(ask.spaces) if space is not None}
        answer = arena.advance(choices)
        try:
            step = play.send(answer)
        except GameOver as over:
            ended = str(over)
        mine = cast(State, arena.truth).mine
        if referee.pawns:
            assert [at(pawn) for pawn in mine.pawns if pawn is not None] == referee.pawns
        assert dict(mine.loose) == {number(square): gem for square, gem in referee.loose.items()}
        assert [list(gems) for gems in mine.carried if gems] == [sorted(gems) for gems in referee.carried if gems]
        assert [list(gems) for gems in mine.stored if gems] == [sorted(gems) for gems in referee.stored if gems]
    result = arena.truth.ask()
    assert isinstance(result, Result)
    assert ended in result.reason
    points = [referee.points(seat) for seat in range(seats)]
    assert result.scores == tuple((one,) for one in points)
    assert result.places == tuple(1 + sum(other > one for other in points) for one in points)
