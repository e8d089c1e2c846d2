"""The organizer's commands on the page, behind a link that only the organizer knows.

The page's process takes them, and asks the referee. Each is a line, as it is typed at the referee's machine; a form
beside a table or a player says it in parts (`line_of`):

    page to referee     {"order": number, "line": text}, a line of JSON on the standard output of the page's process
    referee to page     ("organizer", token, usage)         opens the link /organizer/TOKEN; `usage` has pairs, what
                                                            can be typed and what it does
                        ("told", number, done, sentence)    whether it was done; why not, or what comes of it
"""

from __future__ import annotations

import asyncio
import hmac
import itertools
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Final
from urllib.parse import parse_qs

from starlette.requests import Request
from starlette.responses import Response

from kimberley.p2p.base.text import clean
from kimberley.p2p.tournament.orders import OrderReply
from kimberley.p2p.transport.frames import Frame
from kimberley.referee.pages.pages import Facts

MOST_BODY: Final = 4096
"""Bytes of a command."""
MOST_LINE: Final = 600
"""Characters of a command."""
ANSWER_SECONDS: Final = 30.0
"""How long the referee may take to answer."""
NO_ANSWER: Final = "No answer from the referee yet. Check the tournament before you try again."
DONE: Final = "Done."
TOO_LONG: Final = f"Command too long: the limit is {MOST_LINE} characters."
NOTHING: Final = "Type a command."
SET_UP: Final = "The tournament was already set up in the terminal."
FORM_SAFETY: Final = {
    "Content-Security-Policy": "default-src 'none'; img-src 'self'; style-src 'self'; script-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}


class OrganizerLink:
    """The secret at the end of the organizer's link. People can have the link a moment before this process knows it."""

    def __init__(self) -> None:
        self._token = ""
        self._known = asyncio.Event()

    @property
    def opened(self) -> bool:
        """Whether somebody has the link."""
        return self._known.is_set()

    def open(self, token: str) -> None:
        """Takes the secret from the referee."""
        self._token = token
        self._known.set()

    async def leads(self, token: str) -> bool:
        """Returns whether `token` is the secret, as soon as the referee has sent it."""
        with suppress(TimeoutError):
            async with asyncio.timeout(ANSWER_SECONDS):
                await self._known.wait()
        return self.opened and hmac.compare_digest(token.encode(), self._token.encode())


class OrderLine:
    """The line to the referee, one order at a time."""

    def __init__(self, write: Callable[[int, str], None]) -> None:
        """Takes `write`, which sends an order with its number."""
        self._write = write
        self.link = OrganizerLink()
        self.usage: tuple[tuple[str, str], ...] = ()
        """What can be typed, and what it does."""
        self._numbers = itertools.count(1)
        self._answers: dict[int, asyncio.Future[OrderReply]] = {}
        self._turn = asyncio.Lock()

    def take(self, frame: Frame) -> bool:
        """Handles a frame of the referee. False if it is about something else."""
        match frame:
            case ("organizer", str() as token, tuple() as usage):
                self.link.open(token)
                self.usage = tuple((str(typed), str(effect)) for typed, effect in usage)
            case ("told", int() as number, bool() as done, str() as sentence):
                if (answer := self._answers.pop(number, None)) is not None and not answer.done():
                    answer.set_result(OrderReply(done, sentence or DONE))
            case _:
                return False
        return True

    async def order(self, line: str) -> OrderReply:
        """Returns what came of an order, always with a sentence."""
        async with self._turn:
            number = next(self._numbers)
            answer: asyncio.Future[OrderReply] = asyncio.get_running_loop().create_future()
            self._answers[number] = answer
            self._write(number, clean(line, MOST_LINE))
            try:
                async with asyncio.timeout(ANSWER_SECONDS):
                    return await answer
            except TimeoutError:
                return OrderReply(False, NO_ANSWER)
            finally:
                self._answers.pop(number, None)


class OrganizerPage:
    """The page with the forms."""

    def __init__(
        self,
        orders: OrderLine,
        render: Callable[[str, Facts], bytes],
        facts: Callable[[], Facts],
    ) -> None:
        """Begins with nobody who has the link.

        Args:
            orders: The line to the referee.
            render: Fills a template.
            facts: What all pages show.
        """
        self._orders = orders
        self._render = render
        self._facts = facts

    async def respond(self, request: Request, missing: Callable[[], Response]) -> Response:
        """Returns the form, and what came of the order that was sent with it. A wrong link is `missing`, like
        any page.
        """
        if not await self._orders.link.leads(request.path_params["token"]):
            return missing()
        line: str | None = ""
        reply = OrderReply(True)
        if request.method == "POST":
            filled = await filled_in(request)
            line = None if filled is None else line_of(filled)
            reply = OrderReply(False, SET_UP) if filled and "format" in filled else await self._outcome(line)
        outcome = {"said": reply.sentence, "line": "" if reply.done else line or "", "refused": not reply.done}
        facts = self._facts() | {"usage": self._orders.usage} | outcome
        return Response(self._render("organizer.html", facts), 200, FORM_SAFETY, "text/html; charset=utf-8")

    async def _outcome(self, line: str | None) -> OrderReply:
        """Returns what came of a line that was sent, always with a sentence."""
        if line is None or len(line) > MOST_LINE:
            return OrderReply(False, TOO_LONG)
        return await self._orders.order(line) if line else OrderReply(False, NOTHING)


async def filled_in(request: Request) -> dict[str, list[str]] | None:
    """Returns the fields of the form in a body; None if the body is too large."""
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > MOST_BODY:
            return None
    return parse_qs(body.decode("utf-8", "replace"), keep_blank_values=True)


def line_of(form: Mapping[str, Sequence[str]]) -> str:
    """Returns the command that a form says: its `line`, `who` is meant, the `rest`, and the `reason` after a colon."""
    parts = (form.get(name, [""])[0].strip() for name in ("line", "who", "rest"))
    command = " ".join(filter(None, parts))
    return f"{command}: {form['reason'][0].strip()}" if "reason" in form else command
