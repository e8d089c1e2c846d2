"""A cup on disk: whatever ends its referee, and wherever, the same cup goes on."""

from __future__ import annotations

import contextlib
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath, PureWindowsPath
from random import Random
from typing import Any

import pytest

from kimberley.p2p.storage.files import BusyError, StorageError
from kimberley.p2p.tournament.clock import TableClocks
from kimberley.p2p.tournament.events import LotsDrawn, PlayerEnrolled, TournamentEvent
from kimberley.p2p.tournament.players import TournamentTable
from kimberley.p2p.tournament.settings import (
    ARENA,
    CURRENT_PAIRING,
    FORMATS,
    KNOCKOUT,
    TimeControl,
    TournamentSettings,
)
from kimberley.p2p.tournament.standings import StandingsRow
from kimberley.p2p.tournament.tournament import ENROLLING, Tournament
from kimberley.protocol.encoding import pack
from kimberley.referee.store import APPLICATION, FILE, FORMAT, Store, StoreReader, database_uri
from tests.support.effort import first_is_quick
from tests.support.tournaments import PEOPLE, SEED, Evening, Judge, by_chance, by_number, settings_of


class Stopped(BaseException):
    """The process has ended here."""


class Mortal:
    """A connection whose process ends just before its statement number `last`, from 0 on."""

    def __init__(self, connection: sqlite3.Connection, last: int) -> None:
        self.connection = connection
        self.left = last

    def execute(self, statement: str, values: tuple[Any, ...] = ()) -> sqlite3.Cursor:
        if self.left == 0 or (statement == "ROLLBACK" and self.left < 0):
            self.left = -1
            raise Stopped
        self.left -= 1
        return self.connection.execute(statement, values)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.connection, name)


def written(store: Store) -> Evening:
    """Returns a cup as its store has it; what happens is written before it counts."""
    return Evening(store.tournament, write=store.add, events=store.events())


def fates(seed: int) -> Judge:
    """Returns places that follow from who sits where in which round: the same again after a crash."""

    def judge(tournament: Tournament, table: TournamentTable) -> Sequence[int]:
        return by_chance(Random(f"{seed} {len(tournament.rounds)} {table.seats}"))(tournament, table)

    return judge


def go_on(store: Store, count: int, seed: int) -> tuple[StandingsRow, ...]:
    """Does whatever is still to be done of a cup of so many players, keeping clocks as it goes."""
    evening = written(store)
    for number in range(len(evening.tournament.players), count):
        evening.add(PlayerEnrolled(1, PEOPLE[number], f"player{number}"))
    if evening.tournament.phase == ENROLLING:
        evening.add(LotsDrawn(2, store.seed))
    while evening.round(fates(seed)):
        latest = evening.tournament.rounds[-1]
        store.set_clocks({(latest.number, 0): TableClocks.of(2, TimeControl(60)).plain(0.0)})
    return evening.tournament.standings()


def interrupted(
    folder: Path, settings: TournamentSettings, count: int, seed: int, last: int
) -> tuple[bool, tuple[StandingsRow, ...]]:
    """Returns the standings of a cup whose referee ended before its statement number `last`; whether it got that
    far.
    """
    store = Store.create(folder, settings, SEED)
    mortal = Mortal(store.connection, last)
    store.connection = mortal  # type: ignore[assignment]
    stopped = False
    try:
        go_on(store, count, seed)
    except Stopped:
        stopped = True
    store.close()
    with Store.open(folder) as again:
        return stopped, go_on(again, count, seed)


@pytest.mark.slow
def test_a_referee_that_ends_between_any_two_statements_goes_on_to_the_same_standings(tmp_path: Path) -> None:
    settings = settings_of()
    with Store.create(tmp_path / "whole", settings, SEED) as store:
        wanted = go_on(store, 3, seed=5)
    last, stopped = 0, True
    while stopped:
        stopped, found = interrupted(tmp_path / str(last), settings, 3, 5, last)
        assert found == wanted, f"stopped before statement {last}"
        last += 1
    assert last > 30


