"""What tests of the page have in common: its server stops at once."""

from __future__ import annotations

import asyncio
from typing import Any, Final

import pytest
import uvicorn.server

FASTER: Final = 20
"""How much more often the server looks than ten times a second."""


class Attentive:
    """`asyncio` as uvicorn's server sees it: it sleeps between checks whether it should stop, and is stopped often."""

    def __getattr__(self, name: str) -> Any:
        return getattr(asyncio, name)

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds / FASTER)


@pytest.fixture(autouse=True)
def the_page_stops_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uvicorn.server, "asyncio", Attentive())
