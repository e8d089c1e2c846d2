"""Host for a friend who has no copy of the program: the line to type on every terminal, by keys alone and by clicks."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any, Final

import pytest

from kimberley.client.screens.app import App
from kimberley.client.screens.copy_for_friend import PAGE_HELPS, PAGE_PLAYS
from kimberley.client.screens.copy_panel import READ_ALOUD, line_rows
from kimberley.client.screens.title import TitleScreen
from kimberley.client.screens.waiting import CODE, INVITE, LINK_CODE
from kimberley.client.ui.palette import Depth, Palette
from kimberley.client.ui.qr_code import code_lines
from kimberley.p2p.sharing.one_line import CommandShell
from tests.support.asyncs import settled, until
from tests.support.cards import CARDS
from tests.support.pretend import (
    PretendServices,
    PretendSharing,
    PretendTable,
    noted_copies,
    press,
    pretend_app,
    shown,
    touch,
)

SIZES: Final = ((80, 24), (100, 34), (120, 28), (120, 40), (200, 60))
BUTTON: Final = INVITE
TRUST: Final = "Guests run the program from your computer"


def table(seats: int = 2, **values: Any) -> PretendTable:
    """Returns an open table, as its host sees it unless told otherwise."""
    given: dict[str, Any] = {
        "game": CARDS, "phase": "open", "seats": seats, "names": ("ana",), "readiness": (False,),
        "acquaintance": ("you",), "agreed": (False,), "asks_ready": seats > 2,
    }  # fmt: skip
    return PretendTable(**(given | values))


def at(seated: PretendTable, test: Callable[[App, PretendServices], Awaitable[None]]) -> None:
    """Runs a test at a table."""

    async def main() -> None:
        services = PretendServices(seated)
        app = pretend_app(services)
        app.push(TitleScreen(app))
        app.take_seat(seated)
        try:
            await test(app, services)
        finally:
            for task in asyncio.all_tasks() - {asyncio.current_task()}:
                task.cancel()

    asyncio.run(main())


async def offered(app: App) -> None:
    """Waits until the line to type is shown."""
    await until(lambda: "Your friend types this" in shown(app))


def served(services: PretendServices) -> PretendSharing:
    assert services.sharing is not None
    return services.sharing


def line_of(services: PretendServices) -> str:
    return served(services).offer().lines[CommandShell.SH]


def line_shown(app: App, columns: int, rows: int) -> str:
    """Returns the line as a person reads it off the screen, row by row."""
    painted = [row.strip() for row in shown(app, columns, rows).splitlines()]
    first = next(number for number, row in enumerate(painted) if "Your friend types" in row)
    last = next(number for number, row in enumerate(painted) if READ_ALOUD in row)
    return "".join(painted[first + 1 : last])


@pytest.mark.parametrize("seats", [2, 6])
def test_the_line_its_words_and_the_page_are_shown_whole_on_every_terminal(seats: int) -> None:
    async def test(app: App, services: PretendServices) -> None:
        press(app, "f", "r")
        await offered(app)
        offer = served(services).offer()
        texts = (
            *offer.words,
            offer.site,
            "Firewall: allow TCP 7480 and 7411",
            "kimberley join 192.168.1.7",
            "py, not python3",
            TRUST,
            " Back Esc",
        )
        for ascii_only in (False, True):
            for depth in Depth:
                app.palette, app.ascii_only = Palette(depth), ascii_only
                for columns, rows in SIZES:
                    painted = shown(app, columns, rows)
                    assert [text for text in (*texts, " Stop sharing f") if text not in painted] == [], painted
                    assert line_shown(app, columns, rows) == line_of(services)
                    assert painted.isascii() or not ascii_only

    at(table(seats), test)


def test_a_row_of_the_line_never_begins_or_ends_with_a_space_that_nobody_sees() -> None:
    for room in range(9, 40):
        rows = line_rows("python3 -c \"a;b or exit('c d')\" join 192.168.1.7", room)
        assert "".join(rows) == "python3 -c \"a;b or exit('c d')\" join 192.168.1.7"
        assert all(row == row.strip() and len(row) <= room for row in rows)


def test_a_resumed_table_serves_its_page_again_only_if_seats_came_by_it() -> None:
    async def test(app: App, services: PretendServices) -> None:
        await until(lambda: services.sharing is not None)

    async def without(app: App, services: PretendServices) -> None:
        await settled()
        assert services.asked == []

    async def refused(app: App, services: PretendServices) -> None:
        services.trouble = "Port 7480 of this machine is already in use."
        await until(lambda: services.trouble in shown(app))

    resumed = table()
    resumed.page_seats.port = 7480
    at(resumed, test)
    at(table(), without)
    at(resumed, refused)


def test_the_code_leads_to_the_page_where_a_terminal_can_show_one() -> None:
    async def test(app: App, services: PretendServices) -> None:
        press(app, "f")
        await offered(app)
        code = [line.strip() for line in code_lines(served(services).offer().site)]
        for columns, rows in SIZES:
            painted = shown(app, columns, rows).splitlines()
            assert [line for line in code if line and not any(line in row for row in painted)] == []
        app.palette = Palette(Depth.NONE)
        assert code[4] not in shown(app)

    at(table(), test)


def offering(monkeypatch: pytest.MonkeyPatch, **values: Any) -> None:
    """Gives what is shared these values from now on."""
    whole = PretendSharing.offer
    monkeypatch.setattr(PretendSharing, "offer", lambda self: replace(whole(self), **values))


LINK: Final = "http://192.168.1.7:7480/p#0123456789abcdef012345"


def test_where_pages_can_be_served_the_first_code_is_a_link(monkeypatch: pytest.MonkeyPatch) -> None:
    offering(monkeypatch, play=LINK)
    monkeypatch.setattr(PretendServices, "serves_pages", True)
    code = code_lines(LINK)

    async def test(app: App, services: PretendServices) -> None:
        await until(lambda: code[9] in shown(app))
        assert services.asked.count(("share",)) == 1
        for columns, rows in SIZES:
            text = shown(app, columns, rows)
            assert all(line.rstrip() in text for line in code)
            assert LINK_CODE in text
            assert "kimberley join 192.168.1.7" in text
            assert BUTTON in text
        press(app, "f")
        assert "types this in a terminal" in shown(app)
        press(app, "f")
        await until(lambda: served(services).closed)
        assert CODE in shown(app)
        assert LINK_CODE not in shown(app)
        app.stack[-1].opened()
        await settled()
        assert services.asked.count(("share",)) == 1

    at(table(), test)


@pytest.mark.parametrize("play", [LINK, None])
def test_the_help_says_what_the_page_behind_the_code_can_do(play: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    offering(monkeypatch, play=play)

    async def test(app: App, services: PretendServices) -> None:
        press(app, "f")
        await offered(app)
        press(app, "f1")
        text = " ".join(shown(app, 120, 120).replace("│", "").split())
        assert (PAGE_PLAYS in text, PAGE_HELPS in text) == (play is not None, play is None)

    at(table(), test)


def test_what_is_around_the_code_stands_still_when_the_link_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    offering(monkeypatch, play=LINK)
    monkeypatch.setattr(PretendServices, "serves_pages", True)

    def around(app: App) -> list[list[tuple[int, int, int, int, object]]]:
        canvases = [app.paint(columns, rows, app.now()) for columns, rows in SIZES]
        return [[(area.x, area.y, area.width, area.height, area.action) for area in each.hits] for each in canvases]

    async def test(app: App, services: PretendServices) -> None:
        assert CODE in shown(app)
        before = around(app)
        await until(lambda: LINK_CODE in shown(app))
        assert around(app) == before

    at(table(), test)


def test_a_table_with_a_page_that_nobody_asked_for_closes_without_a_question(monkeypatch: pytest.MonkeyPatch) -> None:
    offering(monkeypatch, play=LINK)
    monkeypatch.setattr(PretendServices, "serves_pages", True)

    async def test(app: App, services: PretendServices) -> None:
        await until(lambda: LINK_CODE in shown(app))
        press(app, "esc")
        await until(lambda: served(services).closed)
        assert isinstance(app.stack[-1], TitleScreen)

    at(table(), test)


def test_a_page_that_cannot_be_served_from_the_start_leaves_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PretendServices, "serves_pages", True)

    async def test(app: App, services: PretendServices) -> None:
        services.trouble = "Port 7480 is in use."
        await until(lambda: ("share",) in services.asked)
        await settled()
        assert CODE in shown(app)
        assert "7480" not in shown(app)

    at(table(), test)


def test_without_the_runtime_for_browsers_the_line_to_type_is_said_and_copied(monkeypatch: pytest.MonkeyPatch) -> None:
    line = "kimberley browser install"
    offering(
        monkeypatch,
        without=f"Playing on a phone or in a browser needs more packages. Install them: {line}",
        install=line,
    )

    async def test(app: App, services: PretendServices) -> None:
        copied = noted_copies(app)
        press(app, "f")
        await offered(app)
        for columns, rows in SIZES:
            assert "For phones, press l to see what to install" in shown(app, columns, rows)
        touch(app, "press l to see")
        said = " ".join(shown(app).replace("│", " ").split())
        assert "browser install" in said
        touch(app, "Copy the line")
        assert copied == [line]

    at(table(), test)


def test_a_shared_copy_says_why_nobody_can_sit_down_in_a_browser(monkeypatch: pytest.MonkeyPatch) -> None:
    offering(monkeypatch, without="Playing on a phone or in a browser needs more than a shared copy has.")

    async def test(app: App, services: PretendServices) -> None:
        press(app, "f")
        await offered(app)
        press(app, "l")
        assert "! Playing on a phone or in a browser needs more than a shared copy has." in shown(app)

    at(table(), test)


@pytest.mark.parametrize("seats", [2, 6])
def test_the_link_to_sit_down_is_copied_whole_and_shown_where_there_is_room(
    seats: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    digits = "5f3a" * 5 + "5f"
    link = f"http://192.168.1.7:7480/p#{digits}"
    offering(monkeypatch, play=link)

    async def test(app: App, services: PretendServices) -> None:
        copied = noted_copies(app)
        press(app, "f")
        await offered(app)
        for columns, rows in SIZES:
            painted = shown(app, columns, rows)
            assert f"Digits to compare: {digits}" in painted
            assert "http://192.168.1.7:7480" in painted
            assert (link in painted) == (columns >= 100)
        press(app, "l")
        touch(app, "l copy the link")
        touch(app, "Digits to compare:")
        assert copied == [link] * 3

    at(table(seats), test)


def test_an_address_too_long_for_a_code_leaves_room_for_all_else() -> None:
    async def test(app: App, services: PretendServices) -> None:
        press(app, "f")
        await offered(app)
        painted = shown(app)
        assert "http://[2001:db8:85a3:1:2:8a2e:370:7334]:7480" in painted
        assert line_shown(app, 80, 24) == line_of(services)
        assert TRUST in painted
        assert "Stop sharing f" in painted

    at(table(addresses=("2001:db8:85a3:1:2:8a2e:370:7334",)), test)


def test_by_keys_alone() -> None:
    async def test(app: App, services: PretendServices) -> None:
        copied = noted_copies(app)
        press(app, "f")
        await offered(app)
        press(app, "y")
        assert copied == [line_of(services)]
        press(app, "f")
        await until(lambda: served(services).closed)
        assert BUTTON in shown(app)
        assert "Sharing has stopped. Anyone who has a copy" in shown(app)
        press(app, "y")
        assert copied[1:] == ["kimberley join 192.168.1.7"]

    at(table(), test)


def test_by_clicks_alone() -> None:
    async def test(app: App, services: PretendServices) -> None:
        copied = noted_copies(app)
        touch(app, BUTTON)
        await offered(app)
        touch(app, "copy the line")
        assert copied == [line_of(services)]
        touch(app, "Stop sharing")
        await until(lambda: served(services).closed)
        assert BUTTON in shown(app)

    at(table(), test)


@pytest.mark.parametrize("keyboard", [True, False], ids=["keys", "mouse"])
def test_esc_shows_the_table_again_and_the_copy_stays(keyboard: bool) -> None:
    async def test(app: App, services: PretendServices) -> None:
        press(app, "f")
        await offered(app)
        press(app, "esc") if keyboard else touch(app, "Back Esc")
        painted = shown(app)
        assert "How to join" in painted
        assert "Close the table?" not in painted
        assert "stop sharing" not in painted
        assert not served(services).closed
        press(app, "f") if keyboard else touch(app, "Show the invitation again")
        assert line_shown(app, 80, 24) == line_of(services)
        assert services.asked == [("share",)]
        press(app, "esc", "esc")
        assert "Nobody can join once it is closed." in shown(app)

    at(table(), test)


def test_what_is_built_is_said_and_can_be_cancelled() -> None:
    async def test(app: App, services: PretendServices) -> None:
        services.built.clear()
        press(app, "f")
        await until(lambda: services.asked == [("share",)])
        painted = shown(app)
        assert "This can take a few seconds." in painted
        assert TRUST in painted
        touch(app, "Cancel f")
        await until(lambda: BUTTON in shown(app))
        services.built.set()
        press(app, "f")
        await offered(app)
        assert services.asked == [("share",)] * 2

    at(table(4), test)


def test_what_goes_wrong_says_what_to_do_and_can_be_tried_again() -> None:
    async def test(app: App, services: PretendServices) -> None:
        services.trouble = "Your friends cannot reach this computer. Connect it to their network and try again."
        press(app, "f")
        await until(lambda: "Sharing failed" in shown(app))
        assert "and try again." in shown(app)
        services.trouble = ""
        touch(app, "Try again")
        await offered(app)

    at(table(addresses=()), test)


def test_a_guest_goes_on_to_the_words_and_the_copy_stays_until_the_table_closes() -> None:
    seated = table()

    async def test(app: App, services: PretendServices) -> None:
        press(app, "f")
        await offered(app)
        seated.change(names=("ana", "ben"), acquaintance=("you", "new"), agreed=(False, False), phase="words")
        assert "Same words on every screen?" in shown(app)
        assert not served(services).closed
        seated.change(names=("ana",), acquaintance=("you",), agreed=(False,), phase="open")
        assert line_shown(app, 80, 24) == line_of(services)
        press(app, "esc", "esc", "x")
        await until(lambda: served(services).closed)
        assert "Play alone a" in shown(app)

    at(seated, test)


def test_a_table_that_fails_ends_it() -> None:
    seated = table()

    async def test(app: App, services: PretendServices) -> None:
        press(app, "f")
        await offered(app)
        seated.change(phase="failed", problem="The network is gone.")
        await until(lambda: served(services).closed)

    at(seated, test)


def test_closing_the_table_ends_what_is_still_being_built() -> None:
    async def test(app: App, services: PretendServices) -> None:
        services.built.clear()
        press(app, "f")
        await until(lambda: services.asked == [("share",)])
        press(app, "esc", "esc", "x")
        services.built.set()
        await until(lambda: "Play alone a" in shown(app))
        await settled()
        assert services.sharing is None

    at(table(), test)


@pytest.mark.parametrize(
    "values", [{"seat": 1, "host": False, "names": ("ana", "ben"), "addresses": ()}, {"port": 0, "addresses": ()}]
)
def test_a_guest_and_a_table_that_nobody_can_reach_offer_no_copy(values: dict[str, Any]) -> None:
    async def test(app: App, services: PretendServices) -> None:
        assert BUTTON not in shown(app)
        press(app, "f")
        await settled()
        assert not services.asked

    at(table(seats=3, **values), test)
