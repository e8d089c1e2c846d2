"""Asks for a fork (`tests.support.forks`), and stands in for it until it ends. It imports little, since it is started
for each fork.
"""

from __future__ import annotations

import json
import os
import socket
import sys


def ask(where: str, arguments: list[str]) -> int:
    """Runs a fork with this process's streams. Returns its exit status."""
    with socket.socket(socket.AF_UNIX) as server:
        server.connect(where)
        data = json.dumps({"arguments": arguments, "environment": dict(os.environ)}).encode()
        socket.send_fds(server, [data], [0, 1, 2])
        # This process must not keep the fork's streams open: a reader waits until all copies are closed.
        for stream in (0, 1, 2):
            os.close(stream)
        return (server.recv(1) or b"\x01")[0]


if __name__ == "__main__":
    os._exit(ask(sys.argv[1], sys.argv[2:]))
