"""F1: what to do now and the rules of the game, from every screen, by keys alone and by clicks alone."""

from __future__ import annotations

import ast
import asyncio
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from kimberley.client import boards
from kimberley.client.boards.game_board import GameBoard
from kimberley.client.boards.registry import find_board
from kimberley.client.boards.rules_page import rules_lines, rules_of
from kimberley.client.boards.stepping import ReplayScreen
from kimberley.client.screens.app import App
from kimberley.client.screens.connecting import FailedScreen
from kimberley.client.screens.dossier import DossierScreen
from kimberley.client.screens.help_pager import WIDEST, HelpPager
from kimberley.client.screens.join import JoinScreen
from kimberley.client.screens.lobby import LobbyScreen
from kimberley.client.screens.resume import ResumeScreen
from kimberley.client.screens.settings import SettingsScreen
from kimberley.client.screens.table_flow import TableFlow
from kimberley.client.screens.title import TitleScreen
from kimberley.client.screens.waiting import WaitingScreen
from kimberley.client.screens.watch import WatchScreen
from kimberley.client.session.services import UnfinishedGame
from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.glyphs import cell_width
from kimberley.client.ui.palette import Depth, Palette
from kimberley.client.ui.screen import Help, Screen
from kimberley.games import lookup
from tests.support.asyncs import run
from tests.support.cards_board import CardsUI
from tests.support.effort import each_once, first_is_quick, one_is_quick
from tests.support.pretend import (
    PretendPeer,
    PretendServices,
    PretendTable,
    listed,
    press,
    pretend_app,
    set_up,
    shown,
    touch,
)
from tests.support.watching import WireWatch, bots_at

GAMES = ("diamond-trust", "diamond", "land", "mine", "piecepack")
SIZES = ((80, 24), (100, 34), (120, 28), (120, 40), (200, 60))
DEPTHS = (Depth.TRUE, Depth.INDEXED, Depth.BASIC, Depth.NONE)
NOW, RULES = "Now", "Rules of the game"
MANY = 200
"""More lines than any page has."""


def table_of(game: str, phase: str) -> PretendTable:
    rules = lookup.find(game)
    seats = rules.seats[0]
    names = tuple(f"player{seat + 1}" for seat in range(seats))
    known = ("you", *("new",) * (seats - 1))
    no = (False,) * seats
    peer = PretendPeer(0, rules.start(seats, {}, 0)) if phase == "playing" else None
    return PretendTable(
        game=rules, seats=seats, names=names, phase=phase, acquaintance=known, agreed=no, readiness=no, peer=peer
    )


def title(app: App, game: str) -> TitleScreen:
    screen = TitleScreen(app)
    screen.scroll.focus = [each.id for each in screen.games].index(game)
    return screen


def joining(app: App, game: str) -> JoinScreen:
    services = app.services
    assert isinstance(services, PretendServices)
    services.tables = (listed("ben", game=game, title=lookup.find(game).title),)
    screen = JoinScreen(app)
    screen.on_tables_changed()
    return screen


def resuming(app: App, game: str) -> ResumeScreen:
    return ResumeScreen(app, (UnfinishedGame("one", lookup.find(game).title, ("ben",), 7, 1.7e9, game=game),))


def at_table(kind: Callable[..., Screen], phase: str, *more: object) -> Callable[[App, str], Screen]:
    def screen(app: App, game: str) -> Screen:
        table = table_of(game, phase)
        return kind(app, table, TableFlow(app, table), *more)

    return screen


def playing(app: App, game: str) -> Screen:
    return find_board(game).view(table_of(game, "playing"), app)


def watching(app: App, game: str) -> WatchScreen:
    return WatchScreen(app, WireWatch(bots_at(game)))


def replay_of(app: App, game: str) -> ReplayScreen:
    board, rules = find_board(game), lookup.find(game)
    names = [f"player{seat + 1}" for seat in range(rules.seats[0])]
    return ReplayScreen(board.timeline(rules.start(len(names), {}, 0), names), (), None, app)


def replay_in_a_dossier(app: App, game: str) -> ReplayScreen:
    app.push(at_table(DossierScreen, "done", None)(app, game))
    return replay_of(app, game)


def replay_alone(app: App, game: str) -> ReplayScreen:
    app.home()
    app.pop()
    app.game = game
    return replay_of(app, game)


SCREENS: dict[str, Callable[[App, str], Screen]] = {
    "title": title,
    "alone": lambda app, game: set_up(app, lookup.find(game), "alone"),
    "host": lambda app, game: set_up(app, lookup.find(game), "host"),
    "join": joining,
    "resume": resuming,
    "waiting": at_table(WaitingScreen, "open"),
    "words": at_table(LobbyScreen, "words"),
    "game": playing,
    "dossier": at_table(DossierScreen, "done", None),
    "watching": watching,
    "replay in a dossier": replay_in_a_dossier,
    "replay from the command line": replay_alone,
}


