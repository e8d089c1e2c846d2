"""A seat's page in Chromium whose program changes: what it starts and refuses, with a service worker and without.

For Chromium 127.0.0.1 is a secure context, so it has service workers there. Python is not started: a bot's page says
what was loaded.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

import pytest
from playwright.async_api import BrowserContext, Page, expect

from kimberley.p2p.sharing.page_program import FOLDER, LIST, PROGRAM, SERVICE_WORKER, PageProgram, with_runtime
from kimberley.p2p.sharing.server import FileServer, ServedFile, ServerLimits, site_of
from tests.support.browser_seat import BOT, BotPage
from tests.support.chromium import LOOPBACK, Chromium
from tests.support.pretend_runtime import FILE, pretend_runtime
from tests.support.seat_page import FILES

pytestmark = pytest.mark.e2e

KEY: Final = bytes(range(32))
"""The host's."""
BOT_PAGE: Final = BOT.with_suffix(".js").read_bytes()
CHANGED: Final = dict.fromkeys(("index.html", "page.js", "loader.js", "kept.js", SERVICE_WORKER), b"// checks nothing")
"""What somebody changes who wants to be rid of the checks."""
UNFINISHED: Final = """async () => {
  const { openDatabase } = await import("/play/database.js");
  const database = await openDatabase();
  await database.read();
  await database.write([["data/journals/a.journal", 0, Uint8Array.of(1)]]);
}"""
KEPT: Final = "navigator.serviceWorker.ready.then(() => null)"
UPDATED: Final = "navigator.serviceWorker.ready.then((kept) => kept.update()).then(() => null)"
READS: Final = b"""<!doctype html><link rel="icon" href="data:"><script>
try { document.title = `${localStorage.length} are stored here`; } catch (error) { document.title = error.name; }
</script>"""
UNLIMITED: Final = ServerLimits(rate=1000, burst=1000)
NOT_THAT_ONE: Final = "not the program or host that the link points to, so nothing was started. Ask your host whether"


class Site(Mapping[str, ServedFile]):
    """What a host serves at the moment, and how often each file was asked for."""

    def __init__(self, program: PageProgram, limits: ServerLimits) -> None:
        self.files: dict[str, ServedFile] = {}
        self.asked: Counter[str] = Counter()
        self.link = ""
        self.server = FileServer(lambda _: self, limits)
        self.serve(program)

    def serve(self, program: PageProgram, *names: str) -> None:
        """Serves these files of a program from now on, or all."""
        served = program.served_by(KEY)
        self.files |= {f"{FOLDER}{name}": served[f"{FOLDER}{name}"] for name in names} if names else served
        self.files["/p"] = self.files[f"{FOLDER}index.html"]

    def link_to(self, program: PageProgram, key: bytes = KEY) -> str:
        return program.link(site_of(LOOPBACK, self.server.port), key)

    def __getitem__(self, path: str) -> ServedFile:
        self.asked[path.removeprefix(FOLDER)] += 1
        return self.files[path]

    def __iter__(self) -> Iterator[str]:
        return iter(self.files)

    def __len__(self) -> int:
        return len(self.files)


@asynccontextmanager
async def serving(program: PageProgram, limits: ServerLimits = UNLIMITED) -> AsyncIterator[Site]:
    site = Site(program, limits)
    await site.server.open(0, LOOPBACK)
    try:
        yield site
    finally:
        await site.server.close()


