"""The state machine of a table, at one seat: from the open table to the verdict, and on to the next game.

    open -> words -> playing -> closing -> done -> (open ...)        and from anywhere: failed (`table.phases`)

A table runs on one event loop and works the same for every game; once the roster is signed, also for the host and the
others. It is made of parts (`table.part`), which share its `TableContext`. Each part handles the frames of its kinds:

    part                        frames
    `seats.Seats`               those of `table.lobby` and `table.seating`
    `votes.Votes`               vote: those of seats, words, rematch, adjournment and abandonment
    `chat.TableChat`            say
    `game.GamePart`             envelope, have
    `departures.Departures`     bye, refused
    `reconnection.Reconnection` door
    `ending.Ending`             none: it keeps the record and closes the table
    `refereeing.Refereeing`     none: it is there only at a table of a tournament

`transport.relay` handles pass, passed and lost for the mesh.
"""

from __future__ import annotations

import logging
from pathlib import Path

from kimberley.games.table import Game
from kimberley.p2p.base.rate_limited_log import RateLimitedLog
from kimberley.p2p.base.text import clean
from kimberley.p2p.discovery.endpoint import Endpoint
from kimberley.p2p.far.door import FarDoor
from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.storage.journal import Entry
from kimberley.p2p.table.abandonment import Abandonment
from kimberley.p2p.table.adjournment import Adjournment
from kimberley.p2p.table.chat import TableChat
from kimberley.p2p.table.context import TableContext
from kimberley.p2p.table.departures import Departures
from kimberley.p2p.table.ending import ELSEWHERE, Ending
from kimberley.p2p.table.events import TableChanged
from kimberley.p2p.table.game import GamePart
from kimberley.p2p.table.hosting import Hosting
from kimberley.p2p.table.invitation import Invitation
from kimberley.p2p.table.match import Match
from kimberley.p2p.table.page_seats import PageSeats
from kimberley.p2p.table.part import TablePart, handlers_of
from kimberley.p2p.table.phases import ClosingPhase, NoMatch, OpenPhase, Phase, PlayingPhase, WordsPhase
from kimberley.p2p.table.policy import ORDINARY, REFEREED
from kimberley.p2p.table.reconnection import Reconnection
from kimberley.p2p.table.refereeing import Refereeing
from kimberley.p2p.table.rematch import Rematch
from kimberley.p2p.table.resume import RestoredSeat
from kimberley.p2p.table.seats import Seats
from kimberley.p2p.table.votes import Votes
from kimberley.p2p.table.words import WordsVerification
from kimberley.p2p.transport.channel import Channel
from kimberley.p2p.transport.frames import Frame
from kimberley.p2p.transport.link import Dial, Link
from kimberley.p2p.transport.mesh import Mesh
from kimberley.p2p.transport.table_card import TableCard
from kimberley.protocol.roster import SignedRoster

log = logging.getLogger(__name__)


