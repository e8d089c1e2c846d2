from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.chromium import Chromium, open_chromium


@pytest.fixture(scope="session")
def chromium() -> Iterator[Chromium]:
    """Yields one browser for all tests of this process. Each has browser contexts of its own, which share nothing."""
    with open_chromium() as browser:
        yield browser
