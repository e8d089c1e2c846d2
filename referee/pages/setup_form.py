"""The form that creates a tournament, behind the organizer's link: before there is a tournament, it is all of the page.

The page's process shows what the referee asks, and sends what was filled in:

    referee to page     ("form", token, fields)     opens the link /organizer/TOKEN; `fields` are those of
                                                    `referee.questions.Interview`
                        ("faults", pairs)           what is wrong with what was sent: keys, each with a sentence.
                                                    Without any, the tournament begins
                        ("open", folder)            the tournament is in this folder
    page to referee     {"form": fields}            what was filled in, by key
"""

from __future__ import annotations

import asyncio
import mimetypes
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from kimberley.p2p.base.text import clean
from kimberley.p2p.tournament.page_games import PageGames
from kimberley.p2p.transport.frames import Frame
from kimberley.referee.pages.organizer import ANSWER_SECONDS, FORM_SAFETY, OrganizerLink, filled_in
from kimberley.referee.pages.site import HTML, compiled_templates, static_files

MOST_VALUE: Final = 200
"""Characters of an answer."""
NOT_YET: Final = "The organizer is still setting up the tournament. It will appear here when it is ready.\n"
NO_ANSWER: Final = "No answer from the referee. Look at its terminal.\n"
NOT_FOUND: Final = "Page not found.\n"
AGAIN: Final = {"Refresh": "5", "Cache-Control": "no-store"}
"""Lets a browser load a page again every 5 seconds."""


@dataclass(frozen=True, slots=True)
class FormField:
    """A question as the template shows it: a text field, or one of several choices (value, line and mark)."""

    key: str
    label: str
    note: str
    value: str
    only: str
    choices: tuple[tuple[str, str, str], ...]
    fault: str = ""


class SetupForm:
    """The application that shows the form. It is replaced once there is a tournament (`Entrance`)."""

    def __init__(self, write: Callable[[Mapping[str, str]], None], games: PageGames) -> None:
        """Takes `write`, which sends what was filled in, and `games`, which has the style sheet."""
        self._write = write
        self._static = static_files(games)
        self._link = OrganizerLink()
        self._fields: tuple[FormField, ...] = ()
        self._faults: asyncio.Future[dict[str, str]] | None = None
        self._turn = asyncio.Lock()
        self._begun = asyncio.Event()
        self.application: ASGIApp = Starlette(
            routes=[
                Route("/organizer/{token}", self._respond, methods=["GET", "POST"]),
                Route("/static/{name}", self._file),
                Route("/{path:path}", self._nothing_yet),
            ]
        )

    def take(self, frame: Frame) -> None:
        """Handles a frame of the referee."""
        match frame:
            case ("form", str() as token, tuple() as fields):
                self._fields = tuple(FormField(*field) for field in fields)
                self._link.open(token)
            case ("faults", tuple() as pairs) if self._faults is not None and not self._faults.done():
                self._faults.set_result(dict(pairs))

    @property
    def closed(self) -> bool:
        """Whether the tournament has begun."""
        return self._begun.is_set()

    def close(self) -> None:
        """Called when the tournament has begun: whoever has filled in the form is sent to its page."""
        self._begun.set()
        if self._faults is not None and not self._faults.done():
            # The terminal was quicker.
            self._faults.set_result({})

    async def _respond(self, request: Request) -> Response:
        if not await self._link.leads(request.path_params["token"]):
            return PlainTextResponse(NOT_FOUND, 404)
        if request.method == "GET" or (sent := await filled_in(request)) is None:
            return self._form({}, {})
        filled = {key: clean(values[0], MOST_VALUE) for key, values in sent.items()}
        try:
            async with self._turn, asyncio.timeout(ANSWER_SECONDS):
                if not self.closed and (faults := await self._outcome(filled)):
                    return self._form(filled, faults)
                await self._begun.wait()
        except TimeoutError:
            return PlainTextResponse(NO_ANSWER, 504)
        return RedirectResponse(request.scope["path"], 303, FORM_SAFETY)

    async def _outcome(self, filled: Mapping[str, str]) -> dict[str, str]:
        """Sends what was filled in, and returns what is wrong with it."""
        self._faults = asyncio.get_running_loop().create_future()
        self._write(filled)
        return await self._faults

    def _form(self, filled: Mapping[str, str], faults: Mapping[str, str]) -> Response:
        fields = tuple(
            FormField(
                one.key,
                one.label,
                one.note,
                filled.get(one.key, one.value),
                one.only,
                one.choices,
                faults.get(one.key, ""),
            )
            for one in self._fields
        )
        page = (
            compiled_templates()
            .get_template("setup.html")
            .render(fields=fields, faulty=bool(faults), go_on=faults.get("continue", ""))
        )
        return Response(page, 200, FORM_SAFETY, HTML)

    async def _file(self, request: Request) -> Response:
        name = request.path_params["name"]
        if (content := self._static.get(name)) is None:
            return PlainTextResponse(NOT_FOUND, 404)
        return Response(content, media_type=mimetypes.guess_type(name)[0])

    async def _nothing_yet(self, request: Request) -> Response:
        del request
        return PlainTextResponse(NOT_YET, 503, AGAIN)


class Entrance:
    """The application of a page that is a form first, and a tournament's site once there is one."""

    def __init__(self, application: ASGIApp) -> None:
        self._shown = application
        self._site: ASGIApp | None = None

    def show(self, site: ASGIApp) -> None:
        """Shows the tournament from now on."""
        self._shown = self._site = site

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._live(scope, receive, send)
        else:
            await self._shown(scope, receive, send)

    async def _live(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handles the lifespan of the server: at its end, starts and shuts down the site, if there is one by then."""
        await receive()
        await send({"type": "lifespan.startup.complete"})
        await receive()
        steps = iter(("lifespan.startup", "lifespan.shutdown"))

        async def step() -> Message:
            return {"type": next(steps)}

        async def unheard(message: Message) -> None:
            del message

        if self._site is not None:
            await self._site(scope, step, unheard)
        await send({"type": "lifespan.shutdown.complete"})
