"""After a game alone the level above or below is suggested, on the screen and in the line mode."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from kimberley.client.screens.dossier import DossierScreen
from kimberley.client.screens.table_flow import TableFlow
from kimberley.client.session.bots import play_alone
from kimberley.client.session.next_level import next_level
from kimberley.client.session.settings import Settings, load
from kimberley.client.session.start_requests import PlayAlone
from kimberley.games.diamond_trust import GAME as TRUST
from kimberley.games.piecepack import GAME as PIECEPACK
from kimberley.games.table import Game, Result
from tests.support.asyncs import run, until
from tests.support.pretend import PretendServices, PretendTable, press, pretend_app, shown, touch
from tests.support.typed import line_mode

WON, LOST, TIED = (1, 2), (2, 1), (1, 1)


def ended(places: tuple[int, ...], level: int, game: Game = TRUST, **how: Any) -> PretendTable:
    """Returns a table at which ana, in the first seat, has played alone."""
    result = Result(places, ((0,),) * len(places), "it is over")
    names = ("ana", "Sancy", "Orlov")[: len(places)]
    table = PretendTable(game=game, phase="done", names=names, seats=len(places), options={"last_look": 6})
    table.put(peer=SimpleNamespace(result=result, story=(), asked=None))
    play_alone(table, level, **how)
    return table


@pytest.mark.parametrize(
    ("places", "level", "found"),
    [
        (WON, 3, (4, "4 Regular", "You beat level 3. Try level 4: it is stronger.")),
        (LOST, 4, (3, "3 Apprentice", "You lost to level 4. Try level 3: it is weaker.")),
        (WON, 11, None),
        (LOST, 1, None),
        (TIED, 4, None),
    ],
)
def test_a_win_leads_up_and_a_loss_down(places: tuple[int, ...], level: int, found: object) -> None:
    assert next_level(ended(places, level)) == found


@pytest.mark.parametrize(("places", "number"), [((1, 2, 3), 8), ((2, 1, 3), None), ((3, 1, 2), 6), ((1, 1, 3), None)])
def test_among_several_the_first_goes_up_and_the_last_down(places: tuple[int, ...], number: int | None) -> None:
    found = next_level(ended(places, 7, PIECEPACK))
    assert (found.number if found is not None else None) == number


def test_nothing_is_suggested_after_practice_nor_with_people() -> None:
    assert next_level(ended(WON, 3, practice=True)) is None
    table = PretendTable(phase="done")
    table.put(peer=SimpleNamespace(result=Result(WON, ((0,), (0,)), "it is over")))
    assert next_level(table) is None


@pytest.mark.parametrize("way", ["key", "mouse", "finger", "menu"])
def test_the_next_level_is_one_step_away(way: str, tmp_path: Path) -> None:
    async def main() -> None:
        table, services = ended(WON, 3), PretendServices(PretendTable(phase="open", names=("ana",)))
        app = pretend_app(services)
        app.settings.path = tmp_path / "settings.json"
        app.push(DossierScreen(app, table, TableFlow(app, table), None))
        assert "You beat level 3." in shown(app)
        assert "You beat level 3." in shown(app, 40, 40)
        if way == "key":
            press(app, "n")
        elif way == "mouse":
            touch(app, "Next: 4 Regular")
        elif way == "finger":
            touch(app, "Play 4 Regular", 40, 40)
        else:
            press(app, "f10", "n")
        await until(lambda: services.asked)
        assert services.asked == [("alone", "diamond-trust", {"last_look": 6}, 2, 4)]
        assert load(tmp_path).level == 4

    run(main())


@pytest.mark.parametrize("level", range(1, 12))
def test_the_suggestion_fits_every_screen(level: int) -> None:
    app = pretend_app(PretendServices(PretendTable()))
    for places in (WON, LOST):
        table = ended(places, level)
        app.push(DossierScreen(app, table, TableFlow(app, table), None))
        if (found := next_level(table)) is not None:
            *_, first, second, keys = shown(app).splitlines()
            room = first.index("Rematch") - 3
            assert f"{first[:room].strip()} {second[:room].strip()}" == found.why
            assert f"Next: {found.label} n" in first
            assert "Esc title" in keys


def test_in_the_line_mode_the_next_level_is_typed(tmp_path: Path) -> None:
    """The whole way, with the real network."""

    async def main() -> None:
        settings = Settings(nickname="ana", path=tmp_path / "settings.json", level=4, guided=["diamond"])
        async with line_mode(settings, PlayAlone("diamond")) as lines:
            await until(lambda: lines.has("place a piece"))
            assert lines.has("Level 4 Apprentice.")
            lines.type("resign")
            lines.type("resign")
            await until(lambda: lines.has("Type next to play 3 Apprentice"))
            lines.said.clear()
            lines.type("next")
            await until(lambda: lines.has("The game begins"))
            assert load(tmp_path).level == 3

    run(main())


def test_the_line_mode_lists_the_levels_and_refuses_others(tmp_path: Path) -> None:
    async def main() -> None:
        settings = Settings(nickname="ana", path=tmp_path / "settings.json")
        async with line_mode(settings, None) as lines:
            lines.type("levels")
            await until(lambda: lines.has("1 First-timer. Takes what it sees") and lines.has("11 Grandmaster."))
            lines.said.clear()
            lines.type("alone 12")
            await until(lambda: lines.has("has levels 1 to 11, not 12.") and lines.has("11 Grandmaster."))
            assert settings.level == 1

    run(main())
