"""Sections 10.3, 10.4 and 19: a seat whose process ended comes back; games that are put aside, or given up."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any, Final

from client.conformance.bench import Bench
from client.conformance.case import Failed, case, expect
from client.conformance.cases.scripts import Script
from client.conformance.envelope import CHAT, Envelope
from client.conformance.plain import spelled
from client.conformance.record import attest, attests
from client.conformance.table import Table

GAME: Final[Script] = (("decide", 1, 9), ("roll", (6,)), ("decide", 0, 9), ("together", (0, 1), 9), ("roll", (6,)))
THREE: Final[Script] = (("roll", (6,)), ("roll", (6,)), ("decide", 2, 9), ("roll", (6,)))
BACK: Final = "it goes on where it was, with the very envelopes that it sent, to a fair end"


async def resumed(bench: Bench, table: Table) -> None:
    """The target's process is ended as by a power failure, and another one takes the game up."""
    table.absorb()
    await bench.kill(table.job)
    await resume(bench, table)


async def resume(bench: Bench, table: Table) -> None:
    """Another process of the target takes up the game from what the first one kept."""
    line: dict[str, Any] = {
        name: table.job.line[name] for name in ("data", "seed", "options") if name in table.job.line
    }
    for chair in table.chairs.values():
        chair.wire.cut()
    table.job = await bench.job("resume", **line)
    table.port = await bench.listening(table.job)


@case(
    "10-51",
    "The target's process ends, and comes back",
    covers=("M-LNK-4", "M-JRN-1", "M-JRN-4", "M-JRN-5", "M-GEN-1"),
    expect=BACK,
)
async def comes_back(bench: Bench) -> None:
    async with bench.table(GAME) as table:
        await table.until(3)
        await table.hear()
        await resumed(bench, table)
        await table.come_back(1)
        await table.finish()


@case("10-52", "It ends in the middle of a commitment", covers=("M-LNK-4", "M-JRN-1", "M-JRN-5"), expect=BACK)
async def within_commitment(bench: Bench) -> None:
    async with bench.table(GAME) as table:
        await table.until(4)
        await table.hear()
        table.give(1, quiet=True)
        await resumed(bench, table)
        await table.come_back(1)
        await table.finish()


@case("10-53", "It ends while all show their seeds", covers=("M-JRN-1", "M-CLO-1"), expect=BACK)
async def within_closing(bench: Bench) -> None:
    async with bench.table((("roll", (6,)),)) as table:
        await table.until(2)
        await table.complete()
        await table.hear()
        await resumed(bench, table)
        await table.come_back(1)
        await table.finish()


@case("10-54", "A seat that is back waits for `have` of all", covers=("M-RET-1",), expect="nothing is signed before")
async def waits_for_all(bench: Bench) -> None:
    async with bench.table(THREE, seats=3) as table:
        await table.until(1)
        await table.hear()
        await resumed(bench, table)
        count = len(table.chain)
        await table.come_back(1)
        table.give(1)
        for envelope in (table.give(2, quiet=True),):
            table.send_envelope(envelope, by=1)
        await bench.pause(0.5)
        table.absorb()
        expect(len(table.chain) == count, "the target signed something before all had said what they have")
        await table.come_back(2)
        await table.finish()


@case(
    "10-55",
    "An old copy of what it kept",
    covers=("M-RET-1", "M-RET-2", "M-RET-3", "M-RET-8"),
    expect="`recall`; shown its own envelopes it signs nothing more",
)
async def old_copy(bench: Bench) -> None:
    async with bench.table(GAME) as table:
        await table.until(1)
        await table.hear() if table.target in table.owing else None
        copy = bench.folder / "copy"
        shutil.copytree(table.job.line["data"], copy)
        await table.until(4)
        await table.hear()
        await bench.kill(table.job)
        shutil.rmtree(table.job.line["data"])
        shutil.move(copy, table.job.line["data"])
        bench.forget_state()
        count = len(table.chain)
        await resume(bench, table)
        line = await bench.seat_line(table.port, table.chairs[1].identity, table.purpose)
        await bench.receive(line, "have")
        line.send("have", count)
        recall = await bench.receive(line, "recall")
        number = recall[1]
        if not isinstance(number, int) or not 0 <= number < count:
            raise Failed(f"the target asks for its envelopes from number {spelled(number)} on, of {count}")
        for envelope in table.chain[number:]:
            line.send("relay", envelope.packed)
        await bench.event(table.job, "problem")
        signed = [
            Envelope.read(frame[1]) for frame in line.frames if frame[0] == "envelope" and isinstance(frame[1], bytes)
        ]
        fresh = [one for one in signed if one not in table.chain]
        expect(not fresh, f"the target signed {len(fresh)} more envelopes though it had forgotten what it had signed")


@case(
    "10-56",
    "An own envelope that it never signed, shown to a seat that is back",
    covers=("M-RET-3", "M-GEN-2"),
    expect="dropped where it is not signed by it; the game goes on",
)
async def forged_own(bench: Bench) -> None:
    async with bench.table(GAME) as table:
        await table.until(1)
        await resumed(bench, table)
        await table.come_back(1)
        last = table.chain[-1]
        made = Envelope(last.game, last.seat, last.number + 1, last.hash, 1, 0, table.head, CHAT, "never said")
        table.chair.wire.send("relay", made.signed(table.chairs[1].identity).packed)
        await table.finish()


