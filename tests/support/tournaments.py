"""Whole tournaments without a network: settings, players, rounds, and games with real records."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from random import Random
from typing import Any

from kimberley.games.table import Game
from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.table.terms import TableTerms
from kimberley.p2p.tournament.events import (
    ABSENT,
    PLAYED,
    SAME,
    GameSeated,
    LotsDrawn,
    PlayerEnrolled,
    RoundPaired,
    TablesOpened,
    TournamentEnded,
    TournamentEvent,
    decide,
)
from kimberley.p2p.tournament.players import TournamentPlayer, TournamentTable
from kimberley.p2p.tournament.points import places_after_ruling
from kimberley.p2p.tournament.settings import ARENA, TimeControl, TournamentSettings
from kimberley.p2p.tournament.tournament import BETWEEN, OVER, Tournament
from kimberley.protocol.crypto import signatures
from kimberley.protocol.peer import Peer
from kimberley.protocol.roster import Roster, RosterSeat, SignedRoster, nonce_commitment, seed_hash
from tests.support.tables import Wire, at_random

SEED = hashlib.sha256(b"the lots of a cup").digest()
REFEREE = Identity.of(hashlib.sha256(b"the referee").digest())

Judge = Callable[[Tournament, TournamentTable], Sequence[int]]
"""Gives the places at a table, by seat."""


def secret(number: int) -> bytes:
    return hashlib.sha256(b"player %d" % number).digest()


def someone(number: int) -> bytes:
    """Returns the identity of a player."""
    return signatures.public(secret(number))


PEOPLE = [someone(number) for number in range(80)]
_SECRETS = {identity: secret(number) for number, identity in enumerate(PEOPLE)}


def same_words(seats: Sequence[bytes], game: bytes) -> tuple[bytes, ...]:
    """Returns the signatures of these players that the words of a game match."""
    return tuple(signatures.sign(_SECRETS[seat], SAME, game) for seat in seats)


def settings_of(format: str = "swiss", **changed: Any) -> TournamentSettings:
    """Returns the settings of a tournament with two players at a table and as many rounds as it needs. `seats` also
    allows all smaller tables.
    """
    seats = changed.get("seats", 2)
    what: dict[str, Any] = {
        "game": "some-game",
        "rules": 1,
        "options": {},
        "rounds": 0,
        "seats": seats,
        "allowed": range(2, seats + 1),
        "clock": TimeControl(1200, 10),
        "seed": SEED,
        "minutes": 3 if format == ARENA else 0,
    }
    return TournamentSettings.of(REFEREE.public, "Friday Cup", format=format, **(what | changed))


@dataclass
class Evening:
    """A tournament in progress and its events. `write` is called with each event before it counts."""

    tournament: Tournament
    write: Callable[[TournamentEvent, bytes | None], object] = lambda event, record: None
    events: list[TournamentEvent] = field(default_factory=list)
    at: int = 1_800_000_000

    @classmethod
    def of(cls, settings: TournamentSettings, people: Iterable[bytes] = ()) -> Evening:
        """Returns an evening with these players enrolled, and the lots drawn if there are any."""
        evening = cls(Tournament(settings))
        for number, identity in enumerate(people, 1):
            evening.add(PlayerEnrolled(evening.at, identity, f"player{number}"))
        if evening.events:
            evening.add(LotsDrawn(evening.at, SEED))
        return evening

    def add(self, event: TournamentEvent, record: bytes | None = None) -> None:
        after = self.tournament.after(event)
        self.write(event, record)
        self.tournament = after
        self.events.append(event)

    def proceed(self) -> RoundPaired | TablesOpened | TournamentEnded:
        self.at += 60
        event = self.tournament.proceed(self.at)
        assert event is not None
        self.add(event)
        return event

    def decide(
        self, table: TournamentTable, places: Sequence[int], how: str = PLAYED, record: bytes | None = None
    ) -> None:
        """Ends a game. If it needs a record and has none, it gets one that nobody could audit."""
        round = self.tournament.rounds[-1].number
        game = hashlib.sha256(b"game %d %d" % (round, table.id)).digest()
        if how != ABSENT and table.game is None:
            self.add(GameSeated(self.at, round, table.id, game, same_words(table.seats, game)))
        self.say(table, places, how, record or (None if how == ABSENT else b"record of " + game))

    def say(self, table: TournamentTable, places: Sequence[int], how: str, record: bytes | None) -> None:
        """Adds the result of a table whose game is known."""
        round = self.tournament.rounds[-1]
        said = decide(
            REFEREE,
            self.tournament.settings,
            table.seats,
            at=self.at,
            round=round.number,
            table=table.id,
            places=places,
            how=how,
            sentence="The game is over.",
            game=self.tournament.rounds[-1].tables[table.number].game,
            record=record,
        )
        self.add(said, record)

    def absent(self, table: TournamentTable, *seats: int) -> None:
        """Rules that nobody came to these seats."""
        self.decide(table, places_after_ruling(len(table.seats), seats, None), ABSENT)

    def round(self, judge: Judge) -> bool:
        """Plays a round, or all tables that open now. Returns False if the tournament ended instead."""
        if self.tournament.phase == BETWEEN or self.tournament.format.rolling:
            self.proceed()
        if self.tournament.phase == OVER:
            return False
        for table in self.tournament.rounds[-1].open:
            self.decide(table, judge(self.tournament, table))
        return True

    def play(self, judge: Judge) -> Tournament:
        """Plays to the end."""
        while self.round(judge):
            pass
        return self.tournament


def by_number(tournament: Tournament, table: TournamentTable) -> list[int]:
    """Ranks the player with the lower starting number first."""
    numbers = [player.number for player in map(tournament.player, table.seats) if player is not None]
    return [1 + sorted(numbers).index(number) for number in numbers]


def by_chance(rng: Random, draws: float = 0.2) -> Judge:
    """Returns random places. At the share `draws` of the tables, all tie."""

    def judge(tournament: Tournament, table: TournamentTable) -> list[int]:
        if rng.random() < draws:
            return [1] * len(table.seats)
        return rng.sample(range(1, len(table.seats) + 1), len(table.seats))

    return judge


def meetings(tournament: Tournament) -> Counter[frozenset[bytes]]:
    """Returns how often each pair of players met, except at tables where no game began."""
    return Counter(
        frozenset((one, other))
        for round in tournament.rounds
        for table in round.tables
        if table.decided is None or table.game is not None
        for one in table.seats
        for other in table.seats
        if one < other
    )


def leans(tournament: Tournament) -> Counter[bytes]:
    """Returns how many more times each player had seat 0 than another seat, except at tables where no game began."""
    surplus: Counter[bytes] = Counter()
    for round in tournament.rounds:
        for table in round.tables:
            if table.decided is None or table.game is not None:
                for seat, identity in enumerate(table.seats):
                    surplus[identity] += -1 if seat else 1
    return surplus


def byes(tournament: Tournament) -> Counter[bytes]:
    return Counter(identity for round in tournament.rounds for identity in round.byes)


def seated_at(game: Game, terms: TableTerms, players: Sequence[int], salt: str) -> Wire:
    """Returns a table that has started: its players by number, in seat order, and a spectator after them."""
    nonces = [hashlib.sha256(b"nonce %d" % player + salt.encode()).digest() for player in players]
    seeds = [hashlib.sha256(b"seed %d" % player + salt.encode()).digest() for player in players]
    places = tuple(
        RosterSeat(someone(player), f"player{player}", nonce_commitment(nonce), seed_hash(seed))
        for player, nonce, seed in zip(players, nonces, seeds, strict=True)
    )
    roster = Roster(*terms.signed, places)
    signs = [partial(signatures.sign, secret(player)) for player in players]
    table = SignedRoster(roster, tuple(map(roster.signature, signs)), tuple(nonces))
    peers = [Peer(game, table, seat, seed, sign) for seat, (seed, sign) in enumerate(zip(seeds, signs, strict=True))]
    choosers = [at_random(Random(f"{salt} {player}")) for player in players]
    wire = Wire([*peers, Peer(game, table, None)], choosers)
    wire.start()
    return wire


def called(*nicknames: str) -> list[TournamentPlayer]:
    return [TournamentPlayer(PEOPLE[number], nickname) for number, nickname in enumerate(nicknames)]


def with_key(number: int, digits: int = 4) -> str:
    return PEOPLE[number].hex()[:digits]
