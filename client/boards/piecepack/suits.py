"""The six suits: their signs, colors and words, and the badge of each seat's pawn."""

from __future__ import annotations

from typing import Final, NamedTuple

from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.palette import Color, Depth
from kimberley.games.piecepack.rules import State
from kimberley.games.piecepack.suits import SUN


class Suit(NamedTuple):
    """A suit in words: what its tiles, its coins and the warlord of its pawn are called.

    `word` fits on a tile, `tile` is the whole name; `verb` is what its coins do when they are spent.
    """

    name: str
    sign: str
    word: str
    tile: str
    verb: str
    power: str

    @property
    def ink(self) -> str:
        """Its color on sand and paper."""
        return f"{self.name}_ink"

    @property
    def badge(self) -> str:
        """The ground on which its sign is white."""
        return f"{self.name}_badge"

    @property
    def light(self) -> str:
        """Its color on dark grounds."""
        return f"{self.name}_light"


SUITS: Final = (
    Suit("sun", "☼", "market", "market", "travel", "jumper"),
    Suit("moon", "☾", "oasis", "oasis", "rest", "scrounger"),
    Suit("club", "♣", "war", "war zone", "beat", "thug"),
    Suit("diamond", "♦", "mine", "mine", "sell", "swindler"),
    Suit("heart", "♥", "holy", "holy site", "defend", "tough guy"),
    Suit("spade", "♠", "spy", "spy’s lair", "mine", "digger"),
)
BLACK_MARKET: Final = "black market"
POWER_WORDS: Final = (
    "may jump over one tile in each move.",
    "draws one extra coin each time.",
    "adds one to an attack for each ♣.",
    "adds two to the best ♦ of each sale.",
    "blocks one more for each ♥ in a beating.",
    "mines one free ♦ per mine per turn.",
)
"""What each suit's warlord can do, to follow a name."""
SEAT_LETTERS: Final = "ABCDEF"


def face(value: int) -> str:
    """Returns a value as it stands on a coin or a tile: A is the ace, which counts one."""
    return "A" if value == 1 else str(value)


def tile_name(suit: int, value: int) -> str:
    """Returns what a tile is called: every tile with a 0 is a black market."""
    return SUITS[suit].tile if value else BLACK_MARKET


def pawn_mark(suit: int, seat: int) -> str:
    """Returns the sign of a seat's pawn: the suit and the letter, "☼A"."""
    return SUITS[suit].sign + SEAT_LETTERS[seat]


def seat_marks(state: State) -> list[tuple[str, Color]]:
    """Returns the sign and the color of each seat; none before the suits are drawn."""
    return [(pawn_mark(suit, seat), SUITS[suit].light) for seat, suit in enumerate(state.suits)]


def badge(canvas: Canvas, x: int, y: int, suit: int, seat: int) -> int:
    """Draws the badge of a seat's pawn, suit and letter. Returns the column after it."""
    return canvas.put(x, y, pawn_mark(suit, seat), badge_text(canvas, suit), SUITS[suit].badge, bold=True)


def badge_text(canvas: Canvas, suit: int) -> Color:
    """Returns white, the color of text on a badge; black where the terminal's own yellow is the ground."""
    return "ink" if canvas.palette.depth is Depth.BASIC and suit == SUN else "bright"
