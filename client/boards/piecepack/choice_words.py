"""Choices in a few words, for the review of a game."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from kimberley.client.boards.piecepack.events import coins_in_words
from kimberley.client.boards.piecepack.phrases import beside_own, long_tile
from kimberley.client.boards.piecepack.suits import pawn_mark
from kimberley.games.piecepack.rules import State

SPENT: Final = {"sun": "travels with", "moon": "rests with", "spade": "mines with", "market": "trades"}
ALONE: Final = {
    "dig": "digs for a diamond",
    "oasis": "draws at the oasis",
    "stop": "stops here",
    "end": "ends the turn",
}


def choice_words(state: State, seat: int, choice: Any, names: Sequence[str] = ()) -> str:
    """See `GameUI.choice_words`. A choice is short enough to be told whole. Other players are called by their `names`,
    or without them by their pawns.
    """
    called = names or [pawn_mark(suit, other) for other, suit in enumerate(state.suits)]
    match state.phase:
        case "place":
            # Where there is no room for both, the tiles that it touches say more.
            side, touched = beside_own(state, seat, choice)
            return f"places it {touched}, {side}"
        case "defend":
            return f"spends {coins_in_words(state.hands, choice) or 'no hearts'}"
        case "steal":
            return f"steals {coins_in_words(state.hands, choice) or 'nothing'}"
        case "peek":
            return f"peeks at {peeked(state, choice, owned_by(names) or called) or 'nothing'}"
    return _action(state, choice, called)


def _action(state: State, choice: Any, called: Sequence[str]) -> str:
    match choice:
        case ("step", int(to)):
            return f"goes to {long_tile(state.field[to])}"
        case ("jump", _, int(to)):
            return f"jumps to {long_tile(state.field[to])}"
        case ("club", victim, handles):
            return f"attacks {called[victim]} with {coins_in_words(state.hands, handles)}"
        case (("sun" | "moon" | "spade" | "market") as kind, handles):
            return f"{SPENT[kind]} {coins_in_words(state.hands, handles)}"
    return ALONE[choice[0]]


def owned_by(names: Sequence[str]) -> list[str]:
    """Returns names in the possessive."""
    return [f"{name}’s" for name in names]


def peeked(state: State, handles: Iterable[int], whose: Sequence[str]) -> str:
    """Returns coins of others, each with its owner from `whose`; empty if there are none."""
    by_owner = [(owner, coins_in_words([hand], handles)) for owner, hand in enumerate(state.hands)]
    parts = [f"{coins} of {whose[owner]}" for owner, coins in by_owner if coins]
    return ", ".join((*parts[:-1], f"and {parts[-1]}")) if len(parts) > 1 else "".join(parts)
