"""Mutants around the wire: mdns, who watches, who comes and goes, and what a target says of itself."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any, Final

from kimberley.conformance.target import peer
from kimberley.p2p.base.errors import UserError
from kimberley.p2p.base.token_bucket import TokenBuckets
from kimberley.p2p.discovery import mdns, peer_rediscovery
from kimberley.p2p.storage import identity
from kimberley.p2p.table import (
    chat,
    guest_lobby,
    lobby,
    seating,
    spectator_client,
    spectators,
    sync,
    trust_store,
    words,
)
from kimberley.p2p.tournament import events
from kimberley.protocol import roster
from kimberley.protocol.envelope import STAGE
from kimberley.referee import attendance, membership, player_connections, readiness, rulings, server, table_observer
from tests.conformance.mutant import Mutant
from tests.support.wrong import always


def _nameless(right: Any) -> Any:
    """The profile names games, and no role."""

    async def profile(self: Any, data: Any) -> bool:
        self._emit({"event": "profile", "has": ["script"]})
        return True

    return profile


def _nobodys_turn(right: Any) -> Any:
    """Another game lets nobody begin."""
    return property(lambda self: None)


def _never_warned(right: Any) -> Any:
    """Nobody is warned of tables that were given up at the words."""
    return property(lambda self: None)


def _gives_up(right: Any) -> Any:
    """A spectator whose connection is lost watches no more."""

    async def again(self: Any) -> Any:
        self._end("Connection lost.")
        raise UserError("Connection lost.")

    return again


def _heard_by_the_host_alone(right: Any) -> Any:
    """What others say is heard, and taken for one line too many where it should be passed on."""

    def hear(self: Any, one: Any, speaker: bytes, text: str) -> bool:
        right(self, one, speaker, text)
        return False

    return hear


def _says_it_to_all(right: Any) -> Any:
    """A seat says it to all, and the host passes it on, too."""

    def send(self: Any, text: str) -> None:
        self._table.mesh.broadcast(("say", self._table.identity.public, text))

    return send


def _says_it_to_the_host(right: Any) -> Any:
    """A seat says everything to the host alone."""

    def send(self: Any, text: str) -> None:
        for link in self._table.links.values():
            if self._table.host or link.identity == self._table.host_key:
                link.send(("say", self._table.identity.public, text))

    return send


def _only_before_the_game(right: Any) -> Any:
    """The host passes on until the game begins for itself."""

    def passes_on(self: Any, one: Any) -> bool:
        return self._table.host and self._table.phase in ("open", "words")

    return passes_on


def _keeps_a_line_to_itself(right: Any) -> Any:
    """Spectators get none of what is said."""

    def say(self: Any, speaker: bytes, text: str) -> None:
        pass

    return say


def _signs_what_it_says(right: Any) -> Any:
    """A line of the chat is in the chain, too."""

    def say(self: Any, text: str) -> None:
        right(self, text)
        if self._table.phase == "playing":
            self._table.match.peer.sign_next(STAGE, text)
            self._table.match.catch_up.flush()

    return say


def _from_the_start(right: Any) -> Any:
    """A game that is shown again is another game."""

    async def begin(self: Any, plain: Any) -> None:
        self._game_id = b""
        await right(self, plain)

    return begin


def _whoever_is_there(right: Any) -> Any:
    """A spectator goes on with whoever answers where the seat was."""

    async def let_in(host: str, port: int, own: Any, seat: Any) -> Any:
        return await right(host, port, own, None)

    return let_in


def _from_now_on(right: Any) -> Any:
    """A spectator is shown what is signed from now on."""

    def on_have(self: Any, have: Any) -> None:
        begins = self.theirs is None and len(self._live) > 1
        right(self, tuple((chain.number, chain.previous) for chain in self._peer.chains) if begins else have)

    return on_have


def _shown(right: Any) -> Any:
    """The first game that a seat shows is that of the table."""

    def begin(self: Any, door: Any, plain: Any) -> None:
        if self.game_id is None:
            signed = roster.SignedRoster.read(plain)
            self.game_id = signed.game_id
            self._callbacks._tournament.on_game_started(self._callbacks, signed.game_id, (bytes(64),) * 2)
        right(self, door, plain)

    return begin


def _shows_nothing(right: Any) -> Any:
    """What a player shows on its own channel is not looked at."""
    del right

    async def on_shown(self: Any, seat: bytes, frames: Any) -> None:
        del self, seat, frames

    return on_shown


def _asked_once(right: Any) -> Any:
    """A player who is back is asked for nothing."""

    def on_arrival(self: Any, player: bytes) -> None:
        if not self._asked:
            right(self, player)

    return on_arrival


def _silent_from_the_start(right: Any) -> Any:
    """A spectator calls a seat silent whatever that seat has signed."""

    def silent(self: Any) -> Any:
        self._begun = frozenset(range(6))
        return right.fget(self)

    return property(silent)


def _one_name(right: Any) -> Any:
    """A table has one name for all runs."""
    return lambda identity: f"{mdns.instance_prefix(identity)}00000000"


def _never_anew(right: Any) -> Any:
    """What was announced at first stays."""

    async def update(self: Any, card: Any) -> None:
        pass

    return update


def _missed_for_good(right: Any) -> Any:
    """A seat that was missed once is looked for to the end."""

    def miss(self: Any, identities: Any) -> None:
        if missed := tuple(identities):
            right(self, missed)

    return miss


def _all_verified(right: Any) -> Any:
    """Everybody who was met counts as somebody with whom words were compared."""
    return lambda self, people, *, verified: right(self, people, verified=True)


def _bots_by_label(right: Any) -> Any:
    """What a host calls a bot is one."""

    def standings(self: Any) -> Any:
        known = right(self)
        return tuple(
            "bot" if called else one for one, called in zip(known, self._table.occupants.called_bots, strict=True)
        )

    return standings


def _met_for_good(right: Any) -> Any:
    """Whoever was agreed on here is met, whatever the nickname."""

    def standing(self: Any, key: bytes, nickname: str) -> Any:
        known = right(self, key, nickname)
        return "met" if known == "changed" and key in self._agreed else known

    return standing


def _withdraws_at_once(right: Any) -> Any:
    """A player withdraws as soon as it says so, whatever table it names."""
    return lambda self, identity, after=None: right(self, identity)


def _cardless(right: Any) -> Any:
    """The card of a cup says nothing of it."""
    return lambda self: replace(right(self), tournament=None)


def _two_points(right: Any) -> Any:
    """Everybody gets all points."""
    return lambda places: tuple(Fraction(1) for _ in places)


def _the_others(right: Any) -> Any:
    """A ruling is against the seats that it is not about."""

    def against(lost: Any, seats: int, *more: Any) -> Any:
        return right([seat for seat in range(seats) if seat not in lost], seats, *more)

    return against


def _hears_on(right: Any) -> Any:
    """A player who says something that no player says stays."""

    async def hear(self: Any, channel: Any) -> None:
        while True:
            await right(self, channel)

    return hear


AROUND: Final[dict[str, Mutant]] = {
    "targets: a profile without a role": Mutant(peer.PeerJob, "_profile", _nameless, "29-08"),
    "transport: any number of connections a second": Mutant(TokenBuckets, "try_acquire", always(True), "08-70"),
    "discovery: one name for all runs": Mutant(mdns, "instance_name", _one_name, "06-02"),
    "discovery: free seats as at first": Mutant(mdns.Announcer, "update", _never_anew, "06-01"),
    "discovery: a seat is looked for to the end": Mutant(
        peer_rediscovery.PeerRediscovery, "set_missing", _missed_for_good, "06-03"
    ),
    "people: everybody is known": Mutant(trust_store.TrustStore, "trust_level", always("met"), "09-80"),
    "people: no name is known twice": Mutant(identity.KnownKeys, "status_of", always("new"), "09-81"),
    "people: only letters of one case look alike": Mutant(
        identity, "confusable", lambda right: lambda one, other: one.lower() == other.lower(), "09-86"
    ),
    "people: tables given up are forgotten": Mutant(trust_store.TrustStore, "warning", _never_warned, "09-82"),
    "people: met is compared": Mutant(identity.KnownKeys, "remember", _all_verified, "09-83"),
    "people: bots by what the host calls them": Mutant(
        words.WordsVerification, "_trust_levels", _bots_by_label, "09-84"
    ),
    "people: met by any nickname": Mutant(trust_store.TrustStore, "trust_level", _met_for_good, "09-85"),
    "referees: a card without its cup": Mutant(server.TournamentServer, "card", _cardless, "10-86"),
    "referees: all points for everybody": Mutant(events, "points", _two_points, "10-87"),
    "referees: a loss by ruling for the other seat": Mutant(rulings, "ruling_against", _the_others, "10-88"),
    "referees: players may say anything": Mutant(
        player_connections.PlayerConnections, "_receive_all", _hears_on, "10-89"
    ),
    "chat: the host passes nothing on": Mutant(chat.TableChat, "_hear", _heard_by_the_host_alone, "10-71"),
    "chat: a joiner says it to all": Mutant(chat.TableChat, "_send", _says_it_to_all, "10-72"),
    "chat: whoever passes it on": Mutant(chat.TableChat, "_may_say", always(value=True), "10-73"),
    "chat: lines of any length": Mutant(chat, "MOST_TEXT", lambda right: 1 << 20, "10-73"),
    "chat: the host passes on in a game": Mutant(chat.TableChat, "_passes_on", always(value=True), "10-46"),
    "chat: the host passes nothing on that crosses": Mutant(
        chat.TableChat, "_passes_on", _only_before_the_game, "10-46"
    ),
    "chat: in a game, the host alone hears it": Mutant(chat.TableChat, "_send", _says_it_to_the_host, "10-72"),
    "chat: lines are signed": Mutant(chat.TableChat, "say", _signs_what_it_says, "10-45"),
    "spectators: nothing of the chat": Mutant(spectators.Spectators, "say", _keeps_a_line_to_itself, "10-48"),
    "spectators: the chat again after a lost connection": Mutant(
        spectator_client, "missed", lambda right: lambda heard, shown: shown, "10-49"
    ),
    "chat: its own player says as much as it likes": Mutant(chat, "SAY_BURST", lambda right: 1 << 20, "10-68"),
    "chat: as much as anybody likes": Mutant(chat, "HEAR_BURST", lambda right: 1 << 20, "10-74"),
    "referees: nobody is ever away": Mutant(attendance.Attendance, "away", always(frozenset()), "10-90"),
    "referees: the words are the same for whoever says so": Mutant(readiness, "holds", always(True), "10-91"),
    "referees: a game begins where one seat shows it": Mutant(table_observer.TableObserver, "_begin", _shown, "10-91"),
    "referees: who withdraws may come back at once": Mutant(membership, "return_refusal", always(None), "10-77"),
    "referees: who withdraws once its game is over goes at once": Mutant(
        server.TournamentServer, "withdraw", _withdraws_at_once, "10-67"
    ),
    "referees: only doors show a game": Mutant(table_observer.TableObserver, "on_shown", _shows_nothing, "10-78"),
    "referees: what was lost is not asked for again": Mutant(readiness.Readiness, "on_arrival", _asked_once, "10-79"),
    "spectators: a seat is silent that has signed nothing": Mutant(
        spectator_client.SpectatorClient, "silent", _silent_from_the_start, "18-42"
    ),
    "another game: it is nobody's turn to begin": Mutant(lobby.Lobby, "_begins", _nobodys_turn, "10-80"),
    "another game: no roster lets anybody begin": Mutant(lobby.Lobby, "_begins", _nobodys_turn, "10-81"),
    "another game: whoever the host has begin": Mutant(seating.SeatingParticipant, "_check", always(None), "10-82"),
    "another game: only the one that was": Mutant(guest_lobby.GuestLobby, "follow", always(False), "10-50"),
    "spectators: shown from now on": Mutant(sync.Sync, "on_have", _from_now_on, "10-83"),
    "spectators: it does not come back": Mutant(spectator_client.SpectatorClient, "_reconnect", _gives_up, "10-84"),
    "spectators: what is shown again counts again": Mutant(
        spectator_client.SpectatorClient, "begin", _from_the_start, "10-84"
    ),
    "spectators: whoever is there now will do": Mutant(
        spectator_client, "open_spectator_channel", _whoever_is_there, "10-85"
    ),
}
