"""The part of a table's course that is about coming back: of this seat from its journal, and of others that are lost.

Frames between seats, besides those of `p2p.course`:

    ("recall", count)     asks for this seat's own envelopes from a number on (`p2p.link`)
    ("door", port)        where the sender's own door is, at the address that it has connected from
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from pathlib import Path
from typing import Final

from games.table import Game
from p2p.address import parse
from p2p.course import Course
from p2p.ending import Phase
from p2p.frames import Frame, whole
from p2p.identity import Identity
from p2p.link import Link
from p2p.lobby import GuestLobby, HostLobby, Sitting
from p2p.match import Match
from p2p.places import KIND, Places
from p2p.resume import Rebuilt
from p2p.reunion import Reunion
from p2p.terms import Terms, numbers_of
from p2p.trouble import Trouble
from protocol.roster import SignedRoster

log = logging.getLogger(__name__)

MISS_SECONDS: Final = 2.0
"""A connection that is back after less is not looked for all over the network."""


class Returning(Course):
    """See above. `seeks`: whether seats that are missed are looked for on the network."""

    def __init__(
        self,
        game: Game,
        identity: Identity,
        data: Path | None,
        *,
        host: bool,
        headless: bool,
        onlookers: int,
        seeks: bool = False,
    ) -> None:
        """Raises StorageTrouble."""
        super().__init__(game, identity, data, host=host, headless=headless, onlookers=onlookers)
        self._seeks = seeks
        self._reunion: Reunion | None = None
        self._reunion_timer: asyncio.TimerHandle | None = None
        self._noted: Places | None = None
        self._asides: set[bytes] = set()
        """The identities that want to put the game aside."""

    # -- back from a journal -------------------------------------------------------------------------------------------

    def _take_up(self, back: Rebuilt) -> None:
        """Sits down at the seat of a journal, and begins to connect to the others. Raises Trouble."""
        signed, places = back.contents.table, back.places
        self._host = places.host
        self._host_address = places.doors.get(places.host, ("", 0))[0]
        self._company.bots |= places.bots
        self._lobby = self._former_lobby(back)
        self._mesh.know({key: where for key, where in places.doors.items() if key != self._identity.public})
        self._mesh.game_id = signed.game_id
        self._mesh.take_up(signed)
        if isinstance(self._lobby, HostLobby):
            self._lobby.links = dict(self._mesh.links)
        else:
            self._lobby.host = self._mesh.links[self._host]
        self._match = Match(
            self.game,
            signed,
            self._identity,
            back.contents.seed,
            self._links,
            self._event,
            self._broke,
            self._gallery,
            self.notify,
            back,
        )
        self._match.begun = True
        self._same = {place.identity: signed.game_id for place in signed.roster.seats}
        self.phrase = signed.phrase
        self.talk.extend(back.talk)
        self.acquaintance = self._standings()
        self.peer = self._match.take_up().view
        self._phase("closing" if self.peer.result is not None else "playing")
        if self.peer.finished:
            self._tasks.start(self._finish(self._match, self._match.record()))

    def _former_lobby(self, back: Rebuilt) -> HostLobby | GuestLobby:
        """The lobby as it was when the roster was signed. Raises Trouble."""
        roster, places = back.contents.table.roster, back.places
        terms = Terms(roster.game, roster.rules, roster.options, places.seats)
        numbers = numbers_of(self.game, terms)
        people = tuple((place.identity, place.nickname) for place in roster.seats)
        lobby: HostLobby | GuestLobby
        if self.host:
            lobby = HostLobby(self._identity, people[0][1], terms, numbers, self._seated, self._people_changed)
            lobby.people = people
        else:
            lobby = GuestLobby(self._identity, terms, numbers, people, self._seated, self._people_changed, self._fail)
        lobby.sitting = tuple(Sitting(True, key in places.bots, *places.doors.get(key, ("", 0))) for key, _ in people)
        lobby.resumed(places.round)
        return lobby

    # -- where everybody is --------------------------------------------------------------------------------------------

    def _places(self) -> Places:
        doors = {key: where for key, where in self._mesh.doors.items() if key in self._links}
        bots = frozenset(self._company.bots)
        return Places(self._host, self._lobby.terms.seats, self._lobby.number, self._own_port, doors, bots)

    @property
    def _own_port(self) -> int:
        return self._front.port if self._front is not None else 0

    def _note_places(self) -> None:
        """Keeps in the journal where everybody is, if that has changed."""
        if self._match is not None and self.phase in ("playing", "closing") and self._noted != self._places():
            self._noted = self._places()
            self._match.note(KIND, *self._noted.plain())

    def _learn_door(self, link: Link, port: int) -> None:
        """A seat that has connected says where its door is."""
        if link.direct and not link.local and not link.dialled:
            with contextlib.suppress(Trouble):
                self._mesh.know({link.identity: (parse(link.address)[0], port)})
                self._note_places()

    # -- who is missed -------------------------------------------------------------------------------------------------

    def _phase(self, phase: Phase) -> None:
        super()._phase(phase)
        if phase == "playing":
            for link in self._links.values():
                self._show_door(link)
        self._note_places()
        self._look_around()

    def _moved(self, link: Link) -> None:
        super()._moved(link)
        if link.up and self.phase in ("playing", "closing", "done"):
            self._show_door(link)
            self._note_places()
        self._look_around()

    def _show_door(self, link: Link) -> None:
        if self._own_port and link.direct and link.dialled and not link.local:
            link.send(("door", self._own_port))

    def _missed(self) -> list[bytes]:
        """The seats whose connection is lost, and that are waited for."""
        if self._left or self._match is None or self.phase not in ("playing", "closing"):
            return []
        gone = self._gone_seats
        return [key for key, link in self._links.items() if not link.up and self._seat_of(key) not in gone]

    def _look_around(self) -> None:
        """Looks for those who are missed for longer than a moment, and for nobody else."""
        missed = self._missed()
        if not missed:
            if self._reunion_timer is not None:
                self._reunion_timer.cancel()
                self._reunion_timer = None
            if self._reunion is not None:
                self._reunion.miss(())
        elif self._reunion is not None and self._reunion_timer is None:
            self._reunion.miss(missed)
        elif self._seeks and self._reunion_timer is None:
            self._reunion_timer = asyncio.get_running_loop().call_later(MISS_SECONDS, self._seek)

    def _seek(self) -> None:
        self._reunion_timer = None
        missed = self._missed()
        if not missed or self._match is None:
            return
        if self._reunion is None:
            interfaces = None if self._bind is None else [self._bind]
            game_id, own = self._match.table.game_id, self._identity.public
            self._reunion = Reunion(game_id, own, self._own_port, self._mesh.find, interfaces)
        self._reunion.miss(missed)

    async def _seek_no_more(self) -> None:
        if self._reunion_timer is not None:
            self._reunion_timer.cancel()
            self._reunion_timer = None
        reunion, self._reunion = self._reunion, None
        if reunion is not None:
            await reunion.close()

    def _seated(self, signed: SignedRoster, seed: bytes) -> None:
        self._closing.start(self._seek_no_more())
        self._noted = None
        super()._seated(signed, seed)

    # -- frames --------------------------------------------------------------------------------------------------------

    def _heard(self, link: Link, frame: Frame) -> None:
        if self._left:
            return
        match frame:
            case ("recall", int() as count) if (
                whole(count) and link.identity in self._links and self._match is not None
            ):
                self._match.recall(link, count)
            case ("door", int() as port) if whole(port) and link.identity in self._links and 0 < port < 1 << 16:
                self._learn_door(link, port)
            case _:
                super()._heard(link, frame)
