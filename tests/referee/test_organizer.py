"""What an organizer does by hand: each thing is an event that all hear of, and the bundle still verifies."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest

from kimberley.client.cli.verify_all import bundle_in_words, verify_bundle
from kimberley.client.session.tournament_bot import TournamentReport
from kimberley.games.diamond import GAME as DIAMOND
from kimberley.p2p.base.errors import NotRetryable
from kimberley.p2p.tournament import events
from kimberley.p2p.tournament.events import RoundPaired, RoundScheduled
from kimberley.p2p.tournament.messages import TableId
from kimberley.p2p.tournament.orders import OrderReply
from kimberley.p2p.tournament.settings import MOST_TABLES
from kimberley.protocol import audit
from kimberley.referee import export, status
from kimberley.referee.clock_keeper import awaits_choice
from kimberley.referee.console import TIME
from kimberley.referee.organizer import ELSE_REPLAY, NO_DECISION, NO_NEXT_ROUND, NO_REASON, Organizer
from kimberley.referee.organizer_commands import obey_organizer, obey_page
from kimberley.referee.server import RoundTiming
from kimberley.referee.store import StoreReader
from kimberley.referee.table_referee import TableReferee
from kimberley.referee.trf import report
from tests.support.asyncs import run, until
from tests.support.effort import first_is_quick
from tests.support.evenings import Evening, clock, evening, grace
from tests.support.referee_console import console_of
from tests.support.seated import no_faults

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def nothing_fails_in_the_background(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    yield from no_faults(caplog)


@asynccontextmanager
async def a_game(tmp_path: Path, **settings: object) -> AsyncIterator[tuple[Evening, Organizer, TableReferee]]:
    """Yields a game that ana and ben have begun, in which nobody plays yet."""
    plan = RoundTiming(players=2, pause=0.0)
    async with evening(tmp_path, DIAMOND, plan, **({"rounds": 1} | settings)) as held:
        for name in ("ana", "ben"):
            await held.enter(name, plays=False)
        await until(lambda: any(referee.view is not None for referee in held.server.referees.values()))
        await until(lambda: held.server.tournament.rounds[0].tables[0].game is not None)
        yield held, Organizer(held.server, held.identity), held.server.referees[TableId(1, 0)]


def asked_by_name(held: Evening) -> dict[str, Any]:
    """Returns the tables at which a player is to choose now, by the player's name."""
    tables = {name: client.table for name, client in held.clients.items()}
    return {name: table for name, table in tables.items() if table and table.peer and table.peer.asked}


def bundle(held: Evening, tmp_path: Path) -> str:
    """Returns what a check of the bundle says, after it has found nothing wrong."""
    path, *_ = export.export_tournament(tmp_path / "referee", held.identity, held.find)
    judged = verify_bundle(path)
    assert judged.finding.code == audit.FAIR, judged.finding.reason
    return "\n".join(bundle_in_words(judged))


def test_a_player_gets_more_time_also_if_the_referee_is_killed_right_after(tmp_path: Path) -> None:
    async def story() -> None:
        async with a_game(tmp_path, **clock(600)) as (held, organizer, referee):
            ana = held.clients["ana"]
            seat = referee.people.index(ana.identity)
            await until(lambda: ana.clocks)
            reply = await obey_page(organizer, "add 1 ana 5m")
            assert reply == OrderReply(True, "Table 1: the organizer gives ana 5:00 more on the clock.")
            await until(lambda: ana.clocks[seat].seconds > 600)
            assert ana.clocks[1 - seat].seconds <= 600
            assert await organizer.add_time(0, [held.identity.public], 300) == "That player is not at that table."
            assert await organizer.add_time(7, [ana.identity], 300) == "There is no table 8 in this round."
            assert await organizer.add_time(0, [ana.identity], 0) == "You can add from one second to one day."
            await held.reopen()
            (referee,) = held.server.referees.values()
            assert 600 < referee.clocks.left(seat, 0.0) <= 900
            for name in ("ana", "ben"):
                held.play(name)
            await held.end()
            assert "was given more time by the organizer" in bundle(held, tmp_path)

    run(story())


