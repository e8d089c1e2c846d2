"""Programs that start fast: one process has imported what they need, and each program is a fork of it.

Importing took more than half of the CPU time of the tests on terminals. A fork has its own session, arguments,
environment, folder, network and standard streams, and ends as a program that was started by itself does.
"""

from __future__ import annotations

import ctypes
import gc
import io
import json
import os
import random
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import weakref
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from tests.support.paths import ROOT

BOARDS: Final = "kimberley.client.boards.registry"
ON_TERMINALS: Final = (
    *("kimberley.client.cli.main", "kimberley.p2p.storage.logfile", "kimberley.client.cli.play"),
    *("kimberley.client.plain.main", "kimberley.client.session.bots", "kimberley.client.session.network"),
    *(
        f"kimberley.client.screens.{name}"
        for name in ("app", "audit_screen", "connecting", "guide_offer", "join", "table_flow", "title", "waiting")
    ),
    *("kimberley.client.screens.tournament_flow", BOARDS, "kimberley.client.boards.diamond_trust.view"),
    *("kimberley.p2p.discovery.mdns", "kimberley.p2p.table.table", "kimberley.protocol.crypto.openssl"),
    *("confusable_homoglyphs.confusables", "zeroconf"),
)
"""What most programs on terminals import. The rest is imported by those that need it."""
SEATS: Final = (
    *("kimberley.p2p.discovery.mdns", "kimberley.p2p.table.spectator_client", "kimberley.p2p.table.table"),
    *("kimberley.protocol.crypto.openssl", "confusable_homoglyphs.confusables", "zeroconf"),
    *(f"tests.support.{name}" for name in ("asyncs", "cards", "inside", "seated", "stones")),
)
"""What seats without a screen import (`tests.support.lan_seat`)."""
NEW_NETWORK: Final = 0x40000000
"""Linux's CLONE_NEWNET."""
MOST_BYTES: Final = 1 << 18
"""The limit for a request: arguments and environment."""

_used: list[float] = [0.0]


def cpu_used() -> float:
    """Returns the seconds of CPU of all forks that have ended and been waited for."""
    return _used[0]


