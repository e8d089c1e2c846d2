"""How a game of any number of seats ended, in three rows: the head of a dossier, for boards that have no own way."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from client.canvas import Canvas
from client.glyphs import fitted, width
from client.palette import Colour
from client.people import in_a_row, short_name
from client.screens.stage import SEAT_MARKS
from games.table import Result

IN_A_ROW: Final = 3
"""Places in a row: two rows hold six."""
SEATS: Final[Sequence[tuple[str, Colour]]] = tuple(
    (mark, f"seat{number}") for number, mark in enumerate(SEAT_MARKS, start=1)
)


def winners(names: Sequence[str], result: Result, seat: int | None) -> str:
    """Who has won, in a sentence without its full stop. `seat` is "you"; None for an onlooker."""
    if len(result.winners) == len(names):
        return "Nobody has won"
    won = ["You" if winner == seat else names[winner] for winner in sorted(result.winners, key=lambda w: w != seat)]
    return f"{in_a_row(won)} {'has' if len(won) == 1 and won != ['You'] else 'have'} won"


def draw_standings(
    canvas: Canvas,
    names: Sequence[str],
    result: Result,
    seat: int | None,
    marks: Sequence[tuple[str, Colour]] = SEATS,
) -> None:
    """The sentence in row 0, and in rows 1 and 2 the places with their scores, the first place first.

    `marks` are the signs of the seats and their colours, where a board has its own.
    """
    said = f"{winners(names, result, seat)}: {result.reason}."
    canvas.put(1, 0, fitted(said, canvas.width - 2), "text", bold=True)
    room = (canvas.width - 2) // IN_A_ROW
    order = sorted(range(len(names)), key=lambda each: (result.places[each], each))
    for number, each in enumerate(order):
        x, y = 1 + room * (number % IN_A_ROW), 1 + number // IN_A_ROW
        score = "/".join(map(str, result.scores[each])) if each < len(result.scores) else ""
        at = canvas.put(x, y, f"{result.places[each]}.", "soft") + 1
        sign, fg = marks[each]
        at = canvas.put(at, y, sign, fg, bold=True) + 1
        name = short_name(names, each, max(1, x + room - 2 - at - width(score) - 1))
        at = canvas.put(at, y, name, "text", bold=each == seat)
        canvas.put(at + 1, y, score, "money")
