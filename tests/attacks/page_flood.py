"""Requests a page of a referee without end, on many connections: `python -m tests.attacks.page_flood PORT CONNECTIONS`.

It simulates other machines: it uses eight addresses, and only the processor time that nobody else needs. It prints a
line after the first answer, and the number of answers when its standard input ends.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys

ADDRESSES = 8
REQUEST = b"GET /cup.json HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"

answers = 0


async def ask(port: int, address: str) -> None:
    """Sends the next request after each answer, and reconnects when the connection is lost."""
    global answers
    while True:
        with contextlib.suppress(OSError, asyncio.IncompleteReadError, ValueError):
            reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(address, 0))
            try:
                while True:
                    writer.write(REQUEST)
                    head = await reader.readuntil(b"\r\n\r\n")
                    size = next(line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:"))
                    await reader.readexactly(int(size.partition(b":")[2]))
                    answers += 1
                    if answers == 1:
                        print("ready", flush=True)
            finally:
                writer.close()
        await asyncio.sleep(0.05)


async def flood(port: int, connections: int) -> None:
    asking = [asyncio.create_task(ask(port, f"127.0.0.{2 + number % ADDRESSES}")) for number in range(connections)]
    await asyncio.to_thread(sys.stdin.read)
    for task in asking:
        task.cancel()
    print(answers, flush=True)


if __name__ == "__main__":
    os.nice(19)
    asyncio.run(flood(*map(int, sys.argv[1:])))