@pytest.fixture(autouse=True)
def small_runtime(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pretend_runtime(tmp_path, monkeypatch)


def program_with(**changed: bytes) -> PageProgram:
    own = {path.name: path.read_bytes() for path in FILES.iterdir()}
    return with_runtime({**own, PROGRAM: b"", "worker.js": b"", "page.js": BOT_PAGE, **changed})


async def loaded(context: BrowserContext, link: str) -> Page:
    """Returns a page that has checked the program, and started it."""
    page = await BotPage.open(context, link)
    await page.heard("loaded")
    return page.page


async def refused(context: BrowserContext, link: str) -> str:
    """Returns why a page has started nothing."""
    page = await BotPage.open(context, link)
    text: str = (await page.heard("refused"))["text"]
    await page.page.close()
    return text


def test_a_program_that_the_link_does_not_stand_for_is_not_started(chromium: Chromium) -> None:
    first, second = program_with(), program_with(**{"worker.js": b"//"})

    async def visit(context: BrowserContext) -> None:
        async with serving(first) as site:
            page = await loaded(context, site.link_to(first))
            await page.evaluate(UNFINISHED)
            await page.close()
            assert NOT_THAT_ONE in await refused(context, site.link_to(second))
            assert NOT_THAT_ONE in await refused(context, site.link_to(first, bytes(32)))
            assert "incomplete" in await refused(context, site.link_to(first).partition("#")[0])
            site.serve(second, "worker.js")
            assert "worker.js is not the file" in await refused(context, site.link_to(first))
            site.serve(second)
            assert "not the program that began it" in await refused(context, site.link_to(second))

    chromium.run(visit, service_workers="block")


def test_another_link_in_the_same_tab_is_loaded_and_held_to_the_unfinished_game(chromium: Chromium) -> None:
    page_js = (FILES / "page.js").read_bytes()
    first, second = program_with(**{"page.js": page_js}), program_with(**{"page.js": page_js, "worker.js": b"//"})

    async def visit(context: BrowserContext) -> None:
        async with serving(first) as site:
            page = await context.new_page()
            await page.goto(site.link_to(first))
            digits = page.locator("#digits")
            await expect(digits).to_have_text(first.digits(KEY))
            site.serve(second)
            await page.goto(site.link_to(second))
            await expect(digits).to_have_text(second.digits(KEY))
            await page.evaluate(UNFINISHED)
            site.serve(first)
            await page.goto(site.link_to(first))
            await expect(page.get_by_role("alert")).to_contain_text("not the program that began it")

    chromium.run(visit, service_workers="block")


def test_a_page_that_is_loaded_again_and_again_stays_within_the_connections_of_a_stranger(chromium: Chromium) -> None:
    program = program_with(**{"page.js": (FILES / "page.js").read_bytes()})
    burst = ServerLimits().burst

    async def visit(context: BrowserContext) -> None:
        async with serving(program, ServerLimits(request=600, rate=0.001, burst=burst)) as site:
            page = await context.new_page()
            await page.goto(site.link_to(program))
            for _ in range(4):
                await expect(page.locator("#digits")).to_have_text(program.digits(KEY))
                await page.reload()
            await expect(page.locator("#digits")).to_have_text(program.digits(KEY))
            assert site.asked.total() > burst

    chromium.run(visit, service_workers="block")


def test_a_second_visit_takes_the_page_and_the_program_from_the_service_worker(chromium: Chromium) -> None:
    program = program_with()

    async def visit(context: BrowserContext) -> None:
        async with serving(program) as site:
            page = await loaded(context, site.link_to(program))
            await page.evaluate(KEPT)
            assert site.asked[FILE] == site.asked["/p"] == 1
            await (await context.new_cdp_session(page)).send("Network.clearBrowserCache")
            await page.close()
            site.asked.clear()
            await loaded(context, site.link_to(program))
            assert site.asked == {LIST: 1, "host": 1}

    chromium.run(visit)


def test_a_host_that_changes_the_page_and_its_checks_is_refused_by_those_that_were_kept(chromium: Chromium) -> None:
    first, hostile = program_with(), program_with(**CHANGED)

    async def visit(context: BrowserContext) -> None:
        async with serving(first) as site:
            page = await loaded(context, site.link_to(first))
            await page.evaluate(KEPT)
            await page.close()
            # It says that nothing has changed: then nothing of it is asked for.
            site.serve(hostile, *CHANGED)
            site.asked.clear()
            page = await loaded(context, site.link_to(first))
            await page.evaluate(UPDATED)
            assert site.asked == {LIST: 1, "host": 1}
            await page.evaluate(UNFINISHED)
            # It says what it serves.
            site.serve(hostile)
            assert NOT_THAT_ONE in await refused(context, site.link_to(first))
            assert "not the program that began it" in await refused(context, site.link_to(hostile))
            # It serves something else at the same address, or would have the browser forget.
            site.files["/"] = ServedFile(READS, (("Content-Type", "text/html"),))
            await page.goto(site_of(LOOPBACK, site.server.port))
            assert await page.title() == "SecurityError"
            forgets = ("Clear-Site-Data", '"cache", "storage"')
            site.files[f"{FOLDER}{LIST}"] = ServedFile(b"", (forgets,))
            assert NOT_THAT_ONE in await refused(context, site.link_to(first))
            site.serve(first)
            site.serve(hostile, *CHANGED)
            page = await loaded(context, site.link_to(first))
            await page.evaluate(UPDATED)
            assert not site.asked.keys() & CHANGED.keys()

    chromium.run(visit)


def test_a_new_version_at_its_own_link_takes_the_place_of_the_one_that_was_kept(chromium: Chromium) -> None:
    first = program_with()
    second = program_with(**{"page.js": BOT_PAGE.replace(b'"loaded"', b'"renewed"')})

    async def visit(context: BrowserContext) -> None:
        async with serving(first) as site:
            page = await loaded(context, site.link_to(first))
            await page.evaluate(KEPT)
            site.serve(second)
            site.asked.clear()
            renewed = await BotPage.open(context, site.link_to(second))
            await renewed.heard("renewed")
            assert site.asked == {LIST: 2, "host": 2, "page.js": 1}
            assert NOT_THAT_ONE in await refused(context, site.link_to(first))

    chromium.run(visit)
