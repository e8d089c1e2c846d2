"""How well a seat stands in an imagined world, in points."""

from __future__ import annotations

from math import comb, sqrt
from typing import Final

from kimberley.games.piecepack.coins import Coins, of_suit, values
from kimberley.games.piecepack.field import distances
from kimberley.games.piecepack.position import PiecepackPosition
from kimberley.games.piecepack.suits import CLUB, DIAMOND, HEART, HIGHEST, SPADE, SUN, payoff

COIN: Final = ((0.3, 0.35), (0.4, 0.5), (0.3, 0.3), (0.3, 0.0), (0.3, 0.3), (0.3, 0.2))
"""Points for a coin of each suit, and for each of its pips, with a few turns to come."""
MANY: Final = 7
"""The number of coins from which more are worth little."""
SURE: Final = 0.85
"""What is expected of a sale in the next turn."""
LATER: Final = 0.75
"""By which each further turn lessens it."""
PLANNED: Final = 0.4
"""What is expected of diamonds that are still to be mined."""
ROBBED: Final = 0.12
"""What each enemy with clubs, within reach, is expected to take of what one holds."""
FULL: Final = 3.0
"""The number of turns to come from which coins have their full worth."""
RIVAL: Final = 0.6
"""How much the best rival's standing counts against one's own."""
WIN: Final = 60.0
"""What winning is worth beyond the points."""


def evaluate(p: PiecepackPosition, seat: int) -> float:
    """What a seat has, less what its best rival has."""
    if not p.present[seat]:
        return -WIN
    if p.ended:
        return _final(p, seat)
    rival = max((prospects(p, other) for other in p.others(seat)), default=0.0)
    return prospects(p, seat) - RIVAL * rival


def _final(p: PiecepackPosition, seat: int) -> float:
    lead = p.scores[seat] - max((p.scores[other] for other in p.others(seat)), default=0)
    return lead + (WIN if lead > 0 else -WIN if lead < 0 else 0.0)


def prospects(p: PiecepackPosition, seat: int) -> float:
    """The points of a seat, and what its hand may bring in the turns that it is likely to have."""
    to_come = len(p.stack) / max(1, sum(p.present))
    far = distances(p.field, p.at(seat))
    held = values(of_suit(p.hands[seat], DIAMOND))
    steps = 1 + sum(values(of_suit(p.hands[seat], SUN))) + int(p.power(seat, SUN))
    sale = _sale(p, seat, held, far, steps, to_come)
    mining = _mining(p, seat, held, far, steps, to_come)
    safe = max(0.2, 1.0 - ROBBED * _threats(p, seat, far)) if held else 1.0
    return p.scores[seat] + sale * safe + mining + min(1.0, to_come / FULL) * _coins(p, seat)


def _coins(p: PiecepackPosition, seat: int) -> float:
    """What coins are good for in themselves."""
    hand = p.hands[seat]
    total = 0.0
    for coin in hand:
        suit, value = coin.parts
        assert type(suit) is int
        assert type(value) is int
        flat, pip = COIN[suit]
        total += flat + pip * value
    if p.power(seat, CLUB):
        total += len(of_suit(hand, CLUB))
    return total * sqrt(min(1.0, MANY / max(1, len(hand))))


def _sale(p: PiecepackPosition, seat: int, held: list[int], far: tuple[int, ...], steps: int, to_come: float) -> float:
    """What diamonds are expected to bring: their price, less for each turn until a market is reached."""
    if not held:
        return 0.0
    here = p.at(seat)
    away = min(far[index] if index != here else 2 for index, tile in enumerate(p.field) if tile.market)
    late = max(0, away - steps)
    price = float(payoff(held, p.power(seat, DIAMOND))) * SURE * LATER**late
    return price if late < to_come else 0.0


def _mining(
    p: PiecepackPosition, seat: int, held: list[int], far: tuple[int, ...], steps: int, to_come: float
) -> float:
    """What more diamonds would add to the price of those held, by spades or bare hands, on the best mine around."""
    spades = sum(values(of_suit(p.hands[seat], SPADE)))
    dig = int(p.power(seat, SPADE))
    if not p.in_pile or not (spades or dig):
        return 0.0
    now = payoff(held, p.power(seat, DIAMOND))
    base = now if held else 1.0 + int(p.power(seat, DIAMOND)) / 2
    growth = growths((*p.pile, *p.sold))
    best = 0.0
    for index, tile in enumerate(p.field):
        late = max(0, far[index] - steps) + 1
        if tile.suit == DIAMOND and not tile.market and late < to_come:
            mined = min(min(tile.value, spades) + dig, p.in_pile)
            best = max(best, (base * max(growth[: mined + 1]) - now) * PLANNED * LATER**late)
    return best


def growths(pile: Coins) -> list[float]:
    """By how much k diamonds from the pile multiply a price on average, for each k: the k-th elementary symmetric
    polynomial of their values over the number of ways to draw k.
    """
    sums = [1]
    for value in values(pile):
        sums = [own + value * lower for own, lower in zip([*sums, 0], [0, *sums], strict=True)]
    return [total / comb(len(pile), drawn) for drawn, total in enumerate(sums)]


def _threats(p: PiecepackPosition, seat: int, far: tuple[int, ...]) -> float:
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
