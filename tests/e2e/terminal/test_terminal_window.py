"""The window on a terminal that reads nothing for a while: what it shows when it reads again."""

from __future__ import annotations

import asyncio
import io
import os
import pty
import signal
import termios
import tty
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress

import pyte
import pytest
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output.vt100 import Vt100_Output

from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.palette import Depth, Palette
from kimberley.client.ui.terminal_window import TerminalWindow
from kimberley.p2p.base import outlet
from kimberley.p2p.base.outlet import Outlet
from tests.support.asyncs import run, until

COLUMNS, ROWS = 60, 10


class Owner:
    """Fills the window with one word."""

    palette = Palette(Depth.TRUE)
    word = "first"
    frames = 0

    def draw(self, width: int, height: int) -> Canvas:
        self.frames += 1
        canvas = Canvas(width, height, self.palette)
        for y, line in enumerate(lines(self.word)):
            canvas.put(0, y, line, "text")
        return canvas

    def frame_shown(self) -> None: ...

    def key(self, name: str, latin: str = "") -> None: ...

    def paste(self, text: str) -> None: ...

    def touch(self, x: int, y: int, button: str) -> None: ...

    def wheel(self, x: int, y: int, steps: int) -> None: ...

    def focus(self, on: bool) -> None: ...

    def apply_settings(self) -> None: ...


def lines(word: str) -> list[str]:
    return [f"{word} {number} " * 4 for number in range(ROWS)]


class Screen:
    """A terminal that can be stopped, as by Ctrl-S."""

    def __init__(self, master: int, slave: int) -> None:
        self._master, self._slave = master, slave
        self._screen = pyte.Screen(COLUMNS, ROWS)
        self._stream = pyte.ByteStream(self._screen)

    def stop(self) -> None:
        termios.tcflow(self._slave, termios.TCOOFF)

    def go_on(self) -> None:
        termios.tcflow(self._slave, termios.TCOON)

    def shows(self, word: str) -> bool:
        with suppress(BlockingIOError):
            self._stream.feed(os.read(self._master, 1 << 16))
        return [row.rstrip() for row in self._screen.display] == [line.rstrip() for line in lines(word)]


@contextmanager
def window_on(owner: Owner) -> Iterator[tuple[TerminalWindow, Screen, Outlet]]:
    master, slave = pty.openpty()
    tty.setraw(slave)
    os.set_blocking(master, False)
    with open(slave, "wb", buffering=0) as raw, create_pipe_input() as keys:
        writer = Outlet(raw)
        stream = io.TextIOWrapper(writer, encoding="utf-8")  # type: ignore[type-var]
        output = Vt100_Output(stream, lambda: Size(ROWS, COLUMNS), term="xterm")
        yield TerminalWindow(owner, input=keys, output=output), Screen(master, slave), writer
        writer.finish()
    os.close(master)


def played(story: Callable[[Owner, TerminalWindow, Screen], Awaitable[None]]) -> None:
    """Plays a story after the first frame is shown. In the end the screen shows the owner's last word."""

    async def main() -> None:
        owner = Owner()
        with window_on(owner) as (window, screen, writer):
            running = asyncio.create_task(window.run())
            await until(lambda: screen.shows("first"))
            await story(owner, window, screen)
            await until(lambda: screen.shows(owner.word))
            window.exit()
            await running
            await until(lambda: screen.shows("") or not writer.busy)

    run(main())


def test_no_frame_is_drawn_for_a_terminal_that_reads_none() -> None:
    async def story(owner: Owner, window: TerminalWindow, screen: Screen) -> None:
        screen.stop()
        before = owner.frames
        for number in range(50):
            owner.word = f"word {number}"
            window.redraw()
            await asyncio.sleep(0)
        assert owner.frames <= before + 1
        owner.word = "last"
        screen.go_on()

    played(story)


def test_a_terminal_that_has_missed_something_is_drawn_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outlet, "MOST_WAITING", 100)

    async def story(owner: Owner, window: TerminalWindow, screen: Screen) -> None:
        del window
        screen.stop()
        for number in range(20):
            owner.word = f"word {number}"
            before = owner.frames
            # A frame of another size is drawn at once.
            signal.raise_signal(signal.SIGWINCH)
            await until(lambda before=before: owner.frames > before)  # type: ignore[misc]
        screen.go_on()

    played(story)
