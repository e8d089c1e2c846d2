"""Boxes that explain a tile or a warlord."""

from __future__ import annotations

from collections.abc import Sequence

from kimberley.client.boards.piecepack.form import Request, open_cards
from kimberley.client.boards.piecepack.phrases import marked_tile, outcome, short_tile, tile_rule
from kimberley.client.boards.piecepack.suits import POWER_WORDS, SUITS
from kimberley.games.phrases import count_of, join_names
from kimberley.games.piecepack.rules import State
from kimberley.p2p.sentences.notices import RESIGNED


def tile_box(state: State, index: int, names: Sequence[str], you: int | None) -> Request:
    """Returns what a tile is, who stands there, and what going there would do to the seat `you`."""
    tile = state.field[index]
    there = [names[seat] for seat, at in enumerate(state.pawns) if at == index and seat != you]
    lines = [f"It is {tile_rule(tile)}"]
    if you is not None and state.pawns[you] == index:
        lines.append("You stand here.")
    elif you is not None and state.present[you] and (own := outcome(state, you, index).own):
        # The kind of the tile has been named already.
        lines.append(f"For you: {own}")
    if there:
        lines.append(f"{join_names(there)} {'stands' if len(there) == 1 else 'stand'} here.")
    return Request(short_tile(tile), tuple(lines))


def warlord_box(state: State, seat: int, names: Sequence[str]) -> Request:
    """Returns what a warlord can do, where the pawn stands, and what is known of the hand."""
    suit, where = state.suits[seat], state.pawns[seat]
    title = f"{names[seat]}, the {SUITS[suit].power} {SUITS[suit].sign}"
    if where is None:
        return Request(title, (f"{RESIGNED.capitalize()}.",))
    cards = open_cards(state, seat)
    lines = (
        f"The {SUITS[suit].power} {POWER_WORDS[suit]}",
        f"Stands on {marked_tile(state.field[where])}. {count_of(state.scores[seat], 'point')}. "
        f"Holds {count_of(len(cards), 'coin')}.",
    )
    return Request(title, lines, ((seat, cards),) if cards else ())
