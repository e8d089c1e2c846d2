"""Ends a program cleanly when its system asks it to: its terminal was closed, its user has logged out, or somebody
stops it.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import threading
from _thread import start_new_thread
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, Final, TypeVar

T = TypeVar("T")

ENDINGS: Final = ("SIGHUP", "SIGTERM", "SIGQUIT", "SIGBREAK")
"""The signals that ask a program to end. Each system has some of them."""
CLOSING: Final = (2, 5, 6)
"""Windows' CTRL_CLOSE_EVENT, CTRL_LOGOFF_EVENT and CTRL_SHUTDOWN_EVENT, for which it has no signals."""
LAST_SECONDS: Final = 1.5
"""How long a program has to end once it was asked to."""
SIGNALED: Final = 128
"""What a shell adds to a signal's number to get the exit status of a program that the signal ended."""


def _default_endings() -> list[int]:
    """Returns the signals of `ENDINGS` that are neither handled nor ignored yet."""
    known = [getattr(signal, name) for name in ENDINGS if hasattr(signal, name)]
    return [number for number in known if signal.getsignal(number) == signal.SIG_DFL]


@contextmanager
def endings_raise() -> Iterator[None]:
    """Raises SystemExit in the block, with the status of EndRequests, when such a signal comes, so that the block
    cleans up. For code that runs without an event loop.
    """

    def on_signal(number: int, frame: object) -> None:
        del frame
        raise SystemExit(SIGNALED + number)

    heard = _default_endings()
    for number in heard:
        signal.signal(number, on_signal)
    try:
        yield
    finally:
        for number in heard:
            signal.signal(number, signal.SIG_DFL)


class EndRequests:
    """Handles such signals while it is entered. Signals that the program was started to ignore, as by nohup, stay
    ignored.
    """

    def __init__(self) -> None:
        self.number: int | None = None
        """The first signal that came. Others change nothing."""
        self._process = os.getpid()
        self._heard: list[int] = []
        self._cancel: Callable[[], object] | None = None
        self._over = threading.Event()
        self._on_console: Any = None

    def __enter__(self) -> None:
        # Python delivers signals only to the main thread.
        if threading.current_thread() is threading.main_thread():
            self._heard = _default_endings()
        for number in self._heard:
            signal.signal(number, self._on_signal)
        self._hear_console(on=True)

    def __exit__(self, *error: object) -> None:
        for number in self._heard:
            signal.signal(number, signal.SIG_DFL)
        self._hear_console(on=False)
        self._over.set()

    async def cancel_by(self, main: Coroutine[Any, Any, T]) -> T:
        """Returns the coroutine's result. Cancels it when a signal comes, as Ctrl-C does."""
        loop, task = asyncio.get_running_loop(), asyncio.current_task()
        assert task is not None
        self._cancel = partial(loop.call_soon_threadsafe, task.cancel)
        if self.number is not None:
            task.cancel()
        try:
            return await main
        finally:
            self._cancel = None

    @property
    def status(self) -> int:
        """The exit status that shells report for a program that the signal ended."""
        return SIGNALED + (self.number or 0)

    def _on_signal(self, number: int, frame: object) -> None:
        del frame
        if self.number is not None:
            return
        self.number = number
        if os.getpid() != self._process:
            os._exit(self.status)  # A forked process, which has no such loop.
        start_new_thread(self._insist, ())
        if self._cancel is not None:
            self._cancel()

    def _insist(self) -> None:
        """Ends the program if it takes too long, whatever it waits for."""
        if not self._over.wait(LAST_SECONDS):
            os._exit(self.status)

    def _hear_console(self, *, on: bool) -> None:
        """Handles the closing of a console window of Windows, and the logout of its user."""
        if sys.platform != "win32":
            return
        import ctypes

        def on_event(event: int) -> bool:
            if event not in CLOSING:
                return False
            # Windows ends the program as soon as this returns.
            self._on_signal(signal.SIGTERM, None)
            return self._over.wait(LAST_SECONDS)

        if on:
            self._on_console = ctypes.WINFUNCTYPE(ctypes.c_int, ctypes.c_uint)(on_event)
        ctypes.windll.kernel32.SetConsoleCtrlHandler(self._on_console, on)
