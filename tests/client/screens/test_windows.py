"""The screens on Windows: no TERM, no signal when the size changes, and a console that prompt_toolkit knows."""

from __future__ import annotations

import asyncio
import io
import re
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import prompt_toolkit
import pytest
from prompt_toolkit.application import Application
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import ColorDepth, DummyOutput
from prompt_toolkit.output.vt100 import Vt100_Output

from kimberley.client.screens.app import App
from kimberley.client.session.settings import Settings
from kimberley.client.ui import terminal_window
from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.palette import Depth
from kimberley.client.ui.screen import Screen
from kimberley.client.ui.terminal_input import TerminalInput
from kimberley.client.ui.terminal_keys import bindings
from kimberley.client.ui.terminal_window import TerminalWindow
from tests.support.asyncs import run, until
from tests.support.pretend import PretendServices
from tests.support.windows import on_windows


class Console(Vt100_Output):
    """A console of Windows: its size can change, and it knows how many colors it shows."""

    def __init__(self, depth: ColorDepth) -> None:
        self.size = Size(24, 80)
        self.asked = 0
        super().__init__(io.StringIO(), self._measure)
        self._depth = depth

    def _measure(self) -> Size:
        self.asked += 1
        return self.size

    def get_default_color_depth(self) -> ColorDepth:
        return self._depth


class Measured(Screen):
    """A screen that never moves, and notes how wide it is drawn each time."""

    def __init__(self, ui: App) -> None:
        super().__init__(ui)
        self.widths: list[int] = []

    def draw(self, canvas: Canvas, now: float) -> None:
        self.widths.append(canvas.width)


def test_windows_is_asked_for_the_size_of_its_console(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(terminal_window, "RESIZE_SECONDS", 0.01)

    async def story() -> None:
        with create_pipe_input() as keyboard, on_windows():
            console = Console(ColorDepth.TRUE_COLOR)
            app = App(
                Settings(nickname="ana", calm=True),
                PretendServices(),
                partial(TerminalWindow, input=keyboard, output=console),
            )
            screen = Measured(app)
            runs = asyncio.ensure_future(app.run(lambda: app.push(screen)))
            await until(lambda: screen.widths and console.asked > 10)
            for width in range(81, 90):
                console.size = Size(24, width)
                await until(partial(screen.widths.__contains__, width))
            app.quit()
            await runs

    run(story())


@pytest.mark.parametrize(
    ("console", "depth"), [(ColorDepth.TRUE_COLOR, Depth.TRUE), (ColorDepth.DEPTH_4_BIT, Depth.BASIC)]
)
def test_windows_shows_the_colors_of_its_console(
    console: ColorDepth, depth: Depth, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    with create_pipe_input() as keyboard, on_windows():
        app = App(
            Settings(nickname="ana"),
            PretendServices(),
            partial(TerminalWindow, input=keyboard, output=Console(console)),
        )
        assert app.palette.depth is depth
        monkeypatch.setenv("NO_COLOR", "1")
        app.apply_settings()
        assert app.palette.depth is Depth.NONE


def test_keys_of_the_console_have_their_names_and_those_with_alt_none() -> None:
    got: list[str] = []
    pasted: list[str] = []
    with create_pipe_input() as pipe:
        application: Application[None] = Application(
            key_bindings=bindings(got.append, pasted.append), input=pipe, output=DummyOutput()
        )
        application.ttimeoutlen = 0.01

        async def main() -> None:
            work = asyncio.create_task(application.run_async())
            for sent, count in (("aQ\r\t\x1b[A\x1b[1;2A\x03é", 8), ("\x1bq", 8), ("\x1b", 9), ("q", 10)):
                pipe.send_text(sent)
                await until(lambda count=count: len(got) == count)  # type: ignore[misc]
            pipe.send_text("\x1b[200~text\x1b[201~")
            await until(lambda: pasted == ["text"])
            application.exit()
            await work

        asyncio.run(main())
    assert got == ["a", "Q", "enter", "tab", "up", "up", "c-c", "é", "esc", "q"]


@pytest.mark.parametrize("name", ["vt100_parser", "_vt100_parser"])
def test_a_console_that_sends_sequences_is_read_as_a_terminal(name: str) -> None:
    """prompt_toolkit keeps its parser in one of two places, which cannot be imported here."""
    with create_pipe_input() as pipe:
        reader = SimpleNamespace(**{name: None})
        vars(pipe)["console_input_reader"] = reader
        TerminalWindow(cast(App, SimpleNamespace(key=None, paste=None)), input=pipe, output=DummyOutput())
        assert isinstance(getattr(reader, name), TerminalInput)
    source = Path(prompt_toolkit.__file__).with_name("input").joinpath("win32.py").read_text("utf-8")
    assert {"self.console_input_reader", "self._vt100_parser"} <= set(re.findall(r"self\.\w+", source))
