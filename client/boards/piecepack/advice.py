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
            return f"Place the tile {where}: you can reach it from here, and the map grows on your side."
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
            return f"Spend {_coins(state, handles)} to rest: you draw {drawn}"
        case ("spade", handles):
            return f"Spend {_coins(state, handles)} to mine here: diamonds multiply when sold together"
        case ("club", _, handles):
            return f"Attack with {_coins(state, handles)}: you steal whatever they cannot block"
        case ("market", handles):
            return f"Trade away {_coins(state, handles)}: the bag will probably give you better"
        case ("dig",):
            return "Dig for one diamond: it is free"
        case ("oasis",):
            return "Draw a heart at the oasis: it is free and blocks attacks"
        case ("stop",):
            return f"Stop here: {goal}"
    return f"End the turn: nothing is worth its coins now; {goal}"


def _begun(sentence: str) -> str:
    """A sentence as a part of another one."""
    return f"{sentence[0].lower()}{sentence[1:]}".rstrip(".")


def _there(state: State, seat: int, tile: int) -> str:
    if state.field[tile].market and not coins_of(state, seat, DIAMOND):
        return "there may be room to explore next to it, and nothing else pays more"
    return _begun(in_words(outcome(state, seat, tile).effect))


def _defense(state: State, seat: int, choice: tuple[int, ...]) -> str:
    if not choice:
        return "Spend no hearts: they are worth more than what you would lose."
    hearts = _coins(state, choice)
    return f"Spend {hearts}: that takes {total(_own(state, seat, choice))} off an attack of {state.attack}."


def _unseen(state: State, seat: int, choice: tuple[int, ...]) -> str:
    verb = "Steal" if state.phase == "steal" else "Peek at"
    if not choice:
        return f"{verb} nothing: none of those coins helps you."
    why = "their suits help you most" if state.phase == "steal" else "they may be worth stealing later"
    return f"{verb} {_coins(state, choice)}: {why}."
