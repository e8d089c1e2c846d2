"""A program that a test starts, with a thread that reads its output. It ends when the test does."""

from __future__ import annotations

import subprocess
import threading
from types import TracebackType
from typing import Any, Generic, Self, TypeVar

from tests.support.imported import ImportedProgram

PATIENCE = 60.0
"""The most seconds a test waits for something."""


P = TypeVar("P", bound=subprocess.Popen[Any] | ImportedProgram)


class Program(Generic[P]):
    """Subclasses set `process` once it is started. `_read` reads its output to the end; `_close` closes what is
    open.
    """

    process: P

    def _listen(self) -> None:
        """Starts the reader. Call it once the process exists."""
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
