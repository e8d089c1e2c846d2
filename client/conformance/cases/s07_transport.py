"""Section 7: TLS, frames, heartbeats."""

from __future__ import annotations

import asyncio
import ssl
from typing import Final

from client.conformance.bench import Bench
from client.conformance.case import Failed, case, expect, present
from client.conformance.cases.hosting import ends, hosting, looks
from client.conformance.codec import pack
from client.conformance.hashing import Identity
from client.conformance.plain import spelled
from client.conformance.wire import client_context, server_context

ENDS: Final = "the connection ends, and the target goes on for others"


@case("07-01", "TLS 1.2", covers=("M-TLS-1",), expect="the handshake is refused")
async def old_tls(bench: Bench) -> None:
    port = await hosting(bench)
    context = client_context()
    context.maximum_version = ssl.TLSVersion.TLSv1_2
    try:
        line = await bench.connect(port, context=context)
    except (OSError, ssl.SSLError):
        await looks(bench, port)
        return
    raise Failed(f"the target speaks {line.version}")


@case("07-02", "TLS 1.3 without tickets", covers=("S-TLS-3",), expect="no session ticket comes")
async def tickets(bench: Bench) -> None:
    port = await hosting(bench)
    line = await bench.connect(port)
    expect(line.version == "TLSv1.3", f"the target speaks {line.version}")
    line.send("look")
    await bench.receive(line)
    expect(not line.has_ticket, "the target issues session tickets")


@case("07-03", "Something else than TLS", covers=("M-GEN-2", "M-ERR-1"), expect=ENDS)
async def no_tls(bench: Bench) -> None:
    port = await hosting(bench)
    for said in (b"GET / HTTP/1.1\r\n\r\n", bytes(300), b"\x16\x03\x01\xff\xff" + bytes(100)):
        line = await bench.connect(port, plain=True)
        line.send_bytes(said)
        await bench.closed(line, "for bytes that are not TLS", 25)
    await looks(bench, port)


@case(
    "07-04",
    "A frame before the hello that is too long",
    covers=("M-FRM-1", "M-FRM-2", "M-LIM-1"),
    expect="the connection ends as soon as the length is read",
)
async def long_first(bench: Bench) -> None:
    port = await hosting(bench)
    for size in (4097, 1 << 20, (1 << 32) - 1):
        line = await bench.connect(port)
        line.send_bytes(size.to_bytes(4, "big"))
        await ends(bench, line, f"for a frame of {size} bytes before the hello")
    await looks(bench, port)


@case(
    "07-05",
    "A first frame of just the length that is allowed",
    covers=("M-FRM-1", "M-FRM-7"),
    expect="the target goes on with the hello",
)
async def longest_first(bench: Bench) -> None:
    port = await hosting(bench)
    identity = Identity(bytes(32)).public
    software = "x" * (4096 - len(pack(("hello", (2,), "", identity, bytes(32)))) - 2)
    line = await bench.connect(port)
    frame = pack(("hello", (2,), software, identity, bytes(32)))
    if len(frame) != 4096:
        raise ValueError("the hello of this case is to have the largest size")
    line.send_body(frame)
    answer = await bench.receive(line)
    expect(answer[0] == "hello", f"the target answers {spelled(answer)}")


@case(
    "07-06",
    "A frame of a seat that is too long",
    covers=("M-FRM-1", "M-FRM-2", "M-LIM-1"),
    expect="the connection ends as soon as the length is read",
)
async def long_later(bench: Bench) -> None:
    async with bench.table((("roll", (6,)),), seats=3) as table:
        await table.until(1)
        table.chair.wire.send_bytes(((1 << 20) + 1).to_bytes(4, "big"))
        await bench.closed(table.chair.wire, "for a frame that is too long")
        expect(not table.job.all("guilty"), "a seat was blamed for a frame")


@case("07-07", "Frames of an unknown kind from a seat", covers=("M-FRM-4", "M-FRM-6"), expect="they are ignored")
async def unknown_kinds(bench: Bench) -> None:
    async with bench.table((("decide", 1, 9), ("roll", (6,)))) as table:
        await table.until(1)
        for frame in (("news",), ("weather", 3, b"", ("x",)), ("Envelope", b""), ("", None), ("x" * 5000,)):
            table.chair.wire.send(*frame)
        await table.finish()


