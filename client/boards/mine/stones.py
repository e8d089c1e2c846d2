"""How gems and players look: a gem is its size and the letter of its colour, a player a sign and a number."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final, NamedTuple

from client.board import Span
from client.palette import Colour, Tint
from client.screens.stage import SEAT_MARKS
from games.mine.gems import COLOURS, FLAWLESS, LETTERS, MEDIUM, OWN, SMALL, WHITE
from games.table import Hidden

if TYPE_CHECKING:
    from games.mine.rules import State

PAINT: Final[tuple[Colour, ...]] = ("seat1", "seat2", "seat3", "seat4", "bright")
"""By colour of a gem, and so of who collects it."""
HOMES: Final[tuple[Colour, ...]] = (
    Tint(126, 46, 30, "alarm"), Tint(33, 74, 140, "facet1"), Tint(40, 97, 44, "huila"), Tint(104, 47, 106, "moxico"),
)  # fmt: skip
"""The ground of a home, by colour."""
SIZES: Final = {SMALL: "▴", MEDIUM: "▲"}
SIZE_NAMES: Final = {SMALL: "small", MEDIUM: "medium"}


class Stone(NamedTuple):
    """A gem: its size in pips, and its colour, None while nobody knows it."""

    size: int
    colour: int | None

    @property
    def mark(self) -> str:
        """Two characters: "▲r"."""
        return SIZES[self.size] + ("?" if self.colour is None else LETTERS[self.colour])

    @property
    def name(self) -> str:
        """In words: "medium red"."""
        return f"{SIZE_NAMES[self.size]} {'gem' if self.colour is None else COLOURS[self.colour]}"

    @property
    def paint(self) -> Colour:
        return "soft" if self.colour is None else PAINT[self.colour]


def stone(state: State, gem: int) -> Stone:
    """A gem as the state knows it."""
    colour = state.colour(gem)
    return Stone(state.size(gem), None if isinstance(colour, Hidden) else colour)


def stones(state: State, gems: Iterable[int]) -> tuple[Stone, ...]:
    """Gems, the larger first, then by colour."""
    found = [stone(state, gem) for gem in gems]
    return tuple(sorted(found, key=lambda each: (-each.size, -1 if each.colour is None else each.colour)))


def spans(gems: Iterable[Stone]) -> list[Span]:
    """Gems in a row, a space between them."""
    found: list[Span] = []
    for each in gems:
        found += [Span(" "), Span(each.mark, each.paint, True)] if found else [Span(each.mark, each.paint, True)]
    return found


def named(gems: Iterable[Stone]) -> str:
    """Gems in words: "a medium red and a small blue"."""
    words = [f"a {each.name}" for each in gems]
    if not words:
        return "nothing"
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def player_mark(seat: int) -> str:
    """A player's sign and number: "▲1"."""
    return f"{SEAT_MARKS[seat]}{seat + 1}"


def player_paint(state: State, seat: int) -> Colour:
    """A player's colour: that of the gems that count double; before the lots that of the seat."""
    return PAINT[state.colours[seat]] if state.colours else f"seat{seat + 1}"


def home_paint(state: State, seat: int) -> Colour:
    """The ground of a player's home."""
    return HOMES[state.colours[seat] if state.colours else seat]


def colours(state: State) -> range:
    """The colours that are in the bag."""
    return range(len(COLOURS) if state.fifth else WHITE)


def multiple(state: State, gem: int, seat: int) -> str:
    """Why a gem is worth what it is to a seat: "own ×2", "flawless ×3", or nothing."""
    colour = state.colour(gem)
    if isinstance(colour, Hidden):
        return ""
    if colour == state.flawless:
        return f"flawless ×{FLAWLESS}"
    return f"own ×{OWN}" if colour == state.colours[seat] else ""
