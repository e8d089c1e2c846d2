"""The page of a tournament as an ASGI application (Starlette, Jinja). It works without JavaScript, and is read-only
except for the organizer (`referee.pages.organizer`).

`live.js` requests the shown page again every two seconds. Thanks to an ETag, most of these responses are empty. Each
response is built only once per version of the tournament, even if many clients request it at the same time: nothing
here awaits while a response is being built. Before that, the games whose boards it shows catch up.
"""

from __future__ import annotations

import json
import mimetypes
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Hashable, Mapping, Sequence
from contextlib import asynccontextmanager
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Final
from urllib.parse import quote

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.applications import Starlette
from starlette.convertors import Convertor, register_url_convertor
from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from kimberley.p2p.sharing.page_program import PATH
from kimberley.p2p.sharing.server import site_of
from kimberley.p2p.storage.archive import SUFFIX, slug
from kimberley.p2p.storage.files import check_file
from kimberley.p2p.tournament.bundle import MOST_FILE
from kimberley.p2p.tournament.page_games import PageGames
from kimberley.p2p.tournament.tournament import Tournament
from kimberley.p2p.tournament.tournament_json import as_json
from kimberley.p2p.transport.address import is_ip
from kimberley.referee import export, trf
from kimberley.referee.pages.boards import Boards
from kimberley.referee.pages.bundle_check import BundleCheck
from kimberley.referee.pages.finished import ReplayedGame, ReplayedGames
from kimberley.referee.pages.gate import Gate, respond_to_error
from kimberley.referee.pages.organizer import OrderLine, OrganizerPage
from kimberley.referee.pages.packed_cache import PackedCache
from kimberley.referee.pages.pages import Facts, Pages
from kimberley.referee.pages.review_work import ReviewWork
from kimberley.referee.pages.tournament_source import TournamentSource
from kimberley.referee.pages.wall import wall_turn

