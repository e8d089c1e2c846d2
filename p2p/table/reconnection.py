"""Reconnection: this seat returns from its journal, and lost seats are found again (SPEC.md, section 10).

Frames between seats, besides those of `table.session`:

    ("recall", count)     asks for this seat's own envelopes from a number on (`transport.link`)
    ("door", port)        where the sender listens, at the address from which it has connected
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from pathlib import Path
from typing import Final

from kimberley.games.table import Game
from kimberley.p2p.base.errors import UserError
from kimberley.p2p.discovery.peer_rediscovery import PeerRediscovery
from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.table.lifecycle import Phase
from kimberley.p2p.table.lobby import GuestLobby, HostLobby, SeatStatus
from kimberley.p2p.table.match import Match
from kimberley.p2p.table.peer_addresses import KIND, PeerAddresses
from kimberley.p2p.table.resume import RestoredSeat
from kimberley.p2p.table.session import TableSession
from kimberley.p2p.table.terms import TableTerms, playable_numbers
from kimberley.p2p.transport.address import parse_address
from kimberley.p2p.transport.frames import Frame, are_integers
from kimberley.p2p.transport.link import Link
from kimberley.protocol.roster import SignedRoster

log = logging.getLogger(__name__)

MISS_SECONDS: Final = 2.0
"""A connection that is back sooner than this is not searched for on the network."""


class Reconnection(TableSession):
    """Adds reconnection to a table. `seeks`: whether missing seats are searched for on the network."""

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
        """Raises StorageError."""
        super().__init__(game, identity, data, host=host, headless=headless, onlookers=onlookers)
        self._seeks = seeks
        self._rediscovery: PeerRediscovery | None = None
        self._rediscovery_timer: asyncio.TimerHandle | None = None
        self._journaled: PeerAddresses | None = None
        self._adjourn_votes: set[bytes] = set()
        """The identities that want to adjourn the game."""

    # -- back from a journal -------------------------------------------------------------------------------------------

    def _resume_seat(self, back: RestoredSeat) -> None:
        """Takes the seat of a journal and starts to connect to the others. Raises UserError."""
        signed, places = back.contents.table, back.places
        self._host = places.host
        self._host_address = places.doors.get(places.host, ("", 0))[0]
        self._trust.bots |= places.bots
        self._lobby = self._former_lobby(back)
        self._mesh.add_addresses({key: where for key, where in places.doors.items() if key != self._identity.public})
        self._mesh.game_id = signed.game_id
        self._mesh.resume(signed)
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
            self._on_event,
            self._on_failure,
            self._spectators,
            self.notify,
            back,
        )
        self._match.begun = True
        self._same = {place.identity: signed.game_id for place in signed.roster.seats}
        self.phrase = signed.phrase
        self.talk.extend(back.talk)
        self.acquaintance = self._trust_levels()
        self.peer = self._match.resume().view
        self._set_phase("closing" if self.peer.result is not None else "playing")
        if self.peer.finished:
            self._tasks.start(self._finish(self._match, self._match.record()))

    def _former_lobby(self, back: RestoredSeat) -> HostLobby | GuestLobby:
        """The lobby as it was when the roster was signed. Raises UserError."""
        roster, places = back.contents.table.roster, back.places
        terms = TableTerms(roster.game, roster.rules, roster.options, places.seats)
        numbers = playable_numbers(self.game, terms)
        people = tuple((place.identity, place.nickname) for place in roster.seats)
        lobby: HostLobby | GuestLobby
        if self.host:
            lobby = HostLobby(
                self._identity, people[0][1], terms, numbers, self._on_roster_signed, self._on_people_changed
            )
            lobby.people = people
        else:
            lobby = GuestLobby(
                self._identity, terms, numbers, people, self._on_roster_signed, self._on_people_changed, self._fail
            )
        lobby.sitting = tuple(
            SeatStatus(True, key in places.bots, *places.doors.get(key, ("", 0))) for key, _ in people
        )
        lobby.set_round(places.round)
        return lobby

    # -- where everybody is --------------------------------------------------------------------------------------------

    def _addresses(self) -> PeerAddresses:
        doors = {key: where for key, where in self._mesh.addresses.items() if key in self._links}
        bots = frozenset(self._trust.bots)
        return PeerAddresses(self._host, self._lobby.terms.seats, self._lobby.number, self._own_port, doors, bots)

    @property
    def _own_port(self) -> int:
        return self._endpoint.port if self._endpoint is not None else 0

    def _journal_addresses(self) -> None:
        """Writes the addresses of the seats to the journal, if they have changed."""
        if self._match is not None and self.phase in ("playing", "closing") and self._journaled != self._addresses():
            self._journaled = self._addresses()
            self._match.write_note(KIND, *self._journaled.plain())

    def _on_port(self, link: Link, port: int) -> None:
        """A seat that has connected says where it listens."""
        if link.direct and not link.local and not link.dialed:
            with contextlib.suppress(UserError):
                self._mesh.add_addresses({link.identity: (parse_address(link.address)[0], port)})
                self._journal_addresses()

    # -- who is missed -------------------------------------------------------------------------------------------------

    def _set_phase(self, phase: Phase) -> None:
        super()._set_phase(phase)
        if phase == "playing":
            for link in self._links.values():
                self._send_port(link)
        self._journal_addresses()
        self._update_search()

    def _on_link_change(self, link: Link) -> None:
        super()._on_link_change(link)
        if link.connected and self.phase in ("playing", "closing", "done"):
            self._send_port(link)
            self._journal_addresses()
        self._update_search()

    def _send_port(self, link: Link) -> None:
        if self._own_port and link.direct and link.dialed and not link.local:
            link.send(("door", self._own_port))

    def _missing_seats(self) -> list[bytes]:
        """The seats that are waited for and not connected."""
        if self._left or self._match is None or self.phase not in ("playing", "closing"):
            return []
        gone = self._gone_seats
        return [key for key, link in self._links.items() if not link.connected and self._seat_of(key) not in gone]

    def _update_search(self) -> None:
        """Searches for seats that have been missing for longer than a moment, and for nobody else."""
        missed = self._missing_seats()
        if not missed:
            if self._rediscovery_timer is not None:
                self._rediscovery_timer.cancel()
                self._rediscovery_timer = None
            if self._rediscovery is not None:
                self._rediscovery.set_missing(())
        elif self._rediscovery is not None and self._rediscovery_timer is None:
            self._rediscovery.set_missing(missed)
        elif self._seeks and self._rediscovery_timer is None:
            self._rediscovery_timer = asyncio.get_running_loop().call_later(MISS_SECONDS, self._start_search)

    def _start_search(self) -> None:
        self._rediscovery_timer = None
        missed = self._missing_seats()
        if not missed or self._match is None:
            return
        if self._rediscovery is None:
            interfaces = None if self._bind is None else [self._bind]
            game_id, own = self._match.table.game_id, self._identity.public
            self._rediscovery = PeerRediscovery(game_id, own, self._own_port, self._mesh.add_candidates, interfaces)
        self._rediscovery.set_missing(missed)

    async def _stop_search(self) -> None:
        if self._rediscovery_timer is not None:
            self._rediscovery_timer.cancel()
            self._rediscovery_timer = None
        reunion, self._rediscovery = self._rediscovery, None
        if reunion is not None:
            await reunion.close()

    def _on_roster_signed(self, signed: SignedRoster, seed: bytes) -> None:
        self._closing.start(self._stop_search())
        self._journaled = None
        super()._on_roster_signed(signed, seed)

    # -- frames --------------------------------------------------------------------------------------------------------

    def _on_frame(self, link: Link, frame: Frame) -> None:
        if self._left:
            return
        match frame:
            case ("recall", int() as count) if (
                are_integers(count) and link.identity in self._links and self._match is not None
            ):
                self._match.recall(link, count)
            case ("door", int() as port) if are_integers(port) and link.identity in self._links and 0 < port < 1 << 16:
                self._on_port(link, port)
            case _:
                super()._on_frame(link, frame)
