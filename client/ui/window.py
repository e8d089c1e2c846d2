"""What shows the app and reports what its user does: the terminal's window, or a page's.

The app opens a window and is its owner. While the window runs, it asks the owner for frames of its size, and passes on
keys, clicks and pasted text, by the names in `client.ui.screen`.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, Protocol, TypeAlias

from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.palette import Depth, Palette
from kimberley.client.ui.theme import Theme


class WindowKind(NamedTuple):
    """What a window is to its user: what sentences call it, and what can be done there."""

    called: str
    """What shows the program: "terminal" or "page"."""
    program: str
    """What that belongs to, and what decides about the clipboard: "terminal" or "browser"."""
    has_keys: bool
    """Whether its user presses keys. One who does not has buttons for all of them, and never reads about keys."""
    has_shell: bool
    """Whether its user can type commands once the program has ended. If not, a reload starts the program again."""

    def copied(self, claim: str = "Copied") -> str:
        """Returns what is said about what goes to the clipboard: nobody learns whether it has arrived there."""
        return f"{claim}, if your {self.program} allows it."


class WindowOwner(Protocol):
    """The app, as its window sees it."""

    @property
    def palette(self) -> Palette: ...
    def draw(self, width: int, height: int) -> Canvas:
        """Paints a frame of that many columns and rows. From now on clicks refer to this frame."""

    def frame_shown(self) -> None:
        """Called when the user sees a frame."""

    def key(self, name: str, latin: str = "") -> None:
        """Handles a key. `latin` is the character at its place on QWERTY, if that is known."""

    def paste(self, text: str) -> None:
        """Handles pasted text."""

    def touch(self, x: int, y: int, button: str) -> None:
        """Handles a press of the "left", "middle" or "right" button on a cell."""

    def wheel(self, x: int, y: int, steps: int) -> None:
        """Handles the wheel over a cell; `steps` is +1 for a notch downward."""

    def focus(self, on: bool) -> None:
        """Handles the window gaining the focus, or losing it."""

    def apply_settings(self) -> None:
        """Applies the settings anew, since the window's background has become known."""


class AppWindow(Protocol):
    """Shows the frames of its owner."""

    @property
    def kind(self) -> WindowKind:
        """Returns what it is to its user."""

    draft: str
    """What the user has drafted (`Ui.draft`)."""

    @property
    def depth(self) -> Depth:
        """Returns how many colors it shows."""

    @property
    def background(self) -> Theme | None:
        """The theme for its background; None until that is known."""

    @property
    def ascii_only(self) -> bool:
        """Returns whether it shows ASCII alone."""

    @property
    def still(self) -> bool:
        """Returns whether nothing that moves should be shown in it."""

    async def run(self) -> None:
        """Shows frames until `exit` is called. Raises what the owner raises."""

    def exit(self) -> None:
        """Ends `run`. Does nothing if it is not running."""

    def close(self) -> None:
        """Called once after `run`, when nothing more is shown: leaves everything as it was before."""

    def redraw(self) -> None:
        """Asks the owner for a frame soon."""

    def repaint(self) -> None:
        """Forgets what is shown, and shows a whole frame soon."""

    def ask_background(self) -> None:
        """Finds out what its background is, if it can."""

    def alert(self, text: str) -> None:
        """Calls the user, who may be looking elsewhere, to the move that `text` names."""

    def end_alert(self) -> None:
        """Ends the alert, once the move is made or the user looks."""

    def copy(self, text: str) -> None:
        """Copies text to the clipboard, if it can."""

    @property
    def give_file(self) -> Callable[[Path], None] | None:
        """Hands a file to the user. Raises OSError. None where the user opens files by their paths."""


OpenWindow: TypeAlias = Callable[[WindowOwner], AppWindow]
"""Opens a window for its owner."""
