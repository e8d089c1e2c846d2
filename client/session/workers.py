"""Executors for long work, on all cores of this machine or on a Dask cluster, with one interface."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from contextlib import contextmanager
from importlib import import_module
from typing import Any, TypeVar

from kimberley.p2p.base.errors import UserError
from kimberley.p2p.base.extras import DASK, require
from kimberley.p2p.base.platform import most_processes, start_thread

T = TypeVar("T")


class NoCluster(UserError):
    """The cluster cannot be used; the message says why, and what to do."""


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def workers(count: int | None, cluster: str | None) -> Iterator[Executor]:
    """An executor: `count` processes (None: one for each core), or the Dask cluster whose scheduler is at `cluster`.

    Jobs that have not begun are canceled when the context ends. Raises NoCluster, MissingExtra.
    """
    if cluster is None:
        # Not even to be imported in a page, where there are no processes.
        from concurrent.futures import ProcessPoolExecutor

        executor: Executor = ProcessPoolExecutor(min(count or cores(), most_processes()), initializer=_begin_worker)
    else:
        executor = _cluster(cluster)
    try:
        yield executor
    finally:
        executor.shutdown(wait=True, cancel_futures=True)


def _begin_worker() -> None:
    """Lets Ctrl-C, which goes to all processes of a terminal, end this worker at once and without a word: the process
    that waits for it says what there is to say. If that one is killed, the worker ends, too.
    """
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    start_thread(_end_with_parent)


def _end_with_parent() -> None:
    from multiprocessing import parent_process

    parent = parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


def _cluster(address: str) -> Executor:
    require(DASK, "--dask")
    distributed = import_module("distributed")
    try:
        client = distributed.Client(address, timeout=10)
    except (OSError, ValueError) as error:
        raise NoCluster(
            f"No Dask scheduler answers at {address}: {error}. Is it an address like tcp://host:8786?"
        ) from error
    return _ClusterExecutor(client)


class _ClusterExecutor(Executor):
    """The executor of a Dask client. Its shutdown also closes the client."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self._executor = client.get_executor(pure=False)

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        future: Future[T] = self._executor.submit(fn, *args, **kwargs)
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        self._executor.shutdown(wait=wait and not cancel_futures)
        self._client.close()


def as_done(executor: Executor, work: Callable[..., T], jobs: Iterable[tuple[Any, ...]], ahead: int) -> Iterator[T]:
    """Yields `work(*job)` for each job as it finishes. At most `ahead` jobs are submitted at a time."""
    waiting = iter(jobs)
    pending: set[Future[T]] = set()
    while True:
        for job in waiting:
            pending.add(executor.submit(work, *job))
            if len(pending) >= ahead:
                break
        if not pending:
            return
        done, pending = wait(pending, return_when=FIRST_COMPLETED)
        for future in done:
            yield future.result()
