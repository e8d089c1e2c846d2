"""The window on a terminal, by prompt_toolkit. Nothing else in the program imports that package.

prompt_toolkit's own way from formatted text to its screen takes 7 ms for 100 by 40 cells. A canvas already consists of
cells, so a pane writes them directly. prompt_toolkit's renderer finds what has changed since the last frame.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from collections import defaultdict
from typing import Any, Final

from prompt_toolkit.application import Application
from prompt_toolkit.input import Input
from prompt_toolkit.layout import FormattedTextControl, Layout
from prompt_toolkit.layout import Window as Pane
from prompt_toolkit.layout.mouse_handlers import MouseHandler, MouseHandlers
from prompt_toolkit.layout.screen import Char, Screen, WritePosition
from prompt_toolkit.mouse_events import MouseButton, MouseEvent, MouseEventType
from prompt_toolkit.output import ColorDepth, Output
from prompt_toolkit.output.vt100 import Vt100_Output
from prompt_toolkit.styles import DEFAULT_ATTRS, Attrs, BaseStyle

from kimberley.client.ui import terminal_keys
from kimberley.client.ui.attention import FORGET_FOCUS, REPORT_FOCUS, desktop_notice
from kimberley.client.ui.canvas import Style
from kimberley.client.ui.glyphs import needs_ascii
from kimberley.client.ui.palette import Depth, Palette, detect_depth
from kimberley.client.ui.terminal_input import TerminalInput
from kimberley.client.ui.theme import QUERY, Theme, asks, background_in, theme_for, told_by
from kimberley.client.ui.window import WindowKind, WindowOwner
from kimberley.p2p.base.outlet import Outlet
from kimberley.p2p.base.terminal import copied, takes_escapes

TERMINAL: Final = WindowKind("terminal", "terminal", has_keys=True, has_shell=True)
ESC_SECONDS: Final = 0.05
RESIZE_SECONDS: Final = 0.5
FRAME_BEGINS: Final = "\x1b[?2026h"
FRAME_ENDS: Final = "\x1b[?2026l"
"""Synchronized output (DEC private mode 2026): a terminal that supports it shows each frame whole. Others ignore it."""

COLOR_DEPTHS: Final = {
    Depth.NONE: ColorDepth.DEPTH_1_BIT,
    Depth.BASIC: ColorDepth.DEPTH_4_BIT,
    Depth.INDEXED: ColorDepth.DEPTH_8_BIT,
    Depth.TRUE: ColorDepth.DEPTH_24_BIT,
}

BUTTONS: Final = {MouseButton.LEFT: "left", MouseButton.MIDDLE: "middle", MouseButton.RIGHT: "right"}


def outlet_of(output: Output) -> Outlet | None:
    """Returns what writes the output on a thread; None if nothing does."""
    outlet = getattr(getattr(output, "stdout", None), "buffer", None)
    return outlet if isinstance(outlet, Outlet) else None


class PaletteStyle(BaseStyle):
    """Reads only the style strings of `Palette.style`, many times faster than a style sheet would."""

    def get_attrs_for_style_str(self, style_str: str, default: Attrs = DEFAULT_ATTRS) -> Attrs:
        """Returns the attributes of a palette's style string. Classes of prompt_toolkit are ignored."""
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


