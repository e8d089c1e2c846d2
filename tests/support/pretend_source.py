"""A tournament for tests of the web page: real signed events, real running games, a clock that stands still."""

from __future__ import annotations

import shutil
import weakref
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from tempfile import mkdtemp

from kimberley.games import lookup
from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.table.spectated_game import SpectatedGame
from kimberley.p2p.tournament.clock import TableClocks
from kimberley.p2p.tournament.events import (
    PLAYED,
    TIME,
    GameSeated,
    LotsDrawn,
    PlayerEnrolled,
    RoundPaired,
    TableDecided,
    TournamentEvent,
    decide,
    record_digest,
)
from kimberley.p2p.tournament.settings import TimeControl, TournamentSettings
from kimberley.p2p.tournament.tournament import Tournament
from kimberley.referee.table_wait import TableWait
from tests.support.tables import at_once, seated
from tests.support.tables import by_bots as bots

NAMES = ("Ana", "Ben", "Chloé", "Dmitri", "Eva <b>", "Farid", "Gita", "Hugo", "Ida")
SEED = bytes(range(32))
REFEREE = bytes(32)
LATER = 1_795_000_000
NOW = 1000.0


@dataclass
class PretendSource:
    """Implements `referee.pages.tournament_source.TournamentSource` from a list of events."""

    settings: TournamentSettings
    referee: Identity
    tournament: Tournament
    views: dict[tuple[int, int], SpectatedGame] = field(default_factory=dict)
    timed: dict[tuple[int, int], TableClocks] = field(default_factory=dict)
    waits: dict[tuple[int, int], TableWait] = field(default_factory=dict)
    records: dict[bytes, bytes] = field(default_factory=dict)
    here: frozenset[bytes] = frozenset()
    seconds: float = NOW
    join: str = "192.168.1.7:47310"
    seats: tuple[int, str] | None = None
    next_round_at: float | None = None
    exported: Path | None = None
    events: list[TournamentEvent] = field(default_factory=list)
    store: Callable[[TournamentEvent, bytes | None], object] = lambda event, record: None
    """Called with every further event."""

    @classmethod
    def open(
        cls,
        game: str = "diamond-trust",
        seats: int = 2,
        format: str = "swiss",
        rounds: int = 3,
        names: Sequence[str] = NAMES,
        clock: TimeControl | None = TimeControl(1200, 10),  # noqa: B008
        options: Mapping[str, int] | None = None,
        minutes: int = 0,
        boards: int = 0,
    ) -> PretendSource:
        """Returns a tournament in which all have enrolled and the lots are drawn."""
        referee = Identity.of(REFEREE)
        played = lookup.find(game)
        settings = TournamentSettings.of(
            referee.public,
            "Friday Cup",
            game=game,
            rules=played.revision,
            options=options or {},
            format=format,
            rounds=rounds,
            seats=seats,
            allowed=played.seats,
            clock=clock,
            seed=SEED,
            minutes=minutes,
            boards=boards,
        )
        people = [bytes([number + 1]) * 32 for number in range(len(names))]
        source = cls(settings, referee, Tournament(settings), here=frozenset(people))
        for name, identity in zip(names, people, strict=True):
            source.add(PlayerEnrolled(LATER, identity, name))
        source.add(LotsDrawn(LATER, SEED))
        return source

    def add(self, event: TournamentEvent, record: bytes | None = None) -> None:
        self.tournament = self.tournament.after(event)
        self.events.append(event)
        self.store(event, record)

    def pair(self, begun: int | None = None) -> RoundPaired:
        """Begins the next round, and the games of its first `begun` tables; by default of all."""
        paired = self.tournament.proceed(LATER)
        assert isinstance(paired, RoundPaired)
        self.add(paired)
        for table, people in enumerate(paired.tables[:begun]):
            clocks = TableClocks.of(len(people), self.settings.clock).turn(self.seconds - 312.4, frozenset({0}))
            self.timed[paired.round, table] = clocks
            game, ready = bytes([paired.round, table]) * 16, (bytes(64),) * len(people)
            self.add(GameSeated(LATER, paired.round, table, game, ready))
        return paired

    def names(self, round_: int, table: int) -> tuple[str, ...]:
        """Returns the players of a table, by seat."""
        return tuple(map(self.tournament.name, self.tournament.rounds[round_ - 1].tables[table].seats))

    def play(self, round_: int, table: int, steps: int, *, by_bots: bool = False) -> None:
        """Puts a real game at a table, some steps after its start."""
        names = self.names(round_, table)
        self.views[round_, table] = begun(self.settings.game, names, table, steps, by_bots=by_bots)

    def decide(
        self,
        round_: int,
        table: int,
        places: Sequence[int],
        how: str = PLAYED,
        sentence: str = "",
        record: bytes | None = None,
    ) -> TableDecided:
        """Decides a table. Placeholder bytes stand for the record if none is given."""
        people = self.tournament.rounds[round_ - 1].tables[table].seats
        record = record or f"record {round_} {table}".encode()
        self.records[record_digest(record)] = record
        decided = decide(
            self.referee,
            self.settings,
            people,
            at=LATER,
            round=round_,
            table=table,
            places=places,
            how=how,
            sentence=sentence or "Played to its end, and proven fair.",
            game=bytes([round_, table]) * 16,
            record=record,
        )
        self.add(decided, record)
        self.timed[round_, table] = self.timed[round_, table].paused(self.seconds)
        return decided

    # -- TournamentSource ----------------------------------------------------------------------------------------------

    @property
    def count(self) -> int:
        return len(self.events)

    @property
    def moment(self) -> Hashable:
        return self.here, len(self.views), tuple(self.timed.values()), self.next_round_at, self.seats

    @cached_property
    def reviews(self) -> Path:
        """A folder of this source alone, for as long as it is used."""
        folder = mkdtemp()
        weakref.finalize(self, shutil.rmtree, folder)
        return Path(folder)

    def bundle(self) -> Path | None:
        return self.exported

    def now(self) -> float:
        return self.seconds

    async def catch_up(self, round_: int, table: int) -> None:
        """Does nothing: the views are always up to date."""

    def view(self, round_: int, table: int) -> SpectatedGame | None:
        return self.views.get((round_, table))

    def clocks(self, round_: int, table: int) -> TableClocks | None:
        return self.timed.get((round_, table))

    def wait(self, round_: int, table: int) -> TableWait | None:
        return self.waits.get((round_, table))

    def record(self, digest: bytes) -> bytes | None:
        return self.records.get(digest)


