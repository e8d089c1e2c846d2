"""Section 23: errors, and what the target says about them."""

from __future__ import annotations

from kimberley.conformance.case import case
from kimberley.conformance.cases.hosting import expect_card, hosting
from kimberley.conformance.errors import Failed, Noted
from kimberley.conformance.harness.harness import Harness
from kimberley.conformance.plain import spelled
from kimberley.conformance.table.table import open_table


@case(
    "23-01",
    "The sentence of a refusal",
    covers=("S-ERR-3",),
    expect="a sentence for people: what happened, and what to do. It is shown here, and not judged",
)
async def sentence(harness: Harness) -> None:
    port = await hosting(harness)
    connection = await harness.connect(port)
    connection.send("hello", (3,), "suite of another time", bytes(32), bytes(32))
    _, reason = await harness.receive(connection, "refused")
    raise Noted(f"it says: {spelled(reason)}")


@case(
    "23-02",
    "A storm of what is wrong, from many sides",
    covers=("M-ERR-1", "M-GEN-2", "M-ERR-2"),
    expect="the target goes on, and the game comes to a fair end",
)
async def storm(harness: Harness) -> None:
    async with open_table(harness, (("decide", 1, 9), ("roll", (6,)), ("together", (0, 1), 9))) as table:
        for step in (1, 2, 3):
            await table.until(step)
            for body in (b"\xc1", b"\x91\xa4look", b"\x81\xa1x\xc0"):
                stranger = await harness.connect(table.port, "stranger")
                stranger.send_body(body)
            for data in (b"", b"\x92\xc4\x00\xc4\x00", bytes(200)):
                table.suite_seat.wire.send("envelope", data)
            table.suite_seat.wire.send("pass", bytes(32), b"x")
            table.suite_seat.wire.send("vote", "abandon", (bytes(32), 1, 0, bytes(32), (0,), bytes(64)))
            table.suite_seat.wire.send("vote", "ready", True)
        await expect_card(harness, table.port)
        await table.finish()
        if table.job.all("guilty"):
            raise Failed("somebody was blamed")
