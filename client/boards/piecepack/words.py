"""Positions and tiles in sentences: what a screen reader reads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from kimberley.client.boards.piecepack.parsing import NO_TILE, ParseError, coins_in
from kimberley.client.boards.piecepack.payoffs import SETS
from kimberley.client.boards.piecepack.phrases import (
    coins_of,
    ending,
    in_words,
    known,
    long_coins,
    long_tile,
    outcome,
    ruined,
    sale,
    tile_rule,
)
from kimberley.client.boards.piecepack.suits import POWER_WORDS, SUITS
from kimberley.games.phrases import count_of, join_names
from kimberley.games.piecepack.field import beside
from kimberley.games.piecepack.rules import State
from kimberley.games.piecepack.suits import DIAMOND, RANKS, payoff
from kimberley.p2p.sentences.notices import RESIGNED, as_sentence

LOTS: Final = "Choosing suits and the first player."


def describe(state: State, names: Sequence[str], you: int | None, *, over: bool = False) -> list[str]:
    """Describes a position in sentences, the most important first. `you` is the seat addressed as "you"; None for a
    spectator. If the game is `over`, says nothing about what could follow.
    """
    if not state.suits:
        return [LOTS]
    lines = [] if you is None else describe_hand(state, you, over=over)
    if you is not None and state.present[you]:
        lines.insert(0, f"You are {_power(state, you)}.")
    others = range(state.seats) if you is None else state.others(you)
    lines += [describe_player(state, seat, names) for seat in others]
    if state.coins():
        lines.append(f"{count_of(len(state.stack), 'tile')} face down, {count_of(state.in_bag, 'coin')} in the bag, "
                     f"{count_of(state.in_pile, 'diamond')} left to mine.")  # fmt: skip
    if not (over or state.ended):
        lines += [as_sentence(near)] if (near := ending(state)) else []
        lines.append("It is your turn." if state.turn == you else f"It is {names[state.turn]}’s turn.")
    return lines


def _power(state: State, seat: int) -> str:
    suit = SUITS[state.suits[seat]]
    return f"the {suit.power} ({suit.name}s)"


def describe_hand(state: State, seat: int, *, over: bool = False) -> list[str]:
    """Says what the player of a seat holds, where they stand, and unless the game is `over`, what their diamonds would
    bring.
    """
    if not state.present[seat]:
        return [f"You {RESIGNED}."]
    hand = long_coins(sorted(map(known, state.hands[seat]), key=lambda coin: (coin[0], coin[1] or 0)))
    lines = [f"You have {count_of(state.scores[seat], 'point')} and are on {long_tile(state.tile(seat))}."]
    lines.append(f"You hold {hand or 'no coins'}.")
    product, worth = sale(state, seat)
    if worth is not None and product and not (over or state.ended):
        why = f"; {in_words(ruin)}" if (ruin := ruined(state, seat)) else ""
        diamonds = "diamond" if len(coins_of(state, seat, DIAMOND)) == 1 else "diamonds"
        lines.append(f"Your {diamonds} would sell for {count_of(worth, 'point')}{why}.")
    return lines


def describe_player(state: State, seat: int, names: Sequence[str]) -> str:
    """Says what is known of another player."""
    if not state.present[seat]:
        return f"{names[seat]} {RESIGNED}."
    coins = long_coins(map(known, state.hands[seat])) or "nothing"
    return (
        f"{names[seat]}, {_power(state, seat)}, has {count_of(state.scores[seat], 'point')}, stands on "
        f"{long_tile(state.tile(seat))}, and holds {coins}."
    )


def describe_powers() -> list[str]:
    """Says what each warlord can do."""
    return [f"The {suit.power} {in_words(words)}" for suit, words in zip(SUITS, POWER_WORDS, strict=True)]


def describe_payoffs(*, swindler: bool) -> list[str]:
    """Says what each set of diamonds sells for, to the swindler or to anybody else."""
    sold = [f"{join_names([RANKS[value] for value in values])}: {payoff(values, swindler)}" for values in SETS]
    return [
        f"What diamonds sell for{', with the swindler’s power' if swindler else ''}.",
        *(f"{one}." for one in sold),
        "An ace adds nothing to the others; a 0 ruins them all.",
    ]


def respond(
    words: Sequence[str], state: State, names: Sequence[str], you: int | None, *, over: bool = False
) -> list[str] | None:
    """Returns the answer to a typed question; None if the words are not a question."""
    match words:
        case ["look", *rest] if rest:
            return look(state, rest, names, you, over=over)
        case ["hand" | "look"] if you is not None and state.suits:
            return describe_hand(state, you, over=over)
        case ["players"] if you is not None and state.suits:
            return [describe_player(state, seat, names) for seat in state.others(you)]
        case ["field"] if state.suits:
            return describe_field(state, names, you)
        case ["powers"]:
            return describe_powers()
        case ["payoffs"]:
            return describe_payoffs(swindler=you is not None and bool(state.suits) and state.power(you, DIAMOND))
    return None


# -- tiles -------------------------------------------------------------------------------------------------------------


def describe_field(state: State, names: Sequence[str], you: int | None) -> list[str]:
    """Describes all tiles, and says who stands on them."""
    lines = (f"{long_tile(tile)}{_there(state, index, names, you)}" for index, tile in enumerate(state.field))
    return [as_sentence(line) for line in lines]


def _there(state: State, index: int, names: Sequence[str], you: int | None) -> str:
    seats = [seat for seat, at in enumerate(state.pawns) if at == index]
    if not seats:
        return ""
    stand = "stands" if len(seats) == 1 and seats[0] != you else "stand"
    return f", where {join_names(['you' if seat == you else names[seat] for seat in seats])} {stand}"


def look(state: State, words: Sequence[str], names: Sequence[str], you: int | None, *, over: bool = False) -> list[str]:
    """Says what a tile is, what lies beside it, who stands there, and what going there would do to `you`, unless the
    game is `over`.
    """
    try:
        coins = coins_in(words)
    except ParseError:
        coins = []
    index = next((n for n, tile in enumerate(state.field) if [(tile.suit, tile.value)] == coins), None)
    if index is None:
        return [NO_TILE]
    tile = state.field[index]
    there = _there(state, index, names, you)
    lines = [
        f"{SUITS[tile.suit].name.capitalize()} {RANKS[tile.value]}{f'{there},' if there else ''} is {tile_rule(tile)}"
    ]
    near = [
        f"{long_tile(state.field[other])}{_there(state, other, names, you)}" for other in beside(state.field, index)
    ]
    lines.append(f"Next to it: {'; '.join(near)}.")
    visits = you is not None and not over and state.present[you] and state.pawns[you] != index
    if you is not None and visits and (own := outcome(state, you, index).own):
        lines.append(f"For you: {in_words(own)}")
    return lines
