"""Runs cases against a target: several at a time, each within its limit."""

from __future__ import annotations

import asyncio
import time
import traceback
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from client.conformance.bench import Bench
from client.conformance.case import Case, Failed, NotClaimed, Noted, Unimplemented, Verdict
from client.conformance.target import Pool
from client.conformance.traffic import Traffic

WORKERS: Final = 6


@dataclass(frozen=True)
class Outcome:
    """How a case ended: its verdict, a sentence, and what went over the wire."""

    case: Case
    verdict: Verdict
    reason: str = ""
    seconds: float = 0.0
    traffic: Traffic = field(default_factory=Traffic)
    complaint: str = ""
    lacks: str = ""
    """What the case needs and the target's profile does not name."""

    def fails(self, *, strict: bool) -> bool:
        """Whether it counts against the target."""
        return self.verdict == "failed" or (strict and self.verdict in ("non-strict", "unimplemented"))


def run(
    command: str | Sequence[str],
    cases: Iterable[Case],
    *,
    workers: int = WORKERS,
    patience: float = 1.0,
    told: Callable[[Outcome], None] = lambda outcome: None,
) -> list[Outcome]:
    """The outcomes in the order of the cases; `told` hears of each as it ends."""
    return asyncio.run(run_all(command, list(cases), workers=workers, patience=patience, told=told))


async def run_all(
    command: str | Sequence[str],
    cases: Sequence[Case],
    *,
    workers: int,
    patience: float,
    told: Callable[[Outcome], None],
) -> list[Outcome]:
    """See `run`."""
    pool = Pool(command, patience)
    room = asyncio.Semaphore(workers)

    async def one(case: Case) -> Outcome:
        async with room:
            outcome = await run_case(pool, case)
            told(outcome)
            return outcome

    try:
        # The slowest first, so that none of them is waited for alone.
        order = sorted(cases, key=lambda case: -case.seconds)
        found = dict(zip(order, await asyncio.gather(*map(one, order)), strict=True))
    finally:
        await pool.close()
    return [found[case] for case in cases]


async def run_case(pool: Pool, case: Case) -> Outcome:
    """One case, judged. Whatever happens in it, it ends within its limit."""
    began = time.monotonic()
    async with Bench(pool) as bench:
        lacks = ""
        try:
            verdict, reason = await _judge(bench, case, case.seconds * pool.patience)
        except NotClaimed as lacking:
            verdict, reason, lacks = "not claimed", str(lacking), lacking.name
        complaint = "\n".join(job.complaint for job in bench.jobs if job.complaint)
    return Outcome(case, verdict, reason, time.monotonic() - began, bench.traffic, complaint, lacks)


async def _judge(bench: Bench, case: Case, seconds: float) -> tuple[Verdict, str]:
    missed: Verdict = "non-strict" if case.lenient else "failed"
    try:
        async with asyncio.timeout(seconds) as limit:
            await case.run(bench)
    except Failed as failure:
        return missed, bench.explained(str(failure))
    except Unimplemented as lacking:
        return "unimplemented", str(lacking)
    except NotClaimed:
        raise
    except Noted as note:
        return "informational", str(note)
    except Exception as error:
        # Whatever a target brings about, the other cases go on.
        if limit.expired():
            return missed, bench.explained(f"the case was not over in {seconds:g} s; it was {bench.awaited}")
        if isinstance(error, OSError):
            return missed, bench.explained(f"a connection to the target, or a file, failed: {error}")
        where = traceback.extract_tb(error.__traceback__)[-1]
        broke = f"{type(error).__name__}: {error}, in {Path(where.filename).name}, line {where.lineno}"
        return missed, bench.explained(f"the case cannot read what the target did ({broke}); it was {bench.awaited}")
    return "ok", ""
