"""Worker processes, which must leave nothing behind."""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
import time
from concurrent.futures import BrokenExecutor
from functools import partial
from typing import Final

import pytest

from kimberley.client.session.workers import NICE, LocalWorkers, WorkerLost, as_done, workers

PATIENCE: Final = 60.0
WORKING: Final = """\
from kimberley.client.session.workers import LocalWorkers

with LocalWorkers(3, beside={beside}) as executor:
    print(list(executor.map(str, range(9))), flush=True)
    input()
"""


@pytest.mark.slow
@pytest.mark.parametrize("beside", [False, True])
def test_workers_end_with_the_program_that_is_killed(beside: bool) -> None:
    """They have its standard output, too, which ends with the last of them."""
    program = subprocess.Popen(
        [sys.executable, "-c", WORKING.format(beside=beside)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert program.stdout is not None
    assert "'8'" in program.stdout.readline()
    program.kill()
    said, _ = program.communicate(timeout=PATIENCE)
    assert said == ""


@pytest.mark.slow
@pytest.mark.parametrize("beside", [False, True])
def test_workers_end_at_once_whatever_they_are_at(beside: bool) -> None:
    with LocalWorkers(2, beside=beside) as executor:
        assert executor.submit(abs, -1).result(PATIENCE) == 1
        busy = executor.submit(time.sleep, 10 * PATIENCE)
        executor.end()
        executor.end()
        with pytest.raises(BrokenExecutor):
            busy.result(PATIENCE)
    assert multiprocessing.active_children() == []


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "nice"), reason="this system has no such priorities")
def test_workers_beside_a_screen_let_it_go_first_and_begin_as_they_are_told() -> None:
    with LocalWorkers(1, beside=True, begin=partial(os.putenv, "BEGUN", "yes")) as executor:
        # No more than 19 can be had.
        assert executor.submit(os.nice, 0).result(PATIENCE) == min(os.nice(0) + NICE, 19)
        assert executor.submit(subprocess.getoutput, "echo $BEGUN").result(PATIENCE) == "yes"


def test_a_worker_that_is_killed_is_told_with_what_to_do() -> None:
    told = r"A worker process was killed, .*\. Buy more memory\."
    with pytest.raises(WorkerLost, match=told), workers(1, None, "Buy more memory.") as executor:
        list(as_done(executor, os._exit, [(1,), (1,), (1,)], 2))
    assert multiprocessing.active_children() == []
