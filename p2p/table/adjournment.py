"""Adjournment: a game is put aside when all who play want it. Every journal waits, and `resume` continues the game.

Frames between seats, besides those of `table.reconnection`:

    ("aside", yes)               whether the seat wants to put the game aside
"""

from __future__ import annotations

from typing import Final

from kimberley.p2p.table.lifecycle import TableChanged
from kimberley.p2p.table.reconnection import Reconnection
from kimberley.p2p.transport.frames import Frame
from kimberley.p2p.transport.link import Link

ASIDE: Final = "The game is put aside. To continue, all players run kimberley resume when they meet again."


class Adjournment(Reconnection):
    """Adds adjournment to a table."""

    @property
    def adjourn_from(self) -> frozenset[int]:
        """The seats that want to put the game aside."""
        return frozenset(map(self._seat_of, self._adjourn_votes))

    @property
    def can_adjourn(self) -> bool:
        """Whether this game can be continued another day."""
        return self.phase == "playing" and self._journals is not None and not self._left

    def adjourn(self, yes: bool) -> None:
        """Says whether this player wants to put the game aside. It happens when all who play want it; one "no" ends the
        question.
        """
        if not self.can_adjourn or self._match is None or self.seat in self._gone_seats:
            return
        self._mesh.broadcast(("aside", yes))
        self._on_adjourn_vote(self._identity.public, yes)

    def _on_adjourn_vote(self, identity: bytes, yes: bool) -> None:
        if yes:
            self._adjourn_votes.add(identity)
        else:
            self._adjourn_votes.clear()
        self._publish(TableChanged("aside"))
        if self._match is not None and self._adjourn_votes >= {
            self._lobby.people[seat][0] for seat in self._match.present
        }:
            self._adjourn_votes.clear()
            self._end(ASIDE, None)

    # -- frames --------------------------------------------------------------------------------------------------------

    def _on_link_change(self, link: Link) -> None:
        super()._on_link_change(link)
        if not link.connected and self._adjourn_votes:
            self._on_adjourn_vote(link.identity, False)

    def _on_frame(self, link: Link, frame: Frame) -> None:
        seated = link.identity in self._links and self._match is not None and not self._left
        match frame:
            case ("aside", bool() as yes) if seated and self.phase == "playing":
                self._on_adjourn_vote(link.identity, yes)
            case _:
                super()._on_frame(link, frame)
