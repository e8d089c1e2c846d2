"""Adjournment: a game is adjourned when all who play want it. Every journal waits, and `resume` continues the game
(`table.votes`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Set
from typing import Final

from kimberley.games.table import Plain
from kimberley.p2p.table.context import TableContext
from kimberley.p2p.table.events import TableChanged
from kimberley.p2p.table.part import TablePart
from kimberley.p2p.table.votes import BallotBox, Votes
from kimberley.p2p.transport.link import Link

QUESTION: Final = "aside"

SETTLE_SECONDS: Final = 1.0
"""How long a seat waits after another one has left the game, before it ends its connections."""

ASIDE: Final = "The game is saved for later. When you meet again, resume it from the title screen."

ASIDE_ALONE: Final = "The game is saved for later. Resume it from the title screen."
"""The same for a player with whom only bots in this program still play."""

ASIDE_BOT: Final = "The game is saved for later. To resume it: kimberley bot resume"
"""The same for a seat at which nobody sits."""


class Adjournment(TablePart):
    """Keeps track of who wants to adjourn the game."""

    def __init__(self, table: TableContext, votes: Votes) -> None:
        self._table = table
        self._votes = votes
        votes.ask(QUESTION, BallotBox(self._take, frozenset({"playing"})))
        self.adjourned = False
        """Whether all have agreed, and the table has ended because of that."""

    @property
    def adjourn_from(self) -> Set[int]:
        """The seats that want to adjourn the game, who asked first before those who agree, without those that have left
        it since.
        """
        seats = map(self._table.occupants.seat_of, self._votes.of(QUESTION))
        return {seat: None for seat in seats if seat not in self._table.gone_seats}.keys()

    @property
    def can_adjourn(self) -> bool:
        """Whether this game can be continued another day."""
        table = self._table
        kept = table.policy.players_end_game and table.journals is not None
        return kept and table.at.plays and not table.left

    def vote(self, yes: bool) -> None:
        """Says whether this player wants to adjourn the game. It happens when all who play want it; a single "no"
        settles the question.
        """
        table = self._table
        if not self.can_adjourn or table.occupants.seat in table.gone_seats:
            return
        self._votes.cast(QUESTION, yes)
        self._on_vote(table.identity.public, yes)

    def game_changed(self) -> None:
        self._votes.forget(QUESTION)

    def link_changed(self, link: Link) -> None:
        if not link.connected and self._votes.of(QUESTION):
            # Where all have agreed, the other side may have ended the game because of that.
            self._adjourn_if_agreed()
            if not self.adjourned:
                self._on_vote(link.identity, False)

    def _take(self, link: Link, ballot: Plain) -> bool:
        table = self._table
        if not table.policy.players_end_game:
            return True
        if not isinstance(ballot, bool) or not table.at.plays:
            return False
        self._on_vote(link.identity, ballot)
        return True

    def _on_vote(self, identity: bytes, yes: bool) -> None:
        table = self._table
        if yes:
            self._votes.count(QUESTION, identity, True)
        else:
            self._votes.forget(QUESTION)
        table.publish(TableChanged("aside"))
        self._adjourn_if_agreed()

    def on_seat_left(self) -> None:
        """Called when a seat has left the game: all others may have agreed before."""
        if self._votes.of(QUESTION):
            self._table.tasks.start(self._adjourn_soon())

    async def _adjourn_soon(self) -> None:
        # The others have to learn that the seat has left before this one ends its connections.
        await asyncio.sleep(SETTLE_SECONDS)
        self._adjourn_if_agreed()

    def _adjourn_if_agreed(self) -> None:
        table = self._table
        match = table.played
        if match is None or not table.at.plays:
            return
        present = {match.people[seat][0] for seat in match.present}
        if present <= {*self._votes.of(QUESTION)}:
            self._votes.forget(QUESTION)
            self.adjourned = True
            alone = present - {table.identity.public} <= table.trust.bots
            table.end(ASIDE_BOT if table.headless else ASIDE_ALONE if alone else ASIDE, None)
