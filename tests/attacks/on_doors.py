"""Silent connections from a few addresses, to a listener and its list of lookers (SPEC.md, sections 7, 8 and 24)."""

from __future__ import annotations

import asyncio
import contextlib
import random
import tempfile
from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path
from typing import Any, Final

from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.transport.dial import CardProbe, Unreachable, dial
from kimberley.p2p.transport.frames import Frame, encode
from kimberley.p2p.transport.handshake import ConnectionRejected
from kimberley.p2p.transport.tls import client_context
from tests.attacks.attack import Attack, Outcome
from tests.fuzz.door import besieged as besieged_host
from tests.support.asyncs import run
from tests.support.hall import LOOPBACK, PURPOSE, Hall, hall

TRIES: Final = 100
TRY_SECONDS: Final = 2.0
AGAIN_SECONDS: Final = 0.05
"""The pause before an attacker whose connection was ended opens another one."""
ENOUGH: Final = 0.95
STRANGERS: Final = 10_000
MOST_MIB: Final = 50
"""What strangers may take of a host's memory: 32 are served at a time, and TLS has a buffer of 256 KiB for each."""

Attempt = Callable[[Hall], Coroutine[Any, Any, None]]


def addresses(count: int) -> list[str]:
    """Returns addresses of this machine, except the one that honest clients use."""
    return [f"127.0.{1 + number // 200}.{1 + number % 200}" for number in range(count)]


async def occupy(port: int, source: str, frame: Frame | None) -> None:
    """Holds a connection forever. It sends only `frame` inside TLS, or nothing at all."""
    tls = None if frame is None else client_context()
    while True:
        with contextlib.suppress(OSError):
            reader, writer = await asyncio.open_connection(
                LOOPBACK, port, local_addr=(source, 0), ssl=tls, server_hostname=None if tls is None else ""
            )
            try:
                if frame is not None:
                    writer.write(encode(frame))
                while await reader.read(4096):
                    pass
            finally:
                writer.transport.abort()
        await asyncio.sleep(AGAIN_SECONDS)


async def join(host: Hall) -> None:
    channel = await dial(LOOPBACK, host.door.port, Identity.fresh(), PURPOSE)
    await channel.close()


async def look(host: Hall) -> None:
    await (await CardProbe.connect(LOOPBACK, host.door.port)).close()


async def besieged(sources: Sequence[str], each: int, frame: Frame | None, attempt: Attempt, **options: Any) -> int:
    """Returns how many of `TRIES` honest attempts, all from one address, succeed."""
    rng, through = random.Random(1), 0
    async with hall(**options) as host, asyncio.TaskGroup() as group:
        siege = [group.create_task(occupy(host.door.port, source, frame)) for source in [*sources] * each]
        await asyncio.sleep(1)
        for _ in range(TRIES):
            # Not in step with the attackers, and below the rate limit of an address.
            await asyncio.sleep(0.06 + 0.04 * rng.random())
            with contextlib.suppress(Unreachable, ConnectionRejected, TimeoutError):
                async with asyncio.timeout(TRY_SECONDS):
                    await attempt(host)
                    through += 1
        for one in siege:
            one.cancel()
    return through


def measured(sources: int, each: int, frame: Frame | None, attempt: Attempt, **options: Any) -> Outcome:
    through = run(besieged(addresses(sources), each, frame, attempt, **options), 600)
    return Outcome(through >= ENOUGH * TRIES, f"{through} of {TRIES} come through")


def coming_back() -> Outcome:
    """Has a machine that the game waits for reconnect, while the attacker has more addresses than the listener has
    places.
    """
    return measured(64, 1, None, join, expected=lambda: (LOOPBACK,))


def filling() -> Outcome:
    """Measures the memory that silent strangers take, with at least as many addresses as the listener has places."""
    with tempfile.TemporaryDirectory() as folder:
        found = besieged_host(STRANGERS, Path(folder))
    taken = f"{found.memory_mib:.0f} MiB before, {found.most_memory_mib:.0f} MiB at most"
    return Outcome(found.most_memory_mib - found.memory_mib <= MOST_MIB and found.verdict == "fair", taken)


ATTACKS = (
    Attack(
        "silent-joiners",
        "32 connections from 4 addresses say nothing, while others join",
        lambda: measured(4, 8, None, join),
    ),
    Attack(
        "silent-lookers",
        "64 connections from 8 addresses look at a table and say nothing more, while others list it",
        lambda: measured(8, 8, ("look",), look),
    ),
    Attack(
        "door-memory",
        "10 000 connections from 64 addresses begin no TLS, at the door of a host that plays",
        filling,
    ),
    Attack("door-of-a-game", "64 addresses say nothing at a door, while a seat comes back to its game", coming_back),
)
