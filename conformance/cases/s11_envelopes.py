"""Section 11: envelopes. Wrong bytes are dropped; an envelope that proves guilt counts at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from kimberley.conformance.case import case
from kimberley.conformance.cases.mutations import entries
from kimberley.conformance.cases.scripts import Asks
from kimberley.conformance.errors import Failed, expect
from kimberley.conformance.harness.harness import Harness
from kimberley.conformance.harness.identity import SuiteIdentity
from kimberley.conformance.plain import spelled
from kimberley.conformance.table.table import TargetTable, open_table
from kimberley.games.table import Plain
from kimberley.protocol.encoding import pack, unpack
from kimberley.protocol.envelope import CHAT, STAGE, Envelope

DROPPED: Final = "the bytes are dropped, nobody is blamed, and the game comes to a fair end"
GUILTY: Final = "the target finds the seat guilty and signs nothing more, and its record proves the guilt"
GAME: Final[Asks] = (("decide", 1, 9), ("roll", (6,)), ("decide", 0, 9))

Make = Callable[[TargetTable], bytes]


def dropped(id: str, title: str, covers: Sequence[str], make: Make) -> None:
    """A case in which wrong bytes come before the envelope that is due."""

    @case(id, title, covers=(*covers, "M-GEN-2", "M-GEN-3"), expect=DROPPED)
    async def _(harness: Harness) -> None:
        async with open_table(harness, GAME) as table:
            await table.until(1)
            table.body(1)
            table.suite_seat.wire.send("envelope", make(table))
            await table.finish()


def mutated(**fields: object) -> Make:
    """The envelope due, with some fields changed, signed by its seat."""
    return lambda table: table.sign(1, STAGE, (1,), kept=False, **fields).pack()


def unsigned(change: Callable[[tuple[Plain, ...]], Plain]) -> Make:
    """The envelope due, with any change to its fields, signed by its seat."""

    def make(table: TargetTable) -> bytes:
        due = table.sign(1, STAGE, (1,), kept=False)
        data = pack(change(entries(unpack(due.unsigned))))
        return pack((data, table.suite_seats[1].identity.sign("envelope", data)))

    return make


def by_stranger(table: TargetTable) -> bytes:
    due = table.sign(1, STAGE, (1,), kept=False)
    return due.signed(SuiteIdentity(bytes(32)).sign).pack()


def other_purpose(table: TargetTable) -> bytes:
    due = table.sign(1, STAGE, (1,), kept=False)
    return replace(due, signature=table.suite_seats[1].identity.sign("roster", due.unsigned)).pack()


def cut_signature(table: TargetTable) -> bytes:
    due = table.sign(1, STAGE, (1,), kept=False)
    return pack((due.unsigned, due.signature[:63]))


def own_forged(table: TargetTable) -> bytes:
    """An envelope in the target's name, which it never signed."""
    last = table.chain[-1]
    made = Envelope(last.game, last.seat, last.number + 1, last.hash, 1, 0, table.head, CHAT, "never said")
    return made.signed(table.suite_seats[1].identity.sign).pack()


NOT_ONE: Final = ("M-ENV-1", "M-ENV-5")
dropped("11-01", "Bytes that are not an envelope", NOT_ONE, lambda table: b"\x92\xc4\x00")
dropped("11-02", "No bytes at all", NOT_ONE, lambda table: b"")
dropped("11-03", "An envelope of another table", NOT_ONE, mutated(game=bytes(32)))
dropped("11-04", "An envelope of a seat that the table does not have", NOT_ONE, unsigned(lambda f: (*f[:2], 2, *f[3:])))
dropped("11-05", "A signature by another identity", NOT_ONE, by_stranger)
dropped("11-06", "A signature for another purpose", (*NOT_ONE, "M-SIG-3"), other_purpose)
dropped("11-07", "A signature of 63 bytes", NOT_ONE, cut_signature)
dropped("11-08", "Another revision", (*NOT_ONE, "M-GEN-4"), unsigned(lambda fields: (3, *fields[1:])))
dropped("11-09", "A field too many", NOT_ONE, unsigned(lambda fields: (*fields, None)))
dropped("11-10", "A field too few", NOT_ONE, unsigned(lambda fields: fields[:-1]))
dropped(
    "11-11", "A boolean for the number of the stage", (*NOT_ONE, "M-ENC-4"), unsigned(lambda f: (*f[:6], False, *f[7:]))
)
dropped("11-12", "A negative step", NOT_ONE, unsigned(lambda f: (*f[:5], -1, *f[6:])))
dropped("11-13", "An unknown kind", NOT_ONE, unsigned(lambda f: (*f[:8], 5, f[9])))
dropped("11-14", "A head of 31 bytes", NOT_ONE, unsigned(lambda f: (*f[:7], bytes(31), *f[8:])))
dropped("11-15", "A chat that is not text", NOT_ONE, unsigned(lambda f: (*f[:8], 1, b"hello")))
dropped("11-16", "A chat of 501 characters", NOT_ONE, unsigned(lambda f: (*f[:8], 1, "x" * 501)))
dropped("11-17", "A resignation with a body", NOT_ONE, unsigned(lambda f: (*f[:8], 2, 0)))
dropped("11-18", "An envelope in the name of the target", (*NOT_ONE, "M-RET-3"), own_forged)
dropped("11-19", "A step in two bytes where one would do", ("M-ENC-1", "M-ENV-1"), lambda t: long_step(t))
dropped("11-20", "A hash of no earlier envelope", ("M-ENV-2",), mutated(previous=bytes(32)))


