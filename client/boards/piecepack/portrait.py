"""The parts of a portrait screen: the players across, the field, what is chosen, and the hand below it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from kimberley.client.boards.piecepack.form import PiecepackForm
from kimberley.client.boards.piecepack.hand import ROWS, CoinCard, draw_cards, hand_area
from kimberley.client.boards.piecepack.layout import NOTHING_TO_SELL, WHERE_SOLD, sale_text
from kimberley.client.boards.piecepack.panel import Deed, PlayerRow, draw_backs, draw_log
from kimberley.client.boards.piecepack.phrases import NO_COINS
from kimberley.client.boards.piecepack.suits import badge
from kimberley.client.session.participants import own_name, short_name
from kimberley.client.ui.buttons import touch_stepper
from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.glyphs import cell_width, truncate, wrap
from kimberley.client.ui.palette import Color
from kimberley.client.ui.panels import paragraph
from kimberley.client.ui.spans import Spans
from kimberley.client.ui.touch import TOUCH_ROWS
from kimberley.games.phrases import count_of, join_names
from kimberley.games.piecepack.rules import State
from kimberley.p2p.sentences.notices import RESIGNED

HAND_ROWS: Final = ROWS + 2
"""The hand, and above it what its diamonds sell for."""
CARD_ROWS: Final = 8
"""The rows for what is chosen, and what it would do."""
LOG_ROWS: Final = 5
"""The rows for what has happened, when nothing is being chosen."""
DEED_ROWS: Final = 2
"""The rows of a button for an action."""


class PortraitLayout(NamedTuple):
    """The parts of a portrait screen; `over` is where a box can lie, above the hand."""

    field: Canvas
    card: Canvas
    hand: Canvas
    over: Canvas


def portrait_layout(body: Canvas, *, chooses: bool) -> PortraitLayout:
    """Returns the parts of the screen, which depend on whether the player chooses something or only watches."""
    width, above = body.width, body.height - HAND_ROWS
    field = above - (CARD_ROWS if chooses else LOG_ROWS)
    return PortraitLayout(
        body.region(0, 0, width, field),
        body.region(0, field, width, above - field),
        body.region(0, above, width, HAND_ROWS),
        body.region(0, 0, width, above),
    )


def draw_players_across(canvas: Canvas, players: Sequence[PlayerRow]) -> None:
    """Draws the players beside each other in three rows. A click on one is ("player", seat)."""
    canvas.fill(0, 0, canvas.width, canvas.height, "panel")
    ends = [canvas.width * number // len(players) for number in range(len(players) + 1)]
    names = [player.name for player in players]
    for player, left, right in zip(players, ends, ends[1:], strict=False):
        block = canvas.region(left, 0, right - left, canvas.height)
        if player.turn:
            block.fill(0, 0, block.width, block.height, "raised")
        block.hit(0, 0, block.width, block.height, ("player", player.seat))
        _draw_player(block.region(0, 0, block.width - (right < canvas.width), block.height), player, names)


def _draw_player(canvas: Canvas, player: PlayerRow, names: Sequence[str]) -> None:
    """Draws badge and points, the name, and below it the coins; only their number, if they have no room."""
    end = canvas.width
    if player.suit is not None:
        badge(canvas, 0, 0, player.suit, player.seat)
    canvas.right(end, 0, str(player.points), "money", bold=True)
    name = own_name(player.name, end) if player.you else short_name(names, player.seat, end)
    canvas.put(0, 1, name, "text" if player.present else "soft", bold=player.you or player.turn)
    if not player.present:
        canvas.put(0, 2, RESIGNED if cell_width(RESIGNED) <= end else "out", "soft")
    elif 2 * len({suit for suit, _ in player.coins}) <= end:
        draw_backs(canvas, 0, end, 2, player.coins)
    else:
        count = count_of(len(player.coins), "coin")
        canvas.put(0, 2, count if cell_width(count) <= end else str(len(player.coins)), "soft")


def draw_choice(canvas: Canvas, form: PiecepackForm | None, log: Spans) -> None:
    """Draws what is being chosen, and what it would do; if nothing is, what happened last."""
    canvas.fill(0, 0, canvas.width, canvas.height, "panel")
    inner = canvas.region(0, 0, canvas.width, canvas.height)
    if form is None or form.request() is not None:
        draw_log(inner, log)
    elif (menu := form.deeds()) is not None:
        _draw_deeds(inner, *menu)
    else:
        _draw_text(inner, 0, form.about(), "text")
        if picked := form.picked():
            touch_stepper(
                inner, 1, inner.height - TOUCH_ROWS, inner.width - 2, picked, less=("next", -1), more=("next", 1)
            )


def _draw_text(canvas: Canvas, y: int, text: str, fg: Color) -> int:
    """Draws text as far as there is room. Returns the row after it."""
    return paragraph(canvas, 1, y, wrap(text, canvas.width - 2, max(0, canvas.height - y)), fg)


def _draw_deeds(canvas: Canvas, deeds: Sequence[Deed], focus: int) -> None:
    """Draws buttons for what is possible, two beside each other, then what the one in focus does. The last lines name
    what is not possible: each touch there asks why, of one after another.
    """
    possible = [number for number, deed in enumerate(deeds) if deed.violation is None]
    room = canvas.width // 2 - 1
    for place, number in enumerate(possible):
        row, column = divmod(place, 2)
        _draw_deed(canvas.region(1 + column * room, row * DEED_ROWS, room - column, DEED_ROWS), deeds, number, focus)
    y = -(-len(possible) // 2) * DEED_ROWS
    about = deeds[focus]
    text = about.about if about.violation is None else f"Not now: {about.violation}."
    y = _draw_text(canvas, y, text, "text" if about.violation is None else "warning")
    refused = [number for number in range(len(deeds)) if number not in possible]
    if not refused:
        return
    named = f"Not now: {join_names([deeds[number].label[:1].lower() + deeds[number].label[1:] for number in refused])}."
    lines = len(wrap(named, canvas.width - 2))
    if y + lines <= canvas.height:
        top = canvas.height - max(DEED_ROWS, lines)
        _draw_text(canvas, canvas.height - lines, named, "soft")
        following = next((number for number in refused if number > focus), refused[0])
        canvas.hit(0, top, canvas.width, canvas.height - top, ("deed", following))


def _draw_deed(canvas: Canvas, deeds: Sequence[Deed], number: int, focus: int) -> None:
    here = number == focus
    ground: Color = "paper" if here else "button"
    canvas.fill(0, 0, canvas.width - 1, 1, ground)
    if not canvas.ascii_only:
        canvas.put(0, 1, "▀" * (canvas.width - 1), ground)
    label = (
        f"▸ {deeds[number].label}"
        if here
        else f"[{deeds[number].label}]"
        if canvas.palette.plain
        else deeds[number].label
    )
    canvas.center(0, 0, canvas.width - 1, label, "ink" if here else "text", bold=True)
    canvas.hit(0, 0, canvas.width - 1, DEED_ROWS, ("deed", number))


def draw_open_hand(
    canvas: Canvas, state: State, seat: int, cards: Sequence[CoinCard], cursor: int | None, title: str, *, asks: bool
) -> None:
    """Draws a seat's coins; above them what its diamonds sell for, and what is left to draw. With `asks`, a touch there
    opens all payoffs.
    """
    canvas.fill(0, 0, canvas.width, canvas.height, "border")
    if asks:
        canvas.hit(0, 0, canvas.width, HAND_ROWS - ROWS, "key:p")
    end = canvas.width - 1
    supply = f"bag {state.in_bag}  ♦ left {state.in_pile}" if state.coins() else ""
    left = canvas.right(end, 0, supply, "soft")
    canvas.put(1, 0, truncate(title, left - 2), "text", bold=True)
    if not state.ended:
        where = canvas.right(end, 1, WHERE_SOLD, "soft")
        sold = sale_text(state, seat, where - 2)
        canvas.put(1, 1, sold or NOTHING_TO_SELL, "money" if sold else "soft", bold=bool(sold))
    inner = canvas.region(1, HAND_ROWS - ROWS, canvas.width - 2, ROWS)
    if cards:
        draw_cards(inner, cards, cursor, lambda number: (hand_area(cursor), number), cursor is not None)
    else:
        inner.put(0, 1, NO_COINS, "soft")
