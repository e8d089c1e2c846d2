"""The state machine of a table, at one seat: from the open table to the verdict, and on to the next game.

    open -> words -> playing -> closing -> done -> (open ...)        and from anywhere: failed

A table runs on one event loop. It opens or joins, seats everybody, has the words compared, plays a `Match` over the
links of its `Mesh`, keeps the record, and tells its subscribers. It works the same for every game, and once the roster
is signed, for the host and the others.

Frames between seats, besides those of `table.lobby`, `table.seating`, `transport.link` and `transport.relay`:

    ("same", game id, yes)     whether the four words are the same on every screen
    ("relay", envelope)        another seat's envelope, relayed
    ("again", yes)             whether the seat wants another game
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path

from kimberley.games.table import Game
from kimberley.p2p.base.errors import UserError
from kimberley.p2p.base.text import clean
from kimberley.p2p.storage.files import StorageError
from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.table.lifecycle import ELSEWHERE, TableChanged, TableLifecycle
from kimberley.p2p.table.lobby import GuestLobby, HostLobby
from kimberley.p2p.table.match import Match
from kimberley.p2p.table.seating import ASKING
from kimberley.p2p.table.trust_store import TrustLevel
from kimberley.p2p.transport.address import with_scope_of
from kimberley.p2p.transport.channel import Channel
from kimberley.p2p.transport.frames import Frame
from kimberley.p2p.transport.handshake import refusal_frame
from kimberley.p2p.transport.link import Dial, Link
from kimberley.p2p.transport.mesh import Mesh
from kimberley.p2p.transport.table_card import TableCard
from kimberley.protocol.envelope import MOST_TEXT
from kimberley.protocol.events import Caught, ChatMessage, Event, GameEnded, RecordComplete, SeatDeparted
from kimberley.protocol.play import LEAST_TO_LEAVE
from kimberley.protocol.roster import SignedRoster

log = logging.getLogger(__name__)


class TableSession(TableLifecycle):
    """What every table goes through, from opening to the next game; `table.table.Table` is its public side."""

    def __init__(
        self, game: Game, identity: Identity, data: Path | None, *, host: bool, headless: bool, onlookers: int
    ) -> None:
        """Raises StorageError."""
        super().__init__(game, identity, data, host=host, headless=headless, onlookers=onlookers)
        self._mesh = Mesh(identity, self._new_link, self._on_channel)

    # -- what there is -------------------------------------------------------------------------------------------------

    @property
    def agreed(self) -> tuple[bool, ...]:
        """By seat: who has said that the words are the same."""
        game_id = self._match.table.game_id if self._match else None
        return tuple(game_id is not None and self._same.get(key) == game_id for key, _ in self._lobby.people)

    # -- before the game -----------------------------------------------------------------------------------------------

    def ready(self, yes: bool) -> None:
        """Says whether this player is ready to begin."""
        if self.phase != "open" or self._left:
            return
        if isinstance(self._lobby, HostLobby):
            self._lobby.ready(self._identity.public, yes)
        elif self._lobby.host is not None:
            self._lobby.host.send(("ready", yes))

    def same(self, yes: bool) -> None:
        """The player's answer about the four words. "No" ends the table."""
        if self.phase != "words" or self._match is None:
            return
        if yes:
            try:
                # The others may begin once they know: from now on the seat must survive a crash.
                self._match.prepare(self._journals, self._first)
            except UserError as error:
                self._fail(str(error))
                return
        self._mesh.broadcast(("same", self._match.table.game_id, yes))
        if yes:
            self._same[self._identity.public] = self._match.table.game_id
            self._on_agreed()
        else:
            self._trust.count_aborted()
            self._fail(
                "The words differ: someone may be intercepting the connection. Do not play over this network, and tell "
                "the others."
            )

    # -- people come and go --------------------------------------------------------------------------------------------

    def _on_channel(self, channel: Channel) -> None:
        """A channel from the listener, or through a relay."""
        match channel.purpose:
            case ("seat",) if isinstance(self._lobby, HostLobby) and self.phase == "open" and not self._left:
                self._lobby.admit(self._new_link(channel.peer, "somebody", None, channel))
            case ("seat",) if self.host:
                self._refuse(channel, "The game at this table has already begun.")
            case ("seat", bytes() as game_id) if self._left and game_id == self._mesh.game_id:
                self._closing.start(self._reply_game_over(channel))
            case ("seat", bytes()) if not self._left and self._mesh.attach(channel):
                pass
            case ("seat", bytes()) if (
                self.phase in ("open", "done") and not self.host and channel.peer in dict(self._lobby.people)
            ):
                if (old := self._mesh.hold_early(channel)) is not None:
                    self._closing.start(old.close())
            case ("watch",) if self.phase != "failed":
                if (reason := self._spectators.refusal()) is not None:
                    self._refuse(channel, reason)
                else:
                    self._spectators.admit(channel)
            case _:
                self._refuse(channel, ELSEWHERE)

    def _refuse(self, channel: Channel, reason: str) -> None:
        log.info("%s refused: %s", channel.address, reason)
        channel.send(refusal_frame(reason))
        self._closing.start(channel.close())

    @property
    def _gone_seats(self) -> tuple[int, ...]:
        return self._match.left if self._match is not None else ()

    def _new_link(self, identity: bytes, nickname: str, redial: Dial | None, channel: Channel | None = None) -> Link:
        return Link(
            identity,
            nickname,
            self._on_frame,
            self._on_link_change,
            self._wait_for_room,
            channel=channel,
            redial=redial,
        )

    async def _wait_for_room(self) -> None:
        if self._match is not None:
            await self._match.wait_for_room()

    def _on_people_changed(self) -> None:
        people = dict(self._lobby.people)
        if isinstance(self._lobby, HostLobby):
            self._mesh.links = dict(self._lobby.links)
            if self._endpoint is not None:
                self._endpoint.update_card()
        else:
            if self.phase == "words" and self._match is not None and not self._match.has_people(self._lobby.people):
                self._reopen()
            self._mesh.add_addresses(
                {
                    key: (with_scope_of(sitting.address or self._host_address, self._host_address), sitting.port)
                    for (key, _), sitting in zip(self._lobby.people, self._lobby.sitting, strict=True)
                    if sitting.port and key not in (self._host, self._identity.public)
                }
            )
        for key, name in people.items():
            if key in self._links:
                self._links[key].nickname = name
        self.acquaintance = self._trust_levels()
        self._publish(TableChanged("people"))
        full = len(people) == self.seats
        if self._headless and not self.readiness[self.seat] and (full or not self.host):
            self.ready(True)

    def _trust_levels(self) -> tuple[TrustLevel, ...]:
        return tuple(self._trust.trust_level(key, name) for key, name in self._lobby.people)

    def _on_link_change(self, link: Link) -> None:
        """A connection was lost, or is back, or its link was dropped for good."""
        self._mesh.on_link_change(link)
        needed = self.host or link.identity == self._host
        if self.phase == "open" or (self.phase == "words" and not link.connected and needed):
            self._on_lost_before_game(
                link, f"The connection to {link.nickname} was lost before the game began. Join again."
            )
        elif link.closed:
            self._after(
                lambda: self._end(f"{link.nickname} does not follow the protocol; the game has ended.", "ended")
            )
        elif link.connected:
            self._resend_state(link)
        self._publish(TableChanged("away"))

    def _resend_state(self, link: Link) -> None:
        """Sends again what may have been lost with the connection."""
        self._gave_up.discard(link.identity)
        if self._match is not None:
            self._match.on_reconnect(link)
        if self.phase == "words" and self._match is not None and self.agreed[self.seat]:
            link.send(("same", self._match.table.game_id, True))
        elif self.phase == "done" and self._identity.public in self._again_from:
            link.send(("again", True))

    def _on_lost_before_game(self, link: Link, problem: str) -> None:
        """A seat is gone before the game began."""
        seated = link.identity in self._links
        if isinstance(self._lobby, GuestLobby):
            if link is self._lobby.host:
                if self.phase == "words":
                    self._trust.count_aborted()
                self._fail(problem)
            return
        self._mesh.end_link(link)
        if self.phase == "words" and seated:
            self._reopen()
        self._lobby.on_link_lost(link)

    def _reopen(self) -> None:
        """Goes back from the words to an open table, since a seat is gone."""
        self._trust.count_aborted()
        self._lobby.on_reopened()
        if self._match is not None:
            self._match.discard()
        self._match, self.phrase, self._mesh.game_id = None, None, None
        if not self.host:
            self._mesh.keep_only([self._host])
        self._set_phase("open")

    # -- frames --------------------------------------------------------------------------------------------------------

    def _on_frame(self, link: Link, frame: Frame) -> None:
        if self._left:
            return
        if frame[0] == ASKING[0] and self.phase in ("words", "playing", "closing") and not self.host:
            self._trust.count_aborted()
            self._fail("The host started over while the words were on the screens. Do not play there.")
            return
        if frame[0] == "table" and self.phase in ("playing", "closing"):
            return
        if frame[0] == "ready" and self.phase != "open":
            return  # It would begin a round in the middle of a game.
        if self._lobby.on_frame(link, frame) or self._mesh.on_frame(link, frame):
            return
        if link.identity not in self._links:
            link.drop("it sent a frame before it took a seat")
            return
        match frame:
            case ("same", bytes() as game_id, bool() as yes):
                self._on_words_answer(link, game_id, yes)
            case ("envelope" | "relay", bytes() as envelope):
                if self._match is not None:
                    self._match.receive(envelope)
            case ("again", True):
                self._after(lambda: self._on_again(link))
            case ("bye", str() as reason):
                self._after(lambda: self._on_bye(link, clean(reason, 200)))
            case ("refused", str() as reason):
                self._after(lambda: self._on_bye(link, f"does not go on: {clean(reason, 200).rstrip('.')}"))
            case _:
                self._unknown.log(f"{link.nickname} sent an unknown frame: {clean(str(frame[0]), 40)}")

    def _on_words_answer(self, link: Link, game_id: bytes, yes: bool) -> None:
        if yes:
            self._same[link.identity] = game_id
            self._on_agreed()
        elif self.phase == "words":
            self._trust.count_aborted()
            self._fail(f"{link.nickname} says that the words differ. Somebody may be between you: do not play.")

    def _on_bye(self, link: Link, reason: str) -> None:
        problem = f"{link.nickname} {reason or 'left the table'}."
        if self.phase in ("open", "words"):
            self._on_lost_before_game(link, problem)
        elif self._match is None or self._stops_without(link) or self._is_alone_without(link):
            self._end(problem, "left the table")
        elif self.phase == "done" or self._seat_of(link.identity) in self._gone_seats:
            self._drop_link(link)
            self._play_again_if_agreed()
        else:
            log.info("%s Waiting for the seat to come back.", problem)
            link.mark_lost()
        self._publish(TableChanged("away"))

    def _stops_without(self, link: Link) -> bool:
        """Whether the table cannot continue, or begin again, without the seat behind a link."""
        assert self._match is not None
        if self.phase == "done":
            return len(self._links) < 2 or link.identity == self._host
        present = self._match.present
        few = len(present) < LEAST_TO_LEAVE or not self._match.has_leaves
        return self._seat_of(link.identity) in present and few

    def _is_alone_without(self, link: Link) -> bool:
        """Whether all others who still play this game have said goodbye by now."""
        assert self._match is not None
        if self.phase == "done":
            return False
        self._gave_up.add(link.identity)
        others = {key for key in self._links if self._seat_of(key) not in self._gone_seats}
        return others <= self._gave_up

    def _after(self, callback: Callable[[], None]) -> None:
        """Calls back once all envelopes that came before are handled."""
        if self._match is not None and self.phase != "words":
            self._match.call_after(callback)
        else:
            callback()

    # -- the words -----------------------------------------------------------------------------------------------------

    def _on_roster_signed(self, signed: SignedRoster, seed: bytes) -> None:
        """All have signed the roster, and all nonces are open."""
        old = self._match
        self._mesh.set_roster(signed)
        self._match = Match(
            self.game,
            signed,
            self._identity,
            seed,
            self._links,
            self._on_event,
            self._on_failure,
            self._spectators,
            self.notify,
            lasting=self._lasting,
        )
        if old is not None:
            self._closing.start(old.stop())
        self.phrase = signed.phrase
        self.peer, self.verdict, self.record, self.problem = None, None, None, None
        self.talk.clear()
        self._again_from.clear()
        self._gave_up.clear()
        self.acquaintance = self._trust_levels()
        self.warning = self._trust.warning
        self._set_phase("words")
        self._mesh.connect(signed)
        if self._headless or all(known in ("you", "bot", "met") for known in self.acquaintance):
            self.same(True)
        else:
            self._on_agreed()

    def _on_agreed(self) -> None:
        self._publish(TableChanged("agreed"))
        if self.phase == "words" and self._match is not None and not self._match.begun and all(self.agreed):
            self._match.begun = True
            people = self._lobby.people
            called_bots = {key for (key, _), bot in zip(people, self.called_bots, strict=True) if bot}
            try:
                self._trust.remember_agreed(dict(people), called_bots)
            except StorageError as error:
                self.notify(str(error))
            self._play(self._match)

    # -- the game ------------------------------------------------------------------------------------------------------

    def _play(self, match: Match) -> None:
        self.peer = match.begin().view
        self._set_phase("playing")
        match.start()

    def _on_event(self, event: Event) -> None:
        match event:
            case ChatMessage(seat, text):
                event = ChatMessage(seat, clean(text, MOST_TEXT))
                self.talk.append(event)
            case GameEnded():
                self._set_phase("closing")
            case RecordComplete():
                assert self._match is not None
                self._tasks.start(self._finish(self._match, self._match.record()))
            case SeatDeparted(_, seat):
                self._on_seat_left(seat)
            case Caught():
                assert self._match is not None
                self._match.accuse()
                name = self.names[event.seat]
                self._end(f"{name} was caught cheating: {event.reason}. The game has ended.", "ended the game")
        self._publish(event)

    def _on_seat_left(self, seat: int) -> None:
        """A seat has left the game; the others play on."""
        if seat == self.seat and self._leaving:
            self._tasks.start(self._depart())
        self._publish(TableChanged("away"))

    def _on_again(self, link: Link) -> None:
        self._again_from.add(link.identity)
        self._publish(TableChanged("again"))
        self._play_again_if_agreed()

    def _play_again_if_agreed(self) -> None:
        """The host begins another game when everybody wants one, including the host."""
        if not isinstance(self._lobby, HostLobby) or self.phase != "done":
            return
        missed = [
            link for key, link in self._links.items() if not link.connected and self._seat_of(key) in self._gone_seats
        ]
        here = {self.seat, *map(self._seat_of, self._links)} - {self._seat_of(link.identity) for link in missed}
        if here <= self.again_from and self._lobby.can_go_on(len(here)):
            for link in missed:
                self._drop_link(link)
            self._set_phase("open")
            self._lobby.next_round()

    def _drop_link(self, link: Link) -> None:
        """Ends the link to a seat that has left: it will not play another game either."""
        self._mesh.end_link(link)
        if isinstance(self._lobby, HostLobby):
            self._lobby.links.pop(link.identity, None)

    # -- odds and ends -------------------------------------------------------------------------------------------------

    def _card(self) -> TableCard:
        return self._card_of(open=self.phase == "open")
