"""Candidate choices of the bot: a few of those that a position offers, and those that follow simple rules."""

from __future__ import annotations

from itertools import combinations
from random import Random
from typing import Final

from kimberley.games.piecepack import legal
from kimberley.games.piecepack.coins import PART_VALUE, Coins, handles, of_suit, values
from kimberley.games.piecepack.field import distances, places
from kimberley.games.piecepack.position import PiecepackPosition
from kimberley.games.piecepack.spaces import StepSpace
from kimberley.games.piecepack.suits import CLUB, DIAMOND, HEART, MOON, SPADE, SUN
from kimberley.games.table import Item, Plain

WANTED: Final = {DIAMOND: 6.0, SPADE: 4.0, MOON: 3.0, SUN: 2.5, HEART: 2.0, CLUB: 1.5}
"""What a coin is worth by its suit alone."""
AVERAGE: Final = 2.5
"""The expected value of a coin that the seat has not seen."""
FIRST_SIGHT: Final = 0.25
"""How likely the most promising action is taken in thought; if not, so likely the next one."""
EAGER: Final = 0.8
"""How likely, in thought, diamonds are mined where they can be, and a move ends where the pawn is wanted."""

CHOOSING: Final = ("place", "act", "path", "defend", "steal", "peek")
"""The phases in which somebody chooses."""


def drafts(p: PiecepackPosition) -> list[Plain]:
    """Candidates for the seat that is asked, in an imagined world, the most promising first."""
    match p.phase:
        case "place":
            return list(places(p.field, p.at(p.turn)))
        case "act":
            return _actions(p)
        case "path":
            space = legal.paths(p)
            return [*_paths(p), ("stop",)] if space.stops else _paths(p) or _moves(space)
        case "defend":
            return _defenses(p)
    return [by_rule(p)]


def by_rule(p: PiecepackPosition) -> Plain:
    """A theft, a peek or a defense, chosen by the backs of coins and by what the seat has seen."""
    match p.phase:
        case "steal":
            assert p.attacked is not None
            return _best(p, p.hands[p.attacked], legal.loot(p).most)
        case "peek":
            space = legal.peeks(p)
            unseen = [coin for o in p.others(p.turn) for coin in p.hands[o] if coin.handle not in space.known]
            return _best(p, tuple(unseen), space.most)
    return _defenses(p)[-1]


def at_random(p: PiecepackPosition, rng: Random, restless: float) -> Plain:
    """Something to do that makes sense: diamonds are mined where they can be, and pawns go where they are wanted.

    A turn that could end goes on with a chance of `restless`.
    """
    if p.phase not in ("place", "act", "path"):
        return by_rule(p)
    options = drafts(p)
    if p.phase == "place":
        return rng.choice(options)
    mining = [option for option in options if isinstance(option, tuple) and option[0] in ("spade", "dig")]
    if mining and rng.random() < EAGER:
        return mining[0]
    wanted = targets(p)
    if p.phase == "path":
        stays = ("stop",) in options and p.at(p.turn) in wanted and rng.random() < EAGER
        return ("stop",) if stays else options[0]
    if ("end",) in options and rng.random() > restless:
        return ("end",)
    return next((option for option in options if option != ("end",) and rng.random() < FIRST_SIGHT), options[0])


def targets(p: PiecepackPosition) -> set[int]:
    """Where the seat at turn may want to be: on mines with spades, on markets with diamonds, by enemies with clubs."""
    seat, hand = p.turn, p.hands[p.turn]
    mines = p.in_pile and (p.power(seat, SPADE) or any(values(of_suit(hand, SPADE))))
    sells = bool(of_suit(hand, DIAMOND))
    found = {
        index
        for index, tile in enumerate(p.field)
        if (sells and tile.market) or (mines and tile.suit == DIAMOND and not tile.market)
    }
    if of_suit(hand, CLUB):
        found |= {p.at(other) for other in p.others(seat) if p.hands[other]}
    return found or {index for index, tile in enumerate(p.field) if tile.suit in (SUN, MOON) and not tile.market}


def _best(p: PiecepackPosition, coins: Coins, most: int) -> Plain:
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


