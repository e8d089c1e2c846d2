"""The closed lid, muting, the settings of what is heard, and the sounds of a table on the screens."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable

import pytest

from kimberley.client.audio.commands import CloseLid, PlayPiece, SetVolumes
from kimberley.client.audio.sound import Sound
from kimberley.client.audio.title import TITLE
from kimberley.client.screens.app import App
from kimberley.client.screens.dialogs import menu
from kimberley.client.screens.lid import OPENS, LidScreen
from kimberley.client.screens.settings import INSTALL_KEY, SettingsScreen
from kimberley.client.screens.title import TitleScreen
from kimberley.client.session.settings import MOST_VOLUME
from kimberley.p2p.base.extras import MUSIC, install_line
from kimberley.p2p.table.events import ChatLine
from tests.support.asyncs import until
from tests.support.board_snapshots import Clock, Scenario
from tests.support.heard import PretendSender, audible
from tests.support.pretend import PretendTable, press, pretend_app, shown, touch


def running(test: Callable[[App, PretendSender], Awaitable[None]]) -> None:
    """Runs a test with the title screen of an app that is heard."""

    async def main() -> None:
        app, sender = pretend_app(), PretendSender()
        app.audio = audible(sender, app.settings)
        app.push(TitleScreen(app))
        await test(app, sender)
        for task in asyncio.all_tasks() - {asyncio.current_task()}:
            task.cancel()

    asyncio.run(main())


def close_lid(app: App) -> None:
    press(app, "f10")
    shown(app)
    touch(app, "Dark screen")
    assert isinstance(app.stack[-1], LidScreen)


@pytest.mark.slow
def test_the_title_plays_its_music() -> None:
    async def test(app: App, sender: PretendSender) -> None:
        await until(lambda: PlayPiece(TITLE) in sender.commands)

    running(test)


@pytest.mark.parametrize("key", ["x", "enter", "esc", "m", "f10", " "])
def test_a_closed_lid_is_dark_and_any_key_opens_it(key: str) -> None:
    async def test(app: App, sender: PretendSender) -> None:
        close_lid(app)
        assert sender.commands[-1] == CloseLid(True)
        assert shown(app).split() == []
        press(app, key)
        assert sender.commands[-1:] == [CloseLid(False)]
        assert "Play alone" in shown(app)

    running(test)


def test_a_click_opens_the_lid_too() -> None:
    async def test(app: App, sender: PretendSender) -> None:
        close_lid(app)
        app.draw(80, 24)
        app.touch(40, 12, "left")
        assert "Play alone" in shown(app)

    running(test)


def test_what_needs_the_player_is_seen_and_heard_through_a_closed_lid() -> None:
    async def test(app: App, sender: PretendSender) -> None:
        table = PretendTable(phase="open", names=("ana",))
        app.take_seat(table)
        close_lid(app)
        assert shown(app).split() == []
        table.put(names=("ana", "ben"))
        table.change(None)
        table.put(lines=[ChatLine(1, "hello")])
        table.change(table.chat.lines[0])
        assert sender.sounds == [Sound.JOINED, Sound.CHAT]
        assert "1 unread message." in shown(app)
        assert OPENS in shown(app)

    running(test)


@pytest.mark.parametrize("key", ["m", "f6"])
def test_a_key_mutes_and_says_so(key: str) -> None:
    async def test(app: App, sender: PretendSender) -> None:
        press(app, key)
        assert "Muted" in shown(app)
        assert sender.commands[-1] == SetVolumes(0.0, 0.0)
        press(app, key)
        assert "on again" in shown(app)
        assert sender.commands[-1:] == [SetVolumes(0.25, 0.49)]

    running(test)


def test_the_settings_have_volumes_of_their_own_for_music_and_sounds() -> None:
    async def test(app: App, sender: PretendSender) -> None:
        screen = SettingsScreen(app)
        app.push(screen)
        assert "Silent." not in shown(app)
        screen.focus = screen.names().index("music_volume")
        press(app, *["right"] * (MOST_VOLUME - app.settings.music_volume))
        assert sender.commands[-1] == SetVolumes(1.0, 0.49)
        screen.focus = screen.names().index("sound_volume")
        press(app, *["left"] * app.settings.sound_volume)
        assert sender.commands[-1:] == [SetVolumes(1.0, 0.0)]
        screen.focus = screen.names().index("audio")
        press(app, "left")
        assert app.settings.audio == "off"
        assert "Silent. Turned off." in shown(app)
        assert sender.commands[-1:] == [SetVolumes(0.0, 0.0)]

    running(test)


def test_the_settings_show_the_line_that_installs_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    async def test(app: App, sender: PretendSender) -> None:
        app.push(SettingsScreen(app))
        press(app, "i")
        assert install_line(MUSIC)[:20] not in shown(app), "nothing is missing"
        assert INSTALL_KEY not in [item.key for item in menu(app, app.stack[-1]).items]
        monkeypatch.setitem(sys.modules, "miniaudio", None)
        assert f"Silent. Press {INSTALL_KEY} to see what to install." in shown(app)
        press(app, INSTALL_KEY)
        assert install_line(MUSIC)[:20] in shown(app)
        press(app, "esc")
        (item,) = (item for item in menu(app, app.stack[-1]).items if item.key == INSTALL_KEY)
        item.run()
        assert install_line(MUSIC)[:20] in shown(app)
        press(app, "y")
        assert "Copied" in shown(app)

    running(test)


def test_the_strictest_motion_is_silent() -> None:
    async def test(app: App, sender: PretendSender) -> None:
        screen = SettingsScreen(app)
        app.push(screen)
        screen.focus = screen.names().index("calm")
        press(app, "right")
        assert (app.settings.calm, app.settings.quiet) == (True, True)
        assert "off, and no sound" in shown(app)
        assert sender.commands[-1] == SetVolumes(0.0, 0.0)
        press(app, "right")
        assert (app.settings.calm, app.settings.quiet) == (False, False)
        assert sender.commands[-1:] == [SetVolumes(0.25, 0.49)]

    running(test)


def test_where_nothing_is_heard_the_menu_has_no_lid() -> None:
    async def test(app: App, sender: PretendSender) -> None:
        press(app, "f10")
        assert "Dark screen" in shown(app)
        press(app, "esc")
        app.settings.audio = "off"
        press(app, "f10")
        assert "Dark screen" not in shown(app)

    running(test)


@pytest.mark.parametrize(
    ("seat", "offer", "volume"),
    [(0, "Same room: sounds give nothing away", 0.25), (1, "Music from the host’s computer only", 0.0)],
)
def test_in_one_room_the_lobby_leaves_the_music_to_the_host(seat: int, offer: str, volume: float) -> None:
    async def test(app: App, sender: PretendSender) -> None:
        app.take_seat(PretendTable(seat=seat, host=seat == 0, acquaintance=("new", "new")))
        assert f"[ ] {offer}" in shown(app)
        press(app, "o")
        assert f"[x] {offer}" in shown(app)
        assert sender.commands[-1] == SetVolumes(volume, 0.49)
        app.audio.play(Sound.AGENT_TURNED)
        assert sender.sounds == []
        touch(app, offer)
        assert f"[ ] {offer}" in shown(app)
        press(app, "f10")
        touch(app, "Same room")
        assert app.audio.one_room
        assert app.table_flow is not None
        app.table_flow.leave()
        assert not app.audio.one_room

    running(test)


def test_a_move_that_comes_under_a_closed_lid_is_heard_and_shown() -> None:
    async def test(app: App, sender: PretendSender) -> None:
        table = Scenario("diamond-trust", 2, 3, {}).table(Clock())
        app.take_seat(table)
        close_lid(app)
        assert shown(app).split() == []
        assert sender.sounds == []
        for _ in range(2):
            if table.arena_peer.asked is None:
                table.offer()
            if table.arena_peer.asked is None:
                table.answer()
        assert "Your move in Diamond Trust of London." in shown(app)
        assert sender.sounds == [Sound.YOUR_MOVE]
        press(app, "x")
        assert "months left" in shown(app)

    running(test)
