"""Mutants of our own peer, by name: the conformance suite finds each of them by the case that it names.

python -m tests.conformance.mutants NAME        is `kimberley peer` with that mutation, a target for the suite
python -m tests.conformance.mutants             lists all of them, each with its case
"""

from __future__ import annotations

import sys
from typing import Final

from kimberley.conformance.target import peer
from tests.conformance.mutant import Mutant
from tests.conformance.mutations_around import AROUND
from tests.conformance.mutations_judged import JUDGED
from tests.conformance.mutations_network import NETWORK
from tests.conformance.mutations_seating import SEATING
from tests.conformance.mutations_signed import SIGNED

MUTANTS: Final[dict[str, Mutant]] = {**SIGNED, **JUDGED, **NETWORK, **SEATING, **AROUND}


def main() -> int:
    if not sys.argv[1:]:
        sys.stdout.writelines(f"{mutant.case}  {name}\n" for name, mutant in MUTANTS.items())
        return 0
    MUTANTS[sys.argv[1]].put_in()
    return peer.main()


if __name__ == "__main__":
    sys.exit(main())
