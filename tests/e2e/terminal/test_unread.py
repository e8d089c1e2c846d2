"""Programs whose terminal or pipe nobody reads: the others at the table go on, and a signal ends them."""

from __future__ import annotations

import asyncio
import os
import pty
import signal
import subprocess
import sys
import termios
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

import pytest

from kimberley.p2p.transport.dial import CardProbe, Unreachable
from tests.support.asyncs import run
from tests.support.effort import spread
from tests.support.hall import LOOPBACK, free_port
from tests.support.program import PATIENCE
from tests.support.seeded import seed_environment
from tests.support.terminal import Terminal

HOSTS: Final = {
    "screens": ("host", "diamond"),
    "text mode": ("host", "diamond", "--plain"),
    "bot": ("bot", "host", "diamond"),
    "tournament": ("referee", "Friday Cup", "--game", "diamond"),
}
ON_PIPES: Final = [what for what in HOSTS if what != "screens"]


@contextmanager
def stopped_terminal() -> Iterator[tuple[int, int]]:
    """Yields a terminal on which Ctrl-S was pressed."""
    master, slave = pty.openpty()
    termios.tcflow(slave, termios.TCOOFF)
    yield slave, slave
    os.close(slave)
    os.close(master)


@contextmanager
def full_pipe() -> Iterator[tuple[int, int]]:
    """Yields a pipe that takes nothing more, and one on which nobody types."""
    typed, types = os.pipe()
    reads, written = os.pipe()
    os.set_blocking(written, False)
    with suppress(BlockingIOError):
        while True:
            os.write(written, bytes(1 << 12))
    os.set_blocking(written, True)
    yield typed, written
    for handle in (typed, types, reads, written):
        os.close(handle)


@contextmanager
def unread(what: str, where: str, data: Path) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """Yields a host whose output nobody reads, and its port."""
    port = free_port()
    command = [sys.executable, "-m", "tests.support.seeded", *HOSTS[what], "--bind", LOOPBACK, "--port", str(port)]
    env = {"PATH": os.environ["PATH"], "HOME": str(data), "LANG": "C.UTF-8", "TERM": "xterm-256color",
           "LOGNAME": "ana", "KIMBERLEY_AUDIO": "off", **seed_environment()}  # fmt: skip
    with stopped_terminal() if where == "terminal" else full_pipe() as (typed, written):
        process = subprocess.Popen(
            [*command, "--data", str(data)], stdin=typed, stdout=written, stderr=written, env=env,
            start_new_session=True,
        )  # fmt: skip
        try:
            yield process, port
        finally:
            process.kill()
            process.wait()


async def answered(port: int) -> str:
    """Returns what a table says of itself, once it is there."""
    async with asyncio.timeout(PATIENCE):
        while True:
            try:
                probe = await CardProbe.connect(LOOPBACK, port)
            except Unreachable:
                await asyncio.sleep(0.1)
            else:
                await probe.close()
                return probe.card.game


@pytest.mark.parametrize(
    ("what", "where"), spread(3, [*((what, "terminal") for what in HOSTS), *((what, "pipe") for what in ON_PIPES)])
)
def test_a_host_that_nobody_reads_answers_others_and_ends_when_it_is_told(
    what: str, where: str, tmp_path: Path
) -> None:
    with unread(what, where, tmp_path) as (process, port):
        assert run(answered(port)) == "diamond"
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE) != 0


def test_a_screen_that_is_read_again_shows_what_is_there_now(tmp_path: Path) -> None:
    with Terminal("--nickname", "ana", data=tmp_path) as terminal:
        terminal.wait("quit")
        terminal.stop()
        terminal.send("n")
        terminal.send("\x15ben\r")
        terminal.go_on()
        terminal.wait("You are ben")
        terminal.press("q")
        assert terminal.end() == 0
