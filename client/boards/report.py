"""The dossier of a game that has ended, as a board makes it and the screens show it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.palette import Color
from kimberley.client.ui.widgets import Column


class Span(NamedTuple):
    """A piece of a line with its own colors. Without `bg`, it keeps the background of the row."""

    text: str
    fg: Color = "text"
    bold: bool = False
    bg: Color | None = None


class DossierRow(NamedTuple):
    """A line of the dossier: a tuple of spans for each column, and the step of the record that the line is about."""

    cells: tuple[tuple[Span, ...], ...]
    step: int | None = None


@dataclass(frozen=True, slots=True)
class Dossier:
    """What happened in a game, shown when nothing is hidden any more.

    `head` draws rows 1 to 3 of the screen on a region of three rows: the players, the winner and how they won.
    `columns` fit within the width of the region less two. `build` returns columns and rows for a width in columns.
    `lines` tells the whole dossier in sentences, for the line mode.
    """

    title: str
    head: Callable[[Canvas], None]
    build: Callable[[int], tuple[tuple[Column, ...], tuple[DossierRow, ...]]]
    lines: tuple[str, ...]