@pytest.mark.parametrize("format", first_is_quick(*(one for one in FORMATS if one != ARENA)))
def test_so_it_is_at_any_statement_of_a_larger_cup(format: str, tmp_path: Path) -> None:
    rng = Random(format)
    rounds = 0 if format == KNOCKOUT else 3
    settings = settings_of(format, seats=3, rounds=rounds)
    with Store.create(tmp_path / "whole", settings, SEED) as store:
        wanted = go_on(store, 11, seed=6)
    for last in rng.sample(range(120), 6):
        assert interrupted(tmp_path / str(last), settings, 11, 6, last)[1] == wanted, last


KILLED = """
import sys
from pathlib import Path
from kimberley.referee.store import Store
from tests.referee.test_store import go_on
with Store.open(Path(sys.argv[1])) as store:
    go_on(store, 12, seed=7)
    sys.stdin.read()
"""


@pytest.mark.slow
def test_a_referee_that_is_killed_goes_on_to_the_same_standings(tmp_path: Path) -> None:
    settings = settings_of(rounds=6)
    with Store.create(tmp_path / "whole", settings, SEED) as store:
        wanted = go_on(store, 12, seed=7)
    Store.create(tmp_path / "killed", settings, SEED).close()
    for events in (10, 45):
        process = subprocess.Popen(
            [sys.executable, "-c", KILLED, str(tmp_path / "killed")],
            stdin=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
        )
        with process, StoreReader(tmp_path / "killed") as reader:
            while process.poll() is None and len(reader.events()) < events:
                time.sleep(0.001)
            process.kill()
            assert process.wait() == -signal.SIGKILL
    with Store.open(tmp_path / "killed") as again:
        assert go_on(again, 12, seed=7) == wanted


def test_what_was_added_is_there_again(tmp_path: Path) -> None:
    settings = settings_of(seats=4, rounds=2, options={"map": "small"})
    with Store.create(tmp_path, settings, SEED) as store:
        evening = written(store)
        for number in range(5):
            evening.add(PlayerEnrolled(1, PEOPLE[number], f"player{number}"))
        evening.add(LotsDrawn(1, SEED))
        evening.round(by_number)
        store.set_clocks({(1, 0): ((5, 6), (60, 60), 0)})
        store.set_clocks({(1, 0): ((7, 8), (60, 60), 0)})
        before = store.tournament
    with Store.open(tmp_path) as again:
        assert again.settings == settings
        assert again.seed == SEED
        assert again.tournament == before
        assert again.events() == evening.events
        assert again.clocks() == {(1, 0): ((7, 8), (60, 60), 0)}
        decided = again.tournament.rounds[0].tables[0].decided
        assert decided is not None
        assert decided.record is not None
        assert again.record(decided.record) == b"record of " + (decided.game or b"")
        assert again.record(bytes(32)) is None


def test_what_cannot_happen_is_not_written(tmp_path: Path) -> None:
    with Store.create(tmp_path, settings_of(), SEED) as store:
        store.add(PlayerEnrolled(1, PEOPLE[0], "Ana"))
        with pytest.raises(ValueError, match="already joined"):
            store.add(PlayerEnrolled(1, PEOPLE[0], "Ana"))
        assert len(store.events()) == len(store.tournament.players) == 1


def test_a_result_comes_with_its_record(tmp_path: Path) -> None:
    kept: list[tuple[TournamentEvent, bytes | None]] = []
    evening = Evening.of(settings_of(rounds=1), PEOPLE[:2])
    evening.write = lambda event, record: kept.append((event, record))
    evening.play(by_number)
    with Store.create(tmp_path, settings_of(rounds=1), SEED) as store:
        for event in evening.events[:-2]:
            store.add(event)
        for wrong in (None, b"another record"):
            with pytest.raises(ValueError, match="record that it names"):
                store.add(kept[-2][0], wrong)
        store.add(*kept[-2])
        assert store.tournament.rounds[0].open == ()


# -- readers -----------------------------------------------------------------------------------------------------------


def test_a_reader_follows_while_the_referee_writes(tmp_path: Path) -> None:
    with Store.create(tmp_path, settings_of(), SEED) as store, StoreReader(tmp_path) as reader:
        assert reader.changed()
        assert not reader.changed()
        evening = written(store)
        for number in range(4):
            evening.add(PlayerEnrolled(1, PEOPLE[number], f"player{number}"))
            assert reader.changed()
            assert not reader.changed()
            assert reader.tournament() == store.tournament
        evening.add(LotsDrawn(1, SEED))
        evening.play(by_number)
        assert reader.tournament() == store.tournament
        assert reader.tournament().ended
        assert reader.events(5) == evening.events[5:]


