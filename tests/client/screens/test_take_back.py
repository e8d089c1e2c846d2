"""Taking a choice back in a game alone: which choice that is, the key, the typed words, and what is said at the end."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

import pytest

from kimberley.client.boards import take_back
from kimberley.client.boards.registry import find_board
from kimberley.client.boards.take_back import choices_to_keep
from kimberley.client.plain.table_commands import LEAVING_ALONE
from kimberley.client.plain.table_news import SAVED
from kimberley.client.screens.app import App
from kimberley.client.screens.dialogs import resign
from kimberley.client.screens.dossier import DossierScreen
from kimberley.client.screens.title import TitleScreen
from kimberley.client.session.bots import is_practice, play_alone
from kimberley.client.session.kept_games import list_kept
from kimberley.client.session.network import Network
from kimberley.client.session.participants import others_play_on
from kimberley.client.session.seat_session import Solo, session_of
from kimberley.client.session.settings import Settings
from kimberley.client.session.start_requests import PlayAlone
from kimberley.games.diamond_trust.position import RoundStep
from kimberley.p2p.sentences.notices import CHECKING
from kimberley.p2p.storage.archive import list_records
from kimberley.p2p.table.table import Table
from tests.support.asyncs import run, until
from tests.support.board_snapshots import Clock, Scenario
from tests.support.pretend import PretendServices, press, pretend_app, shown, touch
from tests.support.typed import Typed, line_mode
from tests.support.whole_game_table import WholeGameTable

BOTS: Final = ("you", "bot")


def table_of(game: str, *, alone: bool = True, choices: int = 1) -> WholeGameTable:
    """Returns a table at which the player has made so many choices, and is asked again."""
    table = Scenario(game, 2, 1, {}).table(Clock())
    table.put(acquaintance=BOTS)
    if alone:
        play_alone(table, 1)
    made = 0
    while True:
        table.offer()
        if table.arena_peer.asked is not None:
            if made == choices:
                return table
            made += 1
        table.answer()


def seated(table: WholeGameTable) -> tuple[App, PretendServices]:
    services = PretendServices(table)
    app = pretend_app(services)
    app.push(TitleScreen(app))
    app.take_seat(table)
    return app, services


def keeps(table: WholeGameTable) -> int | None:
    return choices_to_keep(find_board(table.game.id).game, table)


@pytest.mark.parametrize("choices", [0, 1, 3])
def test_the_last_choice_is_the_one_taken_back(choices: int) -> None:
    assert keeps(table_of("diamond", choices=choices)) == (choices - 1 if choices else None)


def test_a_choice_that_waits_for_the_others_is_the_last_one() -> None:
    table = table_of("mine", choices=2)
    table.commit()
    assert table.arena_peer.asked is None
    assert keeps(table) == 2


def test_what_the_program_chose_is_passed_over() -> None:
    """In a last look without a right to change anything, and without a clock, the program leaves the plan as it is."""
    table = table_of("diamond-trust", choices=2)
    table.put(options={**table.occupants.options, "last_look": 0})
    while table.all_seats.views[0].step is not RoundStep.SALE_PLAN:  # type: ignore[attr-defined]
        table.answer()
        table.offer()
    own = [ask for ask, _ in table.arena_peer.story if ask.space_for(0) is not None]
    assert own[-1].subject == "move"
    kept = keeps(table)
    assert kept is not None
    assert own[kept].subject == "plan"


def test_with_people_and_after_the_end_nothing_is_taken_back() -> None:
    table = table_of("diamond", alone=False)
    assert keeps(table) is None
    play_alone(table, 1)
    table.put(phase="done")
    assert keeps(table) is None


@pytest.mark.parametrize(
    ("game", "said"),
    [
        ("diamond", "Your opponent then chooses again."),
        ("diamond-trust", "What your opponent chose at the same time stays; after that, they choose again."),
        ("land", "The dice fall as before, but bots choose again."),
    ],
)
def test_what_stays_is_said_as_it_is_in_the_game(game: str, said: str) -> None:
    ui = find_board(game).game
    for text in (take_back.warning(ui), take_back.help_section(ui).text):
        assert said in text
        assert "luck" not in text


def test_the_key_asks_once_and_then_the_game_is_played_again() -> None:
    async def main() -> None:
        table = table_of("diamond")
        app, services = seated(table)
        press(app, "<")
        assert "practice game" in " ".join(shown(app).replace("│", " ").split())
        press(app, "enter")
        assert services.asked == [], "Enter keeps the game"
        press(app, "<", "x")
        await until(lambda: ("take back", 0) in services.asked)
        again = table_of("diamond")
        play_alone(again, 1, practice=True)
        app, services = seated(again)
        press(app, "<")
        await until(lambda: ("take back", 0) in services.asked)

    run(main())


@pytest.mark.parametrize("stops", [False, True])
def test_the_guide_goes_on_where_it_was_unless_the_player_has_stopped_it(stops: bool) -> None:
    async def main() -> None:
        table = table_of("diamond", choices=1)
        services = PretendServices(table)
        app = pretend_app(services)
        app.push(TitleScreen(app))
        app.take_seat(table, guide_from=0)
        assert "Placing pieces" in shown(app)
        if stops:
            press(app, "f4")
        before = app.table_flow
        press(app, "<", "x")
        await until(lambda: app.table_flow not in (None, before))
        assert "The swap" not in shown(app)
        assert ("Placing pieces" in shown(app)) != stops

    run(main())


def test_it_can_be_touched() -> None:
    async def main() -> None:
        app, services = seated(table_of("diamond"))
        touch(app, "Menu", 40, 40)
        touch(app, "Take back", 40, 40)
        assert "Keep playing" in shown(app, 40, 40)
        press(app, "x")
        await until(lambda: ("take back", 0) in services.asked)

    run(main())


def test_with_people_the_key_means_nothing() -> None:
    async def main() -> None:
        app, _ = seated(table_of("diamond", alone=False))
        app.toast("")
        press(app, "right", "left")
        before = shown(app)
        press(app, "<")
        assert shown(app) == before
        press(app, "f10")
        assert "Take back" not in shown(app)

    run(main())


@pytest.mark.parametrize("practice", [False, True])
def test_of_practice_it_is_not_said_that_it_can_be_proven(practice: bool) -> None:
    async def main() -> None:
        table: Any = table_of("diamond")
        table.put(phase="playing")
        play_alone(table, 1, practice=practice)
        app = pretend_app()
        resign(app, table)
        assert "wins at once." in shown(app)
        assert ("proven fair" in " ".join(shown(app).split())) is not practice
        assert ("proven fair" in others_play_on(table)) is not practice

    run(main())


def test_after_practice_there_is_no_verdict() -> None:
    async def main() -> None:
        table: Any = table_of("diamond")
        table.put(verdict=SimpleNamespace(code="fair", seats=(), reason="", envelopes=87))
        table.put(phase="done")
        play_alone(table, 1, practice=True)
        app = pretend_app()
        app.push(DossierScreen(app, table, SimpleNamespace(counts=False, leave=lambda: None), None))
        assert take_back.VERDICT in shown(app)
        assert "FAIR" not in shown(app)
        assert "Signed" not in shown(app)

    run(main())


async def take_back_a_piece(lines: Typed) -> None:
    """Places a piece and takes it back, which makes the game a practice game."""
    lines.type("a1")
    await until(lambda: lines.has("You place a piece on a1"))
    lines.said.clear()
    lines.type("take back")
    lines.type("take back")
    await until(lambda: (lines.has("The game begins") or lines.has("You are back")) and lines.has("place a piece"))


def test_a_choice_is_taken_back_by_typing_and_the_bots_go_on(tmp_path: Path) -> None:
    """The whole way, with the real network, in the line mode."""

    async def main() -> None:
        settings = Settings(nickname="ana", path=tmp_path / "settings.json", level=1, guided=["diamond"])
        async with line_mode(settings, PlayAlone("diamond")) as lines:
            await until(lambda: lines.has("place a piece"))
            lines.type("take back")
            await until(lambda: lines.has(take_back.NOTHING))
            await take_back_a_piece(lines)
            assert lines.has(take_back.warning(find_board("diamond").game))
            assert not lines.has("not come yet"), "the bots of this program are there"
            lines.said.clear()
            lines.type("h8")
            await until(lambda: lines.has("You place a piece on h8"))
            lines.type("resign")
            lines.type("resign")
            await until(lambda: lines.has(take_back.VERDICT))
            assert not lines.has("Fair: ")
            assert not lines.has(CHECKING)

    run(main())


def test_a_practice_game_can_be_saved_and_is_practice_when_it_is_resumed(tmp_path: Path) -> None:
    async def main() -> None:
        settings = Settings(nickname="ana", path=tmp_path / "settings.json", level=1, guided=["diamond"])
        async with line_mode(settings, PlayAlone("diamond")) as lines:
            await until(lambda: lines.has("place a piece"))
            await take_back_a_piece(lines)
            lines.said.clear()
            lines.type("leave")
            await until(lambda: lines.said == [LEAVING_ALONE])
            lines.type("save")
            await until(lambda: lines.has(SAVED))
        network = Network(settings)
        try:
            again = await network.resume(None)
            assert is_practice(again)
            await until(lambda: again.peer is not None and again.peer.asked is not None)
            more = await network.take_back(again, 0)
            await until(lambda: more.peer is not None and more.peer.asked is not None)
            await more.suspend()
        finally:
            await network.close()
        network = Network(settings)
        try:
            again = await network.resume(None)
            assert is_practice(again)
            assert session_of(again).solo is not None
            again.departures.leave()
            await again.close()
        finally:
            await network.close()
        (record,) = list_records(tmp_path)
        assert record.path.name.startswith("practice-")
        (kept,) = list_kept(tmp_path, b"")
        assert kept.title == "Diamond (practice)"

    run(main())


def test_who_leaves_a_game_alone_is_asked_to_save_it_first() -> None:
    async def main() -> None:
        table = table_of("diamond")
        app, _ = seated(table)
        press(app, "f10", "q")
        assert "If you save the game, you can resume it" in shown(app)
        press(app, "esc", "f10", "q", "y")
        assert table.done == [("aside", True)]
        people = table_of("diamond", alone=False)
        people.put(acquaintance=("you", "new"))
        app, _ = seated(people)
        press(app, "f10", "q")
        assert "If you save the game" not in shown(app)

    run(main())


def test_a_game_alone_that_is_resumed_is_alone_again(tmp_path: Path) -> None:
    async def main() -> None:
        network = Network(Settings(nickname="ana", path=tmp_path / "settings.json"))
        try:
            table = await network.alone("diamond", {}, 2, 99)
            assert session_of(table).solo == Solo(20, aided=True), "the highest level that the game has"
            await until(lambda: table.phase == "playing" and table.peer is not None)
            await table.suspend()
        finally:
            await network.close()
        network = Network(Settings(nickname="ana", path=tmp_path / "settings.json"))
        try:
            again = await network.resume(None)
            assert isinstance(again, Table)
            assert (session_of(again).solo, again.port) == (Solo(20, aided=True), 0)
            await again.close()
        finally:
            await network.close()

    run(main())
