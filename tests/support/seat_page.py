"""The page of a seat in Chromium, with the program beside it in this process instead of in a worker of the page."""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from typing import Any, Final

from playwright.async_api import BrowserContext, CDPSession, Error, Page, Route

from kimberley.client.browser.page_port import Message
from kimberley.client.browser.page_window import PageWindow
from kimberley.client.screens.app import App
from kimberley.client.session.services import Services
from kimberley.client.session.settings import Settings
from kimberley.games import lookup
from kimberley.p2p.sharing.page_program import POLICY, TYPES
from tests.support.asyncs import until
from tests.support.paths import ROOT
from tests.support.pretend import PretendServices

SITE: Final = "http://seat.invalid"
FILES: Final = ROOT / "client" / "browser" / "page"
UPRIGHT: Final = (390, 844)
ACROSS: Final = (844, 390)
REFUSAL: Final = "The program here is not the one that the link stands for."
LOADER: Final = """
const bytes = (text) => Uint8Array.from(atob(text), (each) => each.charCodeAt(0));
export async function load(address, progress) {
  if (address.hash) throw new Error(REFUSAL);
  progress(2, 2);
  const worker = { postMessage: (message) => globalThis.toProgram(JSON.stringify(message)), onmessage: null };
  globalThis.fromProgram = (data) => {
    for (const name of ["cells", "bytes"]) if (name in data) data[name] = bytes(data[name]);
    worker.onmessage({ data });
  };
  return { worker, digits: "5f3a".repeat(6).slice(0, 22) };
}
"""
"""In place of `loader.js`: what would be a worker is this process."""

RELOADED: Final = ("Execution context was destroyed", "fromProgram is not defined")
"""What playwright says of a page that has just been left, or whose script has not run yet."""


TWO_FRAMES: Final = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


class SeatPage:
    """The page, the program that it shows, and fingers."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.app: App | None = None
        self.started: asyncio.Future[Message] = asyncio.get_running_loop().create_future()
        self.on_message: Callable[[Message], None] = self._on_start
        self.heard: list[Message] = []
        """What the page has said."""
        self.problems: list[str] = []
        """What the console of the browser complained about."""
        self._touching: CDPSession | None = None
        self._posts: asyncio.Queue[Message] = asyncio.Queue()

    def _on_start(self, message: Message) -> None:
        if message["kind"] == "start":
            self.started.set_result(message)

    def receive(self, text: str) -> None:
        message = json.loads(text)
        self.heard.append(message)
        self.on_message(message)

    def post(self, message: Message) -> None:
        self._posts.put_nowait(message)

    async def pump(self) -> None:
        """Hands what the program posts to the page, in order."""
        while True:
            message = await self._posts.get()
            plain = {
                name: base64.b64encode(value).decode() if isinstance(value, bytes) else value
                for name, value in message.items()
            }
            try:
                await self.page.evaluate("message => fromProgram(message)", plain)
            except Error as error:
                # A page that is being reloaded hears nothing more, or nothing yet.
                if not any(sign in error.message for sign in RELOADED):
                    raise

    def of(self, kind: str) -> list[Message]:
        return [message for message in self.heard if message["kind"] == kind]

    # -- fingers -------------------------------------------------------------------------------------------------------

    async def place(self, column: float, row: float) -> tuple[float, float]:
        """Returns where the middle of a cell is on the page."""
        box = await self.page.locator("#cells").bounding_box()
        grid = (await self.page.locator("#cells").get_attribute("data-grid") or "1x1").split("x")
        assert box is not None
        columns, rows = map(int, grid)
        return box["x"] + (column + 0.5) * box["width"] / columns, box["y"] + (row + 0.5) * box["height"] / rows

    async def touch(self, text: str) -> None:
        """Touches a text, at its last occurrence on the screen, as soon as it is there."""
        await until(lambda: self._row_of(text) is not None)
        row = self._row_of(text)
        assert row is not None
        line = self.lines()[row]
        await self.page.touchscreen.tap(*await self.place(line.rindex(text) + len(text) // 2, row))

    async def fingers(self, kind: str, *points: tuple[float, float]) -> None:
        """Sends a touch event of fingers at these points of the page: touchStart, touchMove, touchEnd."""
        if self._touching is None:
            self._touching = await self.page.context.new_cdp_session(self.page)
        touches = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)]
        await self._touching.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})

    # -- what is shown -------------------------------------------------------------------------------------------------

    def lines(self) -> list[str]:
        """Returns the rows that the program shows."""
        assert self.app is not None
        _, columns, rows = self._size()
        return self.app.paint(columns, rows, self.app.now()).lines()

    def _row_of(self, text: str) -> int | None:
        return next((row for row, line in reversed([*enumerate(self.lines())]) if text in line), None)

    def _size(self) -> tuple[str, int, int]:
        last = [message for message in self.heard if message["kind"] in ("start", "size")][-1]
        return last["kind"], last["columns"], last["rows"]

    async def settle(self) -> None:
        """Waits until the page shows the latest frame."""
        await until(self._posts.empty)
        await self.page.evaluate(
            "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
        )


async def serve_page(context: BrowserContext) -> Page:
    """Returns a new page of a browser that finds the files of our page at SITE."""
    await context.route(f"{SITE}/**", _serve)
    return await context.new_page()


@asynccontextmanager
async def open_seat_page(
    context: BrowserContext,
    first: Callable[[App], Any],
    services: Services | None = None,
    **settings: Any,
) -> AsyncIterator[SeatPage]:
    """Opens the page of a seat. `first` opens the first screen of its program."""
    page = await serve_page(context)
    seat = SeatPage(page)
    page.on("console", lambda message: seat.problems.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: seat.problems.append(str(error)))
    await page.expose_binding("toProgram", lambda _source, text: seat.receive(text))
    pumping = asyncio.ensure_future(seat.pump())
    await page.goto(f"{SITE}/play")
    await page.get_by_label("Your name at the table").fill("ana")
    await page.get_by_role("button", name="Join").click()
    start = await seat.started
    chosen = Settings(**({"nickname": "ana", "guided": list(lookup.ids())} | settings))
    seat.app = app = App(chosen, services or PretendServices(), partial(PageWindow, port=seat, start=start))
    runs = asyncio.ensure_future(app.run(lambda: first(app)))
    await until(lambda: seat.of("shown") or runs.done())
    try:
        yield seat
    finally:
        app.quit()
        await runs
        await until(seat._posts.empty)
        pumping.cancel()


def _loader() -> str:
    return LOADER.replace("REFUSAL", json.dumps(REFUSAL))


async def _serve(route: Route) -> None:
    name = (
        route.request.url.removeprefix(SITE).partition("#")[0].removeprefix("/play").removeprefix("/") or "index.html"
    )
    if name == "loader.js":
        await route.fulfill(body=_loader(), content_type=TYPES[".js"])
        return
    file = FILES / name
    if not file.is_file():
        await route.fulfill(status=404)
        return
    headers = {"Content-Type": TYPES[file.suffix], "Content-Security-Policy": POLICY}
    await route.fulfill(body=file.read_bytes(), headers=headers)


def phone(size: Sequence[int]) -> dict[str, Any]:
    """Returns the options of a browser context like a phone of that size."""
    width, height = size
    return {
        "viewport": {"width": width, "height": height}, "device_scale_factor": 2, "has_touch": True, "is_mobile": True,
        "color_scheme": "dark",
    }  # fmt: skip
