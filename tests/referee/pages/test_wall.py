"""The wall: which table is featured, what stands there before, between and after the rounds, and when."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace
from html import escape

import pytest

from kimberley.client.web.drawn_games import DrawnGames
from kimberley.p2p.sentences.tournaments import outcome_sentence
from kimberley.p2p.tournament.events import (
    EndCalled,
    EntryClosed,
    MessageSent,
    PlayerWithdrew,
    RoundScheduled,
    TablePaused,
    TableResumed,
    TournamentEnded,
)
from kimberley.referee.feed import differs
from kimberley.referee.pages import wall
from tests.support.pages import ADDRESS, LOOPBACK, get, open_page, open_watched
from tests.support.pretend_source import LATER, PretendSource, friday
from tests.support.tournaments import Evening, by_number, settings_of, someone


def wall_of(source: PretendSource, path: str = "/wall", address: str = ADDRESS) -> str:
    (page,) = walls_of(source, path, address=address)
    return page


def walls_of(source: PretendSource, *paths: str, pause: float = 0.0, address: str = ADDRESS) -> list[str]:
    """Returns pages, with so many seconds of the tournament between them."""

    async def look() -> list[str]:
        pages = []
        async with open_watched(source, address) as (where,):
            for path in paths:
                pages.append((await get(where + path)).text)
                source.seconds += pause
        return pages

    return asyncio.run(look())


def featured(page: str) -> int:
    """Returns the number of the featured table."""
    found = re.search(r'<a class="stage" href="/tables/\d+/(\d+)"', page)
    assert found is not None
    return int(found[1])


@pytest.mark.slow
def test_running_tables_take_turns_and_a_chosen_one_stays() -> None:
    source = friday("diamond", steps=4)
    turns = [featured(page) for page in walls_of(source, *["/wall"] * 4, pause=wall.TURN_SECONDS)]
    assert sorted(turns[:3]) == [1, 2, 3]
    assert turns[3] == turns[0]
    chosen = walls_of(source, "/wall/2", "/wall/2", pause=wall.TURN_SECONDS)
    assert {featured(page) for page in chosen} == {2}
    assert 'href="/tables/2/1"' in chosen[0]


@pytest.mark.slow
def test_whoever_has_little_time_is_featured_first() -> None:
    source = friday("diamond", steps=4)
    source.timed[2, 2] = replace(source.timed[2, 2], since=source.seconds - 1150)
    for page in walls_of(source, *["/wall"] * 3, pause=wall.TURN_SECONDS):
        assert featured(page) == 3


@pytest.mark.slow
def test_another_turn_is_another_version_of_the_page() -> None:
    source = friday("diamond", steps=4)

    async def look() -> None:
        async with open_page(source, LOOPBACK, 0) as (where,):
            first = await get(f"{where}/wall")
            tag = {"If-None-Match": first.headers["ETag"]}
            assert (await get(f"{where}/wall", tag)).status == 304
            source.seconds += wall.TURN_SECONDS
            assert (await get(f"{where}/wall", tag)).status == 200

    asyncio.run(look())


def test_the_wall_shows_what_comes_next() -> None:
    source = PretendSource.open(names=("Ana", "Ben", "Eva", "Finn"))
    starts = "Starts when the organizer says so."
    assert starts not in wall_of(source), "it may start once enough players have joined"
    source.add(RoundScheduled(LATER, None))
    assert starts in wall_of(source)
    source.pair()
    begins = wall_of(source)
    assert "take your seats" in begins
    assert begins.count("<li><a href=") == 2
    assert "0 of 2 games finished." in begins
    source.decide(1, 0, (1, 2))
    assert "1 of 2 games finished." in wall_of(source)
    source.decide(1, 1, (1, 2))
    source.next_round_at = source.seconds + 1358
    assert re.search(r'class="count clock" data-left="1358.0">22:38<', wall_of(source))


def test_the_wall_promises_no_round_where_everyone_has_met() -> None:
    source = PretendSource.open(names=("Ana", "Ben"))
    source.pair()
    source.decide(1, 0, (1, 2))
    source.next_round_at = source.seconds + 12
    page = plain(wall_of(source))
    assert "Round 1 of 3 is over. Everyone has met: the tournament ends." in page
    assert "Everyone has met The tournament ends." in page
    assert "Round 2" not in page
    source.add(RoundScheduled(LATER, None))
    assert "Everyone has met The tournament ends when the organizer says so." in plain(wall_of(source))


def paused(page: str) -> bool:
    return '<p class="held">Paused</p>' in page


@pytest.mark.slow
def test_the_wall_says_paused_while_clocks_are_stopped_and_else_what_waits() -> None:
    source = PretendSource.open(names=("Ana", "Ben", "Eva", "Finn"), rounds=2)
    assert not paused(wall_of(source))
    source.add(RoundScheduled(LATER, None))
    page = wall_of(source)
    assert (paused(page), "Starts when the organizer says so." in page) == (False, True)
    source.pair()
    assert not paused(wall_of(source))
    source.play(1, 0, 4)
    source.add(TablePaused(LATER, 1, 0))
    page = wall_of(source)
    assert (paused(page), '<div class="side still"><span class="away">paused</span></div>' in page) == (False, True)
    source.add(TablePaused(LATER, 1, 1))
    assert paused(wall_of(source))
    source.add(RoundScheduled(LATER, None))
    for table in (0, 1):
        source.add(TableResumed(LATER, 1, table))
    assert not paused(wall_of(source))
    for table in (0, 1):
        source.decide(1, table, (1, 2))
    page = wall_of(source)
    assert (paused(page), "The next round waits for the organizer." in page) == (False, True)
    source.add(RoundScheduled(LATER, LATER + 60))
    assert not paused(wall_of(source))
    source.pair()
    for table in (0, 1):
        source.decide(2, table, (1, 2))
    source.add(RoundScheduled(LATER, None))
    page = wall_of(source)
    assert (paused(page), "The tournament ends when the organizer says so." in page) == (False, True)
    source.add(TournamentEnded(LATER + 100))
    assert not paused(wall_of(source))


def test_what_the_organizer_says_stands_on_the_wall_until_the_next_round() -> None:
    source = PretendSource.open(names=("Ana", "Ben", "Eva", "Finn"))
    assert "The organizer says" not in wall_of(source)
    for text in ("Welcome.", "Tea <b>is ready."):
        source.add(MessageSent(LATER - 1, text))
    for page in walls_of(source, "/wall", "/"):
        assert "Tea &lt;b&gt;is ready." in page
        assert "Welcome." not in page
    source.pair()
    assert "The organizer says" not in wall_of(source)
    source.add(MessageSent(LATER + 1, "Quiet, please."))
    assert "Quiet, please." in wall_of(source)


@pytest.mark.parametrize(("played", "left"), [(3, 0), (0, 4), (2, 4), (2, 1), (2, 2), (3, 4)])
def test_the_first_on_the_podium_is_the_winner(played: int, left: int) -> None:
    """Where the best have left before the end, it is another one, or nobody."""
    evening = Evening.of(settings_of("swiss", rounds=3), map(someone, range(4)))
    for _ in range(played):
        evening.round(by_number)
    for one in evening.tournament.standings()[:left]:
        evening.add(PlayerWithdrew(evening.at, one.player.identity))
    evening.add(TournamentEnded(evening.at))
    shown = [line.name for line in wall.podium(evening.tournament)]
    assert outcome_sentence(evening.tournament).startswith(f"{shown[0]} won." if shown else "Nobody won")


def test_the_end_is_a_podium() -> None:
    source = PretendSource.open(names=("Ana", "Ben", "Eva", "Finn"), rounds=1)
    source.pair()
    source.decide(1, 0, (1, 2))
    source.decide(1, 1, (1, 2))
    source.add(TournamentEnded(LATER + 100))
    page = wall_of(source)
    best = [source.tournament.name(row.player.identity) for row in source.tournament.standings()]
    assert f"<h2>{best[0]} wins</h2>" in page
    assert re.findall(r'class="place\d"><b>(\w+)</b>', page) == best[:3]


def test_the_standings_beside_the_board_list_the_teams() -> None:
    source = PretendSource.open(names=("Ana", "Ben", "Eva", "Finn"), rounds=1, boards=2)
    source.pair()
    source.decide(1, 0, (1, 2))
    beside = wall_of(source).partition('aria-label="Standings"')[2].partition("</section>")[0]
    best = [(row.team.name, row.row.rank) for row in source.tournament.team_standings()]
    shown = re.findall(r'<td class="number">(\d)</td><th scope="row">(Team \d)</th><td class="number points">', beside)
    assert shown == [(str(rank), name) for name, rank in best]
    assert "Ana" not in beside


def listed(page: str) -> list[str]:
    """Returns who stands in the standings, wherever they are."""
    return re.findall(r'<(?:span class="who"|th scope="row")>(\w+)<', page)


@pytest.mark.slow
def test_the_standings_have_everybody_once_or_say_how_many_are_not_shown() -> None:
    source = PretendSource.open(names=[f"P{number}" for number in range(1, 15)])
    source.pair()
    source.play(1, 0, 4)
    assert (len(listed(wall_of(source))), "and 6 more" in wall_of(source)) == (8, True)
    for table in range(7):
        source.decide(1, table, (1, 2))
    between = wall_of(source)
    assert (len(set(listed(between))), len(listed(between)), " more" in between) == (14, 14, False)
    assert 'aria-label="Standings"' not in between
    crowd = PretendSource.open(names=[f"P{number}" for number in range(1, 72)])
    crowd.pair()
    for table in range(35):
        crowd.decide(1, table, (1, 2))
    assert (len(listed(wall_of(crowd))), "and 11 more" in wall_of(crowd)) == (60, True)


def test_nobody_has_a_rank_before_the_first_result() -> None:
    source = PretendSource.open(names=("Ana", "Ben", "Eva", "Finn"))
    source.pair()
    paths = "/wall", "/", "/crosstable"
    for page in walls_of(source, *paths):
        before = page.partition("Round by round")[0].partition("<h2>Crosstable")[0]
        assert '<td class="number">1</td>' not in before
        assert "leader" not in before
    assert "rank" not in walls_of(source, "/players/1")[0].partition("<h2>")[2].partition("</h2>")[0]
    source.decide(1, 0, (1, 2))
    for page in walls_of(source, *paths):
        assert '<tr class="leader"><td class="number">1</td>' in page


def plain(page: str) -> str:
    """Returns the text of a page."""
    return " ".join(re.sub(r"<[^>]*>", " ", page).split())


def test_one_code_leads_to_the_page_and_who_plays_types_where_the_tournament_is() -> None:
    source = PretendSource.open()
    for paired in (False, True):
        if paired:
            source.pair()
        page = wall_of(source)
        assert re.search(rf"To watch, scan the code Or open {ADDRESS} To play, type this on", plain(page))
        assert "To play, type this on a computer kimberley join 192.168.1.7:47310" in plain(page)
        assert page.count('class="code"') == 1
    source.seats = 7480, "0123456789abcdef012345"
    assert "To watch or play on a phone, scan the code" in plain(wall_of(source))
    source.join = ""
    assert "To play, type" not in wall_of(source)


def test_a_page_that_only_this_computer_has_invites_no_phone() -> None:
    source = PretendSource.open()
    source.seats = 7480, "0123456789abcdef012345"
    for address in (f"http://{LOOPBACK}:8080", "http://[::1]:8080", "http://localhost:8080"):
        page = plain(wall_of(source, address=address))
        assert "phone" not in page
        assert "scan" not in page
        assert "To play, type this on a computer kimberley join 192.168.1.7:47310" in page


def test_nobody_is_invited_to_play_who_would_not_play() -> None:
    source = PretendSource.open()
    source.pair()
    source.seats = 7480, "0123456789abcdef012345"
    assert "To play, type" in wall_of(source)
    assert "or play on a phone" in plain(wall_of(source))
    bracket = PretendSource.open(format="knockout", rounds=0)
    bracket.pair()
    assert "To play, type" not in wall_of(bracket)
    source.add(EntryClosed(LATER))
    assert "To play, type" not in wall_of(source)
    assert "To watch, scan the code" in plain(wall_of(source))
    for table in range(len(source.tournament.rounds[0].tables)):
        source.decide(1, table, (1, 2))
    source.add(EndCalled(LATER))
    source.add(TournamentEnded(LATER + 100))
    assert "For games and results, scan the code" in plain(wall_of(source))


def test_before_the_first_round_the_wall_says_who_is_in_and_when_it_begins() -> None:
    source = PretendSource.open()
    source.next_round_at = source.seconds + 90
    page = wall_of(source)
    names = [source.tournament.name(player.identity) for player in source.tournament.players]
    assert [page.count(f"<li>{escape(name)}</li>") for name in names] == [1] * len(names)
    assert f"Players {len(names)}" in plain(page)
    assert "Standings" not in page
    assert "Round 1 starts in 1:30" in plain(page)
    assert page.index('class="code"') < page.index("<h2>Players")
    source.pair()
    assert "<h2>Players" not in wall_of(source)


@pytest.mark.parametrize(
    ("one", "other", "found"), [(None, None, False), (1.0, None, True), (1.0, 1.2, False), (1.0, 3.0, True)]
)
def test_a_countdown_is_told_again_only_if_it_has_changed(one: float | None, other: float | None, found: bool) -> None:
    assert differs(one, other) is found


def test_a_code_has_the_colors_of_the_style_sheet() -> None:
    sheet = DrawnGames().style_sheet().decode()
    assert f"--ink: {wall.INK};" in sheet
    assert f"--paper: {wall.PAPER};" in sheet
