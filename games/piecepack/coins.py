"""Coins: items with a suit, which is on the back for all to see, and a value.

There are 36: those of five suits lie in the bag or in hands; the six diamonds lie in a pile of their own, or in hands.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Final, TypeAlias, cast

from kimberley.games.piecepack.suits import DIAMOND, HIGHEST, SUITS
from kimberley.games.table import HIDDEN, Hidden, Item, Plain

PART_SUIT: Final = 0
PART_VALUE: Final = 1

Coins: TypeAlias = tuple[Item, ...]
Kind: TypeAlias = tuple[int, int]
"""The suit and the value of a coin or a tile."""

KINDS: Final[tuple[Kind, ...]] = tuple((suit, value) for suit in range(len(SUITS)) for value in range(HIGHEST + 1))
"""Every coin there is, and every tile."""
BAGGED: Final = tuple(kind for kind in KINDS if kind[0] != DIAMOND)
DIAMONDS: Final = tuple(kind for kind in KINDS if kind[0] == DIAMOND)


def suit(coin: Item) -> int | Hidden:
    """Returns the suit of a coin: known for all that are not in the bag."""
    known = coin.parts[PART_SUIT]
    return known if type(known) is int else HIDDEN


def value(coin: Item) -> int | Hidden:
    """Returns the value of a coin, HIDDEN where it is not known."""
    known = coin.parts[PART_VALUE]
    return known if type(known) is int else HIDDEN


def values(coins: Iterable[Item]) -> list[int]:
    """Returns the values of coins whose values are all known."""
    return [known for coin in coins if type(known := coin.parts[PART_VALUE]) is int]


def handles(coins: Iterable[Item]) -> tuple[int, ...]:
    """Returns the handles of coins, ascending, as a choice of coins is spelled."""
    return tuple(sorted([coin.handle for coin in coins]))


def of_suit(coins: Iterable[Item], wanted: int) -> Coins:
    """Returns the coins of a suit."""
    return tuple([coin for coin in coins if coin.parts[PART_SUIT] == wanted])


def by_suit(coins: Iterable[Item]) -> tuple[Coins, ...]:
    """Returns the coins of each suit. Their suits are known."""
    suits: list[list[Item]] = [[] for _ in SUITS]
    for coin in coins:
        suits[cast(int, coin.parts[PART_SUIT])].append(coin)
    return tuple(map(tuple, suits))


def parted(coins: Coins, chosen: Collection[Plain]) -> tuple[Coins, Coins]:
    """Returns the coins whose handles are chosen, and the others."""
    return tuple(c for c in coins if c.handle in chosen), tuple(c for c in coins if c.handle not in chosen)


def shown(
    coins: Coins, asked: Sequence[int], answer: Sequence[Sequence[Plain | Hidden]], parts: Parts, seats: int
) -> Coins:
    """Returns the coins after a Show of `asked` handles gave this `answer`."""
    by_handle = dict(zip(asked, answer, strict=True))
    return tuple(
        coin.shown(by_handle[coin.handle], parts, seats) if coin.handle in by_handle else coin for coin in coins
    )


def as_diamonds(coins: Coins, seats: int) -> Coins:
    """Returns shuffled diamonds: no value is known any more, but everyone knows their suit without a Show."""
    everybody = (1 << seats) - 1
    return tuple(Item(c.handle, (DIAMOND, c.parts[PART_VALUE]), (everybody, c.seen[PART_VALUE])) for c in coins)


Parts: TypeAlias = tuple[tuple[int, int | None], ...]
"""Which parts of items are shown to whom; None is everybody."""
VALUE_TO_ALL: Final[Parts] = ((PART_VALUE, None),)
SUIT_TO_ALL: Final[Parts] = ((PART_SUIT, None),)


def value_to(seat: int) -> Parts:
    """Returns the value, to one seat alone."""
    return ((PART_VALUE, seat),)


def drawn_by(seat: int) -> Parts:
    """Returns the suit to all, and the value to the seat that draws."""
    return (PART_SUIT, None), (PART_VALUE, seat)
