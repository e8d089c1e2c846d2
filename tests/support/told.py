"""What a referee could publish about a tournament, honest or not, with real games."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from kimberley.games.land import GAME
from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.table.terms import TableTerms
from kimberley.p2p.tournament.bundle import Ranked, ranked, signed_head
from kimberley.p2p.tournament.events import PLAYED, GameSeated, RoundPaired, TableDecided, TournamentEvent, decide
from kimberley.p2p.tournament.messages import TableId
from kimberley.p2p.tournament.players import TournamentTable
from kimberley.p2p.tournament.settings import TournamentSettings
from kimberley.p2p.tournament.tournament import Tournament
from kimberley.protocol.audit import verify
from kimberley.protocol.closing import SHOW
from kimberley.protocol.crypto import signatures
from kimberley.protocol.record import Record
from tests.support.tournaments import PEOPLE, REFEREE, Evening, same_words, seated_at, secret, settings_of

CUP = settings_of(game=GAME.id, rules=GAME.revision, rounds=2)


@dataclass
class Told:
    """The referee's data: the events of a tournament, and the record of each result that has one."""

    settings: TournamentSettings
    events: list[TournamentEvent]
    records: list[bytes]
    standings: Ranked | None = None
    referee: Identity = REFEREE
    games: dict[bytes, Record] = field(default_factory=dict)

    def copy(self) -> Told:
        return replace(self, events=list(self.events), records=list(self.records))

    def write(self, path: Path) -> Path:
        """Signs the data as it is, true or false."""
        standings = self._standings() if self.standings is None else self.standings
        sizes = tuple(map(len, self.records))
        path.write_bytes(
            signed_head(self.referee, self.settings, self.events, sizes, standings) + b"".join(self.records)
        )
        return path

    def _standings(self) -> Ranked:
        """Returns the standings; empty if the events are not a valid tournament."""
        try:
            return ranked(Tournament.fold(self.settings, self.events))
        except ValueError:
            return ()

    def index(self, kind: type[TournamentEvent], number: int = 0) -> int:
        return [at for at, event in enumerate(self.events) if isinstance(event, kind)][number]

    def result(self, number: int) -> tuple[int, TableDecided, tuple[bytes, ...]]:
        """Returns a result by its number: its index, its event, and the players of its table."""
        at = self.index(TableDecided, number)
        said = self.events[at]
        assert isinstance(said, TableDecided)
        paired = next(one for one in self.events if isinstance(one, RoundPaired) and one.round == said.round)
        return at, said, paired.tables[said.table]

    def say(self, number: int, record: Record | bytes | None = None, **changed: Any) -> Told:
        """Returns a copy with one result changed and signed, and its record replaced."""
        told = self.copy()
        if record is not None:
            told.records[number] = record if isinstance(record, bytes) else record.pack()
        told._sign(number, told.records[number], changed)
        return told

    def say_without_record(self, number: int, **changed: Any) -> Told:
        """Returns a copy with one result changed, signed and without a record."""
        told = self.copy()
        told._sign(number, None, changed)
        del told.records[number]
        return told

    def _sign(self, number: int, record: bytes | None, changed: Mapping[str, Any]) -> None:
        at, said, seats = self.result(number)
        what: dict[str, Any] = {name: getattr(said, name) for name in TableDecided.__slots__ if name != "signature"}
        self.events[at] = decide(REFEREE, self.settings, seats, **{**what, **changed, "record": record})


def honest_cup(settings: TournamentSettings = CUP, players: int = 5) -> Told:
    """Returns an honest tournament: five players, two rounds, four games, two byes."""
    records: list[bytes] = []
    games: dict[bytes, Record] = {}
    evening = Evening.of(settings, PEOPLE[:players])
    evening.write = lambda event, record: records.append(record) if record is not None else None
    while not evening.tournament.ended:
        evening.proceed()
        for table in () if evening.tournament.ended else evening.tournament.rounds[-1].open:
            record, places = game_of(evening, table)
            games[record.table.game_id] = record
            evening.say(table, places, PLAYED, record.pack())
    return Told(settings, evening.events, records, games=games)


def terms_at(settings: TournamentSettings, round: int, table: int, seats: Sequence[bytes]) -> TableTerms:
    """Returns the terms of a table of a tournament."""
    return TableId(round, table).invitation(settings, seats).terms


def game_of(evening: Evening, table: TournamentTable, terms: TableTerms | None = None) -> tuple[Record, Sequence[int]]:
    """Returns a whole game at a table of a tournament; with other `terms`, one that the referee passes off as such."""
    round = evening.tournament.rounds[-1].number
    settled = terms or terms_at(evening.tournament.settings, round, table.id, table.seats)
    wire = seated_at(GAME, settled, [PEOPLE.index(one) for one in table.seats], f"{round} {table.id}")
    wire.run()
    record = wire.peers[0].record()
    game = record.table.game_id
    evening.add(GameSeated(evening.at, round, table.id, game, same_words(table.seats, game)))
    assert wire.peers[0].result is not None
    return record, wire.peers[0].result.places


def record_of(honest: Told, number: int, change: Callable[[Record], Record]) -> Record:
    return change(honest.games[honest.result(number)[1].game or b""])


def two_faced(record: Record, seat: int) -> Record:
    """Returns a record with proof that a seat signed two envelopes with the same number."""
    first = next(envelope for envelope in record.envelopes if envelope.seat == seat)
    player = PEOPLE.index(record.table.roster.seats[seat].identity)
    other = replace(first, body=b"another").signed(partial(signatures.sign, secret(player)))
    return replace(record, evidence=(other,))


def cut_in_the_middle(record: Record) -> Record:
    return replace(record, envelopes=record.envelopes[: len(record.envelopes) // 2])


def cut_at_the_audit(record: Record, seat: int) -> Record:
    """Returns a record without what a seat should have shown for the audit, and without everything after it."""
    last = max(envelope.step for envelope in record.envelopes)
    return replace(
        record,
        envelopes=tuple(
            envelope
            for envelope in record.envelopes
            if envelope.step < last or envelope.stage < SHOW or (envelope.stage == SHOW and envelope.seat != seat)
        ),
    )


def absent_seats(record: Record) -> tuple[int, ...]:
    return verify(record.pack(), lambda _: GAME).absent
