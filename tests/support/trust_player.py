"""A player of Diamond Trust at a pretended screen."""

from __future__ import annotations

from kimberley.client.boards.diamond_trust.board import DiamondTrustUI
from kimberley.client.boards.game_screen import GameScreen
from kimberley.client.ui.canvas import Action, Canvas
from kimberley.games.diamond_trust.position import RoundStep
from kimberley.p2p.table.common_options import AdjustTimes
from tests.support.angola import MEETING, MOXICO, THEIRS, TWELVE, PretendUi, Script, TrustTable
from tests.support.meanings import first_cell

SIZES = [(80, 24), (100, 34), (120, 40), (140, 45), (120, 28), (111, 24), (200, 60)]

CROWD = {(1, RoundStep.MOVE): MEETING[1, RoundStep.PLAN], (1, RoundStep.SALE): 0}


class Player:
    """A person at a screen: sees frames, presses keys, clicks what is there to be clicked."""

    def __init__(
        self,
        mine: Script | None = None,
        theirs: Script | None = None,
        *,
        seat: int = 0,
        times: AdjustTimes = TWELVE,
        slow: bool = False,
        ui: PretendUi | None = None,
        size: tuple[int, int] = (80, 24),
    ) -> None:
        self.ui = ui or PretendUi()
        self.size = size
        self.table = TrustTable(seat, theirs, mine, inspector=MOXICO, times=times, slow=slow, now=self.ui.now)
        self.screen = GameScreen(DiamondTrustUI(), self.table, self.ui)
        self.screen.opened()

    def canvas(self) -> Canvas:
        canvas = Canvas(*self.size, self.ui.palette)
        self.screen.tick(self.ui.time)
        self.screen.draw(canvas, self.ui.time)
        return canvas

    def text(self) -> str:
        return "\n".join(self.canvas().lines())

    def press(self, keys: str) -> None:
        """Presses keys, each when all that moves has been shown: Enter shows it at once. "yes" answers a question."""
        for name in keys.split():
            self.catch_up()
            if name == "yes":
                ((_, then),) = self.ui.questions
                self.ui.questions.clear()
                then()
            else:
                self.screen.key(name)

    def catch_up(self) -> None:
        """Goes on to the present, even where the playback stops."""
        while self.screen.busy(self.ui.time):
            self.ui.time += DiamondTrustUI.key_delay
            self.screen.key("enter")

    def click(self, action: Action) -> None:
        """Clicks an area that the board offers in the end; fails where there is none."""
        self.catch_up()
        self.touch(action)

    def touch(self, action: Action) -> None:
        """Clicks an area that the frame offers; fails where there is none."""
        cell = first_cell(self.canvas(), action)
        assert cell is not None, f"nothing on the screen means {action}\n{self.text()}"
        if isinstance(action, str):
            assert self.screen.key(action.removeprefix("key:"))
        else:
            assert self.screen.click(action, *cell, "left")

    def catch_up_to_card(self) -> None:
        """Goes on to the card of the month."""
        while "This month" not in self.text():
            self.ui.time += DiamondTrustUI.key_delay
            self.screen.key("enter")

    def rest(self) -> None:
        """Lets everything that moves come to its end. Goes on where the playback stops, but not from THE END."""
        while self.screen.busy(self.ui.time) and "THE END" not in self.text():
            self.ui.time += 0.1
            if self.screen.head.stopped(self.ui.time):
                self.screen.key("enter")

    @property
    def chosen(self) -> list[object]:
        return [done[1] for done in self.table.done if done[0] == "choose"]


def meeting(**more: object) -> Player:
    """Returns a player at the start of round 2: [1] and (1) in Malanje."""
    mine = {**MEETING, **CROWD, **more.pop("mine", {})}  # type: ignore[dict-item]
    theirs = {**THEIRS, **more.pop("theirs", {})}  # type: ignore[dict-item]
    return Player(mine, theirs, **more)  # type: ignore[arg-type]


def moved(**more: object) -> Player:
    """Returns a player who has just sent [1] from London to a region where it offers $6."""
    player = Player({(1, RoundStep.PAY): (0, 0, 0)}, **more)  # type: ignore[arg-type]
    player.press("1 right right enter 6 enter d yes")
    return player