def test_while_a_table_is_paused_nobody_loses_there(tmp_path: Path) -> None:
    async def story() -> None:
        async with a_game(tmp_path, **clock(4)) as (held, organizer, referee):
            assert await organizer.pause(None) is None
            assert await organizer.pause(0) == "The table is already paused."
            assert await organizer.pause(None) == "Every table is already paused."
            await until(lambda: not referee.clocks.running)
            await until(lambda: all(client.paused for client in held.clients.values()))
            before, loop = referee.clocks, asyncio.get_running_loop()
            over = loop.time() + 4
            await until(lambda: loop.time() > over)
            assert (referee.clocks.thought, held.results) == (before.thought, [])
            assert await organizer.resume(None) is None
            assert await organizer.resume(None) == "No table is paused."
            await until(lambda: referee.clocks.running)
            (result,) = await held.end()
            assert result.how == events.TIME
            assert "had their clocks stopped by the organizer" in bundle(held, tmp_path)

    run(story())


def test_a_person_decides_a_table_for_a_reason_that_is_signed(tmp_path: Path) -> None:
    async def story() -> None:
        async with a_game(tmp_path) as (held, organizer, referee):
            ana, ben = held.clients["ana"].identity, held.clients["ben"].identity
            assert await organizer.decide(0, [ben], " ") == NO_REASON
            assert "Only a player" in str(await organizer.decide(0, [held.identity.public], "why not"))
            assert await organizer.decide(0, [ben], "ana used another program") is None
            (result,) = await held.end()
            assert (result.how, result.record is not None) == (events.ORGANIZER, True)
            assert result.sentence == "ben won, by decision of the organizer: ana used another program."
            assert result.places == tuple(int(one == ben) for one in referee.people)
            assert result.holds(held.server.settings, referee.people)
            assert held.clients["ana"].ruling == result
            decided = await organizer.decide(0, [ana], "no")
            assert decided == "Table 1 already has a result. You can have the game played again."
            for order in (organizer.pause, organizer.resume):
                assert await order(0) == "Table 1 already has a result."
            said = bundle(held, tmp_path)
            assert said.count("by decision of the organizer") == 1
            assert re.search(
                r"Round 1, table 1, \w+ \(.*\) and \w+ \(.*\): ben won, by decision of the organizer", said
            )

    run(story())


