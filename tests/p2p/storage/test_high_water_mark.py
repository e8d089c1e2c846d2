"""The mark of a seat: an old copy of its journal is refused where it was played, and nothing else is."""

from __future__ import annotations

import asyncio
import errno
import os
import shutil
from pathlib import Path
from random import Random

import pytest

from kimberley.p2p.base.platform import state_folder
from kimberley.p2p.storage import high_water_mark
from kimberley.p2p.storage.files import BusyError, StorageError
from kimberley.p2p.storage.high_water_mark import StaleJournal, read_high_water_mark
from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.storage.journal import Journal, list_journals, read_journal
from kimberley.p2p.table.resume import list_resumable_games
from kimberley.p2p.table.table import Notice
from tests.attacks.on_journals import run_restored
from tests.support.asyncs import run, until
from tests.support.comeback import as_on_another_machine, back, die, to_answer
from tests.support.seated import QUICK, pair_of_tables, play
from tests.support.stones import STONES
from tests.support.tables import seed, signed_roster

TABLE = signed_roster(STONES)
SENT = [bytes([number]) * 100 for number in range(6)]


@pytest.fixture(autouse=True)
def no_marks_of_other_tests() -> None:
    as_on_another_machine()


def written(data: Path, count: int = len(SENT)) -> Path:
    """Returns the journal of a seat that has signed so many envelopes, closed."""
    journal = Journal.create(data, TABLE, 0, seed(0))
    for envelope in SENT[:count]:
        journal.write([("started",), ("sent", envelope)], sync=True)
    journal.close()
    return journal.path


def only_mark() -> Path:
    (path,) = state_folder().rglob("*.mark")
    return path


def test_an_old_copy_and_a_lying_peer_do_not_make_a_seat_sign_twice() -> None:
    outcome = run_restored()
    assert outcome.held, outcome.figure


def test_a_copy_that_lacks_an_envelope_is_refused_and_the_latest_is_not(tmp_path: Path) -> None:
    path = written(tmp_path)
    whole = path.read_bytes()
    Journal.resume(path)[0].close()
    shutil.rmtree(tmp_path / "journals")
    shorter = tmp_path / "shorter"
    as_on_another_machine()
    short = written(shorter, 5).read_bytes()
    as_on_another_machine()
    path = written(tmp_path)
    assert path.read_bytes() == whole
    path.write_bytes(short)
    with pytest.raises(StaleJournal, match=r"is an old copy: message 6, .* is missing\. Put back the latest copy and"):
        Journal.resume(path)
    path.write_bytes(whole)
    Journal.resume(path)[0].close()


def test_a_copy_with_another_envelope_in_place_of_the_last_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path)
    path.unlink()
    before = only_mark().read_bytes()
    journal = Journal.create(tmp_path, TABLE, 0, seed(0))
    for envelope in [*SENT[:-1], b"another", b"one more"]:
        journal.write([("sent", envelope)], sync=True)
    journal.close()
    only_mark().write_bytes(before)
    with pytest.raises(StaleJournal):
        Journal.resume(path)


def test_a_mark_that_is_behind_refuses_nothing_and_is_brought_up_by_the_seat(tmp_path: Path) -> None:
    """The power failed before the mark was on the disk, or the program ended between journal and mark."""

    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            await tables.seat({**QUICK, "rounds": 40})
            (path,) = list_journals(tables.ben)
            game, seat = read_journal(path).table.game_id, read_journal(path).seat
            ours = next(one for one in state_folder().rglob("*.mark") if one.name == f"{game.hex()}-{seat + 1}.mark")
            early = ours.read_bytes()
            playing = [asyncio.create_task(play(table, Random(n))) for n, table in enumerate(tables.both_tables)]
            await to_answer(tables.guest, 8)
            await die(tables.guest)
            ours.write_bytes(early)
            again = tables.follow(await back(tables.ben, STONES), "ben")
            assert read_high_water_mark(game, seat).count == len(read_journal(path).sent)
            await die(again)
            tables.host.departures.leave()
            await asyncio.gather(*playing)

    run(story())


