"""A machine where nothing of ours is installed: a home, a shell and Python."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

from tests.support.terminal import Terminal

PYTHON: Final = Path(sys.base_prefix, "bin", "python3")
BY_HAND: Final = 'shift 3; exec {} "$@"'
"""Types a line in place of the three words with which a terminal of the tests starts the program."""


class Friend:
    """Somebody who sits at such a machine."""

    def __init__(self, home: Path) -> None:
        self.home = home
        (home / "bin").mkdir(parents=True)
        (home / "bin/python3").symlink_to(PYTHON)

    def types(self, line: str) -> Terminal:
        """Returns a terminal in which this line was typed."""
        environ = {"PATH": f"{self.home}/bin:/usr/bin:/bin"}
        where = ["env", "-C", str(self.home), f"HOME={self.home}", "sh", "-c", BY_HAND.format(line), "sh"]
        return Terminal(data=self.home / "data", inside=where, environ=environ)

    @property
    def copy(self) -> Path:
        """The file that a line has left."""
        (kept,) = (self.home / ".cache" / "kimberley").glob("*/kimberley.pyz")
        return kept
