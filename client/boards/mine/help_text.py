"""What F1 says, phase by phase, what can be typed, and the words of the phase strip and the panel."""

from __future__ import annotations

from typing import Final

from kimberley.client.ui.screen import Help, Section
from kimberley.games.mine.game import DiamondMine
from kimberley.games.mine.gems import ALIKE, CAPACITY, COLORS, FLAWLESS, MEDIUM, OWN, SMALL, WHITE
from kimberley.games.mine.moves import CARDS
from kimberley.games.mine.rules import LAST, NESTS, QUIET
from kimberley.games.mine.squares import SIDE

TITLE: Final = DiamondMine.title
TIMES: Final = {2: "double", 3: "triple"}
"""In words, how many times its points a gem is worth."""
START: Final = "The colors and the first player are drawn at random. Then the nests are filled, unseen by anyone."

NOTHING_YET: Final = "An empty board."
WAITING: Final = {
    "lots": "Choosing the colors and the first player at random.",
    "small": "Hiding gems in the nests. Nobody knows which.",
    "medium": "Hiding gems in the nests. Nobody knows which.",
    "cards": "Everyone chooses a card, face down.",
}
"""What everybody waits for, by phase."""
DOING: Final = {"place": "places a nest", "show": "opens a vein", "take": "can take gems"}
"""What the player in turn does, by phase. In the phase "move", that depends on its card."""
PHASES: Final = {
    "lots": "START", "small": "START", "medium": "START", "place": "NESTS", "cards": "CARD", "move": "MOVE",
    "show": "VEIN", "take": "VEIN",
}  # fmt: skip
EVENTS: Final = {
    "lots": "START", "filled": "START", "placed": "NESTS", "cards": "CARD", "moved": "MOVE", "opened": "VEIN",
    "took": "VEIN", "left": "LEFT",
}  # fmt: skip
HEADINGS: Final = {
    "lots": "The draw", "filled": "The nests", "placed": "A nest", "cards": "Cards revealed", "moved": "A move",
    "opened": "A vein opens", "took": "From the vein", "left": "A player left",
}  # fmt: skip

_AIM: Final = Section(
    "Goal",
    "Bring gems home. Small ones are worth 1, medium ones 2; your own color is worth double, flawless triple. Only "
    "gems at home count at the end. Coming home unloads your pawn automatically.",
    (
        "Two players: one of the two colors nobody has is drawn as flawless. With four players, white is flawless if "
        "the table uses it.",
    ),
)
_NESTS: Final = Section(
    "Nests",
    "Take turns placing nests on free squares, never in your own quarter or on a home. Each holds a small and a "
    "medium gem, shuffled by all players together, so nobody knows which. Once all are placed, nests become veins.",
)
_CARDS: Final = Section(
    "Cards",
    "Each round everyone chooses 1, 2 or 3, face down. Then the cards are revealed, and one after another you move "
    "that many squares. The player who moved first moves last in the next round.",
)
_MOVES: Final = Section(
    "Moving",
    "Move exactly as far as your card says, in a straight line, diagonals included. Pawns, exhausted veins and other "
    "players’ homes block you; veins that still hold gems do not. If you can move, you must; if not, you stay.",
)
_HANDLING: Final = Section(
    "On the way",
    "You can carry 3 pips: three small gems, or a small and a medium. You may pick up the gem on each square you "
    "enter, the last one included, and drop one on each square you pass, unless a gem or a vein is there. Anyone who "
    "comes by may pick it up.",
)
_VEINS: Final = Section(
    "Veins",
    "Land on a vein and everyone sees what is inside; you may take what you can carry. The rest stays for anyone. An "
    "empty vein is exhausted and blocks the way for good, unless it is next to a home.",
)
_END: Final = Section(
    "The end",
    "With two players the game ends when six veins are exhausted, with four when all eight are. House rules: it also "
    "ends after 30 rounds in a row with no gem taken from a vein or brought home, or when everyone agrees in the same "
    "round.",
)
_KEYS: Final = Section(
    "Keys",
    "Use the arrows or click to look at a square. Press 1, 2 or 3, or click, to choose a card; Enter or a second click "
    "plays it; h hides it from prying eyes. When moving, Tab steps through the targets, 1 to 3 choose a square on your "
    "path, x drops there, g picks up, Enter or a second click moves. u or Esc undoes. e, with a card, agrees to end "
    "the game.",
    by_touch=Section(
        "Touch",
        "Tap a square to look at it. Tap a card, then Play it; Hide hides it from prying eyes. When moving, tap a lit "
        "square, then what to drop or pick up on the way, then Go. Undo takes back your choices so far. Pinch to "
        "zoom.",
    ),
)

ABOUT: Final = Help(TITLE, (_AIM, _NESTS, _CARDS, _MOVES, _HANDLING, _VEINS, _END))


_OF_THE_OUT: Final = Section(
    "Keys",
    "Use the arrows or click to look at a square.",
    by_touch=Section("Touch", "Tap a square to look at it. Pinch to zoom."),
)


def for_phase(phase: str, *, out: bool = False) -> Help:
    """Returns the help for a phase of the rules, perhaps of a player who is `out`."""
    first = {
        "place": (_NESTS, _AIM, _CARDS), "cards": (_CARDS, _MOVES, _AIM, _END), "move": (_MOVES, _HANDLING, _VEINS),
        "show": (_VEINS, _HANDLING), "take": (_VEINS, _HANDLING, _AIM),
    }.get(phase, (_AIM,))  # fmt: skip
    return Help(TITLE, (*first, _OF_THE_OUT if out else _KEYS))


