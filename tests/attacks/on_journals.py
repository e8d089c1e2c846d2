"""An old copy of a journal is restored, and a peer hides what its seat has signed since (SPEC.md, section 19)."""

from __future__ import annotations

import asyncio
import contextlib
import os
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Final

from kimberley.p2p.base.errors import UserError
from kimberley.p2p.storage.journal import list_journals, read_journal
from kimberley.p2p.table.table import Table
from kimberley.protocol.audit import Verdict, verify
from kimberley.protocol.envelope import Envelope
from tests.attacks.attack import Attack, Outcome
from tests.support.asyncs import run, until
from tests.support.comeback import as_on_another_machine, back, die, to_answer
from tests.support.seated import QUICK, pair_of_tables, play
from tests.support.stones import STONES

OLD, LATE, LATER = 4, 10, 16
"""Numbers of answers: when the journals are copied, when both die, and when the game has continued from the copy."""
PATIENCE_SECONDS: Final = 10.0


@dataclass(frozen=True, slots=True)
class Restored:
    """The outcome: why the seat was not restored, if it was not, and what its enemy can prove."""

    refusal: str | None
    verdict: Verdict | None


def received(path: Path, seat: int) -> dict[int, Envelope]:
    """Returns the envelopes of another seat in a journal, by number."""
    found = [Envelope.unpack(entry[1]) for entry in read_journal(path).entries if entry[0] == "received"]  # type: ignore[arg-type]
    return {envelope.number: envelope for envelope in found if envelope.seat == seat}


def forget_own_mark(path: Path) -> None:
    """Deletes all marks of a journal's seat, as a hostile peer can do with its own."""
    game, seat = read_journal(path).table.game_id.hex(), read_journal(path).seat + 1
    for mark in Path(os.environ["XDG_STATE_HOME"]).rglob(f"{game}-{seat}.*"):
        mark.unlink()


async def restored(folder: Path) -> Restored:
    """Has Ben resume with an old copy of his journal. Ana continues from there too, and hides what came after."""
    async with pair_of_tables(folder) as tables:
        await tables.seat({**QUICK, "rounds": 40})
        playing = [asyncio.create_task(play(table, Random(n))) for n, table in enumerate(tables.both_tables)]
        await to_answer(tables.guest, OLD)
        (ana,), (ben,) = list_journals(tables.ana), list_journals(tables.ben)
        old = [(path, path.read_bytes()) for path in (ana, ben)]
        await to_answer(tables.guest, LATE)
        await die(tables.guest)
        await die(tables.host)
        await asyncio.gather(*playing)
        seat = tables.guest.occupants.seat
        signed = received(ana, seat)
        for path, data in old:
            path.write_bytes(data)
        forget_own_mark(ana)
        enemy = tables.follow(await back(tables.ana, STONES), "ana")
        try:
            again = tables.follow(await back(tables.ben, STONES), "ben")
        except UserError as error:
            return Restored(str(error), None)
        return Restored(None, await proof(enemy, again, signed))


async def proof(enemy: Table, victim: Table, signed: dict[int, Envelope]) -> Verdict:
    """Returns the verdict on a record in which the victim has signed different envelopes than before."""
    playing = [asyncio.create_task(play(table, Random(f"again {n}"))) for n, table in enumerate((enemy, victim))]
    await to_answer(enemy, LATER)
    assert enemy.peer is not None
    record = enemy.peer.record()
    await die(victim)
    await die(enemy)
    await asyncio.gather(*playing)
    before = [signed.get(envelope.number) for envelope in record.envelopes if envelope.seat == victim.occupants.seat]
    evidence = tuple(envelope for envelope in before if envelope is not None and envelope not in record.envelopes)
    return verify(replace(record, evidence=evidence).pack(), lambda _: STONES)


async def resumed_once(folder: Path) -> Outcome:
    """Has Ben resume an old copy once, on a machine that knows nothing of his seat, and then the latest copy."""
    async with pair_of_tables(folder) as tables:
        await tables.seat({**QUICK, "rounds": 40})
        playing = [asyncio.create_task(play(table, Random(n))) for n, table in enumerate(tables.both_tables)]
        await to_answer(tables.guest, OLD)
        (ben,) = list_journals(tables.ben)
        old = ben.read_bytes()
        await to_answer(tables.guest, LATE)
        await die(tables.guest)
        latest = ben.read_bytes()
        ben.write_bytes(old)
        as_on_another_machine()
        again = tables.follow(await back(tables.ben, STONES), "ben")
        await until(lambda: again.phase == "failed")
        await again.close()
        ben.write_bytes(latest)
        as_on_another_machine()
        found = []
        with contextlib.suppress(UserError, TimeoutError):
            async with asyncio.timeout(PATIENCE_SECONDS):
                again = tables.follow(await back(tables.ben, STONES), "ben")
                await asyncio.gather(play(again, Random("again")), *playing)
        for table in (tables.host, again):
            found.append(
                table.ending.verdict.code if table.ending.verdict is not None else f"{table.phase}: {table.problem}"
            )
            await die(table)
        await asyncio.gather(*playing)
        return Outcome(found == ["fair", "fair"], " | ".join(found))


def run_resumed_once() -> Outcome:
    with tempfile.TemporaryDirectory() as folder:
        return run(resumed_once(Path(folder) / "tables"), 60)


def run_restored() -> Outcome:
    with tempfile.TemporaryDirectory() as folder:
        found = run(restored(Path(folder) / "tables"), 60)
    if found.refusal is not None:
        reason = found.refusal.partition(": ")[2].partition(".")[0]
        return Outcome(True, f"the seat does not come back: {reason}")
    assert found.verdict is not None
    return Outcome(found.verdict.code != "unfair", f"{found.verdict.code}: {found.verdict.reason}")


ATTACKS: Final = (
    Attack(
        "old-journal", "Hides what a seat has signed since its journal was copied, and shows it later.", run_restored
    ),
    Attack(
        "old-copy-once", "A seat resumes an old copy of its journal once, and then the latest one.", run_resumed_once
    ),
)
