"""What is different at a table of a tournament: the clocks on every board, and the way out of its lobby."""

from __future__ import annotations

import pytest

from kimberley.client.boards.registry import find_board
from kimberley.client.session.seat_session import session_of
from kimberley.client.ui.canvas import Canvas
from tests.support.angola import PretendUi
from tests.support.at_a_board import TABLES
from tests.support.pretend_tournament import Keeper, running, standing


@pytest.mark.parametrize("game", TABLES)
@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
def test_every_board_shows_the_clocks_while_it_is_ones_own_turn(game: str, size: tuple[int, int]) -> None:
    ui, table = PretendUi(calm=True), TABLES[game]()
    keeper = Keeper(())
    session_of(table).clock_keeper = keeper
    screen = find_board(game).view(table, ui)
    screen.opened()
    canvas = Canvas(*size, ui.palette)
    for _ in range(200):
        keeper.clocks = (running(600.0, at=ui.now()), *(standing(900.0) for _ in table.occupants.names[1:]))
        screen.tick(ui.now())
        screen.draw(canvas, ui.now())
        if any("▸10:00" in line and "15:00" in line for line in canvas.lines()):
            break
        ui.time += 0.5
    else:
        pytest.fail("no clocks: " + "\n".join(canvas.lines()))
    assert table.peer is not None
    assert table.occupants.seat in table.peer.waiting
