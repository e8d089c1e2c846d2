"""Sections 3 to 5: the encoding on the wire, and signatures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from kimberley.conformance.case import case
from kimberley.conformance.cases.hosting import expect_card, expect_refusal, hosting
from kimberley.conformance.edwards import SMALL, encoded, larger_scalar, signed_with_torsion
from kimberley.conformance.errors import Failed, expect
from kimberley.conformance.forging import entries
from kimberley.conformance.harness.harness import Harness
from kimberley.conformance.harness.identity import SuiteIdentity
from kimberley.conformance.plain import spelled
from kimberley.conformance.table.table import open_table
from kimberley.games.table import Plain
from kimberley.protocol.crypto.hashing import digest
from kimberley.protocol.crypto.signatures import FIELD
from kimberley.protocol.encoding import pack
from kimberley.protocol.envelope import STAGE

ENDS: Final = "the connection ends, and the target goes on for others"
LOOK: Final = pack(("look",))


def not_canonical(id: str, title: str, bodies: Sequence[bytes], covers: Sequence[str] = ("M-ENC-1",)) -> None:
    """Adds a case in which strangers send frames with these bodies."""

    @case(id, title, covers=(*covers, "M-FRM-3", "M-GEN-2"), expect=ENDS)
    async def _(harness: Harness) -> None:
        port = await hosting(harness)
        for body in bodies:
            connection = await harness.connect(port)
            connection.send_body(body)
            await harness.expect_closed(connection, f"for the body {body[:16].hex()}")
            answers = [frame for frame in connection.frames if frame[0] != "refused"]
            expect(not answers, f"the target answers {spelled(answers)} to {body[:16].hex()}")
        await expect_card(harness, port)


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
    "Maps, floats, extensions and bytes that begin no value",
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
    "Text that is not UTF-8",
    [array(HELLO, one) for one in (b"\xa1\xff", b"\xa2\xc3\x28", b"\xa3\xed\xa0\x80", b"\xa2\xc0\x80")],
)
not_canonical(
    "03-09",
    "A body that is not an array, or does not begin with text",
    [pack("look"), pack(5), b"\xc0", b"\x90", pack((5, "look")), pack((b"look",))],
    ("M-FRM-3",),
)


@case(
    "03-10",
    "All types of values, as they are",
    covers=("M-ENC-1", "M-ENC-2"),
    expect="the target goes on with the hello",
)
async def all_types(harness: Harness) -> None:
    port = await hosting(harness)
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
    connection = await harness.connect(port)
    connection.send("hello", revisions, "suite", SuiteIdentity(bytes(32)).public, digest("hello nonce", bytes(32)))
    frame = await harness.receive(connection)
    expect(frame[0] == "hello", f"the target answers {spelled(frame)}")


@case(
    "03-11",
    "A boolean for a number, and a number for a boolean",
    covers=("M-ENC-4", "M-FRM-6"),
    expect="neither has any effect",
)
async def booleans(harness: Harness) -> None:
    port = await hosting(harness, seats=3)
    sat = await harness.connect_seat(port, harness.identity(), name="ana")
    sat.send("sit", "ana", 0)
    await harness.receive(sat, "table")
    sat.send("vote", "ready", 1)
    other = await harness.connect_seat(port, harness.identity(), name="ben")
    other.send("sit", "ben", True)
    await harness.expect_closed(other, "for a boolean where a port is due")
    await expect_card(harness, port)
    ready = [one for frame in sat.frames if frame[0] == "table" for one in frame[6][1:]]  # type: ignore[index]
    expect(not any(one[0] for one in ready), "the number 1 in `ready` counted as true")  # type: ignore[index]


@case("03-12", "More values than a message may hold", covers=("M-ENC-2", "M-LIM-1"), expect="the connection ends")
async def many_values(harness: Harness) -> None:
    async with open_table(harness, (("roll", (6,)),)) as table:
        await table.until(1)
        table.suite_seat.wire.send_body(
            b"\x92" + pack("unknown") + b"\xdd" + (131072).to_bytes(4, "big") + b"\xc0" * 131072
        )
        await harness.expect_closed(table.suite_seat.wire, "for a message with too many values")


# -- signatures --------------------------------------------------------------------------------------------------------


def bad_identity(id: str, title: str, keys: Sequence[bytes]) -> None:
    @case(id, title, covers=("M-SIG-1", "M-HEL-3", "M-GRP-1"), expect="it is refused, and the connection ends")
    async def _(harness: Harness) -> None:
        port = await hosting(harness)
        for key in keys:
            connection = await harness.connect(port)
            connection.send("hello", (3,), "suite", key, bytes(32))
            await expect_refusal(harness, connection)
        await expect_card(harness, port)


bad_identity("05-01", "Identities of small order", [encoded(y, sign) for y in SMALL for sign in (0, 1)][:7])
bad_identity(
    "05-02",
    "Identities that are not canonical",
    [encoded(FIELD), encoded(FIELD + 1), encoded(FIELD + 3), encoded(2**255 - 1, 1), bytes(31)],
)


def bad_signature(id: str, title: str, covers: Sequence[str], mutate: str) -> None:
    @case(id, title, covers=covers, expect="the envelope is dropped, and the game comes to a fair end")
    async def _(harness: Harness) -> None:
        async with open_table(harness, (("decide", 1, 9), ("roll", (6,)))) as table:
            await table.until(1)
            table.body(1)
            due, identity = table.sign(1, STAGE, (1,), kept=False), table.suite_seats[1].identity
            signatures = {
                "torsion": lambda: signed_with_torsion(identity.secret, "envelope", due.unsigned),
                "large": lambda: larger_scalar(due.signature),
                "small": lambda: encoded(1) + due.signature[32:],
                "not canonical": lambda: encoded(FIELD + 1) + due.signature[32:],
            }
            table.suite_seat.wire.send("envelope", replace(due, signature=signatures[mutate]()).pack())
            await table.finish()
            if not table.chain[-1].signed_by(table.target_identity):
                raise Failed("the target's own signature does not verify")


bad_signature("05-03", "A signature that only holds with the cofactor", ("M-SIG-2",), "torsion")
bad_signature("05-04", "A signature whose S is not below L", ("M-SIG-1",), "large")
bad_signature("05-05", "A signature whose R is of small order", ("M-SIG-1",), "small")
bad_signature("05-06", "A signature whose R is not canonical", ("M-SIG-1",), "not canonical")


@case(
    "05-07",
    "Secrets are fresh at each table",
    covers=("M-SIG-3", "M-SIG-4"),
    expect="a new nonce and a new seed at each table",
)
async def fresh(harness: Harness) -> None:
    seen: set[bytes] = set()
    for _ in range(3):
        async with open_table(harness, (("roll", (6,)),), seeded=False) as table:
            await table.finish()
            place = table.signed.roster.seats[table.target]
            fields = entries(table.chain[-2].body)
            drawn = {
                place.nonce_commitment,
                place.seed_hash,
                table.signed.nonces[table.target],
                fields[0],
                place.identity,
            }
            expect(not drawn & seen, "the target uses a secret of another table again")
            expect(
                fields[0] != table.signed.nonces[table.target], "the target uses one secret as its seed and its nonce"
            )
            seen |= {one for one in drawn if isinstance(one, bytes)}
            for connection in table.connections:
                connection.abort()
