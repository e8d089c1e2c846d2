"""The picture of how a game may begin, as SVG, for a page that invites people to play it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import TYPE_CHECKING, Final

from kimberley.client.boards.live_context import LiveContext
from kimberley.client.boards.registry import find_board
from kimberley.client.boards.view import STILL
from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.terminal_svg import svg
from kimberley.games import lookup
from kimberley.games.arena import Arena
from kimberley.games.table import Answer, Ask, Plain, Result, State

if TYPE_CHECKING:
    from kimberley.p2p.table.table import Table

COLUMNS: Final = 80
ROWS: Final = 24
CHANCE: Final = 1
"""The seed of what is rolled and drawn in the picture."""


def table_picture(table: Table) -> str:
    """Returns the picture of the game at an open table, with "?" for each player who has not come. Empty if the game
    has no board.
    """
    names = [*table.occupants.names, *["?"] * (table.occupants.seats - len(table.occupants.names))]
    own = {option.name: table.occupants.options[option.name] for option in table.game.options}
    try:
        return opening_picture(table.game.id, names, own)
    except LookupError:
        return ""


def opening_picture(game: str, names: Sequence[str], options: Mapping[str, Plain]) -> str:
    """Returns the board at the first choice, without its bars and strip, in the colors of the dark theme. `options` has
    all options of the game itself.

    Raises LookupError if the game has no board.
    """
    known = lookup.find(game)
    start = known.start(len(names), options)
    timeline = find_board(game).timeline(start, names)
    timeline.refresh(_before_choices(start), None)
    canvas = Canvas(COLUMNS, ROWS)
    timeline.draw(canvas, len(timeline.steps), STILL, LiveContext())
    first = canvas.strip.row + 1 if canvas.strip is not None else 1
    board = Canvas(COLUMNS, ROWS - 1 - first)
    board.blit(0, -first, canvas)
    return svg(board, f"The board of {known.title}, at the start of a game")


def _before_choices(start: State) -> list[tuple[Ask, Answer]]:
    """Returns what chance decides before anybody chooses, as a spectator sees it."""
    arena, story = Arena(start, Random(CHANCE)), list[tuple[Ask, Answer]]()
    while not isinstance(ask := arena.truth.ask(), Result) and not ask.choosers:
        answer = arena.answer(ask, {})
        story.append((ask, ask.visible_answer(answer, None)))
        arena.apply(answer)
    return story
