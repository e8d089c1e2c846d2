"""A seat says again and again that it has nothing of the game, so that another seat sends it everything."""

from __future__ import annotations

import asyncio
import tempfile
import time
from pathlib import Path
from typing import Final

from kimberley.p2p.table.sync import have_frame
from kimberley.protocol.envelope import START
from tests.attacks.attack import Attack, Outcome
from tests.support.asyncs import run, until
from tests.support.cards import FEW_CARDS
from tests.support.inside import links_of
from tests.support.seated import NAMES, circle_of_tables

SECONDS: Final = 6.0
SEATS: Final = 3
EACH: Final = 64
"""Questions at once."""
MOST_UNSENT: Final = 1 << 18


async def _floods(folder: Path) -> Outcome:
    async with circle_of_tables(folder, FEW_CARDS) as circle:
        await circle.seat(SEATS)
        asked, asker = circle.tables[:2]
        playing = asyncio.create_task(circle.play(1))
        await until(lambda: asker.peer is not None and len(asker.peer.story) >= 3)
        assert asker.peer is not None
        own = asker.peer.have[asker.occupants.seat]
        rows = tuple(own if seat == asker.occupants.seat else (0, START) for seat in range(SEATS))
        nothing = have_frame(asker.peer.table.game_id, rows)
        link = next(one for one in links_of(asker).values() if one.nickname == NAMES[0])
        back = next(one for one in links_of(asked).values() if one.nickname == NAMES[1])
        start, before, questions = time.monotonic(), back.sent_bytes, 0
        while time.monotonic() - start < SECONDS:
            for _ in range(EACH):
                link.send(nothing)
            questions += EACH
            while link.unsent > MOST_UNSENT:  # noqa: ASYNC110 - a channel tells nobody when it is read
                await asyncio.sleep(0.01)
            await asyncio.sleep(0)
        sent = back.sent_bytes - before
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)
    return Outcome(sent < 1 << 20, f"{sent / 1e6:.2f} MB sent in {SECONDS:.0f} s for {questions} questions")


def floods() -> Outcome:
    with tempfile.TemporaryDirectory() as folder:
        found: list[Outcome] = []

        async def story() -> None:
            found.append(await _floods(Path(folder) / "tables"))

        run(story(), 120)
    return found[0]


ATTACKS = (Attack("have-flood", "A seat says again and again that it has nothing.", floods),)
