"""Servers that have a port of this machine."""

from __future__ import annotations

import asyncio
import contextlib
import errno
from collections.abc import Callable
from typing import Final

from kimberley.p2p.base.errors import UserError
from kimberley.p2p.base.platform import listen
from kimberley.p2p.transport.address import interface_problem
from kimberley.p2p.transport.ports import PORTS_TRIED

ACCEPT_STEPS: Final = 3
"""Turns of the event loop from an accepted socket to its protocol."""


async def reserve_port(
    protocol: Callable[[], asyncio.Protocol], default: int, port: int | None = None, bind: str | None = None
) -> asyncio.Server:
    """Returns a server that has its port, but does not accept connections yet.

    Args:
        protocol: Makes the protocol of each connection.
        default: The port to try first if none is asked for.
        port: 0 for any free port; None for the default one, or the next that is free.
        bind: The only address to listen at; None for all of this machine.

    Raises:
        UserError: The port cannot be used.

    """
    if bind is not None and (problem := interface_problem(bind)) is not None:
        raise UserError(problem)
    ports = [port] if port is not None else [*range(default, default + PORTS_TRIED), 0]
    for number in ports:
        try:
            return await listen(protocol, bind, number)
        except OSError as error:
            # Python adds what follows in parentheses.
            taken, reason = error.errno == errno.EADDRINUSE, (error.strerror or str(error)).partition(" (")[0]
    if port is None:
        advice = "Try again." if bind is None else "Is that this computer’s address?"
        raise UserError(f"No port can be used at {bind or 'this computer'} ({reason}). {advice}")
    where = f"Port {port}" if bind is None else f"Port {port} of {bind}"
    problem = "is already in use" if taken else f"cannot be used ({reason})"
    raise UserError(f"{where} {problem}. Choose another port with --port, or leave --port out.")


async def stop_listening(servers: list[asyncio.Server]) -> None:
    """Closes all servers and forgets them. What they have accepted by then is connected first: asyncio would leave its
    socket open (CPython 3.11, `BaseSelectorEventLoop._accept_connection2`).
    """
    loop = asyncio.get_running_loop()
    # The event loop of Windows has no readers, and does not need this.
    with contextlib.suppress(NotImplementedError):
        for server in servers:
            for listening in server.sockets:
                loop.remove_reader(listening.fileno())
    for _ in range(ACCEPT_STEPS):
        await asyncio.sleep(0)
    for server in servers:
        server.close()
    servers.clear()
