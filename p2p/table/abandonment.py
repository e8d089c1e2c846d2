"""Abandonment: a game ends when all who remain attest that the same seats are absent, each after its grace.

A ballot (`table.votes`) is an attestation (`protocol.attestation`): the record holds them (SPEC.md, section 18).
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Set
from typing import Final

from kimberley.games.phrases import join_names
from kimberley.games.table import Plain
from kimberley.p2p.table.common_options import GRACE, GRACE_SECONDS
from kimberley.p2p.table.context import TableContext
from kimberley.p2p.table.events import TableChanged
from kimberley.p2p.table.match import Match
from kimberley.p2p.table.part import TablePart
from kimberley.p2p.table.votes import BallotBox, Votes
from kimberley.p2p.transport.link import Link
from kimberley.protocol.attestation import Attestation
from kimberley.protocol.encoding import Malformed
from kimberley.protocol.play import NotAllowed

log = logging.getLogger(__name__)


ABANDON: Final = "abandon"


class Abandonment(TablePart):
    """Keeps track of who is absent, and who has given the game up because of it."""

    def __init__(self, table: TableContext, votes: Votes) -> None:
        self._table = table
        self._votes = votes
        # A seat that comes back learns that it was given up, and so does one that missed the declaration.
        votes.ask(ABANDON, BallotBox(self._take, frozenset({"playing", "closing"})))

    @property
    def grace(self) -> int:
        """Seconds that a seat may be away before the others may give it up."""
        seconds = dict(self._table.lobby.terms.options).get(GRACE, GRACE_SECONDS)
        return seconds if isinstance(seconds, int) else GRACE_SECONDS

    @property
    def absent(self) -> tuple[int, ...]:
        """The seats whose step is missing, if no other step is missing and all of them have been away for longer than
        the grace; otherwise nobody.
        """
        table = self._table
        if (match := table.played) is None:
            return ()
        now, seat_of = asyncio.get_running_loop().time(), table.occupants.seat_of
        since = {seat_of(key): link.away_since for key, link in table.links.items() if not link.connected}
        waiting = match.view.waiting
        if not table.policy.players_end_game or table.occupants.seat in table.gone_seats or not waiting:
            return ()
        overdue = all((away := since.get(seat)) is not None and now - away >= self.grace for seat in waiting)
        return waiting if overdue else ()

    @property
    def abandon_from(self) -> Set[int]:
        """The seats that have declared the game abandoned as it stands, the first to do so before the others."""
        return {self._table.occupants.seat_of(one.witness): None for one in self._standing()}.keys()

    def declare(self) -> None:
        """Declares and attests that the absent seats have abandoned the game. It ends when all who remain have declared
        so.

        Raises NotAllowed while nobody is absent.
        """
        table, match, absent = self._table, self._table.played, self.absent
        if match is None or not absent:
            raise NotAllowed(f"nobody whose turn it is has been away for {self.grace} seconds")
        own = Attestation(table.identity.public, *match.view.slot, match.view.head, absent)
        own = own.signed(match.game_id, table.identity.sign)
        match.attestations[own.witness] = own
        self._votes.cast(ABANDON, own.plain())
        self._on_declaration()

    def game_changed(self) -> None:
        self._votes.forget(ABANDON)

    def link_changed(self, link: Link) -> None:
        if not link.connected and self._table.played is not None:
            asyncio.get_running_loop().call_later(self.grace, self._on_grace_over)

    def _standing(self) -> list[Attestation]:
        """Returns the attestations for the current stage."""
        peer = self._table.peer
        if peer is None:
            return []
        given = self._table.match.attestations.values()
        return [one for one in given if one.slot == peer.slot and one.head == peer.head]

    def _take(self, link: Link, ballot: Plain) -> bool:
        if (match := self._table.played) is None:
            return False
        self._table.call_after(lambda: self._on_attestation(match, link, ballot))
        return True

    def _on_attestation(self, match: Match, link: Link, plain: Plain) -> None:
        """Called when a seat has declared a game abandoned."""
        try:
            attestation = Attestation.of_witness(link.identity, match.game_id, plain)
        except Malformed as error:
            log.info("%s: %s", link.nickname, error)
            return
        match.attestations[attestation.witness] = attestation
        self._votes.count(ABANDON, attestation.witness, plain)
        self._on_declaration()

    def _on_declaration(self) -> None:
        table = self._table
        table.publish(TableChanged("abandon"))
        if (match := table.played) is None or table.occupants.seat not in self.abandon_from:
            return
        absent = set(match.attestations[table.identity.public].absent)
        here = {table.occupants.seat_of(key) for key, link in table.links.items() if link.connected}
        remain = set(match.present) & (here | {table.occupants.seat}) - absent
        if remain <= self.abandon_from:
            names = join_names([table.occupants.names[seat] for seat in sorted(absent)])
            table.end(
                f"{names} did not come back. The game ends without a result; its record says so.", "stopped waiting"
            )

    def _on_grace_over(self) -> None:
        """Called when the grace of a seat is over: it may be absent by now."""
        if self.absent:
            # It may also be a seat whose agreement was missing: a seat that is away is not asked.
            self._table.publish(TableChanged("absent"))
            self._on_declaration()
