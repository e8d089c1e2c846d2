"""Lets friends who are far away come to a table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from kimberley.p2p.base.errors import UserError
from kimberley.p2p.far.codes import FarKey, FarServers, keep_key, load_keys
from kimberley.p2p.far.process import TROUBLES, FarProcess

MOST_WAITING: Final = 8
"""The latest keys of a port for which a resumed table waits."""


class FarDoor:
    """The way to one table from far away: each friend comes by a code of their own."""

    def __init__(self, folder: Path | None, place: Callable[[], tuple[str, int]], changed: Callable[[], None]) -> None:
        """Starts nothing yet.

        Args:
            folder: The data folder, where keys are kept; None to keep none.
            place: Returns where the table listens on this computer.
            changed: Called when anything here has changed.

        """
        self.used = False
        """Whether players at this table may be far away from each other."""
        self.code: str | None = None
        """The code for the next friend; None if none was asked for, or it is not there yet."""
        self.problem: str | None = None
        """Why nobody can come now, as a sentence; None if all is well."""
        self._folder, self._place, self._changed = folder, place, changed
        self._process: FarProcess | None = None
        self.asked = False
        """Whether a code was asked for and is not there yet."""

    def invite(self, servers: FarServers) -> None:
        """Asks for a code, unless there is one that waits for a friend. Raises UserError."""
        if self.code is None and not self.asked:
            process = self._process or self._start([])
            process.tell({"invite": asdict(servers)})
            self.used, self.asked, self.problem = True, True, None
            self._changed()

    def resume(self, port: int) -> None:
        """Waits again for those who came to a table at this port. If that fails, `problem` says why."""
        if self._folder is None or not port:
            return
        try:
            if keys := [key for key in load_keys(self._folder) if key.port == port][:MOST_WAITING]:
                self.used = True
                self._start(keys)
        except UserError as error:
            self.problem = str(error)

    def close(self) -> None:
        """Lets nobody come any more."""
        process, self._process, self.code = self._process, None, None
        if process is not None:
            process.close()

    def _start(self, keys: list[FarKey]) -> FarProcess:
        bind, port = self._place()
        order = {"keys": [key.plain() for key in keys], "bind": bind, "port": port}
        self._process = FarProcess(order, self._on_news)
        return self._process

    def _on_news(self, news: dict[str, Any]) -> None:
        if not {"key", "well"} & news.keys():
            self.asked = False
        match news:
            case {"code": str() as code}:
                self.code, self.problem = code, None
            case {"key": plain} if (key := FarKey.read(plain)) is not None:
                self.code = None
                if self._folder is not None:
                    keep_key(self._folder, key)
            case {"trouble": "code"}:
                self.code, self.problem = None, f"Somebody mistyped {self.code}, which is used up. Ask for a new code."
            case {"trouble": "relay" as kind}:
                self.problem = TROUBLES[kind]
            case {"trouble": str() as kind}:
                self.code, self.problem = None, TROUBLES[kind]
                if kind == "ended":
                    self.close()
            case {"well": True}:
                self.problem = None
        self._changed()
