"""Computes once what several seats in one process would each compute.

At a table in memory, every seat, spectator and audit checks the same signatures and proofs, and the audit of a seat
makes its proofs again; tests begin with the same seeds. All of this depends only on its arguments, so the results are
cached. Tests of whole tables take a fifth of the time, and no result differs. Only the machines of the asks get cached
proofs: tests that call the functions of `protocol/crypto` have them computed each time. So does whoever puts a fault
into the program, in `computed_each_time`: the machines would not see it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from importlib import import_module
from types import ModuleType
from typing import Any, Final

from kimberley.protocol.crypto import coin, disclosure, ranges, shares, shuffle, signatures
from kimberley.protocol.crypto.ristretto import RISTRETTO

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
"""The modules of proofs that the machines had before they got cached ones."""
CACHED: Final = [(owner, name, lru_cache(REMEMBERED)(function)) for owner, name, function in OWN]


class Proofs:
    """A module of `protocol/crypto` as the machines of the asks see it: `names` are computed once."""

    def __init__(self, module: ModuleType, names: tuple[str, ...]) -> None:
        self._module = module
        for name in names:
            setattr(self, name, with_lists(lru_cache(PROVEN)(getattr(module, name))))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._module, name)


def with_lists(function: Callable[..., Any]) -> Callable[..., Any]:
    """The same cached function, which also takes lists: tuples stand for them."""

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
