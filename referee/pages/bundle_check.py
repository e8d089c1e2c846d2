"""What `kimberley verify` says of the tournament's bundle: the command itself is run, once for each version of the
bundle.
"""

from __future__ import annotations

import asyncio
import json
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import Callable, Hashable, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from kimberley.p2p.base.tasks import BackgroundTasks
from kimberley.p2p.sentences.verdicts import EXIT, VERDICT_WORDS

CHECK_SECONDS: Final = 900.0
"""How long a check may take. Thousands of games take minutes; people can check them on machines of their own."""


class CheckedBundle(NamedTuple):
    """The judgment on a bundle: the verdict, why, what was checked, and what rests on the referee's word."""

    code: str
    reason: str
    checked: tuple[str, ...]
    unproven: tuple[str, ...]

    @property
    def word(self) -> str:
        """Returns what the verdict is called."""
        return VERDICT_WORDS[self.code]


UNCHECKED: Final = CheckedBundle("unknown", "It could not be checked here. Check it on your own computer", (), ())


class BundleCheck:
    """The latest judgment. A check computes on all cores, with the low priority of the page, one at a time."""

    def __init__(self, command: Callable[[Path], Sequence[str]]) -> None:
        """Takes `command`, which returns the command that checks a bundle."""
        self._command = command
        self._version: Hashable = None
        self._found = UNCHECKED
        self._tasks = BackgroundTasks()
        self._checking = False

    def of(self, path: Path) -> CheckedBundle | None:
        """Returns the judgment on the bundle as it is now; None while it is being checked, which this begins."""
        version = _version(path)
        if version == self._version:
            return self._found
        if not self._checking:
            self._checking = True
            self._tasks.start(self._check(path, version))
        return None

    async def close(self) -> None:
        """Ends a check that runs."""
        await self._tasks.close()

    async def _check(self, path: Path, version: Hashable) -> None:
        try:
            self._found = await check_bundle(self._command(path))
            self._version = version
        finally:
            self._checking = False


def _version(path: Path) -> tuple[int, int]:
    status = path.stat()
    return status.st_mtime_ns, status.st_size


async def check_bundle(command: Sequence[str]) -> CheckedBundle:
    """Runs the command."""
    process = await asyncio.create_subprocess_exec(*command, stdin=DEVNULL, stdout=PIPE, stderr=DEVNULL)
    try:
        async with asyncio.timeout(CHECK_SECONDS):
            output, _ = await process.communicate()
    except TimeoutError:
        return UNCHECKED
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    if process.returncode not in EXIT.values():
        return UNCHECKED
    report: dict[str, Any] = json.loads(output)
    unproven = tuple(one["reason"] for one in report["unproven"])
    return CheckedBundle(report["verdict"], report["reason"], tuple(report["checked"]), unproven)
