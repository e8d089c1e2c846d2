"""Mutants of our own peer, by name: the conformance suite finds each of them by the case that it names.

python -m tests.client.conformance.mutants NAME        is `kimberley peer` with that mutation, a target for the suite
python -m tests.client.conformance.mutants             prints the table that docs/conformance.md holds
"""

from __future__ import annotations

import sys
from typing import Final

from kimberley.client.cli import peer
from tests.client.conformance.mutant import Mutant
from tests.client.conformance.mutations_around import AROUND
from tests.client.conformance.mutations_judged import JUDGED
from tests.client.conformance.mutations_network import NETWORK
from tests.client.conformance.mutations_seating import SEATING
from tests.client.conformance.mutations_signed import SIGNED

MUTANTS: Final[dict[str, Mutant]] = {**SIGNED, **JUDGED, **NETWORK, **SEATING, **AROUND}


def table() -> str:
    """Every mutant, and the case that catches it."""
    from kimberley.client.conformance.cases import CASES  # takes a while, and no mutant needs it

    rows = [f"| {name} | {mutant.case} | {CASES[mutant.case].title} |" for name, mutant in MUTANTS.items()]
    return "\n".join(["| mutant | case | which is |", "|---|---|---|", *rows])


def main() -> int:
    if not sys.argv[1:]:
        sys.stdout.write(f"{table()}\n")
        return 0
    MUTANTS[sys.argv[1]].put_in()
    return peer.main()


if __name__ == "__main__":
    sys.exit(main())
