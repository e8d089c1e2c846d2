"""Sections 10.3, 10.4 and 19: a seat comes back after its process ended; games are put aside, or given up."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any, Final

from kimberley.conformance.case import case
from kimberley.conformance.cases.hosting import expect_refusal
from kimberley.conformance.cases.s10_links import lose
from kimberley.conformance.cases.scripts import Asks
from kimberley.conformance.errors import Failed, expect
from kimberley.conformance.harness.connection import kind_of
from kimberley.conformance.harness.harness import Harness
from kimberley.conformance.plain import spelled
from kimberley.conformance.table.attestations import attest, expect_attestation
from kimberley.conformance.table.table import TargetTable, open_table
from kimberley.protocol.envelope import STAGE, START, Envelope

GAME: Final[Asks] = (("decide", 1, 9), ("roll", (6,)), ("decide", 0, 9), ("together", (0, 1), 9), ("roll", (6,)))
THREE: Final[Asks] = (("roll", (6,)), ("roll", (6,)), ("decide", 2, 9), ("roll", (6,)))
BACK: Final = "it goes on from where it was, with the same envelopes that it had sent, to a fair end"


async def resumed(harness: Harness, table: TargetTable) -> None:
    """Ends the target's process as a power failure does. Another process resumes the game."""
    table.read_envelopes()
    await harness.kill(table.job)
    await resume(harness, table)


async def resume(harness: Harness, table: TargetTable) -> None:
    """Resumes the game in another process of the target, from what the first one kept."""
    connection: dict[str, Any] = {
        name: table.job.message[name] for name in ("data", "seed", "options") if name in table.job.message
    }
    for suite_seat in table.suite_seats.values():
        suite_seat.wire.abort()
    table.job = await harness.start_job("resume", **connection)
    table.port = await harness.listening_port(table.job)


@case(
    "10-51",
    "The target's process ends, and comes back",
    covers=("M-LNK-4", "M-JRN-1", "M-JRN-4", "M-JRN-5", "M-GEN-1"),
    expect=BACK,
)
async def comes_back(harness: Harness) -> None:
    async with open_table(harness, GAME) as table:
        await table.until(3)
        await table.await_target()
        await resumed(harness, table)
        await table.reconnect(1)
        await table.finish()


@case("10-52", "It ends in the middle of a commitment", covers=("M-LNK-4", "M-JRN-1", "M-JRN-5"), expect=BACK)
async def within_commitment(harness: Harness) -> None:
    async with open_table(harness, GAME) as table:
        await table.until(4)
        await table.await_target()
        table.give(1, quiet=True)
        await resumed(harness, table)
        await table.reconnect(1)
        await table.finish()


@case("10-53", "It ends while all show their seeds", covers=("M-JRN-1", "M-CLO-1"), expect=BACK)
async def within_closing(harness: Harness) -> None:
    async with open_table(harness, (("roll", (6,)),)) as table:
        await table.until(2)
        await table.complete()
        await table.await_target()
        await resumed(harness, table)
        await table.reconnect(1)
        await table.finish()


@case(
    "10-54",
    "A seat that is back waits for `have` of all",
    covers=("M-RET-1",),
    expect="the target signs nothing before",
)
async def waits_for_all(harness: Harness) -> None:
    async with open_table(harness, THREE, seats=3) as table:
        await table.until(1)
        await table.await_target()
        await resumed(harness, table)
        count = len(table.chain)
        await table.reconnect(1)
        table.give(1)
        for envelope in (table.give(2, quiet=True),):
            table.send_envelope(envelope, by=1)
        await harness.pause(0.5)
        table.read_envelopes()
        expect(len(table.chain) == count, "the target signed something before all had said what they have")
        await table.reconnect(2)
        await table.finish()


