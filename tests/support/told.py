"""What a referee could hand out of a cup, honest or not, with real games."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from games.land import GAME
from p2p.identity import Identity
from p2p.referee.bundle import Ranked, ranked, signed_head
from p2p.referee.cup import Cup
from p2p.referee.events import PLAYED, Decided, Event, Paired, Seated, decide
from p2p.referee.field import Table
from p2p.referee.tournament import Tournament
from p2p.referee.wire import Place
from p2p.terms import Terms
from protocol.audit import examine
from protocol.closing import SHOW
from protocol.crypto import signatures
from protocol.record import Record
from tests.support.cups import PEOPLE, REFEREE, Evening, cup_of, seated_at, secret

CUP = cup_of(game=GAME.id, rules=GAME.revision, rounds=2)


@dataclass
class Told:
    """What a referee has: the events of a cup, and the record of each result that has one."""

    cup: Cup
    events: list[Event]
    records: list[bytes]
    standings: Ranked | None = None
    referee: Identity = REFEREE
    games: dict[bytes, Record] = field(default_factory=dict)

    def copy(self) -> Told:
        return replace(self, events=list(self.events), records=list(self.records))

    def write(self, path: Path) -> Path:
        """Signs it as it is, whatever it is."""
        standings = self._standings() if self.standings is None else self.standings
        sizes = tuple(map(len, self.records))
        path.write_bytes(signed_head(self.referee, self.cup, self.events, sizes, standings) + b"".join(self.records))
        return path

    def _standings(self) -> Ranked:
        """Nobody's, where the events are no tournament."""
        try:
            return ranked(Tournament.fold(self.cup, self.events))
        except ValueError:
            return ()

    def index(self, kind: type[Event], number: int = 0) -> int:
        return [at for at, event in enumerate(self.events) if isinstance(event, kind)][number]

    def result(self, number: int) -> tuple[int, Decided, tuple[bytes, ...]]:
        """A result by its number: where it stands, what it says, and who sat there."""
        at = self.index(Decided, number)
        said = self.events[at]
        assert isinstance(said, Decided)
        paired = next(one for one in self.events if isinstance(one, Paired) and one.round == said.round)
        return at, said, paired.tables[said.table]

    def say(self, number: int, record: Record | bytes | None = None, **changed: Any) -> Told:
        """With a result that says something else, signed; and its record replaced."""
        told = self.copy()
        if record is not None:
            told.records[number] = record if isinstance(record, bytes) else record.pack()
        told._sign(number, told.records[number], changed)
        return told

    def say_without_record(self, number: int, **changed: Any) -> Told:
        """With a result that says something else and names no record, signed."""
        told = self.copy()
        told._sign(number, None, changed)
        del told.records[number]
        return told

    def _sign(self, number: int, record: bytes | None, changed: Mapping[str, Any]) -> None:
        at, said, seats = self.result(number)
        what: dict[str, Any] = {name: getattr(said, name) for name in Decided.__slots__ if name != "signature"}
        self.events[at] = decide(REFEREE, self.cup, seats, **{**what, **changed, "record": record})


def honest_cup(cup: Cup = CUP, players: int = 5) -> Told:
    """With nothing else said: five players, two rounds, four games, two byes."""
    records: list[bytes] = []
    games: dict[bytes, Record] = {}
    evening = Evening.of(cup, PEOPLE[:players])
    evening.write = lambda event, record: records.append(record) if record is not None else None
    while not evening.tournament.ended:
        evening.proceed()
        for table in () if evening.tournament.ended else evening.tournament.rounds[-1].open:
            record, places = game_of(evening, table)
            games[record.table.game_id] = record
            evening.say(table, places, PLAYED, record.pack())
    return Told(cup, evening.events, records, games=games)


def terms_at(cup: Cup, round: int, table: int, seats: Sequence[bytes]) -> Terms:
    """What is played at a table of a cup."""
    return Place(round, table).invitation(cup, seats).terms


def game_of(evening: Evening, table: Table, terms: Terms | None = None) -> tuple[Record, Sequence[int]]:
    """A whole game at a table of a cup, or one that these seats play elsewhere, and the referee takes for it."""
    round = evening.tournament.rounds[-1].number
    settled = terms or terms_at(evening.tournament.cup, round, table.number, table.seats)
    wire = seated_at(GAME, settled, [PEOPLE.index(one) for one in table.seats], f"{round} {table.number}")
    wire.run()
    record = wire.peers[0].record()
    evening.add(Seated(evening.at, round, table.number, record.table.game_id))
    assert wire.peers[0].result is not None
    return record, wire.peers[0].result.places


def record_of(honest: Told, number: int, change: Callable[[Record], Record]) -> Record:
    return change(honest.games[honest.result(number)[1].game or b""])


def two_faced(record: Record, seat: int) -> Record:
    """With proof that a seat signed two envelopes of one number."""
    first = next(envelope for envelope in record.envelopes if envelope.seat == seat)
    player = PEOPLE.index(record.table.roster.seats[seat].identity)
    other = replace(first, body=b"another").signed(partial(signatures.sign, secret(player)))
    return replace(record, evidence=(other,))


def cut_in_the_middle(record: Record) -> Record:
    return replace(record, envelopes=record.envelopes[: len(record.envelopes) // 2])


def cut_at_the_audit(record: Record, seat: int) -> Record:
    """Without what a seat should have shown for the audit, and all that came behind it."""
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
    return examine(GAME, record).absent
