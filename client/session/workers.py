"""Executors for long work, on all cores of this machine or on a Dask cluster, with one interface."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from contextlib import contextmanager, suppress
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, TypeVar

from kimberley.p2p.base.errors import UserError
from kimberley.p2p.base.extras import DASK, require
from kimberley.p2p.base.platform import most_processes, start_thread

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

T = TypeVar("T")

NICE: Final = 5
"""How much the priority of workers is lowered beside something that people see and hear."""


class NoCluster(UserError):
    """The cluster cannot be used; the message says why, and what to do."""


class WorkerLost(UserError):
    """A worker was killed before its work was done; the message says what to do."""


def cores() -> int:
    """Returns how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def workers(count: int | None, cluster: str | None, advice: str = "Try again.") -> Iterator[Executor]:
    """Yields an executor: `count` processes (None: one for each core), or the Dask cluster whose scheduler is at
    `cluster`.

    Jobs that have not begun are canceled when the context ends. `advice` is what to do if a worker is killed. Raises
    NoCluster, MissingExtra, WorkerLost.
    """
    executor: Executor = LocalWorkers(count) if cluster is None else _cluster(cluster)
    try:
        yield executor
    except BrokenExecutor as error:
        raise WorkerLost(f"A worker process was killed, perhaps for lack of memory. {advice}") from error
    finally:
        executor.shutdown(wait=True, cancel_futures=True)


class LocalWorkers(Executor):
    """Processes of this machine. They end with this process, however it ends."""

    def __init__(self, count: int | None, *, beside: bool = False, begin: Callable[[], object] | None = None) -> None:
        """Starts none yet: `submit` does. Raises OSError, ImportError or NotImplementedError if there are none here.

        Args:
            count: The most processes; None: one for each core.
            beside: Whether this process goes on with something else meanwhile, such as a screen, music or a game. That
                has priority. It also has threads and sockets, which must not get into a copy: the workers start anew.
            begin: Called in each worker before its first job.

        """
        # A page cannot even import these: it has no processes.
        from concurrent.futures import ProcessPoolExecutor
        from multiprocessing import get_context

        context = get_context("spawn" if beside else None)
        lifeline, ours = context.Pipe(duplex=False)
        self._ours = [ours]
        forked = ours if context.get_start_method() == "fork" else None
        begins_with = lifeline, forked, NICE if beside else 0, begin
        self._pool = ProcessPoolExecutor(min(count or cores(), most_processes()), context, _begin_worker, begins_with)

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        return self._pool.submit(fn, *args, **kwargs)

    def end(self) -> None:
        """Ends all workers at once, whatever they are doing: for each missing result, BrokenExecutor is raised. Does
        not wait for that. May be called on any thread, and again.
        """
        # Only one of two threads gets it.
        with suppress(IndexError):
            self._ours.pop().close()

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        self._pool.shutdown(wait, cancel_futures=cancel_futures)


def _begin_worker(
    lifeline: Connection, forked: Connection | None, nice: int, begin: Callable[[], object] | None
) -> None:
    """Lets Ctrl-C, which goes to all processes of a terminal, end this worker at once and without a word: the process
    that waits for it says what there is to say. If that one closes its end of the lifeline, or is killed, the worker
    ends, too.

    Args:
        lifeline: The end that is never written to.
        forked: A copy of the other end, if this process has got one. While that is open, the lifeline is.
        nice: How much the priority is lowered, where the system can do that.
        begin: Called when all that is done.

    """
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    if forked is not None:
        forked.close()
    if hasattr(os, "nice"):
        os.nice(nice)
    start_thread(partial(_end_with_parent, lifeline))
    if begin is not None:
        begin()


def _end_with_parent(lifeline: Connection) -> None:
    from multiprocessing import parent_process
    from multiprocessing.connection import wait as wait_for_any

    parent = parent_process()
    assert parent is not None
    wait_for_any([parent.sentinel, lifeline])
    os._exit(1)


def _cluster(address: str) -> Executor:
    require(DASK, "--dask")
    distributed = import_module("distributed")
    try:
        client = distributed.Client(address, timeout=10)
    except (OSError, ValueError) as error:
        raise NoCluster(f"No Dask scheduler at {address}: {error}. Use an address like tcp://host:8786.") from error
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