@case(
    "10-55",
    "An old copy of what it kept",
    covers=("M-RET-1", "M-RET-2", "M-RET-3", "M-RET-8", "M-RET-11"),
    expect="it waits; when it is shown its last envelope, it signs nothing more, and ends its connections without a "
    "`bye`; with the latest copy the game goes on",
)
async def old_copy(harness: Harness) -> None:
    await harness.require("resume")
    async with open_table(harness, GAME) as table:
        await table.until(1)
        await table.await_target() if table.target in table.owing else None
        data, copy, latest = Path(table.job.message["data"]), harness.folder / "copy", harness.folder / "latest"
        shutil.copytree(data, copy)
        await table.until(4)
        await table.await_target()
        await harness.kill(table.job)
        shutil.move(data, latest)
        shutil.move(copy, data)
        harness.forget_state()
        count = len(table.chain)
        await resume(harness, table)
        connection = await harness.connect_seat(table.port, table.suite_seats[1].identity, table.purpose)
        connection.send(*table.have())
        await harness.wait_until(lambda: connection.first, "`have` of the target")
        known = table.count_of(table.target, connection)
        expect(known < count, f"the target says that it has {known} of its envelopes, and it was given an old copy")
        await harness.pause(0.5)
        # `same` counts until the game is over, and is sent on each new connection (9.6).
        more = tuple(kind for kind in map(kind_of, connection.frames) if kind != "same")
        expect(not more, f"the target sends {spelled(more)} before it is shown what it has signed")
        connection.send("envelope", table.chain[-1].pack())
        await harness.await_event(table.job, "problem")
        signed = [
            Envelope.unpack(frame[1])
            for frame in connection.frames
            if frame[0] == "envelope" and isinstance(frame[1], bytes)
        ]
        fresh = [one for one in signed if one not in table.chain]
        expect(not fresh, f"the target signed {len(fresh)} more envelopes although it had forgotten what it had signed")
        await harness.expect_closed(connection, "since its copy is an old one")
        parting = [frame[0] for frame in connection.frames if frame[0] in ("bye", "refused")]
        expect(not parting, f"the target said {spelled(parting)}: that ends the game for its latest copy, too")
        shutil.rmtree(data)
        shutil.move(latest, data)
        await resume(harness, table)
        await table.reconnect(1)
        await table.finish()


@case(
    "10-56",
    "An envelope of its own that it never signed, shown to a seat that is back",
    covers=("M-RET-3", "M-GEN-2"),
    expect="the target drops it, since it did not sign it; the game goes on",
)
async def forged_own(harness: Harness) -> None:
    async with open_table(harness, GAME) as table:
        await table.until(1)
        await resumed(harness, table)
        await table.reconnect(1)
        last = table.chain[-1]
        made = Envelope(last.game, last.seat, last.number + 1, last.hash, 1, 0, table.head, STAGE, (1,))
        table.suite_seat.wire.send("envelope", made.signed(table.suite_seats[1].identity.sign).pack())
        await table.finish()


@case(
    "10-64",
    "A seat that is back with fewer of its own envelopes than it has signed",
    covers=("M-RET-2", "S-LNK-6"),
    expect="the last of them, once, however often it says so",
)
async def forgot_its_own(harness: Harness) -> None:
    async with open_table(harness, GAME) as table:
        await table.until(4)
        await lose(harness, table, 1)
        connection = await harness.connect_seat(table.port, table.suite_seats[1].identity, table.purpose)
        for _ in range(20):
            connection.send(*table.have(seat1=(0, START)))
        await harness.receive(connection, "envelope")
        await harness.pause(0.5)
        envelopes = [frame[1] for frame in connection.frames if frame[0] == "envelope"]
        due = table.sent[1][-1].pack()
        # Twice at most: what a connection begins with is sent at once, and the rest not more often than every 2 s.
        expect(
            len(envelopes) <= 2 and set(envelopes) == {due},
            f"the target shows {len(envelopes)} envelopes, not the last one",
        )
        await table.reconnect(1)
        await table.finish()


@case(
    "10-65",
    "The host's process ends between its own `same` and that of the other seat",
    covers=("S-RET-10",),
    expect="the table is open again when that seat wants to sit down anew",
)
async def begun_nowhere(harness: Harness) -> None:
    async with open_table(harness, GAME, play=False) as table:
        await table.sit()
        table.prepare()
        await harness.receive(table.suite_seat.wire, "same")
        await harness.kill(table.job)
        await resume(harness, table)
        stranger = await harness.connect_seat(table.port, harness.identity())
        await expect_refusal(harness, stranger)
        again = await harness.connect_seat(table.port, table.suite_seat.identity)
        await harness.receive(again, "table")
        again.send("sit", "ana", 0)
        await harness.receive(again, "prepare")


@case(
    "10-57",
    "What it keeps is for its owner alone",
    covers=("M-JRN-3",),
    expect="no file that holds the seed can be read by others",
)
async def private(harness: Harness) -> None:
    async with open_table(harness, GAME) as table:
        await table.until(2)
        open_to_others = readable(Path(table.job.message["data"]), table.secret(1))
        expect(not open_to_others, f"others can read {spelled(open_to_others)}, which hold the seed")
        await table.finish()


def readable(folder: Path, secret: bytes) -> list[str]:
    """Returns the files that hold a secret and that others besides their owner can read."""
    holding = [path for path in folder.rglob("*") if path.is_file() and secret in path.read_bytes()]
    return [path.name for path in holding if path.stat().st_mode & 0o077]


@case(
    "10-58",
    "Nothing is kept when the game is over",
    covers=("S-REC-4",),
    expect="the record is there, and holds the whole game",
)
async def kept(harness: Harness) -> None:
    async with open_table(harness, GAME) as table:
        record = await table.finish()
        expect(len(record.envelopes) == len(table.transcript), "the record does not hold the whole game")


