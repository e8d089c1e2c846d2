"""Taking a choice back, at a table whose seats are all in this program: its game is played again up to that choice.

A new Peer of each seat gets the same roster, the same seed and the same choices, so everything that the seats sealed,
and everything that chance gave, is the same as before; what comes after is drawn from the same seeds, too. The seats
then sign other envelopes than before for the same stages, which a game between people must never hold. So nothing of
the former course is kept: its journals are deleted. The journals of the new one say that the game is practice, and so
does the name of its record (`Match.practice`).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from kimberley.games.table import Game, Plain
from kimberley.p2p.base.errors import UserError
from kimberley.p2p.base.platform import in_background
from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.storage.journal import PRACTICE, Entry, Journal, JournalContents
from kimberley.p2p.table.match import Match
from kimberley.p2p.table.peer_addresses import KIND, PeerAddresses
from kimberley.p2p.table.resume import RestoredSeat, former_bots
from kimberley.p2p.table.table import Table
from kimberley.protocol.events import Event, Send
from kimberley.protocol.peer import Peer
from kimberley.protocol.roster import SignedRoster

CANNOT: Final = "You cannot take this choice back. Resume the game to play on."


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
    those of the bots in the same order. The game is then practice.

    Raises:
        UserError: Somebody else could see the game, or it is over.

    """
    before = (table, *bots)
    matches = [seat.match for seat in before if isinstance(seat.match, Match)]
    if table.port or not table.at.plays or len({match.seat for match in matches}) < len(table.lobby.people):
        raise UserError(CANNOT)
    for seat in before:
        await seat.suspend(TAKEN_BACK)
    played = {
        match.seat: PlayedSeat(seat.identity, match.seed, seat.peer.choices if seat.peer is not None else ())
        for seat, match in zip(before, matches, strict=True)
    }
    played[table.occupants.seat] = replace(
        played[table.occupants.seat], choices=played[table.occupants.seat].choices[:choices]
    )
    places = PeerAddresses(
        table.host_key, table.lobby.terms.seats, table.lobby.number, 0, {}, frozenset(table.trust.bots)
    )
    roster, seats = matches[0].table, [played[seat] for seat in sorted(played)]
    backs = await in_background(play_again, table.game, roster, seats, places)
    if table.journals is not None:
        backs = await in_background(_keep, table.journals, matches, backs)
    tables = [_table_again(table.game, seat) for seat in before]
    neighbours = tables[0].mesh.neighbours
    for again in tables:
        again.mesh.neighbours = neighbours
        neighbours[again.identity.public] = again.identity, again.on_channel
    for again, match in zip(tables, matches, strict=True):
        again.restore(backs[match.seat])
    return tables


def _keep(journals: Path, matches: Sequence[Match], backs: Sequence[RestoredSeat]) -> list[RestoredSeat]:
    """Replaces the journals of the former course, in the order of `matches`, by those of the new one. Raises
    StorageError.
    """
    notes = {bot.identity.public: bot for bot in former_bots(journals, matches[0].game_id)}
    for match in matches:
        match.release(kept=True)
    kept = []
    for restored in backs:
        contents = restored.contents
        bot = notes.get(contents.table.roster.seats[contents.seat].identity)
        first: list[Entry] = [] if bot is None else [("bot", bot.identity.secret, bot.note)]
        journal = Journal.create(journals, contents.table, contents.seat, contents.seed)
        journal.write([*first, (KIND, *restored.places.plain()), *contents.entries], sync=True)
        kept.append(replace(restored, journal=journal))
    return kept


def _table_again(game: Game, former: Table) -> Table:
    """Returns a table for the same player."""
    new = Table(game, former.identity, former.data, host=former.host, headless=former.headless, spectators=0)
    new.journals, new.first = former.journals, former.first
    return new


def play_again(
    game: Game, table: SignedRoster, seats: Sequence[PlayedSeat], places: PeerAddresses
) -> list[RestoredSeat]:
    """Plays a game until a seat that has no `choices` left is asked. `seats` are all seats of the table, in order.

    Takes about as long as the seats took to play so far. Raises UserError.
    """
    peers = [Peer(game, table, seat, played.seed, played.identity.sign) for seat, played in enumerate(seats)]
    left = [deque(played.choices) for played in seats]
    entries: list[list[Entry]] = [[PRACTICE, ("started",)] for _ in seats]
    for peer in peers:
        peer.start()
    while _deliver(peers, entries) or _choose(peers, left, entries):
        pass
    if any(peer.caught is not None or peer.result is not None for peer in peers):
        raise UserError(CANNOT)
    return [
        RestoredSeat(
            None, JournalContents(table, seat, played.seed, tuple(entries[seat])), game, peers[seat], (), (), places
        )
        for seat, played in enumerate(seats)
    ]


def _deliver(peers: Sequence[Peer], entries: Sequence[list[Entry]]) -> bool:
    """Gives each seat what the others have signed. Returns whether there was anything. `entries` are those of the
    journals.
    """
    news = [_signed(peer.take()) for peer in peers]
    for seat, envelopes in enumerate(news):
        entries[seat] += [("sent", envelope) for envelope in envelopes]
        for other, peer in enumerate(peers):
            for envelope in envelopes if other != seat else ():
                peer.receive(envelope)
                entries[other].append(("received", envelope))
    return any(news)


def _signed(events: Sequence[Event]) -> list[bytes]:
    return [event.envelope for event in events if isinstance(event, Send)]


def _choose(peers: Sequence[Peer], left: Sequence[deque[Plain]], entries: Sequence[list[Entry]]) -> bool:
    """Makes the next choice of each seat that is asked. Returns whether there was one."""
    asked = [(seat, peer.asked) for seat, peer in enumerate(peers) if peer.asked is not None and left[seat]]
    for seat, ask in asked:
        choice = left[seat].popleft()
        peers[seat].choose(choice)
        entries[seat].append(("chose", ask.step, choice))
    return bool(asked)
