"""Worlds that fit what a seat knows: hidden coins are drawn at random, and the table's chance is simulated."""

from __future__ import annotations

from random import Random
from typing import cast

from kimberley.games.piecepack.coins import KINDS, Coins, Kind
from kimberley.games.piecepack.rules import State
from kimberley.games.piecepack.suits import HIGHEST, SUITS
from kimberley.games.table import HIDDEN, Answer, Ask, Item, Plain, Result, Roll, Show, Shuffle, evolve


def imagine(state: State, rng: Random) -> State:
    """Returns the state with every HIDDEN value drawn at random from what it may be, with equal probability."""
    left: list[list[int]] = [list(range(HIGHEST + 1)) for _ in SUITS]
    suited: list[Item] = []
    blank: list[Item] = []
    for coin in state.coins():
        suit, value = coin.parts
        if suit is HIDDEN:
            blank.append(coin)
        elif value is HIDDEN:
            suited.append(coin)
        elif value in left[cast(int, suit)]:
            left[cast(int, suit)].remove(cast(int, value))
    filled: dict[int, Kind] = {}
    for values in left:
        rng.shuffle(values)
    for coin in suited:
        suit = cast(int, coin.parts[0])
        filled[coin.handle] = suit, left[suit].pop() if left[suit] else rng.randint(0, HIGHEST)
    rest = [(suit, value) for suit, values in enumerate(left) for value in values]
    rng.shuffle(rest)
    for coin in blank:
        filled[coin.handle] = rest.pop() if rest else rng.choice(KINDS)

    def fill(coins: Coins) -> Coins:
        return tuple(
            Item(coin.handle, filled[coin.handle], coin.seen) if coin.handle in filled else coin for coin in coins
        )

    return evolve(
        state,
        hands=tuple(fill(hand) for hand in state.hands),
        bag=fill(state.bag),
        returned=fill(state.returned),
        pile=fill(state.pile),
        sold=fill(state.sold),
        spent=fill(state.spent),
        shield=fill(state.shield),
    )


def chance(state: State, ask: Ask | Result, rng: Random) -> Answer:
    """Returns the table's answer, in an imagined world, to an ask in which nobody chooses."""
    match ask:
        case Roll(sides):
            return tuple(rng.randrange(side) for side in sides)
        case Show(handles, parts):
            coins = {coin.handle: coin for coin in state.coins()}
            return tuple(tuple(coins[handle].parts[part] for part, _ in parts) for handle in handles)
        case Shuffle(_, handles):
            return _shuffled(state.coins(), handles, rng)
    raise TypeError(f"{ask} is no chance")


def _shuffled(coins: Coins, handles: tuple[int | tuple[Plain, ...], ...], rng: Random) -> Coins:
    contents = {coin.handle: coin.parts for coin in coins}
    first = max(contents) + 1
    order = rng.sample(handles, len(handles))
    return tuple(Item(first + place, contents[cast(int, one)], (0, 0)) for place, one in enumerate(order))
