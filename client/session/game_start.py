"""What is told when a game begins at a table, or resumed: a rematch swaps sides, an unfinished choice is lost."""

from __future__ import annotations

from typing import Final

from kimberley.client.session.bots import is_practice
from kimberley.client.session.ports import TableLike

LOST: Final = "Resumed. Any choice you had not finished is lost: make it again."


class GameStart:
    """Follows the games of one table."""

    def __init__(self) -> None:
        self._seat: int | None = None
        """The player's seat in the game before."""
        self._game = ""
        """The id of the game before."""

    def told(self, table: TableLike) -> str:
        """Returns what the player reads as a game begins or is resumed; empty if nothing. Called once a game."""
        before, self._seat = self._seat, table.seat
        game, self._game = self._game, table.game.id
        if before is None:
            return LOST if _chooses_again(table) and not is_practice(table) else ""
        if len(table.names) == 2 and before != table.seat and game == table.game.id:
            return f"Rematch: you and {table.names[1 - table.seat]} have swapped sides."
        return ""


def _chooses_again(table: TableLike) -> bool:
    """Returns whether the player is asked in a game in which that player has chosen before."""
    peer, seat = table.peer, table.seat
    return peer is not None and peer.asked is not None and any(seat in ask.choosers for ask, _ in peer.story)
