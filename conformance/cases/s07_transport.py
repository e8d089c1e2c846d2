"""Section 7: TLS, frames, heartbeats."""

from __future__ import annotations

import asyncio
import ssl
from typing import Final

from kimberley.conformance.case import case
from kimberley.conformance.cases.hosting import expect_card, expect_end, hosting
from kimberley.conformance.errors import Failed, Late, expect, present
from kimberley.conformance.harness.connection import client_context, server_context
from kimberley.conformance.harness.harness import Harness
from kimberley.conformance.harness.identity import SuiteIdentity
from kimberley.conformance.plain import spelled
from kimberley.conformance.table.table import open_table
from kimberley.protocol.encoding import pack

ENDS: Final = "the connection ends, and the target goes on for others"


@case("07-01", "TLS 1.2", covers=("M-TLS-1",), expect="the handshake is refused")
async def old_tls(harness: Harness) -> None:
    port = await hosting(harness)
    context = client_context()
    context.maximum_version = ssl.TLSVersion.TLSv1_2
    try:
        connection = await harness.connect(port, context=context)
    except (OSError, ssl.SSLError):
        await expect_card(harness, port)
        return
    raise Failed(f"the target speaks {connection.version}")


@case("07-02", "TLS 1.3 without tickets", covers=("S-TLS-3",), expect="no session ticket comes")
async def tickets(harness: Harness) -> None:
    port = await hosting(harness)
    connection = await harness.connect(port)
    expect(connection.version == "TLSv1.3", f"the target speaks {connection.version}")
    connection.send("look")
    await harness.receive(connection)
    expect(not connection.has_ticket, "the target issues session tickets")


@case("07-03", "Something other than TLS", covers=("M-GEN-2", "M-ERR-1"), expect=ENDS)
async def no_tls(harness: Harness) -> None:
    port = await hosting(harness)
    for sent in (b"GET / HTTP/1.1\r\n\r\n", bytes(300), b"\x16\x03\x01\xff\xff" + bytes(100)):
        connection = await harness.connect(port, plain=True)
        connection.send_bytes(sent)
        await harness.expect_closed(connection, "for bytes that are not TLS", 25)
    await expect_card(harness, port)


@case(
    "07-04",
    "A frame before the hello that is too long",
    covers=("M-FRM-1", "M-FRM-2", "M-LIM-1"),
    expect="the connection ends as soon as the length is read",
)
async def long_first(harness: Harness) -> None:
    port = await hosting(harness)
    for size in (4097, 1 << 20, (1 << 32) - 1):
        connection = await harness.connect(port)
        connection.send_bytes(size.to_bytes(4, "big"))
        await expect_end(harness, connection, f"for a frame of {size} bytes before the hello")
    await expect_card(harness, port)


@case(
    "07-05",
    "A first frame of just the length that is allowed",
    covers=("M-FRM-1", "M-FRM-7"),
    expect="the target goes on with the hello",
)
async def longest_first(harness: Harness) -> None:
    port = await hosting(harness)
    identity = SuiteIdentity(bytes(32)).public
    software = "x" * (4096 - len(pack(("hello", (3,), "", identity, bytes(32)))) - 2)
    connection = await harness.connect(port)
    frame = pack(("hello", (3,), software, identity, bytes(32)))
    if len(frame) != 4096:
        raise ValueError("this case needs a hello of the largest size")
    connection.send_body(frame)
    answer = await harness.receive(connection)
    expect(answer[0] == "hello", f"the target answers {spelled(answer)}")


@case(
    "07-06",
    "A frame of a seat that is too long",
    covers=("M-FRM-1", "M-FRM-2", "M-LIM-1"),
    expect="the connection ends as soon as the length is read",
)
async def long_later(harness: Harness) -> None:
    async with open_table(harness, (("roll", (6,)),), seats=3) as table:
        await table.until(1)
        table.suite_seat.wire.send_bytes(((1 << 20) + 1).to_bytes(4, "big"))
        await harness.expect_closed(table.suite_seat.wire, "for a frame that is too long")
        expect(not table.job.all("guilty"), "a seat was blamed for a frame")


@case("07-07", "Frames of an unknown kind from a seat", covers=("M-FRM-4", "M-FRM-6"), expect="they are ignored")
async def unknown_kinds(harness: Harness) -> None:
    async with open_table(harness, (("decide", 1, 9), ("roll", (6,)))) as table:
        await table.until(1)
        for frame in (("news",), ("weather", 3, b"", ("x",)), ("Envelope", b""), ("", None), ("x" * 5000,)):
            table.suite_seat.wire.send(*frame)
        await table.finish()


