"""The course of a table, at one seat: from the open door to the verdict, and on to the next game.

    open -> words -> playing -> closing -> done -> (open ...)        and from anywhere: failed

A table runs on one event loop. It opens or joins, seats everybody, has the words compared, plays a `Match` on the links
of its `Mesh`, keeps the record, and tells whoever subscribed. Which game it is makes no difference to it, and after the
roster is signed it makes none who opened the table.

Frames between seats, besides those of `p2p.lobby`, `p2p.seating`, `p2p.link` and `p2p.relay`:

    ("same", game id, yes)     whether the four words are the same on every screen
    ("relay", envelope)        somebody's envelope, passed on
    ("again", yes)             whether the seat wants another game
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path

from games.table import Game
from p2p.address import beside
from p2p.card import Card
from p2p.channel import Channel
from p2p.company import Standing
from p2p.ending import ELSEWHERE, Changed, Ending
from p2p.files import StorageTrouble
from p2p.frames import Frame
from p2p.hello import refusal
from p2p.identity import Identity
from p2p.link import Dial, Link
from p2p.lobby import GuestLobby, HostLobby
from p2p.match import Match
from p2p.mesh import Mesh
from p2p.seating import ASKING
from p2p.text import clean
from p2p.trouble import Trouble
from protocol.envelope import MOST_TEXT
from protocol.events import Caught, Ended, Event, Finished, Gone, Said
from protocol.play import LEAST_TO_LEAVE
from protocol.roster import SignedRoster

log = logging.getLogger(__name__)


class Course(Ending):
    """What every table goes through; `p2p.table.Table` is what one sees and does of it."""

    def __init__(
        self, game: Game, identity: Identity, data: Path | None, *, host: bool, headless: bool, onlookers: int
    ) -> None:
        """Raises StorageTrouble."""
        super().__init__(game, identity, data, host=host, headless=headless, onlookers=onlookers)
        self._mesh = Mesh(identity, self._new_link, self._welcome)

    # -- what there is -------------------------------------------------------------------------------------------------

    @property
    def agreed(self) -> tuple[bool, ...]:
        """By seat: who has said that the words are the same."""
        game_id = self._match.table.game_id if self._match else None
        return tuple(game_id is not None and self._same.get(key) == game_id for key, _ in self._lobby.people)

    # -- before the game -----------------------------------------------------------------------------------------------

    def ready(self, yes: bool) -> None:
        """Whether the game may begin, as far as this person is concerned."""
        if self.phase != "open" or self._left:
            return
        if isinstance(self._lobby, HostLobby):
            self._lobby.ready(self._identity.public, yes)
        elif self._lobby.host is not None:
            self._lobby.host.send(("ready", yes))

    def same(self, yes: bool) -> None:
        """The person's word on the table's words. "No" ends the table."""
        if self.phase != "words" or self._match is None:
            return
        if yes:
            try:
                # Others may begin as soon as they hear of it: from here on the seat must survive its process.
                self._match.prepare(self._journals, self._first)
            except Trouble as error:
                self._fail(str(error))
                return
        self._mesh.tell(("same", self._match.table.game_id, yes))
        if yes:
            self._same[self._identity.public] = self._match.table.game_id
            self._agreed()
        else:
            self._company.aborted()
            self._fail("The words differ: somebody may be between you. Do not play over this network; tell the others.")

    # -- people come and go --------------------------------------------------------------------------------------------

    def _welcome(self, channel: Channel) -> None:
        """A channel through the door, or through a relay."""
        match channel.purpose:
            case ("seat",) if isinstance(self._lobby, HostLobby) and self.phase == "open" and not self._left:
                self._lobby.welcome(self._new_link(channel.peer, "somebody", None, channel))
            case ("seat",) if self.host:
                self._refuse(channel, "The game at this table has begun already.")
            case ("seat", bytes() as game_id) if self._left and game_id == self._mesh.game_id:
                self._closing.start(self._tell_the_end(channel))
            case ("seat", bytes()) if not self._left and self._mesh.attach(channel):
                pass
            case ("seat", bytes()) if (
                self.phase in ("open", "done") and not self.host and channel.peer in dict(self._lobby.people)
            ):
                if (old := self._mesh.hold(channel)) is not None:
                    self._closing.start(old.close())
            case ("watch",) if self.phase != "failed":
                if (reason := self._gallery.refusal()) is not None:
                    self._refuse(channel, reason)
                else:
                    self._gallery.admit(channel)
            case _:
                self._refuse(channel, ELSEWHERE)

    def _refuse(self, channel: Channel, reason: str) -> None:
        log.info("%s refused: %s", channel.address, reason)
        channel.send(refusal(reason))
        self._closing.start(channel.close())

    @property
    def _gone_seats(self) -> tuple[int, ...]:
        return self._match.left if self._match is not None else ()

    def _new_link(self, identity: bytes, nickname: str, redial: Dial | None, channel: Channel | None = None) -> Link:
        return Link(identity, nickname, self._heard, self._moved, self._room, channel=channel, redial=redial)

    async def _room(self) -> None:
        if self._match is not None:
            await self._match.room()

    def _people_changed(self) -> None:
        people = dict(self._lobby.people)
        if isinstance(self._lobby, HostLobby):
            self._mesh.links = dict(self._lobby.links)
            if self._front is not None:
                self._front.changed()
        else:
            if self.phase == "words" and self._match is not None and not self._match.seats(self._lobby.people):
                self._reopen()
            self._mesh.know(
                {
                    key: (beside(sitting.address or self._host_address, self._host_address), sitting.port)
                    for (key, _), sitting in zip(self._lobby.people, self._lobby.sitting, strict=True)
                    if sitting.port and key not in (self._host, self._identity.public)
                }
            )
        for key, name in people.items():
            if key in self._links:
                self._links[key].nickname = name
        self.acquaintance = self._standings()
        self._publish(Changed("people"))
        full = len(people) == self.seats
        if self._headless and not self.readiness[self.seat] and (full or not self.host):
            self.ready(True)

    def _standings(self) -> tuple[Standing, ...]:
        return tuple(self._company.standing(key, name) for key, name in self._lobby.people)

    def _moved(self, link: Link) -> None:
        """A connection was lost, or is back, or was dropped for good."""
        self._mesh.moved(link)
        needed = self.host or link.identity == self._host
        if self.phase == "open" or (self.phase == "words" and not link.up and needed):
            self._gone(link, f"The connection to {link.nickname} was lost before the game began. Join again.")
        elif link.closed:
            self._after(
                lambda: self._end(f"{link.nickname} does not follow the protocol; the game has ended.", "ended")
            )
        elif link.up:
            self._repeat(link)
        self._publish(Changed("away"))

    def _repeat(self, link: Link) -> None:
        """Says again what may have been lost with a connection, or never had one."""
        self._gave_up.discard(link.identity)
        if self._match is not None:
            self._match.returned(link)
        if self.phase == "words" and self._match is not None and self.agreed[self.seat]:
            link.send(("same", self._match.table.game_id, True))
        elif self.phase == "done" and self._identity.public in self._again_from:
            link.send(("again", True))

    def _gone(self, link: Link, problem: str) -> None:
        """Somebody is gone before the game began."""
        seated = link.identity in self._links
        if isinstance(self._lobby, GuestLobby):
            if link is self._lobby.host:
                if self.phase == "words":
                    self._company.aborted()
                self._fail(problem)
            return
        self._mesh.end(link)
        if self.phase == "words" and seated:
            self._reopen()
        self._lobby.gone(link)

    def _reopen(self) -> None:
        """Back from the words to an open table, since somebody is gone."""
        self._company.aborted()
        self._lobby.reopened()
        if self._match is not None:
            self._match.discard()
        self._match, self.phrase, self._mesh.game_id = None, None, None
        if not self.host:
            self._mesh.keep([self._host])
        self._phase("open")

    # -- frames --------------------------------------------------------------------------------------------------------

    def _heard(self, link: Link, frame: Frame) -> None:
        if self._left:
            return
        if frame[0] == ASKING[0] and self.phase in ("words", "playing", "closing") and not self.host:
            self._company.aborted()
            self._fail("The host starts over although the words are on the screens. Do not play there.")
            return
        if frame[0] == "table" and self.phase in ("playing", "closing"):
            return
        if frame[0] == "ready" and self.phase != "open":
            return  # It would begin a round in the middle of a game.
        if self._lobby.take(link, frame) or self._mesh.take(link, frame):
            return
        if link.identity not in self._links:
            link.drop("it speaks before it sits")
            return
        match frame:
            case ("same", bytes() as game_id, bool() as yes):
                self._other_said(link, game_id, yes)
            case ("envelope" | "relay", bytes() as envelope):
                if self._match is not None:
                    self._match.receive(envelope)
            case ("again", True):
                self._after(lambda: self._wants_again(link))
            case ("bye", str() as reason):
                self._after(lambda: self._said_bye(link, clean(reason, 200)))
            case ("refused", str() as reason):
                self._after(lambda: self._said_bye(link, f"does not go on: {clean(reason, 200).rstrip('.')}"))
            case _:
                self._unknown.say(f"{link.nickname} said something unknown: {clean(str(frame[0]), 40)}")

    def _other_said(self, link: Link, game_id: bytes, yes: bool) -> None:
        if yes:
            self._same[link.identity] = game_id
            self._agreed()
        elif self.phase == "words":
            self._company.aborted()
            self._fail(f"{link.nickname} says that the words differ: somebody may be between you. Do not play.")

    def _said_bye(self, link: Link, reason: str) -> None:
        problem = f"{link.nickname} {reason or 'left the table'}."
        if self.phase in ("open", "words"):
            self._gone(link, problem)
        elif self._match is None or self._stands_without(link) or self._alone_without(link):
            self._end(problem, "left the table")
        elif self.phase == "done" or self._seat_of(link.identity) in self._gone_seats:
            self._free(link)
            self._maybe_again()
        else:
            log.info("%s, and is waited for", problem)
            link.lose()
        self._publish(Changed("away"))

    def _stands_without(self, link: Link) -> bool:
        """Whether the table cannot go on, or begin again, without the seat behind a link."""
        assert self._match is not None
        if self.phase == "done":
            return len(self._links) < 2 or link.identity == self._host
        present = self._match.present
        few = len(present) < LEAST_TO_LEAVE or not self._match.has_leaves
        return self._seat_of(link.identity) in present and few

    def _alone_without(self, link: Link) -> bool:
        """Whether all others who still play this game have said bye now."""
        assert self._match is not None
        if self.phase == "done":
            return False
        self._gave_up.add(link.identity)
        others = {key for key in self._links if self._seat_of(key) not in self._gone_seats}
        return others <= self._gave_up

    def _after(self, callback: Callable[[], None]) -> None:
        """Once all envelopes that came before are taken."""
        if self._match is not None and self.phase != "words":
            self._match.after(callback)
        else:
            callback()

    # -- the words -----------------------------------------------------------------------------------------------------

    def _seated(self, signed: SignedRoster, seed: bytes) -> None:
        """All have signed the roster, and all nonces are open."""
        old = self._match
        self._mesh.seat(signed)
        self._match = Match(
            self.game,
            signed,
            self._identity,
            seed,
            self._links,
            self._event,
            self._broke,
            self._gallery,
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
        self.acquaintance = self._standings()
        self.warning = self._company.warning
        self._phase("words")
        self._mesh.connect(signed)
        if self._headless or all(known in ("you", "bot", "met") for known in self.acquaintance):
            self.same(True)
        else:
            self._agreed()

    def _agreed(self) -> None:
        self._publish(Changed("agreed"))
        if self.phase == "words" and self._match is not None and not self._match.begun and all(self.agreed):
            self._match.begun = True
            people = self._lobby.people
            called_bots = {key for (key, _), bot in zip(people, self.called_bots, strict=True) if bot}
            try:
                self._company.agreed(dict(people), called_bots)
            except StorageTrouble as error:
                self.notify(str(error))
            self._play(self._match)

    # -- the game ------------------------------------------------------------------------------------------------------

    def _play(self, match: Match) -> None:
        self.peer = match.begin().view
        self._phase("playing")
        match.start()

    def _event(self, event: Event) -> None:
        match event:
            case Said(seat, text):
                event = Said(seat, clean(text, MOST_TEXT))
                self.talk.append(event)
            case Ended():
                self._phase("closing")
            case Finished():
                assert self._match is not None
                self._tasks.start(self._finish(self._match, self._match.record()))
            case Gone(_, seat):
                self._seat_left(seat)
            case Caught():
                assert self._match is not None
                self._match.accuse()
                name = self.names[event.seat]
                self._end(f"{name} was caught cheating: {event.reason}. The game has ended.", "ended the game")
        self._publish(event)

    def _seat_left(self, seat: int) -> None:
        """A seat has left the game, and the others play on."""
        if seat == self.seat and self._leaving:
            self._tasks.start(self._part())
        self._publish(Changed("away"))

    def _wants_again(self, link: Link) -> None:
        self._again_from.add(link.identity)
        self._publish(Changed("again"))
        self._maybe_again()

    def _maybe_again(self) -> None:
        """The host begins when everybody, the host included, wants another game."""
        if not isinstance(self._lobby, HostLobby) or self.phase != "done":
            return
        missed = [link for key, link in self._links.items() if not link.up and self._seat_of(key) in self._gone_seats]
        here = {self.seat, *map(self._seat_of, self._links)} - {self._seat_of(link.identity) for link in missed}
        if here <= self.again_from and self._lobby.can_go_on(len(here)):
            for link in missed:
                self._free(link)
            self._phase("open")
            self._lobby.next_round()

    def _free(self, link: Link) -> None:
        """A seat that has left the game will not play another one either."""
        self._mesh.end(link)
        if isinstance(self._lobby, HostLobby):
            self._lobby.links.pop(link.identity, None)

    # -- odds and ends -------------------------------------------------------------------------------------------------

    def _card(self) -> Card:
        return self._card_of(open=self.phase == "open")
