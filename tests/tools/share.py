"""Writes what people expect along with a program that they install: from the parser of the command, the man page and
the completions of the shells, and the icon.

    python -m tests.tools.share
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

import shtab
from argparse_manpage.manpage import Manpage

from kimberley.client.cli.parser import build_parser
from tests.support.paths import ROOT

SHARE: Final = ROOT / "share"


def manual() -> str:
    """Returns the man page. It has no date, so that it changes only with the commands."""
    page = Manpage(build_parser())
    page.date, page.source, page.manual = "", "Kimberley", "Kimberley"
    page.description = "diamond games to play with friends, with no game server and no need to trust anyone"
    return f"{page}\n"


WRITTEN: Final[Mapping[str, Callable[[], str]]] = {
    "man/man1/kimberley.1": manual,
    "bash-completion/completions/kimberley": lambda: shtab.complete(build_parser(), "bash"),
    "zsh/site-functions/_kimberley": lambda: shtab.complete(build_parser(), "zsh"),
    "icons/hicolor/scalable/apps/kimberley.svg": lambda: (ROOT / "referee/pages/static/gem.svg").read_text("utf-8"),
}
"""What is written, by its place below `share`."""


def write(folder: Path) -> None:
    for place, make in WRITTEN.items():
        (folder / place).parent.mkdir(parents=True, exist_ok=True)
        (folder / place).write_text("".join(f"{line.rstrip()}\n" for line in make().splitlines()), "utf-8")


if __name__ == "__main__":
    write(SHARE)
