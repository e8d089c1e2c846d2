"""An invitation: what a referee has announced about one table of its tournament to its players.

A player with an invitation sits down only with those named there, plays only that game, lets the referee watch, and
waits for its ruling where an ordinary table would be given up (SPEC.md, "Referees").
"""

from __future__ import annotations

from dataclasses import dataclass

from kimberley.p2p.base.errors import NotRetryable
from kimberley.p2p.table.common_options import TOURNAMENT_MARK
from kimberley.p2p.table.terms import TableTerms
from kimberley.protocol.roster import Roster

ONLY_PAIRED = "This table belongs to a tournament. Only the players its referee has paired can play here."


@dataclass(frozen=True)
class Invitation:
    """`referee` is its identity, `people` are the identities of the players in seat order. `terms` are the
    table's; its options hold the mark of its place in the tournament. `bots` are those of the people that are programs:
    nobody could compare words with them, and the referee names their keys.
    """

    referee: bytes
    people: tuple[bytes, ...]
    terms: TableTerms
    bots: frozenset[bytes] = frozenset()

    def violation(self, roster: Roster) -> str | None:
        """Returns how a roster contradicts the referee, as part of a sentence; None if it does not."""
        if tuple(place.identity for place in roster.seats) != self.people:
            return "the players were not those the referee announced"
        if (roster.game, roster.rules) != (self.terms.game, self.terms.rules):
            return "another game was played"
        if roster.option(TOURNAMENT_MARK) != dict(self.terms.options)[TOURNAMENT_MARK]:
            return "it was played at another table, or at none of this tournament"
        if not self.terms.same(TableTerms(roster.game, roster.rules, roster.options, len(roster.seats))):
            return "it was played with different options from the tournament’s"
        return None if roster.begins is None else "the wrong seat began"


def check_unpaired(terms: TableTerms) -> None:
    """Raises UserError if a table with these terms belongs to a tournament: nobody joins it like another table."""
    if TOURNAMENT_MARK in dict(terms.options):
        raise NotRetryable(ONLY_PAIRED)