# -- put aside ---------------------------------------------------------------------------------------------------------


@case(
    "10-59",
    "A game that all put aside",
    covers=("M-LNK-11", "M-JRN-1"),
    expect="the connections end without a bye, and the game can be resumed",
)
async def put_aside(harness: Harness) -> None:
    async with open_table(harness, GAME) as table:
        await table.until(3)
        await table.await_target()
        table.suite_seat.wire.send("vote", "aside", True)
        table.job.do("aside", yes=True)
        await harness.receive(table.suite_seat.wire, "aside")
        await harness.expect_closed(table.suite_seat.wire, "since everybody has put the game aside")
        expect(not table.suite_seat.wire.count("bye"), "the target said bye")
        await harness.await_event(table.job, "over")
        await resume(harness, table)
        await table.reconnect(1)
        await table.finish()


@case("10-60", "One wants to put the game aside, and another does not", covers=("M-ERR-1",), expect="the game goes on")
async def not_put_aside(harness: Harness) -> None:
    async with open_table(harness, GAME) as table:
        await table.until(2)
        table.suite_seat.wire.send("vote", "aside", True)
        table.suite_seat.wire.send("vote", "aside", False)
        # The target opens its share of the roll only when it has read these frames. What it is told to do comes on
        # another stream.
        await table.until(3)
        table.job.do("aside", yes=True)
        await harness.receive(table.suite_seat.wire, "aside")
        await table.finish()


# -- given up ----------------------------------------------------------------------------------------------------------

GRACE: Final = {"grace": 5}


@case(
    "10-61",
    "A seat is absent for its grace",
    covers=("M-ABN-2", "M-ATT-2", "M-REC-5"),
    expect="an attestation to everybody, and a record that holds it",
    seconds=60,
)
async def absent(harness: Harness) -> None:
    async with open_table(harness, THREE, seats=3, options=GRACE) as table:
        await table.until(3)
        table.suite_seats[2].wire.abort()
        table.job.do("abandon")
        await harness.await_event(table.job, "forbidden")
        expect(not table.suite_seats[1].wire.count("abandon"), "the target attests before the grace is over")
        await harness.pause(5.5)
        table.job.do("abandon")
        connection = table.suite_seats[1].wire
        _, _, attestation = await harness.receive(connection, "abandon")
        attested = expect_attestation(attestation, table.signed.game_id, (3, 0), table.head, (2,))
        expect(attested.witness == table.target_identity, "the target attests in the name of another")
        own = attest(table.suite_seats[1].identity, table.signed.game_id, (3, 0), table.head, (2,))
        earlier = attest(table.suite_seats[1].identity, table.signed.game_id, (2, 0), table.head, (2,))
        connection.send("vote", "abandon", earlier.plain())
        await table.sync()
        expect(not table.job.all("verdict"), "an attestation of another slot counted")
        connection.send("vote", "abandon", own.plain())
        record = await table.expect_verdict("incomplete", [2])
        if set(record.attestations) != {own, attested}:
            raise Failed(f"the record holds the attestations {record.attestations}")


@case(
    "10-62",
    "A seat that owes an envelope does not attest",
    covers=("M-ABN-1",),
    expect="the target refuses it to its player",
    seconds=60,
)
async def owes_itself(harness: Harness) -> None:
    asks = (("decide", 0, 9), ("decide", 1, 9), ("roll", (6,)))
    async with open_table(harness, asks, seats=3, options=GRACE) as table:
        await table.until(1)
        table.suite_seats[2].wire.abort()
        await harness.pause(5.5)
        table.job.do("abandon")
        await harness.await_event(table.job, "forbidden")
        expect(
            not table.suite_seats[1].wire.count("abandon"),
            "the target attests although it owes an envelope itself",
        )


@case(
    "10-63",
    "A seat that comes back after it was declared absent",
    covers=("M-ABN-2", "M-ABN-3"),
    expect="it is told so, and the game goes on with it",
    seconds=60,
)
async def back_again(harness: Harness) -> None:
    async with open_table(harness, THREE, seats=3, options=GRACE) as table:
        await table.until(3)
        table.suite_seats[2].wire.abort()
        await harness.pause(5.5)
        table.job.do("abandon")
        await harness.receive(table.suite_seats[1].wire, "abandon")
        await table.reconnect(2)
        await harness.wait_until(lambda: table.suite_seats[2].wire.count("abandon"), "the attestation of the others")
        own = attest(table.suite_seats[1].identity, table.signed.game_id, (3, 0), table.head, (2,))
        await table.complete()
        table.suite_seats[1].wire.send("vote", "abandon", own.plain())
        await table.finish()
