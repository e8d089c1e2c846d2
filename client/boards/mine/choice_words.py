"""Choices in a few words, for the review of a game."""

from __future__ import annotations

from typing import cast

from kimberley.client.boards.mine.stones import named, stones
from kimberley.games.mine.rules import State
from kimberley.games.mine.spaces import CardChoice, MoveChoice, TakeChoice
from kimberley.games.mine.squares import name
from kimberley.games.phrases import join_names
from kimberley.games.table import Plain


def choice_words(state: State, seat: int, choice: Plain, beside: Plain) -> str:
    """See `GameUI.choice_words`."""
    match state.phase:
        case "place":
            return f"nest on {name(cast(int, choice))}"
        case "cards":
            return _card(cast(CardChoice, choice), cast(CardChoice, beside))
        case "move":
            return _move(state, seat, cast(MoveChoice, choice), cast(MoveChoice, beside))
    return f"takes {named(stones(state, cast(TakeChoice, choice)))}"


def _card(choice: CardChoice, beside: CardChoice) -> str:
    (card, ends), (_, other_ends) = choice, beside
    if ends:
        return f"card {card}, agrees to end"
    return f"card {card}, keeps playing" if other_ends else f"card {card}"


def _move(state: State, seat: int, choice: MoveChoice, beside: MoveChoice) -> str:
    """Returns where a move goes, and what is picked up and dropped; leaves out what is the same in the other choice."""
    (to, picked, dropped), (other_to, other_picked, other_dropped) = choice, beside
    every = choice == beside or to != other_to
    loose = dict(state.mine.loose)
    parts = [_goal(state, seat, to)] if every else []
    if picked if every else picked != other_picked:
        parts.append(f"picks up {named(stones(state, [loose[square] for square in picked]))}")
    if dropped if every else dropped != other_dropped:
        there = [f"{named(stones(state, [gem]))} on {name(square)}" for square, gem in dropped]
        parts.append(f"drops {join_names(there) or 'nothing'}")
    return ", ".join(parts)


def _goal(state: State, seat: int, to: int) -> str:
    mine = state.mine
    nest = mine.vein_at(to)
    if to == mine.home(seat):
        return "goes home"
    if nest is None or not mine.inside[nest]:
        return f"moves to {name(to)}"
    return f"moves to the vein on {name(to)}" if mine.opened[nest] else f"opens the vein on {name(to)}"
