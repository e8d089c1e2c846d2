"""A person at a table, or beside it, in each interface of the client, until the dossier is shown; and what the event
loop's own thread does meanwhile.
"""

from __future__ import annotations

import asyncio
import gc
import threading
import time
from asyncio.events import Handle
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from functools import partial
from io import StringIO
from pathlib import Path
from typing import Any, Final

from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from kimberley.client.boards.game_screen import GameScreen
from kimberley.client.plain.console import Console
from kimberley.client.plain.table import PlainTable
from kimberley.client.plain.watch import PlainWatch
from kimberley.client.screens.app import App
from kimberley.client.screens.dossier import DossierScreen
from kimberley.client.screens.title import TitleScreen
from kimberley.client.screens.watch import WatchScreen
from kimberley.client.session.interfaces import SpectatorLike
from kimberley.client.session.settings import Settings
from kimberley.client.ui.screen import Screen
from kimberley.client.ui.terminal_window import TerminalWindow
from kimberley.p2p.table.table import Table
from tests.support.pretend import PretendServices

IsShown = Callable[[], bool]
"""Whether the dossier is shown."""
MOST_SAID: Final = 300
"""Characters that describe a callback."""


@dataclass
class LoopSlices:
    """The callbacks of an event loop, by the CPU time of the loop's thread."""

    longest: float = 0.0
    """Seconds of the longest one."""
    what: str = ""


def _named(handle: Handle) -> str:
    """Names a callback. A step of a task is named by what the task runs, unless the task is one of C."""
    task = getattr(handle._callback, "__self__", None)  # type: ignore[attr-defined]
    return (repr(task) if asyncio.isfuture(task) else repr(handle))[:MOST_SAID]


@contextmanager
def loop_slices() -> Iterator[LoopSlices]:
    """Measures each callback that this thread's event loop runs: meanwhile the loop does nothing else. First it
    collects the garbage that others have left: any thread may have to.
    """
    # asyncio measures its callbacks in debug mode only, by the clock, and tells nobody but its log.
    slices, thread, before = LoopSlices(), threading.get_ident(), Handle._run

    def run(handle: Handle) -> None:
        if threading.get_ident() != thread:
            before(handle)
            return
        began = time.thread_time()
        before(handle)
        taken = time.thread_time() - began
        if taken > slices.longest:
            slices.longest, slices.what = taken, _named(handle)

    gc.collect()
    Handle._run = run  # type: ignore[method-assign, assignment]
    try:
        yield slices
    finally:
        Handle._run = before  # type: ignore[method-assign]


# -- the interfaces ----------------------------------------------------------------------------------------------------


@asynccontextmanager
async def _app(folder: Path, enter: Callable[[App], None]) -> AsyncIterator[App]:
    """Runs the full-screen client, with an output that nobody sees."""
    settings = Settings(nickname="ana", path=folder / "settings.json", calm=True)
    with create_pipe_input() as keys:
        app = App(settings, PretendServices(), partial(TerminalWindow, input=keys, output=DummyOutput()))

        def first() -> None:
            app.push(TitleScreen(app))
            enter(app)

        running = asyncio.create_task(app.run(first))
        try:
            yield app
        finally:
            app.quit()
            await running


def _top(app: App) -> Screen | None:
    return app.stack[-1] if app.stack else None


@asynccontextmanager
async def screens(table: Table, folder: Path) -> AsyncIterator[IsShown]:
    """Runs the full-screen client at a table."""
    async with _app(folder, lambda app: app.take_seat(table)) as app:

        def is_shown() -> bool:
            top = _top(app)
            if table.ending.verdict is not None and isinstance(top, GameScreen):
                top.key("enter")  # THE END stays until then.
            return table.ending.verdict is not None and isinstance(top, DossierScreen)

        yield is_shown


@asynccontextmanager
async def lines(table: Table, folder: Path) -> AsyncIterator[IsShown]:
    """Runs the line mode at a table."""
    del folder
    said = StringIO()
    with _typing_nothing() as source:
        playing = asyncio.create_task(PlainTable(table, PretendServices(), Console(source, said), Settings()).play())
        yield lambda: "Type rematch to play again" in said.getvalue()
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)


@asynccontextmanager
async def watched_screens(watch: SpectatorLike, folder: Path) -> AsyncIterator[IsShown]:
    """Watches a table with the full-screen client. The dossier opens some seconds after it is ready."""
    watching: list[WatchScreen] = []

    def enter(app: App) -> None:
        watching.append(WatchScreen(app, watch))
        app.push(watching[0])

    async with _app(folder, enter):
        yield lambda: watching[0].spectating.proof is not None


@asynccontextmanager
async def watched_lines(watch: SpectatorLike, folder: Path) -> AsyncIterator[IsShown]:
    """Watches a table with the line mode."""
    del folder
    said = StringIO()
    with _typing_nothing() as source:
        following = asyncio.create_task(PlainWatch(watch, PretendServices(), Console(source, said)).follow())
        yield lambda: "To save the record, type keep" in said.getvalue()
        following.cancel()
        await asyncio.gather(following, return_exceptions=True)


class _Nothing:
    """A stream from which no line comes until it is closed."""

    def __init__(self) -> None:
        self._closed = threading.Event()

    def __iter__(self) -> Iterator[str]:
        self._closed.wait()
        return iter(())

    def close(self) -> None:
        self._closed.set()


@contextmanager
def _typing_nothing() -> Iterator[Any]:
    source = _Nothing()
    try:
        yield source
    finally:
        source.close()


AT_TABLE: Final = {"screens": screens, "lines": lines}
WATCHING: Final = {"watched screens": watched_screens, "watched lines": watched_lines}
