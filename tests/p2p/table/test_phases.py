"""What a table does in a phase, and which game it has there."""

import asyncio
from pathlib import Path

import pytest

from kimberley.games.table import Game
from kimberley.p2p.table.ending import Ending
from kimberley.p2p.table.match import Match
from kimberley.p2p.table.sync import have_frame
from tests.support.asyncs import run, until
from tests.support.cards import CARDS
from tests.support.inside import identity_of, links_of, match_of
from tests.support.seated import circle_of_tables
from tests.support.stones import MANY_STONES, STONES


@pytest.mark.slow
def test_a_game_that_has_its_result_is_neither_adjourned_nor_left_to_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story() -> None:
        async with circle_of_tables(tmp_path, CARDS) as circle:
            await circle.seat(3)
            host, ben, cleo = circle.tables
            assert host.adjournment.can_adjourn
            assert not match_of(cleo).needs(2)
            monkeypatch.setattr(Ending, "finish", lambda self, match: None)
            playing = asyncio.create_task(circle.play())
            await circle.all("closing")
            playing.cancel()
            assert not host.adjournment.can_adjourn
            link = links_of(ben)[identity_of(host).public]
            link.send(("vote", "aside", True))
            link.send(("say", identity_of(ben).public, "voted"))
            await until(lambda: [line.text for line in host.chat.lines] == ["voted"])
            assert host.adjournment.adjourn_from == frozenset()
            cleo.departures.leave()
            assert cleo.left

    run(story())


def test_words_that_are_broken_off_leave_no_game(tmp_path: Path) -> None:
    async def story() -> None:
        async with circle_of_tables(tmp_path, STONES) as circle:
            host = await circle.open(2, headless=False)
            ben = await circle.join(headless=False)
            await circle.all("words")
            assert {table.words.phrase for table in circle.tables} == {match_of(host).phrase}
            await ben.close()
            await until(lambda: host.phase == "open")
            assert (host.game_id, host.words.phrase, host.compared, host.played) == (None, None, None, None)

    run(story())


def test_an_open_table_still_gives_the_last_game_to_who_is_behind_until_the_next_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story() -> None:
        async with circle_of_tables(tmp_path, STONES) as circle:
            await circle.open(2, headless=False)
            await circle.join(headless=False)
            await circle.agree()
            await circle.play()
            await circle.all("done")
            host, ben = circle.tables
            last = match_of(host)
            host.hosting.open_again()
            await circle.all("open")
            came: list[Match] = []
            monkeypatch.setattr(Match, "receive", lambda match, envelope: came.append(match))
            links_of(ben)[identity_of(host).public].send(have_frame(last.game_id, ((0, bytes(32)),) * 2))
            await until(lambda: match_of(ben) in came)
            monkeypatch.undo()
            assert match_of(host) is last
            assert host.played is None
            for table in circle.tables:
                table.seating.ready(True)
            await circle.all("playing")
            assert match_of(host) is not last
            assert host.game_id == ben.game_id != last.game_id

    run(story())


@pytest.mark.slow
@pytest.mark.parametrize(
    "game", [pytest.param(CARDS, marks=pytest.mark.slow), MANY_STONES], ids=["with leaves", "without leaves"]
)
def test_after_a_game_only_the_host_is_missed(tmp_path: Path, game: Game) -> None:
    async def story() -> None:
        async with circle_of_tables(tmp_path, game) as circle:
            await circle.seat(4)
            await circle.play()
            await circle.all("done")
            host, ben, cleo, last = circle.tables
            last.departures.leave()
            await until(lambda: all(len(table.links) == 2 for table in (host, ben, cleo)))
            assert {table.phase for table in (host, ben, cleo)} == {"done"}
            host.departures.leave()
            await until(lambda: {table.phase for table in circle.tables} == {"failed"})
            assert ben.problem == cleo.problem == "ana left the table."

    run(story())
