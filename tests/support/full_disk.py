"""A disk that is full, as far as this process notices."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest


@contextmanager
def full_disk(limit: int) -> Iterator[None]:
    """Keeps files of this process from growing beyond that many bytes. Skips the test where that is impossible."""
    resource = pytest.importorskip("resource")
    before, writes_bytecode = resource.getrlimit(resource.RLIMIT_FSIZE), not sys.dont_write_bytecode
    # Python 3.11 keeps bytecode that was cut off, and every later import of that module fails (python/cpython#126606).
    sys.dont_write_bytecode = True
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        sys.dont_write_bytecode = not writes_bytecode
