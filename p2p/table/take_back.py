"""Taking a choice back, at a table whose seats are all in this program: its game is played again up to that choice.

A new Peer of each seat gets the same roster, the same seed and the same choices, so all that the seats sealed, and all
that chance gave, is what it was; what comes after has the same chance, too. The seats then sign other envelopes than
before for the same stages, which a game between people must never hold. So nothing of either course is kept: the old
journals are deleted, and the game continues without one and leaves no record (`Match.practice`).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from kimberley.games.table import Game, Plain
from kimberley.p2p.base.errors import UserError
from kimberley.p2p.base.platform import in_background
from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.storage.journal import JournalContents
from kimberley.p2p.table.context import TableContext
from kimberley.p2p.table.peer_addresses import PeerAddresses
from kimberley.p2p.table.resume import RestoredSeat
from kimberley.p2p.table.session import TableSession
from kimberley.p2p.table.table import Table
from kimberley.protocol.events import Event, Send
from kimberley.protocol.peer import Peer
from kimberley.protocol.roster import SignedRoster

CANNOT: Final = "You cannot take this choice back. To resume the game: kimberley resume."


TAKEN_BACK: Final = "Taking back a choice."


@dataclass(frozen=True, slots=True)
class PlayedSeat:
    """What decides how a seat plays: its identity, its seed, and the choices that it makes, in order."""

    identity: Identity
    seed: bytes
    choices: tuple[Plain, ...]


async def take_back(table: Table, bots: Sequence[Table], choices: int) -> list[Table]:
    """Ends a game of this program, and plays it again until the player of `table` has made this many `choices`.

    `bots` are the seats of this program's bots, which must be all others. Returns the new seats: the player's, then
    those of the bots in the same order. The game is then practice: nothing of it is kept.

    Raises:
        UserError: Somebody else could see the game, or it is over.

    """
    before = [seat.session.context for seat in (table, *bots)]
    own, matches = before[0], [each.match for each in before if each.match is not None]
    if table.port or own.phase != "playing" or len({each.seat for each in matches}) < len(own.lobby.people):
        raise UserError(CANNOT)
    for seat in (table, *bots):
        await seat.suspend(TAKEN_BACK)
    played = {
        match.seat: PlayedSeat(each.identity, match.seed, each.peer.choices if each.peer is not None else ())
        for each, match in zip(before, matches, strict=True)
    }
    played[table.seat] = replace(played[table.seat], choices=played[table.seat].choices[:choices])
    places = PeerAddresses(own.host_key, own.lobby.terms.seats, own.lobby.number, 0, {}, frozenset(own.trust.bots))
    roster, seats = matches[0].table, [played[seat] for seat in sorted(played)]
    backs = await in_background(play_again, table.game, roster, seats, places)
    for match in matches:
        match.release(kept=True)
    sessions = [_session(table.game, each) for each in before]
    neighbours = sessions[0].context.mesh.neighbours
    for session in sessions:
        session.context.mesh.neighbours = neighbours
        neighbours[session.context.identity.public] = session.context.identity, session.on_channel
    for session, match in zip(sessions, matches, strict=True):
        session.resume(backs[match.seat])
    return [type(table)(session) for session in sessions]


def _session(game: Game, former: TableContext) -> TableSession:
    """Returns a session for the same player."""
    new = TableSession(game, former.identity, former.data, host=former.host, headless=former.headless, spectators=0)
    new.context.journals, new.context.first = former.journals, former.first
    return new


def play_again(
    game: Game, table: SignedRoster, seats: Sequence[PlayedSeat], places: PeerAddresses
) -> list[RestoredSeat]:
    """Plays a game until a seat is asked that has no more `choices`. `seats` are all seats of the table, in order.

    Takes about as long as the seats took to play so far. Raises UserError.
    """
    peers = [Peer(game, table, seat, each.seed, each.identity.sign) for seat, each in enumerate(seats)]
    left = [deque(each.choices) for each in seats]
    for peer in peers:
        peer.start()
    while _deliver(peers) or _choose(peers, left):
        pass
    if any(peer.caught is not None or peer.result is not None for peer in peers):
        raise UserError(CANNOT)
    return [
        RestoredSeat(None, JournalContents(table, seat, each.seed, ()), game, peers[seat], (), (), places)
        for seat, each in enumerate(seats)
    ]


def _deliver(peers: Sequence[Peer]) -> bool:
    """Gives each seat what the others have signed. Returns whether there was anything."""
    news = [_signed(peer.take()) for peer in peers]
    for seat, envelopes in enumerate(news):
        for peer in peers:
            for envelope in envelopes if peer.seat != seat else ():
                peer.receive(envelope)
    return any(news)


def _signed(events: Sequence[Event]) -> list[bytes]:
    return [event.envelope for event in events if isinstance(event, Send)]


def _choose(peers: Sequence[Peer], left: Sequence[deque[Plain]]) -> bool:
    """Makes the next choice of each seat that is asked. Returns whether there was one."""
    asked = [seat for seat, peer in enumerate(peers) if peer.asked is not None and left[seat]]
    for seat in asked:
        peers[seat].choose(left[seat].popleft())
    return bool(asked)
