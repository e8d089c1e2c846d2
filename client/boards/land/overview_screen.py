"""The whole map as large as it can be: owners, kinds, prices or connections. A click on it looks at that place."""

from __future__ import annotations

from collections.abc import Callable

from kimberley.client.boards.land.overview import MODES, Overview, draw_legend, draw_overview, scale_for
from kimberley.client.boards.land.picture import Picture
from kimberley.client.ui.buttons import right_button
from kimberley.client.ui.canvas import Action, Canvas
from kimberley.client.ui.lists import tabs
from kimberley.client.ui.panels import dialog
from kimberley.client.ui.screen import Screen, Ui

TOP = 4
"""Above the map: the tabs, the legend, a free row, the numbers of sectors."""
LEGEND_ROWS = 2
"""The legend on a portrait screen takes the free row as well."""
CLOSE = ("Close", "Esc")


class OverviewScreen(Screen):
    """Shows the map of a position. `look` is called with the parcel that is clicked."""

    overlay = True

    def __init__(self, ui: Ui, picture: Picture, look: Callable[[int], None]) -> None:
        super().__init__(ui)
        self._picture, self._look = picture, look
        self._mode = MODES.index(picture.mode)
        self._at = (0, 0)
        self._scale = scale_for(picture.map.side, 0, 0)

    def draw(self, canvas: Canvas, now: float) -> None:
        del now
        picture = self._picture
        inside = dialog(canvas, canvas.width, canvas.height - 2, "Map")
        self._scale = scale_for(picture.map.side, inside.width - 4, inside.height - TOP - 2)
        mode = MODES[self._mode]
        view = Overview(
            self._scale, picture.plots, mode, picture.sector, picture.looked, picture.cursor, picture.lit
        )  # fmt: skip
        tabs(inside, 0, 0, MODES, self._mode, lambda number: ("mode", MODES[number]))
        draw_legend(inside, 0, 1, inside.width, view, LEGEND_ROWS)
        x = 2 + (inside.width - 4 - self._scale.columns) // 2
        draw_overview(inside, x, TOP, view)
        inside.hit(x, TOP, self._scale.columns, self._scale.rows, ("map",))
        map = inside.hits[-1]
        self._at = map.x, map.y
        right_button(inside, inside.width, inside.height - 1, *CLOSE, primary=True, tall=False)

    def key(self, name: str) -> bool:
        match name:
            case "o" | "tab" | "right":
                self._mode = (self._mode + 1) % len(MODES)
            case "s-tab" | "left":
                self._mode = (self._mode - 1) % len(MODES)
            case "esc" | "enter" | "q":
                self.ui.pop(self)
            case _:
                return False
        return True

    def click(self, action: Action, x: int, y: int, button: str) -> bool:
        del button
        match action:
            case ("mode", str(mode)):
                self._mode = MODES.index(mode)
            case ("map",):
                self.ui.pop(self)
                self._look(self._scale.at(x - self._at[0], y - self._at[1]))
            case _:
                return False
        return True

    def wheel(self, action: Action | None, x: int, y: int, steps: int) -> bool:
        del action, x, y
        self._mode = (self._mode + steps) % len(MODES)
        return True
