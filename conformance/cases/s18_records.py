"""Sections 17 and 18: records that the target judges."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final

from kimberley.conformance.case import case
from kimberley.conformance.errors import Failed, expect
from kimberley.conformance.forging import entries, put
from kimberley.conformance.harness.harness import Harness
from kimberley.conformance.harness.identity import SuiteIdentity
from kimberley.conformance.harness.traffic import SENT
from kimberley.conformance.plain import spelled
from kimberley.conformance.table.attestations import attest
from kimberley.conformance.table.offline import OfflineGame
from kimberley.conformance.table.table import open_table
from kimberley.games.table import Plain
from kimberley.protocol.crypto.hashing import digest
from kimberley.protocol.encoding import pack, unpack
from kimberley.protocol.envelope import STAGE, next_head
from kimberley.protocol.record import MAGIC, Record, sealed

MOST_SHOWN: Final = 16384
"""Bytes of a record that a report shows."""


async def verdict_on(harness: Harness, data: bytes, seconds: float = 40) -> dict[str, Any]:
    """Returns the target's verdict on a record, within this time. Raises NotClaimed if it lacks the record's game."""
    with suppress(ValueError):
        await harness.require(Record.unpack(data).table.roster.game)
    path = harness.folder / "record"
    path.write_bytes(data)
    excerpt = data if len(data) <= MOST_SHOWN else data[:MOST_SHOWN]
    harness.traffic.keep(
        str(path), SENT, f"a record of {len(data)} bytes: {excerpt.hex()}{'...' * (excerpt is not data)}"
    )
    job = await harness.start_job("verify", file=str(path))
    return await harness.await_event(job, "verdict", seconds)


async def verified(harness: Harness, data: bytes, code: str, **due: Plain) -> None:
    """Expects the target's verdict on a record to have this code and these entries; seats may be in any order."""
    verdict = await verdict_on(harness, data)
    reported = {"code": verdict["code"], **{name: _in_order(verdict.get(name)) for name in due}}
    wanted = {"code": code, **{name: _in_order(value) for name, value in due.items()}}
    if reported != wanted:
        raise Failed(f"the target's verdict is {spelled(verdict)}, and {spelled(wanted)} is due")


def _in_order(entry: Any) -> Any:
    return sorted(entry, key=str) if isinstance(entry, (tuple, list)) else entry


Make = Callable[[], tuple[bytes, str, dict[str, Plain]]]


def record_case(id: str, title: str, covers: Sequence[str], expect: str, make: Make) -> None:
    """Adds a case in which the target judges one record."""

    @case(id, title, covers=covers, expect=expect)
    async def _(harness: Harness) -> None:
        data, code, due = make()
        await verified(harness, data, code, **due)


def damaged_record(id: str, title: str, covers: Sequence[str], make: Callable[[], bytes]) -> None:
    record_case(
        id,
        title,
        (*covers, "M-AUD-2", "M-AUD-4"),
        "damaged, and nobody is blamed",
        lambda: (make(), "damaged", {"seats": ()}),
    )


def whole() -> Record:
    return OfflineGame().closed().record


def repacked(change: Callable[[tuple[Plain, ...]], Plain]) -> bytes:
    """Returns a record with other fields and the right checksum."""
    return sealed(pack(change(entries(unpack(whole().pack()[len(MAGIC) : -32])))))


def without(*places: int) -> bytes:
    record = whole()
    return replace(record, envelopes=tuple(one for at, one in enumerate(record.envelopes) if at not in places)).pack()