RULES: Final = Help(
    TITLE,
    (
        Section(
            "Goal",
            "Bring home the most valuable gems. Only gems at home at the end count.",
            (
                f"A small gem is worth {SMALL} point, a medium one {MEDIUM}.",
                f"A gem is worth {TIMES[OWN]} in your own color, {TIMES[FLAWLESS]} in the flawless color.",
            ),
        ),
        Section(
            "The board",
            f"The board has {SIDE} by {SIDE} squares. Your home is a corner, and the quarter of the board around it is "
            "yours. With two players the homes are opposite corners; the other two corners are ordinary squares.",
        ),
        Section(
            "The gems",
            f"Small gems have {SMALL} pip, medium ones {MEDIUM}: {ALIKE} of each size in each of the colors "
            f"{', '.join(COLORS[: WHITE - 1])} and {COLORS[WHITE - 1]}. The first player "
            "and everyone’s color are drawn at random. In a rematch the next player begins.",
            (
                "Flawless gems, two players: one of the two colors nobody has is drawn as flawless.",
                f"Flawless gems, four players: none, unless the table adds a fifth color, {COLORS[WHITE]}, which is "
                "flawless.",
            ),
        ),
        Section(
            "Start",
            f"There are {NESTS[2]} nests for two players, {NESTS[4]} for four. The gems are shuffled, so nobody knows "
            "where any of them is. Each nest hides one small and one medium gem; the rest stay out of the game.",
            (
                "Clockwise from the first player, take turns placing one nest on a free square, outside your own "
                "quarter and not on a home.",
                "Once all nests are placed, each pawn starts at home, and the nests are called veins.",
            ),
        ),
        Section(
            "A round, step 1: cards",
            f"Everyone secretly chooses a card, {CARDS[0]} to {CARDS[-1]}. Then all cards are revealed together. With "
            "your card you can say that you want to end the game.",
        ),
        Section(
            "A round, step 2: moves",
            "Players move one after another, clockwise. The player who moves first in one round moves last in the "
            "next. Move exactly as far as your card says, in a straight line: row, column or diagonal.",
            (
                "If you can move, you must. If you cannot go that far in any direction, you stay.",
                "The edge of the board, other pawns, other players’ homes and exhausted veins block you. You can "
                "neither enter nor pass them.",
                "You can pass over a vein that still holds a gem, or land on it.",
            ),
        ),
        Section(
            "On the way",
            f"You can carry {CAPACITY} pips: a small gem is {SMALL}, a medium one {MEDIUM}.",
            (
                "You may pick up the gem on any square you enter, the last one included.",
                "You may drop one gem on each square you pass, but not on a vein, a home or another gem. House rule: "
                "you cannot drop where you start or stop.",
                f"So with card {CARDS[0]} you cannot drop anything: you land on the only square you enter.",
                "On one square you pick up before you drop. With a full load, an exchange takes two squares.",
                "Anyone may pick up a dropped gem.",
            ),
        ),
        Section(
            "Veins",
            "Land on a vein and it opens: from then on everyone sees what is in it. You may take what you can carry, "
            "or nothing.",
            (
                "Anyone can land there again until it is empty.",
                "An empty vein is exhausted and blocks pawns. Next to a home, even diagonally, it blocks nobody.",
                "After exhausting a vein you can move off it.",
                "If you cannot move and stay on an open vein, you take nothing: you take only where you land.",
                "If you can carry nothing from the vein, you are not asked.",
            ),
        ),
        Section(
            "At home",
            "Coming home unloads your pawn automatically. Nobody can take gems from a home.",
        ),
        Section(
            "The end",
            "The most points win; equal points are a tie. The game ends:",
            (
                f"At once when {LAST[2]} veins are exhausted with two players, or {LAST[4]} with four. Gems still "
                "carried do not count, so the last gem taken scores nothing.",
                f"House rule: after {QUIET} rounds in a row in which no gem was taken from a vein or unloaded. Picking "
                "up and dropping do not count.",
                "House rule: when all players agree in the same round, each with their card, so nobody knows before "
                "the cards are revealed. Nobody moves after that.",
            ),
        ),
        Section(
            "Leaving",
            "With two players, resigning loses. With four, the others play on, and the last one remaining wins.",
            (
                "The pawn of a player who leaves and the gems it carries are out of the game.",
                "Their home stays closed and its gems keep their points, but a player who left ranks behind all who "
                "stayed.",
                "The others place any nests left over, and only they need to agree to end the game.",
            ),
        ),
    ),
)

TIMELINE: Final = Help(
    TITLE,
    (
        Section(
            "The board",
            "PgDn, PgUp: one round. Click a square, or move to it with w, a, s and d, to see what is there; in a "
            "replay of a whole game, even in unopened veins.",
            by_touch=Section(
                "The board",
                "Tap a square to see what is there; in a replay of a whole game, even in unopened veins.",
            ),
        ),
    ),
)

TYPED: Final = (
    "Bring gems home: small ones are worth 1, medium 2; double in your own color.",
    "Take turns placing nests; each hides a small and a medium gem. Then, each round, everyone chooses a card, 1, 2 "
    "or 3, and in turn moves exactly that many squares in a straight line.",
    "Place: d5. Card: 2, or 2 end to agree to end the game. Move: d6.",
    "On the way, type d6 pick d5 drop mr d5. That moves to d6, picks up what is on d5, and drops a medium red there. "
    "sr is small red, mb medium blue, and so on; sr2 is the second of two small reds.",
    "At a vein: take mr, take mr sb, take all, take nothing.",
    "look d5: what is on a square. board: the whole board. players: who carries and owns what. left: gems nobody has "
    "seen. where: where each card leads.",
)
"""The game in short, and everything that can be typed in the line mode."""
