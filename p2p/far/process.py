"""Runs the processes that lead to tables far away, or from there to a table of this program (`p2p.far.__main__`)."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import subprocess
import sys
from collections.abc import Callable, Mapping
from typing import Any, Final

from kimberley.p2p.base.errors import UserError
from kimberley.p2p.base.platform import start_thread

log = logging.getLogger(__name__)

TROUBLES: Final[Mapping[str, str]] = {
    "server": (
        "The mailbox server does not answer. Check your internet connection, and the server’s address if you set one."
    ),
    "relay": "The relay does not answer. Check your internet connection, and the relay’s address if the host set one.",
    "spelling": "{code} has a word that no code uses. Check the spelling.",
    "code": "{code} is not the host’s code, and each code allows one try. Ask the host for a new code.",
    "nobody": (
        "Nobody is waiting at {code}. Perhaps the table is closed, or someone else has used the code: ask the host "
        "for a new one. If the host uses a mailbox server of their own, set the same one."
    ),
    "ended": "The program that connects to tables far away has quit.",
}


class FarProcess:
    """One process. `on_news` is called with each line that it writes; at its end with `{"trouble": "ended"}`."""

    def __init__(self, order: object, on_news: Callable[[dict[str, Any]], None]) -> None:
        """Starts it. Raises UserError."""
        from kimberley.p2p.base.extras import FAR, require

        require(FAR, "Playing with a friend far away")
        self._loop, self._on_news, self._closed = asyncio.get_running_loop(), on_news, False
        # -P: import nothing from the folder in which the client happens to run.
        command = (sys.executable, "-P", "-m", "kimberley.p2p.far")
        pipe, nowhere = subprocess.PIPE, subprocess.DEVNULL
        try:
            self._process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=nowhere)
        except OSError as error:
            raise UserError(f"{TROUBLES['ended']} ({error.strerror})") from error
        self.tell(order)
        # With threads, since the event loop of Windows that hears mDNS starts no processes.
        start_thread(self._hear)

    def tell(self, order: object) -> None:
        """Gives the process an order. An order to a process that has ended is lost."""
        assert self._process.stdin is not None
        # ValueError: its input is closed.
        with contextlib.suppress(OSError, ValueError):
            self._process.stdin.write(json.dumps(order).encode() + b"\n")
            self._process.stdin.flush()

    def wait(self) -> int:
        """Waits until the process has ended. Returns its status."""
        return self._process.wait()

    def close(self) -> None:
        """Ends the process, without waiting for it."""
        self._closed = True
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):
            self._process.stdin.close()

    def _hear(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as lines:
            for line in lines:
                # A library may print something, and a process that is killed ends in mid-line.
                with contextlib.suppress(ValueError):
                    self._pass_on(json.loads(line))
        self._pass_on({"trouble": "ended", "why": f"status {self.wait()}"})

    def _pass_on(self, news: dict[str, Any]) -> None:
        # The program may have ended before the process.
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._on_line, news)

    def _on_line(self, news: dict[str, Any]) -> None:
        if self._closed:
            return
        if news.get("trouble") == "ended":
            self.close()
        if "trouble" in news:
            log.info("far: %s: %s", news["trouble"], news.get("why", ""))
        self._on_news(news)
