"""The organizer's page: buttons beside each table and player send commands that the referee knows."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from html.parser import HTMLParser
from typing import Any

import pytest

from kimberley.p2p.tournament.events import (
    ORGANIZER,
    ByeGranted,
    DecisionUndone,
    EndCalled,
    EntryClosed,
    PlayerBanned,
    PlayerWithdrew,
    RoundScheduled,
    TablePaused,
    TournamentEnded,
    reopen,
)
from kimberley.referee.organizer_commands import obey_organizer, usage
from kimberley.referee.pages.organizer import OrderLine, line_of
from tests.support.pages import LOOPBACK, get, open_page
from tests.support.pretend_source import LATER, PretendSource, friday

REASON = "The power was out."


class Forms(HTMLParser):
    """All forms of a page: for each one, the values of each field, by its name. A field to be typed in has None."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[dict[str, list[str | None]]] = []
        self._select: list[str | None] | None = None
        self._required = False
        self._option: dict[str, str | None] | None = None
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        held = dict(attrs)
        match tag:
            case "form":
                self.found.append({})
            case "input" | "button" if held.get("name"):
                hidden = tag == "button" or held.get("type") == "hidden"
                self.found[-1][str(held["name"])] = [held.get("value") if hidden else None]
            case "select":
                self._select = self.found[-1].setdefault(str(held["name"]), [])
                self._required = "required" in held
            case "option":
                self._option = held

    def handle_data(self, data: str) -> None:
        if self._option is not None and self._select is not None:
            value = self._option.get("value", data)
            # A browser sends no form in which a required field is empty.
            if value or not self._required:
                self._select.append(value)
            self._option = None


def lines(page: str) -> set[str]:
    """Returns all commands that the page can send with nothing typed but a reason or a message."""
    found = set()
    for form in Forms(page).found:
        for who in form.get("who", [""]):
            said = {name: [REASON if values[0] is None else values[0]] for name, values in form.items()}
            found.add(line_of(said | ({"who": [who or ""]} if "who" in form else {})))
    return found - {REASON}


async def page_of(source: PretendSource, path: str = "/organizer/secret") -> str:
    orders = OrderLine(lambda number, line: None)
    orders.take(("organizer", "secret", tuple(usage())))
    async with open_page(source, LOOPBACK, 0, orders) as (where, *_):
        return (await get(f"{where}{path}")).text


def test_a_link_that_is_asked_for_before_the_page_knows_it_waits() -> None:
    async def story() -> None:
        orders = OrderLine(lambda number, line: None)
        async with open_page(friday(), LOOPBACK, 0, orders) as (where, *_):
            early = [asyncio.ensure_future(get(f"{where}/organizer/{token}")) for token in ("secret", "wrong")]
            assert (await get(where)).status == 200
            orders.take(("organizer", "secret", tuple(usage())))
            assert [(await answer).status for answer in early] == [200, 404]

    asyncio.run(story())


class Recorder:
    """An `Organizer` to which everything is possible."""

    def __init__(self, source: PretendSource) -> None:
        self.tournament = source.tournament
        self.done: list[str] = []

    def __getattr__(self, name: str) -> Any:
        async def do(*_: object, **__: object) -> None:
            self.done.append(name)

        return do


@pytest.mark.parametrize(
    "opened",
    [
        pytest.param(friday, marks=pytest.mark.slow),
        pytest.param(lambda: friday("land", 4), marks=pytest.mark.slow),
        lambda: PretendSource.open(clock=None),
    ],
)
def test_each_button_sends_a_command_that_the_referee_obeys(opened: Callable[[], PretendSource]) -> None:
    source = opened()

    async def story() -> None:
        for line in lines(await page_of(source)):
            assert (await obey_organizer(Recorder(source), line)).done, line  # type: ignore[arg-type]

    asyncio.run(story())


def test_what_can_be_done_is_beside_each_table_and_player() -> None:
    source = PretendSource.open(names=("ana", "ben", "carla", "dan", "eve", "fay"))
    source.pair()
    people = {player.nickname: player.identity for player in source.tournament.players}
    source.decide(1, 0, (1, 2))
    source.add(TablePaused(LATER, 1, 1))
    out = [one for one in people if people[one] in source.tournament.rounds[0].tables[0].seats]
    source.add(PlayerWithdrew(LATER, people[out[0]]))
    source.add(PlayerBanned(LATER, people[out[1]], "No reason."))
    found = lines(asyncio.run(page_of(source)))
    first, second = source.names(1, 1)
    third = source.names(1, 2)
    byes = {f"bye 2 {name}" for name in (first, second, *third)}
    assert {line for line in found if line.startswith("bye ")} == byes
    found -= byes
    assert {line for line in found if "1" in line.partition(":")[0].split()} == {f"replay 1: {REASON}"}
    assert {line for line in found if "2" in line.partition(":")[0].split()} == {
        "resume 2",
        "add 2 1m",
        f"add 2 {first} 1m",
        f"add 2 {second} 1m",
        f"decide 2 {first}: {REASON}",
        f"decide 2 {second}: {REASON}",
        f"decide 2 draw: {REASON}",
        f"decide 2 nobody: {REASON}",
        f"replay 2: {REASON}",
    }
    assert {"pause 3", "pause", "resume", "next", "hold", "close"} <= found
    assert {line for line in found if line.split()[0] in ("withdraw", "readmit", "ban")} == {
        f"readmit {out[0]}",
        f"ban {out[0]}: {REASON}",
        *(f"withdraw {name}" for name in (first, second, *third)),
        *(f"ban {name}: {REASON}" for name in (first, second, *third)),
    }
    assert "start" not in found
    assert "finish" in found
    source.add(EndCalled(LATER))
    assert "finish" not in lines(asyncio.run(page_of(source)))


