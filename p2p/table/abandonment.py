"""Abandonment: a game ends when all who remain attest that the same seats are absent, each after its grace.

Frames between seats, besides those of `table.adjournment`:

    ("attest", attestation)      what the seat attests of those who are absent (`protocol.attestation`)

The record holds the attestations (SPEC.md, section 18).
"""

from __future__ import annotations

import asyncio
import logging

from kimberley.games.table import Plain
from kimberley.p2p.table.adjournment import Adjournment
from kimberley.p2p.table.common_options import GRACE, GRACE_SECONDS
from kimberley.p2p.table.lifecycle import TableChanged
from kimberley.p2p.transport.frames import Frame
from kimberley.p2p.transport.link import Link
from kimberley.protocol.attestation import Attestation
from kimberley.protocol.encoding import Malformed
from kimberley.protocol.play import NotAllowed

log = logging.getLogger(__name__)


class Abandonment(Adjournment):
    """Adds abandonment to a table."""

    @property
    def grace(self) -> int:
        """Seconds that a seat may be away before the others may give it up."""
        seconds = dict(self._lobby.terms.options).get(GRACE, GRACE_SECONDS)
        return seconds if isinstance(seconds, int) else GRACE_SECONDS

    @property
    def absent(self) -> tuple[int, ...]:
        """The seats whose step is missing, if no other step is missing and all of them have been away for longer than
        the grace; otherwise nobody.
        """
        if self._left or self._match is None or self.peer is None or self.phase not in ("playing", "closing"):
            return ()
        now = asyncio.get_running_loop().time()
        since = {self._seat_of(key): link.away_since for key, link in self._links.items() if not link.connected}
        waiting = self.peer.waiting
        if self.seat in self._gone_seats or not waiting:
            return ()
        overdue = all((away := since.get(seat)) is not None and now - away >= self.grace for seat in waiting)
        return waiting if overdue else ()

    @property
    def abandon_from(self) -> frozenset[int]:
        """The seats that have declared the game abandoned as it stands."""
        return frozenset(self._seat_of(one.witness) for one in self._standing())

    def abandon(self) -> None:
        """Declares and attests that the absent seats have abandoned the game. It ends when all who remain have declared
        so.

        Raises NotAllowed while nobody is absent.
        """
        absent = self.absent
        if not absent or self.peer is None or self._match is None:
            raise NotAllowed(f"nobody who owes a step has been away for {self.grace} seconds")
        step, stage = self.peer.slot
        own = Attestation(self._identity.public, step, stage, self.peer.head, absent)
        own = own.signed(self._match.table.game_id, self._identity.sign)
        self._match.attestations[own.witness] = own
        self._mesh.broadcast(("attest", own.plain()))
        self._on_declaration()

    def _standing(self) -> list[Attestation]:
        """The attestations for the current stage."""
        if self._match is None or self.peer is None:
            return []
        slot, head = self.peer.slot, self.peer.head
        return [one for one in self._match.attestations.values() if one.slot == slot and one.head == head]

    def _on_attestation(self, link: Link, plain: Plain) -> None:
        """A seat has declared the game abandoned."""
        assert self._match is not None
        try:
            attestation = Attestation.of_witness(link.identity, self._match.table.game_id, plain)
        except Malformed as error:
            log.info("%s: %s", link.nickname, error)
            return
        self._match.attestations[attestation.witness] = attestation
        self._on_declaration()

    def _on_declaration(self) -> None:
        self._publish(TableChanged("abandon"))
        if self._match is None or self.seat not in self.abandon_from:
            return
        absent = set(self._match.attestations[self._identity.public].absent)
        here = {self._seat_of(key) for key, link in self._links.items() if link.connected}
        remain = set(self._match.present) & (here | {self.seat}) - absent
        if remain <= self.abandon_from:
            names = " and ".join(self.names[seat] for seat in sorted(absent))
            self._end(f"{names} did not come back. The game is abandoned; its record says so.", "gave the game up")

    # -- frames --------------------------------------------------------------------------------------------------------

    def _on_link_change(self, link: Link) -> None:
        super()._on_link_change(link)
        if link.connected and self._match is not None and self._identity.public in self._match.attestations:
            # A seat that comes back hears that it was given up, and so does one that missed the declaration.
            link.send(("attest", self._match.attestations[self._identity.public].plain()))
        if not link.connected and self.phase in ("playing", "closing") and not self._left:
            asyncio.get_running_loop().call_later(self.grace, self._on_grace_over)

    def _on_grace_over(self) -> None:
        """A grace is over: a seat may be absent by now."""
        if self.absent:
            self._publish(TableChanged("absent"))

    def _on_frame(self, link: Link, frame: Frame) -> None:
        seated = link.identity in self._links and self._match is not None and not self._left
        match frame:
            case ("attest", plain) if seated and self.phase in ("playing", "closing"):
                self._after(lambda: self._on_attestation(link, plain))
            case _:
                super()._on_frame(link, frame)