def long_step(table: TargetTable) -> bytes:
    """The envelope due, with its step encoded in two bytes."""
    due = table.sign(1, STAGE, (1,), kept=False)
    short = due.previous + bytes([due.step, due.stage])
    data = due.unsigned.replace(short, due.previous + bytes([0xCC, due.step, due.stage]))
    if data == due.unsigned:
        raise AssertionError("the step was not found in the envelope")
    return pack((data, table.suite_seats[1].identity.sign("envelope", data)))


@case("11-21", "The same envelope again, with another signature", covers=("M-ENV-4", "M-ENV-5"), expect=DROPPED)
async def signed_twice(harness: Harness) -> None:
    async with open_table(harness, GAME) as table:
        await table.until(1)
        due = table.give(1)
        other = replace(due, signature=bytes(64))
        table.suite_seat.wire.send("envelope", other.pack())
        table.send_envelope(due)
        await table.finish()


@case("11-22", "Two envelopes with one number", covers=("M-ENV-3", "M-REC-3", "M-GEN-3"), expect=GUILTY)
async def two_with_one_number(harness: Harness) -> None:
    async with open_table(harness, GAME) as table:
        await table.until(1)
        other = table.sign(1, STAGE, (2,), kept=False)
        due = table.give(1)
        table.suite_seat.wire.send("envelope", other.pack())
        record = await table.expect_guilty(1)
        kept = {*record.envelopes, *record.evidence}
        expect({due, other} <= kept, "the record lacks an envelope that proves the guilt")


@case(
    "11-23",
    "A number that comes too early is kept",
    covers=("M-ENV-5", "M-STG-1"),
    expect="it counts once those before it have come",
)
async def too_early(harness: Harness) -> None:
    async with open_table(harness, GAME) as table:
        await table.until(1)
        first = table.sign(1, CHAT, "one")
        second = table.sign(1, CHAT, "two")
        table.loose[1] += [first, second]
        due = table.give(1, quiet=True)
        for late in (due, second, first):
            table.send_envelope(late)
        await table.finish()


@case(
    "11-24",
    "Seventeen numbers that come too early",
    covers=("M-LIM-1",),
    expect="sixteen are kept; the rest have to be sent again",
)
async def far_too_early(harness: Harness) -> None:
    async with open_table(harness, GAME) as table:
        await table.until(1)
        talk = [table.sign(1, CHAT, str(number)) for number in range(18)]
        table.loose[1] += talk
        for early in talk[1:]:
            table.send_envelope(early)
        table.send_envelope(talk[0])
        await table.sync()
        await harness.wait_until(lambda: len(table.job.all("said")) >= 17, "the chats of the seat")
        said = [event["text"] for event in table.job.all("said") if event["seat"] == 1]
        expect(said == [str(number) for number in range(17)], f"the target reported the chats {spelled(said)}")
        table.send_envelope(talk[17])
        await table.finish()


@case("11-25", "Two envelopes for one stage", covers=("M-ENV-3", "M-STG-8"), expect=GUILTY)
async def two_for_one_stage(harness: Harness) -> None:
    async with open_table(harness, GAME) as table:
        await table.until(1)
        table.give(1)
        second = table.sign(1, STAGE, (3,))
        table.send_envelope(second)
        await table.expect_guilty(1, (1, 0))


@case(
    "11-26",
    "Frames that hold no bytes",
    covers=("M-FRM-6",),
    expect="no effect: they are ignored, or the connection ends",
)
async def no_bytes(harness: Harness) -> None:
    async with open_table(harness, GAME, seats=3) as table:
        await table.until(1)
        table.suite_seat.wire.send("envelope", "text")
        table.suite_seat.wire.send("envelope", 5)
        await harness.pause(0.2)
        expect(not table.job.all("guilty"), "a seat was blamed for a frame")
        if table.suite_seat.wire.closed:
            return
        await table.finish()


@case(
    "11-27",
    "An envelope of the largest size is taken for what it is",
    covers=("M-ENV-1", "M-LIM-1"),
    expect="it is judged like any other: the seat is guilty of a body with a wrong shape",
)
async def largest(harness: Harness) -> None:
    async with open_table(harness, GAME) as table:
        await table.until(1)
        table.body(1)
        empty = table.sign(1, STAGE, (b"",), kept=False)
        room = 1047552 - len(empty.pack()) - 3 - 3
        await table.expect_caught(1, (bytes(room),))


@case("11-28", "An envelope above the largest size", covers=("M-ENV-1", "M-LIM-1"), expect=DROPPED)
async def too_large(harness: Harness) -> None:
    async with open_table(harness, GAME) as table:
        await table.until(1)
        table.body(1)
        large = table.sign(1, STAGE, (bytes(1047552),), kept=False)
        table.suite_seat.wire.send("envelope", large.pack())
        await table.finish()


@case(
    "11-29",
    "The target numbers its envelopes without gaps",
    covers=("M-ENV-2", "M-LNK-1"),
    expect="one chain, the same to every seat",
)
async def own_chain(harness: Harness) -> None:
    async with open_table(harness, (("roll", (6,)), ("decide", 0, 3), ("together", (0, 1, 2), 3)), seats=3) as table:
        await table.until(2)
        for text in ("one", "two"):
            table.job.do("say", text=text)
        await table.sync()
        await table.finish()
        lengths = {connection.count("envelope") for connection in table.connections}
        if lengths != {len(table.chain)}:
            raise Failed(f"the target signed {len(table.chain)} envelopes, but sent {lengths} on its connections")
