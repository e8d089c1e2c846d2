"""Worker processes, which must leave nothing behind."""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from concurrent.futures import BrokenExecutor, Executor, Future
from functools import partial
from typing import Any, Final

import pytest

from kimberley.client.session.workers import NICE, LocalWorkers, WorkerLost, as_done, in_order, workers

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


@pytest.mark.parametrize("wait_for", [in_order, partial(as_done, ahead=2)])
def test_a_worker_that_is_killed_is_told_with_what_to_do(wait_for: Callable[..., Iterable[None]]) -> None:
    told = r"A worker process was killed, .*\. Buy more memory\."
    with pytest.raises(WorkerLost, match=told), workers(1, None, "Buy more memory.") as executor:
        list(wait_for(executor, os._exit, [(1,), (1,), (1,)]))
    assert multiprocessing.active_children() == []


class InterruptedExecutor(Executor):
    """Ctrl-C is pressed while its first job is waited for."""

    def __init__(self) -> None:
        self.futures: list[Future[Any]] = []

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        if not self.futures:
            future.set_exception(KeyboardInterrupt())
        self.futures.append(future)
        return future


def test_jobs_that_are_interrupted_are_left_to_the_pool() -> None:
    """Its own thread tells them that the workers have ended, and fails at those that are canceled."""
    executor = InterruptedExecutor()
    with pytest.raises(KeyboardInterrupt):
        in_order(executor, abs, [(1,), (2,), (3,)])
    assert len(executor.futures) == 3
    assert not any(future.cancelled() for future in executor.futures)
