"""Section 10.9: seats that reach the target by a WebSocket. For targets that claim `web`."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Final

from kimberley.conformance.case import case
from kimberley.conformance.cases.hosting import expect_card, hosting
from kimberley.conformance.cases.scripts import Asks
from kimberley.conformance.errors import Failed, expect
from kimberley.conformance.harness.harness import Harness
from kimberley.conformance.harness.hello import join
from kimberley.conformance.harness.profile import RELAY
from kimberley.conformance.harness.web import BINARY, FINAL, TEXT, NoSocket, WebConnection
from kimberley.conformance.plain import spelled
from kimberley.conformance.table.seating_frames import SuiteSeat, TableDescription
from kimberley.conformance.table.table import TargetTable, open_table
from kimberley.protocol.encoding import pack

GAME: Final[Asks] = (("roll", (6,)), ("decide", 0, 9), ("together", (0, 1, 2), 9))
ENDS: Final = "the socket ends, and the target goes on for others"


class PageTable(TargetTable):
    """A table at which the seats of the suite sit down by WebSockets, except those that `doors` names."""

    doors: tuple[int, ...] = ()

    async def join_host(self, suite_seat: SuiteSeat) -> TableDescription:
        if suite_seat.seat in self.doors:
            return await super().join_host(suite_seat)
        port = int((await self.harness.await_event(self.job, "listening"))["web"])
        suite_seat.connection = await self.harness.join_by_web(port, suite_seat.identity, name=suite_seat.nickname)
        TableDescription.read(await self.harness.receive(suite_seat.connection, "table"))
        self.send(suite_seat, ("sit", suite_seat.nickname, 0))
        return await self.table_frame(suite_seat, suite_seat.seat + 1)

    def page(self, seat: int) -> WebConnection:
        """Returns the connection of a seat that sat down by a WebSocket."""
        wire = self.suite_seats[seat].wire
        if not isinstance(wire, WebConnection):
            raise Failed("this seat did not sit down by a WebSocket")
        return wire


class MixedTable(PageTable):
    """One of the suite's seats sits down by the target's door."""

    doors = (2,)


@asynccontextmanager
async def page_table(harness: Harness, seats: int = 2, kind: type[PageTable] = PageTable) -> AsyncIterator[PageTable]:
    """Opens a table of the target's with seats in pages."""
    async with open_table(harness, GAME, seats=seats, kind=kind, job={"web": True}) as table:
        if not isinstance(table, PageTable):
            raise Failed("the suite opened another table")
        yield table


async def pages_port(harness: Harness) -> tuple[int, int]:
    """Has the target open a table. Returns the ports of its door and of its page."""
    port = await hosting(harness, web=True)
    return port, int((await harness.await_event(harness.jobs[-1], "listening"))["web"])


@case(
    "10-92",
    "A game by a WebSocket",
    covers=("M-WEB-2", "M-WEB-3", "M-WEB-5"),
    expect="a hello with zeros for the certificate, signed frames, and a fair end",
)
async def by_web(harness: Harness) -> None:
    async with page_table(harness) as table:
        await table.finish()
        expect(not table.page(1).problem, table.page(1).problem)


@case(
    "10-93",
    "Two seats by WebSockets, and one by the door",
    covers=("M-WEB-4", "M-RLY-2"),
    expect="the target passes frames on between all of them",
)
async def between_pages(harness: Harness) -> None:
    await harness.require(RELAY)
    async with page_table(harness, 4, MixedTable) as table:
        await table.until(1)
        for sender, receiver in ((1, 3), (3, 1), (1, 2), (2, 1)):
            ana, ben = table.suite_seats[sender], table.suite_seats[receiver]
            packed = pack(("hello", (3,), "by way of the host", ana.identity.public, bytes(32)))
            ana.wire.send("pass", ben.identity.public, packed)
            due = ("passed", ana.identity.public, packed)
            await harness.wait_until(lambda who=ben, due=due: due in who.wire.frames, "what the target passes on")  # type: ignore[misc]
        await table.finish()


@case(
    "10-94",
    "A seat comes back by a WebSocket",
    covers=("M-WEB-4", "M-RET-4", "M-LNK-8"),
    expect="`have`, and the game goes on over the new socket",
)
async def back_by_web(harness: Harness) -> None:
    async with page_table(harness) as table:
        await table.until(2)
        port = int((await harness.await_event(table.job, "listening"))["web"])
        seat = table.suite_seats[1].identity
        page = await harness.join_by_web(port, seat, table.purpose, "page, back")
        await table.resume_connection(1, page)
        await table.finish()
        expect(not page.problem, page.problem)


