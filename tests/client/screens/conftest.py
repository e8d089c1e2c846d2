"""Whatever a test shows of the screens around a game, no text runs over the edge of its place."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.clipped import noting_clipped


@pytest.fixture(autouse=True)
def nothing_is_clipped() -> Iterator[None]:
    with noting_clipped() as clipped:
        yield
    assert not clipped, "\n".join(sorted(clipped))
