"""What the tiles of an imagined world are worth to a seat, in points, and how well its pawn stands for them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import accumulate
from math import comb
from typing import Final, cast

from kimberley.games.piecepack.coins import KINDS, Kind, by_suit, suit, values
from kimberley.games.piecepack.field import distances, to_rim
from kimberley.games.piecepack.position import PiecepackPosition
from kimberley.games.piecepack.suits import CLUB, DIAMOND, HEART, HIGHEST, MOON, SPADE, SUN, payoff
from kimberley.games.table import Item

COIN: Final = ((0.3, 0.35), (0.4, 0.5), (0.3, 0.3), (0.0, 0.0), (0.3, 0.3), (0.3, 0.8))
"""Points for a coin of each suit, and for each of its pips, with a few turns to come. Diamonds count by what they sell
for.
"""
WORTH: Final = {kind: COIN[kind[0]][0] + COIN[kind[0]][1] * kind[1] for kind in KINDS}
"""The same for every coin."""
DRAWN: Final = 1.3
"""What a coin is worth before it is drawn, to an empty hand."""
ENOUGH: Final = 10
"""Coins, diamonds aside, beyond which more are worth nothing: each is worth less than the one before."""
ROOM: Final = 1.5
"""What it is worth to explore in the next turn: without new tiles there are few mines, and the game ends."""
PLANNED: Final = 0.5
"""The share that is expected of diamonds that are still to be mined."""
SURE: Final = 0.85
"""The share that is expected of a sale in the next turn."""
RID: Final = 3.0
"""What it is worth to sell diamonds for nothing, since one of them is null: only then do others bring points again."""
LATER: Final = 0.75
"""The factor by which each turn on the way lessens what a tile is worth."""
FADING: Final = tuple(LATER**turns for turns in range(len(KINDS)))
"""The same by the number of turns; no way is longer than the number of tiles."""


def coin_worth(coin: Item) -> float:
    """Returns what a coin is good for in itself."""
    return WORTH[cast(Kind, coin.parts)]


def usefulness(held: int) -> float:
    """Returns how much of its worth a further coin has for a hand of `held` coins."""
    return max(0.0, 1.0 - held / ENOUGH)


def drawing(held: int, count: int) -> float:
    """Returns what it is worth to draw `count` coins."""
    return DRAWN * sum(usefulness(held + drawn) for drawn in range(count))


@lru_cache(maxsize=2**HIGHEST)
def growths(pile: tuple[int, ...]) -> tuple[float, ...]:
    """Returns by how much k diamonds from a pile of these values multiply a price on average, for each k: the k-th
    elementary symmetric polynomial of the values over the number of ways to draw k.
    """
    sums = [1]
    for value in pile:
        sums = [own + value * lower for own, lower in zip([*sums, 0], [0, *sums], strict=True)]
    return tuple(total / comb(len(pile), drawn) for drawn, total in enumerate(sums))


class Standing:
    """How a seat stands. `hand` are its coins by suit, `held` how many they are, diamonds aside; `goals` the tiles that
    are worth something to it if it gets there; `sales` the black markets that it can reach, with what its diamonds
    would sell for. It is `stuck` with diamonds that sell for nothing until it has sold them.
    """

    __slots__ = ("_position", "_rim", "_seat", "goals", "hand", "held", "sales", "stuck")

    def __init__(self, p: PiecepackPosition, seat: int) -> None:
        self._position, self._seat = p, seat
        self._rim = to_rim(p.field)
        self.hand = by_suit(p.hands[seat])
        self.held = len(p.hands[seat]) - len(self.hand[DIAMOND])
        self.goals = [
            (index, gain if self._rim[index] else gain + ROOM)
            for index, gain in (*self._useful_tiles(), *self._enemies())
            if gain > 0
        ]
        self.stuck = False
        self.sales = self._markets()

    def mining(self) -> list[float]:
        """Returns what k more diamonds add to the price of those held, for each k that the pile allows."""
        p, swindler = self._position, self._position.power(self._seat, DIAMOND)
        held = values(self.hand[DIAMOND])
        now = payoff(held, swindler)
        base = now if held else 1.0 + int(swindler) / 2
        pile = tuple(sorted(values((*p.pile, *p.sold))))
        return [0.0, *(base * growth - now for growth in growths(pile)[1:])]

    def outlook(self, at: int, steps: int = 0, *, selling: bool = False) -> float:
        """Returns the most that any tile is worth to the seat's pawn if it were at the tile `at` with some steps left,
        less for each turn beyond: a goal, or any tile beside which there is room to explore; with `selling` also a
        market.
        """
        far = distances(self._position.field, at)
        best = ROOM * FADING[max(0, self._rim[at] - steps)]
        for index, gain in (*self.goals, *self.sales) if selling else self.goals:
            away = far[index] - steps
            worth = gain * FADING[away] if away > 0 else gain
            if worth > best:
                best = worth
        return best

    def _useful_tiles(self) -> Iterator[tuple[int, float]]:
        """Yields mines, markets for coins, and oases, and what the seat would gain there."""
        p, seat, hand = self._position, self._seat, self.hand
        spades, dig = sum(values(hand[SPADE])), int(p.power(seat, SPADE))
        mined = list(accumulate(self.mining(), max)) if spades or dig else [0.0]
        gains = sorted((DRAWN - coin_worth(coin) for coin in p.hands[seat] if suit(coin) != DIAMOND), reverse=True)
        traded = [0.0, *accumulate(gain for gain in gains if gain > 0)]
        drawn = drawing(self.held, 1) if p.hearts_in_bag else 0.0
        for index, tile in enumerate(p.field):
            if tile.market:
                continue
            if tile.suit == DIAMOND:
                yield index, mined[min(min(tile.value, spades) + dig, len(mined) - 1)] * PLANNED
            elif tile.suit == SUN:
                yield index, traded[min(tile.value, len(traded) - 1)]
            elif tile.suit == MOON:
                yield index, drawn

    def _enemies(self) -> Iterator[tuple[int, float]]:
        """Yields where clubs can beat others, and what can be stolen from them."""
        p = self._position
        clubs = sum(values(self.hand[CLUB]))
        for other in p.others(self._seat):
            tile = p.tile(other)
            if tile.suit != HEART or tile.market:
                yield p.at(other), drawing(self.held, min(clubs, len(p.hands[other])))

    def _markets(self) -> list[tuple[int, float]]:
        p, own = self._position, self._position.at(self._seat)
        if not self.hand[DIAMOND]:
            return []
        price = payoff(values(self.hand[DIAMOND]), p.power(self._seat, DIAMOND))
        self.stuck = not price
        return [(index, SURE * (price or RID)) for index, tile in enumerate(p.field) if tile.market and index != own]
