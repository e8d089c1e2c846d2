"""Why a bot chooses what it does, in a sentence: what an action brings, or what a tile does to whoever comes there."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from kimberley.client.boards.piecepack.events import coins_in_words
from kimberley.client.boards.piecepack.phrases import (
    coins_of,
    in_words,
    long_tile,
    next_goal,
    outcome,
    place_in_words,
    total,
)
from kimberley.client.session.notices import count_of
from kimberley.games.piecepack.rules import State
from kimberley.games.piecepack.suits import DIAMOND, MOON
from kimberley.games.table import Item


def advise(state: State, seat: int, choice: Any) -> str:
    """A choice as advice, and why."""
    match state.phase:
        case "place":
            where = place_in_words(state, seat, choice)
            return f"Lay the tile {where}: from there on it is within your reach, and the map grows on your side."
        case "defend":
            return _defense(state, seat, choice)
        case "steal" | "peek":
            return _unseen(state, seat, choice)
    return f"{_action(state, seat, choice)}."


def _coins(state: State, handles: Iterable[int]) -> str:
    """Some coins in words, as the seat knows them."""
    return coins_in_words(state.hands, handles)


def _own(state: State, seat: int, handles: Iterable[int]) -> list[Item]:
    chosen = set(handles)
    return [coin for coin in state.hands[seat] if coin.handle in chosen]


def _action(state: State, seat: int, choice: Any) -> str:
    goal = _begun(in_words(next_goal(state, seat, long_tile)))
    match choice:
        case ("step", int(to)) | ("jump", _, int(to)):
            return f"Go to {long_tile(state.field[to])}: {_there(state, seat, to)}"
        case ("sun", handles):
            reach = count_of(total(_own(state, seat, handles)) or 0, "tile")
            return f"Spend {_coins(state, handles)} to travel up to {reach}: {goal}"
        case ("moon", handles):
            drawn = count_of((total(_own(state, seat, handles)) or 0) + state.power(seat, MOON), "coin")
            return f"Spend {_coins(state, handles)} to rest: you draw {drawn} for it"
        case ("spade", handles):
            return f"Spend {_coins(state, handles)} to mine here: diamonds multiply each other when they are sold"
        case ("club", _, handles):
            return f"Attack with {_coins(state, handles)}: what your victim cannot ward off, you steal"
        case ("market", handles):
            return f"Trade {_coins(state, handles)} away: what the bag gives for it is likely to be of more use"
        case ("dig",):
            return "Dig for one diamond: it costs you nothing"
        case ("oasis",):
            return "Draw a heart at the oasis: it costs you nothing, and wards off attacks"
        case ("stop",):
            return f"Stop here: {goal}"
    return f"End the turn: no action is worth its coins now; {goal}"


def _begun(sentence: str) -> str:
    """A sentence as a part of another one."""
    return f"{sentence[0].lower()}{sentence[1:]}".rstrip(".")


def _there(state: State, seat: int, tile: int) -> str:
    if state.field[tile].market and not coins_of(state, seat, DIAMOND):
        return "beside it there may be room to explore, and no tile is worth more to you now"
    _, _, text = in_words(outcome(state, seat, tile).text).partition(": ")
    return _begun(text)


def _defense(state: State, seat: int, choice: tuple[int, ...]) -> str:
    if not choice:
        return "Spend no heart: what you would lose is worth less than your hearts."
    hearts = _coins(state, choice)
    return f"Spend {hearts} against it: it takes {total(_own(state, seat, choice))} off an attack of {state.attack}."


def _unseen(state: State, seat: int, choice: tuple[int, ...]) -> str:
    verb = "Steal" if state.phase == "steal" else "Peek at"
    if not choice:
        return f"{verb} nothing: no coin there is of use to you."
    why = "their suits promise most to you" if state.phase == "steal" else "they may be worth stealing later"
    return f"{verb} {_coins(state, choice)}: {why}."
