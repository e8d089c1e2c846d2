"""Section 8: how many connections per second a host accepts from one address."""

from __future__ import annotations

import asyncio
import contextlib
import ssl
from collections.abc import Sequence
from itertools import accumulate
from typing import Final

from kimberley.conformance.case import case
from kimberley.conformance.cases.hosting import expect_card, hosting
from kimberley.conformance.errors import expect
from kimberley.conformance.harness.connection import client_context
from kimberley.conformance.harness.harness import HOST, WAIT_SECONDS, Harness

CONNECTIONS: Final = 300
SIDE_BY_SIDE: Final = 4
"""How many connections are open at a time: fewer than a host has to allow, and enough that it is not the suite that is
slow.
"""
AT_ONCE: Final = 40
A_SECOND: Final = 20
SLACK: Final = 10
"""How many more connections a target may accept, if it counts in steps instead of evenly."""


def client_hello() -> bytes:
    """Returns a TLS client's first message. To save time all connections send the same, and no answer is read."""
    sent = ssl.MemoryBIO()
    with contextlib.suppress(ssl.SSLWantReadError):
        client_context().wrap_bio(ssl.MemoryBIO(), sent).do_handshake()
    return sent.read()


async def answered(port: int, hello: bytes) -> bool:
    """Returns whether the target accepts a connection and answers it."""
    try:
        async with asyncio.timeout(WAIT_SECONDS):
            reader, writer = await asyncio.open_connection(HOST, port)
            try:
                writer.write(hello)
                answer = await reader.read(1)
            finally:
                writer.transport.abort()
    except OSError:
        return False
    return bool(answer)


def worst(taken: Sequence[tuple[float, float]]) -> tuple[int, float]:
    """Returns the connections in a row that exceed the rate most: how many they are, and how long they took. They come
    in the order in which they began, each with the seconds at which it began and was answered.

    On a busy machine all of them may be slow enough, and some of them still too fast.
    """
    spans = (
        (count, answered - began)
        for first, (began, _) in enumerate(taken)
        for count, answered in enumerate(accumulate((end for _, end in taken[first:]), max), 1)
    )
    return max(spans, key=lambda span: span[0] - A_SECOND * span[1], default=(0, 0.0))


@case(
    "08-70",
    "Many connections in a short time",
    covers=("S-HEL-6",),
    expect="40 at once and 20 a second are accepted, and more a second later",
)
async def connection_rate(harness: Harness) -> None:
    port, hello = await hosting(harness), client_hello()
    clock = asyncio.get_running_loop().time
    taken: list[tuple[float, float]] = []

    async def connect(count: int) -> None:
        for _ in range(count):
            began = clock()
            if await answered(port, hello):
                taken.append((began, clock()))

    await asyncio.gather(*(connect(CONNECTIONS // SIDE_BY_SIDE) for _ in range(SIDE_BY_SIDE)))
    count, seconds = worst(sorted(taken))
    most = AT_ONCE + A_SECOND * seconds + SLACK
    answered_tls = f"the target answered {count} connections of one address in {seconds:.1f} s"
    expect(count <= most, f"{answered_tls}; it should answer at most {most:.0f}")
    await harness.pause(1.0)
    await expect_card(harness, port)