def _moves(space: StepSpace) -> list[Plain]:
    """Every tile that can be reached, each in one way."""
    found: list[Plain] = [("step", to) for to in space.steps]
    near = {*space.steps}
    for over, to in space.jumps:
        if to not in near:
            near.add(to)
            found.append(("jump", over, to))
    return found


def _paths(p: PiecepackPosition) -> list[Plain]:
    """The moves that lead on towards where a pawn may want to be, and those that end there."""
    moves = _moves(legal.paths(p))
    scored: list[tuple[int, int, Plain]] = []
    for target in sorted(targets(p) - {*p.path}):
        far = distances(p.field, target)
        best = min(moves, key=lambda move: far[_goal(move)], default=None)
        if best is not None and far[_goal(best)] < p.steps:
            scored.append((far[_goal(best)], -p.field[target].value, best))
    return list(dict.fromkeys(move for *_, move in sorted(scored, key=lambda one: one[:2])))


def _goal(move: Plain) -> int:
    """The tile that a move leads to."""
    assert isinstance(move, tuple)
    to = move[-1]
    assert type(to) is int
    return to


def _actions(p: PiecepackPosition) -> list[Plain]:
    """The actions, the most promising first: mining, beatings, the nearest ways, and so on. Coins that would bring
    nothing are kept.
    """
    space = legal.actions(p)
    hand = p.hands[p.turn]
    found: list[Plain] = [("dig",)] if space.offers("dig") else []
    if space.offers("spade") and p.in_pile:
        found += [("spade", coins) for coins in _digging(p, of_suit(hand, SPADE))]
    if space.offers("club"):
        robbed = [victim for victim in space.victims if p.hands[victim]]
        found += [("club", victim, coins) for victim in robbed for coins in _few(of_suit(hand, CLUB))]
    ways = _ways(p, _moves(space)) if space.offers("step") else []
    found += ways[:2]
    found += [("end",)] if space.offers("end") else []
    if space.offers("sun"):
        found += [("sun", coins) for coins in _few(of_suit(hand, SUN))]
    found += [("oasis",)] if space.offers("oasis") else []
    if space.offers("moon") and p.in_bag:
        found += [("moon", coins) for coins in _few(of_suit(hand, MOON))]
    found += ways[2:]
    if space.offers("market"):
        cheap = sorted((c for c in hand if c.parts[0] != DIAMOND), key=_keeping)
        found += [("market", handles(cheap[:count])) for count in range(space.most("market"), 0, -1)]
    return found


def _ways(p: PiecepackPosition, moves: list[Plain]) -> list[Plain]:
    """Moves by how near they lead to where the pawn may want to be."""
    wanted = [distances(p.field, target) for target in sorted(targets(p) - {p.at(p.turn)})]
    if not wanted:
        return moves
    return sorted(moves, key=lambda move: min(far[_goal(move)] for far in wanted))


def _few(coins: Coins) -> list[tuple[int, ...]]:
    """The best coin, all together, and the least coin."""
    ranked = sorted(coins, key=lambda coin: values((coin,)))
    groups = ((ranked[-1],), tuple(ranked), (ranked[0],))
    return list(dict.fromkeys(handles(group) for group in groups))


def _digging(p: PiecepackPosition, spades: Coins) -> list[tuple[int, ...]]:
    """For each number of diamonds that spades can mine here, most first, those that waste least."""
    cap = min(p.tile(p.turn).value, p.in_pile)
    best: dict[int, tuple[int, int, tuple[int, ...]]] = {}
    for count in range(1, len(spades) + 1):
        for group in combinations(spades, count):
            total = sum(values(group))
            mined = min(total, cap)
            waste = (total - mined, count, handles(group))
            if mined not in best or waste < best[mined]:
                best[mined] = waste
    return [best[mined][2] for mined in sorted(best, reverse=True)]


def _keeping(coin: Item) -> float:
    """What a coin of one's own is worth keeping for."""
    suit, value = coin.parts
    assert type(suit) is int
    assert type(value) is int
    return WANTED[suit] * (0.5 + value)


def _defenses(p: PiecepackPosition) -> list[Plain]:
    """No heart, those that just ward off the attack, or all if that is too little; what is best by rule stands last."""
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
        return [(), min(enough)[2]]
    helpful = handles(coin for coin in own if values((coin,))[0] + space.bonus > 0)
    return [(), helpful] if helpful else [()]
