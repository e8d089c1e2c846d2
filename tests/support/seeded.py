"""`kimberley` with seeded randomness: identities, secrets, and the names and choices of bots.

    KIMBERLEY_SEED=7 python -m tests.support.seeded alone mine --data FOLDER

Programs whose data folders have different names draw different values. The same choices of the players, in the same
order, lead to the same game. Only `kimberley demo` starts programs of its own: their bots get its seed, but chance is
not seeded.
"""

from __future__ import annotations

import os
import secrets
import sys
from pathlib import Path
from random import Random
from typing import Final

SEED_VARIABLE: Final = "KIMBERLEY_SEED"
DECIDE: Final = ("kimberley.p2p.table.seating", "kimberley.client.cli.referee")
"""Modules whose random bytes decide games. In other modules they only distinguish connections and files."""


def seed_environment() -> dict[str, str]:
    """The environment that a seeded program needs."""
    return {SEED_VARIABLE: os.environ.get(SEED_VARIABLE, "1")}


def main() -> int:
    typed = sys.argv[1:]
    folder = Path(typed[typed.index("--data") + 1]).name if "--data" in typed else ""

    def stream(purpose: str) -> Random:
        return Random(f"{os.environ[SEED_VARIABLE]} {folder} {purpose}")

    streams = {module: stream(module) for module in DECIDE}
    keys, bots = stream("keys"), stream("bots")
    unseeded = secrets.token_bytes

    def token_bytes(nbytes: int | None = None) -> bytes:
        decides = streams.get(sys._getframe(1).f_globals["__name__"])
        return decides.randbytes(nbytes or 32) if decides is not None else unseeded(nbytes)

    # Patch before everything else is imported: parameters have these functions as their defaults.
    secrets.token_bytes = token_bytes
    secrets.randbits = lambda k: bots.getrandbits(k)
    secrets.SystemRandom = lambda: bots  # type: ignore[assignment, misc]

    from kimberley.client.cli import main
    from kimberley.protocol.crypto import signatures

    signatures.generate = lambda: keys.randbytes(signatures.SECRET_SIZE)
    return main.main(typed)


if __name__ == "__main__":
    sys.exit(main())
