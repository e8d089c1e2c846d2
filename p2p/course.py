"""The course of a table, at one seat: from the open door to the verdict, and on to the next game.

    open -> words -> playing -> closing -> done -> (open ...)        and from anywhere: failed

A table runs on one event loop. It opens or joins, seats everybody, has the words compared, plays a `Match` on the links
of its `Mesh`, keeps the record, and tells whoever subscribed. Which game it is makes no difference to it, and after the
roster is signed it makes none who opened the table.

Frames between seats, besides those of `p2p.lobby`, `p2p.seating`, `p2p.link` and `p2p.relay`:

    ("same", game id, yes)     whether the four words are the same on every screen
    ("relay", envelope)        somebody's envelope, passed on
    ("again", yes)             whether the seat wants another game
    ("bye", reason)            the seat leaves
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, TypeAlias

from games.table import Game
from p2p import archive
from p2p.address import beside
from p2p.attendance import Attendance
from p2p.card import Card
from p2p.channel import Channel
from p2p.company import Company, Standing
from p2p.files import StorageTrouble
from p2p.frames import Frame
from p2p.front import Front
from p2p.gallery import Gallery
from p2p.hello import refusal
from p2p.identity import Identity
from p2p.journal import Entry
from p2p.link import Dial, Link
from p2p.lobby import GuestLobby, HostLobby
from p2p.match import Match
from p2p.mesh import Mesh
from p2p.publisher import Publisher
from p2p.runner import View
from p2p.seating import ASKING
from p2p.seldom import Seldom
from p2p.tasks import Tasks
from p2p.text import clean
from p2p.trouble import Trouble
from protocol.audit import Verdict
from protocol.envelope import MOST_TEXT
from protocol.events import Caught, Ended, Event, Finished, Gone, Said
from protocol.play import LEAST_TO_LEAVE
from protocol.record import Record
from protocol.roster import SignedRoster

log = logging.getLogger(__name__)

Phase: TypeAlias = Literal["open", "words", "playing", "closing", "done", "failed"]

LEFT: Final = "You have left the table."
ELSEWHERE: Final = "This table is not what you look for: its game is over, or it is another one."
PART_SECONDS: Final = 10.0
"""For connections to come back on which a seat that leaves is waited for."""
PART_PAUSE_SECONDS: Final = 0.1


@dataclass(frozen=True, slots=True)
class Changed:
    """Something else than the game has changed: "people", "phase", "agreed", "away", "again", "look" or "network"."""

    what: str


TableEvent: TypeAlias = Event | Changed


class Course(Attendance, Publisher[TableEvent]):
    """What every table goes through; `p2p.table.Table` is what one sees and does of it."""

    def __init__(
        self, game: Game, identity: Identity, data: Path | None, *, host: bool, headless: bool, onlookers: int
    ) -> None:
        """Raises StorageTrouble."""
        Attendance.__init__(self, game, identity)
        Publisher.__init__(self)
        self.host = host
        self.phase: Phase = "open"
        self.problem: str | None = None
        """Why the table failed, or what did not work: a sentence that says what to do."""
        self.warning: str | None = None
        """Something that a person should think of while comparing the words."""
        self.unannounced: str | None = None
        """Why others cannot find the table by itself, if they cannot."""
        self.resumable = False
        """Whether the table has ended for this process only: its journal waits."""
        self.phrase: tuple[str, str, str, str] | None = None
        self.acquaintance: tuple[Standing, ...] = ("you",)
        """By seat: how well one knows who sits there. A bot sits in this program, or in the host's."""
        self.peer: View | None = None
        """What this seat knows of the game; one object for each game."""
        self.talk: list[Said] = []
        self.verdict: Verdict | None = None
        self.record: Path | None = None
        self.again_from: set[int] = set()
        """The seats that want another game."""
        self._gave_up: set[bytes] = set()
        """Who has said bye in the middle of the game at hand, and has not come back."""
        self._data = data
        self._journals = data
        """The folder for the journal."""
        self._first: tuple[Entry, ...] = ()
        """What stands first in the journal."""
        self._headless = headless
        self._lasting = False
        """Whether a game of two, too, goes on where a seat breaks the protocol or leaves."""
        self._company = Company(identity.public, data, headless=headless)
        self._front: Front | None = None
        self._bind: str | None = None
        self._host = identity.public if host else b""
        self._host_address = ""
        self._mesh = Mesh(identity, self._new_link, self._welcome)
        self._gallery = Gallery(onlookers)
        self._match: Match | None = None
        self._same: dict[bytes, bytes] = {}
        self._tasks = Tasks()
        self._ending = asyncio.Lock()
        self._unknown = Seldom(log)
        self._leaving = False
        self._left = False

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
                self._tasks.start(self._tell_the_end(channel))
            case ("seat", bytes()) if not self._left and self._mesh.attach(channel):
                pass
            case ("seat", bytes()) if (
                self.phase in ("open", "done") and not self.host and channel.peer in dict(self._lobby.people)
            ):
                if (old := self._mesh.hold(channel)) is not None:
                    self._tasks.start(old.close())
            case ("watch",) if self.phase != "failed":
                if (reason := self._gallery.refusal()) is not None:
                    self._refuse(channel, reason)
                else:
                    self._gallery.admit(channel)
            case _:
                self._refuse(channel, ELSEWHERE)

    async def _tell_the_end(self, channel: Channel) -> None:
        """Somebody comes back to a game that is over here: says so, and shows who was caught."""
        async with self._ending:
            pass  # It ends just now.
        if self.resumable or channel.peer not in dict(self._lobby.people):
            channel.send(refusal(ELSEWHERE))
        else:
            proof = self._match.proof(channel.peer) if self._match is not None else ()
            for frame in (*proof, ("bye", "has given the game up")):
                channel.send(frame)
        await channel.close()

    def _refuse(self, channel: Channel, reason: str) -> None:
        log.info("%s refused: %s", channel.address, reason)
        channel.send(refusal(reason))
        self._tasks.start(channel.close())

    @property
    def _links(self) -> dict[bytes, Link]:
        return self._mesh.links

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
            if self.phase == "words" and self._match is not None and not self._match.seats(people):
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
        return tuple(
            self._company.standing(key, name, local=sitting.bot or (key in self._links and self._links[key].local))
            for (key, name), sitting in zip(self._lobby.people, self._lobby.sitting, strict=True)
        )

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
        elif self.phase == "done" and self.seat in self.again_from:
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
            self._looked,
            self._broke,
            self._gallery,
            lasting=self._lasting,
        )
        if old is not None:
            self._tasks.start(old.stop())
        self.phrase = signed.phrase
        self.peer, self.verdict, self.record, self.problem = None, None, None, None
        self.talk.clear()
        self.again_from.clear()
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
            others = {
                key: name
                for (key, name), standing in zip(self._lobby.people, self.acquaintance, strict=True)
                if standing not in ("you", "bot")
            }
            try:
                self._company.agreed(others)
            except StorageTrouble as error:
                self.problem = str(error)
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

    async def _part(self) -> None:
        """Goes, now that nobody needs this seat, once all can have heard of it; a while later, one is enough."""
        loop = asyncio.get_running_loop()
        waited = loop.time() + PART_SECONDS
        while not self._left:
            up = [link.up for link in self._links.values()]
            if all(up) or (any(up) and loop.time() > waited):
                self._fail(LEFT)
            await asyncio.sleep(PART_PAUSE_SECONDS)

    def _looked(self, what: str) -> None:
        self._publish(Changed(what))

    def _broke(self, error: Trouble) -> None:
        """The journal cannot be written, or worse: this seat may sign nothing more."""
        if isinstance(error, StorageTrouble):
            self._end(f"{error} Then go on with the game: kimberley resume.", None)
        else:
            self._end(str(error), "cannot go on: a fault of the program")

    async def _finish(self, match: Match, record: Record) -> None:
        """All have signed the verdict: the record is whole."""
        async with self._ending:
            if self.phase == "closing":
                await self._keep(match, record)
                match.release(kept=self.record is not None or self._data is None)
                self._lobby.turns = match.turns()
                self._phase("done")
                if self._leaving:
                    self._fail(LEFT)

    async def _keep(self, match: Match, record: Record) -> None:
        """Keeps the record, and judges it."""
        packed = await asyncio.to_thread(record.pack)
        if self._data is not None:
            try:
                self.record = await asyncio.to_thread(archive.save, self._data, self.names, packed)
            except StorageTrouble as error:
                self.problem = str(error)
        self.verdict = await asyncio.to_thread(match.judge, packed)

    def _wants_again(self, link: Link) -> None:
        self.again_from.add(self._seat_of(link.identity))
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

    # -- the end -------------------------------------------------------------------------------------------------------

    def _fail(self, problem: str) -> None:
        self._end(problem, "left the table")

    def _end(self, problem: str, bye: str | None) -> None:
        """The table is over for this seat; others are told why. With None this seat may still come back, from its
        journal, and is waited for.
        """
        self._left = True
        self._tasks.start(self._finally(problem, bye))

    async def _finally(self, problem: str, bye: str | None) -> None:
        async with self._ending:
            if self.phase == "failed":
                return
            links = list(self._links.values())
            if isinstance(self._lobby, HostLobby):
                self._lobby.close()
                links += self._lobby.newcomers()
            match = self._match
            if match is not None:
                await match.stop()
                match.discard()
            last = [] if bye is None else [("bye", bye)]
            closing = [asyncio.create_task(link.close(*last)) for link in links]
            if match is not None and bye is None:
                self.resumable = True
                match.release(kept=False)
            elif match is not None and self.phase in ("playing", "closing"):
                await self._keep(match, match.record())
                if self._data is None:
                    match.release(kept=True)
                try:
                    await asyncio.to_thread(match.close, problem)
                except StorageTrouble as error:
                    log.warning("%s", error)
            self.problem = problem
            self._phase("failed")
            await asyncio.gather(*closing)
            await self._mesh.close()
            if bye is None and self._front is not None:
                # Else the door stays until the table is closed, to tell who comes back that the game is over.
                await self._front.close()

    # -- odds and ends -------------------------------------------------------------------------------------------------

    def _card(self) -> Card:
        return self._card_of(open=self.phase == "open")

    def _announced(self, problem: str | None) -> None:
        self.unannounced = problem
        self._publish(Changed("network"))

    def _phase(self, phase: Phase) -> None:
        self.phase = phase
        if self.host and self._front is not None and phase in ("open", "words"):
            self._front.changed()
        self._publish(Changed("phase"))
