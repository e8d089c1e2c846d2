"""The panel: what can be done, the table, and the log, by tabs, or below each other where there is room."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from kimberley.client.boards.piecepack.form import WRAPPED, PiecepackForm
from kimberley.client.boards.piecepack.layout import draw_table
from kimberley.client.boards.piecepack.panel import TALL, PlayerRow, draw_deeds, draw_log
from kimberley.client.boards.piecepack.window import Window
from kimberley.client.ui.buttons import Button, draw_buttons
from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.glyphs import wrap
from kimberley.client.ui.lists import tabs
from kimberley.client.ui.panels import paragraph
from kimberley.client.ui.spans import Spans
from kimberley.games.piecepack.field import TilePlace
from kimberley.games.piecepack.rules import State
from kimberley.p2p.sentences.notices import NOTHING_TO_DO

DO, TABLE, LOG = range(3)
NAMES: Final = ("Actions", "Table", "Log")
BACK: Final = (Button("Back", "Esc"),)
BELOW: Final = 15
"""Rows below the table, in a tall panel: all actions, and what one of them does."""


@dataclass(frozen=True, slots=True)
class SidePanel:
    """What the panel shows. `log` are sentences with their colors; `form` is what the player is asked, if anything. A
    spectator has nothing to do. `idle` says why a player has nothing to do. A player who `looks` at a tile is choosing
    nothing.
    """

    state: State
    players: Sequence[PlayerRow]
    window: Window | None
    ghosts: tuple[TilePlace, ...]
    log: Spans
    form: PiecepackForm | None
    spectator: bool = False
    idle: str = NOTHING_TO_DO
    looks: bool = False


def draw_side_panel(canvas: Canvas, side: SidePanel, tab: int) -> None:
    """Draws the panel over the whole canvas. A click on a tab is ("tab", n)."""
    canvas.fill(0, 0, canvas.width, canvas.height, "panel")
    if canvas.height < TALL:
        _draw_tabs(canvas, (TABLE, LOG) if side.spectator else (DO, TABLE, LOG), tab)
        inner = canvas.region(0, 1, canvas.width, canvas.height - 1)
        if tab == TABLE:
            _draw_table(inner, side)
        else:
            _draw_tab(inner.region(0, 1, inner.width, inner.height - 1), side, tab)
        return
    below = BELOW if canvas.height < TALL + BELOW else canvas.height // 2 - 2
    _draw_table(canvas.region(0, 1, canvas.width, canvas.height - below - 1), side)
    bottom = canvas.region(0, canvas.height - below, canvas.width, below)
    if side.spectator:
        _draw_tab(bottom, side, LOG)
        return
    open_tab = LOG if tab == LOG or side.form is None else DO
    _draw_tabs(bottom, (DO, LOG), open_tab)
    _draw_tab(bottom.region(0, 2, bottom.width, below - 2), side, open_tab)


def _draw_tabs(canvas: Canvas, offered: tuple[int, ...], tab: int) -> None:
    tabs(canvas, 1, 0, [NAMES[number] for number in offered], offered.index(tab), lambda n: ("tab", offered[n]))


def _draw_table(canvas: Canvas, side: SidePanel) -> None:
    if side.window is not None:
        draw_table(canvas, side.state, side.players, side.window, side.ghosts)


def _draw_tab(canvas: Canvas, side: SidePanel, tab: int) -> None:
    if tab == LOG:
        draw_log(canvas, side.log)
        if not side.log:
            canvas.put(1, 0, "Nothing yet.", "soft")
    elif side.form is None:
        paragraph(canvas, 1, 0, wrap(side.idle, canvas.width - 2))
    elif (menu := side.form.deeds()) is not None:
        draw_deeds(canvas, *menu)
    else:
        # A box over the field has its own buttons.
        buttons = side.form.buttons() if side.form.request() is None else ()
        _draw_choice(canvas, side.form, BACK if side.looks else buttons)


def _draw_choice(canvas: Canvas, form: PiecepackForm, buttons: Sequence[Button]) -> None:
    """Draws what is being chosen, what it would do, and the buttons for it; low ones if tall ones have no room."""
    y = paragraph(canvas, 1, 0, wrap(form.sentence(WRAPPED), canvas.width - 2)) + 1
    y = paragraph(canvas, 1, y, wrap(form.about(), canvas.width - 2), "text") + 1
    tall = y + 3 * len(buttons) <= canvas.height
    draw_buttons(canvas, 1, y + tall, buttons, rows=3 if tall else 1, tall=tall)
