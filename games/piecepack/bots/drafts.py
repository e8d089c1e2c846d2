"""Candidate choices of the bot: a few of those that a position offers, and those that follow simple rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations
from random import Random
from typing import Final

from kimberley.games.piecepack import legal
from kimberley.games.piecepack.bots.goals import PLANNED, Standing, coin_worth, drawing, usefulness
from kimberley.games.piecepack.coins import PART_VALUE, Coins, handles, of_suit, values
from kimberley.games.piecepack.field import beside, jumps, places
from kimberley.games.piecepack.position import PiecepackPosition
from kimberley.games.piecepack.spaces import KINDS_OF_ACTION
from kimberley.games.piecepack.suits import CLUB, DIAMOND, HEART, MOON, SPADE, SUN
from kimberley.games.table import Item, Plain

WANTED: Final = {DIAMOND: 6.0, SPADE: 4.0, MOON: 3.0, SUN: 2.5, HEART: 2.0, CLUB: 1.5}
"""What a coin is worth by its suit alone."""
AVERAGE: Final = 2.5
"""The expected value of a coin that the seat has not seen."""
EFFORT: Final = 0.4
"""The points that an action must gain, so that turns are short and coins are not wasted."""

CHOOSING: Final = ("place", "act", "path", "defend", "steal", "peek")
"""The phases in which somebody chooses."""


def drafts(p: PiecepackPosition) -> list[Plain]:
    """Returns candidates for the seat that is asked, in an imagined world, the most promising first."""
    match p.phase:
        case "place":
            return list(places(p.field, p.at(p.turn)))
        case "act":
            return _actions(p)
        case "path":
            return _paths(p)
        case "defend":
            return _defenses(p)
    return [by_rule(p)]


def by_rule(p: PiecepackPosition) -> Plain:
    """Returns a theft, a peek or a defense, chosen by the backs of coins and by what the seat has seen."""
    match p.phase:
        case "steal":
            assert p.attacked is not None
            return _best(p, p.hands[p.attacked], legal.loot(p).most)
        case "peek":
            space = legal.peeks(p)
            unseen = [coin for o in p.others(p.turn) for coin in p.hands[o] if coin.handle not in space.known]
            return _best(p, tuple(unseen), space.most)
    return _defenses(p)[0]


def at_first_sight(p: PiecepackPosition, rng: Random, sight: float) -> Plain:
    """Returns what promises most with a chance of `sight`; failing that, the next with the same chance, and so on.
    Nobody overlooks the mine where they stand. A tile is laid anywhere.
    """
    if p.phase not in ("place", "act", "path"):
        return by_rule(p)
    options = drafts(p)
    if p.phase == "place":
        return rng.choice(options)
    mines = [option for option in options[:1] if isinstance(option, tuple) and option[0] in ("spade", "dig")]
    return next((option for option in options if option in mines or rng.random() < sight), options[0])


def _best(p: PiecepackPosition, coins: Coins, most: int) -> Plain:
    """Returns the coins that promise most to the current seat, but no diamond that it knows to be worthless."""

    def promise(coin: Item) -> float:
        suit, value = coin.parts
        assert type(suit) is int
        assert type(value) is int
        known = bool(coin.seen[PART_VALUE] >> p.turn & 1)
        if suit == DIAMOND and known and not value:
            return -1.0
        return WANTED[suit] * (1.0 + (value if known else AVERAGE))

    ranked = sorted(coins, key=lambda coin: (-promise(coin), coin.handle))
    return handles(coin for coin in ranked[:most] if promise(coin) >= 0)


def _moves(steps: tuple[int, ...], leaps: tuple[tuple[int, int], ...]) -> list[Plain]:
    """Returns every tile that can be reached, each in one way."""
    moves: list[Plain] = [("step", to) for to in steps]
    near = {*steps}
    for over, to in leaps:
        if to not in near:
            near.add(to)
            moves.append(("jump", over, to))
    return moves


def _paths(p: PiecepackPosition) -> list[Plain]:
    """Returns how a move by suns can continue or stop, by what the pawn can still reach."""
    space = legal.paths(p)
    standing = Standing(p, p.turn)
    ways = [
        (standing.outlook(_goal(move), p.steps - 1, selling=True), move) for move in _moves(space.steps, space.jumps)
    ]
    return _ranked([*ways, (standing.outlook(p.at(p.turn), selling=True), ("stop",))] if space.stops else ways)


def _goal(move: Plain) -> int:
    """Returns the tile that a move leads to."""
    assert isinstance(move, tuple)
    to = move[-1]
    assert type(to) is int
    return to


def _actions(p: PiecepackPosition) -> list[Plain]:
    """Returns the actions by the points that they promise, and the end of the turn, which promises none."""
    standing = Standing(p, p.turn)
    kinds = {kind for kind in KINDS_OF_ACTION if not legal.refusal(p, kind)}
    gains = (*_moving(p, standing, kinds), *_drawing(standing, kinds), *_spending(p, standing, kinds))
    end: list[tuple[float, Plain]] = [(0.0, ("end",))] if "end" in kinds else []
    return _ranked([*end, *((gain - EFFORT, action) for gain, action in gains)])


def _ranked(options: list[tuple[float, Plain]]) -> list[Plain]:
    return [option for _, option in sorted(options, key=lambda one: -one[0])]


def _moving(p: PiecepackPosition, standing: Standing, kinds: set[str]) -> Iterator[tuple[float, Plain]]:
    """Yields steps, jumps and moves by suns, and by how much they lead to a better place."""
    own = p.at(p.turn)
    here = standing.outlook(own, selling=True)
    if "step" in kinds:
        for move in _moves(beside(p.field, own), jumps(p.field, own) if "jump" in kinds else ()):
            yield standing.outlook(_goal(move), selling=True) - here, move
    if "sun" in kinds:
        for group in _few(standing.hand[SUN], _total, idles=_idles(p, standing)):
            there = standing.outlook(own, sum(values(group)), selling=True)
            yield there - here - _cost(group, standing.held), ("sun", handles(group))


def _drawing(standing: Standing, kinds: set[str]) -> Iterator[tuple[float, Plain]]:
    """Yields actions that cost nothing: a diamond for the digger, and a heart on an oasis."""
    if "dig" in kinds:
        yield standing.mining()[1] * PLANNED, ("dig",)
    if "oasis" in kinds:
        yield drawing(standing.held, 1), ("oasis",)


def _spending(p: PiecepackPosition, standing: Standing, kinds: set[str]) -> Iterator[tuple[float, Plain]]:
    """Yields actions that spend or trade coins, and what each brings beyond what the coins are worth."""
    hand, held, idles = standing.hand, standing.held, _idles(p, standing)
    if "spade" in kinds and p.in_pile:
        mined = standing.mining()
        for count, group in _digging(p, hand[SPADE]):
            if not count and not idles:
                continue
            yield mined[count] * PLANNED - _cost(group, held), ("spade", handles(group))
    if "club" in kinds:
        brutal = int(p.power(p.turn, CLUB))
        for group in _few(hand[CLUB], lambda coins: _total(coins) + len(coins) * brutal, idles=idles):
            attack = _total(group) + len(group) * brutal
            for victim in p.victims(p.turn):
                if not p.hands[victim] and not idles:
                    continue
                stolen = drawing(held - len(group), min(attack, len(p.hands[victim])))
                yield stolen - _cost(group, held), ("club", victim, handles(group))
    if "moon" in kinds and p.in_bag:
        more = int(p.power(p.turn, MOON))
        for group in _few(hand[MOON], lambda coins: min(_total(coins), max(1, p.in_bag - more)), idles=idles):
            drawn = drawing(held - len(group), _total(group))
            yield drawn - _cost(group, held), ("moon", handles(group))
    if "market" in kinds:
        cheap = sorted((coin for coin in p.hands[p.turn] if coin.parts[0] != DIAMOND), key=coin_worth)
        for count in range(1, min(p.tile(p.turn).value, len(cheap)) + 1):
            group = tuple(cheap[:count])
            yield drawing(held - count, count) - _cost(group, held), ("market", handles(group))


def _cost(coins: Coins, held: int) -> float:
    """Returns what a hand of `held` coins loses with some of them."""
    return usefulness(held - len(coins)) * sum(map(coin_worth, coins))


def _total(coins: Coins) -> int:
    return sum(values(coins))


def _idles(p: PiecepackPosition, standing: Standing) -> bool:
    """Returns whether it can be worth spending coins for nothing: only an action lets the turn end without a step, and
    a step to a black market where diamonds sell is better than any other.
    """
    near = beside(p.field, p.at(p.turn))
    return not p.acted and (standing.stuck or not any(index in near for index, _ in standing.sales))


def _few(coins: Coins, effect: Callable[[Coins], int], *, idles: bool) -> list[Coins]:
    """Returns the least coin, the best coin, and all together, but no choice that achieves no more than those before,
    and none that achieves nothing unless the seat `idles`.
    """
    ranked = sorted(coins, key=lambda coin: values((coin,)))
    groups: dict[int, Coins] = {}
    for group in ((ranked[0],), (ranked[-1],), tuple(ranked)):
        groups.setdefault(effect(group), group)
    return [group for achieved, group in groups.items() if achieved or idles]


def _digging(p: PiecepackPosition, spades: Coins) -> list[tuple[int, Coins]]:
    """Returns, for each number of diamonds that spades can mine here, the spades that waste least."""
    cap = min(p.tile(p.turn).value, p.in_pile)
    best: dict[int, tuple[int, int, tuple[int, ...], Coins]] = {}
    for count in range(1, len(spades) + 1):
        for group in combinations(spades, count):
            total = sum(values(group))
            mined = min(total, cap)
            waste = (total - mined, count, handles(group), group)
            if mined not in best or waste < best[mined]:
                best[mined] = waste
    return [(mined, best[mined][3]) for mined in sorted(best)]


def _defenses(p: PiecepackPosition) -> list[Plain]:
    """Returns the hearts that just ward off the attack, or all if that is too little, and then none: each heart spent
    saves at least one coin.
    """
    if not p.attack:
        return [()]
    space = legal.hearts(p)
    assert p.attacked is not None
    own = of_suit(p.hands[p.attacked], HEART)
    enough: list[tuple[int, int, tuple[int, ...]]] = []
    for count in range(1, len(own) + 1):
        for group in combinations(own, count):
            total = sum(values(group)) + space.bonus * count
            if total >= p.attack:
                enough.append((total, count, handles(group)))
    if enough:
        return [min(enough)[2], ()]
    helpful = handles(coin for coin in own if values((coin,))[0] + space.bonus > 0)
    return [helpful, ()] if helpful else [()]
