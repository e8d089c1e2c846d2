"""How well a seat stands in an imagined world, in points."""

from __future__ import annotations

from typing import Final

from kimberley.games.piecepack.bots.goals import FADING, RID, Standing, coin_worth, usefulness
from kimberley.games.piecepack.coins import of_suit, values
from kimberley.games.piecepack.field import distances
from kimberley.games.piecepack.position import PiecepackPosition
from kimberley.games.piecepack.suits import CLUB, HEART, HIGHEST, SUN

ROBBED: Final = 0.12
"""What each enemy with clubs, within reach, is expected to take of what one holds."""
FULL: Final = 3.0
"""The number of turns to come from which coins have their full worth."""
RIVAL: Final = 0.6
"""How much the best rival's standing counts against one's own."""
WIN: Final = 60.0
"""What winning is worth beyond the points."""


def evaluate(p: PiecepackPosition, seat: int) -> float:
    """Returns what a seat has, less what its best rival has."""
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
    """Returns the points of a seat, and what it may gain in the turns that it is likely to have."""
    to_come = len(p.stack) / max(1, sum(p.present))
    standing = Standing(p, seat)
    steps = 1 + sum(values(standing.hand[SUN])) + int(p.power(seat, SUN))
    sale = _sale(p, seat, standing, steps, to_come)
    safe = max(0.2, 1.0 - ROBBED * _threats(p, seat, standing)) if sale else 1.0
    later = _coins(p, seat, standing) + standing.outlook(p.at(seat), steps)
    stuck = RID if standing.stuck else 0.0
    return p.scores[seat] + sale * safe - stuck + later * min(1.0, to_come / FULL)


def _coins(p: PiecepackPosition, seat: int, standing: Standing) -> float:
    """Returns what the coins are good for in themselves."""
    total = sum(map(coin_worth, p.hands[seat]))
    if p.power(seat, CLUB):
        total += len(standing.hand[CLUB])
    held = max(1, standing.held)
    return total * sum(map(usefulness, range(held))) / held


def _sale(p: PiecepackPosition, seat: int, standing: Standing, steps: int, to_come: float) -> float:
    """Returns what the diamonds are expected to bring: their price, less for each turn until a market is reached."""
    if not standing.sales:
        return 0.0
    far = distances(p.field, p.at(seat))
    soon = [(max(0, far[index] - steps), price) for index, price in standing.sales]
    return max((price * FADING[late] for late, price in soon if late < to_come), default=0.0)


def _threats(p: PiecepackPosition, seat: int, standing: Standing) -> float:
    """Returns the threat from enemies with clubs who can come next turn, less what the seat's hearts are good for."""
    tile = p.tile(seat)
    if tile.suit == HEART and not tile.market:
        return 0.0
    far = distances(p.field, p.at(seat))
    enemies = 0.0
    for other in p.others(seat):
        clubs = len(of_suit(p.hands[other], CLUB))
        if clubs and far[p.at(other)] <= 1 + len(of_suit(p.hands[other], SUN)):
            enemies += min(2, clubs)
    hearts = sum(values(standing.hand[HEART]))
    return enemies * max(0.0, 1.0 - hearts / (HIGHEST + 1))
