"""The form that creates a tournament: who has its link, what it shows, and what comes after it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from http.client import HTTPConnection, HTTPResponse
from urllib.parse import urlencode, urlsplit

import pytest

from kimberley.client.web.drawn_games import DrawnGames
from kimberley.referee.pages.gate import Gate
from kimberley.referee.pages.serve import open_application
from kimberley.referee.pages.setup_form import NOT_YET, Entrance, SetupForm
from kimberley.referee.pages.site import site
from tests.support.asyncs import until
from tests.support.pages import LOOPBACK
from tests.support.pretend_source import friday

TOKEN = "5" * 32
FIELDS = (
    ("name", "Name", "", "Friday <Cup>", "", ()),
    ("format", "Format", "", "swiss", "", (("swiss", "Swiss", "swiss"), ("arena", "Arena", "arena"))),
    ("rounds", "Rounds", "At most 64.", "5", "swiss", ()),
)
Visit = Callable[[SetupForm, Entrance, str, list[Mapping[str, str]]], Awaitable[None]]


def visit(go: Visit) -> None:
    """Opens the form, and visits it with `go`, which gets the form, its entrance, its address, and what it has sent."""
    sent: list[Mapping[str, str]] = []

    async def run() -> None:
        form = SetupForm(sent.append, DrawnGames())
        entrance = Entrance(Gate(form.application))
        async with asyncio.timeout(30), open_application(lambda _: entrance, LOOPBACK, 0) as (where,):
            await go(form, entrance, where, sent)

    asyncio.run(run())


async def ask(url: str, form: Mapping[str, str] | None = None, host: str = "") -> tuple[HTTPResponse, str]:
    """Returns the answer to a GET, or to a form that is sent, and its text. It follows no redirection."""

    def fetch() -> tuple[HTTPResponse, str]:
        parts = urlsplit(url)
        line = HTTPConnection(str(parts.hostname), parts.port, timeout=30)
        body = None if form is None else urlencode(form)
        head = {"Host": host or parts.netloc, "Connection": "close"}
        line.request("GET" if body is None else "POST", parts.path or "/", body, head)
        answer = line.getresponse()
        return answer, answer.read().decode()

    return await asyncio.to_thread(fetch)


async def sent_form(sent: list[Mapping[str, str]], url: str) -> asyncio.Task[tuple[HTTPResponse, str]]:
    """Returns the answer to a form, which waits for the referee."""
    answer = asyncio.ensure_future(ask(url, {"name": "<Cup>", "format": "arena", "rounds": ""}))
    await until(lambda: sent, 30)
    return answer


def test_only_the_link_leads_to_the_form_and_all_else_waits() -> None:
    async def go(form: SetupForm, entrance: Entrance, where: str, sent: list[Mapping[str, str]]) -> None:
        link = f"{where}/organizer/{TOKEN}"
        early, lost = asyncio.ensure_future(ask(link)), asyncio.ensure_future(ask(f"{link[:-1]}x"))
        assert (await ask(where))[0].status == 503, "the server has come to what was asked before"
        form.take(("form", TOKEN, FIELDS))
        answer, page = await early
        assert (answer.status, "New tournament" in page) == (200, True), "the link is known before the form is here"
        assert (await lost)[0].status == 404
        for wrong in (f"{link[:-1]}x", f"{where}/static/no.css"):
            assert (await ask(wrong))[0].status == 404
        assert (await ask(f"{link[:-1]}x", {"name": "Cup"}))[0].status == 404
        for path in ("/", "/wall", "/organizer/"):
            answer, text = await ask(where + path)
            assert (answer.status, text, answer.headers["refresh"]) == (503, NOT_YET, "5")
        answer, page = await ask(link)
        assert "form-action 'self'" in answer.headers["content-security-policy"]
        assert 'value="Friday &lt;Cup&gt;"' in page
        assert 'value="swiss" class="mark-swiss" checked' in page
        assert 'class="only-swiss"' in page
        assert (await ask(f"{where}/static/style.css"))[0].status == 200
        assert (await ask(link, host="cup.example"))[0].status == 421
        assert "New tournament" in (await ask(link, {"name": "x" * 5000}))[1], "too long a form is none"
        assert sent == []

    visit(go)


def test_faults_stand_at_their_fields_with_what_was_typed() -> None:
    async def go(form: SetupForm, entrance: Entrance, where: str, sent: list[Mapping[str, str]]) -> None:
        form.take(("form", TOKEN, FIELDS))
        answer = await sent_form(sent, f"{where}/organizer/{TOKEN}")
        assert sent == [{"name": "<Cup>", "format": "arena", "rounds": ""}]
        form.take(
            ("faults", (("name", "Taken."), ("rounds", "Type a number."), ("continue", "Continue <Cup>"))),
        )
        _, page = await answer
        assert 'value="&lt;Cup&gt;" maxlength="60" autocomplete="off" aria-describedby="fault-name"' in page
        assert '<span class="away" id="fault-name">Taken.</span>' in page
        assert 'aria-describedby="note-rounds fault-rounds" aria-invalid="true"' in page
        assert 'value="arena" class="mark-arena" checked' in page
        assert '<button class="button quiet" name="continue" value="1">Continue &lt;Cup&gt;</button>' in page
        assert "Not created yet" in page

    visit(go)


@pytest.mark.slow
def test_who_has_filled_in_the_form_comes_to_the_tournament() -> None:
    async def go(form: SetupForm, entrance: Entrance, where: str, sent: list[Mapping[str, str]]) -> None:
        form.take(("form", TOKEN, FIELDS))
        answer = await sent_form(sent, f"{where}/organizer/{TOKEN}")
        form.take(("faults", ()))
        await asyncio.sleep(0)
        assert not answer.done()
        entrance.show(site(friday(), DrawnGames(), (where,)))
        form.close()
        there, _ = await answer
        assert (there.status, there.headers["location"]) == (303, f"/organizer/{TOKEN}")
        assert "Friday" in (await ask(where))[1]

    visit(go)


def test_who_was_slower_than_the_terminal_comes_there_too() -> None:
    async def go(form: SetupForm, entrance: Entrance, where: str, sent: list[Mapping[str, str]]) -> None:
        form.take(("form", TOKEN, FIELDS))
        answer = await sent_form(sent, f"{where}/organizer/{TOKEN}")
        form.close()
        assert (await answer)[0].status == 303

    visit(go)
