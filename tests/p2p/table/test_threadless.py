"""A whole game on a platform that has no threads and no sockets, whose randomness is seeded and whose time is
virtual.
"""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from random import Random

import pytest

from kimberley.games.lookup import find
from kimberley.games.table import Game
from kimberley.p2p.base.platform import wall_time
from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.table.table import Table
from kimberley.protocol.audit import verify
from tests.support.effort import first_is_quick
from tests.support.seated import play as choose
from tests.support.stones import STONES
from tests.support.threadless import BEGINNING, run_virtually, threadless

LOOK = 12


async def play(game: Game, data: Path) -> tuple[bytes, float]:
    """Plays a game of two seats in this process, by random choices. Returns its record, and when it was over."""
    options = dict(game.quick) | ({"last_look": LOOK} if game.last_looks else {})
    table = await Table.open(
        game, nickname="ana", identity=Identity.load_or_create(data), data=data, options=options, seats=2,
        listen=False, headless=True,
    )  # fmt: skip
    other = await table.seat_bot("ben")
    table.seating.ready(True)
    try:
        await asyncio.gather(choose(table, Random(1)), choose(other, Random(2)))
        assert table.problem is None
        assert table.ending.record is not None
        return table.ending.record.read_bytes(), wall_time()
    finally:
        await other.close()
        await table.close()


@pytest.mark.parametrize("game", first_is_quick(STONES, find("diamond-trust")), ids=lambda game: game.id)
def test_a_whole_game_needs_no_threads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: Game) -> None:
    began = time.monotonic()
    with threadless(7, tmp_path / "one", monkeypatch) as platform:
        record, ended = run_virtually(play(game, platform.data_folder()))
    assert verify(record, lambda _: game).code == "fair"
    assert platform.worked > 20
    assert ended - BEGINNING > 2 * LOOK
    assert time.monotonic() - began < ended - BEGINNING


@pytest.mark.slow
def test_the_same_seed_gives_the_same_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = []
    for folder, seed in (("one", 7), ("two", 7), ("three", 8)):
        with threadless(seed, tmp_path / folder, monkeypatch) as platform:
            found.append(run_virtually(play(find("diamond"), platform.data_folder())))
    assert found[0] == found[1]
    assert found[0][0] != found[2][0]
