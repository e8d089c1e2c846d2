"""Runs cases against a target, several at the same time, each with a time limit."""

from __future__ import annotations

import asyncio
import time
import traceback
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from kimberley.conformance.case import Case, Verdict
from kimberley.conformance.errors import Failed, Late, NotClaimed, Noted, Unimplemented
from kimberley.conformance.harness.harness import Harness
from kimberley.conformance.harness.target import TargetPool
from kimberley.conformance.harness.traffic import Traffic

WORKERS: Final = 6


@dataclass(frozen=True)
class CaseOutcome:
    """How a case ended: its verdict, the reason, and the traffic."""

    case: Case
    verdict: Verdict
    reason: str = ""
    seconds: float = 0.0
    traffic: Traffic = field(default_factory=Traffic)
    stderr: str = ""
    lacks: str = ""
    """What the case needs but the target's profile does not name."""
    late: bool = False
    """Whether it missed a time limit, rather than did something wrong."""

    def fails(self, *, strict: bool) -> bool:
        """Returns whether it counts against the target."""
        return self.verdict == "failed" or (strict and self.verdict in ("non-strict", "unimplemented"))


def run(
    command: str | Sequence[str],
    cases: Iterable[Case],
    *,
    workers: int = WORKERS,
    patience: float = 1.0,
    on_outcome: Callable[[CaseOutcome], None] = lambda outcome: None,
) -> list[CaseOutcome]:
    """Runs cases. Returns their outcomes in the order of the cases, and calls `on_outcome` as each ends."""
    return asyncio.run(run_all(command, list(cases), workers=workers, patience=patience, on_outcome=on_outcome))


async def run_all(
    command: str | Sequence[str],
    cases: Sequence[Case],
    *,
    workers: int,
    patience: float,
    on_outcome: Callable[[CaseOutcome], None],
) -> list[CaseOutcome]:
    """Runs cases as `run` does, on the running event loop."""
    pool = TargetPool(command, patience)
    room = asyncio.Semaphore(workers)

    async def one(case: Case) -> CaseOutcome:
        async with room:
            outcome = await run_case(pool, case)
            on_outcome(outcome)
            return outcome

    try:
        # The slowest cases come first, so that no slow case runs alone at the end.
        order = sorted(cases, key=lambda case: -case.seconds)
        outcomes = dict(zip(order, await asyncio.gather(*map(one, order)), strict=True))
    finally:
        await pool.close()
    return [outcomes[case] for case in cases]


async def run_case(pool: TargetPool, case: Case) -> CaseOutcome:
    """Runs and judges one case. It ends within its time limit, whatever happens."""
    began = time.monotonic()
    async with Harness(pool) as harness:
        lacks, late = "", False
        try:
            verdict, reason, late = await _judge(harness, case, case.seconds * pool.patience)
        except NotClaimed as lacking:
            verdict, reason, lacks = "not claimed", str(lacking), lacking.name
        stderr = "\n".join(job.stderr for job in harness.jobs if job.stderr)
    return CaseOutcome(case, verdict, reason, time.monotonic() - began, harness.traffic, stderr, lacks, late)


async def _judge(harness: Harness, case: Case, seconds: float) -> tuple[Verdict, str, bool]:
    """Returns the verdict, its reason, and whether the case missed a time limit."""
    missed: Verdict = "non-strict" if case.lenient else "failed"
    try:
        async with asyncio.timeout(seconds) as limit:
            await case.run(harness)
    except Failed as failure:
        return missed, harness.explain(str(failure)), isinstance(failure, Late)
    except Unimplemented as lacking:
        return "unimplemented", str(lacking), False
    except NotClaimed:
        raise
    except Noted as note:
        return "informational", str(note), False
    except Exception as error:
        # Whatever a target does, the other cases run.
        if limit.expired():
            return missed, harness.explain(f"the case did not end in {seconds:g} s; it was {harness.awaited}"), True
        if isinstance(error, OSError):
            late = isinstance(error, TimeoutError)
            return missed, harness.explain(f"a connection to the target, or a file, failed: {error}"), late
        where = traceback.extract_tb(error.__traceback__)[-1]
        broke = f"{type(error).__name__}: {error}, in {Path(where.filename).name}, line {where.lineno}"
        reason = f"the case cannot read what the target did ({broke}); it was {harness.awaited}"
        return missed, harness.explain(reason), False
    return "ok", "", False
