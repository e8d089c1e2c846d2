"""An app at its title screen, and a check for any screen."""

from __future__ import annotations

from kimberley.client.screens.app import App
from kimberley.client.ui.palette import Depth, Palette
from tests.support.pretend import shown

SIZES = ((80, 24), (100, 34), (120, 28), (120, 40), (140, 45), (200, 60))


def check(app: App, text: str) -> None:
    """Asserts that the text is shown at every size, depth and set of glyphs."""
    for ascii_only in (False, True):
        for depth in Depth:
            app.palette, app.ascii_only = Palette(depth), ascii_only
            for columns, rows in SIZES:
                painted = shown(app, columns, rows)
                assert text in painted, f"{columns} x {rows}:\n{painted}"
                assert painted.isascii() or not ascii_only
