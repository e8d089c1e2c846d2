"""What is typed in the line mode: coins, tiles and players by their names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from kimberley.client.boards.piecepack.phrases import known, long_coin
from kimberley.client.boards.piecepack.suits import SUITS
from kimberley.games.phrases import join_names
from kimberley.games.piecepack.rules import State

VALUES: Final = {"null": 0, "0": 0, "ace": 1, "a": 1, "1": 1, "2": 2, "3": 3, "4": 4, "5": 5}
SUIT_WORDS: Final = {word: n for n, suit in enumerate(SUITS) for word in (suit.name, f"{suit.name}s")}
NO_TILE: Final = "No such tile is on the map. Type field to hear all tiles."
NOT_READ: Final = "To see what you can do now, type can; for all commands, type help."


class ParseError(ValueError):
    """What was typed is no choice; the text says how to say it."""


def coins_in(words: Sequence[str]) -> list[tuple[int, int]]:
    """Reads suits and values: "sun 3 sun ace". Raises ParseError."""
    useful = [word.strip(",.") for word in words if word not in ("and", "of", "the")]
    if len(useful) % 2 or not useful:
        raise ParseError("Name coins and tiles by suit and value: club 4, heart ace.")
    coins = []
    for suit, value in zip(useful[::2], useful[1::2], strict=True):
        if suit not in SUIT_WORDS or value not in VALUES:
            raise ParseError(f"No coin or tile is called {suit} {value}. Names are like club 4, heart ace or moon 0.")
        coins.append((SUIT_WORDS[suit], VALUES[value]))
    return coins


def own_coins(state: State, seat: int, words: Sequence[str]) -> tuple[int, ...]:
    """Returns the handles of the player's own coins, ascending. Raises ParseError."""
    hand = {known(coin): coin.handle for coin in state.hands[seat]}
    handles = []
    for coin in coins_in(words):
        if coin not in hand:
            raise ParseError(f"You do not hold {long_coin(*coin)}.")
        handles.append(hand[coin])
    return tuple(sorted(set(handles)))


def tile_named(state: State, words: Sequence[str]) -> int:
    """Returns the index of a tile on the field. Raises ParseError."""
    coins = coins_in(words)
    matches = [index for index, tile in enumerate(state.field) if [(tile.suit, tile.value)] == coins]
    if not matches:
        raise ParseError(NO_TILE)
    return matches[0]


def seat_named(names: Sequence[str], word: str) -> int:
    """Returns the seat of a player by name, by the first word of the name, or by number. Raises ParseError."""
    seats = [seat for seat, name in enumerate(names) if name.lower() == word or str(seat + 1) == word]
    seats = seats or [seat for seat, name in enumerate(names) if name.lower().split()[0] == word]
    if not seats:
        raise ParseError(f"No player called {word}.")
    return seats[0]


def numbered_coins(state: State, seat: int, words: Sequence[str]) -> tuple[int, ...]:
    """Returns the handles of coins of a hand by their numbers, ascending. Raises ParseError."""
    hand, handles = state.hands[seat], set()
    for word in (word.strip(",") for word in words if word != "and"):
        if not word.isascii() or not word.isdigit() or not 1 <= int(word) <= len(hand):
            raise ParseError(f"Type coin numbers, 1 to {len(hand)}, or none.")
        handles.add(hand[int(word) - 1].handle)
    if not handles:
        raise ParseError("Type the coins’ numbers, or none.")
    return tuple(sorted(handles))


def number_coins(state: State, seat: int) -> str:
    """Returns a hand with the number by which each coin is typed: "(1) a diamond and (2) club 3"."""
    return join_names([f"({n}) {long_coin(*known(coin))}" for n, coin in enumerate(state.hands[seat], start=1)])