def test_a_mark_is_not_written_before_the_journal_lasts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    journal = Journal.create(tmp_path, TABLE, 0, seed(0))
    journal.write([("sent", SENT[0])], sync=True)

    def fails(handle: int) -> None:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(os, "fdatasync" if hasattr(os, "fdatasync") else "fsync", fails)
    with pytest.raises(StorageError):
        journal.write([("sent", SENT[1])], sync=True)
    assert read_high_water_mark(TABLE.game_id, 0).count == 1
    journal.close()


@pytest.mark.parametrize("content", [b"", b"kimberley mark 1\n", bytes(97), Random(7).randbytes(97), bytes(1 << 20)])
def test_a_mark_that_is_nonsense_is_none(tmp_path: Path, content: bytes) -> None:
    path = written(tmp_path)
    only_mark().write_bytes(content)
    journal, _ = Journal.resume(path)
    journal.mark()
    assert read_high_water_mark(TABLE.game_id, 0).count == len(SENT)
    journal.close()


def test_a_mark_of_another_table_or_seat_is_none(tmp_path: Path) -> None:
    written(tmp_path)
    other = signed_roster(STONES, salt="other")
    shutil.copy(only_mark(), only_mark().with_name(f"{other.game_id.hex()}-1.mark"))
    assert read_high_water_mark(other.game_id, 0).count == 0


def test_a_journal_that_somebody_made_up_does_not_raise_the_mark(tmp_path: Path) -> None:
    path = written(tmp_path / "own", 3)
    shutil.copytree(tmp_path / "own", tmp_path / "false")
    false = tmp_path / "false" / "journals" / path.name
    journal, _ = Journal.resume(false)
    journal.write([("sent", b"made up")], sync=False)
    journal.close()
    Journal.resume(false)[0].close()
    assert read_high_water_mark(TABLE.game_id, 0).count == 3
    Journal.resume(path)[0].close()


def test_two_copies_of_a_journal_are_not_played_at_once(tmp_path: Path) -> None:
    path = written(tmp_path / "one")
    shutil.copytree(tmp_path / "one", tmp_path / "other")
    first, _ = Journal.resume(path)
    with pytest.raises(BusyError, match="from another copy of the saved game"):
        Journal.resume(tmp_path / "other" / "journals" / path.name)
    first.close()
    Journal.resume(tmp_path / "other" / "journals" / path.name)[0].close()


def test_a_game_that_is_over_is_not_played_again_from_a_backup(tmp_path: Path) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            await tables.seat()
            (path,) = list_journals(tables.ben)
            old = path.read_bytes()
            await asyncio.gather(*(play(table, Random(n)) for n, table in enumerate(tables.both_tables)))
            assert list_journals(tables.ben) == []
            path.write_bytes(old)
            (one,) = list_resumable_games(tables.ben, Identity.load_or_create(tables.ben).public)
            assert "is an old copy" in str(one.problem)
            with pytest.raises(StaleJournal):
                await back(tables.ben, STONES)

    run(story())


def test_where_no_mark_can_be_kept_the_game_goes_on_and_says_so_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "state").write_text("a file where a folder must be")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))

    async def story() -> None:
        async with pair_of_tables(tmp_path / "tables") as tables:
            await tables.seat()
            await until(lambda: any(isinstance(event, Notice) for event in tables.told["ben"]))
            await asyncio.gather(*(play(table, Random(n)) for n, table in enumerate(tables.both_tables)))
            said = [event.text for event in tables.told["ben"] if isinstance(event, Notice)]
            assert len(said) == 1
            assert "The game goes on" in said[0]
            assert tables.guest.ending.verdict is not None
            assert tables.guest.ending.verdict.code == "fair"

    run(story())


def test_a_game_in_which_nothing_was_signed_leaves_no_mark(tmp_path: Path) -> None:
    Journal.create(tmp_path, TABLE, 0, seed(0)).remove()
    assert list(state_folder().rglob("*.mark")) == []


def test_the_marks_that_were_written_longest_ago_give_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(high_water_mark, "MOST_MARKS", 8)
    folder = state_folder() / "signed"
    folder.mkdir(parents=True)
    for age in range(8):
        (folder / f"{age}.mark").write_bytes(b"")
        os.utime(folder / f"{age}.mark", (1000 - age, 1000 - age))
    written(tmp_path)
    assert len(list(folder.iterdir())) == 7
    assert not (folder / "7.mark").exists()
    assert (folder / "0.mark").exists()
