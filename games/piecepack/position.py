"""What lies on the table: the field, the pawns, the coins in hands, bag and pile, and how far a turn has come."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from kimberley.games.phrases import count_of
from kimberley.games.piecepack.coins import KINDS, Coins, Kind, of_suit, value
from kimberley.games.piecepack.field import Field, Tile
from kimberley.games.piecepack.suits import HEART, HIGHEST
from kimberley.games.table import HIDDEN, ReasonKind, Result

EACH: Final = 2
"""Coins that a player starts with."""
QUIET_ROUNDS: Final = 3
"""Rounds in a row in which nobody had room to explore that end the game."""
MOST_ACTIONS: Final = 100
"""Actions after which a turn can only be ended. Without it two moons that draw each other out of an empty bag could go
on forever. It is far more than coins and tiles allow otherwise.
"""


@dataclass(frozen=True)
class PiecepackPosition:
    """The table as it is, or as somebody who knows less sees it. Every field is public except the values of coins and
    the suits of coins in the bag.

    By seat: `present`, who still plays; `suits`; `pawns`, the tile that each stands on; `hands`, in the order in which
    coins came; `scores`. `stack` are the tiles still face down, ascending, for their order is rolled as they are drawn;
    `drawn` is the one to be placed.

    `bag` is in the order of drawing; what is `returned` since it was shuffled is shuffled in before the next draw. The
    diamonds that are nobody's lie apart: `pile` and `sold` likewise.

    `phase` is what is asked next, of `turn` or of the seat `attacked`. `deed` is the action under way, by its first
    word; `spent` are the coins that lie open for it, `shield` the hearts against an `attack` of what is left of its
    value, `chosen` the handles to be shown, `amount` the coins to be drawn. `path` are the tiles of a sun move so far,
    with `steps` left, and `jumped` if the jumper has jumped. In this turn `acted` actions were taken, `stepped` with
    the step move, and `used` what can be used once: ("market", "oasis" or "dig", tile). In `quiet` turns in a row,
    nobody explored.
    """

    present: tuple[bool, ...]
    scores: tuple[int, ...]
    pawns: tuple[int | None, ...]
    hands: tuple[Coins, ...]
    begins: int | None = None
    suits: tuple[int, ...] = ()
    field: Field = ()
    stack: tuple[Kind, ...] = ()
    drawn: Kind | None = None
    bag: Coins = ()
    returned: Coins = ()
    pile: Coins = ()
    sold: Coins = ()
    spent: Coins = ()
    shield: Coins = ()
    phase: str = "lots"
    deed: str = ""
    turn: int = 0
    turns: int = 0
    acted: int = 0
    stepped: bool = False
    used: tuple[tuple[str, int], ...] = ()
    quiet: int = 0
    steps: int = 0
    path: tuple[int, ...] = ()
    jumped: bool = False
    attack: int = 0
    attacked: int | None = None
    amount: int = 0
    chosen: tuple[int, ...] = ()
    ended: str = ""

    @property
    def seats(self) -> int:
        """The number of seats at the table, those that have left included."""
        return len(self.present)

    @property
    def in_bag(self) -> int:
        """Returns how many coins the bag holds."""
        return len(self.bag) + len(self.returned)

    @property
    def in_pile(self) -> int:
        """Returns how many diamonds nobody has."""
        return len(self.pile) + len(self.sold)

    @property
    def hearts_in_bag(self) -> int:
        """Returns how many hearts the bag holds."""
        return self.left_in_bag(HEART)

    def left_in_bag(self, suit: int) -> int:
        """Returns how many coins of a suit other than diamonds the bag holds: those that lie nowhere else."""
        out = sum(len(of_suit(coins, suit)) for coins in (*self.hands, self.spent, self.shield))
        return HIGHEST + 1 - out

    @property
    def attacker(self) -> int | None:
        """The seat that attacks; None in a war zone."""
        return self.turn if self.attacked is not None and self.deed == "club" else None

    def at(self, seat: int) -> int:
        """Returns the index of the tile that a present seat's pawn stands on."""
        index = self.pawns[seat]
        assert index is not None, f"seat {seat} has no pawn on the field"
        return index

    def tile(self, seat: int) -> Tile:
        """Returns the tile that a present seat's pawn stands on."""
        return self.field[self.at(seat)]

    def power(self, seat: int, suit: int) -> bool:
        """Returns whether a seat has the power of a suit."""
        return self.suits[seat] == suit

    def others(self, seat: int) -> tuple[int, ...]:
        """Returns the other seats that still play, from the next one on."""
        around = ((seat + step) % self.seats for step in range(1, self.seats))
        return tuple(other for other in around if self.present[other])

    def with_(self, seat: int) -> tuple[int, ...]:
        """Returns the other seats whose pawns stand on the same tile."""
        return tuple(sorted(other for other in self.others(seat) if self.pawns[other] == self.pawns[seat]))

    def victims(self, seat: int) -> tuple[int, ...]:
        """Returns the seats that a seat could attack if it had clubs, even if their hands are empty: none on a holy
        site.
        """
        tile = self.tile(seat)
        return () if tile.suit == HEART and not tile.market else self.with_(seat)

    def coins(self) -> Coins:
        """Returns every coin, wherever it lies."""
        hands = tuple(coin for hand in self.hands for coin in hand)
        return (*hands, *self.spent, *self.shield, *self.bag, *self.returned, *self.pile, *self.sold)

    def unseen(self) -> tuple[Kind, ...]:
        """Returns the coins that the owner of this state cannot locate: in others' hands, in the bag or in the pile."""
        placed = {coin.parts for coin in self.coins() if value(coin) is not HIDDEN}
        return tuple(kind for kind in KINDS if kind not in placed)

    def result(self, present: Sequence[bool], reason: str, kind: ReasonKind) -> Result:
        """Returns the places by points: first all who stay, then all others. `reason` and `kind` as in `Result`."""
        ranks = [(present[seat], self.scores[seat]) for seat in range(self.seats)]
        places = tuple(1 + sum(other > rank for other in ranks) for rank in ranks)
        counts = tuple(count_of(score, "point") for score in self.scores)
        return Result(places, tuple((score,) for score in self.scores), reason, counts, (), kind)
