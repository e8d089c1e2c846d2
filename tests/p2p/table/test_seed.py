"""Tables in one process, as tests play them, draw everything from the seed of the test."""

from __future__ import annotations

from pathlib import Path

import pytest

from kimberley.p2p.base.platform import set_platform
from tests.support.asyncs import run
from tests.support.cards import FEW_CARDS
from tests.support.seated import circle_of_tables
from tests.support.seeded import SEED_VARIABLE, SeededPlatform


def played(folder: Path) -> tuple[object, ...]:
    """Returns the story of a game of two, in which cards were shuffled and bots chose, and the keys that signed it."""

    async def story() -> tuple[object, ...]:
        async with circle_of_tables(folder, FEW_CARDS) as circle:
            await circle.seat(2)
            await circle.play()
            await circle.all("done")
            peer = circle.tables[0].peer
            assert peer is not None
            return peer.story, [one.identity for one in peer.table.roster.seats]

    return run(story())


@pytest.mark.slow
def test_the_same_seed_gives_the_same_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = []
    for number, seed in enumerate(("7", "7", "8")):
        monkeypatch.setenv(SEED_VARIABLE, seed)
        former = set_platform(SeededPlatform("here"))
        try:
            found.append(played(tmp_path / str(number)))
        finally:
            set_platform(former)
    assert found[0] == found[1]
    assert found[0] != found[2]
