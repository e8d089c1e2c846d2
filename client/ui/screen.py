"""What a screen is, and what it may ask of the app that shows it.

The app keeps a stack of screens and draws the topmost on a `Canvas` of the terminal's size; a screen with `overlay`
(a dialog) is drawn over the one below, after the app has dimmed it and forgotten its areas. Keys go to the topmost
screen, then to the app (F1 help, F10 menu, `c` chat, Ctrl-C leave). A screen that has something moving says when its
next frame is due; otherwise nothing is drawn until a key, a click, a resize or `ui.redraw()`.

Names of keys: a printable character is itself (" " is the space bar); the others are up, down, left, right, enter,
esc, tab, s-tab, backspace, delete, home, end, pageup, pagedown, f1 ... f12 and c-a ... c-z. Esc is also what a right
click sends.

    class Clock(Screen):
        def draw(self, canvas: Canvas, now: float) -> None:
            title_bar(canvas, "Clock")
            button(canvas, 2, 4, "Stop", "s", primary=True)           # a click there is the key "s"
            key_bar(canvas, [Hint("s", "stop")])

        def key(self, name: str) -> bool:
            if name != "s":
                return False
            self.ui.pop(self)
            return True

        def next_frame(self, now: float) -> float | None:
            return math.floor(now) + 1.0
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Protocol

from client.canvas import Action, Canvas
from client.palette import Palette

if TYPE_CHECKING:
    from client.seats import TableLike
    from client.settings import Settings


class Section(NamedTuple):
    """A paragraph of help under its heading."""

    heading: str
    text: str


@dataclass(frozen=True, slots=True)
class Help:
    """What F1 shows: in our own words, for the screen and the phase at hand."""

    title: str
    sections: tuple[Section, ...]


class MenuItem(NamedTuple):
    """A line of the menu (F10): what it says, its letter, and what it does once the menu is closed."""

    label: str
    key: str
    run: Callable[[], None]


class Ui(Protocol):
    """What the app offers its screens. `now` is the time of the event loop in seconds, as in draw()."""

    @property
    def settings(self) -> Settings: ...
    @property
    def palette(self) -> Palette: ...
    @property
    def calm(self) -> bool:
        """Whether everything that moves is to be skipped."""

    def now(self) -> float:
        """The time of the event loop in seconds. Any thread may ask."""

    def redraw(self) -> None:
        """Draws a frame soon. To be called on the event loop's thread."""

    def push(self, screen: Screen) -> None:
        """Shows a screen or a dialog above the present one."""

    def pop(self, screen: Screen | None = None) -> None:
        """Closes the topmost screen, or the one given with all above it; the last one closed ends the program."""

    def replace(self, screen: Screen) -> None:
        """Shows a screen in the place of the topmost one that is no overlay, but for the first of all."""

    def home(self) -> None:
        """Closes everything down to the title screen."""

    def toast(self, text: str, bad: bool = False) -> None:
        """One row above the keys, for three seconds."""

    def confirm(self, title: str, text: str, yes: str, no: str, then: Callable[[], None]) -> None:
        """Asks back in a dialog; `then` runs if the answer is `yes`."""

    def start(self, work: Coroutine[Any, Any, object], *, finish: bool = False) -> None:
        """Runs a coroutine in the background; a trouble that it raises becomes a bad toast.

        When the program ends it is cancelled, or with `finish` given a moment to come to its end.
        """

    def alert(self, on: bool = True) -> None:
        """It is this player's move, or no more: the bell and the window's title, if the settings say so."""

    def copy(self, text: str) -> None:
        """Puts text on the clipboard, by OSC 52, where the terminal allows it."""


class Screen:
    """A screen or a dialog. Subclasses draw, and answer keys and clicks."""

    overlay: ClassVar[bool] = False
    """Whether the screen below stays visible, dimmed."""
    dims: ClassVar[bool] = True
    """Whether an overlay dims what is below."""
    needs: ClassVar[tuple[int, int]] = (80, 24)
    """The smallest terminal, in columns and rows; the app says so on a smaller one."""

    def __init__(self, ui: Ui) -> None:
        self.ui = ui

    @property
    def table(self) -> TableLike | None:
        """The table that this screen plays on: it puts chat, resign and leave into the menu."""
        return None

    def draw(self, canvas: Canvas, now: float) -> None:
        """Draws everything, on a canvas of the terminal's size that is all ink (or, for an overlay, dimmed)."""
        raise NotImplementedError

    def key(self, name: str) -> bool:
        """Answers a key. False if it means nothing here."""
        del name
        return False

    def click(self, action: Action, x: int, y: int, button: str) -> bool:
        """Answers a click ("left" or "middle") on an area; "key:..." areas arrive at key() instead."""
        del action, x, y, button
        return False

    def wheel(self, action: Action | None, x: int, y: int, steps: int) -> bool:
        """Answers the wheel over an area, or beside all of them (None): +1 is one notch down."""
        del action, x, y, steps
        return False

    def paste(self, text: str) -> bool:
        """Answers pasted text."""
        del text
        return False

    def skip(self, now: float) -> bool:
        """Jumps to the end of what is moving. True if something was: then the key or click that did it is used up."""
        del now
        return False

    def next_frame(self, now: float) -> float | None:
        """When to draw again by itself, as a time like `now`; None where nothing moves."""
        del now
        return None

    def help(self) -> Help | None:
        """What F1 shows here."""
        return None

    def menu(self) -> list[MenuItem]:
        """What this screen adds to the menu."""
        return []

    def opened(self) -> None:
        """Called once, when the screen is put on the stack."""

    def shown(self) -> None:
        """Called whenever the screen becomes the one that is seen, other than below a dialog."""

    def hidden(self) -> None:
        """Called whenever another screen takes its place, or it is closed."""

    def closed(self) -> None:
        """Called once, when the screen has left the stack."""
