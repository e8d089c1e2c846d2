"""What F1 says, phase by phase."""

from __future__ import annotations

from typing import Final

from kimberley.client.ui.screen import Help, Section
from kimberley.games.diamond.board import LINES, POINTS, SQUARES, TRIANGLES
from kimberley.games.diamond.position import PIECES
from kimberley.games.diamond.rules import QUIET, TIMES

TITLE: Final = "Diamond"

_AIM: Final = Section(
    "The aim",
    "Be the first to hold all four corners of one of the tinted squares with pieces of your color. You can win a "
    "square in either phase.",
)
_PLACING: Final = Section(
    "Placing",
    f"Black begins. The sides take turns to put one piece on any open point, until all {2 * PIECES} stand. Nothing "
    "moves and nothing is captured before that. Right after Black’s first piece White may swap sides, so that piece "
    "should not be too good.",
)
_SWAP: Final = Section(
    "The swap",
    "Right after Black’s first piece White may swap: then White’s player goes on as Black, with that piece, and the "
    "other player moves next, as White. So Black’s first piece should not be too good.",
)
_MOVING: Final = Section(
    "Moving",
    "On your turn, move one piece along a line to an open point beside it; you may not pass. Or take a neutral piece "
    "off the board, if no white or black piece stands beside it.",
)
_CAPTURES: Final = Section(
    "Captures",
    "If you move onto a triangle whose other corners hold one of your pieces and one enemy piece, you corner the enemy "
    "piece: it turns neutral where it stands. Only the piece that moves can corner, and only if it corners exactly "
    "one; two at once are both safe. You may safely move between two enemy pieces.",
)
_DRAWS: Final = Section(
    "Draws",
    "The game is a draw if both sides agree; if the side to move has no piece that can move; if a position comes about "
    f"for the third time with the same side to move; or after {QUIET} moves in a row without a capture or a removal.",
)
_KEYS: Final = Section(
    "Keys",
    "Arrows go from point to point, Enter places, picks and moves. A click picks a piece, or goes to a point; a second "
    "click there ends your turn, since no turn can be taken back. Or type: b2 places, b1-b2 moves, (b3) removes a "
    "neutral piece. A * for a capture may be left out. u or Esc puts a picked piece back. s swaps. = offers a draw "
    "along with your next turn; the other side accepts it with its own next turn, or plays on.",
    by_touch=Section(
        "By touch",
        "Touch a piece of yours to pick it, then the point where it goes; while you place, just the point. A second "
        "touch there, or Go, ends your turn, since no turn can be taken back. A draw is offered along with your next "
        "turn; the other side accepts it with its own next turn, or plays on. Two fingers look closer.",
    ),
)

ABOUT: Final = Help(TITLE, (_AIM, _PLACING, _SWAP, _MOVING, _CAPTURES, _DRAWS))


def for_phase(placing: bool, may_swap: bool) -> Help:
    """The help for a phase."""
    if may_swap:
        return Help(TITLE, (_SWAP, _PLACING, _KEYS))
    return Help(TITLE, (_PLACING, _AIM, _KEYS, _MOVING, _CAPTURES) if placing else (_MOVING, _CAPTURES, _AIM, _KEYS))


RULES: Final = Help(
    TITLE,
    (
        Section(
            "The aim",
            "Be the first to hold all four corners of a square with pieces of your color. You can complete a square in "
            "either phase of the game, and you win at once.",
        ),
        Section(
            "The board",
            f"The board has {POINTS} points, joined by {len(LINES)} lines. The lines enclose {len(SQUARES)} squares, "
            f"which are tinted, and {len(TRIANGLES)} triangles. Two points are neighbors if a line joins them. Each "
            f"side has {PIECES} pieces.",
        ),
        Section(
            "Who begins",
            "Lots decide who begins, as Black. In another game at the same table the other side begins. The sides take "
            "turns, and nobody can pass.",
        ),
        Section(
            "First phase: placing",
            f"In your turn you put one of your pieces on any open point, until all {2 * PIECES} pieces stand. In this "
            "phase no piece moves, no piece is captured, and no piece is removed.",
        ),
        Section(
            "The swap",
            "Right after Black’s first piece, and only then, White may swap instead of placing a piece. The players "
            "change colors, and the board stays as it is: the player who swapped is Black from then on, with that "
            "piece. The other player has the next turn, as White.",
        ),
        Section(
            "Second phase: moving",
            "Once all pieces stand, you do one of these two things in your turn:",
            (
                "Move one of your pieces along a line to an open neighboring point.",
                "Take a neutral piece off the board. This is allowed if neither a black nor a white piece stands on a "
                "neighboring point.",
            ),
        ),
        Section(
            "Captures",
            "You corner an enemy piece if you move to the last open corner of a triangle whose other two corners hold "
            "that enemy piece and a piece of your own. If your move corners exactly one enemy piece, you capture it: "
            "it becomes neutral, and stays where it is.",
            (
                "If your move corners two or more pieces, all of them are safe.",
                "A piece that you corner on two triangles at once is still one piece, so you capture it.",
                "The piece that moves corners others only together with a piece that stood still. The point that it "
                "came from does not count.",
                "You may safely move in between two enemy pieces on a triangle.",
                "Neutral pieces belong to nobody. They do not move, corner nobody and complete no square, but nobody "
                "else can stand on their point.",
            ),
        ),
        Section(
            "The end",
            "Whoever completes a square wins, even if the same turn would also make the game a draw. A player who "
            "resigns loses; if both resign at once, the game is a draw. The game is also a draw in these cases:",
            (
                "Both sides agree. You offer a draw together with a turn. The offer stands until the other side’s next "
                "turn: in it, the other side accepts the offer, or declines it by playing on. An offer cannot be "
                "withdrawn, or answered by another offer.",
                "All pieces have been placed, and the side to move has no piece that can move. That holds even if it "
                "could remove a neutral piece, and also if it has no piece left.",
                f"The same position has stood on the board {TIMES} times: the same black, white and neutral pieces, "
                "and the same side to move. The position when the second phase begins counts.",
                f"In the second phase {QUIET} turns in a row have passed without a capture or a removal, counted over "
                "both sides.",
            ),
        ),
    ),
)

TIMELINE: Final = Help(
    TITLE,
    (
        Section(
            "The moves",
            "PgDn and PgUp go ten moves. A click on a move in the list goes there.",
            by_touch=Section("The moves", "A touch on a move in the list goes there."),
        ),
    ),
)

TYPED: Final = (
    "Be the first to hold all four corners of a square with your pieces. Black begins. The players take turns to place "
    "twelve pieces each; then they move them along the lines.",
    "If you move onto a triangle whose other corners hold one piece of each side, you capture the enemy piece: it "
    "turns neutral. A move that would capture two pieces captures none.",
    "Placing: b2. Moving: b1-b2. Removing a neutral piece that stands alone: (b3). Right after Black’s first piece "
    "White may type swap.",
    "To offer a draw, type = after a move, as in b2 =. If a draw is offered to you, type = alone to accept it.",
    "look b2 tells what stands on b2 and beside it, which squares it is a corner of, and what a piece there may take.",
)
"""The game in short, and everything that can be typed in the line mode."""
