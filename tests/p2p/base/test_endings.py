"""A program that a signal asks to end does so in order."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading

import pytest

from kimberley.p2p.base.platform import run_loop
from tests.support.ended import Guest, disposed

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="it has other signals")


@pytest.mark.parametrize("name", ["SIGHUP", "SIGTERM", "SIGQUIT"])
def test_it_says_goodbye_and_its_status_tells_of_the_signal(name: str) -> None:
    number = signal.Signals[name]
    guest = Guest(number)
    with disposed(number, signal.SIG_DFL), pytest.raises(SystemExit) as ended:
        run_loop(guest.stay())
    assert (guest.said, ended.value.code) == (["goodbye"], 128 + number)


@pytest.mark.slow
def test_what_it_was_started_to_ignore_it_ignores() -> None:
    with disposed(signal.SIGHUP, signal.SIG_IGN):
        assert run_loop(Guest(signal.SIGHUP).stay()) == "stayed"


STUCK = """
import asyncio, os, signal, threading
from kimberley.p2p.base.platform import run_loop
async def main():
    try:
        os.kill(os.getpid(), signal.SIGTERM)
        await asyncio.sleep(60)
    finally:
        threading.Event().wait()
run_loop(main())
"""


@pytest.mark.slow
def test_what_cannot_end_in_order_is_ended() -> None:
    ended = subprocess.run([sys.executable, "-c", STUCK], timeout=60, check=False)
    assert ended.returncode == 128 + signal.SIGTERM


def test_other_errors_stay_what_they_are() -> None:
    async def main() -> None:
        raise OSError("No space left on device")

    with pytest.raises(OSError, match="No space left"):
        run_loop(main())


def test_a_fork_ends_at_once() -> None:
    async def main() -> int:
        if (fork := os.fork()) == 0:
            os.kill(os.getpid(), signal.SIGTERM)
            os._exit(0)
        return os.waitstatus_to_exitcode(os.waitpid(fork, 0)[1])  # noqa: ASYNC222 (It ends at once.)

    with disposed(signal.SIGTERM, signal.SIG_DFL):
        assert run_loop(main()) == 128 + signal.SIGTERM


def test_a_loop_on_another_thread_hears_of_no_signals() -> None:
    async def main() -> str:
        return "done"

    said: list[str] = []
    thread = threading.Thread(target=lambda: said.append(run_loop(main())))
    thread.start()
    thread.join()
    assert said == ["done"]
