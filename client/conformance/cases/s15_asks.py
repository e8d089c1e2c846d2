"""Section 15: every ask."""

from __future__ import annotations

from client.conformance.bench import Bench
from client.conformance.case import case


@case("15-01", "A game of every ask, the target hosts", covers=("M-ASK-1",), expect="every byte is the one due")
async def every_ask(bench: Bench) -> None:
    async with bench.table([("decide", 0, 9), ("decide", 1, 9), ("roll", (6,))]) as table:
        await table.finish()


@case("15-02", "A game of every ask, the target joins", covers=("M-ASK-1",), expect="every byte is the one due")
async def every_ask_joined(bench: Bench) -> None:
    async with bench.table(
        [("decide", 0, 9), ("decide", 1, 9), ("roll", (6,))], target="join", seats=3, seat=1
    ) as table:
        await table.finish()