class CanvasPane(Pane):
    """A pane over the whole terminal. It shows the frames of the window's owner, who receives its mouse events."""

    def __init__(self, owner: WindowOwner) -> None:
        super().__init__(FormattedTextControl("", focusable=True, show_cursor=False), always_hide_cursor=True)
        self._owner = owner
        self._cells: dict[tuple[str, str], Char] = {}
        self._palette: Palette | None = None
        self._rows: dict[int, tuple[list[str], list[Style], defaultdict[int, Char]]] = {}
        """The rows of the last frame in that palette. Most are those of the next frame, too."""
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
        canvas = self._owner.draw(width, height)
        if canvas.palette != self._palette:
            self._palette = canvas.palette
            self._rows.clear()
        for y in range(height):
            chars, styles = canvas.row(y)
            if (kept := self._rows.get(y)) and kept[0] == chars and kept[1] == styles:
                screen.data_buffer[y] = kept[2]
            else:
                row = screen.data_buffer[y]
                self._write_row(row, chars, styles, canvas.palette)
                self._rows[y] = chars, styles, row
            mouse_handlers.mouse_handlers[y] = self._row
        screen.width, screen.height = width, height
        screen.show_cursor = False
        screen.visible_windows_to_write_positions[self] = write_position

    def _write_row(self, row: defaultdict[int, Char], chars: list[str], styles: list[Style], palette: Palette) -> None:
        known = self._cells
        before, style = None, ""
        for x, char in enumerate(chars):
            if styles[x] is not before:
                before = styles[x]
                style = palette.style(*before)
            cell = known.get((char, style))
            if cell is None:
                cell = known[char, style] = Char(char, style)
            row[x] = cell

    def forget(self) -> None:
        """Drops the cells kept between frames, after the palette has changed."""
        self._cells.clear()
        self._rows.clear()

    def _mouse(self, event: MouseEvent) -> object:
        x, y = event.position
        match event.event_type:
            case MouseEventType.MOUSE_DOWN if event.button in BUTTONS:
                self._owner.touch(x, y, BUTTONS[event.button])
            case MouseEventType.SCROLL_UP:
                self._owner.wheel(x, y, -1)
            case MouseEventType.SCROLL_DOWN:
                self._owner.wheel(x, y, 1)
            case _:
                # Mouse movement alone changes nothing, so no frame is drawn.
                return NotImplemented
        return None


class PacedApplication(Application[None]):
    """Draws no frame while the one before is on its way to the terminal."""

    outlet: Outlet | None = None
    late = False
    """Whether a frame is to be drawn once the terminal has taken the last one."""

    def invalidate(self) -> None:
        if self.outlet is not None and self.outlet.busy:
            self.late = True
        else:
            self.late = False
            super().invalidate()


