"""A user who has no home folder, as in a container without an entry for its user."""

from __future__ import annotations

import os
import pwd
from typing import NoReturn

import pytest

VARIABLES = ("HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME")


def homeless(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hides where the user's home is from now on in this test."""
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(pwd, "getpwuid", _unknown)
    monkeypatch.setattr(os, "getuid", lambda: 54321)


def _unknown(number: int) -> NoReturn:
    raise KeyError(f"getpwuid(): uid not found: {number}")
