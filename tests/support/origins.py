"""Connections to this machine that come from other addresses of it, as from other machines."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any
from unittest.mock import patch

from kimberley.p2p.base.platform import connect

_source: ContextVar[str | None] = ContextVar("source", default=None)
"""The address from which the current task connects; None for any."""


@contextmanager
def many_origins() -> Iterator[None]:
    """Lets `coming_from` say where connections come from, while the block lasts."""

    def from_there(protocol: Callable[[], Any], host: str, port: int, **options: Any) -> Any:
        if (source := _source.get()) is not None:
            options["local_addr"] = source, 0
        return connect(protocol, host, port, **options)

    with patch("kimberley.p2p.transport.dial.connect", from_there):
        yield


@contextmanager
def coming_from(address: str) -> Iterator[None]:
    """Lets connections come from this address of this machine in the block, and in tasks that are started there."""
    token = _source.set(address)
    try:
        yield
    finally:
        _source.reset(token)


async def from_address(address: str, work: Callable[[], Any]) -> Any:
    """Returns what `work` returns, with connections that come from this address."""

    async def there() -> Any:
        with coming_from(address):
            return await work()

    return await asyncio.create_task(there())
