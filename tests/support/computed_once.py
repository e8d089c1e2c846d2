"""Computes once what several seats in one process would each compute.

At a table in memory, every seat, spectator and audit checks the same signatures and proofs, and tests begin with the
same seeds. The group operations and the signature check depend only on their arguments, so their results are cached.
Tests of whole tables take a quarter of the time, and no result differs.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

from kimberley.protocol.crypto import group, signatures

OPERATIONS: Final = ("base", "mul", "add", "sub", "hash_to_group", "is_point")
REMEMBERED: Final = 1 << 16
"""Cached results of each operation: about 30 MB."""
MUTABLE: Final = (group.__name__, signatures.__name__)
"""The modules whose functions are cached. A mutant of them would not be seen, and what it computes must not be kept."""

OWN: Final[list[tuple[Any, str, Any]]] = [
    *((type(group.RISTRETTO), name, getattr(type(group.RISTRETTO), name)) for name in OPERATIONS),
    (signatures, "verify", signatures.verify),
]
CACHED: Final = [(owner, name, lru_cache(REMEMBERED)(function)) for owner, name, function in OWN]


def compute_once(mutant: str = "") -> None:
    """Turns the cache on for this process, or off where the `mutant` that mutmut tests is of a cached module."""
    for owner, name, function in OWN if mutant.rpartition(".")[0] in MUTABLE else CACHED:
        setattr(owner, name, function)
