"""The dossier of a game that has ended, as a board makes it and the screens show it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.columns import TableColumns
from kimberley.client.ui.glyphs import cell_width
from kimberley.client.ui.palette import Color
from kimberley.client.ui.spans import Spans


class DossierRow(NamedTuple):
    """A line of the dossier: a tuple of spans for each column, and the step of the record that the line is about."""

    cells: tuple[Spans, ...]
    step: int | None = None


class Measure(NamedTuple):
    """A quantity in which the seats are compared: its sign with a color, its name, and what each seat has of it.

    `unit` follows an amount ("K"), `note` says what counts. An amount that is not known is HIDDEN. `invested`: a lead
    in it can grow just because another seat buys what pays later. Seats that are `out` are not compared.
    """

    sign: str
    name: str
    fg: Color
    amounts: Sequence[Any]
    unit: str = ""
    note: str = ""
    invested: bool = False
    out: frozenset[int] = frozenset()


def absent(present: Sequence[bool]) -> frozenset[int]:
    """Returns the seats that are out, of those that are `present` or not."""
    return frozenset(seat for seat, here in enumerate(present) if not here)


class Sample(NamedTuple):
    """The end of a month, round or move: its number, the step of the record, and what made the most difference."""

    label: str
    step: int
    said: str


def name_room(names: Sequence[str], width: int) -> int:
    """Returns the columns for names in the rows of a dossier that is `width` columns wide."""
    return min(max(map(cell_width, names), default=0), 10 if width < 100 else 20)


NOBODY_PLAYED: Final = "The game ended before anyone had played."


@dataclass(frozen=True)
class GameCurve:
    """The curve of a game.

    Args:
        unit: What a sample is the end of: "month".
        samples: At least two.
        measures: The quantities, the decisive one first, with the amounts at the end.
        amounts: For each measure the amounts by seat, sample by sample.
        marks: The sign and the color of each seat.
        names: The players by seat.
        you: The seat of the person who watches, or None.
        turn: The index of the sample at which the game turned; None if there is none.
        how: How the winner got ahead there, in a sentence; empty if the game did not turn.
        in_signs: Writes a sentence as the board does: `GameUI.in_signs`.

    """

    unit: str
    samples: tuple[Sample, ...]
    measures: tuple[Measure, ...]
    amounts: tuple[tuple[tuple[int, ...], ...], ...]
    marks: tuple[tuple[str, Color], ...]
    names: tuple[str, ...]
    you: int | None
    turn: int | None
    how: str
    in_signs: Callable[[str], str]

    def sentence(self, at: int) -> str:
        """Says what happened in a month, round or move, and if the game turned there, how."""
        sample = self.samples[at]
        how = f"{self.how} " if at == self.turn else ""
        chapter = f"{self.unit.capitalize()} {sample.label}"
        # What begins a chapter names it.
        named = not how and sample.said.startswith(f"{chapter} ")
        return sample.said if named else f"{chapter}. {how}{sample.said}"

    def drawn(self, at: int) -> str:
        """Returns the sentence for those who see the board."""
        return self.in_signs(self.sentence(at))

    @property
    def lines(self) -> tuple[str, ...]:
        """Says where the lead changed, for the line mode."""
        return () if self.turn is None else (f"The lead. {self.sentence(self.turn)}",)


@dataclass(frozen=True, slots=True)
class Dossier:
    """What happened in a game, shown when nothing is hidden any more.

    `head` draws rows 1 to 3 of the screen on a region of three rows: the players, the winner and how they won.
    `build` returns the table and its rows for a width in columns.
    `lines` tells the whole dossier in sentences, for the line mode. `curve` shows how the game went. A game without one
    may have a `board`: it draws the last position on a region of any size, with what `head` says, except on a portrait
    screen, which has the head above it. `called` is what the player calls the rows, and `empty` is shown if there
    are none.
    """

    title: str
    head: Callable[[Canvas], None]
    build: Callable[[int], tuple[TableColumns, tuple[DossierRow, ...]]]
    lines: tuple[str, ...]
    curve: GameCurve | None = None
    board: Callable[[Canvas], None] | None = None
    called: str = "dossier"
    empty: str = NOBODY_PLAYED
