"""The referee of a tournament at one of its tables: who may come in, and what the referee says (SPEC.md, "Referees").

Only a table of a tournament has this part. What its players may not decide is in `table.policy`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from kimberley.games.table import Plain
from kimberley.p2p.table.context import TableContext
from kimberley.p2p.table.ending import Ending
from kimberley.p2p.table.invitation import ONLY_PAIRED, Invitation
from kimberley.p2p.table.paired_lobby import PairedLobby
from kimberley.p2p.table.part import TablePart
from kimberley.p2p.table.seating import ASKING
from kimberley.p2p.table.spectators import WATCH
from kimberley.p2p.table.words import WordsVerification
from kimberley.p2p.transport.channel import Channel, memory_pair
from kimberley.p2p.transport.frames import Frame
from kimberley.p2p.transport.mesh import HostPort
from kimberley.p2p.transport.relay import OutsideRelay
from kimberley.protocol.attestation import Attestation


class Refereeing(TablePart):
    """What the referee of an `invitation` may do at the table: watch it at any time, end its game early, and pass on
    what the seats have signed.
    """

    def __init__(
        self,
        table: TableContext,
        words: WordsVerification,
        ending: Ending,
        invitation: Invitation,
        break_off: Callable[[], None],
    ) -> None:
        table.trust.named_bots = invitation.bots
        self._break_off = break_off
        self._places: dict[bytes, Sequence[HostPort]] = {}
        self._table = table
        self._words = words
        self._ending = ending
        self._invitation = invitation
        self._relay = OutsideRelay(invitation.referee, "the referee")
        table.mesh.set_outside(self._relay)
        self._shown: Channel | None = None
        """The latest channel on which this seat shows its game through its own channel to the referee."""

    def on_channel(self, channel: Channel) -> bool:
        match channel.purpose:
            case ("seat",):
                self._table.refuse(channel, ONLY_PAIRED)
            case ("seat", *_) if channel.peer not in self._invitation.people:
                self._table.refuse(channel, ONLY_PAIRED)
            case ("watch",) if channel.peer == self._invitation.referee:
                # Even after the table has ended: the referee may lack what this seat has.
                self._table.spectators.admit(channel)
            case _:
                return False
        return True

    @property
    def unwatched(self) -> bool:
        """Whether a game has begun here that the referee does not watch at the door, which may be out of its reach.
        True even after the table has ended: the referee may lack what this seat has.
        """
        table = self._table
        return table.match.begun and not table.spectators.is_watched_by(self._invitation.referee)

    def show(self) -> Channel:
        """Returns a channel on which this seat shows what it shows at its door."""
        door, channel = memory_pair(self._table.identity, self._table.identity, (WATCH,))
        self._table.spectators.admit(door)
        self._shown = channel
        return channel

    def apply_ruling(self, sentence: str | None, attestation: Attestation | None) -> None:
        """Applies the referee's ruling. An unfinished game ends here with this sentence, and its record keeps what the
        referee attests of the current stage; the sentence is None if the game was played to its end, which it reaches
        here, too.
        """
        self._ending.rule()
        if sentence is None:
            return
        table = self._table
        if attestation is not None:
            table.match.attestations[attestation.witness] = attestation
        if not table.left and not table.at.is_over:
            table.end(sentence, "follows the ruling of the referee")

    def ask(self, frame: Frame) -> None:
        """Answers the referee, who asks for this seat's part in the round in which all sit down."""
        table = self._table
        if isinstance(table.lobby, PairedLobby) and table.at.before_game and not table.left:
            if frame[:1] == ASKING[:1]:
                # Another player started over, or the referee did.
                self._break_off()
            table.lobby.ask(frame)

    def use(self, channel: Channel | None) -> None:
        """Takes this channel to the referee for what it passes on from now on; None if it was lost."""
        self._relay.channel = channel
        self._table.mesh.on_outside_change()

    def on_passed(self, frame: Frame) -> None:
        """Handles what the referee passes on from a seat, or that it cannot."""
        if not self._table.left:
            self._table.mesh.on_outside_frame(frame)

    def on_referee(self) -> None:
        """Called when the referee is connected again."""
        if isinstance(self._table.lobby, PairedLobby):
            self._table.lobby.on_referee()

    def begin(self, game_id: bytes) -> None:
        """Begins the game if it is the one for which every seat has signed that the words are the same."""
        self._words.begin(game_id)

    async def receive(self, envelope: bytes) -> None:
        """Takes another seat's envelope from the referee: its signature says what it is worth."""
        if (match := self._table.played) is not None:
            match.receive(envelope)
            await match.wait_for_room()

    def on_have(self, plain: Plain) -> None:
        """Called when the referee says what it has of the game."""
        match = self._table.match
        frame = "have", match.game_id, plain
        if match.catch_up.on_referee_has(frame) and self._shown is not None:
            self._shown.send(frame)

    def add_candidates(self, identity: bytes, places: Sequence[HostPort]) -> None:
        """Adds where a seat can be reached, according to the referee."""
        self._places[identity] = places
        self._table.mesh.add_candidates(identity, places)

    def reach_through_referee(self, identity: bytes) -> None:
        """Connects to a seat through the referee: this seat has no door."""
        self._table.mesh.reach_through_outside(identity)

    def game_changed(self) -> None:
        for identity, places in self._places.items():
            self._table.mesh.add_candidates(identity, places)
