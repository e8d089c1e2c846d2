"""The part of a table's course that is about ending a game before its end: by all, for today, or since one is gone.

Frames between seats, besides those of `p2p.returning`:

    ("aside", yes)               whether the seat wants to put the game aside
    ("attest", attestation)      what the seat attests of those who are absent (`protocol.attest`)

A game is put aside when all who play want it: every journal waits, and `resume` takes it up. It is abandoned when all
who remain attest that the same seats are absent, each after its grace: the record holds what they say.
"""

from __future__ import annotations

import asyncio
import logging
from typing import Final

from games.table import Plain
from p2p.common_options import GRACE, GRACE_SECONDS
from p2p.ending import Changed
from p2p.frames import Frame
from p2p.link import Link
from p2p.returning import Returning
from protocol.attest import Attestation
from protocol.encoding import Malformed
from protocol.play import Refused

log = logging.getLogger(__name__)

ASIDE: Final = "The game is put aside. All who play go on with it by kimberley resume, whenever they meet again."


class Parting(Returning):
    """See above."""

    # -- put aside -----------------------------------------------------------------------------------------------------

    @property
    def aside_from(self) -> frozenset[int]:
        """The seats that want to put the game aside."""
        return frozenset(map(self._seat_of, self._asides))

    @property
    def can_put_aside(self) -> bool:
        """Whether the game at hand can be taken up another day."""
        return self.phase == "playing" and self._journals is not None and not self._left

    def aside(self, yes: bool) -> None:
        """Whether one wants to put the game aside. It is, when all who play want it; one "no" ends the question."""
        if not self.can_put_aside or self._match is None or self.seat in self._gone_seats:
            return
        self._mesh.tell(("aside", yes))
        self._wants_aside(self._identity.public, yes)

    def _wants_aside(self, identity: bytes, yes: bool) -> None:
        if yes:
            self._asides.add(identity)
        else:
            self._asides.clear()
        self._publish(Changed("aside"))
        if self._match is not None and self._asides >= {self._lobby.people[seat][0] for seat in self._match.present}:
            self._asides.clear()
            self._end(ASIDE, None)

    # -- abandoned -----------------------------------------------------------------------------------------------------

    @property
    def grace(self) -> int:
        """Seconds after which a seat that is away may be given up."""
        seconds = dict(self._lobby.terms.options).get(GRACE, GRACE_SECONDS)
        return seconds if isinstance(seconds, int) else GRACE_SECONDS

    @property
    def absent(self) -> tuple[int, ...]:
        """The seats whose step is missing, if no other is missing and all of them are away for longer than the grace;
        else nobody.
        """
        if self._left or self._match is None or self.peer is None or self.phase not in ("playing", "closing"):
            return ()
        now = asyncio.get_running_loop().time()
        since = {self._seat_of(key): link.away_since for key, link in self._links.items() if not link.up}
        waiting = self.peer.waiting
        if self.seat in self._gone_seats or not waiting:
            return ()
        overdue = all((away := since.get(seat)) is not None and now - away >= self.grace for seat in waiting)
        return waiting if overdue else ()

    @property
    def abandon_from(self) -> frozenset[int]:
        """The seats that have declared that the game is abandoned as it stands."""
        return frozenset(self._seat_of(one.witness) for one in self._standing())

    def abandon(self) -> None:
        """Declares, and attests, that the seats that are absent have abandoned the game. Raises Refused while none is.

        It ends when all who remain have declared so.
        """
        absent = self.absent
        if not absent or self.peer is None or self._match is None:
            raise Refused(f"nobody who is waited for has been away for {self.grace} seconds")
        step, stage = self.peer.slot
        own = Attestation(self._identity.public, step, stage, self.peer.head, absent)
        own = own.signed(self._match.table.game_id, self._identity.sign)
        self._match.attestations[own.witness] = own
        self._mesh.tell(("attest", own.plain()))
        self._declared()

    def _standing(self) -> list[Attestation]:
        """The attestations for the stage at hand."""
        if self._match is None or self.peer is None:
            return []
        slot, head = self.peer.slot, self.peer.head
        return [one for one in self._match.attestations.values() if one.slot == slot and one.head == head]

    def _attests(self, link: Link, plain: Plain) -> None:
        """A seat has declared the game abandoned."""
        assert self._match is not None
        try:
            attestation = Attestation.of_witness(link.identity, self._match.table.game_id, plain)
        except Malformed as error:
            log.info("%s: %s", link.nickname, error)
            return
        self._match.attestations[attestation.witness] = attestation
        self._declared()

    def _declared(self) -> None:
        self._publish(Changed("abandon"))
        if self._match is None or self.seat not in self.abandon_from:
            return
        absent = set(self._match.attestations[self._identity.public].absent)
        here = {self._seat_of(key) for key, link in self._links.items() if link.up}
        remain = set(self._match.present) & (here | {self.seat}) - absent
        if remain <= self.abandon_from:
            names = " and ".join(self.names[seat] for seat in sorted(absent))
            self._end(f"{names} did not come back. The game is abandoned; its record says so.", "gave the game up")

    # -- frames --------------------------------------------------------------------------------------------------------

    def _moved(self, link: Link) -> None:
        super()._moved(link)
        if link.up and self._match is not None and self._identity.public in self._match.attestations:
            # Who comes back while others gave it up hears of it, and so does who missed the declaration.
            link.send(("attest", self._match.attestations[self._identity.public].plain()))
        if not link.up and self._asides:
            self._wants_aside(link.identity, False)
        if not link.up and self.phase in ("playing", "closing") and not self._left:
            asyncio.get_running_loop().call_later(self.grace, self._overdue)

    def _overdue(self) -> None:
        """A grace is over: somebody may be absent by now."""
        if self.absent:
            self._publish(Changed("absent"))

    def _heard(self, link: Link, frame: Frame) -> None:
        seated = link.identity in self._links and self._match is not None and not self._left
        match frame:
            case ("aside", bool() as yes) if seated and self.phase == "playing":
                self._wants_aside(link.identity, yes)
            case ("attest", plain) if seated and self.phase in ("playing", "closing"):
                self._after(lambda: self._attests(link, plain))
            case _:
                super()._heard(link, frame)
