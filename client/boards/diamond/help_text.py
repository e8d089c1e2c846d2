"""What F1 says, phase by phase."""

from __future__ import annotations

from typing import Final

from client.screen import Help, Section

TITLE: Final = "Diamond"

_AIM: Final = Section(
    "The aim",
    "Be the first to hold all four corners of one of the 24 tinted squares with pieces of your colour. A square is won "
    "in either phase.",
)
_PLACING: Final = Section(
    "Placing",
    "Black begins. In turns each side puts one piece on any open point, until all 24 stand. Nothing is captured yet.",
)
_SWAP: Final = Section(
    "The swap",
    "Right after Black’s first piece White may swap: then White’s player goes on as Black, with that piece, and the "
    "other one moves next, as White. So do not begin too well. s swaps.",
)
_MOVING: Final = Section(
    "Moving",
    "One piece a turn goes along a line to an open point beside it; nobody may pass. Instead, a neutral piece may be "
    "taken off the board, if no white or black piece stands beside it.",
)
_CAPTURES: Final = Section(
    "Captures",
    "Move onto a triangle whose other corners hold a piece of yours and one of the other side, and that one is "
    "cornered: it turns neutral where it stands. Only the piece that moves corners, and only if it corners exactly "
    "one: two at once are both safe. Moving in between two enemy pieces is safe, too.",
)
_DRAWS: Final = Section(
    "Draws",
    "By agreement; when the side to move has no piece that can move; when a position comes about for the third time "
    "with the same side to move; after 50 moves in a row without a capture or a removal. = offers a draw along with "
    "your next move; the other side takes it with its next turn, or plays on.",
)
_KEYS: Final = Section(
    "Keys",
    "Arrows go from point to point, Enter places, picks and moves; a click does the same. Or type: b2 places, b1-b2 "
    "moves, (b3) removes a neutral piece. A * for a capture may be left out. u or Esc puts a picked piece back. Talk "
    "is in the menu, F10.",
)

ABOUT: Final = Help(TITLE, (_AIM, _PLACING, _SWAP, _MOVING, _CAPTURES, _DRAWS))


def for_phase(placing: bool, may_swap: bool) -> Help:
    """The help for a phase."""
    if may_swap:
        return Help(TITLE, (_SWAP, _AIM, _PLACING, _DRAWS, _KEYS))
    return Help(TITLE, (_PLACING, _AIM, _SWAP, _DRAWS, _KEYS) if placing else (_MOVING, _CAPTURES, _AIM, _DRAWS, _KEYS))


MOMENTS: Final = Help(
    TITLE,
    (Section("The moves", "PgDn and PgUp go ten moves. A click on a move in the list goes there."), *ABOUT.sections),
)
