"""A host whose table can be joined from a page, in this process, and the page in a real browser."""

from __future__ import annotations

import asyncio
import io
import zipfile
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Any, Final

from playwright.async_api import BrowserContext, Page

from kimberley.games.table import Game
from kimberley.p2p.sharing.page_program import PROGRAM, PageProgram, build_page_program, own_page_files, with_runtime
from kimberley.p2p.sharing.server import FileServer, ServedFile, site_of
from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.table.table import Table
from kimberley.p2p.transport.web_channel import SEAT_PATH
from kimberley.p2p.transport.web_listener import WebListener
from tests.support import page_crypto
from tests.support.chromium import LOOPBACK
from tests.support.paths import DATA

BOT: Final = Path(__file__).with_name("page_bot.py")
CRYPTO: Final = Path(__file__).with_name("page_crypto.py")
START: Final = "kimberley/client/browser/start.py"
PATIENCE: Final = 600.0
"""Seconds for whatever a page is to tell or do. Beside other tests, its program takes long to start."""
FAULTS: Final = ("failed", "error", "refused")
"""What a page tells when its program has stopped, has a fault, or was not started."""


@cache
def page_program() -> PageProgram:
    """Returns the program that pages get, built once."""
    return build_page_program()


@cache
def bot_program() -> PageProgram:
    """Returns the same program, but a bot plays the seat (`page_bot`)."""
    own = own_page_files()
    written = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(own[PROGRAM])) as before,
        zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as after,
    ):
        for name in before.namelist():
            after.writestr(name, BOT.read_bytes() if name == START else before.read(name))
        after.write(CRYPTO, "tests/support/page_crypto.py")
        for name in page_crypto.DATA:
            after.write(DATA / name, f"{PurePosixPath(START).parent}/{name}")
    return with_runtime({**own, PROGRAM: written.getvalue(), "page.js": BOT.with_suffix(".js").read_bytes()})


PARTS: Final = """() => new Promise((found) => {
  const opening = indexedDB.open("kimberley", 1);
  opening.onsuccess = () => {
    const parts = [];
    const walk = opening.result.transaction("parts").objectStore("parts").openCursor();
    walk.onsuccess = () => {
      if (!walk.result) return found(parts);
      parts.push([walk.result.key[0], Array.from(walk.result.value)]);
      walk.result.continue();
    };
  };
})"""
KEPT: Final = """async () => {
  const open = () => new Promise((done) => {
    const opening = indexedDB.open("kimberley.started", 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore("started");
    opening.onsuccess = () => done(opening.result);
  });
  const found = (database) => new Promise((done) => {
    const asking = database.transaction("started").objectStore("started").get("started");
    asking.onsuccess = () => done(asking.result?.mark);
  });
  for (;;) {
    const database = await open();
    const mark = await found(database);
    database.close();
    if (mark && mark === sessionStorage.getItem("kimberley.started")) return mark;
    await new Promise((later) => setTimeout(later, 100));
  }
}"""
"""Waits until the tab has kept the started program. Returns its mark."""


class ServedTable:
    """A host's table and the server of its page. `files` may be changed while it serves."""

    def __init__(self, table: Table, identity: Identity, program: PageProgram) -> None:
        self.table = table
        self.program = program
        self.door = WebListener(identity, lambda channel: table.page_seats.welcome(channel, self.server.port))
        self.files: dict[str, ServedFile] = program.served_by(identity.public)
        self.server = FileServer(lambda _: self.files, handed_over={SEAT_PATH: self.door.take_over})

    @property
    def link(self) -> str:
        return self.program.link(site_of(LOOPBACK, self.server.port), self.door.host_key)


@asynccontextmanager
async def served_table(
    game: Game, data: Path, program: PageProgram, *, seats: int = 2, port: int = 0, headless: bool = True
) -> AsyncIterator[ServedTable]:
    """Hosts a table of this game. With `headless` the host says by itself that the words are the same."""
    identity = Identity.load_or_create(data)
    options = dict(game.quick) | ({"last_look": 1} if game.last_looks else {})
    table = await Table.open(
        game, nickname="ana", identity=identity, data=data, options=options, seats=seats, port=0, bind=LOOPBACK,
        announce=False, headless=headless,
    )  # fmt: skip
    served = ServedTable(table, identity, program)
    try:
        await served.server.open(port, LOOPBACK)
        yield served
    finally:
        await served.server.close()
        await served.door.close()
        await table.close()


class BotPage:
    """A page in which a bot plays, and what it has told so far."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.errors: list[str] = []
        self._told: list[dict[str, Any]] = []
        self._news = asyncio.Event()

    @classmethod
    async def open(cls, context: BrowserContext, link: str) -> BotPage:
        bot = cls(await context.new_page())
        bot.page.on("pageerror", lambda error: bot.errors.append(str(error)))
        await bot.page.expose_function("told", bot._tell)
        await bot.page.add_init_script("addEventListener('seat', ({ detail }) => told(detail))")
        await bot.page.goto(link)
        return bot

    async def tell(self, *orders: str) -> None:
        """Tells a bot that is told what to do (`page_bot`)."""
        for order in orders:
            await self.page.evaluate("(what) => dispatchEvent(new CustomEvent('do', { detail: what }))", order)

    def forget(self) -> None:
        """Forgets what the page has told: only what it tells from now on is heard."""
        self._told.clear()

    async def keep_files(self, folder: Path) -> None:
        """Writes what the page's database holds, as files."""
        for path, data in await self.page.evaluate(PARTS):
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            with (folder / path).open("ab") as file:
                file.write(bytes(data))

    def _tell(self, message: dict[str, Any]) -> None:
        self._told.append(message)
        self._news.set()

    def latest(self, kind: str) -> dict[str, Any]:
        """Returns the latest message of this kind."""
        return next(told for told in reversed(self._told) if told["kind"] == kind)

    async def stopped(self) -> str:
        """Returns why the program in the page has stopped, as soon as it has."""
        async with asyncio.timeout(PATIENCE):
            while not (failed := [told["text"] for told in self._told if told["kind"] == "failed"]):
                self._news.clear()
                await self._news.wait()
        return str(failed[0])

    async def heard(
        self, kind: str, wanted: Callable[[dict[str, Any]], bool] = lambda told: True, seconds: float = PATIENCE
    ) -> dict[str, Any]:
        """Returns the first wanted message of this kind, as soon as there is one. The page must not fail before."""
        try:
            async with asyncio.timeout(seconds):
                while True:
                    assert not any(told["kind"] in FAULTS and told["kind"] != kind for told in self._told), self._told
                    for told in self._told:
                        if told["kind"] == kind and wanted(told):
                            return told
                    self._news.clear()
                    await self._news.wait()
        except TimeoutError:
            raise AssertionError(f"no {kind!r} in {seconds} seconds after {self._told}; {self.errors}") from None
