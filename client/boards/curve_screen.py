"""How a finished game went, on a screen of its own: from a replay."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from kimberley.client.boards.curve_panel import CurvePanel
from kimberley.client.boards.game_timeline import GameTimeline
from kimberley.client.boards.report import GameCurve
from kimberley.client.ui.bars import key_bar, title_bar
from kimberley.client.ui.canvas import Action, Canvas
from kimberley.client.ui.keys import Hint
from kimberley.client.ui.screen import Help, Screen, Section, Ui
from kimberley.client.ui.touch import bar_rows, touch_bar

GRAPH: Final = "The graph"
MARK: Final = " A mark shows where the winner took the lead for good, or widened it the most."


def graph_help(curve: GameCurve) -> Section:
    """Returns what F1 says about a curve; it tells of a mark only if there is one."""
    mark = MARK if curve.turn is not None else ""
    return Section(
        GRAPH,
        f"What everyone had over time. ← and → choose a point, Enter shows it on the board.{mark}",
        by_touch=Section(
            GRAPH, f"What everyone had over time. Tap a point to choose it, tap it again to see it on the board.{mark}"
        ),
    )


class CurveScreen(Screen):
    """How a finished game went. Enter shows a month, a round or a move on the board."""

    def __init__(self, ui: Ui, timeline: GameTimeline, curve: GameCurve, show: Callable[[int], None]) -> None:
        super().__init__(ui)
        self._timeline, self._show = timeline, show
        self._head = timeline.game.report(timeline.shown(len(timeline.events))).head
        self.graph = CurvePanel(curve)

    def draw(self, canvas: Canvas, now: float) -> None:
        del now
        title_bar(canvas, f"{self._timeline.title} · the graph")
        self._head(canvas.region(0, 2, canvas.width, 3))
        if canvas.portrait:
            self.graph.draw(canvas.region(0, 6, canvas.width, canvas.height - 6 - bar_rows(canvas, 2)))
            show = Hint("Enter", "show", primary=True)
            touch_bar(canvas, [show, Hint("Esc", "back"), Hint("→", "later"), Hint("←", "earlier")], 2)
            return
        self.graph.draw(canvas.region(0, 6, canvas.width, canvas.height - 8))
        key_bar(canvas, [Hint("← →", self.graph.curve.unit), Hint("Enter", "show"), Hint("Esc", "back")])

    def key(self, name: str) -> bool:
        match name:
            case "enter":
                self.ui.pop(self)
                self._show(self.graph.step)
            case "esc" | "q" | "g":
                self.ui.pop(self)
            case _:
                return self.graph.key(name)
        return True

    def click(self, action: Action, x: int, y: int, button: str) -> bool:
        match action:
            case ("sample", int(at)):
                return not self.graph.choose(at) or self.key("enter")
        return False

    def wheel(self, action: Action | None, x: int, y: int, steps: int) -> bool:
        return self.graph.key("left" if steps < 0 else "right")

    def help(self) -> Help:
        return Help(GRAPH, (graph_help(self.graph.curve),))
