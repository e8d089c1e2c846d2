"""Who sits at the table before its game: newcomers, goodbyes, and the round in which all sign the roster.

The frames are those of `table.lobby` and `table.seating`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Final, Protocol

from kimberley.games.table import Game, Plain
from kimberley.p2p.far.codes import read_code
from kimberley.p2p.storage.identity import nickname_from
from kimberley.p2p.table.context import TableContext
from kimberley.p2p.table.events import TableChanged
from kimberley.p2p.table.guest_lobby import GuestLobby, known_game
from kimberley.p2p.table.invitation import Invitation
from kimberley.p2p.table.lobby import LOST_SEAT, HostLobby, SeatStatus
from kimberley.p2p.table.match import Match
from kimberley.p2p.table.paired_lobby import PairedLobby
from kimberley.p2p.table.part import TablePart
from kimberley.p2p.table.phases import Phase
from kimberley.p2p.table.resume import RestoredSeat
from kimberley.p2p.table.seating import ANSWERING, ASKING, Person, RandomSource
from kimberley.p2p.table.terms import TableTerms, playable_numbers
from kimberley.p2p.table.votes import BallotBox, Votes
from kimberley.p2p.table.words import WordsVerification
from kimberley.p2p.transport.address import with_scope_of
from kimberley.p2p.transport.channel import Channel
from kimberley.p2p.transport.frames import Frame
from kimberley.p2p.transport.handshake import refusal_frame
from kimberley.p2p.transport.link import Dial, Link
from kimberley.protocol.roster import SignedRoster

READY: Final = "ready"

BEGUN: Final = "The game at this table has already begun."
OWN_SEAT: Final = "You have a seat in this game. To return to it, resume the game."
OVER: Final = "The game at this table is over. Ask the host for another one."
STARTED_OVER: Final = "The host started over after the words were shown. Do not play there."
WORDS_SECONDS: Final = 300.0  # SPEC: comparing
"""Time for a seat to say that the words are the same, if the host has said so by then."""
SLOW_WORDS: Final = "you did not compare the words in time"


class SeatsCallbacks(Protocol):
    """What the seats call when the table has to change."""

    def on_roster_signed(self, signed: SignedRoster, seed: bytes) -> None:
        """Called when all have signed the roster, and all nonces are open. `seed` is this seat's own."""

    def open_again(self) -> None:
        """Opens the table again after a game."""

    def break_off(self) -> None:
        """Goes back to the open table, if it is not open: its game does not begin, since a seat is gone."""

    def new_link(self, identity: bytes, nickname: str, redial: Dial | None, channel: Channel | None = None) -> Link:
        """Returns a link to a seat, or to a newcomer."""


