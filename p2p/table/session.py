"""The state machine of a table, at one seat: from the open table to the verdict, and on to the next game.

    open -> words -> playing -> closing -> done -> (open ...)        and from anywhere: failed

A table runs on one event loop and works the same for every game; once the roster is signed, also for the host and the
others. It is made of parts (`table.part`), which share a `TableContext`. Each part handles the frames of its kinds:

    part                       frames
    `seats.Seats`              those of `table.lobby` and `table.seating`
    `words.WordsVerification`  same
    `chat.TableChat`           say, said
    `game.GamePart`            envelope, relay
    `rematch.Rematch`          again
    `departures.Departures`    bye, refused
    `reconnection`             recall, door
    `adjournment`              aside
    `abandonment`              attest
    `ending.Ending`            none: it keeps the record and closes the table
    `refereeing`               none: it is there only at a table of a tournament
    `transport.relay`          pass, passed, lost

`transport.link` handles "have" itself.
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
from kimberley.p2p.table.events import Phase, TableChanged
from kimberley.p2p.table.game import GamePart
from kimberley.p2p.table.hosting import Hosting
from kimberley.p2p.table.invitation import Invitation
from kimberley.p2p.table.page_seats import PageSeats
from kimberley.p2p.table.part import TablePart, handlers_of
from kimberley.p2p.table.policy import ORDINARY, REFEREED
from kimberley.p2p.table.reconnection import Reconnection
from kimberley.p2p.table.refereeing import Refereeing
from kimberley.p2p.table.rematch import Rematch
from kimberley.p2p.table.resume import RestoredSeat
from kimberley.p2p.table.seats import Seats
from kimberley.p2p.table.words import WordsVerification
from kimberley.p2p.transport.channel import Channel
from kimberley.p2p.transport.frames import Frame
from kimberley.p2p.transport.link import Dial, Link
from kimberley.p2p.transport.mesh import Mesh
from kimberley.p2p.transport.table_card import TableCard
from kimberley.protocol.roster import SignedRoster

log = logging.getLogger(__name__)


class TableSession:
    """The parts of one table, and the transitions between its phases. `table.table.Table` is its public side."""

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
        self.context = TableContext(
            game,
            identity,
            data,
            mesh,
            ORDINARY if invitation is None else REFEREED,
            host=host,
            headless=headless,
            spectators=spectators,
            entered=self._on_phase,
            ends=self._on_end,
        )
        self.unannounced: str | None = None
        """Why others cannot discover the table; None if they can."""
        self.words = WordsVerification(self.context, self._first_entries, self._begin)
        self.seats = Seats(self.context, self.words, self, invitation)
        self.ending = Ending(self.context)
        self.rematch = Rematch(self.context, self.seats)
        self.hosting = Hosting(self.context, self.seats, self.reopen)
        self.departures = Departures(self.context, self.seats, self.rematch)
        self.chat = TableChat(self.context, self.words)
        self.game = GamePart(self.context, self.ending, self.departures, self.chat)
        self.page_seats = PageSeats(self.on_channel, self._expected)
        self.far = FarDoor(self._place, self._on_far)
        self.reconnection = Reconnection(self.context, self.page_seats, self.far, seeks=seeks)
        self.adjournment = Adjournment(self.context)
        self.abandonment = Abandonment(self.context)
        self.refereeing = (
            Refereeing(self.context, self.words, self.ending, invitation, self.reopen)
            if invitation is not None
            else None
        )
        # The referee says first who may come in; and a seat that is back is told what it lacks in this order.
        self._parts: tuple[TablePart, ...] = (
            *([self.refereeing] if self.refereeing is not None else []),
            self.seats,
            self.words,
            self.ending,
            self.departures,
            self.chat,
            self.game,
            self.rematch,
            self.reconnection,
            self.adjournment,
            self.abandonment,
        )
        self._handlers = handlers_of((*(part.frames for part in self._parts), mesh.frames))
        self._from_anybody = frozenset({*self.seats.frames, *mesh.frames})
        """The kinds of frames that a link without a seat may send."""
        self._unknown = RateLimitedLog(log)

    # -- what comes from others ----------------------------------------------------------------------------------------

    def listen(self) -> Endpoint:
        """Returns what others reach this seat at; it is still to be opened."""
        self.context.endpoint = Endpoint(
            self.context.identity, self.on_channel, self._card, self._on_announced, expected=self._expected
        )
        return self.context.endpoint

    def _place(self) -> tuple[str, int]:
        """Returns where this seat listens, as seen from this computer."""
        table = self.context
        own = {None: "127.0.0.1", "0.0.0.0": "127.0.0.1", "::": "::1"}
        return own.get(table.bind, str(table.bind)), table.port

    def on_channel(self, channel: Channel) -> None:
        """Handles a channel from the listener, through a relay, or from within this program."""
        if not any(part.on_channel(channel) for part in self._parts):
            self.context.refuse(channel, ELSEWHERE)

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
        if self.context.left:
            return
        kind, seated = str(frame[0]), link.identity in self.context.links
        handler = self._handlers.get(kind) if seated or kind in self._from_anybody else None
        if handler is not None and handler(link, frame):
            return
        if seated:
            self._unknown.log(f"{link.nickname} sent an unknown frame: {clean(kind, 40)}")
        else:
            link.refuse("Your program spoke before it had a seat. Use the host’s version.")

    def _on_link_change(self, link: Link) -> None:
        """Called when a connection was lost, or is back, or its other side was refused."""
        table = self.context
        table.mesh.on_link_change(link)
        needed = table.host or link.identity == table.host_key
        waits = table.phase == "words" and table.links.get(link.identity) is not link
        early = table.phase == "open" or waits or (table.phase == "words" and not link.connected and needed)
        if early and table.policy.players_end_game:
            self.seats.on_lost(link, f"{link.nickname} lost the connection before the game began. Join again.")
        elif link.connected:
            for part in self._parts:
                part.link_restored(link)
        table.publish(TableChanged("away"))
        for part in self._parts:
            part.link_changed(link)

    async def _wait_for_room(self) -> None:
        if self.context.match is not None:
            await self.context.match.wait_for_room()

    def _card(self) -> TableCard:
        return self.context.occupants.card(open=self.context.phase == "open")

    def _on_announced(self, problem: str | None) -> None:
        self.unannounced = problem
        self.context.publish(TableChanged("network"))

    def _on_far(self) -> None:
        self.reconnection.journal_addresses()
        self.context.publish(TableChanged("far"))

    def _expected(self) -> set[str]:
        """Returns where the other seats of this game were last: they may come back."""
        table = self.context
        return {link.address for link in table.links.values()} if table.match is not None else set()

    # -- from phase to phase -------------------------------------------------------------------------------------------

    def on_roster_signed(self, signed: SignedRoster, seed: bytes) -> None:
        """Called when all have signed the roster, and all nonces are open: the words appear."""
        table = self.context
        table.mesh.set_roster(signed)
        self.game.prepare(signed, seed)
        for part in self._parts:
            part.game_changed()
        table.set_phase("words")
        table.mesh.connect(signed)
        self.words.ask()

    def reopen(self) -> None:
        """Goes back to an open table, after a game, or since a seat is gone before the game has begun."""
        table = self.context
        if table.phase == "done":
            table.lobby.open_again()
            self.rematch.forget()
        else:
            table.trust.count_aborted()
            table.lobby.on_reopened()
            self.game.discard()
        table.mesh.game_id = None
        if not table.host:
            table.mesh.keep_only([table.host_key] if table.policy.players_end_game else [])
        table.set_phase("open")

    def resume(self, back: RestoredSeat) -> None:
        """Takes the seat of a journal and starts to connect to the others. Raises UserError."""
        table, signed, places = self.context, back.contents.table, back.places
        table.host_key = places.host
        table.host_address = places.doors.get(places.host, ("", 0))[0]
        table.trust.bots |= places.bots
        self.page_seats.port = places.page
        self.seats.restore(back)
        own = table.identity.public
        table.mesh.add_addresses({key: where for key, where in places.doors.items() if key != own})
        table.mesh.game_id = signed.game_id
        table.mesh.resume(signed)
        self.seats.restore_links()
        peer = self.game.resume(back)
        self.words.set_agreed(signed)
        table.set_phase("closing" if peer.result is not None else "playing")
        if peer.finished:
            self.ending.finish()
        elif peer.caught is not None:
            self.game.end(peer.caught)

    def _first_entries(self) -> tuple[Entry, ...]:
        """Returns what the journal of a game begins with: a seat may be killed before anything else is in it."""
        return *self.context.first, self.reconnection.addresses_entry()

    def _begin(self) -> None:
        """Begins the game: all have agreed on the words."""
        self.game.begin()

    def _on_phase(self, phase: Phase) -> None:
        for part in self._parts:
            part.phase_changed(phase)

    def _on_end(self, problem: str, bye: str | None) -> None:
        self.ending.close(problem, bye)

    async def close(self) -> None:
        """Waits until everything has ended. To be called after the table has left."""
        table = self.context
        self.far.close()
        await table.spectators.close()
        await self.reconnection.close()
        if table.endpoint is not None:
            await table.endpoint.close()
        await table.tasks.wait()
        await table.closing.wait()
        self.ending.leave_journal()