@case(
    "10-64",
    "A seat asks again and again for what it has signed itself",
    covers=("M-RET-2", "S-RET-9"),
    expect="each of its envelopes as a `relay`, once",
)
async def asks_again(bench: Bench) -> None:
    async with bench.table(GAME) as table:
        await table.until(4)
        for number in (0, 1, 0):
            table.chair.wire.send("recall", number)
        await table.sync()
        shown = [frame[1] for frame in table.chair.wire.frames if frame[0] == "relay"]
        expect(shown, "the target shows none of the envelopes that it was asked for")
        expect(len(set(shown)) == len(shown), "the target shows an envelope more than once on a connection")
        await table.finish()


@case(
    "10-57",
    "What it keeps is for its owner alone",
    covers=("M-JRN-3",),
    expect="no file that holds the seed can be read by others",
)
async def private(bench: Bench) -> None:
    async with bench.table(GAME) as table:
        await table.until(2)
        open_to_others = readable(Path(table.job.line["data"]), table.secret(1))
        expect(not open_to_others, f"others can read {spelled(open_to_others)}, which hold the seed")
        await table.finish()


def readable(folder: Path, secret: bytes) -> list[str]:
    """The files that hold a secret, and that others than their owner can read."""
    holding = [path for path in folder.rglob("*") if path.is_file() and secret in path.read_bytes()]
    return [path.name for path in holding if path.stat().st_mode & 0o077]


@case(
    "10-58",
    "Nothing is kept when the game is over",
    covers=("S-REC-4",),
    expect="the record is there, and holds the whole game",
)
async def kept(bench: Bench) -> None:
    async with bench.table(GAME) as table:
        record = await table.finish()
        expect(len(record.envelopes) == len(table.transcript), "the record does not hold the whole game")


# -- put aside ---------------------------------------------------------------------------------------------------------


@case(
    "10-59",
    "A game that all put aside",
    covers=("M-LNK-11", "M-JRN-1"),
    expect="the connections end without a bye, and the game can be taken up",
)
async def put_aside(bench: Bench) -> None:
    async with bench.table(GAME) as table:
        await table.until(3)
        await table.hear()
        table.chair.wire.send("aside", True)
        table.job.do("aside", yes=True)
        await bench.receive(table.chair.wire, "aside")
        await bench.closed(table.chair.wire, "when all have put the game aside")
        expect(not table.chair.wire.count("bye"), "the target says bye")
        await bench.event(table.job, "over")
        await resume(bench, table)
        await table.come_back(1)
        await table.finish()


@case("10-60", "One wants to put the game aside, and another does not", covers=("M-ERR-1",), expect="the game goes on")
async def not_put_aside(bench: Bench) -> None:
    async with bench.table(GAME) as table:
        await table.until(2)
        table.chair.wire.send("aside", True)
        table.chair.wire.send("aside", False)
        table.job.do("aside", yes=True)
        await bench.receive(table.chair.wire, "aside")
        await table.finish()


# -- given up ----------------------------------------------------------------------------------------------------------

GRACE: Final = {"grace": 5}


@case(
    "10-61",
    "A seat is absent for its grace",
    covers=("M-ABN-2", "M-ATT-2", "M-REC-5"),
    expect="an attestation to all, and a record that holds it",
    seconds=60,
)
async def absent(bench: Bench) -> None:
    async with bench.table(THREE, seats=3, options=GRACE) as table:
        await table.until(3)
        table.chairs[2].wire.cut()
        table.job.do("abandon")
        await bench.event(table.job, "forbidden")
        expect(not table.chairs[1].wire.count("attest"), "the target attests before the grace is over")
        await bench.pause(5.5)
        table.job.do("abandon")
        line = table.chairs[1].wire
        _, said = await bench.receive(line, "attest")
        due = (table.target_identity, 3, 0, table.head, (2,))
        if not isinstance(said, tuple) or said[:5] != due or not attests(table.signed.game_id, said):
            raise Failed(f"the target attests {spelled(said)}")
        own = attest(table.chairs[1].identity, table.signed.game_id, (3, 0), table.head, (2,))
        line.send("attest", attest(table.chairs[1].identity, table.signed.game_id, (2, 0), table.head, (2,)))
        await table.sync()
        expect(not table.job.all("verdict"), "an attestation of another slot counted")
        line.send("attest", own)
        record = await table.judged("incomplete", [2])
        if set(record.attestations) != {own, said}:
            raise Failed(f"the record holds the attestations {spelled(record.attestations)}")


@case("10-62", "Who owes an envelope does not attest", covers=("M-ABN-1",), expect="refused to its player", seconds=60)
async def owes_itself(bench: Bench) -> None:
    asks = (("decide", 0, 9), ("decide", 1, 9), ("roll", (6,)))
    async with bench.table(asks, seats=3, options=GRACE) as table:
        await table.until(1)
        table.chairs[2].wire.cut()
        await bench.pause(5.5)
        table.job.do("abandon")
        await bench.event(table.job, "forbidden")
        expect(not table.chairs[1].wire.count("attest"), "the target attests, and owes an envelope itself")


@case(
    "10-63",
    "Who comes back after it was declared absent",
    covers=("M-ABN-2", "M-ABN-3"),
    expect="it is told, and the game goes on with it",
    seconds=60,
)
async def back_again(bench: Bench) -> None:
    async with bench.table(THREE, seats=3, options=GRACE) as table:
        await table.until(3)
        table.chairs[2].wire.cut()
        await bench.pause(5.5)
        table.job.do("abandon")
        await bench.receive(table.chairs[1].wire, "attest")
        await table.come_back(2)
        await bench.wait(lambda: table.chairs[2].wire.count("attest"), "what the others have declared")
        own = attest(table.chairs[1].identity, table.signed.game_id, (3, 0), table.head, (2,))
        await table.complete()
        table.chairs[1].wire.send("attest", own)
        await table.finish()
