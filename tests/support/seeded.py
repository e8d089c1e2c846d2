"""`kimberley` with seeded randomness: identities, secrets, and the names and choices of bots.

    KIMBERLEY_SEED=7 python -m tests.support.seeded alone mine --data FOLDER

Programs whose data folders have different names draw different values. The same choices of the players, in the same
order, lead to the same game. Only `kimberley demo` starts programs of its own: their bots get its seed, but chance is
not seeded.
"""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path
from random import Random
from typing import Final

from kimberley.p2p.base.platform import SystemPlatform, set_platform

SEED_VARIABLE: Final = "KIMBERLEY_SEED"
DECIDE: Final = ("kimberley.p2p.table.seating", "kimberley.referee.command")
"""Modules whose random bytes decide games. In other modules they only distinguish connections and files."""
KEYS: Final = "kimberley.p2p.storage.identity"


def seed_environment() -> dict[str, str]:
    """Returns the environment that a seeded program needs."""
    return {SEED_VARIABLE: os.environ.get(SEED_VARIABLE, "1")}


class SeededPlatform(SystemPlatform):
    """This machine, with chance from the seed for one data folder."""

    def __init__(self, folder: str) -> None:
        def stream(purpose: str) -> Random:
            return Random(f"{os.environ[SEED_VARIABLE]} {folder} {purpose}")

        self._streams = {module: stream(module) for module in DECIDE} | {KEYS: stream("keys")}
        self._bots = stream("bots")

    def random_bytes(self, size: int) -> bytes:
        # Above this one stands the function of `kimberley.p2p.base.platform`, and above that the module that asks.
        stream = self._streams.get(sys._getframe(2).f_globals["__name__"])
        return stream.randbytes(size) if stream is not None else super().random_bytes(size)

    def chance(self) -> Random:
        return self._bots


def hear_signals() -> None:
    """Lets Ctrl-C and the end of a terminal be heard: programs that a shell starts in the background, or that nohup
    starts, ignore them.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


def main() -> int:
    hear_signals()
    typed = sys.argv[1:]
    set_platform(SeededPlatform(Path(typed[typed.index("--data") + 1]).name if "--data" in typed else ""))

    from kimberley.client.cli import main

    return main.main(typed)


if __name__ == "__main__":
    sys.exit(main())
