"""What may run side by side (`pytest -n auto`): any files; but those that play on hosts and terminals take turns."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

HERE: Final = Path(__file__).parent
TAKING_TURNS: Final = (HERE / "lan", HERE / "terminal")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        group = "hosts" if item.path.parent in TAKING_TURNS else str(item.path.relative_to(HERE))
        item.add_marker(pytest.mark.xdist_group(group))
