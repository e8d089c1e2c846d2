"""Journals and records on disk: whole, torn, damaged, locked, and on a full disk."""

import datetime
import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kimberley.p2p.storage import archive
from kimberley.p2p.storage.files import BusyError, StorageError
from kimberley.p2p.storage.journal import (
    MAGIC,
    DamagedJournal,
    Entry,
    Journal,
    framed,
    list_journals,
    read_journal,
    split_frames,
)
from kimberley.protocol.crypto import signatures
from kimberley.protocol.encoding import pack
from kimberley.protocol.envelope import REVISION
from kimberley.protocol.roster import Roster, RosterSeat, SignedRoster, nonce_commitment, seed_hash
from tests.support.full_disk import full_disk

SEEDS = bytes([1]) * 32, bytes([2]) * 32


def table() -> SignedRoster:
    """Returns a roster as good as any; nobody plays with it."""
    secrets = [bytes([seat]) * 32 for seat in range(2)]
    nonces = (bytes([7]) * 32, bytes([8]) * 32)
    places = tuple(
        RosterSeat(signatures.public(secret), name, nonce_commitment(nonce), seed_hash(seed))
        for secret, name, nonce, seed in zip(secrets, ("ana", "ben"), nonces, SEEDS, strict=True)
    )
    roster = Roster("stones", 1, (), places)
    signed = tuple(signatures.sign(secret, "roster", roster.packed) for secret in secrets)
    return SignedRoster(roster, signed, nonces)


TABLE = table()
BATCHES: list[list[Entry]] = [
    [("started",), ("sent", b"first" * 40)],
    [("received", b"theirs" * 30)],
    [("chose", 3, (1, None, "north", b"\x00")), ("sent", b"second" * 20)],
    [("heard", bytes(32), "well met")],
    [("resigned",), ("sent", b"last")],
]
ENTRIES = tuple(entry for batch in BATCHES for entry in batch)


def write(data: Path) -> Path:
    journal = Journal.create(data, TABLE, 1, SEEDS[1])
    for number, batch in enumerate(BATCHES):
        journal.write(batch, sync=number % 2 == 0)
    journal.close()
    return journal.path


def test_what_was_written_is_read_again(tmp_path: Path) -> None:
    path = write(tmp_path)
    contents = read_journal(path)
    assert (contents.table, contents.seat, contents.seed) == (TABLE, 1, SEEDS[1])
    assert contents.entries == ENTRIES
    assert not contents.closed
    assert list_journals(tmp_path) == [path]
    assert path.name == f"{TABLE.game_id.hex()[:16]}-2.journal"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_journal_is_continued_where_it_ended(tmp_path: Path) -> None:
    journal, contents = Journal.resume(write(tmp_path))
    assert contents.entries == ENTRIES
    journal.write([("closed", "given up")], sync=True)
    journal.close()
    assert read_journal(journal.path).entries == (*ENTRIES, ("closed", "given up"))
    assert read_journal(journal.path).closed
    journal.remove()
    assert list_journals(tmp_path) == []


def test_two_seats_of_one_table_have_two_journals_and_one_seat_only_one(tmp_path: Path) -> None:
    first = Journal.create(tmp_path, TABLE, 0, SEEDS[0])
    second = Journal.create(tmp_path, TABLE, 1, SEEDS[1])
    with pytest.raises(StorageError):
        Journal.create(tmp_path, TABLE, 0, SEEDS[0])
    first.close()
    second.close()
    assert len(list_journals(tmp_path)) == 2


def test_wherever_the_last_writing_tore_what_came_before_it_is_whole(tmp_path: Path) -> None:
    path = write(tmp_path)
    whole = path.read_bytes()
    ends = [len(MAGIC)]
    for body in split_frames(whole, path)[0]:
        ends.append(ends[-1] + 16 + len(body))
    assert ends[-1] == len(whole)
    for cut in range(len(whole)):
        frames = sum(end <= cut for end in ends) - 1
        bodies, size = split_frames(whole[:cut], path)
        assert len(bodies) == max(frames, 0)
        assert size == (ends[frames] if frames >= 0 else 0)


def test_a_game_that_another_version_saved_is_refused_and_stays_as_it_is(tmp_path: Path) -> None:
    path = write(tmp_path)
    whole = path.read_bytes()
    (header, *_), _ = split_frames(whole, path)
    of_revision = b"\xc4" + bytes([len(TABLE.roster.packed)]) + TABLE.roster.packed
    assert TABLE.roster.packed[1] == REVISION
    later = of_revision[:3] + bytes([REVISION + 1]) + of_revision[4:]
    assert header.count(of_revision) == 1
    for data in (
        MAGIC.replace(b"1", b"2") + whole[len(MAGIC) :],
        MAGIC + framed(0, header.replace(of_revision, later)),
    ):
        path.write_bytes(data)
        for reading in (read_journal, Journal.resume):
            with pytest.raises(StorageError, match=r"saved by a different version of Kimberley\. Use that version to"):
                reading(path)
        assert path.read_bytes() == data


