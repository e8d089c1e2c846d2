"""A game of rules alone: people play it at a table, and nothing that needs a bot is offered for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from kimberley.client.plain.table_commands import BOTS, lobby_help
from kimberley.client.screens.setup import SetupScreen
from kimberley.client.screens.table_flow import TableFlow
from kimberley.client.screens.title import TitleScreen
from kimberley.client.screens.waiting import WaitingScreen
from kimberley.client.session.bots import can_seat_bots
from kimberley.client.session.network import Network
from kimberley.client.session.options import NO_BOTS, chosen_level
from kimberley.client.session.settings import Settings
from kimberley.games import lookup
from kimberley.games.bots.levels import find_level, level_label, levels_of, make_bot, nearest_level
from kimberley.games.bots.lookup import bots_of, has_bots
from kimberley.games.table import Game, Option, Plain, Result
from kimberley.p2p.base.errors import UserError
from kimberley.protocol.audit import verify
from tests.sixth_game.facets import GAME as FACETS
from tests.sixth_game.facets.rules import State
from tests.support.asyncs import run, until
from tests.support.pretend import PretendServices, PretendTable, press, pretend_app, shown
from tests.support.seated import Circle, circle_of_tables
from tests.support.typed import line_mode


class Shards:
    """The rules of the sixth game, and nobody who plays it for the computer."""

    id = "shards"
    title = "Shards"
    revision = 1
    seats: tuple[int, ...] = (2, 3, 4)
    options: tuple[Option, ...] = ()
    last_looks = False
    quick: tuple[tuple[str, Plain], ...] = ()

    def start(self, seats: int, options: Mapping[str, Plain], begins: int | None = None) -> State:
        return State(9, (True,) * seats, begins, begins)

    def starting_seat(self, state: object) -> int | None:
        return None

    def resignation_result(self, state: object, seats: Sequence[int]) -> Result:
        raise AssertionError("nobody resigns")


SHARDS: Game = Shards()
REFUSED = NO_BOTS.format("Shards")


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes it seem that this game, and no other, is installed."""
    monkeypatch.setattr(lookup, "find", lambda _id: SHARDS)
    monkeypatch.setattr(lookup, "ids", lambda: (SHARDS.id,))


def test_every_game_of_ours_has_bots_and_this_one_has_none() -> None:
    assert all(has_bots(lookup.find(id)) and bots_of(lookup.find(id)) for id in lookup.ids())
    assert bots_of(FACETS) is FACETS
    assert bots_of(SHARDS) is None
    assert not has_bots(SHARDS)
    assert (levels_of(SHARDS), nearest_level(SHARDS, 3)) == ((), 0)
    for ask in (find_level, level_label, lambda game, level: make_bot(game, level, 1)):
        with pytest.raises(ValueError, match="Shards has no bots yet"):
            ask(SHARDS, 1)


def test_people_play_it_over_the_network_and_its_record_is_fair(tmp_path: Path) -> None:
    async def story() -> None:
        circle: Circle
        async with circle_of_tables(tmp_path, SHARDS) as circle:
            await circle.seat(3, {})
            await circle.play()
            for table in circle.tables:
                assert table.ending.verdict is not None
                assert table.ending.verdict.code == "fair"
            assert circle.tables[0].ending.record is not None
            assert verify(circle.tables[0].ending.record.read_bytes(), lambda _id: SHARDS).code == "fair"

    run(story())


@pytest.mark.usefixtures("installed")
def test_nobody_is_offered_to_play_it_alone() -> None:
    async def main() -> None:
        services = PretendServices()
        app = pretend_app(services)
        app.push(TitleScreen(app))
        drawn = shown(app)
        assert "Shards" in drawn
        assert "Play alone" not in drawn
        press(app, "a")
        assert REFUSED in " ".join(shown(app).split())
        press(app, "tab", "tab", "tab", "enter")
        assert not services.asked
        press(app, "esc")

    run(main())


@pytest.mark.usefixtures("installed")
def test_its_table_has_no_seat_for_a_bot_and_its_options_no_level() -> None:
    async def main() -> None:
        table = PretendTable(game=SHARDS, seats=4, phase="open", options={})
        assert not can_seat_bots(table)
        assert BOTS not in lobby_help(table, counts=False)
        app = pretend_app(PretendServices(table))
        app.push(WaitingScreen(app, table, TableFlow(app, table)))
        assert "add a bot" not in shown(app)
        for where in (None, table):
            assert "level" not in " ".join(row.label.lower() for row in SetupScreen(app, SHARDS, where).rows)

    run(main())


@pytest.mark.usefixtures("installed")
def test_who_asks_for_a_bot_all_the_same_reads_why_there_is_none(tmp_path: Path) -> None:
    async def main() -> None:
        network = Network(Settings(nickname="ana", path=tmp_path / "settings.json"))
        with pytest.raises(UserError, match=REFUSED):
            await network.alone(SHARDS.id, {}, 2, 1)
        with pytest.raises(UserError, match=REFUSED):
            await network.seat_bot(PretendTable(game=SHARDS), 1)
        with pytest.raises(UserError, match=REFUSED):
            chosen_level(SHARDS, None, 3)
        await network.close()

    run(main())


@pytest.mark.usefixtures("installed")
def test_text_mode_says_so_and_goes_on(tmp_path: Path) -> None:
    async def main() -> None:
        settings = Settings(nickname="ana", game=SHARDS.id, path=tmp_path / "settings.json")
        async with line_mode(settings, None) as lines:
            for typed in ("levels", "alone", "alone 2", "guide"):
                lines.said.clear()
                lines.type(typed)
                await until(lambda: lines.has(REFUSED))

    run(main())
