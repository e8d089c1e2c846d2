"""A pseudo-terminal for benchmarks to run Kimberley in."""

from __future__ import annotations

import fcntl
import os
import select
import signal
import struct
import termios
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import pyte

TICKS: Final = os.sysconf("SC_CLK_TCK")


class Terminal:
    """A program in a pseudo-terminal of 80x24, and what it shows."""

    def __init__(self, command: Sequence[str], columns: int = 80, rows: int = 24) -> None:
        self.screen = pyte.Screen(columns, rows)
        self._stream = pyte.ByteStream(self.screen)
        self.started = time.perf_counter()
        self.pid, self._master = os.forkpty()
        if self.pid == 0:
            os.environ.update(TERM="xterm-256color", COLORTERM="truecolor", LANG="C.UTF-8")
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
            os.execvp(command[0], list(command))

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *_: object) -> None:
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self._master)

    def type(self, data: bytes) -> float:
        """Types; returns the time."""
        os.write(self._master, data)
        return time.perf_counter()

    def wait(self, seen: Callable[[str], bool], seconds: float = 15.0) -> float:
        """Reads until `seen` accepts what the screen shows; returns the time at which the bytes that made it so had
        arrived.
        """
        end = time.perf_counter() + seconds
        while (left := end - time.perf_counter()) > 0:
            if not select.select([self._master], [], [], left)[0]:
                break
            data = os.read(self._master, 1 << 16)
            arrived = time.perf_counter()
            self._stream.feed(data)
            if seen("\n".join(self.screen.display)):
                return arrived
        raise TimeoutError("\n".join(self.screen.display))

    def quiet(self, seconds: float) -> None:
        """Reads until nothing has come for so many seconds."""
        while select.select([self._master], [], [], seconds)[0]:
            self._stream.feed(os.read(self._master, 1 << 16))

    def frame(self, typed: bytes) -> float:
        """Returns the seconds from a key to the last byte of the frame that it led to."""
        self.quiet(0.2)
        start = last = self.type(typed)
        while select.select([self._master], [], [], 1.0 if last == start else 0.05)[0]:
            self._stream.feed(os.read(self._master, 1 << 16))
            last = time.perf_counter()
        return last - start

    def cpu_seconds(self) -> float:
        """Returns the CPU seconds that the program has used since it started."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / TICKS
