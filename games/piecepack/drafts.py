"""What is worth a thought: a few of the choices that a position offers, and the choices that follow simple rules."""

from __future__ import annotations

from itertools import combinations
from random import Random
from typing import Final

from games.piecepack import menu
from games.piecepack.coins import PART_VALUE, Coins, handles, of_suit, values
from games.piecepack.field import places
from games.piecepack.position import Position
from games.piecepack.spaces import Moves
from games.piecepack.suits import CLUB, DIAMOND, HEART, MOON, SPADE, SUN
from games.table import Item, Plain

WANTED: Final = {DIAMOND: 6.0, SPADE: 4.0, MOON: 3.0, SUN: 2.5, HEART: 2.0, CLUB: 1.5}
"""What a coin is wanted for, by its suit alone."""
AVERAGE: Final = 2.5
"""The value to expect of a coin that one has not seen."""
RESTLESS: Final = 0.65
"""How likely a turn, or a move, goes on in thought where it could end."""

CHOOSING: Final = ("place", "act", "path", "defend", "steal", "peek")
"""The phases in which somebody chooses."""


def drafts(p: Position) -> list[Plain]:
    """Choices worth a thought for whoever is asked, in an imagined world; what ends a turn or a move stands last."""
    match p.phase:
        case "place":
            return list(places(p.field, p.at(p.turn)))
        case "act":
            return _actions(p)
        case "path":
            return [*_moves(menu.paths(p)), ("stop",)]
        case "defend":
            return _defences(p)
    return [by_rule(p)]


def by_rule(p: Position) -> Plain:
    """A theft, a peek or a defence, by what backs promise and what one has seen."""
    match p.phase:
        case "steal":
            assert p.attacked is not None
            return _best(p, p.hands[p.attacked], menu.loot(p).most)
        case "peek":
            space = menu.peeks(p)
            unseen = [coin for o in p.others(p.turn) for coin in p.hands[o] if coin.handle not in space.known]
            return _best(p, tuple(unseen), space.most)
    return _defences(p)[-1]


def at_random(p: Position, rng: Random) -> Plain:
    """Something to do, for going on in thought."""
    if p.phase not in ("place", "act", "path"):
        return by_rule(p)
    options = drafts(p)
    if options[-1] in (("end",), ("stop",)) and rng.random() > RESTLESS:
        return options[-1]
    return rng.choice(options)


def _best(p: Position, coins: Coins, most: int) -> Plain:
    """The coins that promise most to whose turn it is, but no diamond that it knows to be worthless."""

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


def _moves(space: Moves) -> list[Plain]:
    """Every tile that can be reached, each in one way."""
    found: list[Plain] = [("step", to) for to in space.steps]
    near = {*space.steps}
    for over, to in space.jumps:
        if to not in near:
            near.add(to)
            found.append(("jump", over, to))
    return found


def _actions(p: Position) -> list[Plain]:
    space = menu.actions(p)
    hand = p.hands[p.turn]
    found: list[Plain] = []
    if space.offers("step"):
        found += _moves(space)
    for kind, suit in (("sun", SUN), ("moon", MOON)):
        if space.offers(kind):
            found += [(kind, coins) for coins in _one_or_all(of_suit(hand, suit))]
    if space.offers("club"):
        found += [("club", victim, coins) for victim in space.victims for coins in _one_or_all(of_suit(hand, CLUB))]
    if space.offers("spade"):
        found += [("spade", coins) for coins in _digging(p, of_suit(hand, SPADE))]
    if space.offers("market"):
        cheap = sorted((c for c in hand if c.parts[0] != DIAMOND), key=_keeping)
        found += [("market", handles(cheap[:count])) for count in range(1, space.most("market") + 1)]
    found += [(kind,) for kind in ("dig", "oasis", "end") if space.offers(kind)]
    return found


def _one_or_all(coins: Coins) -> list[tuple[int, ...]]:
    """One coin of each value, and all together."""
    single = {coin.parts[PART_VALUE]: (coin.handle,) for coin in coins}
    return [*single.values(), *([handles(coins)] if len(coins) > 1 else [])]


def _digging(p: Position, spades: Coins) -> list[tuple[int, ...]]:
    """For each number of diamonds that spades can mine here, those that waste least."""
    cap = min(p.tile(p.turn).value, p.in_pile)
    best: dict[int, tuple[int, int, tuple[int, ...]]] = {}
    for count in range(1, len(spades) + 1):
        for group in combinations(spades, count):
            total = sum(values(group))
            mined = min(total, cap)
            waste = (total - mined, count, handles(group))
            if mined not in best or waste < best[mined]:
                best[mined] = waste
    return [waste[2] for waste in best.values()]


def _keeping(coin: Item) -> float:
    """What a coin of one's own is worth keeping for."""
    suit, value = coin.parts
    assert type(suit) is int
    assert type(value) is int
    return WANTED[suit] * (0.5 + value)


def _defences(p: Position) -> list[Plain]:
    """No heart, those that just ward off the attack, or all if that is too little; what is best by rule stands last."""
    space = menu.hearts(p)
    assert p.attacked is not None
    own = of_suit(p.hands[p.attacked], HEART)
    enough: list[tuple[int, int, tuple[int, ...]]] = []
    for count in range(1, len(own) + 1):
        for group in combinations(own, count):
            total = sum(values(group)) + space.bonus * count
            if total >= p.attack:
                enough.append((total, count, handles(group)))
    if enough:
        return [(), min(enough)[2]]
    helpful = handles(coin for coin in own if values((coin,))[0] + space.bonus > 0)
    return [(), helpful] if helpful else [()]