@case("10-95", "Pages of other sites", covers=("M-WEB-1",), expect="the socket is not opened")
async def other_sites(harness: Harness) -> None:
    port, web = await pages_port(harness)
    own = f"127.0.0.1:{web}"
    for host, origin in (
        (own, "http://elsewhere.example"),
        (own, "null"),
        (own, f"https://{own}"),
        (own, f"http://127.0.0.1:{web % 65535 + 1}"),
        (f"elsewhere.example:{web}", f"http://elsewhere.example:{web}"),
        (f"elsewhere.example:{web}", f"http://{own}"),
    ):
        try:
            await harness.open_socket(web, harness.identity(), host=host, origin=origin)
        except NoSocket:
            continue
        raise Failed(f"the target opens a socket for the origin {spelled(origin)} and the host {spelled(host)}")
    await harness.join_by_web(web, harness.identity())
    await expect_card(harness, port)


def in_parts(page: WebConnection, first: bytes, last: bytes) -> None:
    """Sends one message as two frames of RFC 6455."""
    page.say(BINARY, first, first=0)
    page.say(0, last, first=FINAL)


Say = Callable[[WebConnection], object]

STRANGE: Final[tuple[tuple[str, Say], ...]] = (
    ("a message of text", lambda page: page.say(TEXT, b"hello")),
    ("bytes that are no frame", lambda page: page.pass_on(b"\xc1")),
    ("a frame that is no array", lambda page: page.pass_on(pack("hello"))),
    ("a length before the frame", lambda page: page.pass_on(b"\0\0\0\7" + pack(("look",)))),
    ("`look`", lambda page: page.send("look")),
    ("an empty message", lambda page: page.pass_on(b"")),
    ("4097 bytes before the hello", lambda page: page.say(BINARY, b"", announced=4097)),
    ("4097 bytes in parts", lambda page: in_parts(page, bytes(4096), b"x")),
    ("another opcode", lambda page: page.say(3, b"x")),
)


@case("10-96", "What is no hello, by a WebSocket", covers=("M-WEB-2", "M-WEB-3", "M-FRM-1", "M-FRM-2"), expect=ENDS)
async def no_hello(harness: Harness) -> None:
    port, web = await pages_port(harness)
    for name, say in STRANGE:
        page = await harness.open_socket(web, harness.identity())
        say(page)
        await harness.expect_closed(page, f"for {name}")
        answers = [frame for frame in page.frames if frame[0] != "refused"]
        expect(not answers, f"the target answers {spelled(answers)} to {name}")
    await expect_card(harness, port)


@case("10-97", "A hello that is bound to a certificate", covers=("M-WEB-3", "M-HEL-2"), expect="it is refused")
async def bound(harness: Harness) -> None:
    _, web = await pages_port(harness)
    page = await harness.open_socket(web, harness.identity())
    try:
        await join(page, lambda: harness.receive(page), page.own, ("seat",), bytes([1]) * 32)
    except Failed:
        await harness.expect_closed(page, "for a hello that is bound to a certificate")
        expect(not page.count("proven"), "the target proves itself to a joiner that saw a certificate")
        return
    raise Failed("the target takes a hello that is bound to a certificate")


@case(
    "08-71",
    "Many WebSockets that say nothing",
    covers=("S-WEB-6", "S-HEL-7"),
    expect="at most 8 of one address wait at the same time, a new one replaces the oldest, and all end after 8 s",
    seconds=60,
)
async def silent_pages(harness: Harness) -> None:
    port, web = await pages_port(harness)
    pages = [await harness.open_socket(web, harness.identity(), f"page {number}") for number in range(12)]
    await harness.wait_until(lambda: pages[0].closed, "the end of the oldest WebSocket")
    await harness.pause(0.5)
    waiting = sum(not page.closed for page in pages)
    expect(waiting <= 8, f"{waiting} WebSockets wait for their hello")
    expect(not pages[-1].closed, "the newest WebSocket was ended")
    await harness.expect_closed(pages[-1], "without a hello", 15)
    await harness.join_by_web(web, harness.identity())
    await expect_card(harness, port)


async def ends_page(harness: Harness, say: Say) -> None:
    """Expects that after this the target does not use the socket, and blames nobody."""
    async with page_table(harness) as table:
        await table.until(1)
        page = table.page(1)
        say(page)
        await harness.expect_closed(page, "for a frame that the seat did not sign so")
        expect(not table.job.all("guilty"), "a seat was blamed for what a socket carries")
        expect(not table.job.over, "the target gave the table up")


def breaks(id: str, title: str, say: Say, *more: str) -> None:
    """Adds a case in which a seat in a page says something over an open channel that it must not."""

    @case(id, title, covers=("M-WEB-5", *more), expect="the socket ends, nobody is blamed, and the game waits")
    async def _(harness: Harness) -> None:
        await ends_page(harness, say)


BEAT: Final = pack(("beat",))


def unsigned(page: WebConnection) -> None:
    """Sends a frame with the next number that nobody has signed; what follows goes on from there."""
    page.pass_on(pack(("signed", page.sent, BEAT, bytes(64))))
    page.sent += 1


breaks("10-98", "A number out of order by a WebSocket", lambda page: page.pass_on(page.signed(page.sent + 1, BEAT)))
breaks(
    "10-99",
    "A signature that does not hold by a WebSocket",
    unsigned,
)
