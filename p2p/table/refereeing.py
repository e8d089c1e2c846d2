"""The part of a table's course that is about a referee: it watches at any time, and it alone ends a game early.

At an ordinary table a seat that leaves, or is away for too long, may end the game for all. At a table of a tournament
that would let a seat end the game on another one's turn; so there whoever goes is waited for, until the referee rules.
"""

from __future__ import annotations

from collections.abc import Sequence

from p2p.channel import Channel
from p2p.frames import Frame
from p2p.invitation import ONLY_PAIRED, Invitation
from p2p.link import Link
from p2p.mesh import Where
from p2p.parting import Parting
from p2p.seating import ASKING
from protocol.attest import Attestation


class Refereed(Parting):
    """See above. Without an invitation it is as any table."""

    _invitation: Invitation | None = None

    def _accept(self, invitation: Invitation | None) -> None:
        """Takes a seat at a table of a tournament, or with None at another one."""
        self._invitation = invitation
        if invitation is not None:
            self._lasting = True
            self._lobby.numbers = (invitation.terms.seats,)
            self._lobby.invited = invitation.people

    @property
    def game_id(self) -> bytes | None:
        """Of the game whose roster is signed; None before."""
        return self._match.table.game_id if self._match is not None else None

    # -- what the referee says -----------------------------------------------------------------------------------------

    def rule(self, sentence: str, attestation: Attestation | None) -> None:
        """The referee has decided the game, and it is not over: it ends here. Its record keeps what the referee attests
        of the stage at hand.
        """
        if attestation is not None and self._match is not None:
            self._match.attestations[attestation.witness] = attestation
        if not self._left and self.phase != "done":
            self._end(sentence, "follows the ruling of the referee")

    async def receive(self, envelope: bytes) -> None:
        """Somebody's envelope that the referee passes on. What it is worth, its signature says."""
        if self._match is not None and self.phase in ("playing", "closing"):
            self._match.receive(envelope)
            await self._match.room()

    def reach(self, identity: bytes, places: Sequence[Where]) -> None:
        """Where a seat can be reached, as the referee has it."""
        self._mesh.find(identity, places)

    # -- what is otherwise than at other tables ------------------------------------------------------------------------

    @property
    def absent(self) -> tuple[int, ...]:
        return () if self._invitation is not None else super().absent

    @property
    def can_put_aside(self) -> bool:
        return self._invitation is None and super().can_put_aside

    def _welcome(self, channel: Channel) -> None:
        invitation = self._invitation
        match channel.purpose:
            case ("seat", *_) if invitation is not None and channel.peer not in invitation.people:
                self._refuse(channel, ONLY_PAIRED)
            case ("watch",) if invitation is not None and channel.peer == invitation.referee:
                # Also when the table has ended, for what it has seen.
                self._gallery.admit(channel)
            case _:
                super()._welcome(channel)

    def _stands_without(self, link: Link) -> bool:
        return self._invitation is None and super()._stands_without(link)

    def _alone_without(self, link: Link) -> bool:
        return self._invitation is None and super()._alone_without(link)

    def _heard(self, link: Link, frame: Frame) -> None:
        ends = frame[0] == "aside" or (frame[0] in ASKING and self.phase in ("playing", "closing"))
        if self._invitation is None or not ends:
            super()._heard(link, frame)
