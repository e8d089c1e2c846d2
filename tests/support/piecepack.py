"""Positions of the piecepack game for tests, and ways to play on from them."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import cast

from kimberley.games.piecepack.bots.guess import chance
from kimberley.games.piecepack.coins import KINDS, PART_SUIT, PART_VALUE, Coins, Kind, as_diamonds, of_suit
from kimberley.games.piecepack.field import Tile
from kimberley.games.piecepack.legal import actions
from kimberley.games.piecepack.rules import State
from kimberley.games.piecepack.suits import CLUB, DIAMOND, HEART, MOON, SPADE, SUN
from kimberley.games.table import HIDDEN, Ask, Decide, Item, Plain, Result, Roll, Show, evolve

LETTERS = {"S": SUN, "M": MOON, "C": CLUB, "D": DIAMOND, "H": HEART, "P": SPADE}
"""Suits in tests: S sun, M moon, C club, D diamond, H heart, P spade."""

CROWDED = {
    "S0": (0, 0),
    "M0": (2, 0),
    "C0": (-2, 0),
    "H2": (4, 0),
    "H3": (0, 2),
    "H4": (2, 2),
    "C4": (0, -2),
    "C5": (2, -2),
}
"""Tiles by name and place: there is no room for another beside the first two, and there is beside all others."""


def kind(name: str) -> Kind:
    """Returns the kind of a name: C3 is the three of clubs, D0 the null of diamonds."""
    return LETTERS[name[0]], int(name[1:])


def row(*names: str) -> tuple[Tile, ...]:
    """Returns tiles edge to edge, from left to right."""
    return tuple(Tile(*kind(name), 2 * place, 0) for place, name in enumerate(names))


def table(
    hands: Sequence[str],
    field: str | Sequence[Tile] = "S0 M0 C0",
    pawns: Sequence[int] | None = None,
    suits: str = "SMC",
    **fields: object,
) -> State:
    """Returns a position in which seat 0 is to act.

    `hands` are by seat, for example "C3 D0 H5". All other coins are in the bag and the pile, in the order of suits and
    values. `field` is a row of tiles. The `pawns` stand on the first tile by default.
    """
    seats = len(suits)
    tiles = row(*field.split()) if isinstance(field, str) else tuple(field)
    taken = [kind(name) for hand in hands for name in hand.split()]
    everybody = (1 << seats) - 1
    deck = iter(range(100))
    held = tuple(
        tuple(Item(next(deck), kind(name), (everybody, 1 << seat)) for name in hand.split())
        for seat, hand in enumerate([*hands, *[""] * (seats - len(hands))])
    )
    free = [Item(next(deck), each, (0, 0)) for each in KINDS if each not in taken]
    laid = {(tile.suit, tile.value) for tile in tiles}
    state = State(
        present=(True,) * seats,
        scores=(0,) * seats,
        pawns=tuple(pawns) if pawns else (0,) * seats,
        hands=held,
        begins=0,
        suits=tuple(LETTERS[letter] for letter in suits),
        field=tiles,
        stack=tuple(each for each in KINDS if each not in laid),
        bag=tuple(coin for coin in free if coin.parts[0] != DIAMOND),
        pile=as_diamonds(of_suit(free, DIAMOND), seats),
        phase="act",
    )
    return evolve(state, **fields)


def hidden(state: State, seat: int) -> State:
    """Returns a position as known to a seat that has seen its own hand and nothing else."""

    def veil(coins: Coins) -> Coins:
        return tuple(coin if coin.seen[PART_VALUE] >> seat & 1 else unknown(coin) for coin in coins)

    def unknown(coin: Item) -> Item:
        return Item(coin.handle, (coin.parts[PART_SUIT] if coin.seen[PART_SUIT] else HIDDEN, HIDDEN), coin.seen)

    return evolve(
        state,
        hands=tuple(veil(own) for own in state.hands),
        bag=veil(state.bag),
        returned=veil(state.returned),
        pile=veil(state.pile),
        sold=veil(state.sold),
    )


def hand(state: State, seat: int) -> list[str]:
    """Returns a seat's hand, in the order of suits and values."""
    letters = {suit: letter for letter, suit in LETTERS.items()}
    return [f"{letters[s]}{v}" for s, v in sorted(cast(Kind, coin.parts) for coin in state.hands[seat])]


def named(state: State, *names: str) -> tuple[int, ...]:
    """Returns the handles of coins in hands, ascending."""
    wanted = [kind(name) for name in names]
    return tuple(sorted(coin.handle for own in state.hands for coin in own if coin.parts in wanted))


def coins(state: State, word: str, *names: str) -> Plain:
    """Returns an action that uses coins: its word and their names."""
    return word, named(state, *names)


def choose(state: State, choice: Plain) -> State:
    """Returns the state after a legal choice."""
    ask = state.ask()
    assert isinstance(ask, Decide), f"nothing is to be chosen: {ask}"
    assert ask.space.violation(choice) is None, ask.space.violation(choice)
    return state.apply(choice)


def forbidden(state: State, choice: Plain) -> str:
    """Returns the reason why a choice is not legal."""
    ask = state.ask()
    assert isinstance(ask, Decide)
    reason = ask.space.violation(choice)
    assert reason is not None, f"{choice!r} is legal"
    return reason


def refusal(state: State, word: str) -> str | None:
    """Returns the reason why an action of this kind is impossible; None if it is possible."""
    return actions(state).refuses(word)


def settle(state: State, lots: Sequence[int] | None = None, seed: int = 1) -> State:
    """Plays through all chance, up to the next choice or the end. `lots` answers the first roll."""
    return followed(state, lots, seed)[0]


def followed(state: State, lots: Sequence[int] | None = None, seed: int = 1) -> tuple[State, list[Ask]]:
    """Returns the state after what chance decides, with the asks on the way."""
    rng = Random(seed)
    asks: list[Ask] = []
    while not isinstance(ask := state.ask(), Decide | Result):
        asks.append(ask)
        if isinstance(ask, Roll) and lots is not None:
            answer, lots = tuple(lots), None
        else:
            answer = chance(state, ask, rng)
        state = state.apply(answer)
    return state, asks


def after(state: State, *choices: Plain, lots: Sequence[int] | None = None, seed: int = 1) -> State:
    """Returns the state after these choices, each followed by its chance."""
    for choice in choices:
        state = settle(choose(state, choice), lots, seed)
    return state


def shown_to(asks: Sequence[Ask], part: int = PART_VALUE) -> list[int | None]:
    """Returns the seats to which a part was shown, one entry for each Show of it."""
    return [to for ask in asks if isinstance(ask, Show) for shown, to in ask.parts if shown == part]


def everything(state: State) -> list[Kind]:
    """Returns all coins, sorted."""
    return sorted(cast(Kind, coin.parts) for coin in state.coins())
