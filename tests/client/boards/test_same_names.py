"""Players of one name: every board, and the line mode, says which of them it means."""

from __future__ import annotations

import re
from typing import Final

import pytest

from kimberley.games.table import Result
from tests.support import board_screens
from tests.support.asyncs import run
from tests.support.board_snapshots import Clock, Scenario
from tests.support.pretend import pretend_app

SEATS: Final = {"diamond-trust": 2, "diamond": 2, "land": 2, "mine": 2, "piecepack": 3}
ASKS: Final = 4
BARE: Final = re.compile(r"root(?! ?\d)")


@pytest.mark.parametrize("game", SEATS)
def test_no_board_says_a_name_that_two_players_have_without_a_seat(game: str) -> None:
    async def main() -> None:
        clock = Clock()
        table = Scenario(game, SEATS[game], 1, {}).table(clock)
        table.put(names=("root",) * SEATS[game])
        app = pretend_app()
        app.now = clock.now  # type: ignore[method-assign]
        app.push(board_screens.live_screen(table, app))
        lines = board_screens.plain_seat(table)
        said = []
        for _ in range(ASKS):
            assert not isinstance(table.ask, Result)
            table.offer()
            clock.time += 10
            said += [*app.draw(80, 24).lines(), *lines.describe()]
            table.answer()
        text = "\n".join(said)
        assert BARE.findall(text) == [], text
        assert "root 1" in text or "root 2" in text
        assert "root 2" in text

    run(main())
