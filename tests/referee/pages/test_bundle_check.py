"""The bundle on the page: it can be downloaded, and the page says what its verification says."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest

from kimberley.referee.export import write_bundle
from kimberley.referee.pages import bundle_check
from tests.support.pages import LOOPBACK, Reply, get, open_page
from tests.support.pretend_source import PretendSource


def exported(folder: Path) -> PretendSource:
    """Returns a tournament of two that has not begun, with its bundle in the folder."""
    source = PretendSource.open(names=("Ana", "Ben"), rounds=1)
    source.exported = folder / "friday-cup.cup"
    write_bundle(source.exported, source.referee, source.settings, source.events, source.records.get)
    return source


def test_before_the_first_export_there_is_no_bundle() -> None:
    async def look() -> None:
        async with open_page(PretendSource.open(), LOOPBACK, 0) as (where,):
            assert "The referee writes this file after each round." in (await get(f"{where}/check")).text
            assert (await get(f"{where}/cup.cup")).status == 404
            assert (await get(f"{where}/cup.trf")).text.startswith("012 Friday Cup")

    asyncio.run(look())


async def checked(where: str) -> Reply:
    """Returns the page once the check is done."""
    page = await get(f"{where}/check")
    while "Checking the tournament file" in page.text:
        page = await get(f"{where}/check")
    return page


@pytest.mark.slow
def test_the_bundle_is_taken_home_and_judged_once_by_the_command_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = exported(tmp_path)
    asked = []
    check = bundle_check.check_bundle

    async def counted(command: Sequence[str]) -> bundle_check.CheckedBundle:
        asked.append(command)
        return await check(command)

    monkeypatch.setattr(bundle_check, "check_bundle", counted)

    async def look() -> None:
        async with open_page(source, LOOPBACK, 0) as (where,):
            taken = await get(f"{where}/cup.cup")
            assert source.exported is not None
            assert taken.body == source.exported.read_bytes()
            assert taken.headers["Content-Disposition"] == 'attachment; filename="friday-cup.cup"'
            pages = await asyncio.gather(*(get(f"{where}/check") for _ in range(4)))
            assert all("Checking the tournament file" in page.text for page in pages)
            pages = [await checked(where)]
            assert '<span class="verdict incomplete">incomplete</span>' in pages[0].text
            assert "The tournament has not ended" in pages[0].text
            assert "The seed of the random draws is the one the referee committed" in pages[0].text
            assert len(asked) == 1
            source.exported.write_bytes(taken.body[:-1])
            assert '<span class="verdict damaged">damaged</span>' in (await checked(where)).text
            assert len(asked) == 2

    asyncio.run(look())
