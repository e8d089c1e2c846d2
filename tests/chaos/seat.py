"""`kimberley` with seeded randomness (`tests.support.seeded`), and a wall clock that jumps if that is asked for."""

from __future__ import annotations

import sys

from tests.chaos.programs import WILD
from tests.support import seeded
from tests.support.wild_clock import wild_clock


def main() -> int:
    if WILD in sys.argv:
        sys.argv.remove(WILD)
        wild_clock()
    return seeded.main()


if __name__ == "__main__":
    sys.exit(main())
