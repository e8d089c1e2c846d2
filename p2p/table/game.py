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
from kimberley.p2p.table.events import TableChanged
from kimberley.p2p.table.match import Match
from kimberley.p2p.table.part import TablePart
from kimberley.p2p.table.phases import ClosingPhase, FailedPhase, NoMatch, PlayingPhase
from kimberley.p2p.table.resume import RestoredSeat
from kimberley.p2p.table.runner import PeerView
from kimberley.p2p.transport.channel import Channel
from kimberley.p2p.transport.frames import Frame
from kimberley.p2p.transport.link import Link
from kimberley.protocol.events import Asked, Caught, Event, GameEnded, RecordComplete, SeatDeparted
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

    def prepare(self, signed: SignedRoster, seed: bytes) -> Match:
        """Returns the match of those who have signed the roster, to begin once they agree on the words, and stops the
        last match.
        """
        self._table.closing.start(self._table.match.stop())
        return self._match(signed, seed, None)

    def begin(self, match: Match) -> None:
        """Begins the match: all have agreed on the words."""
        self._table.peer = match.begin().view
        self._table.set_phase(PlayingPhase(match))
        match.start()

    def resume(self, restored: RestoredSeat) -> tuple[Match, PeerView]:
        """Resumes the match where the journal ends. Returns it, and what this seat knows of it."""
        match = self._match(restored.contents.table, restored.contents.seed, restored)
        match.begun = True
        self._table.peer = view = match.resume().view
        self._chat.restore(restored.talk)
        return match, view

    def discard(self) -> None:
        """Discards the match: it will not begin after all."""
        match = self._table.match
        match.discard()
        self._table.closing.start(self._forget(match))

    async def _forget(self, match: Match | NoMatch) -> None:
        """Deletes the journal of a match that was resumed, but had not begun."""
        await match.stop()
        match.release(kept=True)

    def _match(self, signed: SignedRoster, seed: bytes, restored: RestoredSeat | None) -> Match:
        table = self._table
        match = Match(
            table.game,
            signed,
            table.identity,
            seed,
            table.links,
            lambda event: self._on_event(match, event),
            table.on_failure,
            table.spectators,
            table.notify,
            restored,
            headless=table.headless,
        )
        return match

    def game_changed(self) -> None:
        self._table.peer = None

    @property
    def final_adjustment_until(self) -> float | None:
        """The loop's time when the current final adjustment ends at the latest; None if there is none."""
        adjusting = self._table.match.final_adjustment
        return adjusting.until if adjusting is not None and not adjusting.over else None

    @property
    def resumed(self) -> bool:
        """Whether this program has resumed the current game from its journal."""
        return self._table.match.resumed

    @property
    def held_back(self) -> bool:
        """Whether a resumed game waits for others before it goes on, so that no choice is sent."""
        return self._table.match.held_back

    @property
    def unsaved(self) -> bool:
        """Whether the player would have to choose again if the game stopped now: it waits for others to come back."""
        return self._table.match.unsaved

    @property
    def practice(self) -> bool:
        """Whether a choice was taken back in the current game."""
        return self._table.match.practice

    # -- what the player does ------------------------------------------------------------------------------------------

    @property
    def asked(self) -> Asked | None:
        """What this seat is asked now; None if nothing."""
        return self._table.match.asked

    def choose(self, plain: Plain, *, final: bool = True) -> None:
        """Makes the player's choice; during a final adjustment it can be changed until it leaves. One that is not
        `final` only stands until the player changes it. Raises NotAllowed with the rule that forbids it.
        """
        self._table.match.choose(plain, final=final)

    def resign(self) -> None:
        """Resigns; the table proceeds to the verdict. If three or more are present, the others play on."""
        self._table.match.resign()
        self._table.publish(TableChanged("resigning"))

    @property
    def resigning(self) -> bool:
        """Whether the player has resigned without effect so far: a seat leaves with the next envelope that it owes."""
        view = self._table.peer
        return self._table.match.resigned and view is not None and view.result is None and view.seat not in view.left

    # -- what arrives --------------------------------------------------------------------------------------------------

    def on_channel(self, channel: Channel) -> bool:
        table = self._table
        if channel.purpose != ("watch",) or isinstance(table.at, FailedPhase):
            return False
        if (reason := table.spectators.refusal()) is not None:
            table.refuse(channel, reason)
        else:
            table.spectators.admit(channel)
        return True

    def link_restored(self, link: Link) -> None:
        self._table.match.catch_up.on_reconnect(link)

    def _on_have(self, link: Link, frame: Frame) -> bool:
        return self._table.match.catch_up.on_have(link, frame)

    def _on_envelope(self, link: Link, frame: Frame) -> bool:
        match frame:
            case ("envelope", bytes() as envelope):
                self._table.match.receive(envelope)
                return True
        return False

    def _on_event(self, match: Match, event: Event) -> None:
        table = self._table
        match event:
            case GameEnded():
                table.set_phase(ClosingPhase(match))
            case RecordComplete():
                self._ending.finish(match)
            case SeatDeparted(_, seat):
                self._departures.on_seat_left(match, seat)
            case Caught():
                self.end(match, event)
        table.publish(event)

    def end(self, match: Match, caught: Caught) -> None:
        """Ends the game: a seat was caught."""
        table = self._table
        match.catch_up.accuse()
        table.end(_sentence_about(caught, table.occupants.names[caught.seat]), "ended the game")


def _sentence_about(caught: Caught, name: str) -> str:
    """Says who was caught, when, and what proves it."""
    return (
        f"{name} was caught cheating in move {caught.step}: {caught.reason}. {name}’s own signature proves it. The "
        "game is over."
    )
