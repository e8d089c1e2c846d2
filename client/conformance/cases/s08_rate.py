"""Section 8: how many connections per second a host accepts from one address."""

from __future__ import annotations

import asyncio
import contextlib
import ssl
from typing import Final

from kimberley.client.conformance.case import case
from kimberley.client.conformance.cases.hosting import expect_card, hosting
from kimberley.client.conformance.errors import expect
from kimberley.client.conformance.harness.connection import client_context
from kimberley.client.conformance.harness.harness import HOST, WAIT_SECONDS, Harness

CONNECTIONS: Final = 300
AT_ONCE: Final = 40
A_SECOND: Final = 20
SLACK: Final = 10
"""How many more connections a target may accept, if it counts in steps instead of evenly."""


def client_hello() -> bytes:
    """The first message of a TLS client. To save time, all connections send the same one, and no answer is read."""
    sent = ssl.MemoryBIO()
    with contextlib.suppress(ssl.SSLWantReadError):
        client_context().wrap_bio(ssl.MemoryBIO(), sent).do_handshake()
    return sent.read()


async def answered(port: int, hello: bytes) -> bool:
    """Whether the target accepts a connection and answers it."""
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
    expect="40 at once and 20 a second are accepted, and more a second later",
)
async def connection_rate(harness: Harness) -> None:
    port, hello = await hosting(harness), client_hello()
    clock = asyncio.get_running_loop().time
    began = clock()
    taken = sum([await answered(port, hello) for _ in range(CONNECTIONS)])
    seconds = clock() - began
    most = AT_ONCE + A_SECOND * seconds + SLACK
    answered_tls = f"the target answered {taken} connections of one address in {seconds:.1f} s"
    expect(taken <= most, f"{answered_tls}; it should answer at most {most:.0f}")
    await harness.pause(1.0)
    await expect_card(harness, port)