MOST_KEPT: Final = 32 << 20
"""Bytes of cached responses, compressed."""
HTML: Final = "text/html; charset=utf-8"
SAFETY: Final = {
    # Boards have the colors of their cells as inline styles. Nothing else is inline, and nothing comes from elsewhere.
    "Content-Security-Policy": "default-src 'none'; img-src 'self'; style-src 'self' 'unsafe-inline'; "
    "script-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}


def site(
    source: TournamentSource,
    games: PageGames,
    addresses: Sequence[str] = (),
    orders: OrderLine | None = None,
    names: Collection[str] = (),
) -> Gate:
    """Returns the application that shows `source` at `addresses`, also to those who know this machine by one of
    `names`. The organizer's `orders` go to the referee.
    """
    return Gate(_Site(source, games, addresses, orders).application(), names)


class _Number(Convertor[int]):
    """A number in a path, which has one spelling, so that each page has one path."""

    regex = "(?:0|[1-9][0-9]{0,5})"

    def convert(self, value: str) -> int:
        return int(value)

    def to_string(self, value: int) -> str:
        return str(value)


register_url_convertor("number", _Number())


@cache
def compiled_templates() -> Environment:
    """Returns the templates, compiled before the first page, which would take a tenth of a second longer otherwise."""
    templates = Environment(
        loader=PackageLoader("kimberley.referee.pages"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    for name in templates.list_templates(["html"]):
        templates.get_template(name)
    return templates


def static_files(games: PageGames) -> Mapping[str, bytes]:
    """Returns the style sheets, scripts and pictures of the pages, by name."""
    own = {file.name: file.read_bytes() for file in (files("kimberley.referee.pages") / "static").iterdir()}
    rules = own.pop("pages.css")
    return own | {"style.css": games.style_sheet() + rules}


class _Site:
    def __init__(
        self, source: TournamentSource, games: PageGames, addresses: Sequence[str], orders: OrderLine | None
    ) -> None:
        self._source = source
        self._checks = BundleCheck(games.verify_command)
        self._reviews = ReviewWork(source.record, source.reviews, games)
        self._finished = ReplayedGames(source.record, games)
        self._pages = Pages(source, Boards(games), self._finished, addresses)
        self._templates = compiled_templates()
        self._kept = PackedCache(MOST_KEPT)
        self._organizer: OrganizerPage | None = None
        if orders is not None:
            self._organizer = OrganizerPage(orders, self._render, self._pages.organizer)
        self._static = static_files(games)

    def application(self) -> Starlette:
        return Starlette(
            routes=[
                Route("/", self._home),
                Route("/rounds/{round:number}", self._round),
                Route("/tables/{round:number}/{table:number}.kdt", self._record),
                Route("/tables/{round:number}/{table:number}", self._table),
                Route("/tables/{round:number}/{table:number}/moments/{moment:number}", self._moment),
                Route("/tables/{round:number}/{table:number}/review", self._review),
                Route("/wall", self._wall),
                Route("/wall/{table:number}", self._wall),
                Route("/players/{number:number}", self._player),
                Route("/play", self._play),
                Route("/crosstable", self._crosstable),
                Route("/plots", self._plots),
                Route("/cup.json", self._json),
                Route("/check", self._check),
                Route("/cup.cup", self._bundle),
                Route("/cup.trf", self._trf),
                Route("/standings.csv", self._standings),
                Route("/results.csv", self._results),
                Route("/static/{name}", self._file),
                Route("/organizer/{token}", self._order, methods=["GET", "POST"]),
            ],
            exception_handlers={404: self._missing, Exception: respond_to_error},
            lifespan=self._lifespan,
        )

    @asynccontextmanager
    async def _lifespan(self, application: Starlette) -> AsyncIterator[None]:
        del application
        try:
            yield
        finally:
            await self._checks.close()
            await self._reviews.close()

    # -- pages ---------------------------------------------------------------------------------------------------------

    async def _home(self, request: Request) -> Response:
        return await self._page(request, "home.html", self._pages.home, self._catch_up_home)

    async def _round(self, request: Request) -> Response:
        return await self._page(request, "round.html", lambda: self._pages.round(request.path_params["round"]))

    async def _table(self, request: Request) -> Response:
        where = request.path_params
        return await self._game(request, where["round"], where["table"], None)

    async def _moment(self, request: Request) -> Response:
        where = request.path_params
        return await self._game(request, where["round"], where["table"], where["moment"])

    async def _game(self, request: Request, round_: int, table: int, moment: int | None) -> Response:
        """Responds with a table: its running game, or a moment of its finished game, by default the last."""
        record = self._pages.record(round_, table)
        game: ReplayedGame | None = None

        async def prepare() -> None:
            nonlocal game
            if record is not None:
                game = await self._finished.load(record)
            else:
                await self._source.catch_up(round_, table - 1)

        def facts() -> Facts | None:
            return self._pages.table(round_, table, game, moment)

        return await self._page(request, "table.html", facts, prepare, live=record is None)

    async def _review(self, request: Request) -> Response:
        """Responds with the review of a finished game. The first request begins it."""
        round_, table = request.path_params["round"], request.path_params["table"]
        record = self._pages.record(round_, table)
        game = None if record is None else await self._finished.load(record)
        if record is None or game is None or not game.drawn.reviewable:
            return self._not_found()
        progress = self._reviews.of(record)

        def make() -> bytes:
            return self._render("table_review.html", self._pages.review(round_, table, progress))

        return self._answer(request, (self._source.count, progress), HTML, make) or self._not_found()

    async def _catch_up_home(self) -> None:
        await self._catch_up(self._pages.home_boards())

    async def _catch_up(self, places: Sequence[tuple[int, int]]) -> None:
        for place in places:
            await self._source.catch_up(*place)

    async def _wall(self, request: Request) -> Response:
        chosen = self._pages.on_the_wall(request.path_params.get("table"))

        async def prepare() -> None:
            await self._catch_up(self._pages.wall_boards(chosen))

        key, turn = ("wall", chosen), wall_turn(self._source)
        return await self._page(request, "wall.html", lambda: self._pages.wall(chosen), prepare, key=key, turn=turn)

    async def _player(self, request: Request) -> Response:
        return await self._page(request, "player.html", lambda: self._pages.player(request.path_params["number"]))

    async def _crosstable(self, request: Request) -> Response:
        return await self._page(request, "crosstable.html", self._pages.crosstable, live=False)

    async def _play(self, request: Request) -> Response:
        """Redirects to the page of the seats at the address that the visitor has reached: that page has no names."""
        host, seats = request.scope["server"][0].removeprefix("::ffff:"), self._source.seats
        if seats is None or not is_ip(host) or "%" in host:
            return self._not_found()
        port, digits = seats
        return RedirectResponse(f"{site_of(host, port)}{PATH}#{digits}", 303, SAFETY | {"Cache-Control": "no-store"})

    async def _plots(self, request: Request) -> Response:
        return await self._page(request, "plots.html", self._pages.plotted)

    async def _order(self, request: Request) -> Response:
        return self._not_found() if self._organizer is None else await self._organizer.respond(request, self._not_found)

    async def _missing(self, request: Request, error: Exception) -> Response:
        del request, error
        return self._not_found()

    async def _page(
        self,
        request: Request,
        template: str,
        facts: Callable[[], Facts | None],
        prepare: Callable[[], Awaitable[None]] | None = None,
        *,
        key: Hashable = None,
        live: bool = True,
        turn: int = 0,
    ) -> Response:
        """Returns the response for a page, which `prepare` makes ready. A page that is not `live` shows nothing about
        running games. `key` stands for the page if several paths lead to it. `turn` is one more number on which the
        page depends.
        """
        key = key or request.scope["path"]

        def make() -> bytes | None:
            filled = facts()
            return None if filled is None else self._render(template, filled)

        # What happens while the games catch up belongs to the next version.
        version = self._source.count, self._source.moment if live else None, turn
        if prepare is not None and not self._kept.has(key, version):
            await prepare()
        return self._answer(request, version, HTML, make, key=key) or self._not_found()

    def _not_found(self) -> Response:
        kept = self._kept.made("", self._source.count, lambda: self._render("problem.html", self._pages.missing()))
        assert kept is not None
        return Response(kept.body, 404, SAFETY, HTML)

    def _render(self, template: str, facts: Facts) -> bytes:
        return self._templates.get_template(template).render(facts).encode()

    # -- answers -------------------------------------------------------------------------------------------------------

    def _answer(
        self,
        request: Request,
        version: Hashable,
        media: str,
        make: Callable[[], bytes | None],
        *,
        key: Hashable = None,
        headers: Mapping[str, str] = MappingProxyType({}),
    ) -> Response | None:
        """Returns the response for a path, which is empty if the browser has this version; None if there is nothing
        there.

        `key` stands for what is there, and is the path itself if None. `headers` are additional ones. (Not the path of
        `request.url`: Starlette reads the Host header for that.)
        """
        kept = self._kept.made(key or request.scope["path"], version, make)
        if kept is None:
            return None
        headers = SAFETY | {"ETag": kept.tag, "Cache-Control": "no-cache", "Vary": "Accept-Encoding", **headers}
        if request.headers.get("if-none-match") == kept.tag:
            return Response(None, 304, headers)
        if "gzip" in request.headers.get("accept-encoding", ""):
            return Response(kept.packed, 200, headers | {"Content-Encoding": "gzip"}, media)
        return Response(kept.body, 200, headers, media)

    # -- files ---------------------------------------------------------------------------------------------------------

    async def _record(self, request: Request) -> Response:
        number, place = request.path_params["round"], request.path_params["table"]
        digest = self._pages.record(number, place)
        if digest is None:
            return self._no_record()
        name = quote(f"{slug(self._source.tournament.settings.name)}-{number}-{place}{SUFFIX}")
        # Headers are ASCII, but the name of a tournament need not be (RFC 8187).
        headers = {"Content-Disposition": f"attachment; filename*=utf-8''{name}"}
        response = self._answer(
            request, digest, "application/octet-stream", lambda: self._source.record(digest), headers=headers
        )
        return response or self._no_record()

    @staticmethod
    def _no_record() -> Response:
        return PlainTextResponse("This game has no record.\n", 404, SAFETY)

    async def _check(self, request: Request) -> Response:
        """Responds with what the bundle is, and what its verification says."""
        path = self._source.bundle()
        checked = None if path is None else self._checks.of(path)

        def make() -> bytes:
            return self._render("check.html", self._pages.check(path, checked))

        return self._answer(request, (self._source.count, path, checked), HTML, make) or self._not_found()

    async def _bundle(self, request: Request) -> Response:
        """Responds with the bundle itself, which may be large: it is not kept here, and a download can be resumed."""
        path = self._source.bundle()
        try:
            if path is None:
                raise FileNotFoundError
            check_file(path, MOST_FILE)
        except OSError:
            return PlainTextResponse("No tournament file yet.\n", 404, SAFETY)
        return FileResponse(path, headers=SAFETY, media_type="application/octet-stream", filename=path.name)

    async def _json(self, request: Request) -> Response:
        return self._export(
            request,
            "application/json",
            lambda settings: json.dumps(as_json(settings), ensure_ascii=False, indent=1),
        )

    async def _trf(self, request: Request) -> Response:
        if not trf.has_report(self._source.tournament.settings):
            return self._not_found()
        return self._export(request, "text/plain; charset=utf-8", trf.report)

    async def _standings(self, request: Request) -> Response:
        return self._export(request, "text/csv; charset=utf-8", export.standings_csv)

    async def _results(self, request: Request) -> Response:
        return self._export(request, "text/csv; charset=utf-8", export.results_csv)

    def _export(self, request: Request, media: str, write: Callable[[Tournament], str]) -> Response:
        body = self._answer(request, self._source.count, media, lambda: write(self._source.tournament).encode())
        return body or self._not_found()

    async def _file(self, request: Request) -> Response:
        """Responds with the style sheet, the script or the picture of the pages."""
        name = request.path_params["name"]
        media = mimetypes.guess_type(name)[0] or ""
        return self._answer(request, None, media, lambda: self._static.get(name)) or self._not_found()
