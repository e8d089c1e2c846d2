"""The referee of a tournament at one of its tables: who may come in, and what the referee says (SPEC.md, "Referees").

Only a table of a tournament has this part. What its players may not decide is in `table.policy`.
"""

from __future__ import annotations

from collections.abc import Sequence

from kimberley.p2p.table.context import TableContext
from kimberley.p2p.table.invitation import ONLY_PAIRED, Invitation
from kimberley.p2p.table.part import TablePart
from kimberley.p2p.table.words import WordsVerification
from kimberley.p2p.transport.channel import Channel
from kimberley.p2p.transport.mesh import HostPort
from kimberley.protocol.attestation import Attestation


class Refereeing(TablePart):
    """What the referee of an `invitation` may do at the table: watch it at any time, end its game early, and pass on
    what the seats have signed.
    """

    def __init__(self, table: TableContext, words: WordsVerification, invitation: Invitation) -> None:
        table.trust.named_bots = invitation.bots
        self._table = table
        self._words = words
        self._invitation = invitation

    def on_channel(self, channel: Channel) -> bool:
        match channel.purpose:
            case ("seat", *_) if channel.peer not in self._invitation.people:
                self._table.refuse(channel, ONLY_PAIRED)
            case ("watch",) if channel.peer == self._invitation.referee:
                # Even after the table has ended, for what it has seen.
                self._table.spectators.admit(channel)
            case _:
                return False
        return True

    def apply_ruling(self, sentence: str, attestation: Attestation | None) -> None:
        """The referee has decided an unfinished game: it ends here. Its record keeps what the referee attests of the
        current stage.
        """
        table = self._table
        if attestation is not None and table.match is not None:
            table.match.attestations[attestation.witness] = attestation
        if not table.left and table.phase != "done":
            table.end(sentence, "follows the ruling of the referee")

    def set_ready(self, identity: bytes, game_id: bytes) -> None:
        """A seat has signed that the words of a game are the same there."""
        if identity in self._invitation.people:
            self._words.set_ready(identity, game_id)

    async def receive_relayed(self, envelope: bytes) -> None:
        """Takes another seat's envelope from the referee: its signature says what it is worth."""
        match = self._table.match
        if match is not None and self._table.phase in ("playing", "closing"):
            match.receive(envelope)
            await match.wait_for_room()

    def add_candidates(self, identity: bytes, places: Sequence[HostPort]) -> None:
        """Where a seat can be reached, according to the referee."""
        self._table.mesh.add_candidates(identity, places)
