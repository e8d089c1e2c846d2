"""Sections 3 to 5: the encoding on the wire, and signatures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from client.conformance.bench import Bench
from client.conformance.case import Failed, case, expect
from client.conformance.cases.bending import entries
from client.conformance.cases.hosting import hosting, looks, refused
from client.conformance.codec import pack
from client.conformance.edwards import SMALL, P, encoded, larger_scalar, signed_with_torsion
from client.conformance.envelope import STAGE
from client.conformance.hashing import Identity, digest
from client.conformance.plain import Plain, spelled

ENDS: Final = "the connection ends, and the target goes on for others"
LOOK: Final = pack(("look",))


def not_canonical(id: str, title: str, bodies: Sequence[bytes], covers: Sequence[str] = ("M-ENC-1",)) -> None:
    """A case in which frames with these bodies come from strangers."""

    @case(id, title, covers=(*covers, "M-FRM-3", "M-GEN-2"), expect=ENDS)
    async def _(bench: Bench) -> None:
        port = await hosting(bench)
        for body in bodies:
            line = await bench.connect(port)
            line.send_body(body)
            await bench.closed(line, f"for the body {body[:16].hex()}")
            answers = [frame for frame in line.frames if frame[0] != "refused"]
            expect(not answers, f"the target answers {spelled(answers)} to {body[:16].hex()}")
        await looks(bench, port)


def array(*entries: bytes) -> bytes:
    return bytes([0x90 + len(entries)]) + b"".join(entries)


HELLO: Final = pack("hello")
not_canonical(
    "03-01",
    "Integers that are spelled too long",
    [
        array(pack("ping"), one)
        for one in (
            b"\xcc\x05",
            b"\xcd\x00\x80",
            b"\xce\x00\x00\x01\x00",
            b"\xcf" + bytes(7) + b"\x01",
            b"\xd0\xff",
            b"\xd1\xff\x7f",
            b"\xd0\x05",
        )
    ],
)
not_canonical(
    "03-02",
    "Text, bytes and arrays that are spelled too long",
    [
        array(b"\xd9\x04look"),
        b"\xdc\x00\x01" + pack("look"),
        b"\xdd\x00\x00\x00\x01" + pack("look"),
        array(pack("ping"), b"\xc5\x00\x01x"),
    ],
)
not_canonical(
    "03-03",
    "Maps, floats, extensions and what begins no value",
    [
        array(HELLO, one)
        for one in (
            b"\x80",
            b"\x81\xc0\xc0",
            b"\xca\x00\x00\x00\x00",
            b"\xcb" + bytes(8),
            b"\xd4\x01\x00",
            b"\xc7\x00\x01",
            b"\xc1",
        )
    ],
)
not_canonical("03-04", "Bytes behind the value", [LOOK + b"\xc0", LOOK + b"\x00"])
not_canonical(
    "03-05",
    "A value that ends in the middle",
    [LOOK[:-1], b"\x92" + pack("look"), b"\x91\xda\xff\xff" + b"x" * 100, b""],
)
not_canonical(
    "03-06",
    "Counts that the bytes cannot hold",
    [
        b"\xdd\xff\xff\xff\xff",
        b"\x91\xc6\xff\xff\xff\xff",
        b"\x91\xdb\xff\xff\xff\xff",
        b"\xdd\x7f\xff\xff\xff" + pack("look"),
    ],
    ("M-ENC-3", "M-ENC-1"),
)
not_canonical(
    "03-07",
    "Arrays that nest too deep",
    [b"\x91" * 17 + b"\xc0", array(pack("look"), b"\x91" * 16 + b"\xc0"), b"\x91" * 4000 + b"\xc0"],
    ("M-ENC-2", "M-ENC-3", "M-LIM-1"),
)
not_canonical(
    "03-08",
    "Text that is no UTF-8",
    [array(HELLO, one) for one in (b"\xa1\xff", b"\xa2\xc3\x28", b"\xa3\xed\xa0\x80", b"\xa2\xc0\x80")],
)
not_canonical(
    "03-09",
    "A body that is no array, or begins with no text",
    [pack("look"), pack(5), b"\xc0", b"\x90", pack((5, "look")), pack((b"look",))],
    ("M-FRM-3",),
)


@case(
    "03-10",
    "All types of values, as they are",
    covers=("M-ENC-1", "M-ENC-2"),
    expect="the target goes on with the hello",
)
async def all_types(bench: Bench) -> None:
    port = await hosting(bench)
    nested: Plain = ()
    for _ in range(12):
        nested = (nested,)
    numbers = (0, 127, 128, 255, 256, 2**16, 2**32, 2**64 - 1, -1, -32, -33, -129, -(2**15) - 1, -(2**31) - 1, -(2**63))
    revisions: tuple[Plain, ...] = (
        2,
        None,
        True,
        False,
        "x" * 31,
        "x" * 32,
        "ä" * 200,
        b"",
        bytes(300),
        tuple(range(20)),
        nested,
        numbers,
    )
    line = await bench.connect(port)
    line.send("hello", revisions, "suite", Identity(bytes(32)).public, digest("hello nonce", bytes(32)))
    frame = await bench.receive(line)
    expect(frame[0] == "hello", f"the target answers {spelled(frame)}")


@case(
    "03-11",
    "A boolean for a number, and a number for a boolean",
    covers=("M-ENC-4", "M-FRM-6"),
    expect="neither has an effect",
)
async def booleans(bench: Bench) -> None:
    port = await hosting(bench, seats=3)
    sat = await bench.seat_line(port, bench.identity(), name="ana")
    sat.send("sit", "ana", 0)
    await bench.receive(sat, "table")
    sat.send("ready", 1)
    other = await bench.seat_line(port, bench.identity(), name="ben")
    other.send("sit", "ben", True)
    await bench.closed(other, "for a boolean that stands for a port")
    await looks(bench, port)
    ready = [one for frame in sat.frames if frame[0] == "table" for one in frame[6][1:]]  # type: ignore[index]
    expect(not any(one[0] for one in ready), "a number counted as the word of being ready")  # type: ignore[index]


@case("03-12", "More values than a message may hold", covers=("M-ENC-2", "M-LIM-1"), expect="the connection ends")
async def many_values(bench: Bench) -> None:
    async with bench.table((("roll", (6,)),)) as table:
        await table.until(1)
        table.chair.wire.send_body(b"\x92" + pack("unknown") + b"\xdd" + (131072).to_bytes(4, "big") + b"\xc0" * 131072)
        await bench.closed(table.chair.wire, "for a message of too many values")


# -- signatures --------------------------------------------------------------------------------------------------------


def bad_identity(id: str, title: str, keys: Sequence[bytes]) -> None:
    @case(id, title, covers=("M-SIG-1", "M-HEL-3", "M-GRP-1"), expect="refused, the connection ends")
    async def _(bench: Bench) -> None:
        port = await hosting(bench)
        for key in keys:
            line = await bench.connect(port)
            line.send("hello", (2,), "suite", key, bytes(32))
            await refused(bench, line)
        await looks(bench, port)


bad_identity("05-01", "Identities of small order", [encoded(y, sign) for y in SMALL for sign in (0, 1)][:7])
bad_identity(
    "05-02",
    "Identities that are not canonical",
    [encoded(P), encoded(P + 1), encoded(P + 3), encoded(2**255 - 1, 1), bytes(31)],
)


def bad_signature(id: str, title: str, covers: Sequence[str], bend: str) -> None:
    @case(id, title, covers=covers, expect="the envelope is dropped, and the game comes to a fair end")
    async def _(bench: Bench) -> None:
        async with bench.table((("decide", 1, 9), ("roll", (6,)))) as table:
            await table.until(1)
            table.body(1)
            due, identity = table.sign(1, STAGE, (1,), kept=False), table.chairs[1].identity
            signatures = {
                "torsion": lambda: signed_with_torsion(identity, "envelope", due.unsigned),
                "large": lambda: larger_scalar(due.signature),
                "small": lambda: encoded(1) + due.signature[32:],
                "not canonical": lambda: encoded(P + 1) + due.signature[32:],
            }
            table.chair.wire.send("relay", replace(due, signature=signatures[bend]()).packed)
            await table.finish()
            if table.chain[-1].holds(table.target_identity) is False:
                raise Failed("the target's own signature does not hold")


bad_signature("05-03", "A signature that holds with the cofactor only", ("M-SIG-2",), "torsion")
bad_signature("05-04", "A signature whose S is not below L", ("M-SIG-1",), "large")
bad_signature("05-05", "A signature whose R is of small order", ("M-SIG-1",), "small")
bad_signature("05-06", "A signature whose R is not canonical", ("M-SIG-1",), "not canonical")


@case(
    "05-07",
    "Secrets are fresh at each table",
    covers=("M-SIG-3", "M-SIG-4"),
    expect="another nonce and another seed at each table",
)
async def fresh(bench: Bench) -> None:
    seen: set[bytes] = set()
    for _ in range(3):
        async with bench.table((("roll", (6,)),), seeded=False) as table:
            await table.finish()
            place = table.signed.roster.places[table.target]
            shown = entries(table.chain[-2].body)
            drawn = {
                place.nonce_commitment,
                place.seed_hash,
                table.signed.nonces[table.target],
                shown[0],
                place.identity,
            }
            expect(not drawn & seen, "something of this table is as it was at another one")
            expect(shown[0] != table.signed.nonces[table.target], "seed and nonce are one")
            seen |= {one for one in drawn if isinstance(one, bytes)}
            for line in table.lines:
                line.cut()
