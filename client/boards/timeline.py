"""A game as it went, position by position: what a board provides for replays, for spectators and for web pages.

A `Timeline` reads a story, all at once or as it grows. It divides it into positions, and draws or describes any of
them. Position 0 is the start, position n follows the n-th event worth showing. Whether something is hidden depends on
the story alone: a board draws what is HIDDEN in it as unknown, and never guesses.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from kimberley.client.boards.report import GameCurve, Span
from kimberley.client.boards.spans import Spans
from kimberley.client.boards.view import STILL
from kimberley.client.session.notices import join_names
from kimberley.client.ui.canvas import Action, Canvas
from kimberley.client.ui.glyphs import cell_width, clean
from kimberley.client.ui.palette import Color
from kimberley.client.ui.screen import Help, Section, Ui
from kimberley.client.ui.widgets import Hint, StyledText
from kimberley.games.table import Answer, Ask, Result, State, space_for

if TYPE_CHECKING:
    from kimberley.protocol.roster import Roster

__all__ = ["STILL", "LiveContext", "Timeline", "awaited", "choosing", "names_of", "sealed", "stepping"]

LEAP: Final = 10
PACE: Final = 1.2
"""Seconds for which a position is shown before the next, if a board does not say."""


class LiveContext(NamedTuple):
    """What is known about a game beyond its story, while the user watches it. All defaults for a finished game.

    `live` says that this is the current position of a running game. `waiting` are then the seats whose step is missing.
    `aside` stands at the right of the phase strip, in `aside_fg`.
    """

    live: bool = False
    waiting: tuple[int, ...] = ()
    aside: str = ""
    aside_fg: Color = "soft"


class Timeline(ABC):
    """The positions of one game. `names` is by seat; `result` is how it ended, once it has."""

    title: str
    unit: str = "step"
    """The word for one position: "move 3 of 20"."""
    leaps: tuple[str, str] = ("ten on", "ten back")
    """What PgDn and PgUp do."""

    you: int | None = None
    """The seat of the person who looks on; None for a spectator and in a replay."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = names
        self.result: Result | None = None
        self._read = 0

    def refresh(self, story: Sequence[tuple[Ask, Answer]], result: Result | None) -> None:
        """Reads what was added to a story since the last call. `story` is the whole story."""
        self.result = result
        new, first = story[self._read :], self._read
        self._read = len(story)
        if new:
            self.extend(new, first)

    @abstractmethod
    def extend(self, story: Sequence[tuple[Ask, Answer]], first: int) -> None:
        """Reads the rest of a story, from its ask number `first` on."""

    @property
    @abstractmethod
    def steps(self) -> Sequence[int]:
        """For each position after the start, the number of its ask in the story, ascending."""

    @abstractmethod
    def draw(self, canvas: Canvas, at: int, since: float, around: LiveContext) -> None:
        """Draws a position that has been shown for `since` seconds. The first and the last row belong to the screen."""

    @abstractmethod
    def describe_event(self, at: int) -> str:
        """Says what happened before a position after the start, in sentences to read aloud."""

    @abstractmethod
    def describe(self) -> list[str]:
        """The latest position in sentences to read aloud, the most important first."""

    @abstractmethod
    def help(self) -> Help:
        """The help for F1 about the drawing. Help on stepping comes before it."""

    def sentences(self, at: int) -> Sequence[str]:
        """The same, one sentence an item."""
        return (self.describe_event(at),)

    def spans(self, at: int) -> Sequence[Spans]:
        """The same sentences as the log draws them."""
        return [(Span(said),) for said in self.sentences(at)]

    def heading(self, at: int) -> str:
        """The heading under which the log lists what happened before a position: "Round 3"."""
        del at
        return ""

    def label(self, at: int) -> str:
        """The kind of what happened before a position, in a word, for the log."""
        del at
        return ""

    def gain(self, at: int) -> StyledText | None:
        """What it brought, for the right end of its line in the log."""
        del at
        return None

    def seat_of(self, at: int) -> int | None:
        """The seat that did what happened before a position; None if it was chance or several seats."""
        del at
        return None

    @property
    def acting_seats(self) -> Sequence[int]:
        """The seats that have done something alone so far."""
        seats = {self.seat_of(at) for at in range(1, len(self.steps) + 1)}
        return sorted(seat for seat in seats if seat is not None)

    def note(self, at: int) -> str:
        """The note in the title bar for a position."""
        del at
        return ""

    def moving(self, at: int) -> float:
        """How many seconds the step from the position before is animated."""
        del at
        return 0.0

    def lasting(self, at: int) -> float:
        """How many seconds a position is shown before the next, unless the user steps by hand."""
        del at
        return PACE

    def curve(self) -> GameCurve | None:
        """How the game went, once it has ended; None if there is no curve."""
        return None

    def stops(self, at: int) -> bool:
        """Whether the key that shows all at once stops at a position."""
        del at
        return False

    def leap(self, at: int, way: int) -> int:
        """The position that PgDn (+1) or PgUp (-1) leads to."""
        return at + LEAP * way

    def on_position_changed(self) -> None:  # noqa: B027
        """Called when another position is shown, to drop what was selected in the one before. Optional."""

    def hints(self) -> Sequence[Hint]:
        """The keys that the game adds."""
        return ()

    def key(self, name: str, at: int, ui: Ui) -> bool:
        """Handles a key at a position. Returns False if the key has no meaning in this game."""
        del name, at, ui
        return False

    def click(self, action: Action, at: int, x: int, y: int) -> bool:
        """Handles a click on an area that `draw` has made."""
        del action, at, x, y
        return False


def names_of(roster: Roster) -> tuple[str, ...]:
    """The nicknames at a table, by seat, none of them empty. Of two similar ones, one carries the key's fingerprint."""
    from kimberley.p2p.base.confusables import confusable
    from kimberley.p2p.storage.identity import fingerprint

    people = [(clean(place.nickname) or f"seat {seat + 1}", place.identity) for seat, place in enumerate(roster.seats)]
    return tuple(
        f"{name} {fingerprint(key)}" if any(confusable(name, other) and k < key for other, k in people) else name
        for name, key in people
    )


def choosing(state: State, seats: Sequence[int]) -> list[int]:
    """Those of the given seats whose players must make a choice. Steps that programs do by themselves take no time."""
    ask = state.ask()
    return [] if isinstance(ask, Result) else [seat for seat in seats if space_for(ask, seat) is not None]


def awaited(state: State, waiting: Sequence[int], names: Sequence[str], room: int = 28) -> str:
    """Says whose choice the game waits for, in at most `room` cells."""
    seats = choosing(state, waiting)
    verb = "is" if len(seats) == 1 else "are"
    said = f"{join_names([names[seat] for seat in seats])} {verb} choosing…" if seats else ""
    return said if cell_width(said) <= room else f"{len(seats)} {verb} choosing…"


def sealed(state: State, waiting: Sequence[int], seats: int) -> list[int]:
    """The seats that have sealed a choice while other seats are still choosing."""
    asks = choosing(state, range(seats))
    return [seat for seat in asks if seat not in waiting] if any(seat in waiting for seat in asks) else []


def stepping(more: Help) -> Help:
    """The help of a screen that steps through positions."""
    return Help(more.title, (KEYS, *more.sections))


KEYS: Final = Section(
    "Stepping",
    "→ shows what happened next and ← goes back; so does the wheel. Space plays and pauses. PgDn and PgUp "
    "go further, Home and End to the start and the end; a number and Enter go to that one, l lists all.",
)
