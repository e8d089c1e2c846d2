"""Cases: what the suite asks of a target, by section of SPEC.md, and how one is judged."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

if TYPE_CHECKING:
    from client.conformance.bench import Bench

Verdict = Literal["ok", "non-strict", "failed", "unimplemented", "informational"]

CASES: Final[dict[str, Case]] = {}
"""All cases, by id."""

_ID: Final = re.compile(r"\d\d-\d\d")
_REQUIREMENT: Final = re.compile(r"[MS]-[A-Z]{3}-\d+")


class Failed(Exception):
    """The target does not do what the case expects; the sentence says what it did."""


class Unimplemented(Exception):
    """The target says that it lacks what the case needs."""


class Noted(Exception):
    """Nothing is required here; the sentence says what the target does."""


@dataclass(frozen=True)
class Case:
    """One case. `covers` are numbers of requirements; `lenient`: only SHOULDs are at stake, so to miss them is
    non-strict.
    """

    id: str
    title: str
    expect: str
    covers: tuple[str, ...]
    run: Callable[[Bench], Awaitable[None]]
    lenient: bool = False
    seconds: float = 90.0

    @property
    def section(self) -> int:
        return int(self.id[:2])


def case(
    id: str, title: str, *, covers: Iterable[str] = (), expect: str, seconds: float = 90.0
) -> Callable[[Callable[[Bench], Awaitable[None]]], Callable[[Bench], Awaitable[None]]]:
    """Makes a case of a coroutine function. A case that covers nothing but SHOULDs is lenient."""
    numbers = tuple(dict.fromkeys(covers))
    assert _ID.fullmatch(id), id
    assert all(map(_REQUIREMENT.fullmatch, numbers)), numbers
    assert id not in CASES, id
    lenient = bool(numbers) and all(number.startswith("S") for number in numbers)

    def made(run: Callable[[Bench], Awaitable[None]]) -> Callable[[Bench], Awaitable[None]]:
        CASES[id] = Case(id, title, expect, numbers, run, lenient, seconds)
        return run

    return made
