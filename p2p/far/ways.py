"""How this program reaches tables far away: what `transport.dial` does with a code in place of a host."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from kimberley.p2p.base.errors import NotRetryable, UserError
from kimberley.p2p.far.codes import FarKey, FarServers, keep_key, load_keys
from kimberley.p2p.far.process import TROUBLES, FarProcess

HERE: Final = "127.0.0.1"
START_SECONDS: Final = 60.0
"""How long a process may take to reach the host: it tries the key, then the mailbox server."""
IN_VAIN: Final = frozenset({"spelling", "code"})
"""Troubles for which trying the same code again is in vain."""
NO_WAYS: Final = "This program cannot reach tables far away."


class FarWays:
    """How this program reaches tables far away: by one process for each code."""

    def __init__(self, folder: Path, servers: Callable[[], FarServers]) -> None:
        self._folder, self._servers = folder, servers
        self._ways: dict[str, _Way] = {}

    async def port(self, code: str) -> int:
        """Returns the port of this computer where the table of a code is reached. Raises UserError; NotRetryable if
        the code is wrong.
        """
        way = self._ways.get(code)
        if way is not None and way.failed:
            way.process.close()
            way = None
        if way is None:
            way = self._ways[code] = _Way(self._folder, code, self._servers())
        try:
            async with asyncio.timeout(START_SECONDS):
                await way.opened.wait()
        except TimeoutError:
            way.fail("ended")
        if not way.port:
            error = NotRetryable if way.trouble in IN_VAIN else UserError
            raise error(self.problem(code) or TROUBLES["ended"])
        return way.port

    def problem(self, code: str) -> str | None:
        """Returns why the table of a code is not reached, as a sentence."""
        way = self._ways.get(code)
        return TROUBLES[way.trouble].format(code=code) if way is not None and way.trouble is not None else None

    def close(self) -> None:
        for way in self._ways.values():
            way.process.close()
        self._ways.clear()


class _Way:
    """One way."""

    def __init__(self, folder: Path, code: str, servers: FarServers) -> None:
        self.opened = asyncio.Event()
        """Set once there is a port, or a trouble."""
        self.port = 0
        self.trouble: str | None = None
        self._folder = folder
        kept = next((key for key in load_keys(folder) if key.code == code), None)
        known = kept.plain() if kept is not None else None
        self.process = FarProcess({"servers": asdict(servers), "code": code, "key": known}, self._on_news)

    @property
    def failed(self) -> bool:
        """Whether another process is needed."""
        return self.opened.is_set() and not self.port

    def fail(self, trouble: str) -> None:
        self.trouble = trouble
        self.opened.set()

    def _on_news(self, news: dict[str, Any]) -> None:
        match news:
            case {"key": plain} if (key := FarKey.read(plain)) is not None:
                keep_key(self._folder, key)
            case {"port": int() as port}:
                self.port = port
                self.opened.set()
            case {"trouble": "ended"}:
                self.port = 0
                self.fail("ended")
            case {"trouble": str() as kind}:
                self.fail(kind)
            case {"well": True}:
                self.trouble = None


_current: FarWays | None = None


def set_ways(ways: FarWays | None) -> None:
    """Sets how this program reaches tables by their codes; None for not at all."""
    global _current
    _current = ways


async def port_of(code: str) -> int:
    """Returns the port of this computer where the table of a code is reached. Raises UserError."""
    if _current is None:
        raise UserError(NO_WAYS)
    return await _current.port(code)


def problem_of(code: str) -> str | None:
    """Returns why the table of a code is not reached, as a sentence."""
    return _current.problem(code) if _current is not None else NO_WAYS
