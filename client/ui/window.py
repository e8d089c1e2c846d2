"""The bridge to prompt_toolkit: a window that shows a canvas, and a style that reads the palette's strings.

prompt_toolkit's own way from formatted text to its screen takes 7 ms for 100 by 40 cells. A canvas already consists of
cells, so the window writes them directly. prompt_toolkit's renderer finds what has changed since the last frame.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from typing import Final

from prompt_toolkit.layout import FormattedTextControl, Window
from prompt_toolkit.layout.mouse_handlers import MouseHandler, MouseHandlers
from prompt_toolkit.layout.screen import Char, Screen, WritePosition
from prompt_toolkit.mouse_events import MouseButton, MouseEvent, MouseEventType
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.styles import DEFAULT_ATTRS, Attrs, BaseStyle

from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.palette import Depth

COLOR_DEPTHS: Final = {
    Depth.NONE: ColorDepth.DEPTH_1_BIT,
    Depth.BASIC: ColorDepth.DEPTH_4_BIT,
    Depth.INDEXED: ColorDepth.DEPTH_8_BIT,
    Depth.TRUE: ColorDepth.DEPTH_24_BIT,
}

BUTTONS: Final = {MouseButton.LEFT: "left", MouseButton.MIDDLE: "middle", MouseButton.RIGHT: "right"}


class PaletteStyle(BaseStyle):
    """Reads only the style strings of `Palette.style`, many times faster than a style sheet would."""

    def get_attrs_for_style_str(self, style_str: str, default: Attrs = DEFAULT_ATTRS) -> Attrs:
        """The attributes of a palette's style string. Classes of prompt_toolkit are ignored."""
        words = style_str.split()
        marks = {word for word in words if word in ("bold", "underline", "reverse")}
        colours = {word[:3]: word[3:].removeprefix("#") for word in words if word[:3] in ("fg:", "bg:")}
        return default._replace(
            color=colours.get("fg:", ""),
            bgcolor=colours.get("bg:", ""),
            bold="bold" in marks,
            underline="underline" in marks,
            reverse="reverse" in marks,
        )

    @property
    def style_rules(self) -> list[tuple[str, str]]:
        return []

    def invalidation_hash(self) -> str:
        return "palette"


class CanvasWindow(Window):
    """A window over the whole terminal. `draw` returns the canvas for a size; `touch` and `wheel` receive mouse events.

    `touch(x, y, button)` is called when a button is pressed, `wheel(x, y, steps)` for each notch, +1 downwards.
    """

    def __init__(
        self,
        draw: Callable[[int, int], Canvas],
        touch: Callable[[int, int, str], None],
        wheel: Callable[[int, int, int], None],
    ) -> None:
        super().__init__(FormattedTextControl("", focusable=True, show_cursor=False), always_hide_cursor=True)
        self._draw = draw
        self._touch = touch
        self._wheel = wheel
        self._cells: dict[tuple[str, str], Char] = {}
        handler: MouseHandler = self._mouse
        self._row: defaultdict[int, MouseHandler] = defaultdict(lambda: handler)

    def write_to_screen(
        self,
        screen: Screen,
        mouse_handlers: MouseHandlers,
        write_position: WritePosition,
        parent_style: str,
        erase_bg: bool,
        z_index: int | None,
    ) -> None:
        """Draws a frame into prompt_toolkit's screen."""
        del parent_style, erase_bg, z_index
        width, height = write_position.width, write_position.height
        canvas = self._draw(width, height)
        known, palette = self._cells, canvas.palette
        for y in range(height):
            chars, styles = canvas.row(y)
            row = screen.data_buffer[y]
            before, style = None, ""
            for x, char in enumerate(chars):
                if styles[x] is not before:
                    before = styles[x]
                    style = palette.style(*before)
                cell = known.get((char, style))
                if cell is None:
                    cell = known[char, style] = Char(char, style)
                row[x] = cell
            mouse_handlers.mouse_handlers[y] = self._row
        screen.width, screen.height = width, height
        screen.show_cursor = False
        screen.visible_windows_to_write_positions[self] = write_position

    def forget(self) -> None:
        """Drops the cells kept between frames, after the palette has changed."""
        self._cells.clear()

    def _mouse(self, event: MouseEvent) -> object:
        x, y = event.position
        match event.event_type:
            case MouseEventType.MOUSE_DOWN if event.button in BUTTONS:
                self._touch(x, y, BUTTONS[event.button])
            case MouseEventType.SCROLL_UP:
                self._wheel(x, y, -1)
            case MouseEventType.SCROLL_DOWN:
                self._wheel(x, y, 1)
            case _:
                # Mouse movement alone changes nothing, so no frame is drawn.
                return NotImplemented
        return None
