"""What a player of a tournament reads in line mode."""

from __future__ import annotations

import asyncio
from io import StringIO

import pytest

from kimberley.client.plain.console import Console
from kimberley.client.plain.tournament import PlainTournament
from kimberley.client.session.seat_session import session_of
from kimberley.client.session.settings import Settings
from kimberley.p2p.table.ending import LEFT
from kimberley.p2p.tournament import events
from kimberley.p2p.tournament.events import PlayerWithdrew, TablesOpened, TournamentEnded
from kimberley.p2p.tournament.messages import WaitReading
from tests.support.asyncs import until
from tests.support.pretend import PretendServices, PretendTable
from tests.support.pretend_source import LATER, PretendSource
from tests.support.pretend_tournament import PretendClient
from tests.support.typed import Typed


def test_the_line_mode_tells_a_tournament_in_sentences() -> None:
    async def main() -> None:
        source = PretendSource.open(names=("ana", "ben", "carla"))
        client = PretendClient(source, "ana")
        said = StringIO()
        typed: asyncio.Queue[str] = asyncio.Queue()

        class Typed(Console):
            async def read(self) -> str:
                return await typed.get()

        tournament = PlainTournament(client, PretendServices(), Typed(StringIO(), said), Settings())
        task = asyncio.create_task(tournament.attend())
        await until(lambda: "You have joined Friday Cup. The game is Diamond Trust of London." in said.getvalue())
        client.change("event", source.pair())
        await until(lambda: "Round 1 begins." in said.getvalue())
        for word, answer in (
            ("tables", "playing."),
            ("standings", "1: "),
            ("rules", "Rules of Diamond Trust of London."),
            ("what", "withdraw: leave the tournament."),
        ):
            await typed.put(word)
            await until(lambda answer=answer: answer in said.getvalue())  # type: ignore[misc]
        client.change("event", events.MessageSent(LATER, "Pizza is here"))
        assert "The organizer says: Pizza is here" in said.getvalue()
        client.change("event", events.TablePaused(LATER, 1, 7))
        assert "paused" not in said.getvalue(), "another table's clocks are nobody's business here"
        seat = PretendTable(phase="open", names=("ana",))
        client.change("table", phase="seated", table=seat)
        await until(lambda: "Setting up the table." in said.getvalue())
        assert "Others join by" not in said.getvalue()
        client.change("away", away_since=1.0)
        assert said.getvalue().count("The referee is offline.") == 1
        client.change("away", away_since=None)
        assert said.getvalue().count("The referee is back.") == 1
        await typed.put("leave")
        await until(lambda: "You are back in the tournament." in said.getvalue())
        table = PretendTable(phase="failed", problem="ben did not come.")
        client.change("table", table=table)
        ruling = source.decide(1, 0, (1, 2))
        source.add(TournamentEnded(LATER))
        client.change("phase", phase="over", ruling=ruling)
        await asyncio.wait_for(task, 30)
        assert "\nPlayed to its end, and proven fair." in said.getvalue()
        assert "The tournament is over." in said.getvalue()

    asyncio.run(main())


def test_who_has_to_confirm_the_words_is_told_only_if_that_takes_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kimberley.client.plain.tournament.CONFIRM_SECONDS", 0.05)

    async def main() -> None:
        source = PretendSource.open(names=("ana", "ben"))
        client = PretendClient(source, "ana")
        lines = Typed()
        task = asyncio.create_task(PlainTournament(client, PretendServices(), lines, Settings()).attend())
        client.change("event", source.pair())
        seat = PretendTable(phase="words", names=("ana", "ben"), agreed=(True, False))
        client.change("table", phase="seated", table=seat)
        await until(lambda: session_of(seat).clock_keeper is client)
        until_then = asyncio.get_running_loop().time() + 100
        client.change("wait", wait=WaitReading((0, 1), until_then))
        seat.change(agreed=(True, True))
        await asyncio.sleep(0.1)
        assert not lines.has("to confirm")
        seat.change(agreed=(True, False))
        client.change("wait", wait=WaitReading((1,), until_then))
        await until(lambda: any(line.startswith("ben has 1:") for line in lines.said))
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    asyncio.run(main())


def test_a_ruling_that_ends_the_players_table_is_said_once_and_in_the_second_person() -> None:
    async def main() -> None:
        source = PretendSource.open(names=("ana", "ben"))
        client = PretendClient(source, "ana")
        lines = Typed()
        tournament = PlainTournament(client, PretendServices(), lines, Settings())
        task = asyncio.create_task(tournament.attend())
        client.change("event", source.pair())
        seat = PretendTable(phase="open", names=("ana",))
        client.change("table", phase="seated", table=seat)
        await until(lambda: lines.has("Setting up the table."))
        seats = source.tournament.rounds[0].tables[0].seats
        places = tuple(1 if one == client.identity else 0 for one in seats)
        sentence = "ana won, by decision of the organizer: late."
        client.change("event", ruling=source.decide(1, 0, places, events.ORGANIZER, sentence))
        seat.change(phase="failed", problem=sentence)
        await until(lambda: lines.has("You are back in the tournament."))
        source.add(TournamentEnded(LATER))
        client.change("phase", phase="over")
        await asyncio.wait_for(task, 30)
        told = [line for line in lines.said if "by decision of the organizer" in line]
        assert told == ["You won, by decision of the organizer: late."]

    asyncio.run(main())


