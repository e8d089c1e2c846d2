"""The page of a tournament as an ASGI application (Starlette, Jinja): read-only, whole without JavaScript.

`live.js` asks every two seconds for the page that is shown; an ETag answers most of that with nothing. What is rendered
is kept for a second, so that many phones cost no more than one.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import time
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple
from urllib.parse import quote

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from client.web.boards import Boards
from client.web.hall import Hall
from client.web.pages import Facts, Pages
from p2p.archive import SUFFIX, slug
from p2p.referee import export

FRESH_SECONDS: Final = 1.0
MOST_KEPT: Final = 256
SAFETY: Final = {
    # Boards bring the colours of their cells as inline styles; else nothing is inline, nothing comes from elsewhere.
    "Content-Security-Policy": "default-src 'none'; img-src 'self'; style-src 'self' 'unsafe-inline'; "
    "script-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}


def site(hall: Hall) -> Starlette:
    """The application that shows `hall`."""
    return _Site(hall).application()


class _Kept(NamedTuple):
    """A page as it was `at` that time, with the tag that names these very bytes: boards shrink to a tenth packed."""

    at: float
    tag: str
    packed: bytes

    @classmethod
    def of(cls, body: bytes) -> _Kept:
        return cls(time.monotonic(), f'"{hashlib.sha256(body).hexdigest()[:32]}"', gzip.compress(body, 4, mtime=0))


class _Site:
    def __init__(self, hall: Hall) -> None:
        self._hall = hall
        self._pages = Pages(hall, Boards())
        self._templates = Environment(
            loader=PackageLoader("client.web"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._kept: OrderedDict[str, _Kept] = OrderedDict()

    def application(self) -> Starlette:
        static = StaticFiles(directory=Path(__file__).parent / "static")
        return Starlette(
            routes=[
                Route("/", self._home),
                Route("/rounds/{round:int}", self._round),
                Route("/tables/{round:int}/{table:int}.kdt", self._record),
                Route("/tables/{round:int}/{table:int}", self._table),
                Route("/players/{number:int}", self._player),
                Route("/crosstable", self._crosstable),
                Route("/plots", self._plots),
                Route("/cup.json", self._json),
                Route("/standings.csv", self._standings),
                Route("/results.csv", self._results),
                Mount("/static", static),
            ],
            exception_handlers={404: self._missing},
        )

    # -- pages ---------------------------------------------------------------------------------------------------------

    async def _home(self, request: Request) -> Response:
        return self._page(request, "home.html", self._pages.home)

    async def _round(self, request: Request) -> Response:
        return self._page(request, "round.html", lambda: self._pages.round(request.path_params["round"]))

    async def _table(self, request: Request) -> Response:
        where = request.path_params
        return self._page(request, "table.html", lambda: self._pages.table(where["round"], where["table"]))

    async def _player(self, request: Request) -> Response:
        return self._page(request, "player.html", lambda: self._pages.player(request.path_params["number"]))

    async def _crosstable(self, request: Request) -> Response:
        return self._page(request, "crosstable.html", self._pages.crosstable)

    async def _plots(self, request: Request) -> Response:
        return self._page(request, "plots.html", self._pages.plotted)

    async def _missing(self, request: Request, error: Exception) -> Response:
        del request, error
        return HTMLResponse(self._render("problem.html", self._pages.missing()), 404, SAFETY)

    def _page(self, request: Request, template: str, facts: Callable[[], Facts | None]) -> Response:
        """A page, or nothing where the browser has it as it is."""
        path = request.url.path
        kept = self._kept.get(path)
        if kept is None or time.monotonic() - kept.at > FRESH_SECONDS:
            found = facts()
            if found is None:
                return HTMLResponse(self._render("problem.html", self._pages.missing()), 404, SAFETY)
            kept = _Kept.of(self._render(template, found))
            self._keep(path, kept)
        headers = SAFETY | {"ETag": kept.tag, "Cache-Control": "no-cache", "Vary": "Accept-Encoding"}
        if request.headers.get("if-none-match") == kept.tag:
            return Response(status_code=304, headers=headers)
        if "gzip" in request.headers.get("accept-encoding", ""):
            return HTMLResponse(kept.packed, headers=headers | {"Content-Encoding": "gzip"})
        return HTMLResponse(gzip.decompress(kept.packed), headers=headers)

    def _render(self, template: str, facts: Facts) -> bytes:
        return self._templates.get_template(template).render(facts).encode()

    def _keep(self, path: str, page: _Kept) -> None:
        self._kept[path] = page
        self._kept.move_to_end(path)
        while len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)

    # -- files ---------------------------------------------------------------------------------------------------------

    async def _record(self, request: Request) -> Response:
        number, place = request.path_params["round"], request.path_params["table"]
        rounds = self._hall.tournament.rounds
        tables = rounds[number - 1].tables if 1 <= number <= len(rounds) else ()
        decided = tables[place - 1].decided if 1 <= place <= len(tables) else None
        digest = None if decided is None else decided.record
        record = None if digest is None else self._hall.record(digest)
        if record is None:
            return PlainTextResponse("There is no record of this game.\n", 404, SAFETY)
        name = quote(f"{slug(self._hall.tournament.cup.name)}-{number}-{place}{SUFFIX}")
        # Headers are in ASCII, names of cups need not be (RFC 8187).
        headers = SAFETY | {"Content-Disposition": f"attachment; filename*=utf-8''{name}"}
        return Response(record, 200, headers, "application/octet-stream")

    async def _json(self, request: Request) -> Response:
        del request
        text = json.dumps(export.as_json(self._hall.tournament), ensure_ascii=False, indent=1)
        return Response(text, 200, SAFETY, "application/json")

    async def _standings(self, request: Request) -> Response:
        del request
        return Response(export.standings_csv(self._hall.tournament), 200, SAFETY, "text/csv; charset=utf-8")

    async def _results(self, request: Request) -> Response:
        del request
        return Response(export.results_csv(self._hall.tournament), 200, SAFETY, "text/csv; charset=utf-8")
