"""How a game is drawn for one person: the board and its panels, and what that person looks at.

The frame around it (title bar, phase strip, key bar, log, chat, playback) is the same for all games: see `game_screen`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Final, Generic, NamedTuple, TypeVar

from kimberley.client.boards.form import AnyForm
from kimberley.client.session.banners import Banner
from kimberley.client.ui.bars import phase_strip
from kimberley.client.ui.canvas import Action, Canvas
from kimberley.client.ui.keys import Hint
from kimberley.client.ui.palette import Color
from kimberley.client.ui.screen import Help, MenuItem, Ui
from kimberley.games.table import Plain, Result

S = TypeVar("S")
E = TypeVar("E")

STILL: Final = float("inf")
"""The seconds after which a position is no longer animated."""


TALL_COLUMNS: Final = 56
"""The columns of a board on a phone: its screen is as wide as this many letters of a readable size."""


MARKED: Final = 0.5
"""Where the mark of a countdown stands, as a share of its bar."""


class Countdown(NamedTuple):
    """A clock that ends a choice, in seconds: what is `left` of its `most`. It lasts `quiet` seconds at least; nobody
    can tell anything from who is done earlier.
    """

    left: float
    most: float
    quiet: float

    @property
    def mark(self) -> float | None:
        """Where on the bar the quiet time ends, from 0 to 1; None if nothing ends before the clock."""
        return MARKED if self.quiet < self.most else None

    @property
    def in_quiet(self) -> bool:
        """Returns whether the clock shows what is left of the quiet time."""
        return self.left > self.most - self.quiet

    @property
    def shown(self) -> int:
        """Returns the seconds to show."""
        return max(0, round(self.left))

    @property
    def share(self) -> float:
        """Returns how much of the bar is full. The quiet time has as much room as all that comes after it."""
        late = self.most - self.quiet
        if self.mark is None:
            return self.left / self.most if self.most else 0.0
        if self.in_quiet:
            return MARKED + (1 - MARKED) * (self.left - late) / self.quiet
        return MARKED * self.left / late


class Strip(NamedTuple):
    """The phase strip: the phase, a sentence, and at the right whom the table waits for, in its color, or a clock."""

    phase: str
    sentence: str
    aside: str = ""
    aside_fg: Color = "soft"
    countdown: Countdown | None = None


@dataclass(frozen=True, slots=True)
class Shown(Generic[S, E]):
    """A position of a game as it is shown.

    Args:
        state: The state to draw.
        events: All known events of the game.
        at: How many of them led to the position. If the game goes on, the ones after it are still to be shown.
        names: The players' names by seat.
        you: The seat of the person who watches; None for a spectator and in a replay.
        since: The seconds for which the position has been shown; STILL if nothing is animated any more.
        now: The time of the event loop in seconds.
        live: Whether this is the present of a game that goes on: not while the player has paused, or gone back.
        playing: Whether the event before it is still being shown at a table: then there is no form.
        stepping: Whether keys step from position to position: in a replay, or when a player goes back.
        calm: Whether nothing may move by itself.
        waiting: The seats whose step is missing, in the latest position of a game that goes on.
        result: How the game ended, in its last position.
        form: The pending choice of the person who watches, or a sealed one that still shows.
        talk: The chat so far: (name, text).
        options: The options of the table.
        late: Whether the quiet time of a time to adjust is over: a player who is done now may have been told something.
        unobserved: Whether nobody learns anything from how long this player takes: only bots of this program play.

    """

    state: S
    events: Sequence[E]
    at: int
    names: Sequence[str]
    you: int | None = None
    since: float = STILL
    now: float = 0.0
    live: bool = False
    playing: bool = False
    stepping: bool = False
    calm: bool = False
    waiting: Sequence[int] = ()
    result: Result | None = None
    form: AnyForm | None = None
    talk: Sequence[tuple[str, str]] = ()
    options: Mapping[str, Plain] = field(default_factory=dict)
    late: bool = False
    unobserved: bool = False

    @property
    def past(self) -> Sequence[E]:
        """The events that led to the position."""
        return self.events[: self.at]

    @property
    def last(self) -> E | None:
        """The event that led to the position; None at the start."""
        return self.events[self.at - 1] if self.at else None


class BoardView(ABC, Generic[S, E]):
    """How a game is drawn for one person: seat `you`, or a spectator (None). It outlives every form."""

    strip_row = 1
    """The row of the phase strip, for boards that draw it across the screen."""

    def __init__(self, names: Sequence[str], you: int | None) -> None:
        self.names, self.you = names, you

    def tick(self, shown: Shown[S, E]) -> None:
        """Notes what a game's own screen shows from now on, before it is drawn. Optional."""

    @abstractmethod
    def draw(self, canvas: Canvas, shown: Shown[S, E]) -> None:
        """Draws the position. The first and the last row, and the phase strip, are drawn by others."""

    portrait: ClassVar[bool] = False
    """Whether the board can be drawn on a portrait screen."""

    def draw_portrait(self, header: Canvas, body: Canvas, shown: Shown[S, E]) -> None:
        """Draws the position on a portrait screen, in which everything can be touched.

        Args:
            header: The first rows: who plays, and what each has.
            body: All between the phase strip and the keys: the board as large as it can be, and the card below it.
            shown: The position.

        """

    tall_rows: ClassVar[int] = 0
    """The rows that `draw_tall` needs; 0 if the board has no such form."""

    def draw_tall(self, canvas: Canvas, shown: Shown[S, E]) -> None:
        """Draws the position on TALL_COLUMNS columns, for a page on a phone: the board, and the panel below it."""

    @abstractmethod
    def strip(self, shown: Shown[S, E], room: int) -> tuple[str, str]:
        """Returns the phase, and what to do in it or what happened. Both have `room` columns (see `sentence_room`);
        whole sentences that do not fit are left out.
        """

    def draw_strip(self, canvas: Canvas, strip: Strip) -> None:
        """Draws the phase strip."""
        phase_strip(canvas, self.strip_row, strip.phase, strip.sentence, strip.aside, strip.aside_fg)

    def note(self, shown: Shown[S, E]) -> str:
        """Returns the note in the title bar: "turn 3 of 25"."""
        del shown
        return ""

    def your_turn(self, shown: Shown[S, E]) -> tuple[str, Color]:
        """Returns the text at the right of the phase strip while the person who watches chooses."""
        del shown
        return "your turn", "ok"

    def has_way_on(self, shown: Shown[S, E]) -> bool:
        """Returns whether the picture has a button of its own that goes on where the playback stops."""
        del shown
        return False

    def hints(self, shown: Shown[S, E]) -> Sequence[Hint]:
        """Returns the keys with which to look around, for the key bar."""
        del shown
        return ()

    @property
    def looks_at(self) -> Plain:
        """Where the player looks, if touches or sentences mean something else there than elsewhere."""
        return None

    @looks_at.setter
    def looks_at(self, place: Plain) -> None:
        del place

    @property
    def modal(self) -> bool:
        """Returns whether something is open over the board. Then keys and clicks are for the board first, not for the
        form.
        """
        return False

    def key(self, name: str, shown: Shown[S, E], ui: Ui) -> bool:
        """Handles a key with which to look around. Returns False if it has no meaning here.

        In a replay, and while a player goes back through the game, it comes before the keys that step.
        """
        del name, shown, ui
        return False

    def click(self, action: Action, x: int, y: int, shown: Shown[S, E]) -> bool:
        """Handles a click on an area that `draw` has made, and that the form does not know."""
        del action, x, y, shown
        return False

    def wheel(self, action: Action | None, steps: int, shown: Shown[S, E]) -> bool:
        """Handles the wheel, if the form does not."""
        del action, steps, shown
        return False

    def menu(self, shown: Shown[S, E], ui: Ui) -> list[MenuItem]:
        """Returns the lines that the board adds to the menu."""
        del shown, ui
        return []

    def news(self, events: Sequence[E]) -> tuple[str, bool]:
        """Returns what the player must not miss of events that are shown for the first time, for a toast, and whether
        that is bad; empty if there is nothing.
        """
        del events
        return "", False

    def requests(self, shown: Shown[S, E]) -> Sequence[Banner]:
        """Returns what one player asks of another, such as a draw, for both of them. Buttons have the form's keys."""
        del shown
        return ()

    def discreet(self, event: E) -> E:
        """Returns an event as the log may tell it now, if the player hides something from people who see the screen."""
        return event

    def on_position_changed(self) -> None:
        """Drops what was selected in the last position, once another one is shown. Optional."""

    def next_frame(self, shown: Shown[S, E]) -> float | None:
        """Returns when the picture changes by itself, apart from playback; None if nothing moves."""
        del shown
        return None

    @abstractmethod
    def help(self, shown: Shown[S, E]) -> Help:
        """Returns what F1 says on what to do now."""