def test_a_reader_can_neither_write_nor_be_in_the_way(tmp_path: Path) -> None:
    with Store.create(tmp_path, settings_of(), SEED) as store, StoreReader(tmp_path) as reader:
        with pytest.raises(sqlite3.OperationalError, match="readonly"):
            reader.connection.execute("DELETE FROM events")
        reader.connection.execute("BEGIN")
        assert reader.events() == []
        store.add(PlayerEnrolled(1, PEOPLE[0], "Ana"))
        assert reader.events() == []
        reader.connection.execute("COMMIT")
        assert len(reader.events()) == 1


def test_a_cup_can_be_read_when_its_referee_is_gone(tmp_path: Path) -> None:
    with Store.create(tmp_path, settings_of(), SEED) as store:
        store.add(PlayerEnrolled(1, PEOPLE[0], "Ana"))
    with StoreReader(tmp_path) as reader:
        assert [player.nickname for player in reader.tournament().players] == ["Ana"]


# -- what goes wrong ---------------------------------------------------------------------------------------------------


def test_two_referees_do_not_write_one_cup(tmp_path: Path) -> None:
    with Store.create(tmp_path, settings_of(), SEED), pytest.raises(BusyError, match="Another program"):
        Store.open(tmp_path)
    Store.open(tmp_path).close()


def test_a_folder_holds_one_cup(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="is no tournament"):
        Store.open(tmp_path)
    with pytest.raises(StorageError, match="is no tournament"):
        StoreReader(tmp_path)
    assert not Store.exists(tmp_path)
    Store.create(tmp_path, settings_of(), SEED).close()
    assert Store.exists(tmp_path)
    with pytest.raises(StorageError, match=r"holds another tournament.*--data"):
        Store.create(tmp_path, settings_of(rounds=9), SEED)
    with pytest.raises(ValueError, match="committed"):
        Store.create(tmp_path / "other", settings_of(), bytes(32))


def test_a_cup_that_was_half_begun_begins_anew(tmp_path: Path) -> None:
    for name in (f".{FILE}.new", f".{FILE}.new-wal", f".{FILE}.new-shm"):
        (tmp_path / name).write_bytes(b"torn")
    Store.create(tmp_path, settings_of(), SEED).close()
    assert not list(tmp_path.glob(".*"))


def test_what_another_cup_left_behind_does_not_become_part_of_a_new_one(tmp_path: Path) -> None:
    with Store.create(tmp_path / "old", settings_of(), SEED) as store:
        store.add(PlayerEnrolled(1, PEOPLE[0], "Ana"))
        left = (tmp_path / "old" / f"{FILE}-wal").read_bytes()
    (tmp_path / f"{FILE}-wal").write_bytes(left)
    with pytest.raises(StorageError, match=r"cup\.sqlite-wal is part of a tournament that was moved away"):
        Store.create(tmp_path, settings_of(rounds=9), SEED)
    (tmp_path / f"{FILE}-wal").unlink()
    with Store.create(tmp_path, settings_of(rounds=9), SEED) as store:
        assert store.events() == []


def test_the_seed_of_the_lots_is_for_its_owner_alone(tmp_path: Path) -> None:
    with Store.create(tmp_path, settings_of(), SEED) as store:
        store.add(PlayerEnrolled(1, PEOPLE[0], "Ana"))
        assert {path.stat().st_mode & 0o077 for path in tmp_path.iterdir()} == {0}


def test_a_full_disk_changes_nothing_and_is_told(tmp_path: Path) -> None:
    with Store.create(tmp_path, settings_of(), SEED) as store:
        store.add(PlayerEnrolled(1, PEOPLE[0], "player0"))
        (pages,) = store.connection.execute("PRAGMA page_count").fetchone()
        store.connection.execute(f"PRAGMA max_page_count = {pages}")
        players = (PlayerEnrolled(1, identity, "a nickname that fills") for identity in PEOPLE[1:])
        with pytest.raises(StorageError, match=r"disk is full.*cup\.sqlite could not be written"):
            deque(map(store.add, players), maxlen=0)
        kept = len(store.tournament.players)
        assert 0 < kept < len(PEOPLE)
        assert len(store.events()) == kept
        store.connection.execute("PRAGMA max_page_count = 1000000")
        store.add(PlayerEnrolled(1, PEOPLE[kept], "with room again"))
        assert len(store.tournament.players) == kept + 1