record_case("18-01", "A whole record", ("M-AUD-1", "M-REC-2"), "fair", lambda: (whole().pack(), "fair", {"seats": ()}))
record_case(
    "18-02",
    "A record of six seats",
    ("M-AUD-1",),
    "fair",
    lambda: (OfflineGame(6, (("roll", (6,)), ("together", (0, 1, 2, 3, 4, 5), 9))).closed().record.pack(), "fair", {}),
)
damaged_record("18-03", "Empty bytes", ("M-REC-1", "M-AUD-3"), lambda: b"")
damaged_record(
    "18-04", "Another first line", ("M-REC-1",), lambda: whole().pack().replace(MAGIC, b"kimberley RECORD\n")
)
damaged_record(
    "18-05",
    "A checksum that does not hold",
    ("M-REC-1",),
    lambda: whole().pack()[:-1] + b"\0" if whole().pack()[-1] else whole().pack()[:-1] + b"\1",
)
damaged_record("18-06", "A record that was cut", ("M-REC-1",), lambda: whole().pack()[:-100])
damaged_record(
    "18-07",
    "Contents that are not canonical",
    ("M-REC-1", "M-ENC-1"),
    lambda: sealed(whole().pack()[len(MAGIC) : -32] + b"\0"),
)
damaged_record("18-08", "A field too many", ("M-REC-5",), lambda: repacked(lambda fields: (*fields, (), ())))
damaged_record("18-09", "A field too few", ("M-REC-5",), lambda: repacked(lambda fields: fields[:3]))
damaged_record(
    "18-10",
    "Text among the envelopes",
    ("M-REC-5",),
    lambda: repacked(lambda f: (*f[:2], (*entries(f[2]), "x"), f[3])),
)
damaged_record(
    "18-11",
    "A roster that one seat did not sign",
    ("M-AUD-1",),
    lambda: repacked(lambda f: (f[0], put(f[1], bytes(64), 1, 0), *f[2:])),
)
damaged_record(
    "18-12",
    "A nonce that does not open its commitment",
    ("M-SEA-5",),
    lambda: repacked(lambda f: (f[0], put(f[1], bytes(32), 2, 0), *f[2:])),
)
damaged_record(
    "18-13",
    "A signature of an envelope that does not verify",
    ("M-AUD-1",),
    lambda: replace(
        whole(), envelopes=(*whole().envelopes[:-1], replace(whole().envelopes[-1], signature=bytes(64)))
    ).pack(),
)
damaged_record(
    "18-14",
    "An envelope that is there twice",
    ("M-AUD-1",),
    lambda: replace(whole(), envelopes=(whole().envelopes[0], *whole().envelopes)).pack(),
)
damaged_record("18-15", "A gap in a chain", ("M-AUD-1",), lambda: without(2))
damaged_record("18-16", "An envelope of another head", ("M-AUD-1",), lambda: _other_head())
damaged_record(
    "18-17",
    "Bytes that are not an envelope",
    ("M-AUD-3",),
    lambda: repacked(lambda f: (*f[:2], (*entries(f[2]), b"\x90"), f[3])),
)
record_case(
    "18-18",
    "Another revision of the protocol",
    ("M-GEN-4", "M-AUD-4"),
    "unknown",
    lambda: (repacked(lambda fields: (2, *fields[1:])), "unknown", {"seats": ()}),
)
record_case(
    "18-19",
    "Another revision of the rules",
    ("M-GEN-4", "M-AUD-4"),
    "unknown",
    lambda: (OfflineGame(rules=9).closed().record.pack(), "unknown", {"seats": ()}),
)
record_case(
    "18-20",
    "A game that the target does not know",
    ("M-AUD-4",),
    "unknown",
    lambda: (OfflineGame(game="whist").closed().record.pack(), "unknown", {}),
)
record_case(
    "18-21",
    "A record that ends in the game",
    ("M-AUD-2", "M-AUD-4"),
    "incomplete: the verdict names the seat that owes, and where",
    lambda: (OfflineGame().until(3).record.pack(), "incomplete", {"absent": (1,), "step": 3, "stage": 0}),
)
record_case(
    "18-22",
    "A record without a verdict",
    ("M-AUD-2",),
    "incomplete: both seats owe it",
    lambda: (OfflineGame().closed(stages=2).record.pack(), "incomplete", {"absent": (0, 1)}),
)
record_case(
    "18-23",
    "A record of nothing but the roster",
    ("M-AUD-2",),
    "incomplete",
    lambda: (replace(whole(), envelopes=()).pack(), "incomplete", {"absent": (0, 1), "step": 0}),
)


def _other_head() -> bytes:
    written = OfflineGame().until(1)
    written.head = bytes(32)
    written.until(2)
    return written.record.pack()


def _guilty() -> tuple[bytes, str, dict[str, Plain]]:
    written = OfflineGame().until(1)
    written.sign(1, STAGE, (b"short",), (1, 0))
    return written.record.pack(), "unfair", {"seats": (1,), "step": 1, "stage": 0}


def _twice(*, in_evidence: bool) -> Make:
    def make() -> tuple[bytes, str, dict[str, Plain]]:
        written = OfflineGame().closed()
        number = next(at for at, one in enumerate(written.envelopes) if one.seat == 1 and one.step == 2)
        due = written.envelopes[number]
        other = replace(due, body=(bytes(32),)).signed(written.identities[1].sign)
        record = written.record
        mutated = (
            replace(record, evidence=(other,)) if in_evidence else replace(record, envelopes=(*record.envelopes, other))
        )
        return mutated.pack(), "unfair", {"seats": (1,)}

    return make


def _deviates() -> tuple[bytes, str, dict[str, Plain]]:
    written = OfflineGame().until(2)
    play = written.play
    bodies: dict[int, Plain] = {}
    for seat in (0, 1):
        play.make_choice(seat, seat + 1)
        bodies[seat] = play.seats[seat].body() if seat else (bytes(32),)
    written.stage(play.slot, STAGE, bodies)
    play.complete(bodies)
    return written.closed(("unfair", ((2, 0, 0),))).record.pack(), "unfair", {"seats": (0,), "step": 2, "stage": 0}


def _false_verdict() -> tuple[bytes, str, dict[str, Plain]]:
    return OfflineGame().closed(("unfair", ((2, 0, 0),))).record.pack(), "unfair", {"seats": (0, 1)}


