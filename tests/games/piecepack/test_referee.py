"""Whole games of the piecepack game against a second, slow version of its rules, told as a referee would tell them.

The referee is one generator, from the lots to the end: it yields what the table has to be asked next, is sent what was
answered, and knows every coin. It shares no code with the rules.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass, field
from itertools import pairwise, product
from math import prod
from random import Random
from typing import Any, TypeAlias

import pytest

from kimberley.games.arena import Arena
from kimberley.games.piecepack import GAME
from kimberley.games.table import Ask, Decide, Plain, Result, Roll, Show, Shuffle
from tests.support.effort import spread

SUN, MOON, CLUB, DIAMOND, HEART, SPADE = range(6)
Legal: TypeAlias = Callable[[Any], bool]
Step: TypeAlias = "Roll | Show | Stirred | Choice"
Play: TypeAlias = Generator[Step, Any, Any]


@dataclass
class Stirred:
    """Coins go into a bag: these, whatever their order."""

    bag: str
    coins: list[Any]


@dataclass
class Choice:
    """Somebody chooses what is `legal`."""

    seat: int
    topic: str
    legal: Legal


class GameOver(Exception):
    """The game is over, for a reason that begins like this."""


def cells(x: int, y: int) -> set[tuple[int, int]]:
    return {(x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1)}


def common_edge(one: set[tuple[int, int]], two: set[tuple[int, int]]) -> int:
    """Returns the length of the edge that two tiles share, in half tiles."""
    return sum(abs(a - c) + abs(b - d) == 1 for a, b in one for c, d in two)


@dataclass
class Referee:
    seats: int
    parts: list[tuple[Any, ...]]
    hands: list[list[int]] = field(default_factory=list)
    suits: list[int] = field(default_factory=list)
    scores: list[int] = field(default_factory=list)
    pawns: list[int] = field(default_factory=list)
    tiles: list[tuple[int, int, int, int]] = field(default_factory=list)
    stack: list[tuple[int, int]] = field(default_factory=list)
    bag: list[int] = field(default_factory=list)
    loose: list[int] = field(default_factory=list)
    pile: list[int] = field(default_factory=list)
    sold: list[int] = field(default_factory=list)
    quiet: int = 0

    def own(self, seat: int, suit: int) -> list[int]:
        return [coin for coin in self.hands[seat] if self.parts[coin][0] == suit]

    def total(self, coins: Iterable[int]) -> int:
        return sum(self.parts[coin][1] for coin in coins)

    def back(self, coins: Iterable[int]) -> None:
        for coin in coins:
            (self.sold if self.parts[coin][0] == DIAMOND else self.loose).append(coin)

    def lose(self, seat: int, coins: Iterable[int]) -> None:
        for coin in list(coins):
            self.hands[seat].remove(coin)
            self.back([coin])

    def near(self, one: int, two: int) -> bool:
        if max(one, two) >= len(self.tiles):
            return False
        (_, _, a, b), (_, _, c, d) = self.tiles[one], self.tiles[two]
        return one != two and common_edge(cells(a, b), cells(c, d)) > 0

    def is_free(self, seat: int, place: Any) -> bool:
        x, y = place
        taken = set().union(*(cells(c, d) for _, _, c, d in self.tiles))
        _, _, a, b = self.tiles[self.pawns[seat]]
        return not cells(x, y) & taken and common_edge(cells(x, y), cells(a, b)) in (1, 2)

    def places(self, seat: int) -> list[tuple[int, int]]:
        _, _, a, b = self.tiles[self.pawns[seat]]
        return [(x, y) for x in range(a - 4, a + 5) for y in range(b - 4, b + 5) if self.is_free(seat, (x, y))]

    def stands_on(self, seat: int, suit: int) -> bool:
        tile = self.tiles[self.pawns[seat]]
        return tile[0] == suit and tile[1] != 0

    # -- the game ------------------------------------------------------------------------------------------------------

    def game(self) -> Play:
        lots = yield Roll((*range(6, 6 - self.seats, -1), self.seats))
        left = list(range(6))
        self.suits = [left.pop(lot) for lot in lots[:-1]]
        self.hands, self.scores = [[] for _ in self.suits], [0 for _ in self.suits]
        corners = {3: [(0, 0), (2, 0), (1, 2)], 4: [(0, 0), (2, 0), (0, 2), (2, 2)]}
        corners[5] = [(0, 0), (2, 0), (4, 0), (1, 2), (3, 2)]
        corners[6] = [(0, 0), (2, 0), (4, 0), (0, 2), (2, 2), (4, 2)]
        self.tiles = [(suit, 0, *at) for suit, at in zip(self.suits, corners[self.seats], strict=True)]
        self.pawns = list(range(self.seats))
        kinds = [(suit, value) for suit in range(6) for value in range(6)]
        self.stack = [kind for kind in kinds if kind[1] or kind[0] not in self.suits]
        items = yield Stirred("coins", [kind for kind in kinds if kind[0] != DIAMOND])
        self.bag = [item.handle for item in items]
        items = yield Stirred("diamonds", [kind for kind in kinds if kind[0] == DIAMOND])
        self.pile = [item.handle for item in items]
        for seat in range(self.seats):
            yield from self.draw(seat, 2)
        seat = lots[-1]
        while True:
            yield from self.turn(seat)
            if self.quiet >= 3 * self.seats:
                raise GameOver("nobody had room to explore")
            seat = (seat + 1) % self.seats

    def draw(self, seat: int, count: int) -> Play:
        if count and self.suits[seat] == MOON:
            count += 1
        count = min(count, len(self.bag) + len(self.loose))
        if not count:
            return
        yield from self.shake()
        drawn, self.bag = self.bag[:count], self.bag[count:]
        yield Show(tuple(drawn), ((0, None), (1, seat)))
        self.hands[seat] += drawn

    def shake(self) -> Play:
        if self.loose:
            items = yield Stirred("coins", [*self.bag, *self.loose])
            self.bag, self.loose = [item.handle for item in items], []

    def turn(self, seat: int) -> Play:
        if self.places(seat):
            lot = (yield Roll((len(self.stack),)))[0]
            tile = self.stack.pop(lot)
            self.quiet = 0
            if not self.stack:
                raise GameOver("the last tile was drawn")
            at = yield Choice(seat, "place", lambda choice: self.is_free(seat, choice))
            self.tiles.append((*tile, *at))
        else:
            self.quiet += 1
        acted, stepped, used = 0, False, set[tuple[str, int]]()
        while True:
            others = self.possible(seat, stepped, used)
            if acted and not others:
                return
            if acted:
                others.add("end")
            choice = yield Choice(seat, "action", self.action(seat, frozenset(others)))
            if choice == ("end",):
                return
            acted += 1
            stepped |= choice[0] in ("step", "jump")
            if choice[0] in ("market", "oasis", "dig"):
                used.add((choice[0], self.pawns[seat]))
            yield from getattr(self, choice[0])(seat, *choice[1:])

    def possible(self, seat: int, stepped: bool, used: set[tuple[str, int]]) -> set[str]:
        """Returns the kinds of action that are open, ending the turn apart."""
        here, hand = self.pawns[seat], self.hands[seat]
        found = set() if stepped else {"step"}
        if not stepped and self.suits[seat] == SUN:
            found.add("jump")
        found |= {word for word, suit in (("sun", SUN), ("moon", MOON)) if self.own(seat, suit)}
        company = any(self.pawns[other] == here for other in range(self.seats) if other != seat)
        if self.own(seat, CLUB) and company and not self.stands_on(seat, HEART):
            found.add("club")
        if self.own(seat, SPADE) and self.stands_on(seat, DIAMOND):
            found.add("spade")
        if self.suits[seat] == SPADE and self.stands_on(seat, DIAMOND) and self.pile + self.sold:
            found.add("dig")
        if self.stands_on(seat, SUN) and len(hand) > len(self.own(seat, DIAMOND)):
            found.add("market")
        if self.stands_on(seat, MOON) and any(self.parts[coin][0] == HEART for coin in self.bag + self.loose):
            found.add("oasis")
        return {kind for kind in found if (kind, here) not in used}

    def action(self, seat: int, kinds: frozenset[str]) -> Legal:
        here = self.pawns[seat]
        suits = {"sun": SUN, "moon": MOON, "club": CLUB, "spade": SPADE}

        def legal(choice: Any) -> bool:
            kind, *rest = choice
            if kind not in kinds:
                return False
            if kind == "step":
                return self.near(here, rest[0])
            if kind == "jump":
                return self.near(here, rest[0]) and self.near(rest[0], rest[1]) and rest[1] != here
            if kind == "club" and (rest[0] == seat or self.pawns[rest[0]] != here):
                return False
            if kind in suits:
                return bool(rest[-1]) and set(rest[-1]) <= set(self.own(seat, suits[kind]))
            if kind == "market":
                fit = set(self.hands[seat]) - set(self.own(seat, DIAMOND))
                return bool(rest[0]) and set(rest[0]) <= fit and len(rest[0]) <= self.tiles[here][1]
            return True

        return legal

    # -- actions -------------------------------------------------------------------------------------------------------

    def step(self, seat: int, to: int) -> Play:
        yield from self.arrive(seat, to)

    def jump(self, seat: int, over: int, to: int) -> Play:
        del over
        yield from self.arrive(seat, to)

    def spend(self, seat: int, coins: Iterable[int]) -> Play:
        """Takes coins from the hand, and shows them in the order of the hand, as all can see it."""
        lying = [coin for coin in self.hands[seat] if coin in coins]
        self.hands[seat] = [coin for coin in self.hands[seat] if coin not in coins]
        yield Show(tuple(lying), ((1, None),))

    def sun(self, seat: int, coins: tuple[int, ...]) -> Play:
        yield from self.spend(seat, coins)
        left, been, jumper = self.total(coins), [self.pawns[seat]], self.suits[seat] == SUN
        while left:
            legal = self.path(seat, list(been), jumper)
            ways = [("step", to) for to in range(len(self.tiles))]
            leaps = [("jump", over, to) for over in range(len(self.tiles)) for to in range(len(self.tiles))]
            if not any(legal(way) for way in [*ways, *leaps]):
                break
            choice = yield Choice(seat, "path", legal)
            if choice == ("stop",):
                break
            jumper = jumper and choice[0] != "jump"
            been += choice[1:]
            left -= 1
            yield from self.arrive(seat, choice[-1])
        self.back(coins)

    def path(self, seat: int, been: list[int], jumper: bool) -> Legal:
        def legal(choice: Any) -> bool:
            kind, *on = choice
            if kind == "stop":
                return len(been) > 1
            if set(on) & set(been) or (kind == "jump" and not jumper):
                return False
            stops = [self.pawns[seat], *on]
            return all(self.near(one, two) for one, two in pairwise(stops))

        return legal

    def moon(self, seat: int, coins: tuple[int, ...]) -> Play:
        yield from self.spend(seat, coins)
        yield from self.draw(seat, self.total(coins))
        self.back(coins)

    def club(self, seat: int, victim: int, coins: tuple[int, ...]) -> Play:
        yield from self.spend(seat, coins)
        attack = self.total(coins) + (len(coins) if self.suits[seat] == CLUB else 0)
        shield = yield from self.hearts(victim)
        bonus = len(shield) if self.suits[victim] == HEART else 0
        attack -= self.total(shield) + bonus
        if attack > 0 and self.hands[victim]:
            there = set(self.hands[victim])
            most = attack
            loot = yield Choice(seat, "theft", lambda choice: set(choice) <= there and len(choice) <= most)
            self.hands[seat] += [coin for coin in self.hands[victim] if coin in loot]
            self.hands[victim] = [coin for coin in self.hands[victim] if coin not in loot]
            if loot:
                yield Show(tuple(loot), ((1, seat),))
        self.back([*shield, *coins])

    def hearts(self, seat: int) -> Generator[Step, Any, list[int]]:
        fit = set(self.own(seat, HEART))
        if not fit:
            return []
        chosen = yield Choice(seat, "defence", lambda choice: set(choice) <= fit)
        if chosen:
            yield from self.spend(seat, chosen)
        return list(chosen)

    def spade(self, seat: int, coins: tuple[int, ...]) -> Play:
        yield from self.spend(seat, coins)
        yield from self.mine(seat, min(self.total(coins), self.tiles[self.pawns[seat]][1]))
        self.back(coins)

    def dig(self, seat: int) -> Play:
        yield from self.mine(seat, 1)

    def mine(self, seat: int, count: int) -> Play:
        count = min(count, len(self.pile) + len(self.sold))
        if not count:
            return
        if self.sold:
            items = yield Stirred("diamonds", [*self.pile, *self.sold])
            self.pile, self.sold = [item.handle for item in items], []
        mined, self.pile = self.pile[:count], self.pile[count:]
        yield Show(tuple(mined), ((1, seat),))
        self.hands[seat] += mined

    def market(self, seat: int, coins: tuple[int, ...]) -> Play:
        self.lose(seat, coins)
        yield from self.draw(seat, len(coins))

    def oasis(self, seat: int) -> Play:
        yield from self.shake()
        yield Show(tuple(self.bag), ((0, None),))
        found = next(coin for coin in self.bag if self.parts[coin][0] == HEART)
        self.loose = [coin for coin in self.bag if coin != found]
        self.bag = []
        self.hands[seat].append(found)
        yield Show((found,), ((1, seat),))
        if self.suits[seat] == MOON and self.loose:
            yield from self.shake()
            more = self.bag.pop(0)
            yield Show((more,), ((0, None), (1, seat)))
            self.hands[seat].append(more)

    # -- what tiles do to who comes there ------------------------------------------------------------------------------

    def arrive(self, seat: int, to: int) -> Play:
        self.pawns[seat] = to
        suit, value, *_ = self.tiles[to]
        if not value:
            yield from self.sell(seat)
        elif suit == CLUB:
            yield from self.war(seat, value)
        elif suit == HEART:
            self.lose(seat, self.own(seat, CLUB))
        elif suit == SPADE:
            there = {coin for other in range(self.seats) if other != seat for coin in self.hands[other]}
            if there:
                chosen = yield Choice(seat, "peek", lambda c: set(c) <= there and len(c) <= value)
                if chosen:
                    yield Show(tuple(chosen), ((1, seat),))

    def sell(self, seat: int) -> Play:
        diamonds = sorted(self.own(seat, DIAMOND))
        if not diamonds:
            return
        yield Show(tuple(diamonds), ((1, None),))
        values = sorted(self.parts[coin][1] for coin in diamonds)
        if self.suits[seat] == DIAMOND:
            values[-1] += 2
        self.lose(seat, diamonds)
        self.scores[seat] += prod(values)
        if self.scores[seat] >= 600:
            raise GameOver("600 points")

    def war(self, seat: int, attack: int) -> Play:
        shield = yield from self.hearts(seat)
        attack = max(0, attack - self.total(shield))
        hand = list(self.hands[seat])
        if attack >= len(hand):
            self.lose(seat, hand)
        elif attack:
            lots = yield Roll(tuple(len(hand) - gone for gone in range(attack)))
            self.lose(seat, [hand.pop(lot) for lot in lots])
        self.back(shield)


# -- the rules against the referee -------------------------------------------------------------------------------------


def agree(step: Step, ask: Ask | Result, rng: Random) -> None:
    """Checks that the table asks what the referee says."""
    match step:
        case Stirred(bag, coins):
            assert isinstance(ask, Shuffle)
            assert (ask.bag, sorted(map(str, ask.items))) == (bag, sorted(map(str, coins)))
        case Choice(seat, topic, legal):
            assert isinstance(ask, Decide), ask
            assert (ask.seat, ask.topic) == (seat, topic)
            for choice in tries(ask, rng):
                reason = ask.space.violation(choice)
                assert (reason is None) == legal(choice), (choice, reason)
        case _:
            assert ask == step


def tries(ask: Decide, rng: Random) -> list[Plain]:
    """Returns choices, good and bad, of what is asked."""
    near = [rng.randrange(-6, 7) for _ in range(2)]
    handles = [tuple(sorted(rng.sample(range(36), rng.randint(0, 3)))) for _ in range(6)]
    good = [ask.space.pick(rng) for _ in range(4)]
    match ask.topic:
        case "place":
            return [*good, *[(x, y) for x in range(-8, 9) for y in near]]
        case "action" | "path":
            tiles = range(rng.randint(3, 12))
            moves: list[Plain] = [("step", to) for to in tiles]
            moves += [("jump", over, to) for over in tiles for to in tiles]
            if ask.topic == "path":
                return [*good, *moves, ("stop",)]
            own = getattr(ask.space, "hands", ())
            handles += [tuple(suit[: rng.randint(0, 3)]) for suit in own]
            kinds = ("sun", "moon", "spade", "market")
            coins: list[Plain] = [(kind, chosen) for kind in kinds for chosen in handles]
            coins += [("club", rng.randrange(3), chosen) for chosen in handles]
            return [*good, *moves, *coins, ("dig",), ("oasis",), ("end",)]
    return [*good, *handles]


@pytest.mark.parametrize(("seats", "seed"), spread(1, product(GAME.seats, range(3))))
def test_a_whole_game_goes_as_the_referee_says(seats: int, seed: int) -> None:
    rng = Random(100 * seats + seed)
    arena = Arena(GAME.start(seats, {}), rng)
    referee = Referee(seats, arena.parts)
    play = referee.game()
    step, ended = next(play), ""
    while not ended:
        ask = arena.truth.ask()
        agree(step, ask, rng)
        answer = arena.advance({ask.seat: ask.space.pick(rng)} if isinstance(ask, Decide) else {})
        try:
            step = play.send(answer)
        except GameOver as over:
            ended = str(over)
        state: Any = arena.truth
        assert [sorted(coin.handle for coin in own) for own in state.hands] == [sorted(h) for h in referee.hands]
        assert (list(state.pawns), list(state.scores)) == (referee.pawns, referee.scores)
    result = arena.truth.ask()
    assert isinstance(result, Result)
    assert ended in result.reason
    assert result.scores == tuple((score,) for score in referee.scores)
    assert result.places == tuple(1 + sum(o > s for o in referee.scores) for s in referee.scores)
