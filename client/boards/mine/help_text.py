"""What F1 says, phase by phase, what can be typed, and the words of the phase strip and the panel."""

from __future__ import annotations

from typing import Final

from kimberley.client.ui.screen import Help, Section
from kimberley.games.mine.gems import ALIKE, CAPACITY, COLORS, FLAWLESS, MEDIUM, OWN, SMALL, WHITE
from kimberley.games.mine.moves import CARDS
from kimberley.games.mine.rules import LAST, NESTS, QUIET
from kimberley.games.mine.squares import SIDE

TITLE: Final = "Diamond Mine"
TIMES: Final = {2: "twice", 3: "three times"}
"""How many times as much a gem is worth, in words."""
START: Final = "Lots decide who begins and who collects which color. Then the nests are filled, unseen."

NOTHING_YET: Final = "An empty field."
WAITING: Final = {
    "lots": "Lots decide the colors, and who begins.",
    "small": "A shuffle fills the nests, and nobody knows with what.",
    "medium": "A shuffle fills the nests, and nobody knows with what.",
    "cards": "Everybody chooses a card, face down.",
}
"""What everybody waits for, by phase."""
DOING: Final = {"place": "places a nest", "show": "opens a vein", "take": "may take gems"}
"""What the player in turn does, by phase. In the phase "move" it goes as far as its card says."""
PHASES: Final = {
    "lots": "START", "small": "START", "medium": "START", "place": "NESTS", "cards": "CARD", "move": "MOVE",
    "show": "VEIN", "take": "VEIN",
}  # fmt: skip
EVENTS: Final = {
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
    "Only gems that are at home when the game ends count. A pawn that comes home unloads all by itself.",
    ("Two players: a lot makes one of the colors that nobody collects flawless. Four: white, if you agreed on it.",),
)
_NESTS: Final = Section(
    "Nests",
    "Take turns to put the nests on free squares: never in your own quarter of the field, nor on a home. Each nest "
    "holds a small and a medium gem; you all shuffled them together, so nobody knows which. Once all nests are placed, "
    "they are called veins.",
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
    "of the same round.",
)
_KEYS: Final = Section(
    "Keys",
    "Arrows look at a square, and so does a click. 1, 2, 3 or a click raise a card, Enter or a second click plays it; "
    "h hides it from a neighbor’s eyes. In a move Tab goes from target to target, 1 to 3 choose a square of the way, "
    "x drops on it, g picks up there, Enter or a second click goes. u or Esc takes back what is not done yet. With a "
    "card, e agrees to end the game.",
    by_touch=Section(
        "By touch",
        "A touch looks at a square. Touch a card, then Play it; Hide hides it from a neighbor’s eyes. In a move touch "
        "a lit square, then what you drop or pick up on the way, then Go. Undo takes back what is not done yet. Two "
        "fingers look closer.",
    ),
)

ABOUT: Final = Help(TITLE, (_AIM, _NESTS, _CARDS, _MOVES, _HANDLING, _VEINS, _END))


def for_phase(phase: str) -> Help:
    """The help for a phase of the rules."""
    first = {
        "place": (_NESTS, _AIM, _CARDS), "cards": (_CARDS, _MOVES, _AIM, _END), "move": (_MOVES, _HANDLING, _VEINS),
        "show": (_VEINS, _HANDLING), "take": (_VEINS, _HANDLING, _AIM),
    }.get(phase, (_AIM,))  # fmt: skip
    return Help(TITLE, (*first, _KEYS))


