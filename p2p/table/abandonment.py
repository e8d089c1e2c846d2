"""Abandonment: a game ends when all who remain attest that the same seats are absent, each after its grace.

Frame between seats:

    ("attest", attestation)      what the seat attests of those who are absent (`protocol.attestation`)

The record holds the attestations (SPEC.md, section 18).
"""

from __future__ import annotations

import asyncio
import logging

from kimberley.games.table import Plain
from kimberley.p2p.table.common_options import GRACE, GRACE_SECONDS
from kimberley.p2p.table.context import TableContext
from kimberley.p2p.table.events import TableChanged
from kimberley.p2p.table.part import TablePart
from kimberley.p2p.transport.frames import Frame
from kimberley.p2p.transport.link import Link
from kimberley.protocol.attestation import Attestation
from kimberley.protocol.encoding import Malformed
from kimberley.protocol.play import NotAllowed

log = logging.getLogger(__name__)


class Abandonment(TablePart):
    """Keeps track of who is absent, and who has given the game up because of it."""

    def __init__(self, table: TableContext) -> None:
        self.frames = {"attest": self._on_frame}
        self._table = table

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
        if table.left or table.match is None or table.peer is None or table.phase not in ("playing", "closing"):
            return ()
        now, seat_of = asyncio.get_running_loop().time(), table.occupants.seat_of
        since = {seat_of(key): link.away_since for key, link in table.links.items() if not link.connected}
        waiting = table.peer.waiting
        if not table.policy.players_end_game or table.occupants.seat in table.gone_seats or not waiting:
            return ()
        overdue = all((away := since.get(seat)) is not None and now - away >= self.grace for seat in waiting)
        return waiting if overdue else ()

    @property
    def abandon_from(self) -> frozenset[int]:
        """The seats that have declared the game abandoned as it stands."""
        return frozenset(self._table.occupants.seat_of(one.witness) for one in self._standing())

    def declare(self) -> None:
        """Declares and attests that the absent seats have abandoned the game. It ends when all who remain have declared
        so.

        Raises NotAllowed while nobody is absent.
        """
        table, absent = self._table, self.absent
        if not absent or table.peer is None or table.match is None:
            raise NotAllowed(f"nobody whose turn it is has been away for {self.grace} seconds")
        step, stage = table.peer.slot
        own = Attestation(table.identity.public, step, stage, table.peer.head, absent)
        own = own.signed(table.match.table.game_id, table.identity.sign)
        table.match.attestations[own.witness] = own
        table.mesh.broadcast(("attest", own.plain()))
        self._on_declaration()

    def link_changed(self, link: Link) -> None:
        table = self._table
        own = table.match.attestations.get(table.identity.public) if table.match is not None else None
        if link.connected and own is not None:
            # A seat that comes back hears that it was given up, and so does one that missed the declaration.
            link.send(("attest", own.plain()))
        if not link.connected and table.phase in ("playing", "closing") and not table.left:
            asyncio.get_running_loop().call_later(self.grace, self._on_grace_over)

    def _standing(self) -> list[Attestation]:
        """Returns the attestations for the current stage."""
        match, peer = self._table.match, self._table.peer
        if match is None or peer is None:
            return []
        return [one for one in match.attestations.values() if one.slot == peer.slot and one.head == peer.head]

    def _on_frame(self, link: Link, frame: Frame) -> bool:
        table = self._table
        match frame:
            case ("attest", plain) if table.match is not None and table.phase in ("playing", "closing"):
                table.call_after(lambda: self._on_attestation(link, plain))
                return True
        return False

    def _on_attestation(self, link: Link, plain: Plain) -> None:
        """Called when a seat has declared the game abandoned."""
        match = self._table.match
        assert match is not None
        try:
            attestation = Attestation.of_witness(link.identity, match.table.game_id, plain)
        except Malformed as error:
            log.info("%s: %s", link.nickname, error)
            return
        match.attestations[attestation.witness] = attestation
        self._on_declaration()

    def _on_declaration(self) -> None:
        table = self._table
        table.publish(TableChanged("abandon"))
        if table.match is None or table.occupants.seat not in self.abandon_from:
            return
        absent = set(table.match.attestations[table.identity.public].absent)
        here = {table.occupants.seat_of(key) for key, link in table.links.items() if link.connected}
        remain = set(table.match.present) & (here | {table.occupants.seat}) - absent
        if remain <= self.abandon_from:
            names = " and ".join(table.occupants.names[seat] for seat in sorted(absent))
            table.end(
                f"{names} did not come back. The game ends without a result; its record says so.", "stopped waiting"
            )

    def _on_grace_over(self) -> None:
        """Called when a grace is over: a seat may be absent by now."""
        if self.absent:
            self._table.publish(TableChanged("absent"))
