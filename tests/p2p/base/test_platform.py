"""What a platform brings can be replaced, and the operating system brings it."""

from __future__ import annotations

import asyncio
import errno
import os
import sys
import threading
from contextlib import nullcontext
from functools import partial
from pathlib import Path

import pytest

from kimberley.p2p.base import platform
from kimberley.p2p.storage import files
from tests.support.asyncs import run
from tests.support.threadless import threadless


def test_work_in_the_background_is_done_on_another_thread_and_its_errors_come_back() -> None:
    def fail() -> None:
        raise LookupError("not there")

    async def story() -> None:
        assert await platform.in_background(threading.get_ident) != threading.get_ident()
        assert await platform.in_background(pow, 3, 4, mod=5) == 1
        with pytest.raises(LookupError):
            await platform.in_background(fail)

    run(story())


def test_a_worker_does_one_thing_after_another_on_one_thread() -> None:
    done: list[tuple[int, int]] = []

    def note(number: int) -> None:
        done.append((number, threading.get_ident()))

    async def story() -> None:
        worker = platform.open_worker()
        await asyncio.gather(*(worker.run(partial(note, number)) for number in range(50)))
        worker.close()

    run(story())
    assert [number for number, _ in done] == list(range(50))
    assert len({thread for _, thread in done} - {threading.get_ident()}) == 1


def test_chance_is_different_each_time() -> None:
    assert len({platform.random_bytes(16) for _ in range(100)}) == 100
    assert len({platform.chance().getrandbits(64) for _ in range(100)}) == 100


def test_another_platform_is_asked_for_everything(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[str] = []

    async def story() -> None:
        with threadless(1, tmp_path, monkeypatch) as other:
            monkeypatch.setattr(other, "sync_file", lambda handle: synced.append("file"), raising=False)
            monkeypatch.setattr(other, "sync_folder", lambda path: synced.append("folder"), raising=False)
            assert await platform.in_background(threading.get_ident) == threading.get_ident()
            assert platform.data_folder() == tmp_path / "data"
            assert platform.wall_time() - platform.monotonic() == pytest.approx(1_800_000_000)
            files.replace(tmp_path / "file", b"content")
            with pytest.raises(OSError, match="no sockets"):
                await platform.listen(asyncio.Protocol, None, 0)

    run(story())
    assert synced == ["file", "folder"]
    with threadless(2, tmp_path, monkeypatch):
        first = platform.random_bytes(8)
    with threadless(2, tmp_path, monkeypatch):
        assert platform.random_bytes(8) == first


@pytest.mark.skipif(sys.platform == "win32", reason="folders are not synced there")
@pytest.mark.parametrize(("number", "passed"), [(errno.EINVAL, True), (errno.ENOTSUP, True), (errno.EIO, False)])
def test_a_file_system_that_cannot_sync_a_folder_is_no_obstacle(
    number: int, passed: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fsync(_handle: int) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "fsync", fsync)
    with nullcontext() if passed else pytest.raises(OSError, match=os.strerror(number)):
        platform.SystemPlatform().sync_folder(tmp_path)
