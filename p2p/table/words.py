"""The four words: every screen shows the same ones, or somebody sits between the players (SPEC.md, section 9).

They follow from the roster that all have signed. The game begins when all players have said that their words are the
same; in a tournament, when the referee says that they all have. A player who has met all the others before is not
asked.

A ballot (`table.votes`) is (game id, yes).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from kimberley.games.table import Plain
from kimberley.p2p.base.errors import UserError
from kimberley.p2p.storage.files import StorageError
from kimberley.p2p.storage.journal import Entry
from kimberley.p2p.table.context import TableContext
from kimberley.p2p.table.events import TableChanged
from kimberley.p2p.table.match import Match
from kimberley.p2p.table.part import TablePart
from kimberley.p2p.table.trust_store import TRUSTED, TrustLevel
from kimberley.p2p.table.votes import BallotBox, Votes
from kimberley.p2p.transport.link import Link
from kimberley.protocol.roster import SignedRoster

SAME: Final = "same"
DIFFER: Final = "Someone may be tampering with the connection."
TRY_AGAIN: Final = "Try again at a new table."
DIFFER_AGAIN: Final = "If the words differ again, use another network."
"""What every player reads at a table where the words differ: what that can mean, and what to do."""


class WordsVerification(TablePart):
    """Has the words compared. `begin` is called when all have agreed; `first` returns what the journal begins with."""

    def __init__(
        self, table: TableContext, votes: Votes, first: Callable[[], Sequence[Entry]], begin: Callable[[Match], None]
    ) -> None:
        self.warning: str | None = None
        """What the player should keep in mind while comparing the words."""
        self.acquaintance: tuple[TrustLevel, ...] = ("you",)
        """By seat: how well this player knows the others. A "bot" sits in this program."""
        self._table = table
        self._first = first
        self._begin = begin
        self._votes = votes
        # A seat that plays says so again: one that lost the connection just before may not know that all have agreed.
        votes.ask(SAME, BallotBox(self._take, frozenset({"words", "playing"})))

    @property
    def phrase(self) -> tuple[str, str, str, str] | None:
        """The words; None before all have signed."""
        return self._table.match.phrase

    @property
    def agreed(self) -> tuple[bool, ...]:
        """By seat: who has said that the words are the same."""
        same, votes = (self._table.game_id, True), self._votes.of(SAME)
        return tuple(votes.get(key) == same for key, _ in self._table.lobby.people)

    @property
    def may_have_begun(self) -> bool:
        """Whether the game may have begun elsewhere: this seat has said that the words are the same."""
        own = self._votes.of(SAME).get(self._table.identity.public)
        return self._table.game_id is not None and own == (self._table.game_id, True)

    def judge_keys(self) -> None:
        """Judges the keys again: the players have changed, or what is known of their keys."""
        self.acquaintance = self._trust_levels()

    def ask(self) -> None:
        """Asks the player about the words. If no key here is strange, this seat agrees by itself."""
        if self._table.headless or all(known in TRUSTED for known in self.acquaintance):
            self.answer(yes=True)
        else:
            self._on_agreed()

    def answer(self, yes: bool) -> None:
        """Gives the player's answer. "No" ends the table."""
        table, match = self._table, self._table.compared
        if match is None:
            return
        if yes:
            try:
                # The others may begin once they know: from now on the seat must survive a crash.
                match.prepare(table.journals, self._first())
            except UserError as error:
                table.fail(str(error))
                return
        self._votes.cast(SAME, (match.game_id, yes))
        if yes:
            self._on_agreed()
        else:
            table.trust.count_aborted()
            table.bar(f"The words differ. {DIFFER} {TRY_AGAIN} {DIFFER_AGAIN}")

    def set_ready(self, identity: bytes, game_id: bytes) -> None:
        """Notes that a seat has said that the words of a game are the same."""
        self._votes.count(SAME, identity, (game_id, True))
        self._on_agreed()

    def begin(self, game_id: bytes) -> None:
        """Begins this game: the referee has every seat's signature that its words are the same."""
        table, match = self._table, self._table.compared
        if match is not None and match.game_id == game_id and not match.begun:
            for key, _ in match.people:
                self._votes.count(SAME, key, (game_id, True))
            table.publish(TableChanged("agreed"))
            self._begin_match(match)

    def set_agreed(self, signed: SignedRoster) -> None:
        """Notes that all agreed on the words of this game before it was resumed."""
        for place in signed.roster.seats:
            self._votes.count(SAME, place.identity, (signed.game_id, True))
        self.judge_keys()

    def game_changed(self) -> None:
        self.judge_keys()
        self.warning = self._table.trust.warning

    def _take(self, link: Link, ballot: Plain) -> bool:
        match ballot:
            case (bytes() as game_id, bool() as yes):
                self._on_answer(link, game_id, yes)
                return True
        return False

    def _on_answer(self, link: Link, game_id: bytes, yes: bool) -> None:
        if yes:
            self.set_ready(link.identity, game_id)
        elif not self._table.policy.players_end_game:
            if self._votes.of(SAME).get(link.identity) != (game_id, False):
                self._votes.count(SAME, link.identity, (game_id, False))
                self._table.notify(f"{link.nickname} says that the words differ, and starts over.")
        elif self._table.compared is not None:
            self._table.trust.count_aborted()
            self._table.bar(f"{link.nickname} says that the words differ. {DIFFER} {TRY_AGAIN} {DIFFER_AGAIN}")

    def _on_agreed(self) -> None:
        table, match = self._table, self._table.compared
        table.publish(TableChanged("agreed"))
        if match is not None and table.policy.players_begin and not match.begun and all(self.agreed):
            self._begin_match(match)

    def _begin_match(self, match: Match) -> None:
        table, match.begun = self._table, True
        people = table.lobby.people
        called_bots = {key for (key, _), bot in zip(people, table.occupants.called_bots, strict=True) if bot}
        try:
            table.trust.remember_agreed(dict(people), called_bots)
        except StorageError as error:
            table.notify(str(error))
        self.judge_keys()
        self._begin(match)

    def _trust_levels(self) -> tuple[TrustLevel, ...]:
        """Returns, by seat, how well this player knows the others. A host whose key was met is believed about its own
        bots, unless one has the nickname of somebody else.
        """
        table = self._table
        levels = [table.trust.trust_level(key, name) for key, name in table.lobby.people]
        keys = [key for key, _ in table.lobby.people]
        believed = table.host_key in keys and levels[keys.index(table.host_key)] == "met"
        return tuple(
            "host bot" if believed and called and level == "new" else level
            for level, called in zip(levels, table.occupants.called_bots, strict=True)
        )
