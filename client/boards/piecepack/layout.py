"""Where everything lies on the screen: field, panel, hand and words beside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from kimberley.client.boards.piecepack.hand import CoinCard, draw_cards, hand_area
from kimberley.client.boards.piecepack.minimap import draw_minimap, minimap_rows
from kimberley.client.boards.piecepack.panel import PlayerRow, draw_players, draw_track
from kimberley.client.boards.piecepack.phrases import NO_COINS, known, ruined, sale
from kimberley.client.boards.piecepack.window import Window
from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.glyphs import cell_width, truncate
from kimberley.games.piecepack.field import TilePlace
from kimberley.games.piecepack.rules import State
from kimberley.games.piecepack.suits import GOAL
from kimberley.p2p.sentences.notices import RESIGNED

HAND_ROWS = 4
HEADING = 11
INFO = 27
ROOMY_INFO = 36
NOTHING_TO_SELL = "No ♦ to sell"
WHERE_SOLD = "at any black market (0)"
LEAST_MINIMAP = 3
"""The minimum of rows for a map."""


class Layout(NamedTuple):
    """The parts of a screen, each a region of it."""

    field: Canvas
    panel: Canvas
    hand: Canvas


def layout(canvas: Canvas, panel: int) -> Layout:
    """Returns the parts below the title and the strip and above the keys; the panel has `panel` columns."""
    high = canvas.height - 3 - HAND_ROWS
    return Layout(
        canvas.region(0, 2, canvas.width - panel, high),
        canvas.region(canvas.width - panel, 2, panel, high),
        canvas.region(0, 2 + high, canvas.width, HAND_ROWS),
    )


def players_of(state: State, names: Sequence[str], you: int | None) -> list[PlayerRow]:
    """Returns all seats as the panel shows them."""
    return [
        PlayerRow(
            seat,
            state.suits[seat] if state.suits else None,
            names[seat],
            seat == you,
            state.scores[seat],
            [known(coin) for coin in state.hands[seat]],
            state.present[seat],
            seat == state.turn and bool(state.suits) and not state.ended,
        )
        for seat in range(len(names))
    ]


def pawns_of(state: State) -> Mapping[int, Sequence[tuple[int, int]]]:
    """Returns who stands where: (seat, suit) by tile."""
    pawns: dict[int, list[tuple[int, int]]] = {}
    for seat, index in enumerate(state.pawns):
        if index is not None and state.suits:
            pawns.setdefault(index, []).append((seat, state.suits[seat]))
    return pawns


def draw_table(
    canvas: Canvas, state: State, players: Sequence[PlayerRow], window: Window, ghosts: Sequence[TilePlace] = ()
) -> None:
    """Draws who holds what, what is left to draw, and the small map."""
    needed = max(LEAST_MINIMAP, minimap_rows(state.field) + 1) if state.field else 0
    y = draw_players(canvas, players, canvas.height - 1 - needed)
    if state.coins():
        canvas.put(1, y, f"bag {state.in_bag}", "soft")
        canvas.right(canvas.width - 1, y, f"♦ left {state.in_pile}", "soft")
    room = canvas.height - y - 1
    if room < LEAST_MINIMAP or not state.field:
        return
    if room > LEAST_MINIMAP:
        y, room = y + 1, room - 1
    if room > 5:
        canvas.put(1, y + 1, "the whole map", "soft")
        if not canvas.inert:
            canvas.right(canvas.width - 1, y + 1, "v", "soft", bold=True)
            canvas.hit(1, y + 1, canvas.width - 2, 1, "key:v")
        y, room = y + 1, room - 1
    minimap = canvas.region(1, y + 1, canvas.width - 2, room)
    you = next((player.seat for player in players if player.you), None)
    draw_minimap(minimap, state.field, pawns_of(state), window, ghosts, you)


def draw_hand(
    canvas: Canvas,
    state: State,
    seat: int,
    cards: Sequence[CoinCard],
    cursor: int | None,
    *,
    hide: bool | None = None,
    payoffs: bool = False,
    title: str = "Your hand",
) -> None:
    """Draws a seat's coins, and beside them what the diamonds sell for and the score track.

    `hide` says whether values are hidden, by a key; None where no key does that. `cursor` is the coin that the keys are
    at, if some can be chosen. With `payoffs`, a key shows all payoffs.
    """
    canvas.fill(0, 0, canvas.width, canvas.height, "border")
    canvas.put(1, 0, truncate(title, HEADING - 1), "text", bold=True)
    if hide is not None and not canvas.touch:
        canvas.put(1, 1, "h", "text", bold=True)
        canvas.put(3, 1, "shows" if hide else "hides", "soft")
        canvas.put(1, 2, "values", "soft")
        canvas.hit(0, 1, HEADING, 2, "key:h")
    info = INFO if canvas.width < 100 else ROOMY_INFO
    inner = canvas.region(HEADING + 1, 0, canvas.width - HEADING - info - 2, HAND_ROWS)
    if cards:
        draw_cards(inner, cards, cursor, lambda number: (hand_area(cursor), number), cursor is not None)
    else:
        inner.put(0, 1, NO_COINS, "soft")
    x = canvas.width - info
    room = info - 1
    if not state.present[seat]:
        canvas.put(x, 0, f"{RESIGNED.capitalize()}.", "soft")
    elif not state.ended:
        sold = sale_text(state, seat, room)
        canvas.put(x, 0, sold or NOTHING_TO_SELL, "money" if sold else "soft", bold=bool(sold))
        canvas.put(x, 1, WHERE_SOLD, "soft")
    if payoffs:
        at = x if canvas.touch else canvas.put(x, 3, "p", "text", bold=True) + 1
        canvas.put(at, 3, "all payoffs", "soft")
        canvas.hit(x, 0, room, 2, "key:p")
        canvas.hit(x, 3, room, 1, "key:p")
    points = [(s, state.suits[s], state.scores[s]) for s in range(len(state.present)) if state.suits]
    draw_track(canvas, x, 2, room, points, GOAL)


def sale_text(state: State, seat: int, room: int) -> str:
    """Says what a seat's diamonds sell for, in at most `room` columns; empty if it has none."""
    product, worth = sale(state, seat)
    if not product:
        return ""
    result = "?" if worth is None else worth
    sums = (f"♦ {product} sells for {result}", f"♦ {product.replace(' ', '')} for {result}")
    ruin = ruined(state, seat)
    ways = (f"Worth 0: {ruin}", f"All ♦: {result}") if ruin else (*sums, f"All ♦: {result}")
    return next(way for way in ways if cell_width(way) <= room or way is ways[-1])