@case("07-08", "A frame of an unknown kind from a stranger", covers=("M-FRM-4",), expect=ENDS)
async def unknown_stranger(harness: Harness) -> None:
    port = await hosting(harness)
    connection = await harness.connect(port)
    connection.send("news")
    await expect_end(harness, connection, "for a frame of an unknown kind")
    newcomer = await harness.connect_seat(port, harness.identity())
    await harness.receive(newcomer, "table")
    newcomer.send("news")
    await harness.expect_closed(newcomer, "for a frame of an unknown kind from a newcomer who has no seat")
    await expect_card(harness, port)


@case(
    "07-09",
    "Frames that come in pieces, and many at once",
    covers=("M-FRM-3",),
    expect="it makes no difference where frames are split",
)
async def pieces(harness: Harness) -> None:
    async with open_table(harness, (("decide", 1, 9), ("decide", 1, 9), ("roll", (6,)))) as table:
        await table.until(1)
        first = table.give(1, quiet=True)
        table.end_stage()
        second = table.give(1, quiet=True)
        table.end_stage()
        whole = b"".join(
            len(body).to_bytes(4, "big") + body for body in (pack(("envelope", one.pack())) for one in (first, second))
        )
        for at in range(0, len(whole), 7):
            table.suite_seat.wire.send_bytes(whole[at : at + 7])
            if at % 70 == 0:
                await asyncio.sleep(0)
        await table.finish()


@case(
    "07-10",
    "Heartbeats",
    covers=("M-BEA-1",),
    expect="a frame at least every 2 s (and one more second of grace); in a game, what the target has of it",
    seconds=60,
)
async def beats(harness: Harness) -> None:
    async with open_table(harness, (("decide", 1, 9), ("roll", (6,)))) as table:
        await table.until(1)
        connection = table.suite_seat.wire
        await harness.wait_until(lambda: len(connection.haves) >= 4, "three heartbeats", 20)
        gaps = [later - earlier for earlier, later in zip(connection.times, connection.times[1:], strict=False)]
        if max(gaps) >= 3 * harness.patience:
            raise Late(f"the target was silent for {max(gaps):.1f} s")
        due = table.have()
        expect(
            connection.haves[-1] == due,
            f"the heartbeat is {spelled(connection.haves[-1])}, and {spelled(due)} is due",
        )
        await table.finish()


@case(
    "07-11",
    "A connection on which nothing is heard",
    covers=("S-BEA-2",),
    expect="the target drops it after 10 s",
    seconds=60,
)
async def silence(harness: Harness) -> None:
    async with open_table(harness, (("decide", 1, 9), ("roll", (6,))), seats=3) as table:
        await table.until(1)
        connection = table.suite_seats[1].wire
        present(connection.beating).cancel()
        began = asyncio.get_running_loop().time()
        await harness.expect_closed(connection, "for its silence", 20)
        waited = asyncio.get_running_loop().time() - began
        expect(waited > 7, f"the target gave up after {waited:.1f} s")


@case("07-12", "A chain that differs", covers=("S-LNK-6",), expect="the target shows that chain from its beginning")
async def other_past(harness: Harness) -> None:
    async with open_table(harness, (("roll", (6,)), ("decide", 1, 9), ("roll", (6,))), seats=3) as table:
        await table.until(2)
        table.suite_seats[1].wire.send(*table.have(seat2=(len(table.sent[2]), bytes(32))))
        due = set(table.sent[2])
        await harness.wait_until(lambda: due <= set(table.relayed_envelopes()), "the chain that differs")


@case("07-13", "`have` of another game, and plain heartbeats", covers=("M-LNK-8", "M-GEN-2"), expect="no effect")
async def odd_beats(harness: Harness) -> None:
    async with open_table(harness, (("decide", 1, 9), ("roll", (6,)))) as table:
        await table.until(1)
        table.suite_seat.wire.send("beat")
        for rows in ((), ((99, bytes(32)), (99, bytes(32)))):
            table.suite_seat.wire.send("have", bytes(32), rows)
        await table.finish()


@case(
    "07-14",
    "The target names no server, and no protocol",
    covers=("S-TLS-2",),
    expect="no server name in its first TLS message",
)
async def server_name(harness: Harness) -> None:
    names: list[object] = []
    context, _ = server_context()
    context.sni_callback = lambda connection, name, _: names.append(name)
    async with open_table(harness, (("roll", (6,)),), target="join") as table:
        await table.until(1)
    context.sni_callback = None
    named = [name for name in names if name]
    expect(not named, f"the target names the server {named}")
