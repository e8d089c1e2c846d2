"""Files on Windows, and where files have no links: what is written is what is read, and nobody waits for a reader."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from kimberley.p2p.storage.archive import save_record, slug
from kimberley.p2p.storage.files import BusyError, StorageError, create, make_folder, remove, replace
from kimberley.p2p.storage.identity import Identity, KnownKeys
from kimberley.p2p.storage.journal import Journal, in_use, read_journal
from tests.p2p.storage.test_journal import SEEDS, table
from tests.support.effort import spread
from tests.support.windows import on_windows

BYTES = bytes(range(256)) + b"\r\n\n\x1a\n"


@pytest.fixture
def _windows() -> Iterator[None]:
    with on_windows():
        yield


@pytest.mark.usefixtures("_windows")
def test_windows_keeps_every_byte_of_a_file(tmp_path: Path) -> None:
    assert create(tmp_path / "made", BYTES)
    assert not create(tmp_path / "made", b"other")
    replace(tmp_path / "replaced", b"old")
    replace(tmp_path / "replaced", BYTES)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"made": BYTES, "replaced": BYTES}


@pytest.mark.usefixtures("_windows")
@pytest.mark.parametrize(
    "name", spread(4, ["CON", "nul", "Aux.", "COM1", "lpt²", "...", "a:b", "con.txt", 'x<y>|"?*', r"C:\ana", "ana. "])
)
def test_a_name_becomes_one_that_windows_takes(name: str, tmp_path: Path) -> None:
    record = save_record(tmp_path, [name, name], b"record")
    assert record.read_bytes() == b"record"
    cup = make_folder(tmp_path / slug(name)) / f"{slug(name)}.cup"
    assert create(cup, b"cup")
    assert cup.read_bytes() == b"cup"


@pytest.mark.usefixtures("_windows")
def test_windows_knows_its_own_identity_at_the_second_start(tmp_path: Path) -> None:
    first = Identity.load_or_create(tmp_path)
    assert Identity.load_or_create(tmp_path) == first
    KnownKeys(tmp_path).remember({first.public: "Ana"}, verified=True)
    assert KnownKeys(tmp_path).status_of("Ana", first.public) == "met"


@pytest.mark.usefixtures("_windows")
def test_windows_reads_a_journal_in_play_and_keeps_a_second_player_out(tmp_path: Path) -> None:
    with contextlib.closing(Journal.create(tmp_path, table(), 0, SEEDS[0])) as journal:
        journal.write([("heard", bytes(32), "hello\n")], sync=True)
        assert read_journal(journal.path).entries == (("heard", bytes(32), "hello\n"),)
        assert in_use(journal.path)
        with pytest.raises(BusyError, match="already being played"):
            Journal.resume(journal.path)
        journal.write([("resigned",)], sync=True)
    resumed, contents = Journal.resume(journal.path)
    assert contents.entries == (("heard", bytes(32), "hello\n"), ("resigned",))
    resumed.remove()
    assert not journal.path.exists()


@pytest.mark.usefixtures("_windows")
def test_windows_waits_for_a_reader_before_it_replaces_and_deletes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "read"
    replace(path, b"old")
    with path.open("rb") as reader:
        monkeypatch.setattr(time, "sleep", lambda seconds: reader.close())
        replace(path, b"new")
    with path.open("rb") as second_reader:
        monkeypatch.setattr(time, "sleep", lambda seconds: second_reader.close())
        remove(path)
    remove(path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.usefixtures("_windows")
def test_windows_says_so_if_a_reader_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "sleep", lambda seconds: None)
    path = tmp_path / "read"
    replace(path, b"old")
    with path.open("rb") as reader:
        with pytest.raises(StorageError, match="cannot be deleted"):
            remove(path)
        with pytest.raises(StorageError, match="cannot be written"):
            replace(path, b"new")
        assert reader.read() == b"old"


@pytest.mark.parametrize("missing", [True, False])
def test_where_files_have_no_links_a_file_is_made_once_too(
    missing: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def forbidden(*_: object) -> None:
        raise PermissionError("no links on FAT")

    if missing:
        monkeypatch.delattr(os, "link")
    else:
        monkeypatch.setattr(os, "link", forbidden)
    first = Identity.load_or_create(tmp_path)
    assert Identity.load_or_create(tmp_path) == first
    assert not create(tmp_path / "identity", b"other")
    assert [path.name for path in tmp_path.iterdir()] == ["identity"]
