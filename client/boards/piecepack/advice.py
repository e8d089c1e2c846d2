"""Why a bot chooses what it does, in a sentence: what an action brings, or what a tile does to whoever comes there."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from kimberley.client.boards.advice import next_best
from kimberley.client.boards.piecepack.events import coins_in_words
from kimberley.client.boards.piecepack.phrases import (
    coins_of,
    in_words,
    long_tile,
    next_goal,
    outcome,
    place_in_words,
    ruined,
    total,
)
from kimberley.games.piecepack.field import Tile, TilePlace, distances, places
from kimberley.games.piecepack.legal import hearts
from kimberley.games.piecepack.rules import State
from kimberley.games.piecepack.suits import CLUB, DIAMOND, MOON
from kimberley.games.table import Item
from kimberley.p2p.sentences.notices import count_of


class _Advice(NamedTuple):
    """What to do, and what is true of it."""

    action: str
    fact: str


def advise(state: State, seat: int, choice: Any, names: Sequence[str]) -> str:
    """A choice as advice, and why."""
    action, fact = _advice(state, seat, choice, names)
    match choice:
        case ("end",):
            fact = f"nothing is worth its coins now; {_goal(state, seat)}"
        case () if state.phase == "defend":
            fact = "they are worth more than what you would lose"
    return f"{action}: {fact}."


def advise_next(state: State, seat: int, choice: Any, other: Any, names: Sequence[str]) -> str:
    """What came next to a choice, and what it brings."""
    return next_best(*_advice(state, seat, other, names), _advice(state, seat, choice, names).fact)


def _advice(state: State, seat: int, choice: Any, names: Sequence[str]) -> _Advice:
    match state.phase:
        case "place":
            return _Advice(f"Place the tile {place_in_words(state, seat, choice)}", _nearest(state, seat, choice))
        case "defend":
            return _defense(state, seat, choice)
        case "steal" | "peek":
            return _unseen(state, choice)
    return _Advice(*_action(state, seat, choice, names))


def _coins(state: State, handles: Iterable[int]) -> str:
    """Some coins in words, as the seat knows them."""
    return coins_in_words(state.hands, handles)


def _own(state: State, seat: int, handles: Iterable[int]) -> list[Item]:
    chosen = set(handles)
    return [coin for coin in state.hands[seat] if coin.handle in chosen]


def _nearest(state: State, seat: int, place: TilePlace) -> str:
    """How far a new tile is from the others."""
    assert state.drawn is not None
    far = distances((*state.field, Tile(*state.drawn, *place)), len(state.field))
    steps = min(far[state.at(other)] for other in state.others(seat))
    return f"it is 1 step from you and {count_of(steps, 'step')} from the nearest other player"


def _goal(state: State, seat: int) -> str:
    return _begun(in_words(next_goal(state, seat, long_tile)))


def _action(state: State, seat: int, choice: Any, names: Sequence[str]) -> tuple[str, str]:
    match choice:
        case ("step", int(to)) | ("jump", _, int(to)):
            return f"Go to {long_tile(state.field[to])}", _there(state, seat, to)
        case ("sun", handles):
            reach = count_of(total(_own(state, seat, handles)) or 0, "tile")
            return f"Spend {_coins(state, handles)} to travel up to {reach}", _goal(state, seat)
        case ("moon", handles):
            drawn = _drawn(state, seat, total(_own(state, seat, handles)) or 0, state.in_bag)
            return f"Spend {_coins(state, handles)} to rest", f"you draw {drawn}"
        case ("spade", handles):
            mined = min(total(_own(state, seat, handles)) or 0, state.tile(seat).value, state.in_pile)
            why = f"you get {count_of(mined, 'diamond')}, and diamonds multiply when sold together"
            return f"Spend {_coins(state, handles)} to mine here", why
        case ("club", int(victim), handles):
            attack = (total(_own(state, seat, handles)) or 0) + len(handles) * state.power(seat, CLUB)
            holds = count_of(len(state.hands[victim]), "coin")
            why = f"it is an attack of {attack}, and {names[victim]} holds {holds}"
            return f"Attack {names[victim]} with {_coins(state, handles)}", why
        case ("market", handles):
            drawn = _drawn(state, seat, len(handles), state.in_bag + len(handles))
            return f"Trade away {_coins(state, handles)}", f"you draw {drawn} from the bag"
        case ("dig",):
            return "Dig for one diamond", "it is free"
        case ("oasis",):
            return "Draw a heart at the oasis", "it is free and blocks attacks"
        case ("stop",):
            return "Stop here", _goal(state, seat)
    return "End the turn", f"you keep {count_of(len(state.hands[seat]), 'coin')}"


def _drawn(state: State, seat: int, number: int, bag: int) -> str:
    """How many coins are drawn in place of others, from a bag with so many."""
    return count_of(min(bag, number + (number > 0 and state.power(seat, MOON))), "coin")


def _begun(sentence: str) -> str:
    """A sentence as a part of another one."""
    return f"{sentence[0].lower()}{sentence[1:]}".rstrip(".")


def _there(state: State, seat: int, tile: int) -> str:
    if state.field[tile].market and not coins_of(state, seat, DIAMOND):
        roomy = bool(places(state.field, tile))
        return "there is room to explore next to it" if roomy else "there is no room to explore next to it"
    if state.field[tile].market and ruined(state, seat):
        return in_words("you get rid of ♦0, which ruins every sale")
    return _begun(in_words(outcome(state, seat, tile).effect))


def _defense(state: State, seat: int, choice: tuple[int, ...]) -> _Advice:
    if not choice:
        return _Advice("Spend no hearts", f"nothing blocks the attack of {state.attack}")
    blocked = (total(_own(state, seat, choice)) or 0) + hearts(state).bonus * len(choice)
    return _Advice(f"Spend {_coins(state, choice)}", f"that takes {blocked} off an attack of {state.attack}")


def _unseen(state: State, choice: tuple[int, ...]) -> _Advice:
    verb = "Steal" if state.phase == "steal" else "Peek at"
    if not choice:
        return _Advice(f"{verb} nothing", "none of those coins helps you")
    why = "their suits help you most" if state.phase == "steal" else "they may be worth stealing later"
    return _Advice(f"{verb} {_coins(state, choice)}", why)
