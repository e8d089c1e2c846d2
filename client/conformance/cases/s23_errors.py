"""Section 23: what goes wrong, and what is said of it."""

from __future__ import annotations

from client.conformance.bench import Bench
from client.conformance.case import Failed, Noted, case
from client.conformance.cases.hosting import hosting, looks
from client.conformance.plain import spelled


@case(
    "23-01",
    "The sentence of a refusal",
    covers=("S-ERR-3",),
    expect="a sentence for a person, of what happened and what can be done; it is shown here, and judged by nobody",
)
async def sentence(bench: Bench) -> None:
    port = await hosting(bench)
    line = await bench.connect(port)
    line.send("hello", (3,), "suite of another time", bytes(32), bytes(32))
    _, said = await bench.receive(line, "refused")
    raise Noted(f"it says: {spelled(said)}")


@case(
    "23-02",
    "A storm of what is wrong, from many sides",
    covers=("M-ERR-1", "M-GEN-2", "M-ERR-2"),
    expect="the target goes on, and the game comes to a fair end",
)
async def storm(bench: Bench) -> None:
    async with bench.table((("decide", 1, 9), ("roll", (6,)), ("together", (0, 1), 9))) as table:
        for step in (1, 2, 3):
            await table.until(step)
            for body in (b"\xc1", b"\x91\xa4look", b"\x81\xa1x\xc0"):
                stranger = await bench.connect(table.port, "stranger")
                stranger.send_body(body)
            for data in (b"", b"\x92\xc4\x00\xc4\x00", bytes(200)):
                table.chair.wire.send("relay", data)
            table.chair.wire.send("pass", bytes(32), b"x")
            table.chair.wire.send("attest", (bytes(32), 1, 0, bytes(32), (0,), bytes(64)))
            table.chair.wire.send("ready", True)
        await looks(bench, table.port)
        await table.finish()
        if table.job.all("guilty"):
            raise Failed("somebody was blamed")
