"""What a player of a tournament reads in line mode."""

from __future__ import annotations

import asyncio
from io import StringIO

from kimberley.client.plain.console import Console
from kimberley.client.plain.tournament import PlainTournament
from kimberley.client.session.settings import Settings
from kimberley.p2p.tournament import events
from kimberley.p2p.tournament.events import TournamentEnded
from tests.support.asyncs import until
from tests.support.pretend import PretendServices, PretendTable
from tests.support.pretend_source import LATER, PretendSource
from tests.support.pretend_tournament import PretendClient


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
        await until(lambda: "You have joined Friday Cup: Diamond Trust of London." in said.getvalue())
        source.pair()
        client.change("event")
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
        assert "Your table: Played to its end, and proven fair." in said.getvalue()
        assert "The tournament is over." in said.getvalue()

    asyncio.run(main())
