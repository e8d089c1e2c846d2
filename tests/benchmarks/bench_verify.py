"""`kimberley verify` of a record and of a folder, against the group operations of the check alone.

.venv/bin/python -m tests.benchmarks.bench_verify
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final, ParamSpec, TypeVar

from kimberley.games.diamond_trust import GAME
from kimberley.protocol.audit import verify
from tests.benchmarks.common import KIMBERLEY, report, size
from tests.benchmarks.ratios import command_seconds, compared
from tests.lab.counting_group import CountingGroup
from tests.support.tables import by_bots, played

P = ParamSpec("P")
T = TypeVar("T")
RECORDS: Final = size(20, quick=1)
RUNS: Final = 10


class RepeatableGroup(CountingGroup):
    """Keeps the operations, to repeat them without the code that asked for them."""

    def __init__(self) -> None:
        super().__init__()
        self.operations: list[Callable[[], object]] = []

    def counted(self, name: str, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        self.operations.append(partial(work, *args, **kwargs))
        return super().counted(name, work, *args, **kwargs)

    def again(self) -> float:
        """Returns the CPU seconds that all operations take."""
        start = time.process_time()
        for operation in self.operations:
            operation()
        return time.process_time() - start


def operations(data: bytes) -> RepeatableGroup:
    group = RepeatableGroup()
    assert verify(data, lambda _: GAME, group).code == "fair"
    return group


def cpu_seconds(*command: str) -> float:
    """Returns the seconds of all cores that a command takes."""
    before = os.times()
    command_seconds(*command)
    after = os.times()
    return after.children_user - before.children_user + after.children_system - before.children_system


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        groups = []
        for salt in range(RECORDS):
            data = played(GAME, salt=str(salt), choosers=by_bots(GAME, 2, salt=salt)).peers[0].record().pack()
            Path(folder, f"{salt}.kdt").write_bytes(data)
            groups.append(operations(data))
        one = partial(cpu_seconds, *KIMBERLEY, "verify", str(Path(folder, "0.kdt")))
        every = partial(cpu_seconds, *KIMBERLEY, "verify", folder)
        ratios = {
            "record": compared(one, groups[0].again, RUNS, 1),
            "folder": compared(every, lambda: sum(group.again() for group in groups), RUNS // 3, 1),
        }
        report({"ratios": ratios, "records": RECORDS, "operations": dict(groups[-1].counts)})


if __name__ == "__main__":
    main()
