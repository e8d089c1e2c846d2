"""The next game at the same table, with the programs of both players: what each of them reads until both are there."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest

from kimberley.client.boards.game_screen import GameScreen
from kimberley.client.screens.app import App
from kimberley.client.screens.dossier import DossierScreen
from kimberley.client.screens.review import ReviewScreen
from kimberley.client.screens.title import TitleScreen
from kimberley.games import lookup
from kimberley.p2p.table.table import Table
from tests.support.asyncs import run, until
from tests.support.effort import first_is_quick
from tests.support.pretend import PretendServices, press, pretend_app, shown
from tests.support.seated import circle_of_tables

RNG = Random(53)
CALLED = "The game is waiting for you."


class Player(NamedTuple):
    """A player's program, at that player's table."""

    app: App
    table: Table

    @property
    def board(self) -> GameScreen | None:
        """The board that is shown, if it is that of the table's game."""
        top = self.app.stack[-1]
        return top if isinstance(top, GameScreen) and self.app.table_flow.shown_peer is self.table.peer else None  # type: ignore[union-attr]

    @property
    def strip(self) -> str:
        """What the board says of the other player."""
        assert self.board is not None
        return self.board.waits.strip_text(self.app.now(), 40)[0]

    @property
    def asked(self) -> bool:
        """Whether this player is to choose now."""
        return self.table.play.asked is not None


async def play_until(turn: Player, other: Player) -> None:
    """Lets the other player choose at random until `turn` is to choose."""
    await until(lambda: turn.asked or other.asked)
    while not turn.asked:
        asked = other.table.play.asked
        assert asked is not None
        other.table.play.choose(asked.space.pick(RNG))
        await until(lambda asked=asked: turn.asked or other.table.play.asked not in (None, asked))  # type: ignore[misc]


@asynccontextmanager
async def at_the_dossier(folder: Path) -> AsyncIterator[tuple[Player, Player]]:
    """Yields the host and the guest of a table whose first game is over, each at the dossier."""
    async with circle_of_tables(folder, lookup.find("diamond")) as circle:
        await circle.open(2, options={}, headless=False)
        await circle.join(headless=False)
        both = []
        for table in circle.tables:
            app = pretend_app(PretendServices(table))
            app.push(TitleScreen(app))
            app.take_seat(table)
            both.append(Player(app, table))
        ana, ben = both
        await until(lambda: {each.table.phase for each in both} == {"words"})
        for each in both:
            each.table.words.answer(True)
        await circle.all("playing")
        await circle.play()
        await circle.all("done")
        for each in both:
            await until(lambda each=each: at_end(each))  # type: ignore[misc]
        yield ana, ben


def at_end(player: Player) -> bool:
    """Goes on from the end on the board, until the dossier is shown."""
    if isinstance(player.app.stack[-1], GameScreen):
        press(player.app, "enter")
    return isinstance(player.app.stack[-1], DossierScreen)


@pytest.mark.slow
def test_who_wants_a_rematch_is_at_the_board_as_it_begins(tmp_path: Path) -> None:
    async def test() -> None:
        async with at_the_dossier(tmp_path) as (ana, ben):
            press(ben.app, "p")
            press(ana.app, "p")
            await until(lambda: ana.board is not None and ben.board is not None)
            await play_until(ben, ana)
            assert ana.strip == "ben is choosing…"

    run(test(), 60)


@pytest.mark.parametrize("reviews", first_is_quick(False, True), ids=["at the dossier", "in the review"])
@pytest.mark.slow
def test_where_a_guest_is_who_was_not_asked_is_not_said_until_that_guest_has_chosen(
    tmp_path: Path, reviews: bool
) -> None:
    async def test() -> None:
        async with at_the_dossier(tmp_path) as (ana, ben):
            if reviews:
                ended = ben.table.ending
                assert ended.audited is not None
                assert ended.record is not None
                ben.app.push(ReviewScreen(ben.app, ended.audited, ended.record, ben.table.occupants.seat))
            reads = ben.app.stack[-1]
            ana.table.hosting.open_again()
            ana.app.table_flow.to_table()  # type: ignore[union-attr]
            await until(lambda: ana.table.phase == ben.table.phase == "open")
            ana.table.seating.ready(True)
            await until(lambda: ana.board is not None and ben.table.phase == "playing")
            await until(lambda: ana.asked or ben.asked)
            turn = ana.asked
            assert ben.app.stack[-1] is reads
            assert "ana started Diamond." in shown(ben.app)
            assert (CALLED in shown(ben.app)) != turn
            await play_until(ben, ana)
            assert CALLED in shown(ben.app)
            await until(lambda: ana.strip == "waiting for ben")
            press(ben.app, "f5")
            assert ben.board is not None
            assert CALLED not in shown(ben.app)
            assert ana.strip == "waiting for ben", "no message tells ana"
            await play_until(ana, ben)
            await play_until(ben, ana)
            assert ana.strip == "ben is choosing…"

    run(test(), 60)
