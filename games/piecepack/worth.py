"""How well a seat stands in an imagined world, in points."""

from __future__ import annotations

from typing import Final

from games.piecepack.coins import Coins, of_suit, values
from games.piecepack.field import distances
from games.piecepack.position import Position
from games.piecepack.suits import CLUB, DIAMOND, HEART, HIGHEST, SPADE, SUN, payoff

COIN: Final = ((0.6, 0.7), (0.6, 1.0), (0.3, 0.4), (0.5, 0.0), (0.5, 0.4), (0.8, 1.0))
"""Points for a coin of each suit, and for each of its pips, with a few turns to come."""
SURE: Final = 0.9
"""What is expected of a sale in the next turn."""
LATER: Final = 0.72
"""By which each further step to a market lessens it."""
ROBBED: Final = 0.12
"""What each enemy with clubs, within a step, is expected to take of what one holds."""
FULL: Final = 3.0
"""Turns of one's own from which on coins are worth all they can be."""
RIVAL: Final = 0.6
"""How much the best rival's standing counts against one's own."""
MINE_NEAR: Final = 0.7
"""By which each step to a mine lessens what spades are good for there."""
WIN: Final = 150.0
"""What the game's end in one's favour is worth beyond the points."""


def standing(p: Position, seat: int) -> float:
    """What a seat has, less what its best rival has."""
    if not p.present[seat]:
        return -WIN
    if p.ended:
        return _final(p, seat)
    rival = max((prospects(p, other) for other in p.others(seat)), default=0.0)
    return prospects(p, seat) - RIVAL * rival


def _final(p: Position, seat: int) -> float:
    best = max((p.scores[other] for other in p.others(seat)), default=0)
    lead = p.scores[seat] - best
    return lead + (WIN if lead > 0 else -WIN if lead < 0 else 0.0)


def prospects(p: Position, seat: int) -> float:
    """The points of a seat, and what its hand may bring."""
    to_come = len(p.stack) / max(1, sum(p.present))
    if to_come <= 0:
        return float(p.scores[seat])
    hand = p.hands[seat]
    far = distances(p.field, p.at(seat))
    total = p.scores[seat] + min(1.0, to_come / FULL) * (_coins(p, seat) + _mining(p, seat, far))
    diamonds = of_suit(hand, DIAMOND)
    if diamonds:
        total += _sale(p, seat, values(diamonds), far, to_come) * max(0.2, 1.0 - ROBBED * _threats(p, seat, far))
    return total


def _coins(p: Position, seat: int) -> float:
    total = 0.0
    for coin in p.hands[seat]:
        suit, value = coin.parts
        assert type(suit) is int
        assert type(value) is int
        flat, pip = COIN[suit]
        total += flat + pip * value
    if p.power(seat, CLUB):
        total += len(of_suit(p.hands[seat], CLUB))
    return total


def _sale(p: Position, seat: int, diamonds: list[int], far: tuple[int, ...], to_come: float) -> float:
    """What diamonds are expected to bring: their price, less for each turn until a market is reached."""
    swindler = p.power(seat, DIAMOND)
    here = p.at(seat)
    steps = min((far[index] if index != here else 2 for index, tile in enumerate(p.field) if tile.market), default=9)
    late = max(0, steps - reach(p, seat))
    if late >= to_come:
        return 0.0
    price = payoff(diamonds, swindler)
    if 0 in diamonds and len(diamonds) > 1:
        price = max(price, payoff([value for value in diamonds if value], swindler) // 8)
    growth = sum(1 for value in diamonds if value > 1) * min(1.0, to_come / FULL)
    return (price + growth) * SURE * LATER**late


def reach(p: Position, seat: int) -> int:
    """How many steps a seat can take in its next turn."""
    hand: Coins = p.hands[seat]
    return 1 + sum(values(of_suit(hand, SUN))) + int(p.power(seat, SUN))


def _mining(p: Position, seat: int, far: tuple[int, ...]) -> float:
    """What spades, or the digger's hands, are good for on the best mine around."""
    if not p.in_pile:
        return 0.0
    spades = sum(values(of_suit(p.hands[seat], SPADE)))
    dig = p.power(seat, SPADE)
    if not spades and not dig:
        return 0.0
    best = 0.0
    for index, tile in enumerate(p.field):
        if tile.suit == DIAMOND and not tile.market:
            mined = min(tile.value, p.in_pile, spades) + dig
            best = max(best, (1.5 * mined + 0.5 * mined * mined) * MINE_NEAR ** far[index])
    return best


def _threats(p: Position, seat: int, far: tuple[int, ...]) -> float:
    """Enemies with clubs that can come to a seat in their next turn, less what its hearts are good for."""
    tile = p.tile(seat)
    if tile.suit == HEART and not tile.market:
        return 0.0
    enemies = 0.0
    for other in p.others(seat):
        clubs = len(of_suit(p.hands[other], CLUB))
        if clubs and far[p.at(other)] <= 1 + len(of_suit(p.hands[other], SUN)):
            enemies += min(2, clubs)
    hearts = sum(values(of_suit(p.hands[seat], HEART)))
    return enemies * max(0.0, 1.0 - hearts / (HIGHEST + 1))