@pytest.mark.parametrize("decided", first_is_quick(False, True))
def test_a_table_plays_again_and_only_the_last_result_counts(
    tmp_path: Path, decided: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    async def story() -> None:
        async with a_game(tmp_path) as (held, organizer, _):
            ben = held.clients["ben"].identity
            console = console_of(held.server, tmp_path / "referee", held.identity)
            await organizer.schedule(None)
            if decided:
                await organizer.decide(0, [ben], "a mistake")
                assert held.server.tournament.player(ben) is not None
            assert await organizer.replay(0, "the lights went out") is None
            await console.close()
            assert ("Round 1 is over." in capsys.readouterr().out) == decided
            assert await organizer.replay(3, "why not") == "There is no table 4 in this round."
            (table,) = held.server.tournament.rounds[0].tables
            assert (table.id, table.decided, len(table.former)) == (MOST_TABLES, None, 1)
            for name in ("ana", "ben"):
                held.play(name)
                TournamentReport(held.clients[name], as_json=False)
            await until(lambda: len(held.results) == 2, 40)
            first, second = held.results
            assert "Round 1, table 1 (replay): " in capsys.readouterr().out
            assert (first.how, second.how) == (events.ORGANIZER, events.PLAYED)
            assert first.game != second.game
            assert sum(row.points for row in held.server.tournament.standings()) == 1
            assert await organizer.schedule(0) is None
            await held.end()
            said = bundle(held, tmp_path)
            assert said.count("the lights went out.") == 1
            assert "The organizer’s reason: the lights went out." in said
            assert "Fair: 1 round, 2 results and " in said
            assert "The referee signed 2 results, each for the players at its table. 1 of them" in said

    run(story())


@pytest.mark.parametrize("killed", first_is_quick(False, True))
def test_a_decision_is_undone_and_everybody_can_read_why(
    tmp_path: Path, killed: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    async def story() -> None:
        async with a_game(tmp_path) as (held, organizer, _):
            ben = held.clients["ben"].identity
            assert await obey_organizer(organizer, "undo: the wrong name") == OrderReply(False, NO_DECISION)
            assert await organizer.undo(0, "the wrong name") == f"You did not decide table 1. {ELSE_REPLAY}"
            await organizer.schedule(None)
            await organizer.decide(0, [ben], "a mistake")
            await until(lambda: held.clients["ana"].phase == "waiting")
            assert await organizer.undo(0, " ") == NO_REASON
            assert await organizer.undo(1, "why not") == "There is no table 2 in this round."
            for name in ("ana", "ben"):
                held.play(name)
            console_of(held.server, tmp_path / "referee", held.identity)
            said = "The organizer has undone the decision at table 1"
            reply = await obey_page(organizer, "undo 1: the wrong name")
            assert reply == OrderReply(True, f"{said}: the wrong name.")
            (table,) = held.server.tournament.rounds[0].tables
            assert (table.id, table.decided, len(table.former)) == (MOST_TABLES, None, 1)
            if killed:
                await held.reopen()
                organizer = Organizer(held.server, held.identity)
            await until(lambda: len(held.results) == 2, 40)
            first, second = held.results
            assert said in capsys.readouterr().out
            assert (first.how, second.how) == (events.ORGANIZER, events.PLAYED)
            assert first.game != second.game
            assert await organizer.undo(0, "again") == "You have already undone your decision at table 1."
            assert await organizer.schedule(0) is None
            await held.end()
            said = bundle(held, tmp_path)
            assert "by decision of the organizer: a mistake." in said
            assert "had to play again, as the organizer undid a decision" in said
            assert "The organizer’s reason: the wrong name." in said

    run(story())


def test_a_ruling_stands_once_another_round_has_been_paired(tmp_path: Path) -> None:
    async def story() -> None:
        async with a_game(tmp_path, rounds=2, format="double-round-robin") as (held, organizer, _):
            assert await organizer.decide(0, [held.clients["ben"].identity], "a mistake") is None
            await until(lambda: len(held.server.tournament.rounds) == 2)
            stands = "Round 2 has been paired, so rulings of round 1 stand."
            assert await organizer.undo(0, "the wrong name") == stands
            assert await organizer.undo(None, "the wrong name") == stands

    run(story())


def test_a_ruling_that_a_replay_followed_no_longer_counts(tmp_path: Path) -> None:
    async def story() -> None:
        async with a_game(tmp_path) as (held, organizer, _):
            await organizer.schedule(None)
            await organizer.decide(0, [held.clients["ben"].identity], "a mistake")
            assert await organizer.replay(0, "the lights went out") is None
            assert await organizer.undo(0, "late") == f"You have no decision to undo at table 1. {ELSE_REPLAY}"

    run(story())


def test_entry_is_closed_and_everybody_hears_what_the_organizer_says(tmp_path: Path) -> None:
    async def story() -> None:
        async with evening(tmp_path, DIAMOND, RoundTiming(pause=0.0), rounds=1) as held:
            organizer = Organizer(held.server, held.identity)
            for name in ("ana", "ben"):
                await held.enter(name)
            assert await organizer.close_entry() is None
            assert await organizer.close_entry() == "Entry is already closed."
            with pytest.raises(NotRetryable, match="The organizer has closed entry"):
                await held.enter("cleo")
            assert await organizer.announce("  \x07 ") == "Type a message."
            assert await organizer.announce("Pizza is here") is None
            await until(lambda: all(one.tournament.messages for one in held.clients.values()))
            assert [one.text for one in held.clients["ana"].tournament.messages] == ["Pizza is here"]
            assert await organizer.schedule(0) is None
            await held.end()
            with pytest.raises(NotRetryable, match="The tournament has ended"):
                await held.enter("dora")
            bundle(held, tmp_path)

    run(story())


def test_a_withdrawal_is_taken_back(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    async def story() -> None:
        async with evening(tmp_path, DIAMOND, RoundTiming(pause=0.0), rounds=1) as held:
            for name in ("ana", "ben", "carla"):
                await held.enter(name, plays=False)
            organizer, console = Organizer(held.server, held.identity), console_of(held.server, tmp_path, held.identity)

            async def typed(line: str) -> str:
                return (await obey_organizer(organizer, line)).sentence

            def state(name: str) -> str:
                return next(one.state for one in organizer.tournament.players if one.nickname == name)

            assert await typed("readmit ana") == "ana has not withdrawn."
            # The organizer may do so however often: only players have to wait.
            for _ in range(3):
                assert await typed("withdraw ana") == ""
                assert state("ana") == "withdrawn"
                assert await typed("readmit ana") == ""
                assert state("ana") == "in"
            said = [line[TIME:] for line in capsys.readouterr().out.splitlines()]
            # No round is promised: there may be none.
            assert said == ["ana withdrew: 2 players now.", "ana is in the tournament again: 3 players now."] * 3
            await typed("ban carla: Noise")
            assert await typed("readmit carla") == "carla is banned."
            assert "Type the name of the player." in await typed("readmit")
            await console.close()

    run(story())


def test_while_games_are_played_next_says_that_the_round_waits_for_them(tmp_path: Path) -> None:
    async def story() -> None:
        async with a_game(tmp_path, rounds=2, format="double-round-robin") as (held, organizer, _):
            once = "The next round begins when all games of this round are over."
            assert await obey_page(organizer, "next") == OrderReply(True, once)
            reply = await obey_page(organizer, "next 5m")
            assert reply.done
            assert reply.sentence.endswith(", or later if games are still going on.")
            assert await obey_organizer(organizer, "start") == OrderReply(False, "It has already started.")
            assert len(held.server.tournament.rounds) == 1
            hold = await obey_page(organizer, "hold")
            assert hold.sentence == "The next round begins when you choose Next round."
            assert (await obey_page(organizer, "pause 1")).sentence == "The organizer has paused table 1."
            assert (await obey_page(organizer, "resume")).sentence == "Table 1 resumes."
            await obey_organizer(organizer, "next")
            for name in ("ana", "ben"):
                held.play(name)
            await until(lambda: len(held.server.tournament.rounds) == 2, 40)
            assert len(held.results) == 1
            await held.end()
            bundle(held, tmp_path)

    run(story())


def test_an_arena_has_no_next_round(tmp_path: Path) -> None:
    async def story() -> None:
        async with a_game(tmp_path, rounds=0, format="arena", minutes=1) as (_, organizer, _referee):
            assert await organizer.schedule(0) == NO_NEXT_ROUND
            assert await organizer.schedule(None) == NO_NEXT_ROUND
            assert await organizer.pause(7) == "There is no table 8 yet."

    run(story())


def test_a_paused_table_is_told_at_once_and_after_a_restart(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    async def story() -> None:
        folder = tmp_path / "referee"
        async with a_game(tmp_path) as (held, organizer, _):
            assert await organizer.pause(0) is None
            for _ in range(2):
                console_of(held.server, folder, held.identity).open(held.plan)
                assert "Paused by the organizer." in capsys.readouterr().out
                with StoreReader(folder) as reader:
                    assert ": playing. Paused by the organizer." in "".join(status.lines(folder, reader))
                await held.reopen()

    run(story())


def test_the_status_counts_moves_as_the_players_do(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    async def story() -> None:
        async with a_game(tmp_path) as (held, _, referee):
            console = console_of(held.server, tmp_path / "referee", held.identity)

            def awaits(seat: int) -> bool:
                view = referee.view
                return view is not None and view.waiting == (seat,) and awaits_choice(view)

            for number in range(1, 4):
                await until(lambda: len(asked_by_name(held)) == 1)
                ((name, table),) = asked_by_name(held).items()
                await until(partial(awaits, table.occupants.seat))
                capsys.readouterr()
                console.status()
                assert f": move {number}, waiting for {name} to choose." in capsys.readouterr().out
                table.play.choose("d4" if number == 1 else table.peer.asked.space.pick(Random(number)))
                await until(partial(awaits, 1 - table.occupants.seat))
            await console.close()

    run(story())


def test_a_round_begins_by_hand_or_by_a_countdown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    async def story() -> None:
        plan, twice = RoundTiming(players=2, pause=0.0), "double-round-robin"
        async with evening(tmp_path, DIAMOND, plan, rounds=2, format=twice, **grace(60)) as held:
            organizer = Organizer(held.server, held.identity)
            console = console_of(held.server, tmp_path / "referee", held.identity)
            assert await organizer.schedule(None) is None
            for name in ("ana", "ben"):
                await held.enter(name)
            assert await organizer.schedule(2) is None
            assert held.server.tournament.rounds == ()
            await until(lambda: len(held.server.tournament.rounds) == 1)
            assert held.server.tournament.scheduled is None
            await organizer.schedule(None)
            await until(lambda: len(held.results) == 1)
            waits = "The next round begins when you type next."
            assert waits in capsys.readouterr().out.partition("Round 1 is over.")[2]
            await organizer.schedule(0)
            await held.end()
            told = [event for event in held.events() if isinstance(event, RoundScheduled | RoundPaired)]
            assert isinstance(told[-2], RoundScheduled), "the second round has not begun before"
            assert isinstance(told[-1], RoundPaired)
            await console.close()
            bundle(held, tmp_path)

    run(story())


def test_who_has_a_half_point_bye_waits_a_round_and_plays_the_next(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async def story() -> None:
        async with evening(tmp_path, DIAMOND, RoundTiming(pause=0.0), rounds=2, **grace(60)) as held:
            organizer = Organizer(held.server, held.identity)
            console = console_of(held.server, tmp_path / "referee", held.identity)
            for name in ("ana", "ben", "cleo"):
                await held.enter(name)

            async def order(line: str) -> str:
                return (await obey_organizer(organizer, line)).sentence

            assert await order("bye 1 cleo") == await order("bye 2 ana") == await order("nobye 2 ana") == ""
            assert await order("bye one cleo") == 'No round "one". Type its number. (usage: bye ROUND NAME)'
            assert await order("bye 1") == "Type the name of the player. (usage: bye ROUND NAME)"
            assert await order("bye 1 cleo") == "cleo already has a bye in round 1."
            await organizer.schedule(0)
            await held.end()
            await console.close()
            first, second = held.server.tournament.rounds
            cleo = held.clients["cleo"].identity
            assert (first.half_byes, first.byes, len(first.tables)) == ((cleo,), (), 1)
            assert (second.half_byes, len(second.byes), len(second.tables)) == ((), 1, 1)
            said = capsys.readouterr().out
            for line in (
                "cleo has a half-point bye in round 1.",
                "ana plays in round 2 after all.",
                "  cleo has a half-point bye.",
            ):
                assert line in said
            assert "Round 1: cleo" in bundle(held, tmp_path)
            assert "had a half-point bye, given by the organizer." in bundle(held, tmp_path)

    run(story())


def test_a_swiss_ends_early_after_a_round_and_the_file_verifies(tmp_path: Path) -> None:
    async def story() -> None:
        async with evening(tmp_path, DIAMOND, RoundTiming(pause=0.0), rounds=3, **grace(60)) as held:
            organizer = Organizer(held.server, held.identity)
            for name in ("ana", "ben", "cleo", "dan"):
                await held.enter(name)
            assert await organizer.finish() == "The first round has not started."
            await organizer.schedule(0)
            await until(lambda: held.server.tournament.rounds)
            await organizer.schedule(None)
            reply = await obey_page(organizer, "finish")
            assert reply == OrderReply(True, "The organizer ends the tournament after this round.")
            assert await organizer.finish() == "This is the last round already."
            await held.reopen()
            assert len(await held.end()) == 2
            assert [len(held.server.tournament.rounds), held.server.tournament.planned] == [1, 3]
            said = bundle(held, tmp_path)
            assert "The organizer ended the tournament early." in said
            assert "XXR 3" in report(held.server.tournament)

    run(story())
