"""An invitation: what a referee has said of one table of its tournament, to those who are to play there.

Who has one sits down with nobody else, plays nothing else, lets the referee watch, and waits for its ruling where an
ordinary table would be given up (SPEC.md, "Referees").
"""

from __future__ import annotations

from dataclasses import dataclass

from p2p.common_options import CUP
from p2p.terms import Terms
from p2p.trouble import Trouble
from protocol.roster import Roster

ONLY_PAIRED = "This is a table of a tournament: only those whom its referee has paired sit here."


@dataclass(frozen=True)
class Invitation:
    """`referee` is its identity, `people` the identities of those who play, in seat order: the first opens the table.
    `terms` are the table's, the mark of its place in the tournament among their options.
    """

    referee: bytes
    people: tuple[bytes, ...]
    terms: Terms

    def violation(self, roster: Roster) -> str | None:
        """What a roster says otherwise than the referee, as part of a sentence; None where it says the same."""
        if tuple(place.identity for place in roster.seats) != self.people:
            return "others sat there than the referee says"
        if (roster.game, roster.rules) != (self.terms.game, self.terms.rules):
            return "another game was played"
        if roster.option(CUP) != dict(self.terms.options)[CUP]:
            return "it was played at another table, or at none of this tournament"
        if not self.terms.same(Terms(roster.game, roster.rules, roster.options, len(roster.seats))):
            return "it was played with other options than the tournament's"
        return None if roster.begins is None else "another seat began than the rules of the game say"


def check_invited(invitation: Invitation | None, terms: Terms) -> None:
    """Raises Trouble unless a newcomer with this invitation, or with none, may sit at a table with these terms."""
    if invitation is None:
        if CUP in dict(terms.options):
            raise Trouble(ONLY_PAIRED)
    elif terms != invitation.terms:
        raise Trouble("This is not the table that the referee has said: its game or its options are others.")
