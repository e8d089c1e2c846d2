"""What F1 says, phase by phase, and the words of the strip while something is shown."""

from __future__ import annotations

from typing import Final

from kimberley.client.ui.screen import Help, Section

TITLE: Final = "Diamond Mine"
START: Final = "Lots decide who begins and who collects which color. Then the nests are filled, unseen."

PHASES: Final = {
    "lots": "START", "small": "START", "medium": "START", "place": "NESTS", "cards": "CARD", "move": "MOVE",
    "show": "VEIN", "take": "VEIN",
}  # fmt: skip
FRAMES: Final = {
    "lots": "START", "filled": "START", "placed": "NESTS", "cards": "CARD", "moved": "MOVE", "opened": "VEIN",
    "took": "VEIN", "left": "LEFT",
}  # fmt: skip
HEADINGS: Final = {
    "lots": "The lots", "filled": "The nests", "placed": "A nest", "cards": "The cards are shown", "moved": "A move",
    "opened": "A vein is opened", "took": "From the vein", "left": "One less",
}  # fmt: skip

_AIM: Final = Section(
    "The aim",
    "Bring home gems. Small ones count 1, medium ones 2; those of your own color count double, flawless ones triple. "
    "Only gems that are at home when the game ends count.",
)
_NESTS: Final = Section(
    "Nests",
    "Take turns to put the nests on free squares: never in your own quarter of the field, nor on a home. Each nest "
    "holds a small and a medium gem; you all shuffled them together, so nobody knows which.",
)
_CARDS: Final = Section(
    "Cards",
    "Each round everybody chooses 1, 2 or 3, face down. Then all show their cards, and one after another goes that "
    "many squares. The player who went first acts last in the next round.",
)
_MOVES: Final = Section(
    "Moving",
    "Go exactly as far as your card says, in a straight line, also diagonally. Pawns, exhausted veins and the homes of "
    "others block the way; veins that still hold something do not. If you can go, you must; if you cannot, you stay.",
)
_HANDLING: Final = Section(
    "On the way",
    "A pawn carries 3 pips: three small gems, or a small and a medium one. It may pick up the gem on each square that "
    "it enters, the last one too. It may drop one on each square that it passes, unless a gem or a vein lies there. "
    "Anybody who comes by may pick that up.",
)
_VEINS: Final = Section(
    "Veins",
    "If you land on a vein, everybody sees what is in it, and you may take what you can carry. Anybody may take the "
    "rest later. An empty vein is exhausted and blocks the way for good, unless it is next to a home.",
)
_END: Final = Section(
    "The end",
    "With two players the game ends after six exhausted veins, with four after all eight. It also ends after 30 rounds "
    "in a row in which nobody took a gem from a vein or brought one home, or when all agree to end, each with the card "
    "of the same round (e).",
)
_KEYS: Final = Section(
    "Keys",
    "Arrows look at a square, and so does a click. 1, 2, 3 raise a card, Enter plays it; h hides it from a "
    "neighbor’s eyes. In a move Tab goes from target to target, 1 to 3 choose a square of the way, x drops on it, g "
    "picks up there, Enter or a second click goes. u or Esc takes back what is not done yet.",
)

ABOUT: Final = Help(TITLE, (_AIM, _NESTS, _CARDS, _MOVES, _HANDLING, _VEINS, _END))


def for_phase(phase: str) -> Help:
    """The help for a phase of the rules."""
    first = {
        "place": (_NESTS, _AIM, _CARDS), "cards": (_CARDS, _MOVES, _AIM, _END), "move": (_MOVES, _HANDLING, _VEINS),
        "show": (_VEINS, _HANDLING), "take": (_VEINS, _HANDLING, _AIM),
    }.get(phase, (_AIM,))  # fmt: skip
    rest = tuple(section for section in ABOUT.sections if section not in first)
    return Help(TITLE, (*first, _KEYS, *rest))


TIMELINE: Final = Help(
    TITLE,
    (
        Section(
            "The field",
            "PgDn and PgUp go a round. A click on a square tells what is there, in a replay also in a nest that nobody "
            "opened; w, a, s and d do the same by keys.",
        ),
        *ABOUT.sections,
    ),
)
