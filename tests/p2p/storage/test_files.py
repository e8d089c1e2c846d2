"""Files are read within a limit, and whatever else is in their place is refused at once."""

from __future__ import annotations

import os
import socket
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

from kimberley.p2p.storage import files
from kimberley.p2p.storage.archive import list_records, save_record
from kimberley.p2p.storage.files import StorageError, UnfitFileError, check_file, open_file, read, read_file
from kimberley.p2p.storage.journal import Journal, in_use, list_journals, read_journal

MOST: Final = 1000


def pipe(path: Path) -> None:
    os.mkfifo(path)


def unix_socket(path: Path) -> None:
    here = os.getcwd()
    os.chdir(path.parent)  # The name of a socket is short.
    try:
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(path.name)
    finally:
        os.chdir(here)


def endless(path: Path) -> None:
    path.symlink_to("/dev/zero")


def folder(path: Path) -> None:
    path.mkdir()


def loop(path: Path) -> None:
    path.symlink_to(path.name)


def link_to_a_pipe(path: Path) -> None:
    os.mkfifo(path.with_name("behind"))
    path.symlink_to("behind")


KINDS: Final = (pipe, unix_socket, endless, folder, loop, link_to_a_pipe)
needs_pipes = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")


@needs_pipes
@pytest.mark.parametrize("make", KINDS)
def test_what_is_no_file_is_refused_at_once(make: Callable[[Path], None], tmp_path: Path) -> None:
    path = tmp_path / "file"
    make(path)
    for refused in (
        lambda: read_file(path, MOST),
        lambda: check_file(path, MOST),
        lambda: os.close(open_file(path, os.O_RDONLY)),
    ):
        with pytest.raises(UnfitFileError) as caught:
            refused()
        assert caught.value.strerror in (files.NOT_A_FILE, *files.UNFIT.values())
    with pytest.raises(StorageError, match=r"could not be read: it is .*\. Move it away"):
        read(path, MOST)
    assert os.path.lexists(path)


def test_of_a_file_that_is_not_there_no_other_folder_is_advised(tmp_path: Path) -> None:
    path = tmp_path / "none.journal"
    with pytest.raises(StorageError) as raised:
        Journal.resume(path)
    assert str(raised.value) == f"{path} could not be read: there is no such file."


@needs_pipes
@pytest.mark.parametrize("make", [pipe, endless, loop, link_to_a_pipe])
def test_a_journal_that_is_no_file_is_refused_at_once(make: Callable[[Path], None], tmp_path: Path) -> None:
    path = tmp_path / "a.journal"
    make(path)
    for refused in (read_journal, Journal.resume, in_use):
        with pytest.raises(StorageError, match=r"it is .*\. Move it away"):
            refused(path)


def test_a_file_that_is_too_large_is_refused_unread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"x" * MOST)
    assert read_file(path, MOST) == b"x" * MOST
    with path.open("ab") as file:
        file.truncate(64 << 20)
    monkeypatch.setattr(os, "read", lambda *_: pytest.fail("it is read"))
    with pytest.raises(StorageError, match=rf"it is larger than {MOST} bytes\. Move it away"):
        read(path, MOST)


def test_of_a_file_that_grows_while_it_is_read_no_more_than_the_limit_is_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"x" * MOST)
    plain_read = os.read
    taken = 0

    def growing(handle: int, size: int) -> bytes:
        nonlocal taken
        with path.open("ab") as file:
            file.write(b"x" * MOST)
        part = plain_read(handle, size)
        taken += len(part)
        return part

    monkeypatch.setattr(os, "read", growing)
    with pytest.raises(UnfitFileError):
        read_file(path, MOST)
    assert taken == MOST + 1


@pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="there is no /proc here")
def test_a_file_that_tells_no_size_is_read_within_the_limit() -> None:
    path = Path("/proc/self/status")
    assert path.stat().st_size == 0
    assert read_file(path, 1 << 20).startswith(b"Name:")
    with pytest.raises(UnfitFileError):
        read_file(path, 10)


def test_a_large_file_takes_no_more_memory_than_twice_its_size(tmp_path: Path) -> None:
    size = 8 << 20
    path = tmp_path / "file"
    path.write_bytes(bytes(size))
    tracemalloc.start()
    try:
        read_file(path, size)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 2.5 * size


@needs_pipes
def test_what_is_no_file_does_not_hide_the_others_of_its_folder(tmp_path: Path) -> None:
    record = save_record(tmp_path, ["ana", "ben"], b"record")
    for name, make in (("pipe", pipe), ("loop", loop), ("nowhere", lambda path: path.symlink_to("missing"))):
        make(record.with_name(f"{name}{record.suffix}"))
    assert {one.path.stem for one in list_records(tmp_path)} == {record.stem, "pipe", "loop", "nowhere"}
    journals = tmp_path / "journals"
    journals.mkdir()
    loop(journals / "loop.journal")
    assert list_journals(tmp_path) == [journals / "loop.journal"]


@needs_pipes
def test_a_record_takes_another_name_where_something_else_has_its_own(tmp_path: Path) -> None:
    first = save_record(tmp_path, ["ana", "ben"], b"record")
    first.unlink()
    os.mkfifo(first)
    second = save_record(tmp_path, ["ana", "ben"], b"record")
    assert second != first
    assert second.read_bytes() == b"record"
    assert first.is_fifo()
