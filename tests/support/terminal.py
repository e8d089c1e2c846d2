"""The real program in a terminal of the test's own: a pty on one side, pyte as the screen on the other."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

import pyte

from client.fullscreen import FRAME_BEGINS, FRAME_ENDS
from tests.support.program import PATIENCE, Program
from tests.support.seeded import seed_environment

QUIET: Final = 0.03
SILENCE: Final = 1.0
"""Seconds without a sign of life, where the kernel does not tell what a program waits for."""
KEYS: Final = {
    "up": "\x1b[A", "down": "\x1b[B", "right": "\x1b[C", "left": "\x1b[D", "enter": "\r", "esc": "\x1b", "tab": "\t",
    "s-tab": "\x1b[Z", "backspace": "\x7f", "f1": "\x1bOP", "f10": "\x1b[21~", "c-c": "\x03", "space": " ",
}  # fmt: skip


class TimedOut(AssertionError):
    """The screen never showed what was waited for; the text is what it showed."""


class Terminal(Program):
    """Runs `kimberley` with `arguments` on a terminal of `columns` by `rows`. Ends it when the block is left.

    `inside` is a command that runs it elsewhere: on another host of a test's network.
    """

    def __init__(
        self,
        *arguments: str,
        data: Path,
        columns: int = 80,
        rows: int = 24,
        environ: Mapping[str, str] | None = None,
        program: Sequence[str] = ("-m", "tests.support.seeded"),
        inside: Sequence[str] = (),
    ) -> None:
        self.screen = pyte.Screen(columns, rows)
        self._stream = pyte.ByteStream(self.screen)
        self.raw = bytearray()
        self._heard = time.monotonic()
        master, slave = pty.openpty()
        self._master = master
        self._keyboard = os.ttyname(slave)
        self._set_size(columns, rows)
        env = {"PATH": os.environ["PATH"], "HOME": str(data), "LANG": "C.UTF-8", "TERM": "xterm-256color",
               "COLORTERM": "truecolor", **seed_environment(), **(environ or {})}  # fmt: skip
        command = [*inside, sys.executable, *program, *arguments, "--data", str(data)]
        self.process = subprocess.Popen(
            command, stdin=slave, stdout=slave, stderr=slave, env=env, start_new_session=True, close_fds=True
        )
        os.close(slave)
        # A terminal takes in what is written at any time: a program whose terminal does not read stands still.
        self._lock = threading.Lock()
        self._listen()

    def _close(self) -> None:
        os.close(self._master)

    # -- what it shows -------------------------------------------------------------------------------------------------

    @property
    def text(self) -> str:
        """All rows as they are now."""
        with self._lock:
            return "\n".join(self.screen.display)

    def wait(self, shown: str | Callable[[str], bool], patience: float = PATIENCE) -> str:
        """Waits until the screen shows a text, or a condition on its text holds. Returns the screen's text."""
        holds = (lambda text: shown in text) if isinstance(shown, str) else shown
        end = time.monotonic() + patience
        while True:
            gone = not self._reader.is_alive()
            self.news.clear()
            # A frame arrives in pieces, and what leads to it may be several frames: it is taken when the program is
            # quiet for a moment.
            if self._whole_and(holds) and not self.news.wait(QUIET) and (text := self._whole_and(holds)):
                return text
            if gone or time.monotonic() > end:
                raise TimedOut(f"waited for {shown!r}; the screen shows\n{self.text}")
            self.news.wait(0.1)

    def find(self, text: str) -> tuple[int, int]:
        """The cell where a text begins, column and row; it is waited for."""
        rows = self.wait(text).split("\n")
        return next((row.index(text), y) for y, row in enumerate(rows) if text in row)

    def _whole_and(self, holds: Callable[[str], bool]) -> str | None:
        """The screen's text, if no frame is under way and the condition holds on it."""
        with self._lock:
            whole = self.raw.rfind(FRAME_ENDS.encode()) >= self.raw.rfind(FRAME_BEGINS.encode())
            text = "\n".join(self.screen.display)
        return text if whole and holds(text) else None

    def colours(self, x: int, y: int) -> tuple[str, str]:
        """Foreground and background of a cell, as pyte names them."""
        cell = self.screen.buffer[y][x]
        return cell.fg, cell.bg

    def _read(self) -> None:
        """Takes in what arrives, until the program has gone."""
        while True:
            select.select([self._master], [], [])
            with self._lock:
                try:
                    data = os.read(self._master, 1 << 16)
                except OSError:
                    return
                if not data:
                    return
                self._take(data)
                self._heard = time.monotonic()
            self.news.set()

    def _take(self, data: bytes) -> None:
        """A piece of what the program writes."""
        self.raw += data
        self._stream.feed(data)

    # -- what is done to it --------------------------------------------------------------------------------------------

    def press(self, *keys: str) -> None:
        """Keys by name, or characters. Each is pressed when the screen shows what the one before it did."""
        for key in keys:
            self.send(KEYS.get(key, key))
            self._answered()
            # Escape and what follows it are told apart by time, as at any terminal.
            if key == "esc":
                time.sleep(0.12)
                self._answered()

    def press_until(self, key: str, shown: str, most: int = 60) -> None:
        """Presses a key again and again, until the screen shows a text."""
        for _ in range(most):
            if shown in self.text:
                return
            self.press(key)
        raise TimedOut(f"{key!r} pressed {most} times never showed {shown!r}; the screen shows\n{self.text}")

    def click(self, x: int, y: int, button: int = 0) -> None:
        """A click in the SGR protocol: button 0 left, 1 middle, 2 right, 64 and 65 the wheel up and down."""
        self.send(f"\x1b[<{button};{x + 1};{y + 1}M")
        if button < 64:
            self.send(f"\x1b[<{button};{x + 1};{y + 1}m")
        self._answered()

    def send(self, typed: str) -> None:
        """Bytes of the keyboard or the mouse, without waiting for what they do."""
        os.write(self._master, typed.encode())

    def _answered(self) -> None:
        """Waits until the program has taken in what was sent, and the screen shows what it did at once."""
        end = time.monotonic() + PATIENCE
        while self._reader.is_alive() and not self._at_rest():
            if time.monotonic() > end:
                raise TimedOut(f"the program does not answer its keys; the screen shows\n{self.text}")
            time.sleep(0.001)

    def _at_rest(self) -> bool:
        """Whether the program has read all that was sent, waits for more, and everything that it wrote is shown."""
        try:
            keyboard = os.open(self._keyboard, os.O_RDONLY | os.O_NOCTTY | os.O_NONBLOCK)
        except OSError:
            return False
        try:
            if select.select([keyboard], [], [], 0)[0]:
                return False
        finally:
            os.close(keyboard)
        waits = self._waits()
        with self._lock:
            silent = time.monotonic() - self._heard > SILENCE
            return (waits or silent) and not select.select([self._master], [], [], 0)[0]

    def _waits(self) -> bool:
        """Whether the program sleeps in its event loop. One that is only kept from running does not."""
        try:
            return "poll" in Path(f"/proc/{self.process.pid}/wchan").read_text()
        except OSError:
            return False

    def touch(self, text: str, button: int = 0) -> None:
        """Clicks on a text."""
        x, y = self.find(text)
        self.click(x, y, button)

    def resize(self, columns: int, rows: int) -> None:
        """Gives the terminal another size."""
        self._set_size(columns, rows)
        with self._lock:
            self.screen.resize(rows, columns)
        self.process.send_signal(signal.SIGWINCH)
        self._answered()

    def _set_size(self, columns: int, rows: int) -> None:
        fcntl.ioctl(self._master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
