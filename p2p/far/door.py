"""Lets friends who are far away come to a table."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import asdict
from typing import Any, Final

from kimberley.p2p.base.backoff import Backoff
from kimberley.p2p.base.errors import UserError
from kimberley.p2p.far.codes import FarKey, FarServers
from kimberley.p2p.far.process import TROUBLES, FarProcess

MOST_WAITING: Final = 16
"""The most keys, the latest ones, for which a resumed table waits: enough for five other seats and eight spectators."""
AGAIN_SECONDS: Final = (1.0, 10.0, 60.0)
"""Seconds from the end of a process to the start of the next one, which those who have come need."""


class FarDoor:
    """The way to one table from far away: each friend comes with a code of their own."""

    def __init__(self, place: Callable[[], tuple[str, int]], changed: Callable[[], None]) -> None:
        """Starts nothing yet.

        Args:
            place: Returns where the table listens on this computer.
            changed: Called when anything here has changed.

        """
        self.used = False
        """Whether players at this table may be far away from each other."""
        self.code: str | None = None
        """The code for the next friend; None if none was asked for, or it is not there yet."""
        self.problem: str | None = None
        """Why nobody can come now, as a sentence; None if all is well."""
        self._cut_off = False
        self._place, self._changed = place, changed
        self._process: FarProcess | None = None
        self._keys: list[FarKey] = []
        self._backoff = Backoff(AGAIN_SECONDS)
        self._restart: asyncio.TimerHandle | None = None
        self.asked = False
        """Whether a code was asked for and is not there yet."""

    def invite(self, servers: FarServers, *, anew: bool = False) -> None:
        """Asks for a code, unless there is one that waits for a friend and is not to be replaced. Raises UserError."""
        if (self.code is None or anew) and not self.asked:
            process = self._process or self._start()
            process.tell({"invite": asdict(servers)})
            self.code, self.problem = None, None
            self.used, self.asked = True, True
            self._changed()

    @property
    def keys(self) -> tuple[FarKey, ...]:
        """The keys of those who came last, which a saved game keeps."""
        return tuple(self._keys[-MOST_WAITING:])

    @property
    def cut_off(self) -> bool:
        """Whether those who have come could not come back now: the relay or the process is gone."""
        return self._cut_off and bool(self._keys)

    def resume(self, keys: Iterable[FarKey]) -> None:
        """Waits again for those who came to the table with these keys. If that fails, `problem` says why."""
        self._keys = list(keys)
        if self._keys:
            self.used = True
            try:
                self._start()
            except UserError as error:
                self.problem = str(error)

    def close(self) -> None:
        """Stops letting friends in."""
        process, self._process, self.code = self._process, None, None
        if process is not None:
            process.close()
        if self._restart is not None:
            self._restart.cancel()

    def _start(self) -> FarProcess:
        bind, port = self._place()
        order = {"keys": [key.plain() for key in self._keys], "bind": bind, "port": port}
        self._process = FarProcess(order, self._on_news)
        self._cut_off = False
        return self._process

    def _start_again(self) -> None:
        if self._process is None:
            try:
                self._start()
                self.problem = None
            except UserError as error:
                self.problem = str(error)
            self._changed()

    def _on_news(self, news: dict[str, Any]) -> None:
        if not {"key", "well"} & news.keys():
            self.asked = False
        match news:
            case {"code": str() as code}:
                self.code, self.problem = code, None
            case {"key": plain} if (key := FarKey.read(plain)) is not None:
                self.code = None
                self._keys.append(key)
            case {"trouble": "code"}:
                self.problem = f"Someone mistyped {self.code}, so the code is used up. Get a new code."
                self.code = None
            case {"trouble": "relay" as kind}:
                self.problem, self._cut_off = TROUBLES[kind], True
            case {"trouble": str() as kind}:
                self.code, self.problem = None, TROUBLES[kind]
                if kind == "ended":
                    self._cut_off = True
                    self.close()
                    if self._keys:
                        delay = self._backoff.next()
                        self._restart = asyncio.get_running_loop().call_later(delay, self._start_again)
            case {"well": True}:
                self.problem, self._cut_off = None, False
        self._changed()
