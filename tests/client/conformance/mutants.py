"""Mutants of our own peer, by name: the conformance suite finds each of them by the case that it names.

python -m tests.client.conformance.mutants NAME        is `kimberley peer` with that mutation, a target for the suite
python -m tests.client.conformance.mutants             prints the table that docs/conformance.md holds
"""

from __future__ import annotations

import sys
from collections import defaultdict
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
    """Lists the mutants of each part, each with the case that catches it."""
    parts = defaultdict(list)
    for name, mutant in MUTANTS.items():
        part, _, change = name.partition(": ")
        parts[part].append(f"{change} ({mutant.case})")
    rows = [f"| {part} | {'; '.join(changes)} |" for part, changes in parts.items()]
    return "\n".join(["| part | mutants, each with its case |", "|---|---|", *rows])


def main() -> int:
    if not sys.argv[1:]:
        sys.stdout.write(f"{table()}\n")
        return 0
    MUTANTS[sys.argv[1]].put_in()
    return peer.main()


if __name__ == "__main__":
    sys.exit(main())
