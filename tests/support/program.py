"""A program that a test starts, with a thread that reads what it says, and that is gone when the test is."""

from __future__ import annotations

import subprocess
import threading
from types import TracebackType
from typing import Any, Self

PATIENCE = 20.0
"""Seconds in which whatever a test waits for must come."""


class Program:
    """`process` once it is started. `_read` takes in what it says until the end; `_close` gives back what is open."""

    process: subprocess.Popen[Any]

    def _listen(self) -> None:
        """Begins to read. To be called once the process is there."""
        self.news = threading.Event()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        raise NotImplementedError

    def _close(self) -> None:
        raise NotImplementedError

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self._reader.join()
        self._close()

    def end(self, patience: float = PATIENCE) -> int:
        """Waits for the program to end. Returns its exit status."""
        status = self.process.wait(timeout=patience)
        self._reader.join()
        return status
