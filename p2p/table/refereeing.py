"""A table of a tournament: the referee may watch at any time, and it alone ends a game early (SPEC.md, "Referees").

At an ordinary table a seat that leaves, or is away for too long, can end the game for all. In a tournament that would
let a seat end the game on an opponent's turn. So the others wait for a seat that leaves, until the referee rules.
"""

from __future__ import annotations

from collections.abc import Sequence

from kimberley.p2p.table.abandonment import Abandonment
from kimberley.p2p.table.invitation import ONLY_PAIRED, Invitation
from kimberley.p2p.table.seating import ASKING
from kimberley.p2p.transport.channel import Channel
from kimberley.p2p.transport.frames import Frame
from kimberley.p2p.transport.link import Link
from kimberley.p2p.transport.mesh import HostPort
from kimberley.protocol.attestation import Attestation


class Refereeing(Abandonment):
    """Adds a referee to a table. Without an invitation the table is an ordinary one."""

    _invitation: Invitation | None = None

    def _accept(self, invitation: Invitation | None) -> None:
        """Takes a seat at a table of a tournament, or with None at an ordinary one."""
        self._invitation = invitation
        if invitation is not None:
            self._lasting = True
            self._lobby.numbers = (invitation.terms.seats,)
            self._lobby.invited = invitation.people

    @property
    def game_id(self) -> bytes | None:
        """The game whose roster is signed; None before."""
        return self._match.table.game_id if self._match is not None else None

    # -- what the referee says -----------------------------------------------------------------------------------------

    def apply_ruling(self, sentence: str, attestation: Attestation | None) -> None:
        """The referee has decided an unfinished game: it ends here. Its record keeps what the referee attests of the
        current stage.
        """
        if attestation is not None and self._match is not None:
            self._match.attestations[attestation.witness] = attestation
        if not self._left and self.phase != "done":
            self._end(sentence, "follows the ruling of the referee")

    async def receive_relayed(self, envelope: bytes) -> None:
        """Takes another seat's envelope from the referee: its signature says what it is worth."""
        if self._match is not None and self.phase in ("playing", "closing"):
            self._match.receive(envelope)
            await self._match.wait_for_room()

    def add_candidates(self, identity: bytes, places: Sequence[HostPort]) -> None:
        """Where a seat can be reached, according to the referee."""
        self._mesh.add_candidates(identity, places)

    # -- what is otherwise than at other tables ------------------------------------------------------------------------

    @property
    def absent(self) -> tuple[int, ...]:
        return () if self._invitation is not None else super().absent

    @property
    def can_adjourn(self) -> bool:
        return self._invitation is None and super().can_adjourn

    def _on_channel(self, channel: Channel) -> None:
        invitation = self._invitation
        match channel.purpose:
            case ("seat", *_) if invitation is not None and channel.peer not in invitation.people:
                self._refuse(channel, ONLY_PAIRED)
            case ("watch",) if invitation is not None and channel.peer == invitation.referee:
                # Even after the table has ended, for what it has seen.
                self._spectators.admit(channel)
            case _:
                super()._on_channel(channel)

    def _stops_without(self, link: Link) -> bool:
        return self._invitation is None and super()._stops_without(link)

    def _is_alone_without(self, link: Link) -> bool:
        return self._invitation is None and super()._is_alone_without(link)

    def _on_frame(self, link: Link, frame: Frame) -> None:
        ends = frame[0] == "aside" or (frame[0] in ASKING and self.phase in ("playing", "closing"))
        if self._invitation is None or not ends:
            super()._on_frame(link, frame)
