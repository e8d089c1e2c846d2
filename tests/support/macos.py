"""A fake of what macOS does differently, for tests on Linux: of the functions of the system, not of ours.

`os.fsync` leaves the bytes in the cache of the disk: what F_FULLFSYNC was asked for is in `durable`.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import sys
from collections.abc import Iterator
from typing import Any, Final

import pytest

F_FULLFSYNC: Final = 51
durable: Final[list[str]] = []
"""The files, by their paths, that would survive a power loss."""

_fcntl: Final = fcntl.fcntl


def _control(handle: int, command: int, argument: Any = 0) -> Any:
    if command == F_FULLFSYNC:
        durable.append(os.readlink(f"/proc/self/fd/{handle}"))
        return 0
    return _fcntl(handle, command, argument)


@contextlib.contextmanager
def on_macos() -> Iterator[None]:
    """Makes everything in the block run as on macOS."""
    durable.clear()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "platform", "darwin")
        patch.setattr(fcntl, "F_FULLFSYNC", F_FULLFSYNC, raising=False)
        patch.setattr(fcntl, "fcntl", _control)
        patch.delattr(os, "fdatasync")
        yield
