"""The base class of screens, and what a screen can ask of the app that shows it.

The app keeps a stack of screens and draws the top one on a `Canvas` of the terminal's size. For a screen with `overlay`
(a dialog), the app draws the screen below, dims it and removes its click areas first. Keys go to the top screen, then
to the app (F1 help, F2 or `c` chat, F10 menu, Ctrl-C leave). A screen with animation says when its next frame is due.
Otherwise nothing is drawn until a key, a click, a resize or `ui.redraw()`.

Names of keys: a printable character is its own name (" " is the space bar). The others are up, down, left, right,
enter, esc, tab, s-tab, backspace, delete, home, end, pageup, pagedown, f1 ... f12 and c-a ... c-z. A right click also
sends esc.

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
from typing import Any, ClassVar, Final, NamedTuple, Protocol

from kimberley.client.audio.port import AudioLike
from kimberley.client.ui.canvas import Action, Canvas
from kimberley.client.ui.palette import Palette
from kimberley.client.ui.window import WindowKind

NARROW: Final = 80
"""A terminal of fewer columns is portrait."""


class ScreenSize(NamedTuple):
    """The least columns and rows of one of the two forms of a screen."""

    columns: int
    rows: int

    @property
    def portrait(self) -> bool:
        """Returns whether it is the form of a phone that is held upright, in which everything can be done by touch."""
        return self.columns < NARROW

    def fits(self, width: int, height: int) -> bool:
        """Returns whether a terminal of `width` columns by `height` rows is large enough."""
        return width >= self.columns and height >= self.rows


LANDSCAPE: Final = ScreenSize(NARROW, 24)
PORTRAIT: Final = ScreenSize(40, 40)


class Section(NamedTuple):
    """A paragraph of help with its heading, and below it a list of points.

    `by_touch` stands in its place where there are no keys.
    """

    heading: str
    text: str
    points: tuple[str, ...] = ()
    by_touch: Section | None = None


@dataclass(frozen=True, slots=True)
class Help:
    """A page of help in our own words: what to do on a screen in its current phase, or the rules of a game."""

    title: str
    sections: tuple[Section, ...]


class MenuItem(NamedTuple):
    """A line of the menu (F10): its label, its letter, and what it does after the menu is closed.

    The letter of one that is `inside` works in the menu alone.
    """

    label: str
    key: str
    run: Callable[[], None]
    inside: bool = False

    def is_same(self, other: MenuItem) -> bool:
        """Returns whether another line does the same, perhaps in other words, such as "taxes" and "Tax and revenue"."""
        return self.key == other.key and (not other.inside or not self._stems.isdisjoint(other._stems))

    @property
    def _stems(self) -> frozenset[str]:
        return frozenset(word[:3] for word in self.label.lower().split())


class Ui(Protocol):
    """What the app offers its screens. `now` is the time of the event loop in seconds, as in draw()."""

    @property
    def palette(self) -> Palette: ...
    @property
    def calm(self) -> bool:
        """Returns whether to skip all animation."""

    @property
    def window(self) -> WindowKind:
        """Returns what shows all this, and what its user can do there."""

    draft: str
    """A choice that is not handed in yet (`client.boards.draft`), empty if there is none. A page still has it after a
    reload.
    """

    @property
    def audio(self) -> AudioLike:
        """Music and sounds."""

    def now(self) -> float:
        """Returns the time of the event loop in seconds. Safe to call from any thread."""

    def redraw(self) -> None:
        """Draws a frame soon. Call it on the event loop's thread."""

    def push(self, screen: Screen) -> None:
        """Shows a screen or a dialog on top of the current one."""

    def pop(self, screen: Screen | None = None) -> None:
        """Closes the top screen, or the given one and all above it. Closing the last screen ends the program."""

    def replace(self, screen: Screen) -> None:
        """Replaces the topmost screen that is not an overlay. The bottom screen of the stack always stays."""

    def home(self) -> None:
        """Closes everything down to the title screen."""

    def toast(self, text: str, bad: bool = False) -> None:
        """Shows a text above the keys, for as long as it takes to read; an empty one removes the last one."""

    def confirm(
        self, title: str, text: str, yes: str, no: str, then: Callable[[], None], *, danger: bool = False
    ) -> None:
        """Asks for confirmation in a dialog. Calls `then` if the answer is `yes`.

        With `danger`, Enter answers `no`, and another letter than usual answers `yes`: what is lost cannot come back.
        """

    def start(self, work: Coroutine[Any, Any, object], *, finish: bool = False) -> None:
        """Runs a coroutine in the background. A UserError that it raises becomes a bad toast.

        When the program ends, the coroutine is canceled, or with `finish` given a moment to finish.
        """

    def alert(self, on: bool = True) -> None:
        """Signals that it is this player's turn (or with False, that it no longer is) by the bell, the window's title
        and a notice on the desktop, if the settings say so: without other settings, while the player looks elsewhere.
        """

    def copy(self, text: str) -> None:
        """Copies text to the clipboard, if what shows the program allows it."""


