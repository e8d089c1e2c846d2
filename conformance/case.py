"""Cases: what the suite asks of a target, by section of SPEC.md."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import Final, Literal

from kimberley.conformance.harness.harness import Harness

Verdict = Literal["ok", "non-strict", "failed", "unimplemented", "informational", "not claimed"]

CASES: Final[dict[str, Case]] = {}
"""All cases, by id."""

_ID: Final = re.compile(r"\d\d-\d\d")
_REQUIREMENT: Final = re.compile(r"[MS]-[A-Z]{3}-\d+")


@dataclass(frozen=True)
class Case:
    """One case. `covers` are the numbers of its requirements. If all are SHOULDs, the case is `lenient`: a target that
    misses them is non-strict.
    """

    id: str
    title: str
    expect: str
    covers: tuple[str, ...]
    run: Callable[[Harness], Awaitable[None]]
    lenient: bool = False
    seconds: float = 90.0

    @property
    def section(self) -> int:
        return int(self.id[:2])


def case(
    id: str, title: str, *, covers: Iterable[str] = (), expect: str, seconds: float = 90.0
) -> Callable[[Callable[[Harness], Awaitable[None]]], Callable[[Harness], Awaitable[None]]]:
    """Registers a coroutine function as a case. A case that covers only SHOULDs is lenient. Raises ValueError."""
    numbers = tuple(dict.fromkeys(covers))
    if id in CASES or not _ID.fullmatch(id) or not all(map(_REQUIREMENT.fullmatch, numbers)):
        raise ValueError(f"{id} {numbers}: two cases have this id, or it is not an id, or these are not requirements")
    lenient = bool(numbers) and all(number.startswith("S") for number in numbers)

    def register(run: Callable[[Harness], Awaitable[None]]) -> Callable[[Harness], Awaitable[None]]:
        CASES[id] = Case(id, title, expect, numbers, run, lenient, seconds)
        return run

    return register