@pytest.mark.parametrize("tail", [b"\x00" * 5000, b"\x00\x00\x00\x06\x00\x00\x00\x09torn!", bytes(range(7, 250))])
def test_a_torn_tail_is_cut_off_when_the_journal_is_continued(tmp_path: Path, tail: bytes) -> None:
    path = write(tmp_path)
    whole = path.read_bytes()
    path.write_bytes(whole + tail)
    assert read_journal(path).entries == ENTRIES
    assert path.read_bytes() == whole + tail
    journal, contents = Journal.resume(path)
    assert contents.entries == ENTRIES
    assert path.read_bytes() == whole
    journal.write([("heard", bytes(32), "back again")], sync=True)
    journal.close()
    assert read_journal(path).entries == (*ENTRIES, ("heard", bytes(32), "back again"))


@pytest.mark.slow
def test_damage_before_the_last_frame_is_refused_and_changes_nothing(tmp_path: Path) -> None:
    path = write(tmp_path)
    whole = path.read_bytes()
    last = 16 + len(split_frames(whole, path)[0][-1])
    for place in range(len(whole) - last):
        damaged = bytearray(whole)
        damaged[place] ^= 0x40
        path.write_bytes(damaged)
        with pytest.raises(DamagedJournal, match=r"Put back a copy|is not a saved game"):
            Journal.resume(path)
        assert path.read_bytes() == damaged
    path.write_bytes(whole[:200] + bytes(150) + whole[350:])
    with pytest.raises(DamagedJournal, match="is damaged at byte"):
        read_journal(path)


def test_frames_that_changed_places_are_refused(tmp_path: Path) -> None:
    path = write(tmp_path)
    whole = path.read_bytes()
    sizes = [16 + len(body) for body in split_frames(whole, path)[0]]
    head = len(MAGIC) + sizes[0]
    one, two = whole[head : head + sizes[1]], whole[head + sizes[1] : head + sizes[1] + sizes[2]]
    path.write_bytes(whole[:head] + two + one + whole[head + sizes[1] + sizes[2] :])
    with pytest.raises(DamagedJournal):
        read_journal(path)
    path.write_bytes(whole[:head] + whole[head + sizes[1] :])
    with pytest.raises(DamagedJournal):
        read_journal(path)


@pytest.mark.parametrize("content", [b"", MAGIC[:7], MAGIC])
def test_a_crash_before_the_first_frame_leaves_nothing_to_continue(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "cut.journal"
    path.write_bytes(content)
    with pytest.raises(DamagedJournal, match=r"stops before the game began\. Move it away"):
        read_journal(path)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=300))
def test_arbitrary_files_are_refused_with_a_sentence(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "some.journal"
    for data in (content, MAGIC + content):
        path.write_bytes(data)
        with pytest.raises(DamagedJournal, match=r"Move it away\."):
            read_journal(path)


def test_a_whole_frame_with_nonsense_in_it_is_refused(tmp_path: Path) -> None:
    for entries in ([("header", None, 0, b"")], [("header", TABLE.plain(), 2, SEEDS[0])], [()], [("started",)]):
        path = tmp_path / "nonsense.journal"
        path.write_bytes(MAGIC + framed(0, pack(tuple(entries))))
        with pytest.raises(DamagedJournal, match=r"cannot be read|before the game began"):
            read_journal(path)


@pytest.mark.slow
def test_one_process_at_a_time(tmp_path: Path) -> None:
    path = write(tmp_path)
    journal, _ = Journal.resume(path)
    script = (
        "import sys; from pathlib import Path\n"
        "from kimberley.p2p.storage.files import BusyError; from kimberley.p2p.storage.journal import Journal\n"
        "try: Journal.resume(Path(sys.argv[1]))\n"
        "except BusyError as error: print(error)"
    )
    command = [sys.executable, "-c", script, str(path)]
    answer = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert "this seat is already being played" in answer
    with pytest.raises(BusyError):
        Journal.resume(path)
    journal.close()
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == ""


# -- a full disk -------------------------------------------------------------------------------------------------------


@contextmanager
def small_disk(folder: Path, size: int) -> Iterator[Path]:
    """Yields a folder that holds so many bytes: a file system of its own, or, without the right to mount one, a limit
    on the size of files.
    """
    folder.mkdir()
    if os.geteuid() == 0:
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)], check=True)
        try:
            yield folder
        finally:
            subprocess.run(["umount", str(folder)], check=True)
    else:
        with full_disk(size):
            yield folder


