"""Computes once what several seats in one process would each compute.

At a table in memory, every seat, spectator and audit reads the same envelopes, checks the same signatures and proofs,
and runs the same seats again, whose proofs are then made again; tests begin with the same seeds. All of this depends
only on its arguments, so the results are cached. Tests of whole tables take a fifth of the time, and no result differs.
Only the machines of the asks get cached proofs: tests that call the functions of `protocol/crypto` have them computed
each time. So do tests that put a fault into the program, in `computed_each_time`: the machines would not see it.
"""

from __future__ import annotations

import marshal
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import import_module
from types import ModuleType
from typing import Any, Final

from kimberley.games.table import Plain
from kimberley.protocol import encoding, envelope, peer
from kimberley.protocol.crypto import coin, disclosure, hashing, ranges, shares, shuffle, signatures
from kimberley.protocol.crypto.ristretto import RISTRETTO
from kimberley.protocol.log import Reexecution, StageLog, reexecute
from kimberley.protocol.roster import SignedRoster

OPERATIONS: Final = ("base", "mul", "add", "sub", "hash_to_group", "is_point")
REMEMBERED: Final = 1 << 16
"""Cached results of each operation: about 30 MB."""
PROOFS: Final[dict[ModuleType, tuple[str, ...]]] = {
    coin: ("share", "verify_share"),
    disclosure: ("offer",),
    ranges: ("prove", "verify"),
    shares: ("share", "verify_share", "mail", "verify_mail"),
    shuffle: ("shuffle", "prove", "verify"),
}
PROVEN: Final = 1 << 11
"""Cached results of each function of PROOFS, of up to 20 KB."""
READ: Final = 1 << 13
"""Cached values, and hashes, of the bytes of envelopes: those of a few dozen games."""
RUN_AGAIN: Final = 1 << 7
"""Cached re-executions of seats, each with its whole game."""
MACHINES: Final = ("base", "disclose", "roll", "seal", "show", "shuffle")
"""The modules of `protocol/asks` that make and check proofs."""
MUTABLE: Final = (type(RISTRETTO).__module__, signatures.__name__)
"""The modules whose functions are cached. A mutant of them would not be seen, and what it computes must not be kept."""

OWN: Final[list[tuple[Any, str, Any]]] = [
    *((type(RISTRETTO), name, getattr(type(RISTRETTO), name)) for name in OPERATIONS),
    (signatures, "sign", signatures.sign),
    (signatures, "verify", signatures.verify),
]
SWAPPED: Final[list[tuple[Any, str, Any]]] = []
"""What was there before it was cached: the modules of proofs of the machines, and what is done with envelopes."""
CACHED: Final = [(owner, name, lru_cache(REMEMBERED)(function)) for owner, name, function in OWN]


class Proofs:
    """A module of `protocol/crypto` as the machines of the asks see it: `names` are computed once."""

    def __init__(self, module: ModuleType, names: tuple[str, ...]) -> None:
        self._module = module
        for name in names:
            setattr(self, name, with_lists(lru_cache(PROVEN)(getattr(module, name))))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._module, name)


@dataclass(frozen=True)
class Published:
    """What a seat signed at a table and published after it; equal if its bytes are."""

    stages: Sequence[StageLog] = field(compare=False)
    choices: Sequence[Plain] = field(compare=False)
    spelled: bytes


@lru_cache(RUN_AGAIN)
def run_once(game: Any, table: SignedRoster, seat: int, seed: bytes, what: Published, group: Any) -> Reexecution:
    return reexecute(game, table, what.stages, seat, seed, what.choices, group)


def reexecute_once(
    game: Any,
    table: SignedRoster,
    log: Sequence[StageLog],
    seat: int,
    seed: bytes,
    choices: Sequence[Plain],
    group: Any = RISTRETTO,
) -> Reexecution:
    """Re-executes like `reexecute`, but runs no seat twice."""
    stages = [(one.step, one.stage, sorted(one.bodies.items()), sorted(one.left.items())) for one in log]
    # Unlike equal tuples, equal bytes are of the same types; version 2 spells equal values alike.
    spelled = marshal.dumps((stages, tuple(choices)), 2)
    return run_once(game, table, seat, seed, Published(tuple(log), tuple(choices), spelled), group)


def read_once() -> Callable[..., Plain]:
    """Returns an `encoding.unpack` that reads no bytes twice, unless it has a budget."""
    read = lru_cache(READ)(encoding.unpack)
    return lambda data, budget=None: encoding.unpack(data, budget) if budget is not None else read(data)


def with_lists(function: Callable[..., Any]) -> Callable[..., Any]:
    """Returns the same cached function, which also takes lists: tuples stand for them."""

    def call(*arguments: Any) -> Any:
        return function(*(tuple(each) if isinstance(each, list) else each for each in arguments))

    return call


def compute_once(mutant: str = "") -> None:
    """Turns the cache on for this process; where mutmut tries mutants, for single operations alone, and not where the
    `mutant` is of a cached module.
    """
    swap(OWN if mutant.rpartition(".")[0] in MUTABLE else CACHED)
    if mutant:
        return
    here: list[tuple[Any, str, Any]] = [
        (envelope, "unpack", read_once()),
        (envelope, "digest", lru_cache(READ)(hashing.digest)),
        (peer, "reexecute", reexecute_once),
    ]
    SWAPPED.extend((owner, name, getattr(owner, name)) for owner, name, _ in here)
    swap(here)
    cached = {module: Proofs(module, names) for module, names in PROOFS.items()}
    for machine in MACHINES:
        module = import_module(f"kimberley.protocol.asks.{machine}")
        for name, value in list(vars(module).items()):
            if isinstance(value, ModuleType) and value in cached:
                setattr(module, name, cached[value])
                SWAPPED.append((module, name, value))


@contextmanager
def computed_each_time() -> Iterator[None]:
    """Turns the cache off while the block lasts, where it is on."""
    originals = [*OWN, *SWAPPED]
    before = [(owner, name, vars(owner)[name]) for owner, name, _ in originals]
    swap(originals)
    try:
        yield
    finally:
        swap(before)


def swap(attributes: Iterable[tuple[Any, str, Any]]) -> None:
    for owner, name, value in attributes:
        setattr(owner, name, value)
