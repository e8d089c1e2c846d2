"""Peers that stay silent after the hello: before they sit down, and before they enroll (SPEC.md, 9.1, 10.5)."""

from __future__ import annotations

import asyncio
import contextlib
import tempfile
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, Final

from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.table.seat_queue import MOST_NEWCOMERS
from kimberley.p2p.tournament.messages import ENROL
from kimberley.p2p.transport.channel import ChannelClosed
from kimberley.p2p.transport.dial import Unreachable, dial
from kimberley.p2p.transport.frames import Frame
from kimberley.p2p.transport.handshake import ConnectionRejected
from kimberley.p2p.transport.mesh import SEAT
from kimberley.referee.player_connections import MOST_STRANGERS
from tests.attacks.attack import Attack, Outcome
from tests.support.asyncs import run
from tests.support.evenings import evening
from tests.support.seated import LOOPBACK, pair_of_tables
from tests.support.stones import STONES

TRIES: Final = 10
TRY_SECONDS: Final = 5.0
PACE_SECONDS: Final = 0.06
"""The pause between two connections from this machine. A listener accepts 20 of them in a second."""


async def besieged(port: int, purpose: Frame, many: int, says: Frame, answer: str) -> Outcome:
    """Connects `many` peers of one address, which stay silent. Measures how many others that send `says` get the
    `answer`.
    """
    silent = []
    for _ in range(many):
        silent.append(await dial(LOOPBACK, port, Identity.fresh(), purpose))
        await asyncio.sleep(PACE_SECONDS)
    through = 0
    for _ in range(TRIES):
        with contextlib.suppress(Unreachable, ConnectionRejected, ChannelClosed, TimeoutError):
            async with asyncio.timeout(TRY_SECONDS):
                honest = await dial(LOOPBACK, port, Identity.fresh(), purpose)
                honest.send(says)
                through += (await honest.receive())[0] == answer
                await honest.close()
        # Another silent peer replaces the one that was dropped.
        silent.append(await dial(LOOPBACK, port, Identity.fresh(), purpose))
        await asyncio.sleep(PACE_SECONDS)
    await asyncio.gather(*(channel.close() for channel in silent))
    return Outcome(through == TRIES, f"{through} of {TRIES} come in")


async def _before_they_sit(folder: Path) -> Outcome:
    async with pair_of_tables(folder) as tables:
        host = await tables.open()
        return await besieged(host.port, (SEAT,), MOST_NEWCOMERS, ("bye", "is gone"), "table")


async def _before_they_enrol(folder: Path) -> Outcome:
    async with evening(folder, STONES) as held:
        return await besieged(held.server.port, (ENROL,), MOST_STRANGERS, (ENROL, "ana", 0, False), "cup")


def _run(attack: Callable[[Path], Coroutine[Any, Any, Outcome]]) -> Callable[[], Outcome]:
    def story() -> Outcome:
        with tempfile.TemporaryDirectory() as folder:
            return run(attack(Path(folder)), 120)

    return story


ATTACKS: Final = (
    Attack(
        "silent-newcomers",
        "8 peers from one address come to a table and do not sit down, while others join.",
        _run(_before_they_sit),
    ),
    Attack(
        "silent-entrants",
        "64 peers from one address come to a referee and do not enrol, while players come.",
        _run(_before_they_enrol),
    ),
)
