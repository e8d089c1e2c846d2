"""What waiting tables cost: how soon others see them, and what an idle one takes.

.venv/bin/python -m tests.benchmarks.bench_network
"""

from __future__ import annotations

import asyncio
import tempfile
import time
from pathlib import Path

from kimberley.games.diamond_trust import GAME
from kimberley.p2p.discovery.mdns import Announcer, Browser
from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.transport.handshake import PeerVersion
from kimberley.p2p.transport.listener import Listener
from kimberley.p2p.transport.table_card import TableCard
from tests.benchmarks.common import report, size, summary
from tests.support.seated import pair_of_tables

IDLE_SECONDS = size(10)


async def discovery() -> tuple[list[float], list[float]]:
    """Measures the time from an announcement to a waiting joiner's list, and from a new joiner's start to its list."""
    waiting, new = [], []
    for _ in range(size(10)):
        identity = Identity.fresh()
        card = TableCard(identity.public, identity.public.hex()[:20], GAME.id, GAME.revision, 1, 2, PeerVersion.own())
        door = Listener(identity, lambda channel: None, lambda card=card: card)  # type: ignore[misc]
        await door.open(0)
        announcer = Announcer(door.port, card)
        async with Browser() as browser:
            await asyncio.sleep(1)
            start = time.perf_counter()
            await announcer.start()
            waiting.append(await _seen(browser, announcer.name, start))
        # A responder multicasts a record once a second (RFC 6762, section 6).
        await asyncio.sleep(2.5)
        start = time.perf_counter()
        async with Browser() as later:
            new.append(await _seen(later, announcer.name, start))
        await announcer.close()
        await door.close()
    return waiting, new


async def _seen(browser: Browser, name: str, start: float) -> float:
    came = asyncio.Event()
    browser.subscribe(lambda listing: came.set())
    async with asyncio.timeout(10):
        while name not in [found.name for found in browser.found]:
            came.clear()
            await came.wait()
    return time.perf_counter() - start


async def idle(folder: Path) -> float:
    """Returns the share of a core that two seats of one process take while both think."""
    async with pair_of_tables(folder, GAME) as tables:
        await tables.seat()
        await asyncio.sleep(1)
        start = time.process_time()
        await asyncio.sleep(IDLE_SECONDS)
        return (time.process_time() - start) / IDLE_SECONDS


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        waiting, new = asyncio.run(discovery())
        report(
            {
                "seen_by_waiting": summary(waiting),
                "seen_by_new": summary(new),
                "idle_share_of_a_core": round(asyncio.run(idle(Path(folder))), 4),
            }
        )


if __name__ == "__main__":
    main()
