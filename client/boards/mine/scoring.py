"""How points are made up: the gems in each home, what is worth double and triple, and what is not counted."""

from __future__ import annotations

from typing import NamedTuple

from kimberley.client.boards.mine.stones import PAINT
from kimberley.client.ui.spans import Span, Spans
from kimberley.games.mine.gems import COLORS, FLAWLESS, LETTERS, OWN
from kimberley.games.mine.rules import State
from kimberley.games.table import Hidden


class Score(NamedTuple):
    """The points of a home, by what they are for: pips of one's own color, flawless ones, others; and the total."""

    own: int
    flawless: int
    other: int
    total: int


def score_of(state: State, seat: int) -> Score:
    """Returns how a seat's points are made up, in pips before they are multiplied."""
    own = flawless = other = 0
    for gem in state.mine.stored[seat]:
        color = state.color(gem)
        if isinstance(color, Hidden):
            continue
        if color == state.flawless:
            flawless += state.size(gem)
        elif color == state.colors[seat]:
            own += state.size(gem)
        else:
            other += state.size(gem)
    return Score(own, flawless, other, state.score(seat))


def reckoned(state: State, seat: int, *, short: bool = False) -> Spans:
    """Returns how a seat's points are made up: "red 4×2 purple 1×3 other 5"; in `short`, "r 4×2 p 1×3 other 5"."""
    return tuple(span for term in terms(state, seat, short=short) for span in (Span(" "), *term))[1:]


def terms(state: State, seat: int, *, short: bool = False) -> list[Spans]:
    """Returns what a seat's points consist of, by color; empty before there are colors. In `short`, colors are letters,
    as on the gems.
    """
    if not state.colors:
        return []
    score, names = score_of(state, seat), LETTERS if short else COLORS
    parts: list[Spans] = []
    if score.own:
        own = state.colors[seat]
        parts.append((Span(names[own], PAINT[own]), Span(f" {score.own}×{OWN}", "soft")))
    if score.flawless and state.flawless is not None:
        paint = PAINT[state.flawless]
        parts.append((Span(names[state.flawless], paint), Span(f" {score.flawless}×{FLAWLESS}", "soft")))
    if score.other:
        parts.append((Span(f"other {score.other}", "soft"),))
    return parts or [(Span("nothing at home", "soft"),)]
