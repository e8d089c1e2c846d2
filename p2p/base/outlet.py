"""Standard output and standard error for programs that others wait for: a thread writes what is printed.

A terminal can stop reading (Ctrl-S, a stalled connection, text being selected on Windows), and so can whatever reads a
pipe. A program that waited for it would meanwhile answer neither the other players nor a signal.
"""

from __future__ import annotations

import io
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from threading import Condition, Thread
from typing import Any, Final

from kimberley.p2p.base.errors import UserError

MOST_WAITING: Final = 4 << 20
"""Bytes of a stream that may wait for its reader. What is printed while more are waiting is lost."""
FULL_SECONDS: Final = 0.02
"""Time between two attempts to write to a stream that another program has made non-blocking."""
GAP: Final = "[Lines that this terminal could not show in time are missing here: {}.]\n"
NOT_READ: Final = "The output was not read in time: {} lines are lost. Send it to a file instead."


class Outlet(io.RawIOBase):
    """Takes bytes for a stream, and writes them on a thread. `write` never waits.

    What is written to a terminal that is gone is lost. Other streams that fail raise OSError, from `write` on.
    """

    def __init__(self, raw: io.RawIOBase) -> None:
        self.on_written: Callable[[], None] | None = None
        """Called on the thread each time everything is written. Whoever sets it also handles lost lines."""
        self._raw = raw
        self._terminal = raw.isatty()
        self._changed = Condition()
        self._pieces: deque[bytes] = deque()
        self._size = 0
        self._lost = 0
        self._error: OSError | None = None
        self._over = False
        Thread(target=self._work, daemon=True).start()

    # -- the stream ----------------------------------------------------------------------------------------------------

    def writable(self) -> bool:
        return True

    def isatty(self) -> bool:
        return self._terminal

    def fileno(self) -> int:
        return self._raw.fileno()

    def write(self, data: Any) -> int:
        piece = bytes(data)
        with self._changed:
            if self._error is not None:
                if not self._terminal:
                    raise OSError(*self._error.args)
            elif self._size > MOST_WAITING:
                self._lost += piece.count(b"\n") or 1
            else:
                if self._lost and self._terminal and self.on_written is None:
                    self._put(GAP.format(self.take_lost()).encode())
                self._put(piece)
        return len(piece)

    @property
    def busy(self) -> bool:
        """Whether something still waits to be written."""
        return self._size > 0

    def take_lost(self) -> int:
        """Returns how many lines were lost since the last call."""
        lost, self._lost = self._lost, 0
        return lost

    def finish(self) -> None:
        """Waits until everything is written. Raises OSError if it cannot be, UserError if some of it was lost."""
        with self._changed:
            self._changed.wait_for(lambda: not self._size)
            self._over = True
            self._changed.notify_all()
        if not self._terminal:
            if self._error is not None:
                raise OSError(*self._error.args)
            if lost := self.take_lost():
                raise UserError(NOT_READ.format(lost))

    def _put(self, piece: bytes) -> None:
        self._pieces.append(piece)
        self._size += len(piece)
        self._changed.notify_all()

    # -- the thread ----------------------------------------------------------------------------------------------------

    def _work(self) -> None:
        while (piece := self._next()) is not None:
            try:
                self._write_whole(piece)
            except OSError as error:
                self._error = error
            with self._changed:
                self._size -= len(piece)
                if self._error is not None:
                    self._pieces.clear()
                    self._size = 0
                self._changed.notify_all()
                written = self.on_written if not self._size else None
            if written is not None:
                written()

    def _next(self) -> bytes | None:
        """Waits for the next piece. Returns None after the last one."""
        with self._changed:
            self._changed.wait_for(lambda: self._pieces or self._over)
            return self._pieces.popleft() if self._pieces else None

    def _write_whole(self, piece: bytes) -> None:
        rest = memoryview(piece)
        while rest:
            # None: the stream does not block, and is full.
            if (written := self._raw.write(rest)) is None:
                time.sleep(FULL_SECONDS)
            rest = rest[written or 0 :]


@contextmanager
def unblocked_output() -> Iterator[None]:
    """Prevents printing from waiting for a reader in the block; only the end of the block waits. Raises OSError and
    UserError, as `Outlet.finish` does, for standard output.
    """
    with _unblocked("stderr"), _unblocked("stdout"):
        yield


@contextmanager
def _unblocked(name: str) -> Iterator[None]:
    """Replaces a standard stream if it is one of the system's."""
    stream = getattr(sys, name)
    raw = getattr(getattr(stream, "buffer", None), "raw", None)
    if not isinstance(stream, io.TextIOWrapper) or not isinstance(raw, io.RawIOBase):
        yield
        return
    stream.flush()
    outlet = Outlet(raw)
    text = io.TextIOWrapper(
        outlet,  # type: ignore[type-var]
        encoding=stream.encoding,
        errors=stream.errors,
        line_buffering=stream.line_buffering,
    )
    setattr(sys, name, text)
    try:
        yield
    finally:
        setattr(sys, name, stream)
        # A failure of standard error cannot be reported anywhere.
        with suppress(OSError, UserError) if name == "stderr" else nullcontext():
            text.flush()
            outlet.finish()