def test_who_comes_back_is_not_told_that_the_round_begins_or_that_a_game_is_to_come() -> None:
    async def main() -> None:
        source = PretendSource.open(names=("ana", "ben", "carla", "dan"))
        source.pair(begun=1)
        source.decide(1, 0, (1, 2))
        played = source.tournament.rounds[0].tables[0].seats[0]
        client = PretendClient(source, source.tournament.name(played))
        said = StringIO()
        typed: asyncio.Queue[str] = asyncio.Queue()

        class Typed(Console):
            async def read(self) -> str:
                return await typed.get()

        task = asyncio.create_task(
            PlainTournament(client, PretendServices(), Typed(StringIO(), said), Settings()).attend()
        )
        await until(lambda: "Round 1 of 3.\nWaiting for the other games to end." in said.getvalue())
        assert said.getvalue().count("Waiting") == 1
        await typed.put("tables")
        await until(lambda: "Table 2: " in said.getvalue())
        assert said.getvalue().rstrip().endswith(", waiting to start.")
        client.away_since = 1.0
        await typed.put("withdraw")
        await until(lambda: "may still pair you" in said.getvalue())
        assert "withdraw" not in client.done
        client.change("phase", phase="failed", away_since=None)
        await asyncio.wait_for(task, 30)

    asyncio.run(main())


def test_each_table_of_an_arena_is_announced_with_its_opponents() -> None:
    async def main() -> None:
        source = PretendSource.open(names=("ana", "ben"), format="arena", rounds=0, minutes=60)
        client, lines = PretendClient(source, "ana"), Typed()
        task = asyncio.create_task(PlainTournament(client, PretendServices(), lines, Settings()).attend())
        client.change("event", source.pair())
        await until(lambda: lines.has("You play ben at table 1."))
        ruling = source.decide(1, 0, (1, 2))
        client.change("event", ruling, ruling=ruling)
        seats = source.tournament.rounds[0].tables[0].seats
        opened = TablesOpened(LATER, 1, (seats,))
        source.add(opened)
        client.change("event", opened)
        await until(lambda: lines.has("You play ben at table 2."))
        client.change("phase", phase="failed")
        await asyncio.wait_for(task, 30)
        assert sum("You play" in line for line in lines.said) == 2

    asyncio.run(main())


def test_who_withdraws_in_text_mode_is_asked_first() -> None:
    async def main() -> None:
        source = PretendSource.open(names=("ana", "ben"))
        client, lines = PretendClient(source, "ana"), Typed()
        task = asyncio.create_task(PlainTournament(client, PretendServices(), lines, Settings()).attend())
        for word in ("withdraw", "standings", "withdraw"):
            lines.type(word)
        await until(lambda: lines.said.count("Type withdraw again to confirm.") == 2)
        assert "withdraw" not in client.done
        assert lines.has("For a short break, type quit instead: your place is kept.")
        lines.type("withdraw")
        await asyncio.wait_for(task, 30)
        assert client.done == ["withdraw"]
        assert lines.said[-1] == "You have withdrawn."

    asyncio.run(main())


def test_who_is_withdrawn_by_the_organizer_is_not_told_to_have_left_the_table() -> None:
    async def main() -> None:
        source = PretendSource.open(names=("ana", "ben"))
        client, lines = PretendClient(source, "ana"), Typed()
        task = asyncio.create_task(PlainTournament(client, PretendServices(), lines, Settings()).attend())
        client.change("event", source.pair())
        seat = PretendTable(phase="open", names=("ana",))
        client.change("table", phase="seated", table=seat)
        await until(lambda: lines.has("Setting up the table."))
        source.add(PlayerWithdrew(LATER, client.identity))
        client.phase = "withdrawn"
        seat.change(phase="failed", problem=LEFT)
        await asyncio.wait_for(task, 30)
        assert lines.said[-2:] == ["The table is closed.", "You are out of the tournament unless you join again."]

    asyncio.run(main())


def test_a_result_that_was_told_at_the_table_is_not_told_once_more() -> None:
    async def main() -> None:
        source = PretendSource.open(names=("ana", "ben"))
        client, lines = PretendClient(source, "ana"), Typed()
        task = asyncio.create_task(PlainTournament(client, PretendServices(), lines, Settings()).attend())
        client.change("event", source.pair())
        seat = PretendTable(phase="open", names=("ana", "ben"))
        client.change("table", phase="seated", table=seat)
        await until(lambda: lines.has("Setting up the table."))
        seat.change(phase="done", peer=None)
        await until(lambda: lines.has("Type leave to return to the tournament."))
        lines.type("leave")
        await until(lambda: lines.has("You are back in the tournament."))
        client.change("event", ruling=source.decide(1, 0, (1, 2)))
        client.change("phase", phase="over")
        await asyncio.wait_for(task, 30)
        assert not lines.has("Played to its end")

    asyncio.run(main())
