"""Runs work in namespaces of its own, of the network, of mounts and of processes, which end with it."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
import traceback
from collections.abc import Callable
from types import FrameType
from typing import Final

NEW_MOUNTS, NEW_PROCESSES, NEW_NETWORK = 0x00020000, 0x20000000, 0x40000000
"""Linux's CLONE_NEWNS, CLONE_NEWPID and CLONE_NEWNET."""
SET_DEATH_SIGNAL: Final = 1
"""Linux's PR_SET_PDEATHSIG."""
PRIVATE: Final = (("mount", "--make-rprivate", "/"), ("mount", "-t", "proc", "proc", "/proc"))
"""What makes mounts our own, and shows our own processes."""


def run_apart(work: Callable[[], int]) -> int:
    """Runs work in a child that is the first process of its namespaces. Returns what it returns.

    However the child ends, the kernel then kills every process that it has left behind, and its networks and mounts are
    gone. It ends with its parent, even if that is killed. Signals are passed on to it once, as SIGINT; the second kills
    it. Raises OSError if there can be no such namespaces.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(NEW_MOUNTS | NEW_PROCESSES | NEW_NETWORK):
        raise OSError(ctypes.get_errno(), f"no namespaces: {os.strerror(ctypes.get_errno())}")
    child = os.fork()
    if child == 0:
        status = 70
        try:
            os.setsid()
            libc.prctl(SET_DEATH_SIGNAL, signal.SIGKILL)
            for command in PRIVATE:
                subprocess.run(command, check=True)
            status = work()
        except BaseException:
            traceback.print_exc()
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(status)
    told = 0

    def forward(_number: int, _frame: FrameType | None) -> None:
        nonlocal told
        os.kill(child, signal.SIGKILL if told else signal.SIGINT)
        told += 1

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, forward)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