record_case(
    "18-24",
    "A body that public facts forbid",
    ("M-AUD-1", "M-AUD-4"),
    "unfair: the verdict names seat, step and stage",
    _guilty,
)
record_case(
    "18-25",
    "Two envelopes with one number, one of them evidence",
    ("M-REC-3", "M-REC-2"),
    "unfair",
    _twice(in_evidence=True),
)
record_case(
    "18-26", "Two envelopes with one number among the envelopes", ("M-REC-2",), "unfair", _twice(in_evidence=False)
)
record_case("18-27", "A deviation", ("M-AUD-1",), "unfair: the verdict names seat, step and stage", _deviates)
record_case(
    "18-28",
    "A verdict that is not true",
    ("M-CLO-3",),
    "unfair: the verdict names the seats that signed it",
    _false_verdict,
)


def _attested(*, count: int = 1, bad: bool = False, absent: tuple[int, ...] = (1,), witnesses: bool = False) -> bytes:
    written = OfflineGame().until(3)
    who = [SuiteIdentity(digest("witness", n)) for n in range(count)] if witnesses else [written.identities[0]] * count
    attestations = tuple(attest(one, written.game_id, (3, 0), written.head, absent) for one in who)
    if bad:
        attestations = tuple(replace(one, signature=bytes(64)) for one in attestations)
    return replace(written.record, attestations=attestations).pack()


record_case(
    "18-29",
    "An attestation of the absent seat",
    ("M-ATT-1", "M-ATT-2"),
    "incomplete",
    lambda: (_attested(), "incomplete", {"absent": (1,)}),
)
record_case(
    "18-30",
    "An attestation of a seat whose envelope is there",
    ("M-ATT-2",),
    "incomplete: the verdict names the seat that owes, and nobody else",
    lambda: (_attested(absent=(0,)), "incomplete", {"absent": (1,)}),
)
damaged_record("18-31", "An attestation whose signature does not verify", ("M-ATT-1",), lambda: _attested(bad=True))
damaged_record("18-32", "Two attestations of one witness", ("M-ATT-1",), lambda: _attested(count=2))
damaged_record(
    "18-33", "Thirty-three attestations", ("M-ATT-1", "M-LIM-1"), lambda: _attested(count=33, witnesses=True)
)
record_case(
    "18-34",
    "Thirty-two attestations",
    ("M-ATT-1", "M-LIM-1"),
    "incomplete",
    lambda: (_attested(count=32, witnesses=True), "incomplete", {"absent": (1,)}),
)
damaged_record(
    "18-35", "No attestation where there should be one", ("M-REC-5",), lambda: repacked(lambda fields: (*fields, ()))
)


def _with_another_kind() -> bytes:
    """Returns a game in which a seat has signed an envelope of kind 1 before the one due."""
    written = OfflineGame().until(1)
    other = written.sign(0, 1, "hello", (1, 0))
    bodies = {seat: written.play.seats[seat].body() for seat in (0, 1)}
    signed = [written.sign(seat, STAGE, body, (1, 0)) for seat, body in bodies.items()]
    written.head = next_head(written.head, 1, 0, (other.hash, *(one.hash for one in signed)))
    written.play.complete(bodies)
    return written.closed().record.pack()


damaged_record("18-36", "An envelope of the kind that there is not", ("M-ENV-1", "M-AUD-1"), _with_another_kind)


@case(
    "18-37",
    "A record with a bit changed anywhere",
    covers=("M-AUD-3", "M-AUD-2", "M-GEN-2"),
    expect="damaged, wherever the bit is",
    seconds=60,
)
async def any_bit(harness: Harness) -> None:
    data = whole().pack()
    for number in range(6):
        at = int.from_bytes(hashlib.sha256(bytes([number])).digest()[:4], "big") % len(data)
        await verified(harness, data[:at] + bytes([data[at] ^ 1 << number]) + data[at + 1 :], "damaged", seats=())


@case(
    "18-38",
    "The target judges its own records as it judged their games",
    covers=("M-AUD-1", "S-REC-4"),
    expect="the same verdict from the file alone",
)
async def own_record(harness: Harness) -> None:
    async with open_table(harness, (("roll", (6,)), ("decide", 0, 9))) as table:
        await table.finish()
        path = (await harness.await_event(table.job, "verdict"))["record"]
        job = await harness.start_job("verify", file=path, options=table.job.message["options"])
        verdict = await harness.await_event(job, "verdict", 40)
        expect(verdict["code"] == "fair", f"the verdict on the file is {spelled(verdict)}, and fair is due")


@case(
    "18-41",
    "More values than a record may hold",
    covers=("M-REC-1", "M-LIM-1"),
    expect="damaged, although its evidence would prove a seat guilty",
    seconds=150,
)
async def many_values(harness: Harness) -> None:
    written = OfflineGame().closed()
    other = replace(written.envelopes[-1], body=(None,) * 131_050).signed(written.identities[1].sign)
    data = replace(written.record, evidence=(other,) * 17).pack()
    verdict = await verdict_on(harness, data, 120)
    expect(verdict["code"] == "damaged", f"the verdict is {spelled(verdict)}, and damaged is due")