class Seats(TablePart):
    """The lobby of a table, and what happens at the table because of it."""

    def __init__(
        self,
        table: TableContext,
        words: WordsVerification,
        votes: Votes,
        callbacks: SeatsCallbacks,
        invitation: Invitation | None,
    ) -> None:
        votes.ask(READY, BallotBox(self._take_ready))
        self.frames = {
            **dict.fromkeys(("sit", "queue"), self._on_guest_frame),
            "table": self._on_table,
            **dict.fromkeys(ANSWERING, self._on_lobby_frame),
            **dict.fromkeys(ASKING, self._on_asking),
        }
        self._table = table
        self._words = words
        self._callbacks = callbacks
        self._invitation = invitation
        self.find: Callable[[str], Game] = self._find_current
        """Returns the game of an id that a host may choose for this seat, or raises LookupError. Without a person it
        plays one game only.
        """
        self._in_game: tuple[Link, Frame] | None = None
        """The last `table` that came in the current phase of a game."""

    # -- taking a seat -------------------------------------------------------------------------------------------------

    def open(self, nickname: str, terms: TableTerms, draw: RandomSource) -> HostLobby:
        """Opens the lobby of the first seat, at a table with these terms. Raises UserError."""
        table = self._table
        lobby = HostLobby(
            table.identity,
            nickname_from(nickname),
            terms,
            playable_numbers(table.game, terms),
            self._callbacks.on_roster_signed,
            self.on_people_changed,
        )
        lobby.draw = draw
        lobby.is_known = self._is_known
        self._use(lobby)
        return lobby

    def join(self, terms: TableTerms, draw: RandomSource) -> GuestLobby:
        """Joins the lobby of a table with these terms; this seat is not taken yet. Raises UserError."""
        lobby = self._guest_lobby(terms, ())
        lobby.draw = draw
        self._use(lobby)
        return lobby

    def pair(self, people: Sequence[Person], say: Callable[[Frame], None], draw: RandomSource) -> PairedLobby:
        """Opens the lobby of people whom the referee has paired; `say` sends it this seat's part in the round. Raises
        UserError.
        """
        assert self._invitation is not None
        lobby = self._paired_lobby(self._invitation.terms, people, say)
        lobby.draw = draw
        self._table.host_key = people[0][0]
        self._use(lobby)
        self._words.judge_keys()
        return lobby

    def link_host(self, channel: Channel, where: tuple[str, int] | None) -> None:
        """Links this seat to the host that has given it a place, over this channel. `where` is how to reach the host
        again; None if nowhere.
        """
        table, lobby = self._table, self._table.lobby
        assert isinstance(lobby, GuestLobby)
        redial = None
        if where is not None:
            table.mesh.add_addresses({channel.peer: where})
            redial = table.mesh.dialer(channel.peer)
        nickname = dict(lobby.people).get(channel.peer, "the host")
        lobby.host = self._callbacks.new_link(channel.peer, nickname, redial, channel)
        table.links[channel.peer] = lobby.host
        self.on_people_changed()

    def restore(self, restored: RestoredSeat) -> None:
        """Restores the lobby as it was when the roster was signed. Raises UserError."""
        table, roster, places = self._table, restored.contents.table.roster, restored.places
        terms = TableTerms(roster.game, roster.rules, roster.options, places.seats)
        people = tuple((place.identity, place.nickname) for place in roster.seats)
        lobby: HostLobby | GuestLobby | PairedLobby
        if self._invitation is not None:
            lobby = self._paired_lobby(terms, people, lambda _frame: None)
        elif table.host:
            lobby = HostLobby(
                table.identity,
                people[0][1],
                terms,
                playable_numbers(table.game, terms),
                self._callbacks.on_roster_signed,
                self.on_people_changed,
            )
            lobby.people = people
            lobby.is_known = self._is_known
        else:
            lobby = self._guest_lobby(terms, people)
        lobby.sitting = tuple(
            SeatStatus(True, key in places.bots, *places.doors.get(key, ("", 0))) for key, _ in people
        )
        lobby.set_round(places.round)
        self._use(lobby)

    def restore_links(self) -> None:
        """Restores the links to all seats of a resumed game."""
        table, lobby = self._table, self._table.lobby
        if isinstance(lobby, HostLobby):
            lobby.links = dict(table.links)
        elif isinstance(lobby, GuestLobby):
            lobby.host = table.links[table.host_key]

    def _paired_lobby(self, terms: TableTerms, people: Sequence[Person], say: Callable[[Frame], None]) -> PairedLobby:
        """Raises UserError."""
        table = self._table
        playable_numbers(table.game, terms)
        return PairedLobby(
            table.identity,
            terms,
            people,
            self._callbacks.on_roster_signed,
            self.on_people_changed,
            table.fail,
            say,
        )

    def _guest_lobby(self, terms: TableTerms, people: Sequence[tuple[bytes, str]]) -> GuestLobby:
        """Raises UserError."""
        table = self._table
        return GuestLobby(
            table.identity,
            terms,
            self._known_numbers,
            people,
            self._callbacks.on_roster_signed,
            self.on_people_changed,
            table.bar,
        )

    def _find_current(self, name: str) -> Game:
        if name != self._table.game.id:
            raise LookupError(name)
        return self._table.game

    def _known_numbers(self, terms: TableTerms) -> tuple[int, ...]:
        """Takes over the game of terms that a host announces. Returns how many may play. Raises UserError."""
        game = known_game(self.find, terms)
        numbers = playable_numbers(game, terms)
        self._table.game = game
        return numbers

    def _use(self, lobby: HostLobby | GuestLobby | PairedLobby) -> None:
        self._table.occupants.lobby = lobby

    # -- before the game -----------------------------------------------------------------------------------------------

    def ready(self, yes: bool) -> None:
        """Says whether this player is ready to begin."""
        table, lobby = self._table, self._table.lobby
        if not table.at.is_open or table.left:
            return
        if isinstance(lobby, HostLobby):
            lobby.ready(table.identity.public, yes)
        elif isinstance(lobby, GuestLobby) and lobby.host is not None:
            lobby.host.send(("vote", READY, yes))

    def free(self, link: Link, last: Frame) -> None:
        """Ends the link of a seat, which is free from now on; the words no longer count."""
        lobby = self._table.lobby
        assert isinstance(lobby, HostLobby)
        self._table.mesh.end_link(link, last)
        self._callbacks.break_off()
        lobby.on_link_lost(link)

    def phase_changed(self, phase: Phase) -> None:
        lobby = self._table.lobby
        if not isinstance(lobby, HostLobby):
            waits, self._in_game = self._in_game, None
            if waits is not None and phase.is_over:
                self._on_lobby_frame(*waits)
            return
        lobby.is_open = phase.is_open
        lobby.waiting.give_seats()
        if phase.plays:
            lobby.waiting.turn_all_away(BEGUN)
        elif (match := phase.compared) is not None:
            self._await_words(match)

    def _await_words(self, match: Match) -> None:
        asyncio.get_running_loop().call_later(WORDS_SECONDS, self._on_words_timeout, match)

    def _on_words_timeout(self, match: Match) -> None:
        """Takes away the seats of those who have not compared the words of this match, although the host has."""
        table, lobby = self._table, self._table.lobby
        if table.compared is not match or not isinstance(lobby, HostLobby):
            return
        agreed = dict(zip((key for key, _ in lobby.people), self._words.agreed, strict=True))
        late = [link for key, link in lobby.links.items() if not agreed[key] and not link.local]
        if not agreed[table.identity.public] or not late:
            self._await_words(match)
            return
        for link in late:
            lobby.hold_ups.count(link)
            self.free(link, refusal_frame(LOST_SEAT.format(SLOW_WORDS)))

    def _is_known(self, identity: bytes, nickname: str) -> bool:
        return self._table.trust.trust_level(identity, nickname) == "met"

    def on_channel(self, channel: Channel) -> bool:
        table, lobby = self._table, self._table.lobby
        match channel.purpose:
            case ("seat",) if isinstance(lobby, HostLobby) and not table.left and self._is_open_to(channel.peer):
                former = table.links.get(channel.peer)
                if not table.at.before_game:
                    self._give_up_game(lobby)
                elif former is not None and not former.connected:
                    # It was at the words, and asks for a seat instead: the game did not begin there.
                    self.on_lost(former, "")
                lobby.admit(self._callbacks.new_link(channel.peer, "somebody", None, channel))
            case ("seat",) if table.host:
                link, seat = table.links.get(channel.peer), table.occupants.seat_of(channel.peer)
                away = table.at.plays and link is not None and not link.connected and seat not in table.gone_seats
                table.refuse(channel, OVER if table.at.is_over else OWN_SEAT if away else BEGUN)
            case _:
                return False
        return True

    def _is_open_to(self, peer: bytes) -> bool:
        """Returns whether the host's table is open, or may be again: words are compared; or this host has resumed a
        game that it has not begun, and a seat of that game asks for another seat, so it did not begin there either.
        """
        table = self._table
        unbegun = table.at.plays and table.match.catch_up.unbegun
        alone = not any(link.connected for link in table.links.values())
        return table.at.before_game or (unbegun and alone and peer in table.links)

    def _give_up_game(self, lobby: HostLobby) -> None:
        """Opens the table again in place of a game that has not begun."""
        links = list(self._table.links.values())
        self._callbacks.break_off()
        for link in links:
            self._table.mesh.end_link(link)
            lobby.on_link_lost(link)

    def on_people_changed(self) -> None:
        """Called when the players, or what is known of them, have changed."""
        table, lobby = self._table, self._table.lobby
        if isinstance(lobby, HostLobby):
            table.mesh.links = dict(lobby.links)
            if table.endpoint is not None:
                table.endpoint.update_card()
        else:
            far = read_code(table.host_address) is not None
            if (match := table.compared) is not None and match.people != lobby.people:
                self._callbacks.break_off()
            elif table.at.is_over and not all(one.ready for one in lobby.sitting):
                self._callbacks.open_again()
            # Addresses near a host who is far away lead nowhere from here: the host relays.
            table.mesh.add_addresses(
                {
                    key: (with_scope_of(sitting.address or table.host_address, table.host_address), sitting.port)
                    for (key, _), sitting in zip(lobby.people, lobby.sitting, strict=True)
                    if sitting.port and key not in (table.host_key, table.identity.public) and not far
                }
            )
        for key, name in lobby.people:
            if key in table.links:
                table.links[key].nickname = name
        self._words.judge_keys()
        table.publish(TableChanged("people"))
        full = len(lobby.people) == table.occupants.seats
        if table.headless and not table.occupants.readiness[table.occupants.seat] and (full or not table.host):
            self.ready(True)

    def on_lost(self, link: Link, problem: str) -> None:
        """Called when a seat, or a newcomer, is gone before the game began."""
        table, lobby = self._table, self._table.lobby
        seated = link.identity in table.links
        if isinstance(lobby, PairedLobby):
            link.mark_lost()
            return
        if isinstance(lobby, GuestLobby):
            if link is lobby.host:
                if not table.at.is_open:
                    table.trust.count_aborted()
                table.fail(problem)
            return
        table.mesh.end_link(link)
        if seated:
            self._callbacks.break_off()
        lobby.on_link_lost(link)

    def drop(self, link: Link) -> None:
        """Ends the link to a seat that has left: it will not play another game either."""
        self._table.mesh.end_link(link)
        if isinstance(self._table.lobby, HostLobby):
            self._table.lobby.links.pop(link.identity, None)

    # -- frames --------------------------------------------------------------------------------------------------------

    def _on_lobby_frame(self, link: Link, frame: Frame) -> bool:
        return self._table.lobby.on_frame(link, frame)

    def _take_ready(self, link: Link, ballot: Plain) -> bool:
        # Later it would begin a round in the middle of a game.
        return not self._table.at.is_open or self._on_lobby_frame(link, ("vote", READY, ballot))

    def _on_guest_frame(self, link: Link, frame: Frame) -> bool:
        # While words are compared, others may come and wait.
        at = self._table.at
        waits = at.before_game and link.identity not in self._table.links
        return not (waits or at.is_open) or self._on_lobby_frame(link, frame)

    def _on_table(self, link: Link, frame: Frame) -> bool:
        if self._table.played is None:
            return self._on_lobby_frame(link, frame)
        # The host may have closed the game already, and opened the table again.
        self._in_game = link, frame
        return True

    def _on_asking(self, link: Link, frame: Frame) -> bool:
        table = self._table
        if not table.policy.players_end_game:
            # Here the referee asks.
            return True
        if frame[0] == ASKING[0] and not table.at.between_games and not table.host:
            table.trust.count_aborted()
            table.bar(STARTED_OVER)
            return True
        return self._on_lobby_frame(link, frame)
