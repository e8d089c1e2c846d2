"""What all at a table have to agree on: one frame for every question.

    ("vote", what, ballot)

    what       ballot               to
    "ready"    yes                  the host: whether a game may begin
    "same"     (game id, yes)       all: whether the four words are the same on every screen
    "aside"    yes                  all: whether to adjourn the game
    "abandon"  attestation          all: who is absent, so that the game is given up
    "again"    true                 all: wants another game

A question belongs to the part of the table that acts when it is decided. Ballots are kept by identity: players change
seats between games.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from kimberley.games.table import Plain
from kimberley.p2p.table.context import TableContext
from kimberley.p2p.table.part import TablePart
from kimberley.p2p.table.phases import PhaseName
from kimberley.p2p.transport.frames import Frame
from kimberley.p2p.transport.link import Link


@dataclass(frozen=True, slots=True)
class BallotBox:
    """What becomes of the ballots on one question."""

    take: Callable[[Link, Plain], bool]
    """Takes the ballot of another seat. Returns False if it is malformed, or means nothing now."""
    repeated: frozenset[PhaseName] = frozenset()
    """The phases in which a seat that is connected again gets this seat's ballot once more."""


class Votes(TablePart):
    """The ballots of all questions at one table."""

    def __init__(self, table: TableContext) -> None:
        self.frames = {"vote": self._on_frame}
        self._table = table
        self._questions: dict[str, BallotBox] = {}
        self._ballots: dict[str, dict[bytes, Plain]] = {}

    def ask(self, what: str, question: BallotBox) -> None:
        """Lets this question be voted on."""
        self._questions[what] = question
        self._ballots[what] = {}

    @property
    def questions(self) -> tuple[str, ...]:
        """What can be voted on."""
        return tuple(self._questions)

    def of(self, what: str) -> Mapping[bytes, Plain]:
        """Returns the latest ballot of each identity."""
        return MappingProxyType(self._ballots[what])

    def count(self, what: str, identity: bytes, ballot: Plain) -> None:
        """Counts a ballot in place of an earlier one."""
        self._ballots[what][identity] = ballot

    def cast(self, what: str, ballot: Plain) -> None:
        """Casts this seat's ballot: every other seat gets it."""
        self.count(what, self._table.identity.public, ballot)
        self._table.mesh.broadcast(("vote", what, ballot))

    def forget(self, what: str) -> None:
        """Forgets all ballots of a question."""
        self._ballots[what].clear()

    def link_restored(self, link: Link) -> None:
        own = self._table.identity.public
        for what, question in self._questions.items():
            if own in self._ballots[what] and self._table.phase in question.repeated:
                link.send(("vote", what, self._ballots[what][own]))

    def _on_frame(self, link: Link, frame: Frame) -> bool:
        match frame:
            case (_, str() as what, ballot) if what in self._questions:
                return self._questions[what].take(link, ballot)
        return False