def test_an_organizers_own_decision_can_be_undone_where_it_stands() -> None:
    source = PretendSource.open(names=("ana", "ben", "carla", "dan"))
    source.pair()
    source.decide(1, 0, (1, 0), ORGANIZER, "A decision.")
    source.decide(1, 1, (1, 2))
    page = asyncio.run(page_of(source))
    about = {line for line in lines(page) if line.split()[0] in ("undo", "replay", "decide")}
    assert about == {f"undo 1: {REASON}", f"replay 2: {REASON}"}
    assert "the players start again" in page
    table = source.tournament.rounds[0].tables[0]
    event = DecisionUndone(LATER, 1, 0, "The wrong name.", b"")
    source.add(reopen(source.referee, source.settings, table.seats, event))
    assert f"decide 1 draw: {REASON}" in lines(asyncio.run(page_of(source)))
    said = "The organizer has undone the decision at table 1: The wrong name."
    assert f"A decision. This result no longer counts. {said}" in asyncio.run(page_of(source, "/tables/1/1"))


@pytest.mark.parametrize("rounds", [1, 3])
@pytest.mark.parametrize("held", [False, True])
def test_before_the_last_result_the_page_says_that_it_could_not_be_undone(held: bool, rounds: int) -> None:
    source = PretendSource.open(names=("ana", "ben", "carla", "dan"), rounds=rounds)
    source.pair()
    if rounds > 1:
        source.add(EndCalled(LATER))
    warning = "If this result ends the tournament"
    assert warning not in asyncio.run(page_of(source))
    source.decide(1, 0, (1, 2))
    if held:
        source.add(RoundScheduled(LATER, None))
    assert (warning in asyncio.run(page_of(source))) != held


def test_in_an_arena_no_button_that_is_not_there_is_named() -> None:
    source = PretendSource.open(names=("ana", "ben"), format="arena", rounds=0, minutes=30)
    source.pair()
    source.add(EndCalled(LATER))
    page = asyncio.run(page_of(source))
    assert "If this result ends the tournament, you cannot undo it.</p>" in page
    assert "choose Hold" not in page


def test_a_bye_is_given_in_a_coming_round_and_taken_back() -> None:
    source = PretendSource.open(names=("ana", "ben", "carla"))
    source.pair()
    ana = next(one.identity for one in source.tournament.players if one.nickname == "ana")
    source.add(ByeGranted(LATER, ana, 2, True))
    page = asyncio.run(page_of(source))
    assert "½ bye in round 2" in page
    assert '<option value="bye 3">round 3</option>' in page
    found = lines(page)
    assert "nobye 2 ana" in found
    assert "bye 2 ben" in found
    assert not {"bye 1 ben", "bye 2 ana", "nobye 2 ben"} & found
    assert not any("bye" in line for line in lines(asyncio.run(page_of(PretendSource.open(format="round-robin")))))


def test_the_organizer_reads_how_players_join_until_entry_is_closed() -> None:
    source = PretendSource.open()
    source.join = "192.0.2.7"
    assert "To play on a computer, type <code>kimberley join 192.0.2.7</code>" in asyncio.run(page_of(source))
    source.add(EntryClosed(LATER))
    assert "kimberley join" not in asyncio.run(page_of(source))


def test_nobody_new_can_be_let_into_a_bracket() -> None:
    page = asyncio.run(page_of(PretendSource.open(format="knockout", rounds=0)))
    assert "kimberley join" not in page
    assert "close" not in lines(page)


def test_a_tournament_that_is_over_takes_no_command() -> None:
    source = PretendSource.open(names=("ana", "ben"))
    source.pair()
    source.decide(1, 0, (1, 2))
    page = asyncio.run(page_of(source))
    assert "Message to everyone" in page
    assert "Keep this address secret" in page
    source.add(TournamentEnded(LATER))
    page = asyncio.run(page_of(source))
    assert "<form" not in page
    assert "Keep this address secret" not in page


def test_where_everyone_has_met_the_next_button_ends_the_tournament() -> None:
    source = PretendSource.open(names=("ana", "ben"))
    source.pair()
    source.decide(1, 0, (1, 2))
    page = asyncio.run(page_of(source))
    assert "Next round" not in page
    assert all(label in page for label in ("End tournament", "Hold the end"))
    assert "finish" not in lines(page)


def test_a_name_that_looks_like_markup_is_shown_as_it_is() -> None:
    source = PretendSource.open(names=('"><b>ana', "ben"))
    page = asyncio.run(page_of(source))
    assert "<b>ana" not in page
    assert 'withdraw "><b>ana' in lines(page)


def test_in_the_last_round_it_is_the_end_that_can_be_held() -> None:
    source = PretendSource.open(names=("ana", "ben", "carla", "dan"), rounds=2)
    for number, held in enumerate(("Hold next round", "Hold the end"), 1):
        source.pair()
        assert set(re.findall("Hold [a-z]+ ?[a-z]+", asyncio.run(page_of(source)))) == {held}
        for table in (0, 1):
            source.decide(number, table, (1, 2))
