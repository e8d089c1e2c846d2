"""However a host's program ends, others hear of it at once, and its terminal is left as it was found."""

from __future__ import annotations

import asyncio
import os
import pty
import select
import signal
import subprocess
import sys
import termios
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support.asyncs import run
from tests.support.effort import spread
from tests.support.lan import Lan
from tests.support.program import PATIENCE, Program

HOSTS = {
    "screens": ("host", "diamond", "--calm"),
    "text mode": ("host", "diamond", "--plain"),
    "bot": ("bot", "host", "diamond"),
    "tournament": ("referee", "Friday Cup", "--game", "diamond"),
}
LOOK_SECONDS = 0.2
"""How long a browser takes to report a table that it hears of and cannot reach."""
LEFT = (b"\x1b[?1049l", b"\x1b[?1000l", b"\x1b[?1006l", b"\x1b[?25h", b"\x1b[?2004l", b"\x1b[?1004l")
"""Leaves the alternate screen, the mouse, bracketed paste and reports of the focus, and shows the cursor."""


class Window(Program[subprocess.Popen[bytes]]):
    """A program on a terminal that is its own, as in a window, which can be closed."""

    def __init__(self, command: list[str], data: Path) -> None:
        self.shown = bytearray()
        self._master, slave = pty.openpty()
        self._closing, self._close_it = os.pipe()
        self.settings = termios.tcgetattr(slave)
        env = {"PATH": os.environ["PATH"], "HOME": str(data), "LANG": "C.UTF-8", "TERM": "xterm-256color",
               "LOGNAME": "ana", "KIMBERLEY_AUDIO": "off"}  # fmt: skip
        self.process = subprocess.Popen(["setsid", "-c", *command], stdin=slave, stdout=slave, stderr=slave, env=env)
        self._slave = slave
        self._listen()

    def close_window(self) -> None:
        """Closes the terminal. The kernel then sends SIGHUP."""
        os.close(self._slave)
        os.write(self._close_it, b".")
        self._reader.join()
        os.close(self._master)

    def settings_now(self) -> list[object]:
        return termios.tcgetattr(self._slave)

    def _read(self) -> None:
        while self._closing not in select.select([self._master, self._closing], [], [])[0]:
            try:
                self.shown += os.read(self._master, 1 << 16)
            except OSError:
                return  # The program was the last that had the terminal open.

    def _close(self) -> None:
        for handle in (self._closing, self._close_it):
            os.close(handle)


@pytest.fixture(scope="module")
def lan() -> Iterator[Lan]:
    with Lan(2) as network:
        yield network


@contextmanager
def hosting(lan: Lan, what: str, folder: Path, *, deaf: bool) -> Iterator[Window]:
    """Runs the program on a host. If it is `deaf`, it was started to ignore SIGHUP, as by nohup."""
    hangup = "''" if deaf else "-"
    typed = [*HOSTS[what], "--nickname", "ana"] if what != "tournament" else HOSTS[what]
    program = [sys.executable, "-m", "kimberley.client.cli.main", *typed, "--data", str(folder)]
    window = Window(lan.inside("sh", "-c", f'trap {hangup} HUP; exec "$@"', "sh", *program, host=1), folder)
    try:
        yield window
    finally:
        if window.process.poll() is None:
            window.process.kill()
        window.process.wait()


WAYS = [(what, how) for what in HOSTS for how in ("closed window", "SIGHUP", "SIGTERM", "SIGQUIT")]


# A program that asks a player cannot go on without its window, even if it was started to ignore that signal.
@pytest.mark.parametrize(
    ("what", "how"), spread(2, [*WAYS, *((what, "closed window, ignored") for what in ("screens", "text mode"))])
)
def test_who_looks_for_tables_hears_at_once_that_a_host_has_ended(
    lan: Lan, what: str, how: str, tmp_path: Path
) -> None:
    async def story() -> None:
        async with lan.program(2, "browse") as browser:
            await browser.says(20, event="browsing")
            with hosting(lan, what, tmp_path, deaf="ignored" in how) as window:
                await browser.says(20, event="came")
                await browser.says(20, event="announced")
                before = len(browser.said)
                if "window" in how:
                    window.close_window()
                else:
                    window.process.send_signal(signal.Signals[how])
                await browser.says(20, event="went")
                await browser.says(20, event="withdrawn")
                window.process.wait(PATIENCE)
                await asyncio.sleep(LOOK_SECONDS)
                assert not [line for line in browser.said[before:] if line["event"] in ("announced", "silent")]
                if "window" not in how:
                    assert window.settings_now() == window.settings
                    window.close_window()
                    if what == "screens":
                        assert all(code in window.shown for code in LEFT), bytes(window.shown[-300:])

    run(story(), PATIENCE)
