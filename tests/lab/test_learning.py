"""What `tune` and `train` share: jobs, all of which are waited for."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any

import pytest

from kimberley.client.session.workers import WorkerLost, workers
from tests.lab.learning import in_order


def test_a_worker_that_is_killed_is_told_with_what_to_do() -> None:
    with pytest.raises(WorkerLost, match="Buy more memory"), workers(1, None, "Buy more memory.") as executor:
        in_order(executor, os._exit, [(1,), (1,), (1,)])
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
