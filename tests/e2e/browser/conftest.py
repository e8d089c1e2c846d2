from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.chromium import Chromium, open_chromium


@pytest.fixture(scope="module")
def chromium() -> Iterator[Chromium]:
    with open_chromium() as browser:
        yield browser
