"""Adjournment: a game is adjourned when all who play want it. Every journal waits, and `resume` continues the game.

Frame between seats:

    ("aside", yes)               whether the seat wants to adjourn the game
"""

from __future__ import annotations

from typing import Final

from kimberley.p2p.table.context import TableContext
from kimberley.p2p.table.events import TableChanged
from kimberley.p2p.table.part import TablePart
from kimberley.p2p.transport.frames import Frame
from kimberley.p2p.transport.link import Link

ASIDE: Final = "The game is saved for later. When you meet again, resume it from the title screen."

ASIDE_ALONE: Final = "The game is saved for later. Resume it from the title screen."
"""The same for a player whose opponents are all bots in this program."""


class Adjournment(TablePart):
    """Keeps track of who wants to adjourn the game."""

    def __init__(self, table: TableContext) -> None:
        self.frames = {"aside": self._on_frame}
        self._table = table
        self._votes: set[bytes] = set()
        """The identities that want to adjourn the game."""
        self.adjourned = False
        """Whether all have agreed, and the table has ended for that."""

    @property
    def adjourn_from(self) -> frozenset[int]:
        """The seats that want to adjourn the game."""
        return frozenset(map(self._table.occupants.seat_of, self._votes))

    @property
    def can_adjourn(self) -> bool:
        """Whether this game can be continued another day."""
        table = self._table
        kept = table.journals is not None and table.match is not None
        allowed = table.policy.players_end_game and kept
        return allowed and table.phase == "playing" and not table.left

    def vote(self, yes: bool) -> None:
        """Says whether this player wants to adjourn the game. It happens when all who play want it; one "no" ends the
        question.
        """
        table = self._table
        if not self.can_adjourn or table.match is None or table.occupants.seat in table.gone_seats:
            return
        table.mesh.broadcast(("aside", yes))
        self._on_vote(table.identity.public, yes)

    def game_changed(self) -> None:
        self._votes.clear()

    def link_changed(self, link: Link) -> None:
        if not link.connected and self._votes:
            self._on_vote(link.identity, False)

    def _on_frame(self, link: Link, frame: Frame) -> bool:
        table = self._table
        if not table.policy.players_end_game:
            return True
        match frame:
            case ("aside", bool() as yes) if table.match is not None and table.phase == "playing":
                self._on_vote(link.identity, yes)
                return True
        return False

    def _on_vote(self, identity: bytes, yes: bool) -> None:
        table = self._table
        if yes:
            self._votes.add(identity)
        else:
            self._votes.clear()
        table.publish(TableChanged("aside"))
        if table.match is not None and self._votes >= {table.lobby.people[seat][0] for seat in table.match.present}:
            self._votes.clear()
            self.adjourned = True
            alone = {identity for identity, _ in table.match.people} - {table.identity.public} <= table.trust.bots
            table.end(ASIDE_ALONE if alone else ASIDE, None)