def test_a_full_disk_is_an_error_and_what_was_written_before_is_whole(tmp_path: Path) -> None:
    with small_disk(tmp_path / "small", 64 << 10) as data:
        journal = Journal.create(data, TABLE, 0, SEEDS[0])
        written = 0

        def fill() -> None:
            nonlocal written
            while True:
                journal.write([("sent", bytes([written % 256]) * 1000)], sync=True)
                written += 1

        with pytest.raises(StorageError, match=r"The disk is full: .* Free some space and try again\."):
            fill()
        with pytest.raises(StorageError, match="The disk is full"):
            journal.write([("heard", bytes(32), "small")], sync=True)
        journal.close()
        assert written > 10
        assert len(read_journal(journal.path).entries) == written
        with pytest.raises(StorageError, match="The disk is full"):
            archive.save_record(data, ["ana", "ben"], bytes(100_000))
        assert archive.list_records(data) == []
        # With room again the same seat goes on.
        if os.geteuid() == 0:
            subprocess.run(["mount", "-o", "remount,size=1m", str(data)], check=True)
        else:
            resource = pytest.importorskip("resource")
            resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, resource.getrlimit(resource.RLIMIT_FSIZE)[1]))
        journal, contents = Journal.resume(journal.path)
        journal.write([("heard", bytes(32), "room again")], sync=True)
        journal.close()
        assert len(contents.entries) == written
        assert read_journal(journal.path).entries[-1] == ("heard", bytes(32), "room again")


def test_no_room_for_even_the_first_frame_leaves_no_journal(tmp_path: Path) -> None:
    with full_disk(100), pytest.raises(StorageError, match="The disk is full"):
        Journal.create(tmp_path, TABLE, 0, SEEDS[0])
    assert list_journals(tmp_path) == []


# -- records -----------------------------------------------------------------------------------------------------------

DAY = datetime.date(2026, 11, 20)


def test_records_are_named_for_people_and_never_overwritten(tmp_path: Path) -> None:
    first = archive.save_record(tmp_path, ["Ana", "ben"], b"one", day=DAY)
    second = archive.save_record(tmp_path, ["Ana", "ben"], b"two", day=DAY)
    again = archive.save_record(tmp_path, ["Ana", "ben"], b"one", day=DAY)
    # A seat that was restored has its record once more.
    later = archive.save_record(tmp_path, ["Ana", "ben"], b"one", day=DAY + datetime.timedelta(1))
    assert first == again == later == tmp_path / "records" / "2026-11-20-ana-ben.kdt"
    assert second.name == "2026-11-20-ana-ben-2.kdt"
    assert (first.read_bytes(), second.read_bytes()) == (b"one", b"two")
    assert {one.path for one in archive.list_records(tmp_path)} == {first, second}
    assert [one.size for one in archive.list_records(tmp_path)] == [3, 3]


def test_the_latest_record_is_listed_first(tmp_path: Path) -> None:
    paths = [archive.save_record(tmp_path, [name], name.encode(), day=DAY) for name in ("a", "b", "c")]
    for age, path in enumerate(paths):
        os.utime(path, (1000 - age, 1000 - age))
    assert [one.path for one in archive.list_records(tmp_path)] == paths
    assert archive.list_records(tmp_path / "empty") == []


@pytest.mark.parametrize(
    ("names", "stem"),
    [
        (("../../etc/passwd", "b\x00c"), "etc-passwd-b-c"),
        (("", "..."), "player-player"),
        (("Łucja Ö.", "王"), "łucja-ö-王"),
    ],
)
def test_nicknames_cannot_leave_the_folder(tmp_path: Path, names: tuple[str, str], stem: str) -> None:
    path = archive.save_record(tmp_path, names, b"record", day=DAY)
    assert path == tmp_path / "records" / f"2026-11-20-{stem}.kdt"
    assert path.read_bytes() == b"record"


def test_the_longest_nicknames_fit_into_the_name_of_a_record(tmp_path: Path) -> None:
    name = "\N{GOTHIC LETTER AHSA}" * 24
    paths = [archive.save_record(tmp_path, [name] * 6, record, day=DAY) for record in (b"one", b"two")]
    assert [path.read_bytes() for path in paths] == [b"one", b"two"]
    shown = "-".join([name[:8]] * 6)
    assert [path.name for path in paths] == [f"2026-11-20-{shown}.kdt", f"2026-11-20-{shown}-2.kdt"]


def test_a_nickname_of_24_latin_letters_is_whole_in_the_name_of_a_record(tmp_path: Path) -> None:
    assert archive.save_record(tmp_path, ["A" * 24] * 6, b"one", day=DAY).name.count("a" * 24) == 6


def test_what_a_name_gives_to_that_of_a_file_is_bounded_in_bytes() -> None:
    assert len(archive.slug("\N{GOTHIC LETTER AHSA}" * 1000).encode()) <= 200
    assert archive.slug("a" * 31 + "..." + "b", 32) == "a" * 31
