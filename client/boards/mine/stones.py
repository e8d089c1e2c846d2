"""How gems and players look: a gem is its size and the letter of its color, a player a sign and a number."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final, NamedTuple

from kimberley.client.ui.layout import SEAT_MARKS
from kimberley.client.ui.palette import Color, Tint
from kimberley.client.ui.spans import Span, Spans
from kimberley.games.mine.gems import COLORS, FLAWLESS, LETTERS, MEDIUM, OWN, SMALL, WHITE
from kimberley.games.phrases import count_of, join_names
from kimberley.games.table import Hidden

if TYPE_CHECKING:
    from kimberley.games.mine.rules import State

PAINT: Final[tuple[Color, ...]] = ("seat1", "seat2", "seat3", "seat4", "bright")
"""The color of gems of each color, and so of the player who collects them."""
HOMES: Final[tuple[Color, ...]] = (
    Tint(126, 46, 30, "alarm"), Tint(33, 74, 140, "facet1"), Tint(40, 97, 44, "huila"), Tint(104, 47, 106, "moxico"),
)  # fmt: skip
"""The ground of the home of each color."""
SIZES: Final = {SMALL: "▴", MEDIUM: "▲"}
SIZE_NAMES: Final = {SMALL: "small", MEDIUM: "medium"}


class Stone(NamedTuple):
    """A gem: its size in pips, and its color, None while nobody knows it."""

    size: int
    color: int | None

    @property
    def mark(self) -> str:
        """The gem in two characters: "▲r"."""
        return SIZES[self.size] + ("?" if self.color is None else LETTERS[self.color])

    @property
    def kind(self) -> str:
        """Size and color in words: "medium red", "medium"."""
        return SIZE_NAMES[self.size] if self.color is None else f"{SIZE_NAMES[self.size]} {COLORS[self.color]}"

    @property
    def name(self) -> str:
        """The gem in words: "medium red gem"."""
        return f"{self.kind} gem"

    @property
    def code(self) -> str:
        """The gem as it is typed: "mr" is a medium red gem."""
        assert self.color is not None
        return f"{SIZE_NAMES[self.size][0]}{LETTERS[self.color]}"

    @property
    def paint(self) -> Color:
        return "soft" if self.color is None else PAINT[self.color]


def stone(state: State, gem: int) -> Stone:
    """Returns a gem, as far as it is known in the state."""
    color = state.color(gem)
    return Stone(state.size(gem), None if isinstance(color, Hidden) else color)


def stones(state: State, gems: Iterable[int]) -> tuple[Stone, ...]:
    """Returns gems, the larger first, then by color."""
    looks = [stone(state, gem) for gem in gems]
    return tuple(sorted(looks, key=lambda look: (-look.size, -1 if look.color is None else look.color)))


def spans(gems: Iterable[Stone]) -> Spans:
    """Returns gems in a row, a space between them."""
    row: list[Span] = []
    for gem in gems:
        row += [Span(" "), Span(gem.mark, gem.paint, True)] if row else [Span(gem.mark, gem.paint, True)]
    return tuple(row)


def named(gems: Iterable[Stone]) -> str:
    """Returns gems in words: "a medium red gem and 2 small blue ones"."""
    words: list[str] = []
    for kind, number in Counter(gem.kind for gem in gems).items():
        noun = f"{kind} {'one' if words else 'gem'}"
        words.append(count_of(number, noun) if number > 1 else f"a {noun}")
    return join_names(words) or "nothing"


def player_mark(seat: int) -> str:
    """Returns a player's sign and number: "▲1"."""
    return f"{SEAT_MARKS[seat]}{seat + 1}"


def player_paint(state: State, seat: int) -> Color:
    """Returns a player's color: that of the gems that count double; before the lots that of the seat."""
    return PAINT[state.colors[seat]] if state.colors else f"seat{seat + 1}"


def home_paint(state: State, seat: int) -> Color:
    """Returns the ground of a player's home."""
    return HOMES[state.colors[seat] if state.colors else seat]


def colors(state: State) -> range:
    """Returns the colors that are in the bag."""
    return range(len(COLORS) if state.fifth else WHITE)


def multiple(state: State, gem: int, seat: int) -> str:
    """Says why a gem is worth what it is to a seat: "own ×2", "flawless ×3", or nothing."""
    color = state.color(gem)
    if isinstance(color, Hidden):
        return ""
    if color == state.flawless:
        return f"flawless ×{FLAWLESS}"
    return f"own ×{OWN}" if color == state.colors[seat] else ""
