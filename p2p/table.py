"""One seat at one table: from the open door to the verdict, and on to the next game.

    open -> words -> playing -> closing -> done -> (open ...)        and from anywhere: failed

A table runs on one event loop. It opens or joins, seats everybody, has the words compared, plays a `Match` on the links
to the other seats, keeps the record, and tells whoever subscribed. Which game it is makes no difference to it.

Frames between seats, besides those of `p2p.lobby`, `p2p.seating` and `p2p.link`:

    ("same", game id, yes)     whether the four words are the same on every screen
    ("relay", envelope)        somebody's envelope, passed on
    ("again", yes)             whether the seat wants another game
    ("bye", reason)            the seat leaves
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, TypeAlias

from games.table import Game, Plain
from p2p import archive
from p2p.address import parse
from p2p.card import Card
from p2p.channel import Channel, pair
from p2p.company import Company, Standing
from p2p.dial import dial
from p2p.discovery import Found
from p2p.files import StorageTrouble
from p2p.frames import Frame
from p2p.front import Front
from p2p.hello import Speaker, refusal
from p2p.identity import Identity, alike, fingerprint, nickname_from
from p2p.link import Dial, Link
from p2p.lobby import GuestLobby, HostLobby, sit_down, terms_of
from p2p.match import Match
from p2p.runner import View
from p2p.seating import ASKING
from p2p.tasks import Tasks
from p2p.text import clean
from p2p.trouble import Trouble
from protocol.audit import Verdict
from protocol.envelope import MOST_TEXT
from protocol.events import Caught, Ended, Event, Finished, Said
from protocol.play import Refused
from protocol.record import Record
from protocol.roster import SignedRoster

log = logging.getLogger(__name__)

Phase: TypeAlias = Literal["open", "words", "playing", "closing", "done", "failed"]

SEAT: Final = "seat"
"""Purpose of the channels between seats: (SEAT,) to sit down, (SEAT, game id) to come back to a game."""


@dataclass(frozen=True, slots=True)
class Changed:
    """Something else than the game has changed: "people", "phase", "agreed", "away", "again", "look" or "network"."""

    what: str


TableEvent: TypeAlias = "Event | Changed"


class Table:
    """A seat at a table. Its attributes are for reading; its methods return at once, and what follows is told."""

    def __init__(self, game: Game, identity: Identity, data: Path | None, *, host: bool, headless: bool) -> None:
        """Use `open`, `join` or `alone`. Raises StorageTrouble."""
        self.game = game
        self.host = host
        self.phase: Phase = "open"
        self.problem: str | None = None
        """Why the table failed, or what did not work: a sentence that says what to do."""
        self.warning: str | None = None
        """Something that a person should think of while comparing the words."""
        self.unannounced: str | None = None
        """Why others cannot find the table by itself, if they cannot."""
        self.phrase: tuple[str, str, str, str] | None = None
        self.acquaintance: tuple[Standing, ...] = ("you",)
        """By seat: how well one knows who sits there. A bot sits in this program."""
        self.peer: View | None = None
        """What this seat knows of the game; one object for each game."""
        self.talk: list[Said] = []
        self.verdict: Verdict | None = None
        self.record: Path | None = None
        self.again_from: set[int] = set()
        """The seats that want another game."""
        self._identity = identity
        self._data = data
        self._headless = headless
        self._company = Company(identity.public, data, headless=headless)
        self._lobby: HostLobby | GuestLobby
        self._front: Front | None = None
        self._links: dict[bytes, Link] = {}
        self._match: Match | None = None
        self._seed = b""
        self._same: dict[bytes, bytes] = {}
        self._callbacks: list[Callable[[TableEvent], None]] = []
        self._tasks = Tasks()
        self._ending = asyncio.Lock()
        self._left = False

    # -- taking a seat -------------------------------------------------------------------------------------------------

    @classmethod
    async def open(
        cls,
        game: Game,
        *,
        nickname: str,
        identity: Identity,
        data: Path | None,
        options: Mapping[str, Plain] | None = None,
        port: int | None = None,
        bind: str | None = None,
        announce: bool = True,
        listen: bool = True,
        headless: bool = False,
    ) -> Table:
        """Opens a table and sits down at it.

        `data` is the folder for journal, record and known keys; None keeps nothing. `options` are the game's, and
        "last_look" in seconds. `bind` is the only address to listen and announce at. `headless`: nobody is there to
        compare words, so keys are pinned unverified. Raises Trouble.
        """
        table = cls(game, identity, data, host=True, headless=headless)
        terms = terms_of(game, dict(options or {}), min(game.seats))
        table._lobby = HostLobby(identity, nickname_from(nickname), terms, table._seated, table._people_changed)
        if listen:
            table._front = Front(identity, table._welcome, table._card, table._announced)
            await table._front.open(port, bind, announce=announce)
        return table

    @classmethod
    async def join(
        cls,
        where: str | Found | Channel,
        find: Callable[[str], Game],
        *,
        nickname: str,
        identity: Identity,
        data: Path | None,
        headless: bool = False,
    ) -> Table:
        """Takes a seat at the table at an address ("192.168.1.7", "ana.local:7412"), or that was found, or at the other
        end of a channel. `find` gives the game of an id, or raises LookupError. Raises Trouble, Refused among them.
        """
        if isinstance(where, Channel):
            channel, redial = where, None
        else:
            known = where if isinstance(where, Found) else None
            host, port = (known.host, known.port) if known else parse(str(where))
            channel = await dial(host, port, identity, (SEAT,), expected=known.card.identity if known else None)
            redial = _Redial(host, port, identity, channel.peer)
        try:
            game, terms, people = await sit_down(channel, find, identity, nickname_from(nickname))
            table = cls(game, identity, data, host=False, headless=headless)
        except BaseException:
            await channel.close()
            raise
        lobby = GuestLobby(identity, terms, people, table._seated, table._people_changed, table._fail)
        table._lobby = lobby
        lobby.host = table._link(channel, dict(people).get(channel.peer, "the host"), redial)
        table._links[channel.peer] = lobby.host
        table._people_changed()
        if redial is not None:
            redial.table = table
        return table

    @classmethod
    async def alone(
        cls,
        game: Game,
        *,
        nickname: str,
        identity: Identity,
        data: Path | None,
        bot: str,
        options: Mapping[str, Plain] | None = None,
    ) -> tuple[Table, Table]:
        """A table within this program: one's own seat, and the seat of a bot of that nickname."""
        own = await cls.open(
            game, nickname=nickname, identity=identity, data=data, options=options, listen=False, announce=False
        )
        other = Identity.fresh()
        at_host, at_bot = pair(identity, other, (SEAT,))
        own._welcome(at_host)
        seat = await cls.join(at_bot, lambda _: game, nickname=bot, identity=other, data=None, headless=True)
        return own, seat

    # -- what one reads ------------------------------------------------------------------------------------------------

    @property
    def options(self) -> dict[str, Plain]:
        return dict(self._lobby.terms.options)

    @property
    def seats(self) -> int:
        """How many seats the table has, taken or not."""
        return self._lobby.terms.seats

    @property
    def names(self) -> tuple[str, ...]:
        """The nicknames of those who sit, by seat; of two that are alike one carries the key's fingerprint."""
        people = self._lobby.people
        return tuple(
            f"{name} {fingerprint(key)}" if any(alike(name, n) and k < key for k, n in people) else name
            for key, name in people
        )

    @property
    def seat(self) -> int:
        return self._seat_of(self._identity.public)

    @property
    def host_seat(self) -> int:
        """The seat of whoever opened the table; it changes from game to game."""
        host = self._identity.public if self.host else next(iter(self._links), b"")
        return self._seat_of(host)

    @property
    def agreed(self) -> tuple[bool, ...]:
        """By seat: who has said that the words are the same."""
        game_id = self._match.table.game_id if self._match else None
        return tuple(game_id is not None and self._same.get(key) == game_id for key, _ in self._lobby.people)

    @property
    def look_until(self) -> float | None:
        """The loop's time when the last look ends that runs now; None if none runs."""
        return self._match.look.until if self._match and self._match.look else None

    @property
    def away(self) -> dict[int, float]:
        """The seats whose connection is lost, and the loop's time since when."""
        return {
            self._seat_of(key): link.away_since
            for key, link in self._links.items()
            if link.away_since is not None and key in dict(self._lobby.people)
        }

    @property
    def addresses(self) -> tuple[str, ...]:
        """What others may type to join, the likeliest first."""
        return self._front.addresses if self._front else ()

    @property
    def port(self) -> int:
        """Where the host listens; 0 for who does not."""
        return self._front.port if self._front else 0

    @property
    def sent_bytes(self) -> int:
        """Bytes that this seat has sent to others, frames and all, before TLS."""
        return sum(link.sent_bytes for link in self._links.values())

    # -- what one does -------------------------------------------------------------------------------------------------

    def subscribe(self, callback: Callable[[TableEvent], None]) -> Callable[[], None]:
        """Calls back with every event from now on, on the loop; what is returned ends that."""
        self._callbacks.append(callback)
        return lambda: self._callbacks.remove(callback) if callback in self._callbacks else None

    def same(self, yes: bool) -> None:
        """The person's word on the table's words. "No" ends the table."""
        if self.phase != "words" or self._match is None:
            return
        self._tell(("same", self._match.table.game_id, yes))
        if yes:
            self._same[self._identity.public] = self._match.table.game_id
            self._agreed()
        else:
            self._company.aborted()
            self._fail("The words differ: somebody may be between you. Do not play over this network; tell the others.")

    def choose(self, plain: Plain) -> None:
        """The player's choice; during a last look it may be made again and again. Raises Refused with the rule."""
        if self._match is None or self.phase != "playing":
            raise Refused("nothing is asked of you now")
        self._match.choose(plain)

    def say(self, text: str) -> None:
        """Table talk."""
        said = clean(text, MOST_TEXT)
        if said and self._match is not None and self.phase in ("playing", "closing"):
            self._match.say(said)

    def resign(self) -> None:
        """Gives the game up; the table goes on to the verdict."""
        if self._match is not None and self.phase == "playing":
            self._match.resign()

    def again(self, yes: bool) -> None:
        """Whether one wants another game. It begins when all want it, the host among them; "no" is to leave."""
        if not yes:
            self.leave()
        elif self.phase == "done":
            self.again_from.add(self.seat)
            self._tell(("again", True))
            self._publish(Changed("again"))
            self._maybe_again()

    def leave(self) -> None:
        """Leaves the table. Of a game that is not finished an incomplete record is kept."""
        if not self._left:
            self._left = True
            self._end("You have left the table.", "left the table")

    async def close(self) -> None:
        """Leaves, if one has not, and ends all that still runs."""
        self.leave()
        if self._front is not None:
            await self._front.close()
        await self._tasks.settle()

    # -- people come and go --------------------------------------------------------------------------------------------

    def _welcome(self, channel: Channel) -> None:
        """A channel through the door."""
        assert isinstance(self._lobby, HostLobby)
        match channel.purpose:
            case ("seat",) if self.phase == "open" and not self._left:
                self._lobby.welcome(self._link(channel, "somebody", None))
            case ("seat",):
                self._refuse(channel, "The game at this table has begun already.")
            case ("seat", bytes() as game_id) if (
                self._match is not None and self._match.table.game_id == game_id and self.phase != "failed"
            ) and channel.peer in self._links:
                self._links[channel.peer].attach(channel)
            case _:
                self._refuse(channel, "This table is not what you look for: its game is over, or it is another one.")

    def _refuse(self, channel: Channel, reason: str) -> None:
        log.info("%s refused: %s", channel.address, reason)
        channel.send(refusal(reason))
        self._tasks.start(channel.close())

    def _link(self, channel: Channel, nickname: str, redial: Dial | None) -> Link:
        return Link(channel, nickname, self._heard, self._moved, self._room, redial)

    async def _room(self) -> None:
        if self._match is not None:
            await self._match.room()

    def _people_changed(self) -> None:
        if isinstance(self._lobby, HostLobby):
            self._links = dict(self._lobby.links)
            if self._front is not None:
                self._front.changed()
        else:
            for key, name in self._lobby.people:
                if key in self._links:
                    self._links[key].nickname = name
        self.acquaintance = self._standings()
        self._publish(Changed("people"))

    def _standings(self) -> tuple[Standing, ...]:
        return tuple(
            self._company.standing(key, name, local=key in self._links and self._links[key].local)
            for key, name in self._lobby.people
        )

    def _moved(self, link: Link) -> None:
        """A connection was lost, or is back, or was dropped for good."""
        if self.phase in ("open", "words"):
            self._gone(link, f"The connection to {link.nickname} was lost before the game began. Join again.")
        elif link.closed:
            self._after(
                lambda: self._end(f"{link.nickname} does not follow the protocol; the game has ended.", "ended")
            )
        elif self.phase == "done" and link.away_since is None and self.seat in self.again_from:
            link.send(("again", True))
        self._publish(Changed("away"))

    def _gone(self, link: Link, problem: str) -> None:
        """Somebody is gone before the game began."""
        seated = link.identity in self._links
        if self.phase == "words" and seated:
            self._company.aborted()
        if isinstance(self._lobby, GuestLobby):
            self._fail(problem)
            return
        link.leave()
        if self.phase == "words" and seated:
            self._match, self.phrase = None, None
            self._phase("open")
        self._lobby.gone(link)

    # -- frames --------------------------------------------------------------------------------------------------------

    def _heard(self, link: Link, frame: Frame) -> None:
        if self._left:
            return
        if frame[0] == ASKING[0] and self.phase in ("words", "playing", "closing") and not self.host:
            self._company.aborted()
            self._fail("The host starts over although the words are on the screens. Do not play there.")
            return
        if self._lobby.take(link, frame):
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
                self._after(
                    lambda: self._end(f"{link.nickname} does not go on: {clean(reason, 200)}", "left the table")
                )
            case _:
                log.info("%s said something unknown: %s", link.nickname, clean(str(frame[0]), 40))

    def _other_said(self, link: Link, game_id: bytes, yes: bool) -> None:
        if yes:
            self._same[link.identity] = game_id
            self._agreed()
        elif self.phase == "words":
            self._company.aborted()
            self._fail(f"{link.nickname} says that the words differ: somebody may be between you. Do not play.")

    def _said_bye(self, link: Link, reason: str) -> None:
        if self.phase in ("open", "words"):
            self._gone(link, f"{link.nickname} {reason or 'left the table'}.")
        else:
            self._end(f"{link.nickname} {reason or 'left the table'}.", "left the table")

    def _after(self, callback: Callable[[], None]) -> None:
        """Once all envelopes that came before are taken."""
        if self._match is not None and self.phase != "words":
            self._match.after(callback)
        else:
            callback()

    def _tell(self, frame: Frame) -> None:
        for link in self._links.values():
            link.send(frame)

    # -- the words -----------------------------------------------------------------------------------------------------

    def _seated(self, signed: SignedRoster, seed: bytes) -> None:
        """All have signed the roster, and all nonces are open."""
        old = self._match
        self._match = Match(
            self.game, signed, self._identity, seed, self._links, self._event, self._looked, self._broke
        )
        if old is not None:
            self._tasks.start(old.stop())
        self.phrase = signed.phrase
        self.peer, self.verdict, self.record, self.problem = None, None, None, None
        self.talk.clear()
        self.again_from.clear()
        self.acquaintance = self._standings()
        self.warning = self._company.warning
        self._phase("words")
        if self._headless or all(known in ("you", "bot", "met") for known in self.acquaintance):
            self.same(True)
        else:
            self._agreed()

    def _agreed(self) -> None:
        self._publish(Changed("agreed"))
        if self.phase == "words" and self._match is not None and not self._match.begun and all(self.agreed):
            self._match.begun = True
            others = {
                key: name for key, name in self._lobby.people if key in self._links and not self._links[key].local
            }
            try:
                self._company.agreed(others)
            except StorageTrouble as error:
                self.problem = str(error)
            self._tasks.start(self._play(self._match))

    # -- the game ------------------------------------------------------------------------------------------------------

    async def _play(self, match: Match) -> None:
        try:
            runner = await match.begin(self._data)
        except StorageTrouble as error:
            self._fail(str(error))
            return
        if match is not self._match or self.phase != "words" or self._left:
            match.release(kept=True)
            return
        self.peer = runner.view
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
            case Caught():
                name = self.names[event.seat]
                self._end(f"{name} was caught cheating: {event.reason}. The game has ended.", "ended the game")
        self._publish(event)

    def _looked(self, what: str) -> None:
        self._publish(Changed(what))

    def _broke(self, error: Trouble) -> None:
        """The journal cannot be written, or worse: this seat may sign nothing more."""
        self._end(str(error), "cannot go on: a full disk, or a fault of the program")

    async def _finish(self, match: Match, record: Record) -> None:
        """All have signed the verdict: the record is whole."""
        async with self._ending:
            if self.phase == "closing":
                await self._keep(match, record)
                match.release(kept=self.record is not None)
                self._phase("done")

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
        if isinstance(self._lobby, HostLobby) and self.phase == "done" and len(self.again_from) == self.seats:
            self._phase("open")
            self._lobby.next_round()

    # -- the end -------------------------------------------------------------------------------------------------------

    def _fail(self, problem: str) -> None:
        self._end(problem, "left the table")

    def _end(self, problem: str, bye: str) -> None:
        """The table is over for this seat; others are told why."""
        self._left = True
        self._tasks.start(self._finally(problem, bye))

    async def _finally(self, problem: str, bye: str) -> None:
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
            closing = [asyncio.create_task(link.close(("bye", bye))) for link in links]
            if match is not None and self.phase in ("playing", "closing"):
                await self._keep(match, match.record())
                try:
                    await asyncio.to_thread(match.close, problem)
                except StorageTrouble as error:
                    log.warning("%s", error)
            self.problem = problem
            self._phase("failed")
            await asyncio.gather(*closing)

    # -- odds and ends -------------------------------------------------------------------------------------------------

    def _seat_of(self, key: bytes) -> int:
        return next((seat for seat, (other, _) in enumerate(self._lobby.people) if other == key), 0)

    def _card(self) -> Card:
        terms = self._lobby.terms
        nickname = dict(self._lobby.people)[self._identity.public]
        taken = len(self._lobby.people)
        return Card(self._identity.public, nickname, terms.game, terms.rules, taken, terms.seats, Speaker.own())

    def _announced(self, problem: str | None) -> None:
        self.unannounced = problem
        self._publish(Changed("network"))

    def _phase(self, phase: Phase) -> None:
        self.phase = phase
        self._publish(Changed("phase"))

    def _publish(self, event: TableEvent) -> None:
        for callback in tuple(self._callbacks):
            try:
                callback(event)
            except Exception:
                # A screen that cannot draw must not stop the game of all.
                log.exception("somebody who follows the table failed at %s", type(event).__name__)


@dataclass
class _Redial:
    """Connects to the host again, for the game at hand."""

    host: str
    port: int
    identity: Identity
    peer: bytes
    table: Table | None = None

    async def __call__(self) -> Channel:
        """Raises Unreachable, Refused."""
        match = self.table._match if self.table is not None else None
        purpose = (SEAT,) if match is None else (SEAT, match.table.game_id)
        return await dial(self.host, self.port, self.identity, purpose, expected=self.peer)
