"""What a player of a tournament sees and hears: its screen, the way to each table and back, and the clocks."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from io import StringIO
from typing import Any

import pytest

from kimberley.client.plain.console import Console
from kimberley.client.plain.tournament import PlainTournament
from kimberley.client.screens.app import App
from kimberley.client.screens.dialogs import Confirm, leave_table
from kimberley.client.screens.dossier import DossierScreen
from kimberley.client.screens.lobby import LobbyScreen
from kimberley.client.screens.title import TitleScreen
from kimberley.client.screens.tournament import TournamentScreen
from kimberley.client.session import clocks
from kimberley.client.session.clocks import ClockFace
from kimberley.client.session.participants import WaitTracker
from kimberley.client.session.services import JoinedTournament
from kimberley.client.session.settings import Settings
from kimberley.p2p.sentences.tournaments import describe_ruling_to, without_table
from kimberley.p2p.tournament import events
from kimberley.p2p.tournament.events import (
    ABSENT,
    AWAY,
    CHEATING,
    ORGANIZER,
    REFUSED,
    SILENCE,
    TIME,
    UNREADY,
    WITHDREW,
    TableDecided,
    TournamentEnded,
)
from kimberley.p2p.tournament.messages import WaitReading
from kimberley.p2p.tournament.tournament import Tournament
from kimberley.p2p.transport.table_card import TournamentCard
from tests.support.asyncs import until
from tests.support.pretend import PretendServices, PretendTable, listed, press, pretend_app, shown, touch
from tests.support.pretend_source import LATER, PretendSource
from tests.support.pretend_tournament import Keeper, PretendClient, running, standing

SIZES = ((80, 24), (100, 34), (120, 28), (140, 45))
NAMES = ("ana", "ben", "carla", "dmitri", "ewa")


def tournament_flow(
    test: Callable[[App, PretendClient], Awaitable[None]], names: tuple[str, ...] = NAMES, **settings: Any
) -> None:
    """Runs a test on the event loop: ana has joined a tournament."""

    async def main() -> None:
        source = PretendSource.open(names=names, **settings)
        client = PretendClient(source, "ana")
        app = pretend_app()
        app.push(TitleScreen(app))
        app.take_seat(JoinedTournament(client))
        await test(app, client)
        for task in asyncio.all_tasks() - {asyncio.current_task()}:
            task.cancel()

    asyncio.run(main())


def top(app: App) -> object:
    return app.stack[-1]


def asked(app: App) -> str:
    """What is asked back."""
    dialog = top(app)
    assert isinstance(dialog, Confirm)
    return dialog.text


def test_between_rounds_one_sees_who_plays_and_how_it_stands() -> None:
    async def test(app: App, client: PretendClient) -> None:
        assert "Waiting for the first round." in shown(app)
        assert "5 players" in shown(app)
        client.source.pair()
        client.change("phase", phase="seated")
        for size in SIZES:
            text = shown(app, *size)
            assert "ROUND 1" in text
            assert "Friday Cup · Diamond Trust of London" in text
            assert "Setting up the table." in text
            assert "Standings" in text
        client.source.decide(1, 0, (1, 2))
        client.change("event")
        assert "1 – 0" in shown(app)
        client.change("away", away_since=app.now() - 7)
        assert "referee offline 7 s" in shown(app)

    tournament_flow(test)


def test_who_sits_at_no_table_is_told_why() -> None:
    source = PretendSource.open(names=("ana", "ben", "carla"), format="knockout", rounds=0)
    clients = {name: PretendClient(source, name) for name in ("ana", "ben", "carla")}

    def said(name: str) -> str:
        return without_table(source.tournament, clients[name].identity)

    names = {one.identity: name for name, one in clients.items()}
    paired = source.pair()
    assert said(names[paired.byes[0]]) == "You have a bye this round: it counts as a win."
    source.decide(1, 0, (2, 1))
    source.pair()
    assert said(names[paired.tables[0][0]]) == "You are out of the knockout. The others play on."
    late, swiss = bytes([9]) * 32, PretendSource.open(names=("ana", "ben"))
    swiss.pair()
    swiss.add(events.PlayerEnrolled(LATER, late, "dan"))
    assert without_table(swiss.tournament, late) == "You start in the next round."


def test_one_waits_before_the_referee_has_said_who_is_in() -> None:
    async def test(app: App, client: PretendClient) -> None:
        client.source.tournament = Tournament(client.source.settings)
        text = shown(app)
        assert "Waiting for the first round." in text
        assert "0 players" in text
        assert app.settings.name in text

    tournament_flow(test)


def test_many_players_fit_and_scroll() -> None:
    async def test(app: App, client: PretendClient) -> None:
        client.source.pair()
        client.change("event")
        assert "more" in shown(app)
        press(app, "end")
        assert "60" in shown(app).split("Standings")[1]
        press(app, "home")
        assert " 1  " in shown(app).split("Standings")[1]

    tournament_flow(test, ("ana", *(f"p{number}" for number in range(2, 61))))


def test_teams_stand_above_the_players() -> None:
    async def test(app: App, client: PretendClient) -> None:
        client.source.pair()
        client.source.decide(1, 0, (1, 2))
        client.source.decide(1, 1, (1, 1))
        client.change("event")
        for size in SIZES:
            text = shown(app, *size)
            teams, players = text.split("Teams")[1].split("Standings")
            assert "Team 1" in teams
            assert "1½" in teams
            assert "dmitri" in players

    tournament_flow(test, NAMES[:4], boards=2)


def test_in_an_arena_the_latest_tables_and_the_time_of_its_end_are_shown() -> None:
    async def test(app: App, client: PretendClient) -> None:
        client.source.pair()
        client.source.decide(1, 0, (1, 2))
        client.source.decide(1, 1, (1, 2))
        opened = client.source.tournament.proceed(LATER + 5)
        assert opened is not None
        client.source.add(opened)
        client.change("event")
        assert "Arena until" in shown(app)
        assert shown(app).count("waiting to start") == 2
        assert "1 – 0" not in shown(app)
        assert "ARENA  You are paired once someone else is free." in shown(app)
        assert "2 of 2 tables playing" in shown(app)

    tournament_flow(test, NAMES[:4], format="arena", rounds=0, minutes=30)


def test_the_referee_leads_to_the_table_and_back() -> None:
    async def test(app: App, client: PretendClient) -> None:
        client.source.pair()
        table = PretendTable(phase="open", names=("ana",))
        client.change("table", phase="seated", table=table)
        assert isinstance(top(app), TournamentScreen)
        assert app.table_flow is not None
        table.change(phase="words", names=("ana", "ben"), agreed=(False, False))
        assert "Compare the four words" in shown(app)
        table.change(phase="failed", problem="ben did not come (round 1).")
        assert "ben did not come (round 1)." in shown(app)
        assert "the tournament" in shown(app)
        press(app, "enter")
        assert isinstance(top(app), TournamentScreen)
        assert app.table_flow is None
        second = PretendTable(phase="words", names=("ana", "carla"))
        client.change("table", table=second)
        assert "carla" in shown(app)
        client.change("away", away_since=app.now())
        assert "The referee is offline. Play on" in shown(app)
        client.change("away", away_since=None)
        assert "The referee is back." in shown(app)
        client.change("table", table=None)
        assert isinstance(top(app), TournamentScreen)
        assert ("leave",) not in table.done + second.done
        assert ("close",) not in table.done + second.done

    tournament_flow(test)


def test_who_leaves_a_game_is_told_what_that_means_and_stays_in_the_tournament() -> None:
    async def test(app: App, client: PretendClient) -> None:
        table = PretendTable(phase="words", names=("ana", "ben"))
        client.change("table", phase="seated", table=table)
        leave_table(app, table)
        assert "the referee will count it as a loss" in asked(app)
        press(app, "x")
        assert isinstance(top(app), TournamentScreen)
        assert table.done == [("leave",)]
        assert "You left your table" in shown(app)
        client.change("phase")
        assert isinstance(top(app), TournamentScreen)

    tournament_flow(test)


def test_the_lobby_of_a_tournament_does_not_speak_of_the_title_screen() -> None:
    async def test(app: App, client: PretendClient) -> None:
        table = PretendTable(phase="words", names=("ana", "ben"), agreed=(False, False))
        client.change("table", phase="seated", table=table)
        press(app, "esc")
        assert "This game counts for the tournament" in asked(app)
        press(app, "n", "n")
        assert "The referee will set it up again" in asked(app)

    tournament_flow(test)


def test_a_game_of_a_tournament_is_not_played_again() -> None:
    async def test(app: App, client: PretendClient) -> None:
        table = PretendTable(phase="words", names=("ana", "ben"))
        client.change("table", phase="seated", table=table)
        table.change(phase="done")
        await until(lambda: isinstance(top(app), DossierScreen))
        assert "Rematch" not in shown(app)
        press(app, "p", "tab", "enter")
        assert ("again", True) not in table.done
        assert "This game counts for the tournament" in shown(app)
        touch(app, "Tournament")
        assert isinstance(top(app), TournamentScreen)

    tournament_flow(test)


def test_the_last_dossier_says_who_has_won_the_tournament() -> None:
    async def test(app: App, client: PretendClient) -> None:
        client.source.pair()
        client.source.decide(1, 0, (1, 2))
        table = PretendTable(phase="words", names=("ana", "ben"))
        client.change("table", phase="seated", table=table)
        table.change(phase="done")
        await until(lambda: isinstance(top(app), DossierScreen))
        client.source.add(TournamentEnded(LATER))
        winner = client.source.tournament.name(client.source.tournament.standings()[0].player.identity)
        client.change("event")
        assert f"The tournament is over. {winner} won." in shown(app)
        assert "This game counts" not in shown(app)

    tournament_flow(test, ("ana", "ben"))


def test_a_ruling_is_told_with_its_reason() -> None:
    async def test(app: App, client: PretendClient) -> None:
        client.source.pair()
        ruling = client.source.decide(1, 0, (0, 1), TIME, "ana has used up the time (step 9: move).")
        told = "You lost this table because you ran out of time."
        client.change("event", ruling=ruling)
        assert shown(app).count(told) == 2
        # The referee's own sentence follows, where there is more than one row.
        assert "9: move)." in shown(app)
        app.toast("")
        client.change("event")
        assert shown(app).count(told) == 1

    tournament_flow(test)


@pytest.mark.parametrize(
    ("seats", "agreed", "said"),
    [
        ((0,), (False, True), "You have 1:40 to confirm, or you lose this table."),
        ((0, 1), (False, False), "You and ben have 1:40 to confirm, or lose this table."),
        ((1,), (True, False), "ben has 1:40 to confirm, or loses this table."),
        ((1, 2), (True, False, False), "ben and cleo have 1:40 to confirm, or lose this table."),
        # The referee does not know yet what this program knows.
        ((0, 1), (False, True), "You have 1:40 to confirm, or you lose this table."),
        ((0, 1), (True, True), None),
        ((7,), (False, False), None),
        ((), (False, False), None),
    ],
)
def test_who_has_to_confirm_the_words_reads_how_long(
    seats: tuple[int, ...], agreed: tuple[bool, ...], said: str | None
) -> None:
    table = PretendTable(agreed=agreed, nicknames=("ana", "ben", "cleo")[: len(agreed)])
    keeper = Keeper(())
    clocks.set_clock_keeper(table, keeper)
    assert clocks.words_countdown(table, 5.0) is None
    keeper.wait = WaitReading(seats, 105.0)
    assert clocks.words_countdown(table, 5.0) == said
    keeper.paused = True
    assert clocks.words_countdown(table, 5.0) is None
    keeper.paused, table.phase = False, "playing"
    assert clocks.words_countdown(table, 5.0) is None


def test_a_table_that_closed_by_a_ruling_against_the_player_says_so() -> None:
    async def test(app: App, client: PretendClient) -> None:
        client.source.pair()
        table = PretendTable(phase="words")
        client.change("table", table=table, phase="seated")
        own = client.source.tournament.rounds[0].tables[0].seats.index(client.identity)
        places = (0, 1) if own == 0 else (1, 0)
        client.change("event", ruling=client.source.decide(1, 0, places, TIME, "ana did not confirm."))
        table.change(phase="failed", problem="ana did not confirm.")
        assert "You lost this table because you ran out of time. ana" in " ".join(shown(app).split())

    tournament_flow(test)


def test_the_countdown_of_the_words_moves_on_the_screen() -> None:
    async def test(app: App, client: PretendClient) -> None:
        client.source.pair()
        table = PretendTable(agreed=(False, True))
        client.change("table", table=table, phase="seated")
        assert "1:40" not in shown(app)
        now = asyncio.get_running_loop().time()
        client.change("wait", wait=WaitReading((0,), now + 100))
        assert "You have 1:40 to confirm" in " ".join(shown(app).split())
        screen = top(app)
        assert isinstance(screen, LobbyScreen)
        following = screen.next_frame(now)
        assert following is not None
        assert now < following <= now + 1
        table.agreed = (True, True)
        assert screen.next_frame(now) is None

    tournament_flow(test)


@pytest.mark.parametrize(
    ("how", "because"),
    [
        (ABSENT, "because you did not arrive in time."),
        (UNREADY, "because you were not ready in time."),
        (TIME, "because you ran out of time."),
        (SILENCE, "because your program sent nothing for too long."),
        (AWAY, "because you were away for too long."),
        (REFUSED, "because your program did not finish the fairness check."),
        (CHEATING, "because your program broke the rules."),
        (WITHDREW, "because you left the game."),
        (ORGANIZER, "because the organizer decided so."),
    ],
)
def test_who_has_lost_by_a_ruling_is_told_so_in_the_second_person(how: str, because: str) -> None:
    source = PretendSource.open()
    source.pair()
    lost, won = source.tournament.rounds[0].tables[0].seats
    ruling = TableDecided(LATER, 1, 0, (0, 1), how, "A reason.", None, None, b"")
    assert describe_ruling_to(source.tournament, lost, ruling) == f"You lost this table {because} A reason."
    assert describe_ruling_to(source.tournament, won, ruling) == "A reason."
    both = TableDecided(LATER, 1, 0, (0, 0), how, "A reason.", None, None, b"")
    for one in (lost, won):
        alone = how in (ABSENT, UNREADY, WITHDREW, ORGANIZER)
        assert describe_ruling_to(source.tournament, one, both) == (
            f"You lost this table {because} A reason." if alone else "You lost this table. A reason."
        )


def test_withdrawing_asks_back_and_the_end_names_the_winner() -> None:
    async def test(app: App, client: PretendClient) -> None:
        press(app, "esc")
        assert isinstance(top(app), Confirm)
        press(app, "n")
        assert client.done == []
        touch(app, "Withdraw Esc")
        press(app, "x")
        assert isinstance(top(app), TitleScreen)
        await until(lambda: client.done == ["withdraw", "close"])
        assert app.tournament_flow is None

    tournament_flow(test)

    async def ended(app: App, client: PretendClient) -> None:
        client.source.pair()
        client.source.decide(1, 0, (1, 2))
        client.source.add(TournamentEnded(LATER))
        winner = client.source.tournament.name(client.source.tournament.standings()[0].player.identity)
        client.change("phase", phase="over")
        assert f"The tournament is over. {winner} won." in shown(app)
        press(app, "esc")
        assert isinstance(top(app), TitleScreen)
        await until(lambda: client.done == ["close"])

    tournament_flow(ended, ("ana", "ben"))


def test_ending_the_program_keeps_the_place() -> None:
    async def test(app: App, client: PretendClient) -> None:
        press(app, "c-c")
        assert "Your place and game are kept" in asked(app)
        assert app.tournament_flow is not None
        await app.tournament_flow.close()
        assert client.done == ["close"]

    tournament_flow(test)


def test_a_tournament_stands_in_the_list_of_tables() -> None:
    async def main() -> None:
        tournament = TournamentCard("Friday Cup", "swiss", 6, 2, 5, False)
        unusual = (("Time to adjust", "60 s for everyone"),)
        services = PretendServices(
            tables=(listed("Friday Cup", tournament=tournament, taken=0, total=0, options=unusual), listed("ben"))
        )
        app = pretend_app(services)
        app.push(TitleScreen(app))
        await until(lambda: "1 table, a tournament here" in shown(app))
        touch(app, "a tournament here")
        await until(lambda: "6 players" in shown(app))
        assert shown(app).count("Tournament: Diamond Trust") == 1
        assert "a tournament, Swiss system" in shown(app), "it was clicked"
        press(app, "esc")
        touch(app, "1 table")
        await until(lambda: "ben’s table" in shown(app))
        press(app, "down")
        assert "Diamond Trust of London   a tournament, Swiss system, time to adjust 60 s" in shown(app)
        assert "Players 6, round 2 of 5" in shown(app)
        press(app, "w")
        assert "To watch a tournament, open the web page of its referee, if it has one." in shown(app)
        press(app, "enter")
        await until(lambda: ("join", "Friday Cup") in services.asked)
        for task in asyncio.all_tasks() - {asyncio.current_task()}:
            task.cancel()

    asyncio.run(main())


@pytest.mark.parametrize(
    ("faces", "room", "text", "colour"),
    [
        ((ClockFace(0, 887.2, True), ClockFace(1, 1200.0, False)), 40, "you ▸14:48  ben 20:00", "money"),
        ((ClockFace(0, 887.2, False), ClockFace(1, 59.0, True)), 40, "you 14:48  ben ▸0:59", "soft"),
        ((ClockFace(0, 59.0, True), ClockFace(1, 3723.0, True)), 40, "you ▸0:59  ben ▸1:02:03", "warning"),
        ((ClockFace(0, 887.2, True), ClockFace(1, 1200.0, False)), 15, "▸14:48  20:00", "money"),
        (
            (ClockFace(0, 10.0, False), ClockFace(1, 30.0, False), ClockFace(2, 600.0, True)),
            40,
            "you 0:10  ben 0:30  carla ▸10:00",
            "soft",
        ),
        (
            (ClockFace(0, 10.0, False), ClockFace(1, 30.0, False), ClockFace(2, 600.0, True)),
            31,
            "you 0:10  ben 0:30  car… ▸10:00",
            "soft",
        ),
        (
            (ClockFace(0, 10.0, False), ClockFace(1, 30.0, False), ClockFace(2, 600.0, True)),
            20,
            "0:10  0:30  ▸10:00",
            "soft",
        ),
        (
            (ClockFace(0, 10.0, False), ClockFace(1, 30.0, False), ClockFace(2, 600.0, True)),
            14,
            "0:10  ▸10:00",
            "soft",
        ),
        (
            (ClockFace(0, 887.2, False), ClockFace(1, 720.0, False, away=True)),
            28,
            "you 14:48  ben 12:00 away",
            "warning",
        ),
        (
            (ClockFace(0, 887.2, True), ClockFace(1, 720.0, False, away=True)),
            24,
            "▸14:48  12:00 away",
            "money",
        ),
        ((ClockFace(0, 0.0, True), ClockFace(1, 5.0, False)), 40, "you ▸0:00  ben 0:05", "warning"),
    ],
)
def test_the_strip_shows_all_clocks_and_who_is_away(
    faces: tuple[ClockFace, ...], room: int, text: str, colour: str
) -> None:
    assert clocks.strip_text(faces, 0, NAMES, room) == (text, colour)


def test_a_board_shows_the_clocks_where_it_says_who_is_waited_for() -> None:
    table = PretendTable(phase="playing")
    now = 100.0
    waits = WaitTracker(table, lambda: now)
    keeper = Keeper((running(600.5, at=40.0), standing(500.0)))
    clocks.set_clock_keeper(table, keeper)
    assert waits.strip_text(now, 40) == ("you ▸9:01  ben 8:20", "money")
    assert waits.next_frame(now) == pytest.approx(100.5)
    assert waits.sentences(now)[:2] == ["You have 9:01 left, and the clock is running.", "ben has 8:20 left."]
    table.change(away={1: 90.0})
    assert waits.strip_text(now, 40) == ("you ▸9:01  ben 8:20 away", "money")
    assert "ben has 8:20 left and is away." in waits.sentences(now)
    keeper.away_since = 95.0
    assert waits.strip_text(now, 40) == ("ben is away 10 s", "warning")
    table.change(away={})
    assert waits.strip_text(now, 40) == ("referee offline", "warning")
    keeper.away_since, keeper.paused = None, True
    assert waits.strip_text(now, 40) == ("paused  you ▸9:01  ben 8:20", "warning")
    assert "The organizer has paused this table." in waits.sentences(now)
    keeper.paused = False
    keeper.clocks = (standing(541.0), standing(500.0, away=True))
    assert waits.strip_text(now, 40) == ("you 9:01  ben 8:20 away", "warning")
    keeper.away_since = 95.0
    assert "the clocks are unknown" in waits.sentences(now)[0]


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
