"""A row of coins as cards of sand: the player's own hand, or the backs of others' hands to choose from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from kimberley.client.boards.piecepack.suits import SUITS, face
from kimberley.client.ui.canvas import Action, Canvas
from kimberley.client.ui.palette import Color, Depth, Dimmed

ROWS: Final = 4
"""A card has three rows; a chosen one is lifted by one."""


class CoinCard(NamedTuple):
    """A coin as it is shown: its handle, suit and value, None if it cannot be seen.

    `free` says that it can be chosen now, `chosen` that it is.
    """

    handle: int
    suit: int
    value: int | None
    free: bool = True
    chosen: bool = False


class Size(NamedTuple):
    """The cells of a card, and the gap between two of them."""

    across: int
    gap: int


SIZES: Final = (Size(6, 2), Size(6, 1), Size(5, 1), Size(4, 1), Size(3, 1))
CHIP: Final = 4
"""Cells of a coin where there are too many for cards, so that they stand in rows."""
FINGER: Final = 4
"""The minimum width of a card on a portrait screen, in cells."""
CHIP_ROWS: Final = 2
"""Rows of a chip on a portrait screen."""


def hand_area(cursor: int | None) -> str:
    """Returns what a click on the player's own hand is about: "card" where the keys are at one of its coins, because
    some can be chosen; else "own".
    """
    return "own" if cursor is None else "card"


def size_for(canvas: Canvas, count: int, room: int) -> Size | None:
    """Returns the largest size at which `count` cards fit into `room` columns of a canvas; None if there is none."""
    least = FINGER if canvas.portrait else 0
    fitting = (size for size in SIZES if count * (size.across + size.gap) - size.gap <= room)
    return next((size for size in fitting if size.across >= least), None)


def chip_rows(canvas: Canvas, count: int, room: int) -> int:
    """Returns how many rows `count` chips take in `room` columns of a canvas."""
    return max(1, -(-count // max(1, room // CHIP))) * (CHIP_ROWS if canvas.portrait else 1)


def draw_cards(
    canvas: Canvas, cards: Sequence[CoinCard], cursor: int | None, action: Callable[[int], Action], dims: bool
) -> int:
    """Draws cards from the left of a region of four rows. `action` gives what a click on the nth means.

    With `dims`, those that are not free are dark. `cursor` is the one that the keys are at. Returns the column after
    them.
    """
    size = size_for(canvas, len(cards), canvas.width)
    if size is None:
        rows = chip_rows(canvas, len(cards), canvas.width)
        draw_chips(canvas, cards, cursor, action, 1 if rows < ROWS else 0, dims=dims)
        return min(len(cards), max(1, canvas.width // CHIP)) * CHIP
    x = 0
    for number, card in enumerate(cards):
        y = 0 if card.chosen else 1
        _draw_card(canvas, x, y, size.across, card, number == cursor, dims and not card.free)
        if number == cursor:
            row, mark = (3, "▴") if card.chosen else (0, "▾")
            canvas.put(x + (size.across - 1) // 2, row, mark, "text", bold=True)
        canvas.hit(x, 0, size.across, ROWS, action(number))
        x += size.across + size.gap
    return x - size.gap


def _ground(canvas: Canvas, card: CoinCard, cursor: bool, dim: bool) -> Color:
    if card.chosen:
        return "ice"
    if cursor:
        return "bright" if canvas.palette.depth is Depth.BASIC else "paper"
    return Dimmed("sand", 45) if dim else "sand"


def _dark(canvas: Canvas) -> Color:
    """Returns the color of text on a card that cannot be chosen; in 16 colors, such a card is black."""
    return "line" if canvas.palette.depth is Depth.BASIC else "ink"


def _draw_card(canvas: Canvas, x: int, y: int, across: int, card: CoinCard, cursor: bool, dim: bool) -> None:
    ground, suit = _ground(canvas, card, cursor, dim), SUITS[card.suit]
    ink: Color = _dark(canvas) if dim else suit.ink
    face_ink: Color = ink if dim else "ink"
    canvas.fill(x, y, across, 3, ground)
    if canvas.palette.plain and not (card.chosen or cursor):
        # Without colors, a card is recognized by its outline; one that cannot be chosen has none.
        if not dim:
            canvas.box(x, y, across, 3, square=True)
        canvas.center(x, y + 1, across, SUITS[card.suit].sign + _value(card), ink)
        return
    if across >= 5:
        canvas.put(x + 1, y, SUITS[card.suit].sign, ink, ground)
        canvas.put(x + across - 2, y + 2, SUITS[card.suit].sign, ink, ground)
        canvas.put(x + (across - 1) // 2, y + 1, _value(card), face_ink, ground, bold=True)
    else:
        canvas.put(x, y, SUITS[card.suit].sign, ink, ground)
        canvas.put(x + across // 2, y + 1, _value(card), face_ink, ground, bold=True)


def _value(card: CoinCard) -> str:
    return "?" if card.value is None else face(card.value)


def draw_chips(
    canvas: Canvas,
    cards: Sequence[CoinCard],
    cursor: int | None,
    action: Callable[[int], Action],
    first: int = 0,
    *,
    dims: bool = True,
) -> None:
    """Draws coins as chips, in rows from the row `first` on; on a portrait screen, each row is CHIP_ROWS high if there
    is room for all.
    """
    in_a_row = max(1, canvas.width // CHIP)
    tall = canvas.portrait and first + chip_rows(canvas, len(cards), canvas.width) <= canvas.height
    high = CHIP_ROWS if tall else 1
    for number, card in enumerate(cards):
        x, y = number % in_a_row * CHIP, first + number // in_a_row * high
        dim = dims and not card.free
        ground = _ground(canvas, card, number == cursor, dim)
        ink: Color = _dark(canvas) if dim else "ink"
        mark = "▸" if number == cursor else "✓" if card.chosen else " "
        canvas.put(x, y, mark, "ink", ground, bold=True)
        at = canvas.put(x + 1, y, SUITS[card.suit].sign, ink if dim else SUITS[card.suit].ink, ground)
        canvas.put(at, y, _value(card), ink, ground, bold=True)
        if tall and not canvas.ascii_only:
            canvas.put(x, y + 1, "▀" * CHIP, ground)
        canvas.hit(x, y, CHIP, high, action(number))
