"""What is told when a game begins at a table or is resumed: a rematch swaps seats, the host has chosen another game, an
unfinished choice is lost.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kimberley.client.session.bots import is_practice

if TYPE_CHECKING:
    from kimberley.p2p.table.table import Table

CHOOSE_AGAIN: Final = "If you had not confirmed your choice, make it again."
LOST: Final = f"Resumed. {CHOOSE_AGAIN}"


class GameStart:
    """Follows the games of one table."""

    def __init__(self) -> None:
        self._seat: int | None = None
        """The player's seat in the previous game."""
        self._game = ""
        """The id of the previous game."""

    def told(self, table: Table) -> str:
        """Returns what the player reads as a game begins or is resumed; empty if nothing. Called once per game."""
        before, self._seat = self._seat, table.occupants.seat
        game, self._game = self._game, table.game.id
        if before is None:
            return LOST if _chooses_again(table) and not is_practice(table) else ""
        if len(table.occupants.names) == 2 and before != table.occupants.seat and game == table.game.id:
            return f"Rematch: you and {table.occupants.names[1 - table.occupants.seat]} have swapped seats."
        if game != table.game.id and not table.host:
            return f"{table.occupants.names[table.host_seat]} started {table.game.title}. The last game is saved."
        return ""


def _chooses_again(table: Table) -> bool:
    """Returns whether the player has to choose in a game in which that player has chosen before."""
    peer, seat = table.peer, table.occupants.seat
    return peer is not None and peer.asked is not None and any(seat in ask.choosers for ask, _ in peer.story)
