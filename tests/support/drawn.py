"""A screen for tests of what shows screens: it draws what a test gives it, and keeps the input that it gets."""

from __future__ import annotations

from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.screen import Screen, Ui


class Drawn(Screen):
    """Draws its texts from the top left, the first one bold, the second one underlined."""

    def __init__(self, ui: Ui, *texts: str) -> None:
        super().__init__(ui)
        self.texts, self.heard = list(texts), list[tuple[object, ...]]()

    def draw(self, canvas: Canvas, now: float) -> None:
        for y, text in enumerate(self.texts):
            canvas.put(0, y, text, "money", "panel", bold=y == 0, underline=y == 1)
        canvas.hit(0, 0, 4, 1, "first")

    def key(self, name: str) -> bool:
        self.heard.append(("key", name))
        return True

    def click(self, action: object, x: int, y: int, button: str) -> bool:
        self.heard.append((action, x, y, button))
        return True

    def wheel(self, action: object, x: int, y: int, steps: int) -> bool:
        self.heard.append(("wheel", action, x, y, steps))
        return True

    def paste(self, text: str) -> bool:
        self.heard.append(("paste", text))
        return True
