"""Runs cases against a target: several at a time, each within its limit."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from client.conformance.bench import Bench
from client.conformance.case import Case, Failed, Noted, Unimplemented, Verdict
from client.conformance.target import Pool
from client.conformance.wire import Traffic

WORKERS: Final = 6


@dataclass(frozen=True)
class Outcome:
    """How a case ended: its verdict, a sentence, and what went over the wire."""

    case: Case
    verdict: Verdict
    reason: str = ""
    seconds: float = 0.0
    traffic: Traffic = field(default_factory=Traffic)
    events: tuple[str, ...] = ()
    complaint: str = ""

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
        verdict, reason = await _judge(bench, case, case.seconds * pool.patience)
        events = tuple(str(event) for job in bench.jobs for event in job.events)
        complaint = "\n".join(job.complaint for job in bench.jobs if job.complaint)
    return Outcome(case, verdict, reason, time.monotonic() - began, bench.traffic, events, complaint)


async def _judge(bench: Bench, case: Case, seconds: float) -> tuple[Verdict, str]:
    missed: Verdict = "non-strict" if case.lenient else "failed"
    try:
        async with asyncio.timeout(seconds):
            await case.run(bench)
    except Failed as failure:
        return missed, str(failure)
    except Unimplemented as lacking:
        return "unimplemented", str(lacking)
    except Noted as note:
        return "informational", str(note)
    except TimeoutError:
        return missed, f"the case was not over within {seconds:g} s"
    except AssertionError as error:
        return missed, str(error)
    except Exception as error:
        # Whatever a target brings about, the other cases go on.
        return missed, f"what the target did let the case end in {type(error).__name__}: {error}"
    return "ok", ""
