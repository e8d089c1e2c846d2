"""How a player who looks elsewhere is told of a move, and what moves by itself."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from prompt_toolkit.output import DummyOutput

from kimberley.client.screens.app import App
from kimberley.client.ui.attention import desktop_notice
from kimberley.protocol.events import Asked
from tests.support.pretend import PretendTable, press, running, shown


@pytest.fixture
def rung(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Returns everything that the program does to be noticed."""
    found: list[str] = []
    # As on the console of Windows 10: escape sequences reach it.
    monkeypatch.setattr(DummyOutput, "vt100_output", None, raising=False)
    monkeypatch.setattr(DummyOutput, "bell", lambda self: found.append("bell"))
    monkeypatch.setattr(DummyOutput, "set_title", lambda self, title: found.append(title))
    monkeypatch.setattr(DummyOutput, "write_raw", lambda self, data: found.append(data))
    return found


NOTICED = ["bell", "\x1b]9;Your move in Diamond Trust of London.\x07", "◆ your move · Kimberley"]


def test_a_player_who_looks_elsewhere_is_told_once_that_it_is_their_move(
    rung: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("VTE_VERSION", "KONSOLE_VERSION", "TERM"):
        monkeypatch.delenv(name, raising=False)

    async def test(app: App) -> None:
        table = PretendTable()
        app.take_seat(table)
        table.change(Asked(1, None, None))  # type: ignore[arg-type]
        assert not rung
        app.focus(False)
        table.change(Asked(2, None, None))  # type: ignore[arg-type]
        assert rung == NOTICED
        table.change(Asked(3, None, None))  # type: ignore[arg-type]
        assert rung == NOTICED
        app.focus(True)
        assert rung == [*NOTICED, "Kimberley"]
        table.change(Asked(4, None, None))  # type: ignore[arg-type]
        assert rung == [*NOTICED, "Kimberley"]

    running(test)


@pytest.mark.parametrize(("notices", "focused", "told"), [("always", True, True), ("never", False, False)])
def test_the_settings_say_when_a_move_is_told(rung: list[str], notices: str, focused: bool, told: bool) -> None:
    async def test(app: App) -> None:
        app.settings.notices = notices
        app.focus(focused)
        table = PretendTable()
        app.take_seat(table)
        table.change(Asked(1, None, None))  # type: ignore[arg-type]
        assert bool(rung) == told
        assert ("bell" in rung) == told

    running(test)


@pytest.mark.parametrize("variable", [("VTE_VERSION", "7600"), ("KONSOLE_VERSION", "230800"), ("TERM", "foot")])
def test_a_desktop_notice_is_one_that_the_terminal_knows(
    variable: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("VTE_VERSION", "KONSOLE_VERSION", "TERM"):
        monkeypatch.delenv(name, raising=False)
    assert desktop_notice("Kimberley", "Your; move\x07.") == "\x1b]9;Your  move .\x07"
    monkeypatch.setenv(*variable)
    assert desktop_notice("Kimberley", "Your; move\x07.") == "\x1b]777;notify;Kimberley;Your  move .\x07"


def test_a_toast_goes_by_itself_or_at_any_key() -> None:
    async def test(app: App) -> None:
        app.toast("Copied.")
        assert "Copied." in shown(app)
        press(app, "up")
        assert "Copied." not in shown(app)
        app.toast("Gone soon.", bad=True)
        assert "! Gone soon." in "\n".join(app.paint(80, 24, app.now()).lines())
        assert "Gone soon." not in "\n".join(app.paint(80, 24, app.now() + 3.1).lines())

    running(test)


def test_nothing_is_due_where_nothing_moves() -> None:
    async def test(app: App) -> None:
        loop, due = asyncio.get_running_loop(), list[float]()
        call_at = loop.call_at

        def noted(when: float, *others: Any, **more: Any) -> asyncio.TimerHandle:
            due.append(when)
            return call_at(when, *others, **more)

        loop.call_at = noted  # type: ignore[method-assign, assignment]
        assert all(screen.next_frame(app.now()) is None for screen in app.stack)
        app.draw(80, 24)
        assert due == []
        app.toast("three seconds")
        app.draw(80, 24)
        assert len(due) == 1

    running(test)
