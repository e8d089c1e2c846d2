"""Section 8: how many connections a host takes from one address in a second."""

from __future__ import annotations

import asyncio
import contextlib
import ssl
from typing import Final

from client.conformance.bench import HOST, WAIT_SECONDS, Bench
from client.conformance.case import case, expect
from client.conformance.cases.hosting import hosting, looks
from client.conformance.wire import client_context

CONNECTIONS: Final = 300
AT_ONCE: Final = 40
A_SECOND: Final = 20
SLACK: Final = 10
"""Connections more than a target may take that counts in steps, not evenly."""


def client_hello() -> bytes:
    """What a TLS client says first. One serves for all connections: no answer is looked at, which saves the time."""
    sent = ssl.MemoryBIO()
    with contextlib.suppress(ssl.SSLWantReadError):
        client_context().wrap_bio(ssl.MemoryBIO(), sent).do_handshake()
    return sent.read()


async def answered(port: int, hello: bytes) -> bool:
    """Whether the target takes a connection, and answers as a TLS server does."""
    try:
        async with asyncio.timeout(WAIT_SECONDS):
            reader, writer = await asyncio.open_connection(HOST, port)
            writer.write(hello)
            answer = await reader.read(1)
            writer.transport.abort()
    except OSError:
        return False
    return bool(answer)


@case(
    "08-70",
    "Many connections, one after the other",
    covers=("S-HEL-6",),
    expect="40 at once and 20 a second are let in, and others again a second later",
)
async def connection_rate(bench: Bench) -> None:
    port, hello = await hosting(bench), client_hello()
    clock = asyncio.get_running_loop().time
    began = clock()
    taken = sum([await answered(port, hello) for _ in range(CONNECTIONS)])
    seconds = clock() - began
    most = AT_ONCE + A_SECOND * seconds + SLACK
    answered_tls = f"the target answered the TLS of {taken} connections of one address in {seconds:.1f} s"
    expect(taken <= most, f"{answered_tls}; {most:.0f} are the most that it should")
    await bench.pause(1.0)
    await looks(bench, port)
