"""The game of a table: what the player does, what arrives for it, and what follows from its events.

Frames between seats:

    ("have", game id, ((count, hash), ...))     what the sender has (`table.sync`)
    ("envelope", envelope)                      anybody's
"""

from __future__ import annotations

from kimberley.games.table import Plain
from kimberley.p2p.table.chat import TableChat
from kimberley.p2p.table.context import TableContext
from kimberley.p2p.table.departures import Departures
from kimberley.p2p.table.ending import Ending
from kimberley.p2p.table.match import Match
from kimberley.p2p.table.part import TablePart
from kimberley.p2p.table.resume import RestoredSeat
from kimberley.p2p.table.runner import PeerView
from kimberley.p2p.transport.channel import Channel
from kimberley.p2p.transport.frames import Frame
from kimberley.p2p.transport.link import Link
from kimberley.protocol.events import Caught, ChatMessage, Event, GameEnded, RecordComplete, SeatDeparted
from kimberley.protocol.play import NotAllowed
from kimberley.protocol.roster import SignedRoster


class GamePart(TablePart):
    """Plays one `Match` after the other, and shows each to spectators."""

    def __init__(self, table: TableContext, ending: Ending, departures: Departures, chat: TableChat) -> None:
        self.frames = {"envelope": self._on_envelope, "have": self._on_have}
        self._table = table
        self._ending = ending
        self._departures = departures
        self._chat = chat

    # -- one match -----------------------------------------------------------------------------------------------------

    def prepare(self, signed: SignedRoster, seed: bytes) -> None:
        """Prepares the match of those who have signed the roster, for when they agree on the words."""
        old, self._table.match = self._table.match, self._match(signed, seed, None)
        if old is not None:
            self._table.closing.start(old.stop())

    def begin(self) -> None:
        """Begins the match: all have agreed on the words."""
        table = self._table
        assert table.match is not None
        table.peer = table.match.begin().view
        table.set_phase("playing")
        table.match.start()

    def resume(self, back: RestoredSeat) -> PeerView:
        """Takes the match up where the journal ends. Returns what this seat knows of it."""
        table = self._table
        match = table.match = self._match(back.contents.table, back.contents.seed, back)
        match.begun = True
        self._chat.restore(back.talk)
        table.peer = match.resume().view
        return table.peer

    def discard(self) -> None:
        """Discards the match: it will not begin after all."""
        match, self._table.match = self._table.match, None
        if match is not None:
            match.discard()
            self._table.closing.start(self._forget(match))

    async def _forget(self, match: Match) -> None:
        """Deletes the journal of a match that was taken up, but had not begun."""
        await match.stop()
        match.release(kept=True)

    def _match(self, signed: SignedRoster, seed: bytes, back: RestoredSeat | None) -> Match:
        table = self._table
        return Match(
            table.game,
            signed,
            table.identity,
            seed,
            table.links,
            self._on_event,
            table.on_failure,
            table.spectators,
            table.notify,
            back,
            headless=table.headless,
        )

    def game_changed(self) -> None:
        self._table.peer = None

    # -- what the player does ------------------------------------------------------------------------------------------

    def choose(self, plain: Plain, *, final: bool) -> None:
        """Makes the player's choice. Raises NotAllowed with the rule that forbids it."""
        if self._table.match is None or self._table.phase != "playing":
            raise NotAllowed("it is not your turn")
        self._table.match.choose(plain, final=final)

    def resign(self) -> None:
        """Resigns; the table proceeds to the verdict. If three or more are present, the others play on."""
        if self._table.match is not None and self._table.phase == "playing":
            self._table.match.resign()

    # -- what arrives --------------------------------------------------------------------------------------------------

    def on_channel(self, channel: Channel) -> bool:
        table = self._table
        if channel.purpose != ("watch",) or table.phase == "failed":
            return False
        if (reason := table.spectators.refusal()) is not None:
            table.refuse(channel, reason)
        else:
            table.spectators.admit(channel)
        return True

    def link_restored(self, link: Link) -> None:
        if self._table.match is not None:
            self._table.match.catch_up.on_reconnect(link)

    def _on_have(self, link: Link, frame: Frame) -> bool:
        return self._table.match is not None and self._table.match.catch_up.on_have(link, frame)

    def _on_envelope(self, link: Link, frame: Frame) -> bool:
        match frame:
            case ("envelope", bytes() as envelope):
                if self._table.match is not None:
                    self._table.match.receive(envelope)
                return True
        return False

    def _on_event(self, event: Event) -> None:
        table = self._table
        match event:
            case ChatMessage():
                self._chat.on_signed(event)
                return
            case GameEnded():
                table.set_phase("closing")
            case RecordComplete():
                self._ending.finish()
            case SeatDeparted(_, seat):
                self._departures.on_seat_left(seat)
            case Caught():
                self.end(event)
        table.publish(event)

    def end(self, caught: Caught) -> None:
        """Ends the game: a seat was caught."""
        table = self._table
        assert table.match is not None
        table.match.catch_up.accuse()
        table.end(_sentence_about(caught, table.occupants.names[caught.seat]), "ended the game")


def _sentence_about(caught: Caught, name: str) -> str:
    """Says who was caught, when, and what proves it."""
    return (
        f"{name} was caught cheating in move {caught.step}: {caught.reason}. {name}’s own signature proves it. The "
        "game is over."
    )
