"""A game of Diamond as a script, and how it is played on a phone."""

from __future__ import annotations

from functools import cache
from typing import Final

from kimberley.client.boards.diamond.board import DiamondUI
from kimberley.client.boards.game_screen import GameScreen
from kimberley.games.diamond.board import NAMED
from kimberley.games.diamond.position import Movement
from kimberley.games.diamond.rules import State
from kimberley.games.table import Decide
from tests.support.diamond_table import DiamondTable
from tests.support.phone import Phone
from tests.support.player import ScreenPlayer

TURNS: Final = "c7 g1 b1 a6 f8 e5 g8 a3 g7 d6 h3 e2 a4 h7 c6 g3 e1 g5 c5 d4 e6 c2 a7 b6 c7-d7*"
"""All 24 pieces are placed without a square; then Black captures."""


def some_step(state: State) -> str:
    """Returns a turn without a capture."""
    ask = state.ask()
    assert isinstance(ask, Decide)
    move = next(
        move for move in state.position.moves() if isinstance(move, Movement) and not state.position.captured(move)
    )
    return f"{list(NAMED)[move.start]}-{list(NAMED)[move.to]}"


@cache
def places() -> dict[str, tuple[int, int]]:
    """Returns the cell in the middle of each point, on a phone held upright."""
    player = ScreenPlayer(lambda table, ui: GameScreen(DiamondUI(), table, ui), DiamondTable(0), (40, 40))
    areas = {hit.action: hit for hit in player.canvas().hits}
    named = {name: areas["point", point] for name, point in NAMED.items()}
    return {name: (area.x + area.width // 2, area.y + area.height // 2) for name, area in named.items()}


def turn_by_touch(phone: Phone, written: str) -> None:
    """Makes a turn, and waits until it is made."""
    phone.wait_through("your move")
    for point in written.rstrip("*").split("-"):
        before = phone.text
        phone.tap(*places()[point])
        phone.wait(lambda text, before=before: text != before)  # type: ignore[misc]
    phone.touch("Go")
    phone.wait(lambda text: "your move" not in text)
