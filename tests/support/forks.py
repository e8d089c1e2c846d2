"""Programs that start fast: one process imports all they need, and each program is a fork of it.

    with forks("tests.some.module") as command:
        subprocess.run([*command, "argument"])

runs `main()` of that module with this argument, and with the caller's standard streams and environment. Importing what
a peer needs takes a hundred times as long as the fork.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from kimberley.games import lookup
from tests.support import ask_fork

LATER: Final = (
    *("confusable_homoglyphs.confusables", "email.parser", "encodings.idna", "kimberley.protocol.crypto.openssl"),
    *("concurrent.futures.thread", "platformdirs.unix"),
)
"""What peers import only when they play."""
MOST_BYTES: Final = 1 << 18
"""The limit for arguments and environment."""


@contextlib.contextmanager
def forks(module: str) -> Iterator[list[str]]:
    """Yields the command that runs `main()` of a module in a fork, while the block lasts."""
    with tempfile.TemporaryDirectory() as folder:
        where = str(Path(folder) / "socket")
        command = [sys.executable, "-m", "tests.support.forks", where, module]
        with subprocess.Popen(command, stdout=subprocess.PIPE) as server:
            assert server.stdout is not None
            try:
                assert server.stdout.readline() == b"ready\n"
                yield [sys.executable, "-I", "-S", ask_fork.__file__, where]
            finally:
                server.kill()


def serve(where: str, module: str) -> None:
    """Forks for each connection, until it is killed."""
    main = importlib.import_module(module).main
    for each in LATER:
        importlib.import_module(each)
    lookup.ids()  # kept, so that no fork looks through all installed packages
    signal.signal(signal.SIGCHLD, reap)
    gc.collect()
    gc.freeze()
    with socket.socket(socket.AF_UNIX) as door:
        door.bind(where)
        door.listen(64)
        print("ready", flush=True)
        while True:
            asker, _ = door.accept()
            if os.fork() == 0:
                door.close()
                fork(asker, main)
            asker.close()


def reap(*_: object) -> None:
    """Reaps the forks that have ended. Their resource use then counts as this process's."""
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def fork(asker: socket.socket, main: object) -> None:
    """Runs the requested program in this fork, and exits with its status."""
    status = 1
    try:
        data, streams, _, _ = socket.recv_fds(asker, MOST_BYTES, 3)
        asked = json.loads(data)
        for number, stream in enumerate(streams):
            os.dup2(stream, number)
            os.close(stream)
        sys.argv = [sys.argv[0], *asked["arguments"]]
        os.environ.clear()
        os.environ.update(asked["environment"])
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        random.seed()
        threading.Thread(target=end_with, args=(asker,), daemon=True).start()
        assert callable(main)
        status = main()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        asker.sendall(bytes([status]))
        os._exit(status)


def end_with(asker: socket.socket) -> None:
    """Kills this fork when its caller is killed."""
    asker.recv(1)
    os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    serve(sys.argv[1], sys.argv[2])
