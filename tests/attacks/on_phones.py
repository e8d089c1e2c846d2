"""A phone at a table of three: nobody attacks, and its host's program must not end its connection by itself."""

from __future__ import annotations

import os
from typing import Final

from tests.attacks.attack import Attack, Outcome
from tests.support.seeded import SEED_VARIABLE
from tests.tools.phones import KINDS, played

TIMES: Final = 3
ROUNDS: Final = 4


def run() -> Outcome:
    failed = 0
    for number in range(TIMES):
        os.environ[SEED_VARIABLE] = str(number + 1)
        failed += bool(played(KINDS["land-3-1"], ROUNDS))
    return Outcome(not failed, f"{failed} of {TIMES} games lose a connection or stand still within {ROUNDS} rounds")


ATTACKS: Final = (Attack("phone-of-three", "A phone and two terminals play at one table.", run),)
