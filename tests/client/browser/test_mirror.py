"""What a seat in the browser writes is kept unchanged, and only what is new is stored."""

from __future__ import annotations

from pathlib import Path

import pytest

from kimberley.client.browser.mirror import SMALL, Mirror
from kimberley.p2p.storage.files import StorageError, replace
from tests.support.asyncs import run
from tests.support.pretend_browser import PretendDatabase


def content(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


async def opened(folder: Path, kept: PretendDatabase) -> Mirror:
    mirror = Mirror(folder, kept.opened(), kept.failures.append)
    await mirror.load()
    return mirror


def append(path: Path, data: bytes) -> None:
    with path.open("ab") as file:
        file.write(data)


def test_everything_comes_back_and_growth_alone_is_stored(tmp_path: Path) -> None:
    kept, one, two = PretendDatabase(), tmp_path / "one", tmp_path / "two"

    async def story() -> None:
        mirror = await opened(one, kept)
        assert mirror.clean
        (one / "data").mkdir(parents=True)
        journal, mark = one / "data/a.journal", one / "mark"
        journal.write_bytes(bytes(3 * SMALL))
        mark.write_bytes(b"count 1")
        assert not mirror.clean
        await mirror.flush()
        assert mirror.clean
        append(journal, b"chose")
        mark.write_bytes(b"count 2")
        await mirror.flush()
        assert sorted(kept.writes[-1]) == [("data/a.journal", 3 * SMALL, b"chose"), ("mark", 0, b"count 2")]
        append(mark, b"4")
        replace(one / "settings", b"old")
        await mirror.flush()
        replace(one / "settings", b"new")
        mark.unlink()
        await mirror.flush()
        assert sorted(kept.writes[-1], key=str) == [("mark", 0, None), ("settings", 0, b"new")]
        await mirror.flush()
        assert len(kept.writes) == 4
        await opened(two, kept)
        assert content(two) == content(one)

    run(story())


def test_a_small_file_that_was_rewritten_longer_is_no_journal(tmp_path: Path) -> None:
    kept, one, two = PretendDatabase(), tmp_path / "one", tmp_path / "two"

    async def story() -> None:
        mirror = await opened(one, kept)
        one.mkdir()
        (one / "note").write_bytes(b"abc")
        await mirror.flush()
        (one / "note").write_bytes(b"xbcd")
        await mirror.flush()
        await opened(two, kept)
        assert content(two) == {"note": b"xbcd"}

    run(story())


def test_who_opens_it_later_owns_it(tmp_path: Path) -> None:
    kept, one, two = PretendDatabase(), tmp_path / "one", tmp_path / "two"

    async def story() -> None:
        first = await opened(one, kept)
        await opened(two, kept)
        one.mkdir()
        (one / "note").write_bytes(b"abc")
        with pytest.raises(StorageError, match="another tab"):
            await first.flush()
        assert not first.clean
        assert kept.parts == {}
        assert kept.failures == ["This seat is already open in another tab."]

    run(story())
