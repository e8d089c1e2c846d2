"""The pictures in docs/pictures: those of the terminal and of the music as SVG files, those of a tournament's page as
PNG files.

    .venv/bin/python -m tests.tools.pictures                # writes all of them
    .venv/bin/python -m tests.tools.pictures pay land       # writes some
    .venv/bin/python -m tests.tools.pictures --check        # says which are not what this command makes

They are drawn as the program draws them, from seeded games on a clock that stands: the same program makes the same
files. `tests/support/picture_scenes.py` has what they show. The one that moves, `game`, shows one recorded game,
tests/data/diamond-trust.kdt, which `kimberley verify` checks and `kimberley replay` plays.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final
from unittest import mock

from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.terminal_svg import svg
from tests.support.asyncs import run
from tests.support.chromium import open_chromium
from tests.support.moving_svg import moving_svg
from tests.support.page_pictures import PAGE_PICTURES, page_picture
from tests.support.paths import ROOT
from tests.support.picture_scenes import MOVING, SCENES, SMALL, Play, Size
from tests.support.recorded_table import RECORD
from tests.support.spectrogram import spectrogram

DRAWN: Final = {"spectrogram": spectrogram}
"""The pictures that show no screen."""
ALL: Final = (*SCENES, *MOVING, *DRAWN)
"""The pictures that are SVG files."""
MOVES: Final = (
    "A game of Diamond Trust of London: a bribe, a plan that is revealed, the changed order, the end. "
    f"From the record {RECORD.relative_to(ROOT).as_posix()}"
)
PICTURES: Final = ROOT / "docs" / "pictures"


def picture(name: str) -> str:
    """Returns the picture of a scene, or of several that follow each other, or of what is heard."""
    if name in DRAWN:
        return DRAWN[name]()
    if name in MOVING:
        return moving_svg([(canvas_of(each.play, SMALL), each.caption, each.seconds) for each in MOVING[name]], MOVES)
    return svg(canvas_of(SCENES[name].play, SCENES[name].size), SCENES[name].shows)


def canvas_of(play: Play, size: Size) -> Canvas:
    """Returns what a scene shows."""

    async def drawn() -> Canvas:
        app = await play()
        canvas = app.paint(*size, app.now())
        app.home()
        return canvas

    with mock.patch.dict(os.environ, TERM="xterm-256color"):
        return run(drawn())


def path_of(name: str) -> Path:
    return PICTURES / f"{name}.{'png' if name in PAGE_PICTURES else 'svg'}"


def write_pages(names: Sequence[str]) -> None:
    """Writes pictures of the page."""
    with open_chromium() as chromium:
        for name in names:
            path_of(name).write_bytes(page_picture(chromium, name))


def is_current(name: str) -> bool:
    """Returns whether the file is what this command makes."""
    path = path_of(name)
    return path.exists() and path.read_text("utf-8") == picture(name)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.tools.pictures", description="Draws the pictures of docs/pictures."
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="a picture; all if none is named")
    parser.add_argument(
        "--check", action="store_true", help="write nothing, and name the pictures that are not current"
    )
    given = parser.parse_args(arguments)
    known = (*ALL, *PAGE_PICTURES)
    if unknown := sorted(set(given.names) - set(known)):
        parser.error(f"no such picture: {', '.join(unknown)}. There are {', '.join(known)}.")
    chosen = given.names or list(known)
    names, pages = ([name for name in chosen if (name in PAGE_PICTURES) is page] for page in (False, True))
    if given.check:
        stale = [name for name in names if not is_current(name)]
        for name in stale:
            print(f"docs/pictures/{name}.svg is not what `python -m tests.tools.pictures {name}` makes.")
        return int(bool(stale))
    for name in names:
        path_of(name).write_text(picture(name), "utf-8")
        if name in MOVING:
            print(f"docs/pictures/{name}.svg shows the game of the record {RECORD.relative_to(ROOT).as_posix()}.")
    if pages:
        write_pages(pages)
    return 0


if __name__ == "__main__":
    sys.exit(main())
