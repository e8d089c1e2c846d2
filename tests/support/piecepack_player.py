"""A player of the piecepack game at a pretended screen."""

from __future__ import annotations

from kimberley.client.boards.game_screen import GameScreen
from kimberley.client.boards.piecepack.board import PiecepackUI
from kimberley.games.piecepack.rules import State
from kimberley.games.table import evolve
from tests.support.piecepack import named, table
from tests.support.piecepack_table import PiecepackTable
from tests.support.player import ScreenPlayer

ROW = "C0 S1 M1 D3 P2"
"""A black market, a market, an oasis, a mine and a spy's lair."""


class Player(ScreenPlayer[PiecepackTable, GameScreen]):
    """A player of the piecepack game."""

    def __init__(self, where: PiecepackTable, size: tuple[int, int] = (80, 24), *, calm: bool = True) -> None:
        super().__init__(lambda table, ui: GameScreen(PiecepackUI(), table, ui), where, size, calm=calm)

    @property
    def panel(self) -> str:
        """What the panel at the right says, in one line."""
        return " ".join(" ".join(line[56:] for line in self.lines()[2:19]).split())

    @property
    def box(self) -> str:
        """What the box over the field says, in one line."""
        return " ".join(" ".join(line[1:55].strip("│") for line in self.lines()[2:19]).split())

    @property
    def strip(self) -> str:
        return self.lines()[1]

    def said(self) -> str:
        """Returns what the last toast said."""
        return self.ui.toasts[-1] if self.ui.toasts else ""

    def answer(self) -> None:
        """Says yes to the last question."""
        self.ui.questions.pop()[1]()


def at(state: State, size: tuple[int, int] = (80, 24), seat: int = 0, **more: object) -> Player:
    return Player(PiecepackTable(state, seat, **more), size)  # type: ignore[arg-type]


def acting(hand: str = "S2 C3 H1 D2 D3", field: str = ROW, **more: object) -> Player:
    """Returns a player who is to act on the first tile of a row."""
    return at(table([hand, "H2 P1 D4", "M2"], field, **more))  # type: ignore[arg-type]


def placing(size: tuple[int, int] = (80, 24)) -> Player:
    state = table(["H1", "", ""], "S0 M0 C0", (0, 1, 2))
    drawn = (2, 4)
    stack = tuple(kind for kind in state.stack if kind != drawn)
    return at(evolve(state, phase="place", drawn=drawn, stack=stack), size)


def beaten(hand: str = "H3 H1 D2", suits: str = "SMC") -> Player:
    """Returns seat 0, who is beaten by ben with a club of 4."""
    state = table([hand, "C4", ""], "D1 C0", suits=suits, turn=1, acted=1)
    player = at(state, replies=(("club", 0, named(state, "C4")),), slow=True)
    player.table.go_on()
    return player