@pytest.mark.parametrize(("game", "hides"), [("diamond", False), ("mine", True)])
def test_a_spectators_help_speaks_of_secrets_only_where_there_are_some(game: str, hides: bool) -> None:
    async def main() -> None:
        app = pretend_app()
        screen = watching(app, game)
        app.push(screen)
        assert "watching" in shown(app)
        told = " ".join(section.text for section in screen.help().sections)
        assert ("Secrets stay hidden" in told) is hides

    run(main())


def on(game: str, screen: str, test: Callable[[App], None]) -> None:
    """Runs a test with a screen of a game on top of a title screen that has the focus on another game."""

    async def main() -> None:
        app = pretend_app()
        other = next(each for each in GAMES if each != game)
        app.push(title(app, other))
        app.push(SCREENS[screen](app, game))
        test(app)
        for task in asyncio.all_tasks() - {asyncio.current_task()}:
            task.cancel()

    run(main())


def pager(app: App) -> HelpPager:
    screen = app.stack[-1]
    assert isinstance(screen, HelpPager)
    return screen


def page(game: str) -> Help:
    found = rules_of(game)
    assert found is not None
    return found


def visible(text: str, app: App) -> bool:
    """Returns whether a text is in the dialog, however it is wrapped."""
    return text in " ".join(" ".join(line[2:78] for line in shown(app).splitlines()).split())


@pytest.mark.parametrize(("screen", "game"), each_once(SCREENS, GAMES))
def test_the_rules_are_reached_by_keys_alone_and_by_clicks_alone(game: str, screen: str) -> None:
    first = page(game).sections[0]

    def test(app: App) -> None:
        press(app, "f1")
        assert f"▸ {NOW}" in shown(app)
        assert not visible(first.text, app)
        named = page(game).title in shown(app).splitlines()[1]
        rules = RULES if named else f"Rules of {page(game).title}"
        press(app, "tab")
        assert f"▸ {rules}" in shown(app)
        assert page(game).title in shown(app).splitlines()[1]
        assert visible(first.text, app)
        press(app, "left")
        assert f"▸ {NOW}" in shown(app)
        press(app, "f1")
        assert not isinstance(app.stack[-1], HelpPager)

        touch(app, "F1 help" if screen == "title" else "F1 Help")
        touch(app, rules)
        assert visible(first.text, app)
        touch(app, NOW)
        assert f"▸ {NOW}" in shown(app)
        touch(app, "Back Esc")
        assert not isinstance(app.stack[-1], HelpPager)

    on(game, screen, test)


def test_while_the_dice_of_ones_own_turn_are_rolled_help_is_about_that_turn() -> None:
    def test(app: App) -> None:
        assert "Your turn: rolling the dice." in shown(app)
        press(app, "f1")
        assert pager(app).pages[0].sections[0].heading == "Your turn"

    on("land", "game", test)


def test_a_screen_over_another_is_about_the_same_game() -> None:
    def test(app: App) -> None:
        app.push(SettingsScreen(app))
        press(app, "f1", "tab")
        assert visible(page("mine").sections[0].text, app)

    on("mine", "host", test)


def test_at_a_closed_table_the_rules_are_those_of_its_game() -> None:
    async def main() -> None:
        table = PretendTable(game=lookup.find("diamond"), phase="failed")
        app = pretend_app(PretendServices(table))
        app.push(TitleScreen(app))
        app.table_flow = TableFlow(app, table)
        app.push(FailedScreen(app, "Diamond", "ben left the table.", None, app.home))
        press(app, "f1", "tab")
        assert visible(page("diamond").sections[0].text, app)

    run(main())


def test_without_a_game_there_is_one_page() -> None:
    async def main() -> None:
        app = pretend_app()
        app.push(SettingsScreen(app))
        press(app, "f1")
        assert "Back Esc" in shown(app)
        assert NOW not in shown(app)
        press(app, "tab", "right")
        assert len(pager(app).pages) == 1
        press(app, "esc")
        assert app.stack[-1].__class__ is SettingsScreen

    run(main())


