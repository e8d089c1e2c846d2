"""What a player of a tournament sees and hears: its screen, the way to each table and back, and the clocks."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import pytest

from kimberley.client.screens import tournament as tournament_screen
from kimberley.client.screens.app import App
from kimberley.client.screens.dialogs import Confirm, leave_table
from kimberley.client.screens.dossier import DossierScreen
from kimberley.client.screens.lobby import LobbyScreen
from kimberley.client.screens.title import TitleScreen
from kimberley.client.screens.tournament import TournamentScreen
from kimberley.client.screens.tournament_flow import TournamentFlow
from kimberley.client.session.services import JoinedTournament
from kimberley.p2p.sentences import tournaments
from kimberley.p2p.sentences.tournaments import describe_ruling_to, has_lost_by, is_out_of_knockout, without_table
from kimberley.p2p.table.ending import LEFT
from kimberley.p2p.tournament import events
from kimberley.p2p.tournament.events import (
    ABSENT,
    AWAY,
    CHEATING,
    ORGANIZER,
    PLAYED,
    REFUSED,
    SILENCE,
    TIME,
    UNREADY,
    WITHDREW,
    ByeGranted,
    GameSeated,
    PlayerBanned,
    PlayerWithdrew,
    RoundScheduled,
    TableDecided,
    TournamentEnded,
)
from kimberley.p2p.tournament.messages import WaitReading
from kimberley.p2p.tournament.players import KEPT_OUT
from kimberley.p2p.tournament.settings import TimeControl
from kimberley.p2p.tournament.tournament import Tournament
from kimberley.p2p.transport.table_card import TournamentCard
from tests.support.asyncs import until
from tests.support.pretend import PretendServices, PretendTable, listed, press, pretend_app, shown, touch
from tests.support.pretend_source import LATER, PretendSource
from tests.support.pretend_tournament import PretendClient

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
    """Returns the question that asks for confirmation."""
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


def test_a_phone_held_upright_shows_round_standings_and_result() -> None:
    async def test(app: App, client: PretendClient) -> None:
        assert "5 players" in shown(app, 40, 40)
        client.source.pair()
        client.change("phase", phase="seated")
        text = shown(app, 40, 40)
        assert all(said in text for said in ("ROUND 1", "Setting up the table.", "Round 1 of", "Standings", "Menu"))
        assert all(name in text for name in NAMES)
        # Only the menu withdraws.
        assert "Withdraw" not in text
        client.source.decide(1, 0, (1, 2))
        client.change("event")
        assert "1 – 0" in shown(app, 40, 40)
        client.change("phase", phase="over")
        assert "Title" in "".join(shown(app, 40, 40).splitlines()[-4:])

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
    loser = paired.tables[0][0]
    assert said(names[loser]) == "You are out of the knockout. The others play on."
    assert [one for one in names if is_out_of_knockout(source.tournament, one)] == [loser]
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
        assert " 1  " not in shown(app).split("Standings")[1], "nobody has a result yet"
        client.source.decide(1, 0, (1, 2))
        client.change("event")
        assert " 1  " in shown(app).split("Standings")[1]

    tournament_flow(test, ("ana", *(f"p{number}" for number in range(2, 61))))


def test_the_state_of_a_table_leaves_room_for_both_names() -> None:
    async def test(app: App, client: PretendClient) -> None:
        client.source.pair()
        client.source.decide(1, 0, (1, 2))
        client.source.decide(1, 1, (1, 2))
        opened = client.source.tournament.proceed(LATER + 5)
        assert opened is not None
        client.source.add(opened)
        client.change("event")
        text, tournament = shown(app, 80, 24), client.source.tournament
        for table in tournaments.current_tables(tournament):
            names = " – ".join(map(tournament.label, table.seats))
            state = "waiting" if "bot" in names else "waiting to start"
            assert re.search(rf"{re.escape(names)} +{state} │", text), names

    tournament_flow(test, ("ana", "farida (bot)", "ben", "ewa"), format="arena", rounds=0, minutes=30)


def test_the_names_and_those_that_are_not_shown_add_up() -> None:
    names = ("ana", *(f"player{number}" for number in range(2, 61)))

    async def test(app: App, client: PretendClient) -> None:
        for size in (*SIZES, (40, 40)):
            lines = [line[: size[0] // 2] for line in shown(app, *size).splitlines()]
            first = next(row for row, line in enumerate(lines) if "Players" in line)
            last, left = next(
                (row, int(found[1])) for row, line in enumerate(lines) if (found := re.search(r"and (\d+) more", line))
            )
            people = [line for line in lines[first + 1 : last + 1] if re.search(r"ana|player\d", line)]
            assert len(people) + left == len(names), size

    tournament_flow(test, names)


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


def test_in_an_arena_the_latest_tables_and_the_time_of_its_end_are_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [LATER + 5]
    monkeypatch.setattr(tournaments, "wall_time", lambda: now[0])
    monkeypatch.setattr(tournament_screen, "wall_time", lambda: now[0])

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
        assert "ARENA  You will be paired when someone else is free." in shown(app)
        assert "0 of 2 tables playing" in shown(app)
        screen = top(app)
        assert isinstance(screen, TournamentScreen)
        assert screen.next_frame(100.0) == 100.0 + 30 * 60 - 5, "what is said changes when the time is up"
        now[0] += 30 * 60
        assert "ARENA  The tournament ends after the games in progress." in shown(app)

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
        assert "Enter back to the tournament" in shown(app)
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


@pytest.mark.parametrize("form", ["swiss", "knockout"])
def test_who_leaves_a_game_is_told_what_that_means_and_stays_in_the_tournament(form: str) -> None:
    async def test(app: App, client: PretendClient) -> None:
        table = PretendTable(phase="words", names=("ana", "ben"))
        client.change("table", phase="seated", table=table)
        leave_table(app, table)
        assert "the referee will count it as a loss" in asked(app)
        assert ("You stay in the tournament." in asked(app)) == (form == "swiss")
        press(app, "x")
        assert isinstance(top(app), TournamentScreen)
        assert table.done == [("leave",)]
        assert "You left your table" in shown(app)
        client.change("phase")
        assert isinstance(top(app), TournamentScreen)

    tournament_flow(test, format=form, rounds=3 if form == "swiss" else 0)


def test_the_lobby_of_a_tournament_does_not_speak_of_the_title_screen() -> None:
    async def test(app: App, client: PretendClient) -> None:
        table = PretendTable(phase="words", names=("ana", "ben"), agreed=(False, False))
        client.change("table", phase="seated", table=table)
        press(app, "esc")
        assert "This game counts for the tournament" in asked(app)
        press(app, "n", "n")
        assert "The referee will set up a new one." in asked(app)

    tournament_flow(test)


def test_a_game_of_a_tournament_is_not_played_again() -> None:
    async def test(app: App, client: PretendClient) -> None:
        client.source.pair()
        table = PretendTable(phase="words", names=("ana", "ben"))
        client.change("table", phase="seated", table=table)
        table.change(phase="done")
        await until(lambda: isinstance(top(app), DossierScreen))
        assert "Rematch" not in shown(app)
        press(app, "p", "tab", "enter")
        assert ("again",) not in table.done
        assert "Waiting for the other games to end." in shown(app)
        for number in (0, 1):
            client.source.decide(1, number, (1, 2))
        client.source.add(RoundScheduled(LATER + 3, None))
        client.change("event")
        assert "The next round begins when the organizer says so." in shown(app, 120, 40)
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
        assert "Your game is over." not in shown(app)

    tournament_flow(test, ("ana", "ben"))


def test_a_ruling_is_told_with_its_reason() -> None:
    async def test(app: App, client: PretendClient) -> None:
        client.source.pair()
        ruling = client.source.decide(1, 0, (0, 1), AWAY, "ana lost after being away (step 9: move).")
        told = "You lost this game because you were away for too long."
        client.change("event", ruling=ruling)
        assert shown(app).count(told) == 2
        # The referee's own sentence follows, where there is more than one row.
        assert "9: move)." in shown(app)
        app.toast("")
        client.change("event")
        assert shown(app).count(told) == 1

    tournament_flow(test)


def test_a_table_that_closed_by_a_ruling_against_the_player_says_so() -> None:
    async def test(app: App, client: PretendClient) -> None:
        client.source.pair()
        table = PretendTable(phase="words")
        client.change("table", table=table, phase="seated")
        own = client.source.tournament.rounds[0].tables[0].seats.index(client.identity)
        places = (0, 1) if own == 0 else (1, 0)
        client.change("event", ruling=client.source.decide(1, 0, places, AWAY, "ana did not confirm."))
        table.change(phase="failed", problem="ana did not confirm.")
        assert "You lost this game because you were away for too long. ana" in " ".join(shown(app).split())

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
        table.put(agreed=(True, True))
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
        (WITHDREW, "because you were no longer in it."),
    ],
)
def test_who_has_lost_by_a_ruling_is_told_so_in_the_second_person(how: str, because: str) -> None:
    source = PretendSource.open()
    source.pair()
    lost, won = source.tournament.rounds[0].tables[0].seats
    ruling = TableDecided(LATER, 1, 0, (0, 1), how, "A reason.", None, None, b"")
    # That somebody ran out of time, or left, need not be said twice.
    more = "" if how in (TIME, WITHDREW) else " A reason."
    assert describe_ruling_to(source.tournament, lost, ruling) == f"You lost this game {because}{more}"
    assert describe_ruling_to(source.tournament, won, ruling) == "You won this game. A reason."
    name = source.tournament.name(won)
    decided = replace(ruling, how=ORGANIZER, sentence=f"{name} won, by decision of the organizer: late.")
    assert describe_ruling_to(source.tournament, won, decided) == "You won, by decision of the organizer: late."
    assert describe_ruling_to(source.tournament, lost, decided) == (
        "You lost this game, by decision of the organizer: late."
    )
    nobody = replace(decided, places=(0, 0), sentence="Nobody won, by decision of the organizer: late.")
    for one in (lost, won):
        assert describe_ruling_to(source.tournament, one, nobody) == f"You lost this game. {nobody.sentence}"
    played = replace(ruling, how=PLAYED, places=(2, 1))
    for one in (lost, won):
        assert describe_ruling_to(source.tournament, one, played) == "A reason."
    both = TableDecided(LATER, 1, 0, (0, 0), how, "A reason.", None, None, b"")
    for one in (lost, won):
        alone = how in (ABSENT, UNREADY, WITHDREW)
        assert describe_ruling_to(source.tournament, one, both) == (
            f"You lost this game {because} A reason." if alone else "You lost this game. A reason."
        )


def test_of_three_players_those_who_lost_by_decision_of_the_organizer_are_told_who_won() -> None:
    source = PretendSource.open("piecepack", seats=3, names=("ana", "ben", "cleo"))
    source.pair()
    won, *others = source.tournament.rounds[0].tables[0].seats
    sentence = f"{source.tournament.name(won)} won, by decision of the organizer: late."
    ruling = TableDecided(LATER, 1, 0, (1, 0, 0), ORGANIZER, sentence, None, None, b"")
    for lost in others:
        assert describe_ruling_to(source.tournament, lost, ruling) == f"You lost this game. {sentence}"


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
        found = app.stack[-1].help()
        assert found is not None
        assert [section.heading for section in found.sections] == ["Whom you trust"]
        press(app, "esc")
        assert isinstance(top(app), TitleScreen)
        await until(lambda: client.done == ["close"])

    tournament_flow(ended, ("ana", "ben"))


@pytest.mark.parametrize(("clock", "told"), [(TimeControl(1200, 10), True), (None, False)], ids=["clocks", "none"])
def test_the_help_tells_of_clocks_where_there_are_any(clock: TimeControl | None, told: bool) -> None:
    async def test(app: App, client: PretendClient) -> None:
        screen = top(app)
        assert isinstance(screen, TournamentScreen)
        said = " ".join(f"{one.heading} {one.text}" for one in screen.help().sections)
        assert ("clocks are" in said, "your clock keeps running" in said) == (told, told)

    tournament_flow(test, clock=clock)


def test_who_is_withdrawn_by_the_organizer_has_not_left_the_table() -> None:
    async def test(app: App, client: PretendClient) -> None:
        flow = app.tournament_flow
        assert isinstance(flow, TournamentFlow)
        assert flow.to_player(LEFT) == LEFT
        client.source.add(PlayerWithdrew(LATER, client.identity))
        client.change("phase", phase="withdrawn")
        assert flow.to_player(LEFT) == "You are out of the tournament unless you join again."
        client.source.add(PlayerBanned(LATER, client.identity, "late."))
        assert flow.to_player(LEFT) == KEPT_OUT

    tournament_flow(test)


def held_with_too_few(source: PretendSource, own: bytes) -> None:
    source.pair()
    for table in range(len(source.tournament.rounds[0].tables)):
        source.decide(1, table, (1, 2))
    for player in source.tournament.players:
        if player.identity != own:
            source.add(PlayerWithdrew(LATER, player.identity))
    source.add(RoundScheduled(LATER, None))


def named_with_too_few(source: PretendSource, own: bytes) -> None:
    for player in source.tournament.players:
        if player.identity != own:
            source.add(PlayerWithdrew(LATER, player.identity))
    source.add(RoundScheduled(LATER, int(time.time()) + 3600))


def resting_while_away(source: PretendSource, own: bytes) -> None:
    source.add(ByeGranted(LATER, own, 1, True))
    source.pair()


@pytest.mark.parametrize("state", [held_with_too_few, named_with_too_few, resting_while_away])
def test_what_the_player_waits_for_is_not_cut_off(state: Callable[[PretendSource, bytes], None]) -> None:
    async def test(app: App, client: PretendClient) -> None:
        state(client.source, client.identity)
        client.change("away", away_since=app.now() - 80 if state is resting_while_away else None)
        strip = shown(app).splitlines()[1]
        assert "…" not in strip
        assert "." in strip

    tournament_flow(test)


def test_withdrawing_says_what_becomes_of_it() -> None:
    async def test(app: App, client: PretendClient) -> None:
        press(app, "esc")
        assert "points" not in asked(app), "there are none before the first round"
        press(app, "n")
        client.source.pair()
        press(app, "esc")
        assert asked(app).startswith("You will not be paired unless you join again. You keep your points.")
        press(app, "n")
        client.change("away", away_since=app.now())
        press(app, "esc")
        assert asked(app).startswith("The referee is offline and may still pair you.")

    tournament_flow(test)


def test_who_has_won_by_a_ruling_reads_it_in_the_color_of_text() -> None:
    source = PretendSource.open()
    source.pair()
    lost, won = source.tournament.rounds[0].tables[0].seats
    ruling = TableDecided(LATER, 1, 0, (0, 1), TIME, "A reason.", None, None, b"")
    assert has_lost_by(source.tournament, lost, ruling)
    assert not has_lost_by(source.tournament, won, ruling)


def test_ending_the_program_keeps_the_place() -> None:
    async def test(app: App, client: PretendClient) -> None:
        press(app, "c-c")
        assert asked(app) == "Your place in the tournament is kept. Join again to come back."
        press(app, "n")
        client.source.pair(begun=0)
        press(app, "c-c")
        assert "if you stay away, you lose this game" in asked(app), "nobody has a running clock before the game"
        press(app, "n")
        client.source.add(GameSeated(LATER, 1, 0, bytes(32), (bytes(64),) * 2))
        press(app, "c-c")
        assert "but your clock keeps running" in asked(app)
        press(app, "n")
        client.change("table", table=PretendTable(phase="failed", problem=LEFT))
        press(app, "c-c")
        assert asked(app) == "Your place in the tournament is kept. Join again to come back.", "the game is lost"
        assert app.tournament_flow is not None
        await app.tournament_flow.close()
        assert client.done == ["close"]

    tournament_flow(test)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("card", "kind", "progress"),
    [
        (TournamentCard("Friday Cup", "swiss", 6, 2, 5, False), "Swiss-system tournament", "6, round 2 of 5"),
        (TournamentCard("Friday Cup", "arena", 6, 1, 1, False), "arena tournament", "6, in progress"),
        (TournamentCard("Friday Cup", "arena", 6, 0, 0, False), "arena tournament", "6, not started"),
    ],
)
def test_a_tournament_stands_in_the_list_of_tables(card: TournamentCard, kind: str, progress: str) -> None:
    async def main() -> None:
        unusual = (("Adjust time", "60 s for both, once plans are made"),)
        services = PretendServices(
            tables=(listed("Friday Cup", tournament=card, taken=0, total=0, options=unusual), listed("ben"))
        )
        app = pretend_app(services)
        app.push(TitleScreen(app))
        await until(lambda: "1 table and a tournament nearby" in shown(app))
        touch(app, "a tournament nearby")
        await until(lambda: "6 players" in shown(app))
        assert shown(app).count("Tournament: Diamond Trust") == 1
        assert kind in shown(app), "it was clicked"
        press(app, "esc")
        touch(app, "1 table")
        await until(lambda: "ben’s table" in shown(app))
        press(app, "down")
        assert f"Diamond Trust of London   {kind}, adjust time 60 s" in shown(app)
        assert f"Players {progress}" in shown(app)
        press(app, "w")
        assert "To watch a tournament, open the web page of its referee, if it has one." in shown(app)
        press(app, "enter")
        await until(lambda: ("join", "Friday Cup") in services.asked)
        for task in asyncio.all_tasks() - {asyncio.current_task()}:
            task.cancel()

    asyncio.run(main())
