"""The terminal's background chooses the theme, with the real parser of keys, and no answer is ever read as keys."""

from __future__ import annotations

import asyncio
import io
from collections.abc import Awaitable, Callable
from functools import partial

import pytest
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output.vt100 import Vt100_Output

from kimberley.client.screens.app import App
from kimberley.client.screens.title import TitleScreen
from kimberley.client.session.settings import Settings
from kimberley.client.ui.terminal_window import TerminalWindow
from kimberley.client.ui.theme import QUERY
from tests.support.asyncs import run, until
from tests.support.pretend import PretendServices, shown

WHITE = "\x1b]11;rgb:ffff/ffff/ffff\x1b\\"


def running(
    test: Callable[[App, PipeInput, io.StringIO], Awaitable[None]], monkeypatch: pytest.MonkeyPatch, theme: str = "auto"
) -> None:
    """Runs a test with the app on a pretend terminal."""
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("COLORFGBG", raising=False)
    monkeypatch.delenv("NO_COLOR", raising=False)

    async def go() -> None:
        with create_pipe_input() as keyboard:
            screen = io.StringIO()
            output = Vt100_Output(screen, lambda: Size(24, 80), term="xterm-256color")
            settings = Settings(nickname="ana", theme=theme, calm=True)
            app = App(settings, PretendServices(), partial(TerminalWindow, input=keyboard, output=output))
            runs = asyncio.ensure_future(app.run(lambda: app.push(TitleScreen(app))))
            await until(lambda: "KIMBERLEY" in screen.getvalue() or "five diamond games" in screen.getvalue())
            await test(app, keyboard, screen)
            app.quit()
            await runs

    run(go())


def test_a_light_background_makes_the_light_theme(monkeypatch: pytest.MonkeyPatch) -> None:
    async def test(app: App, keyboard: PipeInput, screen: io.StringIO) -> None:
        assert QUERY in screen.getvalue()
        assert app.palette.theme.name == "dark"
        keyboard.send_text(WHITE[:9])
        keyboard.send_text(WHITE[9:] + "s")
        await until(lambda: app.palette.theme.name == "light")
        await until(lambda: "Settings" in shown(app))
        assert len(app.stack) == 2

    running(test, monkeypatch)


def test_a_terminal_that_does_not_answer_stays_dark_and_takes_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    async def test(app: App, keyboard: PipeInput, screen: io.StringIO) -> None:
        keyboard.send_text("s")
        await until(lambda: "Settings" in shown(app))
        assert app.palette.theme.name == "dark"

    running(test, monkeypatch)


def test_a_chosen_theme_is_not_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    async def test(app: App, keyboard: PipeInput, screen: io.StringIO) -> None:
        assert QUERY not in screen.getvalue()
        assert app.palette.theme.name == "high-contrast"

    running(test, monkeypatch, "high-contrast")