@pytest.mark.slow
@pytest.mark.parametrize("game", one_is_quick("land", GAMES))
@pytest.mark.parametrize("size", first_is_quick((80, 24), (120, 40)))
def test_the_last_line_is_reached_by_keys_by_clicks_and_by_the_wheel(game: str, size: tuple[int, int]) -> None:
    last = page(game).sections[-1]
    end = (last.points[-1] if last.points else last.text).split()[-1]

    def steps(app: App) -> dict[str, Callable[[], None]]:
        return {
            "line by line": lambda: press(app, *["down"] * lines(app)),
            "page by page": lambda: press(app, *["pagedown"] * lines(app)),
            "space": lambda: press(app, *[" "] * lines(app)),
            "end": lambda: press(app, "end"),
            "click": lambda: touch(app, "▾ PgDn", *size),
            "click on the key": lambda: touch(app, "PgDn page down", *size),
            "wheel": lambda: app.wheel(size[0] // 2, size[1] // 2, MANY),
        }

    def lines(app: App) -> int:
        found = re.search(r"lines \d+–\d+ of (\d+)", shown(app, *size))
        assert found is not None
        return int(found[1])

    def at_end(app: App) -> bool:
        return bool(re.search(r"lines \d+–(\d+) of \1\b", shown(app, *size)))

    def test(app: App) -> None:
        press(app, "f1", "tab")
        if "lines" not in shown(app, *size):
            assert end in shown(app, *size)
            return
        for way, go in steps(app).items():
            press(app, "home")
            assert page(game).sections[0].heading in shown(app, *size)
            frames = 0
            while not at_end(app):
                go()
                frames += 1
                assert frames < MANY, way
            assert frames == 1 or "click" in way
            assert end in shown(app, *size), way
            go()
            assert at_end(app), way
        press(app, "pageup", "up", "tab", "tab")
        assert not at_end(app), "each page keeps its place"

    on(game, "title", test)


@pytest.mark.slow
@pytest.mark.parametrize("game", one_is_quick("piecepack", GAMES))
def test_every_page_on_every_terminal(game: str) -> None:
    def test(app: App) -> None:
        press(app, "f1")
        for ascii_only in (False, True):
            for depth in DEPTHS:
                app.palette, app.ascii_only = Palette(depth), ascii_only
                for size in SIZES if depth is Depth.NONE else SIZES[:1]:
                    for name in (NOW, RULES):
                        painted = shown(app, *size)
                        assert f"{'>' if ascii_only else '▸'} {name}" in painted
                        assert "Back Esc" in painted
                        assert painted.isascii() or not ascii_only
                        press(app, "tab")

    on(game, "game", test)


@pytest.mark.parametrize(("screen", "game"), each_once(SCREENS, GAMES))
def test_no_line_is_long_or_cut(game: str, screen: str) -> None:
    def test(app: App) -> None:
        press(app, "f1")
        found = pager(app)
        for number, help_ in enumerate(found.pages):
            assert found.page == number
            words = " ".join(" ".join((s.heading, s.text, *s.points)) for s in help_.sections).split()
            for columns in (80, 200):
                canvas = Canvas(columns, MANY)
                found.draw(canvas, 0.0)
                framed = [line.strip() for line in canvas.lines() if line.strip().startswith("│")]
                texts = [line.strip("│").strip() for line in framed]
                assert all(cell_width(text) <= WIDEST for text in texts)
                written = " ".join(texts).replace("• ", "").split()
                assert not [word for word in words if word not in written]
            press(app, "tab")

    on(game, screen, test)


def typed_numbers(text: str) -> list[str]:
    return re.findall(r"\d+", text)


@pytest.mark.parametrize("game", GAMES)
def test_numbers_in_the_rules_come_from_the_code(game: str) -> None:
    """Only headings and what is calculated may have digits: a number that is typed would be wrong one day."""
    path = Path(boards.__path__[0]) / game.replace("-", "_") / "help_text.py"
    (rules,) = (
        node.value
        for node in ast.parse(path.read_text("utf-8")).body
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.target.id == "RULES"
    )
    assert rules is not None
    sections = [
        node
        for node in ast.walk(rules)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Section"
    ]
    assert len(sections) == len(page(game).sections)
    for section in sections:
        for argument in section.args[1:]:
            for node in ast.walk(argument):
                if isinstance(node, ast.Constant) and isinstance(node.value, str):
                    assert not typed_numbers(node.value), node.value


@pytest.mark.parametrize("game", GAMES)
def test_the_rules_name_what_a_game_cannot_do_without(game: str) -> None:
    found = page(game)
    assert found.title
    headings = [section.heading for section in found.sections]
    assert headings[0] in {"Goal", "The goal", "Your goal"}
    assert len(set(headings)) == len(headings)
    text = " ".join(rules_lines(game))
    for word in ("win", "begins" if game != "diamond-trust" else "Start", "resign"):
        assert word in text
    assert not re.search(r"\s{2}|\n", text)


def test_a_board_without_rules_shows_its_game_in_short(monkeypatch: pytest.MonkeyPatch) -> None:
    board = GameBoard(CardsUI)
    monkeypatch.setattr("kimberley.client.boards.rules_page.board_of", lambda _: board)
    assert rules_of("cards") == board.game.about
    monkeypatch.setattr("kimberley.client.boards.rules_page.board_of", lambda _: None)
    assert rules_of("diamond") is None
    assert rules_lines("diamond") == ["No rules are available for this game."]
