"""What every screen of a table shows besides its own: the banners, the last message, and the key of the chat."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from kimberley.client.screens import banner, chat
from kimberley.client.session.chat import can_talk
from kimberley.client.session.interfaces import AtTable
from kimberley.client.ui.bars import TITLE_KEYS
from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.screen import LANDSCAPE, Screen
from kimberley.client.ui.touch import bar_rows

if TYPE_CHECKING:
    from kimberley.client.screens.shell import TableFlowLike
    from kimberley.client.session.banners import Banner


TITLE_KEYS_COLUMNS: Final = len(TITLE_KEYS) + 2
"""The columns of the title bar that keep their keys while a message is shown."""


class TableFrame:
    """Paints the screens of one table."""

    def __init__(self, flow: TableFlowLike) -> None:
        self._flow = flow
        self._banners: Sequence[Banner] = ()
        self._inserted: int | None = None
        """The row at which the screen has made room for a banner, if it has."""

    def paint(self, screen: Screen, canvas: Canvas, now: float, *, alone: bool) -> None:
        """Paints a screen, and what belongs around it.

        Args:
            screen: The topmost screen that is not an overlay.
            canvas: The whole terminal.
            now: The time.
            alone: Nothing lies over the screen. Over another one, `paint_message` shows the last message.

        """
        self._banners, self._inserted = self._flow.banners(screen, now), None
        makes_room = bool(self._banners) and not canvas.portrait and canvas.height >= LANDSCAPE.rows + banner.ROWS
        body = canvas.region(0, 0, canvas.width, canvas.height - (banner.ROWS if makes_room else 0))
        self._paint_screen(screen, body, now, alone=alone)
        if makes_room:
            self._inserted = banner.insertion_row(canvas)
            canvas.insert_rows(self._inserted, banner.ROWS)
            banner.draw_banner(canvas, self._inserted, self._banners, now)
        elif self._banners and canvas.portrait:
            banner.draw_upright(canvas, self._banners, now)
        elif self._banners:
            banner.draw_over(canvas, self._banners, now)
        if alone:
            self._draw_chat_line(canvas, now, on_title=makes_room or not self._banners)

    def paint_message(self, canvas: Canvas, now: float) -> None:
        """Shows the last message in the first row, over all that lies over the screen."""
        chat.draw_line(canvas, 0, canvas.width, self._flow.table, self._flow.chat, now)

    def _draw_chat_line(self, canvas: Canvas, now: float, *, on_title: bool) -> None:
        """Shows the last message in place of the title, or with a banner, of the keys: nothing is chosen there."""
        flow = self._flow
        if canvas.portrait:
            chat.draw_line(canvas, canvas.height - bar_rows(canvas), canvas.width, flow.table, flow.chat, now)
            return
        row, room = (0, canvas.width - TITLE_KEYS_COLUMNS) if on_title else (canvas.height - 1, canvas.key_room)
        chat.draw_line(canvas, row, room, flow.table, flow.chat, now)

    def _paint_screen(self, screen: Screen, canvas: Canvas, now: float, *, alone: bool) -> None:
        flow = self._flow
        if not alone:
            screen.draw(canvas, now)
            return
        talks = isinstance(screen, AtTable) and (can_talk(flow.table) or bool(flow.table.chat.lines))
        hint = chat.chat_hint(flow.chat) if talks else ()
        canvas.reserve(chat.hint_width(hint))
        screen.draw(canvas, now)
        chat.draw_hint(canvas, hint)

    def key(self, name: str) -> bool:
        """Answers the banner that is shown. Returns False if the key answers nothing."""
        action = banner.answer_to(self._banners[0], name) if self._banners else None
        if action is not None:
            self._flow.answer(action, self._banners[0])
        return action is not None

    def row_of(self, y: int) -> int:
        """Returns the row of the screen that is shown in a row of the terminal."""
        return y if self._inserted is None or y < self._inserted else y - banner.ROWS