class ImportedProgram:
    """A running fork, with those methods of `subprocess.Popen` that tests need."""

    def __init__(self, server: ForkServer, pid: int) -> None:
        self.pid = pid
        self.returncode: int | None = None
        self._server = server
        self._handle = os.pidfd_open(pid)
        self._reaping = threading.Lock()
        weakref.finalize(self, os.close, self._handle)

    def poll(self) -> int | None:
        """Returns the exit status, or None while it runs."""
        return self._ended(0)

    def wait(self, timeout: float | None = None) -> int:
        """Waits for its end. Returns the exit status. Raises TimeoutExpired."""
        if (status := self._ended(timeout)) is None:
            raise subprocess.TimeoutExpired("a fork", timeout or 0.0)
        return status

    def send_signal(self, number: int) -> None:
        """Sends a signal, if it still runs."""
        if self.poll() is None:
            signal.pidfd_send_signal(self._handle, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def _ended(self, timeout: float | None) -> int | None:
        if self.returncode is None and select.select([self._handle], [], [], timeout)[0]:
            with self._reaping:
                if self.returncode is None:
                    self.returncode, seconds = self._server.reap(self.pid)
                    _used[0] += seconds
        return self.returncode


class ForkServer:
    """The process that has imported the program. It ends when this process does."""

    def __init__(self, module: str, modules: Sequence[str], environ: Mapping[str, str]) -> None:
        """Starts it: it imports the `modules`, and forks will run `main()` of the `module`. `environ` is what the
        interpreter starts with.
        """
        self._asking = threading.Lock()
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            command = [sys.executable, "-m", __name__, str(theirs.fileno()), module, *modules]
            self._process = subprocess.Popen(
                command, pass_fds=[theirs.fileno()], cwd=ROOT, env=dict(environ), start_new_session=True
            )

    def start(
        self,
        arguments: Sequence[str],
        environ: Mapping[str, str],
        streams: tuple[int, int, int],
        folder: Path | None = None,
        network: Path | None = None,
    ) -> ImportedProgram:
        """Runs `main()` in a fork.

        Args:
            arguments: What follows the name of the program.
            environ: The whole environment.
            streams: The descriptors of standard input, output and error.
            folder: The current folder; without it, that of this process.
            network: The file of another network namespace. Entering it takes root.

        """
        request = {
            "arguments": list(arguments),
            "environment": dict(environ),
            "folder": str(folder or Path.cwd()),
            "network": None if network is None else str(network),
        }
        (pid,) = self._ask(request, streams)
        return ImportedProgram(self, pid)

    def reap(self, pid: int) -> tuple[int, float]:
        """Returns the exit status, as `Popen.returncode` has it, and the seconds of CPU of a fork that has ended."""
        status, seconds = self._ask({"ended": pid})
        return int(status), float(seconds)

    def _ask(self, request: Mapping[str, Any], descriptors: Sequence[int] = ()) -> list[Any]:
        with self._asking:
            socket.send_fds(self._control, [json.dumps(request).encode()], descriptors)
            answer: list[Any] = json.loads(self._control.recv(MOST_BYTES))
        return answer


@cache
def on_terminals(module: str, environ: tuple[tuple[str, str], ...]) -> ForkServer:
    """Returns the only server of this process for programs on terminals."""
    return ForkServer(module, ON_TERMINALS, dict(environ))


@cache
def of_seats(module: str) -> ForkServer:
    """Returns the only server of this process for seats without a screen."""
    return ForkServer(module, SEATS, os.environ)


def can_fork() -> bool:
    """Returns whether this system can hand out its processes as ImportedProgram needs them."""
    return hasattr(os, "pidfd_open")


def serve(control: socket.socket) -> dict[str, Any] | None:
    """Forks as often as it is asked to. Returns in each fork, with its request, and None when nobody asks any more."""
    while True:
        data, descriptors, _, _ = socket.recv_fds(control, MOST_BYTES, 3)
        if not data:
            return None
        request: dict[str, Any] = json.loads(data)
        if "ended" in request:
            _, status, used = os.wait4(request["ended"], 0)
            answer = [os.waitstatus_to_exitcode(status), used.ru_utime + used.ru_stime]
        elif pid := os.fork():
            answer = [pid]
            for each in descriptors:
                os.close(each)
        else:
            become(request, descriptors)
            return request
        control.send(json.dumps(answer).encode())


def become(request: Mapping[str, Any], streams: Sequence[int]) -> None:
    """Makes this fork the program that was asked for, in a session of its own."""
    os.setsid()
    if request["network"] is not None:
        enter(request["network"])
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    sys.stdin, sys.stdout, sys.stderr = (opened(*each) for each in enumerate((sys.stdin, sys.stdout, sys.stderr)))
    sys.argv[1:] = request["arguments"]
    os.environ.clear()
    os.environ.update(request["environment"])
    os.chdir(request["folder"])
    tempfile.tempdir = None
    time.tzset()
    random.seed()


def enter(network: str) -> None:
    """Enters a network namespace. Raises OSError."""
    with open(network) as namespace:
        if ctypes.CDLL(None, use_errno=True).setns(namespace.fileno(), NEW_NETWORK):
            raise OSError(ctypes.get_errno(), f"the network {network} cannot be entered")


def opened(number: int, stream: Any) -> io.TextIOWrapper:
    """Returns a standard stream as Python opens it, except that each line is written at once wherever it goes."""
    raw = open(number, "wb" if number else "rb", closefd=False)  # noqa: SIM115 (It stays open.)
    return io.TextIOWrapper(raw, encoding=stream.encoding, errors=stream.errors, line_buffering=True)


def main() -> int:
    number, module, *modules = sys.argv[1:]
    for each in modules:
        import_module(each)
    if BOARDS in modules:
        load_boards()
    # Objects from before a fork belong to all forks: none looks through them for garbage, or copies them for that.
    gc.collect()
    gc.freeze()
    with socket.socket(fileno=int(number)) as control:
        request = serve(control)
    return import_module(module).main() if request is not None else 0


def load_boards() -> None:
    """Loads every board: the title screen shows something of each."""
    from kimberley.client.boards.registry import find_board
    from kimberley.games import lookup

    for game in lookup.ids():
        find_board(game)


if __name__ == "__main__":
    sys.exit(main())
