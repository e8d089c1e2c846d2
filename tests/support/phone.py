"""A phone in Chromium, used by touch alone: what its page shows, and fingers on it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final, TypeAlias

from playwright.async_api import Page
from playwright.async_api import TimeoutError as NothingHappened

from kimberley.client.boards.bubble import STOP_LABELS
from kimberley.client.boards.diamond_trust.board import DiamondTrustUI
from tests.support.chromium import Chromium
from tests.support.seat_page import UPRIGHT, phone
from tests.support.terminal import TimedOut

PATIENCE: Final = 120.0
"""Seconds. The program runs several times slower in a page, above all the audit of a game."""
POLL: Final = 0.05
SHOWS_ANOTHER: Final = "text => document.querySelector('#shown').textContent !== text"
ALL: Final = slice(None)
Touch: TypeAlias = str | tuple[str, str]
"""A text that is touched when it is shown; or, when the first of two is shown, the second."""
GO_ON: Final = ("Continue", "to the end")
"""The buttons of what stays until it is read, and of what is played back."""
STOP_GUIDE: Final = STOP_LABELS[True]
"""What stops the notes that guide through a first game."""
ASTRAY: Final = (("· log", "Back"), ("╭─ Map", "Close"))
"""The log and the map, and the way back: a touch that comes when the screen has just changed may open them."""
READING: Final = DiamondTrustUI.key_delay
"""Seconds for which these may take no touch: it may be meant for what was shown before."""
HANDLED: Final = 10.0
"""Seconds after which a touch of these that has changed nothing was made too early, after all."""


class Phone:
    """The page of a seat, as its player sees it. Like `tests.support.terminal.Terminal`, with fingers for keys."""

    def __init__(self, chromium: Chromium, page: Page) -> None:
        self.page = page
        self.problems: list[str] = []
        """What the browser complained about."""
        self.guided = False
        """Whether the player reads the notes of the guide. A finger stops them for all others."""
        self._run = chromium.wait_for
        page.on("pageerror", lambda error: self.problems.append(str(error)))
        page.on("console", lambda said: self.problems.append(said.text) if said.type in ("error", "warning") else None)

    @property
    def text(self) -> str:
        """All rows as they are now."""
        return self._run(self.page.locator("#shown").text_content()) or ""

    def wait(self, shown: str | Callable[[str], bool], patience: float = PATIENCE) -> str:
        """Waits until the page shows a text, or a condition on its text holds. Returns the text of all rows."""
        holds = (lambda text: shown in text) if isinstance(shown, str) else shown
        end = time.monotonic() + patience
        while not holds(text := self.text):
            if time.monotonic() > end:
                raise self.timed_out(shown)
            self._run(self._changed(text))
        return text

    def timed_out(self, wanted: object) -> TimedOut:
        """Returns the error to raise if something was not shown in time."""
        state = self._run(self.page.locator("#state").inner_text())
        return TimedOut(f"waited for {wanted!r}; the page says {state!r} and shows\n{self.text}")

    async def _changed(self, text: str) -> None:
        """Waits until the page shows another text, but no longer than a second. The page looks, which costs less."""
        with suppress(NothingHappened):
            await self.page.wait_for_function(SHOWS_ANOTHER, arg=text, polling=1000 * POLL, timeout=1000)

    def wait_through(self, shown: str, patience: float = PATIENCE) -> None:
        """Waits for a text. What is played back meanwhile is shown at once, and each card is left."""
        self.play((), shown, patience)

    def play(self, touches: Sequence[Touch], shown: str, patience: float = PATIENCE) -> None:
        """Waits for a text as `wait_through` does, while a finger plays (`play_together`)."""
        play_together([self], touches, (shown,), patience)

    def pause(self, seconds: float) -> None:
        """Waits, and lets the browser go on meanwhile."""
        self._run(asyncio.sleep(seconds))

    def touch(self, text: str, within: slice = ALL) -> None:
        """Touches the last occurrence of a text within these rows, once it is there."""
        self.tap(*self.find(text, within))

    def find(self, text: str, within: slice = ALL) -> tuple[int, int]:
        """Returns the cell in the middle of the last occurrence of a text within these rows, once it is there."""
        return place(text, self.wait(lambda shown: text in "\n".join(shown.splitlines()[within])), within)

    def tap(self, column: int, row: int) -> None:
        """Touches a cell."""
        self._run(self._tap(column, row))

    async def _tap(self, column: int, row: int) -> None:
        cells = self.page.locator("#cells")
        box = await cells.bounding_box()
        columns, rows = map(int, (await cells.get_attribute("data-grid") or "").split("x"))
        assert box is not None
        await self.page.touchscreen.tap(
            box["x"] + (column + 0.5) * box["width"] / columns, box["y"] + (row + 0.5) * box["height"] / rows
        )

    @property
    def said(self) -> str:
        """What a screen reader has heard lately."""
        return self._run(self.page.get_by_role("log").inner_text())

    def download(self, text: str) -> bytes:
        """Touches a text, and returns the file that the browser then gets."""
        column, row = self.find(text)

        async def fetch() -> Path:
            async with self.page.expect_download() as download:
                await self._tap(column, row)
            return await (await download.value).path()

        return self._run(fetch()).read_bytes()

    def picture(self, path: Path) -> None:
        """Keeps what the page looks like, as PNG."""
        self._run(self.page.screenshot(path=path))


def place(text: str, shown: str, within: slice = ALL) -> tuple[int, int]:
    """Returns the cell in the middle of the last occurrence of a text within these rows of what is shown."""
    rows = shown.splitlines()
    y = max(number for number in range(*within.indices(len(rows))) if text in rows[number])
    return rows[y].rindex(text) + len(text) // 2, y


class Finger:
    """A finger on a phone. It makes the first touch that it can, waits until that has done something, and looks again.
    Cards are left, and what is played back is shown at once.
    """

    def __init__(self, phone: Phone, touches: Sequence[Touch], ends: Sequence[str]) -> None:
        """Takes `ends`, the texts at which it stops."""
        self._phone = phone
        self._ends = ends
        notes = () if phone.guided else (STOP_GUIDE,)
        known = (*GO_ON, *notes, *ends, *ASTRAY, *touches)
        self._known = [(each, each) if isinstance(each, str) else each for each in known]
        self._text = ""
        """What was shown when it last touched something."""
        self._again = self._late = 0.0
        """When it may touch the same again, and when something must have happened."""

    def move(self, patience: float) -> bool:
        """Looks once, and touches something if it can. Returns whether it has stopped. Raises TimedOut."""
        text, now = self._phone.text, time.monotonic()
        if text != self._text:
            self._again = 0.0
        elif now < self._again:
            return False
        possible = [(seen, touched) for seen, touched in self._known if seen in text and touched in text]
        if not possible:
            self._late = self._late or now + patience
            if now > self._late:
                raise self._phone.timed_out(self._ends)
            return False
        seen, touched = possible[0]
        if seen in self._ends:
            return True
        if seen in GO_ON:
            self._phone.pause(READING)
            if touched not in (text := self._phone.text):
                return False
        self._phone.tap(*place(touched, text))
        self._text, self._late = text, 0.0
        self._again = time.monotonic() + (HANDLED if seen in GO_ON else patience)
        return False


def play_together(
    phones: Sequence[Phone], touches: Sequence[Touch], ends: Sequence[str], patience: float = PATIENCE
) -> None:
    """Plays on these phones, until each has shown one of the texts in `ends`. Raises TimedOut."""
    playing = [Finger(phone, touches, ends) for phone in phones]
    while playing:
        before = len(playing)
        playing = [finger for finger in playing if not finger.move(patience)]
        if len(playing) == before:
            phones[0].pause(POLL)


@contextmanager
def open_phone(
    chromium: Chromium, link: str, name: str, size: tuple[int, int] = UPRIGHT, **options: Any
) -> Iterator[Phone]:
    """Opens a phone that follows a link, whose player has typed a name. Nothing moves on it."""
    chosen = {**phone(size), "reduced_motion": "reduce", **options}
    context = chromium.wait_for(chromium.open_context(**chosen))
    try:
        page = chromium.wait_for(context.new_page())
        seat = Phone(chromium, page)
        chromium.wait_for(_sit_down(page, link, name))
        yield seat
    finally:
        chromium.wait_for(context.close())


async def _sit_down(page: Page, link: str, name: str) -> None:
    await page.goto(link)
    await page.get_by_label("Your name at the table").fill(name)
    await page.get_by_role("button", name="Join").click()
