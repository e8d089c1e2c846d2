"""What a program shares of itself is built once: an installation always gives the same bytes."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest

from kimberley.client.session import sharing
from kimberley.p2p.sharing.archive import build_archive, build_wheel


@pytest.fixture(scope="session", autouse=True)
def built_once() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sharing, "build_archive", cache(build_archive))
        patch.setattr(sharing, "build_wheel", cache(build_wheel))
        yield