class Screen:
    """A screen or a dialog. Subclasses draw it and handle keys and clicks."""

    overlay: ClassVar[bool] = False
    """Whether the screen below stays visible."""
    dims: ClassVar[bool] = True
    """Whether an overlay dims the screen below."""
    typed: ClassVar[bool] = False
    """Whether Esc would lose what was typed into an overlay. Otherwise a click beside one that dims means Esc."""

    def __init__(self, ui: Ui) -> None:
        self.ui = ui

    @property
    def needs(self) -> tuple[ScreenSize, ...]:
        """The forms in which the screen can be drawn, at most one of them portrait. On a smaller terminal, the app asks
        for more room.
        """
        return (LANDSCAPE, PORTRAIT)

    def tick(self, now: float) -> None:
        """Does what is due, before each frame: moves on, plays sounds, tells news. Drawing changes nothing of that
        kind.
        """

    def draw(self, canvas: Canvas, now: float) -> None:
        """Draws everything on a canvas of the terminal's size, which is `portrait` in that form. The canvas is all ink,
        or for an overlay the dimmed screen below.
        """
        raise NotImplementedError

    def key(self, name: str) -> bool:
        """Handles a key. Returns False if the key has no meaning here."""
        del name
        return False

    def click(self, action: Action, x: int, y: int, button: str) -> bool:
        """Handles a click ("left" or "middle") on an area. Areas of the form "key:..." go to key() instead."""
        del action, x, y, button
        return False

    def wheel(self, action: Action | None, x: int, y: int, steps: int) -> bool:
        """Handles the wheel over an area, or outside all areas (None). `steps` is +1 for one notch down."""
        del action, x, y, steps
        return False

    def paste(self, text: str) -> bool:
        """Handles pasted text."""
        del text
        return False

    def skip(self, now: float) -> bool:
        """Skips to the end of the animation. Returns True if there was one; the key or click then has no other
        effect.
        """
        del now
        return False

    def next_frame(self, now: float) -> float | None:
        """Returns when to draw the next frame, as a time like `now`; None if nothing moves."""
        del now
        return None

    def help(self) -> Help | None:
        """Returns the first page of F1: what to do on this screen now."""
        return None

    def game_id(self) -> str | None:
        """Returns the id of the game that this screen is about. The second page of F1 has its rules."""
        return None

    def menu(self) -> list[MenuItem]:
        """Returns the lines that this screen adds to the menu."""
        return []

    def opened(self) -> None:
        """Called once, when the screen is pushed on the stack."""

    def shown(self) -> None:
        """Called when this becomes the topmost screen that is not an overlay."""

    def hidden(self) -> None:
        """Called when another such screen takes its place, or this one is closed."""

    def closed(self) -> None:
        """Called once, when the screen has been removed from the stack."""