@cache
def begun(game: str, names: tuple[str, ...], salt: int, steps: int, *, by_bots: bool = False) -> SpectatedGame:
    """Returns what a spectator knows about a real game between these players, some steps after its start: they play at
    once, or are bots that think.
    """
    rules = lookup.find(game)
    choosers = (bots if by_bots else at_once)(rules, len(names), salt=salt)
    wire = seated(rules, len(names), str(salt), choosers, names=names)
    spectator = wire.peers[-1]
    wire.run(lambda: len(spectator.story) >= steps)
    return spectator


@cache
def played(game: str, names: tuple[str, ...], salt: int = 0, *, by_bots: bool = False) -> bytes:
    """Returns the record of a real game between these players, played to its end: at once, or by bots that think."""
    rules = lookup.find(game)
    choosers = (bots if by_bots else at_once)(rules, len(names), salt=salt)
    wire = seated(rules, len(names), str(salt), choosers, names=names)
    wire.run()
    return wire.peers[-1].record().pack()


@cache
def stopped(game: str, names: tuple[str, ...], steps: int) -> bytes:
    """Returns the record of a real game between these players that stopped some steps after its start."""
    rules = lookup.find(game)
    wire = seated(rules, len(names), "0", at_once(rules, len(names), salt=0), names=names)
    spectator = wire.peers[-1]
    wire.run(lambda: len(spectator.story) >= steps)
    return spectator.record().pack()


def over(game: str, record: bytes | None = None) -> PretendSource:
    """Returns a tournament of four with one table over: with this record, or that of a real game."""
    source = PretendSource.open(game, names=NAMES[:4])
    source.pair()
    source.decide(1, 0, (1, 2), record=played(game, source.names(1, 0)) if record is None else record)
    source.decide(1, 1, (1, 2))
    return source


def friday(game: str = "diamond-trust", seats: int = 2, steps: int = 14) -> PretendSource:
    """Returns a tournament whose first round is over, with one table decided on time, and whose second round is being
    played.
    """
    source = PretendSource.open(game, seats)
    first = source.pair()
    for table, people in enumerate(first.tables):
        if table == 1:
            name = source.tournament.name(people[0])
            lost = [0, *range(1, len(people))]
            source.decide(1, table, lost, TIME, f"{name} has used up the time (step 9: move).")
        else:
            source.decide(1, table, list(range(1, len(people) + 1)) if table else [1] * len(people))
    second = source.pair()
    for table in range(len(second.tables)):
        source.play(2, table, steps)
    source.decide(2, len(second.tables) - 1, list(range(len(second.tables[-1]), 0, -1)))
    source.here -= {second.tables[0][1]}
    return source
