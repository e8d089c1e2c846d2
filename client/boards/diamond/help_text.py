"""What F1 says, phase by phase."""

from __future__ import annotations

from typing import Final

from kimberley.client.ui.screen import Help, Section
from kimberley.games.diamond.board import LINES, POINTS, SQUARES, TRIANGLES
from kimberley.games.diamond.game import Diamond
from kimberley.games.diamond.position import PIECES
from kimberley.games.diamond.rules import QUIET, TIMES

TITLE: Final = Diamond.title

_AIM: Final = Section(
    "Goal",
    "Be the first to hold all four corners of a square with your pieces, in either phase.",
)
_PLACING: Final = Section(
    "Placing",
    f"Black begins. Take turns placing one piece on any open point, until all {2 * PIECES} are on the board. Nothing "
    "moves or is captured before that.",
)
_SWAP: Final = Section(
    "The swap",
    "Right after Black’s first piece, White can swap: White’s player takes over Black and that piece, and the other "
    "player moves next, as White. So Black should not choose too good a point.",
)
_MOVING: Final = Section(
    "Moving",
    "On your turn, move one piece along a line to an adjacent open point, or remove a neutral piece that has no white "
    "or black piece next to it. You cannot pass.",
)
_CAPTURES: Final = Section(
    "Captures",
    "Move a piece to the third corner of a triangle that holds another of your pieces and one enemy piece, and the "
    "enemy piece turns neutral. This works only if your move corners exactly one piece; two at once are both safe. "
    "Moving between two enemy pieces is safe.",
)
_DRAWS: Final = Section(
    "Draws",
    "The game is a draw if both sides agree, if the side to move cannot move a piece, or if a position occurs for the "
    f"third time with the same side to move. It is also a draw after {QUIET} turns in a row, counting both sides, "
    "without a capture or a removal.",
)
_KEYS: Final = Section(
    "Keys",
    "Arrows move around; Enter places, selects and moves. Click a piece, then a point; a second click there ends your "
    "turn. Or type: b2 places, b1-b2 moves, (b3) removes a neutral piece; the * of a capture is optional. u or Esc "
    "deselects. = offers a draw with your next turn; your opponent accepts on their turn, or plays on.",
    by_touch=Section(
        "Touch",
        "Tap a piece of yours, then where it goes; when placing, just the point. A second tap there, or Go, ends your "
        "turn. Draw offers go out with your next turn; your opponent accepts on their turn, or plays on. Pinch to "
        "zoom.",
    ),
)

ABOUT: Final = Help(TITLE, (_AIM, _PLACING, _SWAP, _MOVING, _CAPTURES, _DRAWS))


def for_phase(placing: bool, swap: bool) -> Help:
    """Returns the help for a phase in which somebody can `swap` sides, now or next, or nobody can."""
    if not placing:
        return Help(TITLE, (_MOVING, _CAPTURES, _AIM, _KEYS))
    return Help(TITLE, (_PLACING, *((_SWAP,) if swap else ()), _AIM, _KEYS, _MOVING, _CAPTURES))


RULES: Final = Help(
    TITLE,
    (
        Section(
            "Goal",
            "Be the first to hold all four corners of a square with your pieces. That wins at once, in either phase.",
        ),
        Section(
            "The board",
            f"The board has {POINTS} points, joined by {len(LINES)} lines, which form {len(SQUARES)} squares "
            f"and {len(TRIANGLES)} triangles. Points joined by a line are adjacent. Each side has {PIECES} pieces.",
        ),
        Section(
            "Who begins",
            "Who plays Black is drawn at random, and Black begins. In a rematch the other player begins. You take "
            "turns, and nobody can pass.",
        ),
        Section(
            "First phase: placing",
            f"On your turn, place a piece on any open point, until all {2 * PIECES} are on the board. Nothing moves, "
            "is captured or is removed in this phase.",
        ),
        Section(
            "The swap",
            "Right after Black’s first piece, and only then, White may swap instead of placing. The players swap "
            "sides and the board stays as it is. The player who swapped is now Black, with that piece; the other "
            "player moves next, as White. So Black should not choose too good a point.",
        ),
        Section(
            "Second phase: moving",
            "Once all pieces are placed, do one of these on your turn:",
            (
                "Move one of your pieces along a line to an adjacent open point.",
                "Remove a neutral piece, if no white or black piece is adjacent to it.",
            ),
        ),
        Section(
            "Captures",
            "If a triangle holds one of your pieces and one enemy piece, you corner the enemy piece by moving another "
            "of your pieces to the third corner. If your move corners exactly one, you capture it: it turns neutral "
            "and stays where it is.",
            (
                "If your move corners two or more pieces, none is captured.",
                "A piece cornered on two triangles at once is still one piece, and is captured.",
                "To corner, the moving piece needs another of your pieces on the triangle, one that did not move; the "
                "point it came from does not count.",
                "You may safely move between two enemy pieces on a triangle.",
                "Neutral pieces belong to nobody. They never move, corner or complete a square; they only block their "
                "point.",
            ),
        ),
        Section(
            "The end",
            "Completing a square wins, even if the same turn would also bring about a draw. If you resign, you lose. "
            "House rule: if both resign at once, it is a draw. The game is also a draw if:",
            (
                "Both sides agree. You offer a draw with a turn. Your opponent accepts it on their next turn, or "
                "declines by playing on. You cannot withdraw an offer, or answer it with another.",
                "The side to move has no piece that can move, or no piece left, once all are placed. Being able to "
                "remove a neutral piece does not help.",
                f"The same position has occurred {TIMES} times: same black, white and neutral pieces, same side to "
                "move. The position that opens the second phase counts.",
                f"The second phase has seen {QUIET} turns in a row, counting both sides, without a capture or a "
                "removal.",
            ),
        ),
    ),
)

TIMELINE: Final = Help(
    TITLE,
    (
        Section(
            "The moves",
            "PgDn, PgUp: ten moves. Click a move in the list to go there.",
            by_touch=Section("The moves", "Tap a move in the list to go there."),
        ),
    ),
)

TYPED: Final = (
    "Be the first to hold all four corners of a square with your pieces. Black begins. You take turns placing twelve "
    "pieces each, then move them along the lines.",
    "Move a piece to the third corner of a triangle that holds another of yours and one enemy piece, and the enemy "
    "piece turns neutral. A move that corners two or more captures none of them.",
    "Place: b2. Move: b1-b2. Remove a neutral piece with no white or black piece next to it: (b3). Right after "
    "Black’s first piece, White may type swap.",
    "To offer a draw, add = to a move: b2 =. To accept one, type just =.",
    "look b2: what is on b2 and next to it, which squares it belongs to, and what a piece there could capture.",
)
"""The game in short, and everything that can be typed in the line mode."""