RULES: Final = Help(
    TITLE,
    (
        Section(
            "The aim",
            "Bring home the most valuable gems. Only gems at home count when the game ends.",
            (
                f"A small gem is worth {SMALL} point, a medium one {MEDIUM}.",
                f"In your own color it is worth {TIMES[OWN]} as much, in the flawless one {TIMES[FLAWLESS]} as much.",
            ),
        ),
        Section(
            "The board",
            f"The board has {SIDE} by {SIDE} squares. Your home is a corner. The quarter of the board around it is "
            "your own. With two players the homes are opposite corners. The other two corners are ordinary squares.",
        ),
        Section(
            "The gems",
            f"There are small gems of {SMALL} pip and medium ones of {MEDIUM} pips: {ALIKE} of each size in each of "
            f"the colors {', '.join(COLORS[: WHITE - 1])} and {COLORS[WHITE - 1]}. Lots decide who begins and who has "
            "which color. In another game at the same table the next player begins.",
            (
                "Flawless gems, two players: two colors belong to nobody. A lot makes one of them flawless.",
                f"Flawless gems, four players: there are none, unless you agree before the game on a fifth color, "
                f"{COLORS[WHITE]}, which is flawless.",
            ),
        ),
        Section(
            "Set-up",
            f"There are {NESTS[2]} nests for two players, {NESTS[4]} for four. The gems are shuffled, so that nobody "
            "knows where any of them is. Each nest gets one small and one medium gem. The rest never comes into play.",
            (
                "In turn, clockwise from the player who begins, you each place one nest on a free square. It must be "
                "outside your own quarter, and on nobody’s home.",
                "When all nests stand, each pawn starts at home. From now on a nest is called a vein.",
            ),
        ),
        Section(
            "A round, 1: cards",
            f"Everybody chooses a card in secret, from {CARDS[0]} to {CARDS[-1]}. Then all cards are shown at the same "
            "time. With your card you may say that you want to end the game.",
        ),
        Section(
            "A round, 2: moves",
            "The players move one after another, clockwise. The player who was first in a round is last in the next. "
            "You move exactly as far as your card says, in a straight line: along a row, a column or a diagonal.",
            (
                "If you can move, you must. If you cannot go that far in any direction, you stay.",
                "The edge of the board, other pawns, the homes of others and exhausted veins stop a pawn. It can "
                "neither enter nor pass them.",
                "A pawn can pass over a vein that still holds a gem, and can land on it.",
            ),
        ),
        Section(
            "On the way",
            f"Your pawn never carries more than {CAPACITY} pips: a small gem has {SMALL}, a medium one {MEDIUM}.",
            (
                "You may pick up the gem that lies on a square that you enter, the last square too.",
                "You may drop one gem on each square that you pass, but not where you start or stop, and not on a "
                "vein, a home or another gem.",
                f"So with a {CARDS[0]} you can drop nothing: you stop on the only square that you enter.",
                "If you do both on one square, you pick up first. With a full load, an exchange takes two squares.",
                "Anybody may pick up what lies on the board.",
            ),
        ),
        Section(
            "Veins",
            "If you land on a vein, it opens: everybody sees what is in it, from then on. You may take what you can "
            "carry, or nothing.",
            (
                "You can land there again, and so can the others, until the vein is empty.",
                "An empty vein is exhausted, and stops pawns. Next to a home, also diagonally, it stops nobody.",
                "A pawn on the vein that it has exhausted can move off.",
                "A pawn that stays on an open vein, because it cannot move, takes nothing. It takes only where it "
                "lands.",
                "You are not asked if you can carry nothing of what is in the vein.",
            ),
        ),
        Section(
            "At home",
            "When your pawn comes home, it unloads everything by itself. Nobody can take gems from a home.",
        ),
        Section(
            "The end",
            "The most points win, and equal points are a tie. The game ends in one of these ways:",
            (
                f"At once when {LAST[2]} veins are exhausted with two players, or {LAST[4]} with four. What pawns "
                "carry then does not count, so the last gem scores nothing.",
                f"After {QUIET} rounds in a row in which nobody took a gem from a vein or unloaded one. Picking up and "
                "dropping do not count.",
                "When all players say in the same round that they want to end it, each with the card. Then nobody "
                "moves any more.",
            ),
        ),
        Section(
            "Leaving",
            "With two players, the player who resigns loses. With four, the others play on when a player leaves, and "
            "the last player at the table wins.",
            (
                "The pawn goes off the board, and the gems that it carries are out of the game.",
                "The home stays closed to the others. The gems in it keep their points, but the player is placed "
                "behind all who stayed.",
                "The others place the nests that the player has not placed. Only those who are left need to agree to "
                "end the game.",
            ),
        ),
    ),
)

TIMELINE: Final = Help(
    TITLE,
    (
        Section(
            "The field",
            "PgDn and PgUp go a round. A click on a square tells what is there, in a replay also in a nest that nobody "
            "opened; w, a, s and d do the same by keys.",
            by_touch=Section(
                "The field",
                "A touch on a square tells what is there, in a replay also in a nest that nobody opened.",
            ),
        ),
    ),
)

TYPED: Final = (
    "Bring gems home: small ones count 1, medium ones 2, those of your own color double, flawless ones triple.",
    "Take turns to put nests on the field; each holds a small and a medium gem that nobody knows. Then, each round, "
    "everybody chooses a card, 1, 2 or 3, and one after another goes exactly that many squares in a straight line.",
    "Placing: d5. A card: 2; 2 end, if you also agree to end the game. A move: d6.",
    "On the way: d6 pick d5 drop mr d5 goes to d6, picks up what lies on d5 and drops a medium red there. Gems are "
    "written sr for small red, mb for medium blue, and so on. Of two small reds, sr2 is the second.",
    "In a vein: take mr, take mr sb, take all, take nothing.",
    "look d5 tells what is on a square, field all of it, players who carries and owns what. left tells which gems "
    "nobody has seen yet, where tells where each card leads.",
)
"""The game in short, and everything that can be typed in the line mode."""
