"""What the pictures of pages in docs/pictures show: one evening of pretended players, whose games are real, the page
where a copy of the program is shared, and a seat in a page.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

from playwright.async_api import BrowserContext, expect

from kimberley.client.boards.opening_picture import opening_picture
from kimberley.client.screens.app import App
from kimberley.client.screens.title import TitleScreen
from kimberley.client.session.copy_offer import SharedTable
from kimberley.client.session.share_page import share_page
from kimberley.client.session.sharing import copy_offer
from kimberley.games.lookup import find
from kimberley.p2p.sharing.archive import SharedFile
from kimberley.p2p.transport.ports import DEFAULT_PORT, SHARE_PORT
from tests.support.angola import table as trust_table
from tests.support.chromium import Chromium
from tests.support.pretend import PretendServices, press
from tests.support.pretend_source import PretendSource, played
from tests.support.seat_page import UPRIGHT, open_seat_page, phone

WALL: Final = (1920, 1080)
DESK: Final = (1280, 1150)
PHONE: Final = (390, 844)
FINISHED: Final = 3
"""The table whose game is over, from 0."""
NAMES: Final = ("carla", "ben", "ana", "Sancy", "Florentine", "Regent", "Orlov", "Cullinan", "Hope", "Dresden")


@dataclass(frozen=True)
class PagePicture:
    """A page, the size of the browser's window, and where it is scrolled to: a selector, or the top."""

    path: str
    size: tuple[int, int]
    scrolled_to: str = ""


PAGE_PICTURES: Final[Mapping[str, PagePicture]] = {
    "cup-page": PagePicture("/", WALL),
    "cup-wall": PagePicture("/wall/1", WALL),
    "cup-finished": PagePicture(f"/tables/2/{FINISHED + 1}/moments/60", DESK),
    "cup-phone": PagePicture("/tables/2/1", PHONE, ".stage"),
    "share-page": PagePicture("/", (390, 1420)),
    "seat-pay": PagePicture("/play", UPRIGHT),
}
SHARED: Final = "share-page"
SEAT: Final = "seat-pay"
"""Those that are not of a tournament."""


@cache
def evening() -> PretendSource:
    """Returns a tournament of ten in its second round: three tables play, one has finished, one was decided on time."""
    source = PretendSource.open(names=NAMES, rounds=4)
    source.pair()
    for table in range(5):
        source.decide(1, table, (1, 2) if table % 2 else (2, 1))
    source.pair()
    for table, steps in enumerate((43, 48, 60)):
        source.play(2, table, steps, by_bots=True)
    record = played(source.settings.game, source.names(2, FINISHED), by_bots=True)
    source.decide(2, FINISHED, (1, 2), record=record)
    source.decide(2, 4, (2, 1))
    return source


def invitation() -> str:
    """Returns the page of a host who shares."""
    game = find("diamond-trust")
    options = {option.name: option.values[0][0] for option in game.options}
    picture = opening_picture(game.id, ["ana", "?"], options)
    table = SharedTable(DEFAULT_PORT, game.title, (2,), picture)
    # Not the program itself: its hash changes with every commit.
    file = SharedFile("kimberley.pyz", bytes(2_200_000))
    offer = copy_offer("ana", "192.168.1.7", SHARE_PORT, file, None, table)
    return share_page(replace(offer, play=f"{offer.site}/play#")).data.decode()


def seat_picture(chromium: Chromium) -> bytes:
    """Returns a seat in Diamond Trust of London on a phone that is held upright."""
    picture = b""

    async def visit(context: BrowserContext) -> None:
        nonlocal picture
        table = trust_table()

        def first(app: App) -> None:
            app.push(TitleScreen(app))
            app.take_seat(table)
            press(app, "tab", "2", "enter", "tab", "3")

        async with open_seat_page(context, first, PretendServices(table), calm=True) as seat:
            await expect(seat.page.locator("#shown")).to_contain_text("$ 3")
            picture = await seat.page.screenshot()

    chromium.run(visit, **phone(UPRIGHT))
    return picture


def page_picture(chromium: Chromium, name: str) -> bytes:
    """Returns the picture of a page, as PNG."""
    shown = PAGE_PICTURES[name]
    if name == SHARED:
        return chromium.picture_of(invitation(), shown.size)
    if name == SEAT:
        return seat_picture(chromium)
    return chromium.picture(evening(), shown.path, shown.size, shown.scrolled_to)
