"""Programs on terminals that start fast: one process has imported what they need, and each program is a fork of it.

Importing took more than half of the CPU time of the tests on terminals. A fork has its own session, arguments,
environment, folder and standard streams, and ends as a program that was started by itself does.
"""

from __future__ import annotations

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
import time
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import Any, Final

from tests.support.paths import ROOT

MODULES: Final = (
    *("kimberley.client.cli.main", "kimberley.client.cli.logfile", "kimberley.client.cli.play"),
    *("kimberley.client.plain.main", "kimberley.client.session.bots", "kimberley.client.session.network"),
    *(
        f"kimberley.client.screens.{name}"
        for name in ("app", "audit_screen", "connecting", "guide_offer", "join", "table_flow", "title", "waiting")
    ),
    *("kimberley.client.screens.tournament_flow", "kimberley.client.boards.diamond_trust.view"),
    *("kimberley.p2p.discovery.mdns", "kimberley.p2p.table.table", "kimberley.protocol.crypto.openssl"),
    *("confusable_homoglyphs.confusables", "zeroconf"),
)
"""What most programs on terminals import. The rest is imported by those that need it."""
MOST_BYTES: Final = 1 << 18
"""The limit for a request: arguments and environment."""

_used: list[float] = [0.0]


def cpu_used() -> float:
    """Seconds of CPU of all forks that have ended and been waited for."""
    return _used[0]


class ImportedProgram:
    """A running fork, with those methods of `subprocess.Popen` that tests need."""

    def __init__(self, server: ForkServer, pid: int) -> None:
        self.pid = pid
        self.returncode: int | None = None
        self._server = server
        self._handle = os.pidfd_open(pid)

    def poll(self) -> int | None:
        """The exit status, or None while it runs."""
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
            self.returncode, seconds = self._server.reap(self.pid)
            _used[0] += seconds
            os.close(self._handle)
        return self.returncode


class ForkServer:
    """The process that has imported the program. It ends when this process does."""

    def __init__(self, module: str, environ: Mapping[str, str]) -> None:
        """Starts it: forks will run `main()` of the module. `environ` is what the interpreter starts with."""
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            command = [sys.executable, "-m", __name__, str(theirs.fileno()), module]
            self._process = subprocess.Popen(
                command, pass_fds=[theirs.fileno()], cwd=ROOT, env=dict(environ), start_new_session=True
            )

    def start(self, arguments: Sequence[str], environ: Mapping[str, str], terminal: int) -> ImportedProgram:
        """Runs `main()` with these arguments and this environment in a fork, on the terminal with this descriptor."""
        request = {"arguments": list(arguments), "environment": dict(environ), "folder": os.getcwd()}
        (pid,) = self._ask(request, [terminal])
        return ImportedProgram(self, pid)

    def reap(self, pid: int) -> tuple[int, float]:
        """The exit status, as `Popen.returncode` has it, and the seconds of CPU of a fork that has ended."""
        status, seconds = self._ask({"ended": pid})
        return int(status), float(seconds)

    def _ask(self, request: Mapping[str, Any], descriptors: Sequence[int] = ()) -> list[Any]:
        socket.send_fds(self._control, [json.dumps(request).encode()], descriptors)
        answer: list[Any] = json.loads(self._control.recv(MOST_BYTES))
        return answer


@cache
def fork_server(module: str, environ: tuple[tuple[str, str], ...]) -> ForkServer:
    """The only one of this process for this module and environment."""
    return ForkServer(module, dict(environ))


def serve(control: socket.socket) -> dict[str, Any] | None:
    """Forks as often as it is asked to. Returns in each fork, with its request, and None when nobody asks any more."""
    while True:
        data, descriptors, _, _ = socket.recv_fds(control, MOST_BYTES, 1)
        if not data:
            return None
        request: dict[str, Any] = json.loads(data)
        if "ended" in request:
            _, status, used = os.wait4(request["ended"], 0)
            answer = [os.waitstatus_to_exitcode(status), used.ru_utime + used.ru_stime]
        elif pid := os.fork():
            answer = [pid]
            os.close(descriptors[0])
        else:
            become(request, descriptors[0])
            return request
        control.send(json.dumps(answer).encode())


def become(request: Mapping[str, Any], terminal: int) -> None:
    """Makes this fork the program that was asked for, on the terminal, in a session of its own."""
    os.setsid()
    for number in (0, 1, 2):
        os.dup2(terminal, number)
    os.close(terminal)
    sys.stdin, sys.stdout, sys.stderr = (on_terminal(*each) for each in enumerate((sys.stdin, sys.stdout, sys.stderr)))
    sys.argv[1:] = request["arguments"]
    os.environ.clear()
    os.environ.update(request["environment"])
    os.chdir(request["folder"])
    tempfile.tempdir = None
    time.tzset()
    random.seed()


def on_terminal(number: int, stream: Any) -> io.TextIOWrapper:
    """A standard stream as Python opens it on a terminal."""
    raw = open(number, "wb" if number else "rb", closefd=False)  # noqa: SIM115 (It stays open.)
    return io.TextIOWrapper(raw, encoding=stream.encoding, errors=stream.errors, line_buffering=True)


def main() -> int:
    number, module = sys.argv[1:]
    program = import_module(module).main
    for each in MODULES:
        import_module(each)
    load_boards()
    with socket.socket(fileno=int(number)) as control:
        request = serve(control)
    return program() if request is not None else 0


def load_boards() -> None:
    """The title screen shows something of every board."""
    from kimberley.client.boards.registry import find_board
    from kimberley.games import lookup

    for game in lookup.ids():
        find_board(game)


if __name__ == "__main__":
    sys.exit(main())