class TerminalWindow:
    """Shows the frames of its owner on a terminal (`client.ui.window.AppWindow`).

    `input` and `output` default to the terminal on which the program runs.
    """

    kind: Final = TERMINAL
    give_file: Final = None

    def __init__(self, owner: WindowOwner, *, input: Input | None = None, output: Output | None = None) -> None:
        self._owner = owner
        self.background: Theme | None = told_by(os.environ)
        self._asks = self._asked = False
        self.draft = ""
        self._titled = False
        self._pane = CanvasPane(owner)
        self._app = PacedApplication(
            layout=Layout(self._pane),
            style=PaletteStyle(),
            include_default_pygments_style=False,
            key_bindings=terminal_keys.bindings(owner.key, owner.paste),
            color_depth=lambda: COLOR_DEPTHS[owner.palette.depth],
            full_screen=True,
            mouse_support=True,
            max_render_postpone_time=0,
            # Windows sends no signal when the size of the terminal changes.
            terminal_size_polling_interval=None if hasattr(signal, "SIGWINCH") else RESIZE_SECONDS,
            input=input,
            output=output,
        )
        self._app.ttimeoutlen = ESC_SECONDS
        self._input = TerminalInput(owner, self._on_answer)
        self._replace_parser()
        self._output = self._app.output
        self._reports = isinstance(self._output, Vt100_Output)
        """Whether the terminal is told what to report, and where a frame begins."""
        self._escapes = self._reports or hasattr(self._output, "vt100_output")
        """Whether escape sequences reach a terminal: not on a console before Windows 10."""
        self._app.outlet = self._outlet = outlet_of(self._output)
        if self._reports:
            self._app.before_render += self._begin_frame
            self._app.after_render += self._end_frame
        self._app.after_render += lambda _app: owner.frame_shown()

    @property
    def depth(self) -> Depth:
        """Returns how many colors the terminal shows. Windows sets no TERM, and prompt_toolkit knows its console."""
        if sys.platform == "win32" and not os.environ.get("TERM") and not os.environ.get("NO_COLOR"):
            known = self._output.get_default_color_depth()
            return next(depth for depth, color_depth in COLOR_DEPTHS.items() if color_depth is known)
        return detect_depth()

    @property
    def ascii_only(self) -> bool:
        return needs_ascii()

    @property
    def still(self) -> bool:
        return os.environ.get("TERM") in ("", "dumb")

    # -- running -------------------------------------------------------------------------------------------------------

    async def run(self) -> None:
        if self._reports:
            self._write(REPORT_FOCUS)
        self._follow_outlet()
        # prompt_toolkit turns escape sequences on in the console of Windows only while it writes, which the outlet does
        # later.
        takes_escapes(sys.stdout)
        try:
            # A terminal that was closed gives nothing more. The program then ends as if the user had left it.
            with contextlib.suppress(EOFError):
                await self._app.run_async(set_exception_handler=False)
        finally:
            # Now, since leaving a table may take longer than the program has.
            if self._reports:
                self._write(FORGET_FOCUS)

    def _replace_parser(self) -> None:
        """Reads what the terminal sends in place of prompt_toolkit, which takes apart what it does not know."""
        # There is no hook for this: an input takes no parser. An `Input` of ours with its own `read_keys` would do for
        # terminals of Unix, but on Windows only the parser of the console's reader is handed what was typed as text.
        holder: Any = getattr(self._app.input, "console_input_reader", self._app.input)
        for name in ("vt100_parser", "_vt100_parser"):
            if hasattr(holder, name):
                setattr(holder, name, self._input)

    def exit(self) -> None:
        self._input.closed = True
        if self._app.is_running and not self._app.is_done:
            self._app.exit()

    def close(self) -> None:
        if self._titled:
            self._output.clear_title()
            self._output.flush()

    # -- a terminal that does not read ---------------------------------------------------------------------------------

    def _follow_outlet(self) -> None:
        if self._outlet is not None:
            loop, outlet = asyncio.get_running_loop(), self._outlet

            def on_written() -> None:
                # The loop is closed when the last bytes are written.
                with contextlib.suppress(RuntimeError):
                    loop.call_soon_threadsafe(self._catch_up, outlet)

            outlet.on_written = on_written

    def _catch_up(self, outlet: Outlet) -> None:
        """Draws what has changed while the terminal did not read; everything, if it has missed something."""
        if outlet.take_lost():
            self.repaint()
        elif self._app.late:
            self.redraw()

    # -- frames --------------------------------------------------------------------------------------------------------

    def redraw(self) -> None:
        self._app.invalidate()

    def repaint(self) -> None:
        self._pane.forget()
        if self._app.is_running:
            self._app.renderer.clear()
            self.redraw()

    def _begin_frame(self, app: Application[None]) -> None:
        if self._asks and not self._asked and asks(os.environ):
            # Not before the first frame: until then the terminal might show its own answer.
            self._asked = True
            app.output.write_raw(QUERY)
        app.output.write_raw(FRAME_BEGINS)

    def _end_frame(self, app: Application[None]) -> None:
        app.output.write_raw(FRAME_ENDS)
        app.output.flush()

    # -- the background ------------------------------------------------------------------------------------------------

    def ask_background(self) -> None:
        self._asks = True

    def _on_answer(self, answer: str) -> None:
        if self._asked and (ground := background_in(answer)) is not None:
            self.background = theme_for(ground)
            self._owner.apply_settings()

    # -- beyond the frame ----------------------------------------------------------------------------------------------

    def alert(self, text: str) -> None:
        """Rings the bell, puts a notice on the desktop, and says so in the window's title."""
        self._output.bell()
        if self._escapes:
            self._output.write_raw(desktop_notice("Kimberley", text))
        self._output.set_title("◆ your move · Kimberley")
        self._output.flush()
        self._titled = True

    def end_alert(self) -> None:
        self._output.set_title("Kimberley")
        self._output.flush()

    def copy(self, text: str) -> None:
        """Copies text by OSC 52, if the terminal allows it."""
        if self._escapes:
            self._write(copied(text))

    def _write(self, sequence: str) -> None:
        self._output.write_raw(sequence)
        self._output.flush()
