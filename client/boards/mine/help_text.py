"""What F1 says, phase by phase, and the words of the strip while something is shown."""

from __future__ import annotations

from typing import Final

from client.screen import Help, Section

TITLE: Final = "Diamond Mine"
START: Final = "Lots decide who begins and who collects which colour. Then the nests are filled, unseen."

PHASES: Final = {
    "lots": "START", "small": "START", "medium": "START", "place": "NESTS", "cards": "CARD", "move": "MOVE",
    "show": "VEIN", "take": "VEIN",
}  # fmt: skip
BEATS: Final = {
    "lots": "START", "filled": "START", "placed": "NESTS", "cards": "CARD", "moved": "MOVE", "opened": "VEIN",
    "took": "VEIN", "left": "LEFT",
}  # fmt: skip
HEADINGS: Final = {
    "lots": "The lots", "filled": "The nests", "placed": "A nest", "cards": "The cards are shown", "moved": "A move",
    "opened": "A vein is opened", "took": "From the vein", "left": "One less",
}  # fmt: skip

_AIM: Final = Section(
    "The aim",
    "Bring home gems. Small ones count 1, medium ones 2; those of your own colour count double, flawless ones triple. "
    "Only what is at home when the game ends scores.",
)
_NESTS: Final = Section(
    "Nests",
    "In turns all put the nests on free squares, never in their own quarter of the field nor on a home. In each lie a "
    "small and a medium gem; they were shuffled by all of you together, so nobody knows which.",
)
_CARDS: Final = Section(
    "Cards",
    "Each round everybody chooses 1, 2 or 3, face down. When all have, the cards are shown, and one after another "
    "goes that many squares. Who went first acts last in the next round.",
)
_MOVES: Final = Section(
    "Moving",
    "Exactly as far as the card says, in a straight line, aslant too. Pawns, exhausted veins and the homes of others "
    "bar the way; veins that hold something do not. Who can go must; who cannot stays.",
)
_HANDLING: Final = Section(
    "On the way",
    "A pawn carries 3 pips: three small gems, or a small and a medium. It may pick up the gem that lies on a square "
    "that it enters, the last one too; and drop one on each square that it passes, unless a gem still lies there, or a "
    "vein. Whoever comes by may pick it up.",
)
_VEINS: Final = Section(
    "Veins",
    "Who lands on a vein shows everybody what is in it, and takes what can be carried. What stays may be taken later, "
    "by anybody. An empty vein is exhausted and bars the way for good, unless it is next to a home.",
)
_END: Final = Section(
    "The end",
    "Of two players: six exhausted veins. Of four: all eight. Or 30 rounds in a row in which nothing was taken from a "
    "vein or brought home; or when all agree to end, each with the card of the same round (e).",
)
_KEYS: Final = Section(
    "Keys",
    "Arrows look at a square, and so does a click. 1, 2, 3 raise a card, Enter plays it; h hides it from a "
    "neighbour’s eyes. In a move Tab goes from target to target, 1 to 3 choose a square of the way, x drops on it, g "
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


MOMENTS: Final = Help(
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
