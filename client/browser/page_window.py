"""The window in a page: it sends the cells of each frame that have changed, and receives keys and touches.

A frame is the rows that have changed, three 32-bit numbers for each cell in the machine's byte order: the character,
the color of the text with its marks, the color of the ground. The next frame is not made before the page has shown the
last one, so a slow or hidden page is sent no more than it can show.
"""

from __future__ import annotations

import asyncio
from array import array
from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeAlias

from kimberley.client.browser.page_port import Message, PagePort
from kimberley.client.ui.canvas import Canvas, Style
from kimberley.client.ui.palette import Color, Depth, Palette
from kimberley.client.ui.theme import DARK, Theme
from kimberley.client.ui.window import WindowKind, WindowOwner
from kimberley.p2p.storage.files import read_file
from kimberley.protocol.record import MOST_BYTES

CLUSTER: Final = 1 << 31
"""Marks a cell whose character is not one code point but the number of one of the frame's clusters."""
COVERED: Final = 0
"""The second cell of a wide character."""
BOLD: Final = 1 << 24
UNDERLINE: Final = 1 << 25

Row: TypeAlias = tuple[list[str], list[Style]]


class PageWindow:
    """Shows the frames of its owner in a page (`client.ui.window.AppWindow`)."""

    depth: Final = Depth.TRUE
    ascii_only: Final = False
    background: Theme | None = DARK

    def __init__(
        self, owner: WindowOwner, port: PagePort, start: Message, on_line: Callable[[str], None] | None = None
    ) -> None:
        """Takes `start`, which says what the page has room for, in `columns` and `rows`, whether its user has no keys
        (`touch`), whether nothing is to move there (`still`), and what was drafted there before a reload (`draft`).
        `on_line` is called with commands of the line mode.
        """
        self._owner, self._port, self._on_line = owner, port, on_line
        self._size = start["columns"], start["rows"]
        self.kind: Final = WindowKind("page", "browser", has_keys=not start["touch"], has_shell=False)
        self.still: bool = start["still"]
        self._draft: str = start.get("draft", "")
        self._ended = asyncio.Event()
        self._running = self._due = self._planned = self._unseen = False
        """Whether frames are shown at all, one is wanted, one is about to be drawn, one has been sent but not shown
        yet.
        """
        self._rows: list[Row] = []
        self._caret: tuple[int, int] | None = None
        self._looks = Looks(owner.palette)

    # -- running -------------------------------------------------------------------------------------------------------

    async def run(self) -> None:
        self._port.on_message = self._on_message
        self._running = True
        self.redraw()
        try:
            await self._ended.wait()
        finally:
            self._running = False

    def exit(self) -> None:
        self._ended.set()

    def close(self) -> None:
        self._port.post({"kind": "closed"})

    # -- frames --------------------------------------------------------------------------------------------------------

    def redraw(self) -> None:
        self._due = True
        self._plan()

    def repaint(self) -> None:
        self._rows.clear()
        self.redraw()

    def ask_background(self) -> None:
        """Does nothing: the page is dark around the board, whatever the system's theme is."""

    def _plan(self) -> None:
        if self._running and self._due and not self._planned and not self._unseen:
            self._planned = True
            asyncio.get_running_loop().call_soon(self._draw)

    def _draw(self) -> None:
        self._due = self._planned = False
        if not self._running:
            return
        canvas = self._owner.draw(*self._size)
        if canvas.palette is not self._looks.palette:
            self._looks = Looks(canvas.palette)
        self._send(canvas)
        if canvas.caret != self._caret:
            self._caret = canvas.caret
            x, y = self._caret or (0, 0)
            self._port.post({"kind": "typing", "on": self._caret is not None, "x": x, "y": y})

    def _send(self, canvas: Canvas) -> None:
        """Sends the rows that differ from what is shown."""
        rows = [canvas.row(y) for y in range(canvas.height)]
        known = self._rows if len(self._rows) == len(rows) else []
        changed = [y for y, row in enumerate(rows) if not known or row != known[y]]
        self._rows = rows
        if not changed:
            return
        cells, clusters = array("I"), list[str]()
        for y in changed:
            self._looks.encode(rows[y], cells, clusters)
        self._unseen = True
        self._port.post({
            "kind": "frame", "columns": canvas.width, "rows": canvas.height, "changed": changed,
            "cells": cells.tobytes(), "clusters": clusters,
        })  # fmt: skip

    # -- what the page says --------------------------------------------------------------------------------------------

    def _on_message(self, message: Message) -> None:
        # In a callback of its own, so that an error reaches the app on the event loop.
        asyncio.get_running_loop().call_soon(self._handle, message)

    def _handle(self, message: Message) -> None:
        owner = self._owner
        match message:
            case {"kind": "shown"}:
                self._unseen = False
                owner.frame_shown()
                self._plan()
            case {"kind": "size", "columns": columns, "rows": rows} if (columns, rows) != self._size:
                self._size = columns, rows
                self.repaint()
            case {"kind": "key", "name": name, "latin": latin}:
                owner.key(name, latin)
            case {"kind": "paste", "text": text}:
                owner.paste(text)
            case {"kind": "touch", "x": x, "y": y, "button": button}:
                owner.touch(x, y, button)
            case {"kind": "wheel", "x": x, "y": y, "steps": steps}:
                owner.wheel(x, y, steps)
            case {"kind": "line", "text": text} if self._on_line is not None:
                self._on_line(text)
            case {"kind": "visible", "on": on}:
                owner.focus(on)

    # -- beyond the frame ----------------------------------------------------------------------------------------------

    @property
    def draft(self) -> str:
        return self._draft

    @draft.setter
    def draft(self, text: str) -> None:
        if text != self._draft:
            self._draft = text
            self._port.post({"kind": "draft", "text": text})

    def alert(self, text: str) -> None:
        self._port.post({"kind": "alert", "on": True, "text": text})

    def end_alert(self) -> None:
        self._port.post({"kind": "alert", "on": False, "text": ""})

    def copy(self, text: str) -> None:
        self._port.post({"kind": "copy", "text": text})

    def give_file(self, path: Path) -> None:
        """Lets the browser download the file."""
        self._port.post({"kind": "download", "name": path.name, "bytes": read_file(path, MOST_BYTES)})


class Looks:
    """The numbers of a palette's colors. A frame has few styles and many cells."""

    def __init__(self, palette: Palette) -> None:
        self.palette: Final = palette
        self._known: dict[Style, tuple[int, int]] = {}

    def encode(self, row: Row, cells: array[int], clusters: list[str]) -> None:
        """Appends a row to the cells of a frame, and characters of several code points to its clusters."""
        known = self._known
        for char, style in zip(*row, strict=True):
            look = known.get(style)
            if look is None:
                look = known[style] = self._look(style)
            cells.append(ord(char) if len(char) == 1 else _cluster(char, clusters))
            cells.extend(look)

    def _look(self, style: Style) -> tuple[int, int]:
        marks = BOLD * style.bold | UNDERLINE * style.underline
        return self._number(style.fg) | marks, self._number(style.bg)

    def _number(self, color: Color) -> int:
        r, g, b = self.palette.rgb(color)
        return r << 16 | g << 8 | b


def _cluster(char: str, clusters: list[str]) -> int:
    if not char:
        return COVERED
    clusters.append(char)
    return CLUSTER | len(clusters) - 1