@case("07-08", "A frame of an unknown kind from a stranger", covers=("M-FRM-4",), expect=ENDS)
async def unknown_stranger(bench: Bench) -> None:
    port = await hosting(bench)
    line = await bench.connect(port)
    line.send("news")
    await ends(bench, line, "for a frame of an unknown kind")
    newcomer = await bench.seat_line(port, bench.identity())
    await bench.receive(newcomer, "table")
    newcomer.send("news")
    await bench.closed(newcomer, "for a frame of an unknown kind of who does not sit")
    await looks(bench, port)


@case(
    "07-09",
    "Frames that come in pieces, and many at once",
    covers=("M-FRM-3",),
    expect="cuts make no difference",
)
async def pieces(bench: Bench) -> None:
    async with bench.table((("decide", 1, 9), ("roll", (6,)))) as table:
        await table.until(1)
        chat = table.sign(1, 1, "in pieces")
        table.loose[1].append(chat)
        due = table.give(1, quiet=True)
        whole = b"".join(
            len(body).to_bytes(4, "big") + body for body in (pack(("envelope", one.packed)) for one in (chat, due))
        )
        for at in range(0, len(whole), 7):
            table.chair.wire.send_bytes(whole[at : at + 7])
            if at % 70 == 0:
                await asyncio.sleep(0)
        await table.finish()


@case(
    "07-10",
    "Heartbeats",
    covers=("M-BEA-1",),
    expect="something at least every 2 s (and a second of grace), with game, slot and head",
    seconds=60,
)
async def beats(bench: Bench) -> None:
    async with bench.table((("decide", 1, 9), ("roll", (6,)))) as table:
        await table.until(1)
        line = table.chair.wire
        await bench.wait(lambda: len([beat for beat in line.beats if len(beat[1])]) >= 3, "three heartbeats", 20)
        gaps = [later - earlier for earlier, later in zip(line.times, line.times[1:], strict=False)]
        expect(max(gaps) < 3 * bench.patience, f"the target was silent for {max(gaps):.1f} s")
        due = (table.signed.game_id, 1, 0, table.head)
        expect(line.beats[-1][1] == due, f"the heartbeat says {spelled(line.beats[-1][1])}")
        await table.finish()


@case(
    "07-11",
    "A connection on which nothing is heard",
    covers=("S-BEA-2",),
    expect="it counts as lost after 10 s",
    seconds=60,
)
async def silence(bench: Bench) -> None:
    async with bench.table((("decide", 1, 9), ("roll", (6,))), seats=3) as table:
        await table.until(1)
        line = table.chairs[1].wire
        present(line.beating).cancel()
        began = asyncio.get_running_loop().time()
        await bench.closed(line, "for its silence", 20)
        waited = asyncio.get_running_loop().time() - began
        expect(waited > 7, f"the target gave up after {waited:.1f} s")


@case("07-12", "A heartbeat with another past", covers=("S-LNK-6",), expect="the target shows all its envelopes")
async def other_past(bench: Bench) -> None:
    async with bench.table((("roll", (6,)), ("decide", 1, 9), ("roll", (6,))), seats=2) as table:
        await table.until(2)
        table.chair.wire.send("beat", table.signed.game_id, 1, 0, bytes(32))
        due = {one.packed for one in table.transcript}
        await bench.wait(lambda: due <= {one.packed for one in table.passed_on()}, "all envelopes, passed on")


@case("07-13", "Heartbeats with anything in them", covers=("M-GEN-2", "M-FRM-6"), expect="they are ignored")
async def odd_beats(bench: Bench) -> None:
    async with bench.table((("decide", 1, 9), ("roll", (6,)))) as table:
        await table.until(1)
        for more in (
            (),
            (1,),
            (bytes(32), 1, 0, bytes(32)),
            (table.signed.game_id, -1, "x", None),
            (table.signed.game_id, 9, 9, bytes(32)),
        ):
            table.chair.wire.send("beat", *more)
        await table.finish()


@case(
    "07-14",
    "The target names no server, and no protocol",
    covers=("S-TLS-2",),
    expect="no server name in its first flight",
)
async def server_name(bench: Bench) -> None:
    names: list[object] = []
    context, _ = server_context()
    context.sni_callback = lambda connection, name, _: names.append(name)
    async with bench.table((("roll", (6,)),), target="join") as table:
        await table.until(1)
    context.sni_callback = None
    named = [name for name in names if name]
    expect(not named, f"the target names the server {named}")
