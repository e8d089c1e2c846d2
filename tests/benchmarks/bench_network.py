"""What the network costs on this machine: finding, connecting, seating, syncing, and a move from "Done" to its reveal.

.venv/bin/python -m tests.benchmarks.bench_network
"""

from __future__ import annotations

import asyncio
import tempfile
import time
from pathlib import Path

from kimberley.games.bots.levels import make_bot
from kimberley.games.diamond_trust import GAME
from kimberley.games.table import Observation, Together
from kimberley.p2p.discovery.mdns import Announcer, Browser
from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.storage.journal import Journal
from kimberley.p2p.table.table import Table, TableEvent
from kimberley.p2p.transport.dial import CardProbe, dial
from kimberley.p2p.transport.handshake import PeerVersion
from kimberley.p2p.transport.listener import Listener, ListenerLimits
from kimberley.p2p.transport.table_card import TableCard
from kimberley.p2p.transport.tls import server_context
from kimberley.protocol.events import Answered
from tests.benchmarks.common import report, size, summary
from tests.support.seated import LOOPBACK, QUICK, pair_of_tables
from tests.support.tables import seed, signed_roster

RUNS = size(20)
GAMES = size(10)
IDLE_SECONDS = size(10)


def certificate() -> list[float]:
    times = []
    for _ in range(RUNS):
        start = time.perf_counter()
        server_context()
        times.append(time.perf_counter() - start)
    return times


def syncs(folder: Path) -> list[float]:
    """One envelope of 1 kB, written and synced."""
    journal = Journal.create(folder, signed_roster(GAME), 0, seed(0))
    times = []
    for _ in range(10 * RUNS):
        start = time.perf_counter()
        journal.write([("sent", bytes(1000))], sync=True)
        times.append(time.perf_counter() - start)
    journal.remove()
    return times


async def connections() -> tuple[list[float], list[float]]:
    """TCP, TLS and the hello; TCP, TLS and a table's card."""
    identity = Identity.fresh()
    card = TableCard(identity.public, "ana", GAME.id, GAME.revision, 1, 2, PeerVersion.own())
    door = Listener(identity, lambda channel: None, lambda: card, limits=ListenerLimits(rate=1000, burst=1000))
    await door.open(0, LOOPBACK)
    hellos, looks = [], []
    for _ in range(RUNS):
        start = time.perf_counter()
        channel = await dial(LOOPBACK, door.port, Identity.fresh(), ("seat",))
        hellos.append(time.perf_counter() - start)
        await channel.close()
        start = time.perf_counter()
        look = await CardProbe.connect(LOOPBACK, door.port)
        looks.append(time.perf_counter() - start)
        await look.close()
    await door.close()
    return hellos, looks


async def discovery() -> tuple[list[float], list[float], list[float]]:
    """Until an announcement is out; from there to a waiting joiner's list; from a new joiner's start to its list."""
    announced, waiting, new = [], [], []
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
            announced.append(time.perf_counter() - start)
            waiting.append(await _seen(browser, announcer.name, start))
        # A responder multicasts a record once a second (RFC 6762, section 6).
        await asyncio.sleep(2.5)
        start = time.perf_counter()
        async with Browser() as later:
            new.append(await _seen(later, announcer.name, start))
        await announcer.close()
        await door.close()
    return announced, waiting, new


async def _seen(browser: Browser, name: str, start: float) -> float:
    came = asyncio.Event()
    browser.subscribe(lambda listing: came.set())
    async with asyncio.timeout(10):
        while name not in [found.name for found in browser.found]:
            came.clear()
            await came.wait()
    return time.perf_counter() - start


async def moves(folder: Path) -> tuple[list[float], list[float], list[float]]:
    """Whole games between two seats of one process: seating, and from the last "Done" to the move on both screens."""
    seatings, reveals, games = [], [], []
    for number in range(GAMES):
        async with pair_of_tables(folder / str(number), GAME) as tables:
            await tables.open(QUICK, headless=True)
            start = time.perf_counter()
            await tables.join(headless=True)
            await tables.both("playing")
            seatings.append(time.perf_counter() - start)
            done: dict[int, float] = {}
            shown: dict[int, list[float]] = {}
            start = time.perf_counter()
            await asyncio.gather(*(_play(table, number, done, shown) for table in (tables.host, tables.guest)))
            games.append(time.perf_counter() - start)
            reveals += [max(times) - done[step] for step, times in shown.items()]
    return seatings, reveals, games


async def _play(table: Table, number: int, done: dict[int, float], shown: dict[int, list[float]]) -> None:
    """Plays by the game's bot. `done` gets the time of the last choice of each move, `shown` those of its reveal."""
    bot = make_bot(GAME, 1, number * 2 + table.seat)
    stirred = asyncio.Event()

    def heard(event: TableEvent) -> None:
        if isinstance(event, Answered) and isinstance(event.ask, Together) and event.ask.topic == "move":
            shown.setdefault(event.step, []).append(time.perf_counter())
        stirred.set()

    table.subscribe(heard)
    step = -1
    while table.phase not in ("done", "failed"):
        stirred.clear()
        view = table.peer
        if table.phase == "playing" and view is not None and view.asked is not None and view.asked.step != step:
            step = view.asked.step
            choice = bot.choose(Observation(table.seat, view.state, view.story))
            done[step] = time.perf_counter()
            table.choose(choice)
        await stirred.wait()


async def idle(folder: Path) -> float:
    """The share of a core that two seats of one process take while both think."""
    async with pair_of_tables(folder, GAME) as tables:
        await tables.seat()
        await asyncio.sleep(1)
        start = time.process_time()
        await asyncio.sleep(IDLE_SECONDS)
        return (time.process_time() - start) / IDLE_SECONDS


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        hellos, looks = asyncio.run(connections())
        announced, waiting, new = asyncio.run(discovery())
        seatings, reveals, games = asyncio.run(moves(Path(folder)))
        report(
            {
                "certificate": summary(certificate()),
                "journal_sync": summary(syncs(Path(folder))),
                "hello": summary(hellos),
                "look": summary(looks),
                "announce": summary(announced),
                "seen_by_waiting": summary(waiting),
                "seen_by_new": summary(new),
                "join_to_playing": summary(seatings),
                "done_to_reveal": summary(reveals),
                "game_and_audit": summary(games),
                "idle_share_of_a_core": round(asyncio.run(idle(Path(folder) / "idle")), 4),
            }
        )


if __name__ == "__main__":
    main()
