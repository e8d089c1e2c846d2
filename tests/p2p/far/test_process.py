"""The process that leads to tables far away, as it is: started, heard and ended."""

from __future__ import annotations

import asyncio
import gc
import subprocess
import sys
import weakref
from io import BytesIO
from types import SimpleNamespace
from typing import Any

import pytest

from kimberley.p2p.base.extras import MissingExtra
from kimberley.p2p.far.process import FarProcess
from tests.support.asyncs import run, until
from tests.support.hall import free_port


@pytest.mark.slow
def test_the_process_says_what_fails_and_ends_with_its_owner() -> None:
    async def main() -> None:
        news: list[dict[str, Any]] = []
        servers = {"mailbox": f"ws://127.0.0.1:{free_port()}/v1", "relay": ""}
        process = FarProcess({"servers": servers, "code": "7-tomorrow-woodlark", "key": None}, news.append)
        await until(lambda: news, 120)
        assert news[0]["trouble"] == "server"
        process.close()
        assert await asyncio.to_thread(process.wait) == 0
        assert len(news) == 1, "what is said after that is for nobody"

    run(main())


@pytest.mark.slow
def test_a_process_that_fails_says_so() -> None:
    async def main() -> None:
        news: list[dict[str, Any]] = []
        process = FarProcess("no order", news.append)
        await until(lambda: news, 120)
        assert news[-1]["trouble"] == "ended"
        process.tell({})
        gone = weakref.ref(process)
        del process
        # Its thread ends by itself. An input that is left open is an error then.
        await until(lambda: gc.collect() >= 0 and gone() is None)

    run(main())


def test_what_is_no_news_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that is killed ends in mid-line."""
    ended = SimpleNamespace(stdin=BytesIO(), stdout=BytesIO(b'hello\n{"port": 4711}\n{"trou'), wait=lambda: -9)
    monkeypatch.setattr(subprocess, "Popen", lambda *_args, **_more: ended)

    async def main() -> None:
        news: list[dict[str, Any]] = []
        FarProcess({}, news.append)
        await until(lambda: len(news) == 2)
        assert news == [{"port": 4711}, {"trouble": "ended", "why": "status -9"}]

    run(main())


def test_without_its_packages_the_line_to_type_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "noise", None)

    async def main() -> None:
        with pytest.raises(MissingExtra, match="far away needs more packages"):
            FarProcess({}, lambda _: None)

    run(main())
