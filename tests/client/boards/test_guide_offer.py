"""To whom the guide is offered, and when."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from kimberley.client.cli.play import open_above
from kimberley.client.screens.app import App
from kimberley.client.screens.setup import SetupScreen
from kimberley.client.screens.table_flow import TableFlow
from kimberley.client.screens.title import TitleScreen
from kimberley.client.session import settings as saved
from kimberley.client.session.start_requests import PlayAlone
from kimberley.games import lookup
from kimberley.p2p.table.common_options import FINAL_ADJUSTMENT
from tests.support.asyncs import run, until
from tests.support.pretend import PretendServices, open_table, press, pretend_app, shown, touch
from tests.support.pupil import GAMES
from tests.support.whole_game_table import WholeGameTable, at_random


def newcomer(folder: Path, services: PretendServices) -> App:
    """Returns the title screen as somebody who has never played sees it."""
    app = pretend_app(services, guided=[], path=folder / saved.FILE)
    app.push(TitleScreen(app))
    return app


def test_a_guided_game_is_offered_once_and_played_against_the_easiest_bot(tmp_path: Path) -> None:
    async def main() -> None:
        services = PretendServices()
        app = newcomer(tmp_path, services)
        press(app, "a")
        assert "Your first game?" in shown(app)
        press(app, "enter")
        await until(lambda: bool(services.asked))
        (asked,) = services.asked
        assert (asked[0], asked[1], asked[3], asked[4]) == ("alone", "diamond-trust", 2, 1)
        assert asked[2][FINAL_ADJUSTMENT] == 0, "a bot needs no last look"
        again = pretend_app(services, guided=saved.load(tmp_path).guided)
        again.push(TitleScreen(again))
        press(again, "a")
        assert isinstance(again.stack[-1], SetupScreen)

    run(main())


def test_an_offer_that_is_declined_is_not_made_again_but_the_menu_has_it(tmp_path: Path) -> None:
    async def main() -> None:
        services = PretendServices()
        app = newcomer(tmp_path, services)
        press(app, "a")
        touch(app, "Just play")
        assert isinstance(app.stack[-1], SetupScreen)
        press(app, "esc", "a")
        assert isinstance(app.stack[-1], SetupScreen)
        assert saved.load(tmp_path).guided == ["diamond-trust"]
        press(app, "esc", "down", "a")
        assert "Your first game?" in shown(app)
        press(app, "esc")
        assert "Your first game?" not in shown(app)
        press(app, "a")
        assert "Your first game?" in shown(app), "Esc goes back, and chooses nothing"
        press(app, "n", "f10", "g")
        await until(lambda: bool(services.asked))
        assert services.asked[0][-1] == 1

    run(main())


def test_the_guide_plays_at_the_table_that_the_command_asked_for(tmp_path: Path) -> None:
    async def asked(start: PlayAlone, *said: str) -> Any:
        services = PretendServices()
        app = newcomer(tmp_path / start.game, services)
        open_above(app, start)
        text = " ".join(shown(app).replace("│", " ").split())
        assert all(each in text for each in said), text
        press(app, "f1")
        assert f"Rules of {lookup.find(start.game).title}" in shown(app)
        press(app, "esc", "enter")
        await until(lambda: bool(services.asked))
        return services.asked[0][1:]

    async def main() -> None:
        game, options, seats, level = await asked(PlayAlone("mine", 4, level=3), "against 3 bots", "at level 3")
        assert (game, seats, level) == ("mine", 4, 3)
        option = lookup.find("land").options[0]
        value = option.values[-1][0]
        game, options, seats, level = await asked(
            PlayAlone("land", 3, {option.name: value}), "2 of the", "easiest bots"
        )
        assert (game, seats, level, options[option.name]) == ("land", 3, 1, value)

    run(main())


def test_hosting_offers_no_guide(tmp_path: Path) -> None:
    async def main() -> None:
        app = newcomer(tmp_path, PretendServices(open_table()))
        press(app, "h")
        await until(lambda: app.table_flow is not None)
        press(app, "o")
        assert isinstance(app.stack[-1], SetupScreen)
        press(app, "f10")
        assert "guided" not in shown(app)

    run(main())


def at_a_table(app: App, acquaintance: tuple[str, str], *, counts: bool = False) -> bool:
    """Shows a game that begins at a table. Returns whether a note of the guide is shown."""
    table = WholeGameTable("diamond", 2, 1, at_random(1), lambda: 0.0, {})
    table.put(acquaintance=acquaintance)
    table.offer()
    home: Any = PretendHome() if counts else None
    app.follow_table(TableFlow(app, table, home))
    noted = "F4 stop guide" in shown(app)
    flow = app.table_flow
    assert isinstance(flow, TableFlow)
    flow.forget()
    return noted


class PretendHome:
    """A tournament that shows nothing."""

    final = None


def test_the_first_game_between_people_is_guided_and_no_other_one(tmp_path: Path) -> None:
    async def main() -> None:
        app = newcomer(tmp_path, PretendServices())
        assert not at_a_table(app, ("you", "new"), counts=True)
        assert not at_a_table(app, ("you", "bot"))
        app = newcomer(tmp_path, PretendServices())
        assert at_a_table(app, ("you", "new"))
        assert saved.load(tmp_path).guided == ["diamond"]
        assert not at_a_table(app, ("you", "new"))

    run(main())


def test_every_game_of_this_program_has_a_guide() -> None:
    assert sorted(lookup.ids()) == GAMES