class TableSession(TableContext):
    """The parts of one table, and the transitions between its phases. `table.table.Table` is for players."""

    def __init__(
        self,
        game: Game,
        identity: Identity,
        data: Path | None,
        *,
        host: bool,
        headless: bool,
        spectators: int,
        seeks: bool = False,
        invitation: Invitation | None = None,
    ) -> None:
        """Puts the parts together.

        Args:
            game: The game to play.
            identity: The own identity.
            data: The folder for journal, record and known keys; None to keep nothing.
            host: Whether this seat opened the table.
            headless: Nobody is there to compare words.
            spectators: The most spectators that this seat admits.
            seeks: Missing seats are searched for on the network.
            invitation: A referee's, at a table of a tournament.

        Raises:
            StorageError: The known keys cannot be read.

        """
        mesh = Mesh(identity, self.new_link, self.on_channel)
        policy = ORDINARY if invitation is None else REFEREED
        super().__init__(game, identity, data, mesh, policy, host=host, headless=headless, spectators=spectators)
        self.unannounced: str | None = None
        """Why others cannot discover the table; None if they can."""
        self.announces = True
        """Whether this seat announces the table to the network; one that was resumed is not announced."""
        self.votes = Votes(self)
        self.words = WordsVerification(self, self.votes, self._first_entries, lambda match: self.play.begin(match))
        self.seating = Seats(self, self.words, self.votes, self, invitation)
        self.ending = Ending(self)
        self.rematch = Rematch(self, self.seating, self.votes)
        self.hosting = Hosting(self, self.seating, self.open_again)
        self.adjournment = Adjournment(self, self.votes)
        self.departures = Departures(self, self.seating, self.rematch, self.adjournment)
        self.chat = TableChat(self, self.words)
        self.play = GamePart(self, self.ending, self.departures, self.chat)
        self.page_seats = PageSeats(self.on_channel, self._expected)
        self.far = FarDoor(self._place, self._on_far)
        self.reconnection = Reconnection(self, self.page_seats, self.far, seeks=seeks)
        self.abandonment = Abandonment(self, self.votes)
        self.refereeing = (
            Refereeing(self, self.words, self.ending, invitation, self.break_off) if invitation is not None else None
        )
        # The referee decides first who may come in. A seat that is back is told what it lacks in this order.
        self._parts: tuple[TablePart, ...] = (
            *([self.refereeing] if self.refereeing is not None else []),
            self.seating,
            self.words,
            self.votes,
            self.ending,
            self.departures,
            self.chat,
            self.play,
            self.rematch,
            self.reconnection,
            self.adjournment,
            self.abandonment,
        )
        self._handlers = handlers_of((*(part.frames for part in self._parts), mesh.frames))
        self._from_anybody = frozenset({*self.seating.frames, *mesh.frames})
        """The kinds of frames that a link without a seat may send."""
        self._unknown = RateLimitedLog(log)

    # -- what comes from others ----------------------------------------------------------------------------------------

    def listen(self) -> Endpoint:
        """Returns the endpoint at which others reach this seat; it is still to be opened."""
        self.endpoint = Endpoint(
            self.identity, self.on_channel, self._card, self._on_announced, expected=self._expected
        )
        return self.endpoint

    def _place(self) -> tuple[str, int]:
        """Returns where this seat listens, as seen from this computer."""
        own = {None: "127.0.0.1", "0.0.0.0": "127.0.0.1", "::": "::1"}
        return own.get(self.bind, str(self.bind)), self.port

    def on_channel(self, channel: Channel) -> None:
        """Handles a channel from the listener, through a relay, or from within this program."""
        if not any(part.on_channel(channel) for part in self._parts):
            self.refuse(channel, ELSEWHERE)

    def new_link(self, identity: bytes, nickname: str, redial: Dial | None, channel: Channel | None = None) -> Link:
        """Returns a link to a seat, or to a newcomer."""
        return Link(
            identity,
            nickname,
            self._on_frame,
            self._on_link_change,
            self._wait_for_room,
            channel=channel,
            redial=redial,
        )

    def _on_frame(self, link: Link, frame: Frame) -> None:
        if self.left:
            return
        kind, seated = str(frame[0]), link.identity in self.links
        handler = self._handlers.get(kind) if seated or kind in self._from_anybody else None
        if handler is not None and handler(link, frame):
            return
        if seated:
            self._unknown.log(f"{link.nickname} sent an unknown frame: {clean(kind, 40)}")
        else:
            link.refuse("Your program sent a message before it had a seat. Use the host’s version.")

    def _on_link_change(self, link: Link) -> None:
        """Called when a connection was lost, or is back, or its other side was refused."""
        self.mesh.on_link_change(link)
        needed = self.host or link.identity == self.host_key
        waits = self.links.get(link.identity) is not link
        # If the game may have begun there, the seat comes back to it, unless it is refused.
        lost = not link.connected and needed and (link.refused or not self.words.may_have_begun)
        early = self.at.is_open or (self.at.before_game and (waits or lost))
        if early and self.policy.players_end_game and not self.left:
            self.seating.on_lost(link, f"{link.nickname} lost the connection before the game began. Join again.")
        elif link.connected:
            for part in self._parts:
                part.link_restored(link)
        self.publish(TableChanged("away"))
        for part in self._parts:
            part.link_changed(link)

    async def _wait_for_room(self) -> None:
        await self.match.wait_for_room()

    def _card(self) -> TableCard:
        return self.occupants.card(open=self.at.is_open)

    def _on_announced(self, problem: str | None) -> None:
        self.unannounced = problem
        self.publish(TableChanged("network"))

    def _on_far(self) -> None:
        self.reconnection.journal_addresses()
        self.publish(TableChanged("far"))

    def _expected(self) -> set[str]:
        """Returns where the other seats of this game were last: they may come back."""
        return {link.address for link in self.links.values()} if self.game_id is not None else set()

    # -- from phase to phase -------------------------------------------------------------------------------------------

    def on_roster_signed(self, signed: SignedRoster, seed: bytes) -> None:
        """Called when all have signed the roster, and all nonces are open: the words appear."""
        self.mesh.set_roster(signed)
        match = self.play.prepare(signed, seed)
        for part in self._parts:
            part.game_changed()
        self.set_phase(WordsPhase(match))
        self.mesh.connect(signed)
        self.words.ask()

    def open_again(self) -> None:
        """Opens the table again after a game."""
        self.lobby.open_again()
        self.rematch.forget()
        self._open(self.match)

    def break_off(self) -> None:
        """Goes back to the open table, if it is not open: its game does not begin, since a seat is gone."""
        if not self.at.is_open:
            self.trust.count_aborted()
            self.lobby.on_reopened()
            self.play.discard()
            self._open(NoMatch())

    def _open(self, last: Match | NoMatch) -> None:
        self.mesh.game_id = None
        if not self.host:
            self.mesh.keep_only([self.host_key] if self.policy.players_end_game else [])
        self.set_phase(OpenPhase(last))

    def restore(self, restored: RestoredSeat) -> None:
        """Takes the seat of a journal and starts to connect to the others. Raises UserError."""
        signed, places = restored.contents.table, restored.places
        self.host_key = places.host
        self.host_address = places.doors.get(places.host, ("", 0))[0]
        self.trust.bots |= places.bots
        self.page_seats.port = places.page
        self.seating.restore(restored)
        own = self.identity.public
        self.mesh.add_addresses({key: where for key, where in places.doors.items() if key != own})
        self.mesh.game_id = signed.game_id
        self.mesh.resume(signed)
        self.seating.restore_links()
        match, peer = self.play.resume(restored)
        self.words.set_agreed(signed)
        self.set_phase(ClosingPhase(match) if peer.result is not None else PlayingPhase(match))
        if peer.finished:
            self.ending.finish(match)
        elif peer.caught is not None:
            self.play.end(match, peer.caught)

    def _first_entries(self) -> tuple[Entry, ...]:
        """Returns what the journal of a game begins with: a seat may be killed before anything else is in it."""
        return *self.first, self.reconnection.addresses_entry()

    def on_phase(self, phase: Phase) -> None:
        for part in self._parts:
            part.phase_changed(phase)

    def on_end(self, problem: str, bye: str | None) -> None:
        self.ending.close(problem, bye)

    async def close(self) -> None:
        """Waits until everything has ended. To be called after the table has left."""
        if self.endpoint is not None:
            # Others can be slow to part, and a program that is asked to end does not wait for them.
            self.endpoint.withdraw()
        self.far.close()
        await self.spectators.close()
        await self.reconnection.close()
        if self.endpoint is not None:
            await self.endpoint.close()
        await self.tasks.wait()
        await self.closing.wait()
        self.ending.leave_journal()