def spoil(folder: Path, statement: str, *values: object) -> None:
    with sqlite3.connect(folder / FILE) as connection:
        connection.execute(statement, values)
    connection.close()


LATER = replace(settings_of(), pairing=CURRENT_PAIRING + 1)


@pytest.mark.parametrize(
    ("statement", "values", "sentence"),
    [
        ("DELETE FROM events WHERE number = 2", (), "event is missing"),
        ("UPDATE events SET body = ? WHERE number = 2", (b"\xc1",), "damaged"),
        ("UPDATE events SET body = 'text' WHERE number = 2", (), "damaged"),
        ("UPDATE events SET body = (SELECT body FROM events WHERE number = 1) WHERE number = 2", (), "already joined"),
        ("UPDATE cup SET body = ?", (b"\x90",), "not the settings of a tournament"),
        ("DELETE FROM cup", (), "damaged"),
        ("DROP TABLE events", (), "no such table"),
        (f"PRAGMA user_version = {FORMAT + 1}", (), "newer Kimberley"),
        ("UPDATE cup SET body = ?", (pack(LATER.plain()),), "newer Kimberley"),
        (f"PRAGMA application_id = {APPLICATION + 1}", (), "not a tournament file"),
    ],
)
def test_a_damaged_cup_is_not_gone_on_with(
    statement: str, values: tuple[object, ...], sentence: str, tmp_path: Path
) -> None:
    with Store.create(tmp_path, settings_of(), SEED) as store:
        for number in range(3):
            store.add(PlayerEnrolled(1, PEOPLE[number], f"player{number}"))
    spoil(tmp_path, statement, *values)
    with pytest.raises(StorageError, match=sentence):
        Store.open(tmp_path)
    with pytest.raises(StorageError, match=sentence):
        StoreReader(tmp_path).tournament()


@pytest.mark.parametrize("content", [b"", b"nonsense", b"SQLite format 3\x00" + bytes(200), Random(1).randbytes(8192)])
def test_a_file_that_is_no_cup_is_told_to_be_none(content: bytes, tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(content)
    with pytest.raises(StorageError, match=r"damaged|no tournament|not a tournament"):
        Store.open(tmp_path)
    with pytest.raises(StorageError, match=r"damaged|no tournament|not a tournament"):
        StoreReader(tmp_path)


@pytest.mark.parametrize(
    ("path", "uri"),
    [
        (PurePosixPath("/home/ana/a cup?/cup.db"), "file:///home/ana/a%20cup%3F/cup.db"),
        (PureWindowsPath("C:\\Users\\Ana\\cup.db"), "file:///C:/Users/Ana/cup.db"),
        (PureWindowsPath("\\\\server\\share\\cup.db"), "file:////server/share/cup.db"),
    ],
)
def test_sqlite_gets_a_path_and_never_a_machine(path: PurePosixPath | PureWindowsPath, uri: str) -> None:
    assert database_uri(path) == uri


def test_sqlite_opens_a_path_that_begins_like_a_share(tmp_path: Path) -> None:
    # SQLite refuses "file://server/share": that would be a machine.
    share = PurePosixPath(f"/{tmp_path}") / "cup.db"
    sqlite3.connect(database_uri(share), uri=True).close()
    assert (tmp_path / "cup.db").exists()


def test_on_macos_a_tournament_survives_a_power_loss(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    connections: list[sqlite3.Connection] = []
    connect = sqlite3.connect

    def noted(*args: Any, **values: Any) -> sqlite3.Connection:
        connections.append(connect(*args, **values))
        return connections[-1]

    monkeypatch.setattr(sqlite3, "connect", noted)
    with contextlib.closing(Store.create(tmp_path, settings_of(), SEED)):
        assert connections[-1].execute("PRAGMA fullfsync").fetchone() == (1,)
