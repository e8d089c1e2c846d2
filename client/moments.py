"""A game as it went, moment by moment: what a board brings for replays, for onlookers and for web pages.

A `Moments` is given a story, all at once or as it grows; it folds it into moments, and draws or tells any of them. The
moment 0 is the start, the moment n what the n-th thing worth showing led to. Whether something is hidden depends on the
story alone: a board draws what is HIDDEN in it as unknown, never guesses.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, ClassVar, Final, NamedTuple, Protocol

from client.canvas import Action, Canvas
from client.glyphs import clean, width
from client.palette import Colour
from client.people import in_a_row
from client.screen import Help, Section, Ui
from client.widgets import Hint
from games import lookup
from games.table import Answer, Ask, Result, State, asked

if TYPE_CHECKING:
    from client.board import Board
    from protocol.roster import Roster, SignedRoster

LEAP: Final = 10
PACE: Final = 1.2
"""Seconds for which a moment is shown before the next, where a board does not say."""
STILL: Final = float("inf")
"""The seconds after which nothing of a moment moves any more."""


class Around(NamedTuple):
    """What is known of a game beside its story, while it is watched; of a finished game nothing of that.

    `live` says that the moment is the present one of a game that goes on; then `waiting` are the seats whose step is
    missing. `aside` stands at the right of the phase strip, in `aside_fg`.
    """

    live: bool = False
    waiting: tuple[int, ...] = ()
    aside: str = ""
    aside_fg: Colour = "soft"


class Moments(ABC):
    """The moments of one game. `names` by seat; `result` is how it ended, once it has."""

    title: str
    unit: ClassVar[str] = "step"
    """What one moment is called: "move 3 of 20"."""
    leaps: ClassVar[tuple[str, str]] = ("ten on", "ten back")
    """What PgDn and PgUp do."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = names
        self.result: Result | None = None
        self._read = 0

    def take(self, story: Sequence[tuple[Ask, Answer]], result: Result | None) -> None:
        """Takes up what a story, all of which is given, has got since the last call."""
        self.result = result
        new, first = story[self._read :], self._read
        self._read = len(story)
        if new:
            self.add(new, first)

    @abstractmethod
    def add(self, story: Sequence[tuple[Ask, Answer]], first: int) -> None:
        """Takes up the rest of a story, from its ask number `first` on."""

    @property
    @abstractmethod
    def steps(self) -> Sequence[int]:
        """For each moment after the start the number of its ask in the story, ascending."""

    @abstractmethod
    def draw(self, canvas: Canvas, at: int, since: float, around: Around) -> None:
        """Draws a moment that is shown since so many seconds. The first and the last row are left to the screen."""

    @abstractmethod
    def told(self, at: int) -> str:
        """What happened in a moment after the start, in sentences for the ear."""

    @abstractmethod
    def describe(self) -> list[str]:
        """The latest position in sentences for the ear, the most important first."""

    @abstractmethod
    def help(self) -> Help:
        """What F1 says of what is shown, after how one steps through it."""

    def note(self, at: int) -> str:
        """What the title bar says of a moment."""
        del at
        return ""

    def moving(self, at: int) -> float:
        """For how many seconds something moves in a moment, when it follows on the one before."""
        del at
        return 0.0

    def lasting(self, at: int) -> float:
        """For how many seconds a moment is shown before the next, where nobody steps by hand."""
        del at
        return PACE

    def leap(self, at: int, way: int) -> int:
        """Where PgDn (+1) or PgUp (-1) goes to from a moment."""
        return at + LEAP * way

    def went(self) -> None:  # noqa: B027
        """Another moment is shown: what was looked at in the one before is not any more. Nothing has to happen."""

    def hints(self) -> Sequence[Hint]:
        """The keys that the game adds."""
        return ()

    def key(self, name: str, at: int, ui: Ui) -> bool:
        """Answers a key while a moment is shown. False if it means nothing to the game."""
        del name, at, ui
        return False

    def click(self, action: Action, at: int, x: int, y: int) -> bool:
        """Answers a click on an area that `draw` has made."""
        del action, at, x, y
        return False


class Onlooker(Protocol):
    """What an onlooker knows of a game: a `protocol.peer.Peer` without a seat, or the view of one."""

    @property
    def state(self) -> State: ...
    @property
    def story(self) -> tuple[tuple[Ask, Answer], ...]: ...
    @property
    def waiting(self) -> tuple[int, ...]: ...
    @property
    def result(self) -> Result | None: ...
    @property
    def table(self) -> SignedRoster: ...


def names_of(roster: Roster) -> tuple[str, ...]:
    """The nicknames at a table, by seat, never empty; of two that are alike one carries the key's fingerprint."""
    from p2p.confusables import confusable
    from p2p.identity import fingerprint

    people = [(clean(place.nickname) or f"seat {seat + 1}", place.identity) for seat, place in enumerate(roster.seats)]
    return tuple(
        f"{name} {fingerprint(key)}" if any(confusable(name, other) and k < key for other, k in people) else name
        for name, key in people
    )


def board_of(game: str) -> Board | None:
    """The board of a game; None where none is installed."""
    from client.board import find_board

    with suppress(LookupError):
        return find_board(game)
    return None


def moments_of(game: str, roster: Roster) -> Moments:
    """The moments of a game that begins at a table, none of them taken up yet: those of its board, if that draws any.

    Raises LookupError for a game that is not installed.
    """
    from client.board import Unfolds
    from client.story import StoryMoments

    rules, names, board = lookup.find(game), names_of(roster), board_of(game)
    given = {option.name for option in rules.options}
    start = rules.start(len(names), {name: value for name, value in roster.options if name in given}, roster.begins)
    return board.moments(start, names) if isinstance(board, Unfolds) else StoryMoments(rules.title, names)


def choosing(state: State, seats: Sequence[int]) -> list[int]:
    """Of these seats, those whose players have something to choose; what programs do by themselves takes no time."""
    ask = state.ask()
    return [] if isinstance(ask, Result) else [seat for seat in seats if asked(ask, seat) is not None]


def awaited(state: State, waiting: Sequence[int], names: Sequence[str], room: int = 28) -> str:
    """Whose choice is waited for, in so many cells."""
    seats = choosing(state, waiting)
    verb = "is" if len(seats) == 1 else "are"
    said = f"{in_a_row([names[seat] for seat in seats])} {verb} choosing…" if seats else ""
    return said if width(said) <= room else f"{len(seats)} {verb} choosing…"


def sealed(state: State, waiting: Sequence[int], seats: int) -> list[int]:
    """Of so many seats, those that have sealed a choice which others are still thinking about."""
    asks = choosing(state, range(seats))
    return [seat for seat in asks if seat not in waiting] if any(seat in waiting for seat in asks) else []


def stepping(more: Help) -> Help:
    """The help of a screen that steps through moments."""
    return Help(more.title, (KEYS, *more.sections))


KEYS: Final = Section(
    "Stepping",
    "→ shows what happened next, ← goes back, as does the wheel. Space plays on by itself, and pauses. PgDn and PgUp "
    "go further, Home and End to the start and the end; a number and Enter go to that one, l lists all.",
)
