"""What the screens and the line mode say of games that wait, of putting one aside, and of no longer waiting for a
player.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from io import StringIO
from types import SimpleNamespace
from typing import Any, cast

import pytest

from kimberley.client.plain.console import Console
from kimberley.client.plain.main import run
from kimberley.client.plain.table import PlainTable
from kimberley.client.screens import title
from kimberley.client.screens.app import App
from kimberley.client.screens.dialogs import leave_table
from kimberley.client.screens.resume import ResumeScreen
from kimberley.client.screens.title import TitleScreen
from kimberley.client.session.game_lists import written_when
from kimberley.client.session.participants import WaitTracker
from kimberley.client.session.services import UnfinishedGame
from kimberley.client.session.settings import Settings
from kimberley.client.session.start_requests import ResumeGame
from kimberley.client.session.unfinished_games import bot_settings, describe_game
from kimberley.games.table import Leave
from kimberley.p2p.table.resume import IN_A_TOURNAMENT
from tests.support.asyncs import settled
from tests.support.cards import CARDS
from tests.support.pretend import PretendServices, PretendTable, press, pretend_app, shown, touch

SIZES = ((80, 24), (100, 34), (200, 60))
TRUST = UnfinishedGame("one", "Diamond Trust of London", ("ben",), 7, 1_700_000_000.0)
LAND = UnfinishedGame("two", "Blood Diamonds: Land", ("ben", "cleo", "dan"), 1, 1_600_000_000.0)
TORN = UnfinishedGame("three", "A game", (), 0, 0.0, "three.journal is damaged at byte 20. Put back a copy.")
OPEN = "It is open in another program."
BUSY = UnfinishedGame("four", "Diamond", ("eve",), 0, 1_700_000_000.0, OPEN)


@pytest.fixture(autouse=True)
def the_title_settles_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(title, "SETTLE_SECONDS", 0)


def at_title(waiting: tuple[UnfinishedGame, ...], test: Callable[[App, PretendServices], Awaitable[None]]) -> None:
    """Runs a test on the title screen, with these games waiting."""

    async def main() -> None:
        services = PretendServices()
        services.waiting = waiting
        app = pretend_app(services)
        screen = TitleScreen(app)
        app.push(screen)
        await screen.load()
        await test(app, services)
        for task in asyncio.all_tasks() - {asyncio.current_task()}:
            task.cancel()

    asyncio.run(main())


def test_the_title_offers_what_waits_and_nothing_where_nothing_does() -> None:
    async def one(app: App, services: PretendServices) -> None:
        for size in SIZES:
            text = shown(app, *size)
            assert "Resume with ben g  you made 7 moves" in text
            assert f"Diamond Trust of London, {written_when(TRUST.written)}" in text
            assert "You are" in text
        assert "q quit" in shown(app).splitlines()[-1]
        touch(app, "you made 7 moves")
        await settled()
        assert services.asked == [("resume", "one")]

    async def several(app: App, services: PretendServices) -> None:
        assert "Resume one of 2 games" in shown(app)
        assert f"Diamond Trust of London, {written_when(TRUST.written)}" in shown(app)
        press(app, "g", "down", "enter")
        await settled()
        assert services.asked == [("resume", "two")]

    async def nothing(app: App, services: PretendServices) -> None:
        before = shown(app)
        assert "o on" not in before
        press(app, "g")
        assert shown(app) == before
        assert services.asked == []

    at_title((TRUST,), one)
    at_title((TRUST, LAND), several)
    at_title((), nothing)


def test_the_title_says_in_a_whole_sentence_why_a_game_cannot_be_resumed() -> None:
    async def stuck(app: App, services: PretendServices) -> None:
        assert "This game belongs to a tournament." in shown(app)
        assert "…" not in shown(app)
        assert services.asked == []

    at_title((replace(BUSY, problem=IN_A_TOURNAMENT),), stuck)


def test_g_before_the_games_are_known_goes_on_once_they_are() -> None:
    async def pressed(waiting: tuple[UnfinishedGame, ...]) -> tuple[PretendServices, str]:
        services = PretendServices()
        services.waiting = waiting
        app = pretend_app(services)
        screen = TitleScreen(app)
        app.push(screen)
        press(app, "g")
        assert "Looking for games to resume." in shown(app)
        await screen.load()
        await settled()
        text = shown(app)
        assert "Looking for games to resume." not in text
        for task in asyncio.all_tasks() - {asyncio.current_task()}:
            task.cancel()
        return services, text

    assert asyncio.run(pressed((TRUST,)))[0].asked == [("resume", "one")]
    assert "Interrupted games" in asyncio.run(pressed((TRUST, LAND)))[1]
    assert "No game to resume." in asyncio.run(pressed(()))[1]


def test_the_list_says_its_order_and_help_says_which_games_are_over() -> None:
    async def test(app: App, services: PretendServices) -> None:
        press(app, "g")
        for size in SIZES:
            text = shown(app, *size)
            assert "Interrupted games, most recent first. Pick one." in text
            assert text.index("Diamond Trust of London") < text.index("Blood Diamonds")
        press(app, "f1")
        assert "A game you left or resigned cannot be resumed" in shown(app)

    at_title((TRUST, LAND), test)


def test_a_game_against_bots_alone_has_nobody_to_look_for() -> None:
    async def test(app: App, services: PretendServices) -> None:
        press(app, "g")
        assert "Kimberley looks for the others" in shown(app)
        press(app, "down")
        assert "You return to your seat exactly as you left it." in shown(app)
        assert "Kimberley looks for the others" not in shown(app)
        found = app.stack[-1].help()
        assert found is not None
        assert "Meeting again" not in [section.heading for section in found.sections]

    at_title((TRUST, replace(LAND, alone=True)), test)


def resumed_in_lines(waiting: tuple[UnfinishedGame, ...]) -> tuple[str, list[tuple[Any, ...]]]:
    """Returns what `kimberley resume --plain` says, and what it asks for, where these games wait."""
    out = StringIO()
    services = PretendServices(trouble="Nobody is there.")
    services.waiting = waiting

    async def main() -> None:
        await run(Settings(nickname="ana"), services, ResumeGame(None), Console(StringIO("resume 2\nquit\n"), out))

    asyncio.run(main())
    return out.getvalue(), services.asked


@pytest.mark.parametrize("columns", [80, 91, 120])
def test_the_game_in_focus_can_be_read_from_end_to_end(columns: int) -> None:
    app = pretend_app(PretendServices())
    app.push(ResumeScreen(app, (TRUST, LAND)))
    canvas = app.draw(columns, 24)
    y = next(y for y, line in enumerate(canvas.lines()) if "▸ " in line)
    written = [canvas.cell(x, y) for x in range(columns) if canvas.cell(x, y).char != " "]
    assert {(cell.style.fg, cell.style.bg) for cell in written} == {("ink", "paper")}


def test_resume_in_lines_names_the_games_and_says_what_to_type() -> None:
    said, asked = resumed_in_lines((TRUST, LAND, TORN))
    assert f"1: {describe_game(TRUST)}" in said
    assert f"2: {describe_game(LAND)}" in said
    assert "Type resume and a number." in said
    assert asked == [("resume", "two")]


def test_resume_in_lines_takes_the_only_game_that_can_be_resumed() -> None:
    assert resumed_in_lines((TRUST, BUSY))[1][0] == ("resume", None)


def test_what_cannot_be_resumed_is_listed_and_says_why() -> None:
    async def test(app: App, services: PretendServices) -> None:
        assert "Resume with ben" in shown(app)
        press(app, "g", "down")
        for size in SIZES:
            text = shown(app, *size)
            assert "is damaged at byte 20. Put back a copy." in text
            assert "you made no moves" in text
            assert "Cannot resume now" in text
            assert "Enter resume" not in text
        press(app, "up")
        assert "Resume Enter" in shown(app)
        press(app, "down")
        press(app, "enter")
        assert services.asked == []
        press(app, "esc")
        assert "Resume with ben" in shown(app)

    at_title((TRUST, TORN, BUSY), test)


def test_the_title_says_of_a_game_that_is_open_elsewhere_why_it_cannot_be_gone_on_with() -> None:
    async def test(app: App, services: PretendServices) -> None:
        for size in SIZES:
            text = shown(app, *size)
            assert "Diamond with eve g" in text
            assert OPEN in text
            assert "g resume" not in text
            assert "q quit" in text
        touch(app, "Diamond with eve")
        assert "Cannot resume now" in shown(app)

    at_title((BUSY,), test)


@pytest.mark.parametrize("unfinished", [(), (TRUST,)])
def test_every_key_of_the_title_is_in_its_key_row_or_on_a_button(unfinished: tuple[UnfinishedGame, ...]) -> None:
    async def test(app: App, services: PretendServices) -> None:
        text = shown(app)
        row = text.splitlines()[-1]
        assert ("Resume with ben g" in text) is bool(unfinished)
        for hint in ("Enter play", "↑ ↓ game", "s settings", "r finished", "F1 help", "q quit"):
            assert hint in row
        for button in ("Play alone a", "Host h", "Join j"):
            assert button in text

    at_title(unfinished, test)


def test_no_title_of_a_game_is_cut_in_the_list() -> None:
    async def test(app: App, services: PretendServices) -> None:
        press(app, "g")
        assert "Blood Diamonds: Land " in shown(app)

    at_title((LAND, TRUST), test)


def test_a_game_is_told_in_a_sentence() -> None:
    assert describe_game(TRUST).startswith("Diamond Trust of London against ben. You made 7 moves. Last played: ")
    far = replace(TRUST, period="month 4 of 9")
    assert describe_game(far).startswith("Diamond Trust of London against ben. Month 4 of 9. Last played: ")
    assert describe_game(LAND).startswith(
        "Blood Diamonds: Land against ben, cleo and dan. You made 1 move. Last played: "
    )
    assert describe_game(BUSY).endswith(f". {OPEN}")
    assert describe_game(TORN) == TORN.problem


def test_bots_come_back_with_their_level_or_a_usual_one() -> None:
    assert bot_settings((17, 5)) == (17, 5)
    assert bot_settings(None) == bot_settings((17,)) == bot_settings((21, "x")) == (5, 0)


def playing(**values: Any) -> PretendTable:
    given: dict[str, Any] = {
        "game": CARDS, "phase": "playing", "seats": 3, "names": ("ana", "ben", "cleo"), "can_adjourn": True,
        "acquaintance": ("you", "met", "met"), "agreed": (True,) * 3,
    }  # fmt: skip
    return PretendTable(**(given | values))


def menu_of(table: PretendTable, *keys: str) -> str:
    """Returns what the menu at a table shows, after these keys in it."""
    found: list[str] = []

    async def main() -> None:
        from kimberley.client.screens.dialogs import ending_items
        from kimberley.client.screens.people import PeopleDialog

        app = pretend_app(PretendServices(table))
        app.push(PeopleDialog(app, table, WaitTracker(table, app.now)))
        for item in ending_items(app, table):
            if item.key in keys:
                item.run()
                found.append(shown(app))
                press(app, "y" if item.key == "p" else "x")
            found.append(item.label)

    asyncio.run(main())
    return "\n".join(found)


def test_the_menu_puts_aside_and_gives_up_only_where_that_can_be() -> None:
    assert menu_of(playing()) == "Save for later"
    assert menu_of(playing(can_adjourn=False)) == ""
    assert menu_of(playing(adjourn_from=frozenset({0}))) == ""
    assert menu_of(playing(can_adjourn=False, absent=(2,))) == "Stop waiting"
    assert menu_of(playing(can_adjourn=False, absent=(2,), abandon_from=frozenset({0}))) == ""


def test_only_people_have_asked_to_save_and_only_who_has_not_answered_has_to_agree() -> None:
    two = {"names": ("ana", "ben", "Dora"), "acquaintance": ("you", "met", "bot"), "adjourn_from": frozenset({1, 2})}
    text = menu_of(playing(**two), "p")
    assert "ben asked to save the game. The table" in text
    assert "Dora" not in text
    assert "If everyone" in menu_of(
        playing(**two | {"acquaintance": ("you", "met", "met"), "adjourn_from": frozenset({1})}), "p"
    )


def test_nobody_waits_for_the_consent_of_a_player_who_is_away() -> None:
    text = menu_of(playing(absent=(2,), away={1: 0.0, 2: 0.0}, can_adjourn=False), "g")
    assert "cleo did not come back." in text
    assert "once everyone" not in text


def test_both_ask_back_and_do_it() -> None:
    table = playing(adjourn_from=frozenset({1}), absent=(2,))
    text = menu_of(table, "p", "g")
    assert "ben asked to save the game." in text
    assert "cleo did not come back." in text
    assert "once everyone" in text, "ben still plays"
    assert table.done == [("aside", True), ("abandon",)]


def said_in_lines(table: PretendTable, *, typed: tuple[str, ...] = (), counts: bool = False) -> str:
    """Returns what the line mode says at a table, also after these lines were typed."""
    out = StringIO()

    async def main() -> None:
        plain = PlainTable(table, PretendServices(table), Console(StringIO(), out), Settings(), counts=counts)
        for _ in range(2):
            plain.news.say_banners()
        for line in typed:
            plain.commands.obey(line)

    asyncio.run(main())
    return out.getvalue()


def test_lines_of_a_tournament_ask_before_a_game_is_lost_and_keep_the_place_of_who_quits() -> None:
    table = playing()
    said = said_in_lines(table, typed=("help", "leave", "wait"), counts=True)
    assert "This game counts for the tournament: if you leave, the referee will count it as a loss." in said
    assert "join the tournament again" in said
    assert "aside" not in said
    with pytest.raises(EOFError):
        said_in_lines(table, typed=("leave", "quit"), counts=True)
    table.change(phase="done")
    assert "The referee decides who plays next." in said_in_lines(table, typed=("rematch",), counts=True)
    assert table.done == []


@pytest.mark.parametrize("resigned", [False, True])
def test_who_has_resigned_a_game_of_a_tournament_leaves_it_unasked(resigned: bool) -> None:
    story = ((Leave(0), None),) if resigned else ()
    table = playing(peer=SimpleNamespace(state=CARDS.start(3, {}), story=story, waiting=(1,), asked=None, result=None))
    asked: list[str] = []
    flow = SimpleNamespace(counts=True, leave=lambda: asked.append("left"))
    shell = SimpleNamespace(
        table_flow=flow, tournament_flow=None, confirm=lambda _, text, *__, **___: asked.append(text)
    )
    leave_table(cast("Any", shell), cast("Any", table))
    assert (asked == ["left"]) == resigned
    said = said_in_lines(table, typed=("leave",), counts=True)
    assert ("This game counts for the tournament" in said) == (not resigned)


@pytest.mark.parametrize("counts", [False, True])
@pytest.mark.parametrize("phase", ["open", "words", "playing", "closing", "done"])
def test_lines_offer_what_belongs_to_a_game_only_while_it_runs(phase: str, counts: bool) -> None:
    said = said_in_lines(playing(phase=phase, phrase=("a", "b", "c", "d")), typed=("help",), counts=counts)
    runs = phase in ("playing", "closing")
    for of_a_game in ("state: ", "repeat: "):
        assert (of_a_game in said) is runs
    assert ("resign: " in said) is (phase == "playing")
    assert ("save: " in said) is (phase == "playing" and not counts)
    for of_a_saved_game in ("stop waiting: ", "you can resume it"):
        assert (of_a_saved_game in said) is (runs and not counts)
    assert ("leave: return to the main menu" in said) is (phase in ("open", "words") and not counts)
    assert ("Type rematch to play again" in said) is (phase == "done" and not counts)
    assert ("Type leave to return to the tournament" in said) is (phase == "done" and counts)
    assert ("leave the table and lose the game" in said) is (phase != "done" and counts)
    assert ("same: say that the four words match" in said) is (phase == "words")
    assert "say TEXT: " in said
    assert "help: hear this" in said


@pytest.mark.parametrize(
    "typed",
    [
        ("save", "keep playing", "keep waiting", "stop waiting"),
        ("aside", "play on", "wait on", "give up"),
    ],
    ids=["as told", "as before"],
)
def test_lines_tell_what_the_others_would_like_and_take_the_answer(typed: tuple[str, ...]) -> None:
    table = playing(adjourn_from=frozenset({1}), abandon_from=frozenset({1}), absent=(2,), away={2: 0.0})
    said = said_in_lines(table, typed=typed)
    assert said.count("ben wants to save the game for later.") == 1
    assert "To agree, type save. To refuse, type keep playing." in said
    assert "ben would like to stop waiting for cleo." in said
    assert "To agree, type stop waiting. To refuse, type keep waiting." in said
    assert "Still waiting. Nobody is told." in said
    assert table.done == [("aside", True), ("aside", False), ("abandon",)]
