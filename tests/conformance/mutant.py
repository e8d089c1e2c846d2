"""A mutant of our own peer: one thing in it is nearly right, and one case of the conformance suite finds that."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from inspect import getattr_static
from types import ModuleType
from typing import Any


@dataclass(frozen=True)
class Mutant:
    """`where` has an attribute `name`, its own or inherited, which `make` replaces, given what was there. `case` is the
    id of the case that catches it. It is a fault in one place of the program, so `name` may be private: it is replaced,
    and nothing is asserted of it.
    """

    where: Any
    name: str
    make: Callable[[Any], Any]
    case: str

    @property
    def module(self) -> str:
        """The module, by its full name, that the fault is in."""
        return str(self.where.__name__ if isinstance(self.where, ModuleType) else self.where.__module__)

    @property
    def right(self) -> Any:
        """What was there."""
        return getattr_static(self.where, self.name)

    def put_in(self) -> None:
        """Makes this process the mutant from now on."""
        setattr(self.where, self.name, self.make(self.right))
