"""The installed boards: found by the entry point group `kimberley.boards`, under the id of their game."""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from importlib.metadata import entry_points
from typing import TYPE_CHECKING

from kimberley.client.boards.game_board import GameBoard
from kimberley.client.boards.game_timeline import GameTimeline
from kimberley.client.boards.live_context import names_of
from kimberley.client.boards.story import StoryUI
from kimberley.games import lookup

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kimberley.client.ui.palette import Color
    from kimberley.games.table import State
    from kimberley.protocol.roster import Roster


@cache
def find_board(name: str) -> GameBoard:
    """Returns the board of the game with that id. Raises LookupError if none is installed."""
    for point in entry_points(group="kimberley.boards", name=name):
        board: GameBoard = point.load()
        return board
    raise LookupError(f"no board is installed for the game {name!r}")


def board_of(game: str) -> GameBoard | None:
    """Returns the board of a game; None if none is installed."""
    with suppress(LookupError):
        return find_board(game)
    return None


def seat_marks(game: str, state: State | None) -> Sequence[tuple[str, Color]]:
    """Returns the sign and the color of each seat as the board of a game has them in a state, or in every game if it is
    None. Empty for a game without a board.
    """
    board = board_of(game)
    return () if board is None else board.game.marks(state)


def timeline_of(game: str, roster: Roster) -> GameTimeline:
    """Returns the timeline of a game that begins at a table, before any of its story is read: that of its board, or
    else the story in words. Raises LookupError for a game that is not installed.
    """
    rules, names, board = lookup.find(game), names_of(roster), board_of(game)
    given = {option.name for option in rules.options}
    start = rules.start(len(names), {name: value for name, value in roster.options if name in given}, roster.begins)
    return GameTimeline(board.game if board is not None else StoryUI(rules.title), start, names)
