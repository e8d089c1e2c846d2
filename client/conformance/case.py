"""Cases: what the suite asks of a target, by section of SPEC.md, and how one is judged."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, TypeVar

if TYPE_CHECKING:
    from client.conformance.bench import Bench

T = TypeVar("T")

Verdict = Literal["ok", "non-strict", "failed", "unimplemented", "informational", "not claimed"]

CASES: Final[dict[str, Case]] = {}
"""All cases, by id."""

_ID: Final = re.compile(r"\d\d-\d\d")
_REQUIREMENT: Final = re.compile(r"[MS]-[A-Z]{3}-\d+")


class Failed(Exception):
    """The target does not do what the case expects; the sentence says what it did."""


def expect(holds: object, failure: str) -> None:
    """Raises Failed, with a sentence that says what the target did instead, where something does not hold."""
    if not holds:
        raise Failed(failure)


def typed(value: object, kind: type[T]) -> T:
    """A value of the suite's own, narrowed to a type. Raises TypeError: then the suite is wrong, not the target."""
    if not isinstance(value, kind):
        raise TypeError(f"a {type(value).__name__} where the suite needs a {kind.__name__}")
    return value


def present(value: T | None) -> T:
    """A value of the suite's own that must be there by now. Raises TypeError: then the suite is wrong."""
    if value is None:
        raise TypeError("the suite needs a value that is not there yet")
    return value


class NotClaimed(Exception):
    """The profile of the target does not name what the case needs."""

    def __init__(self, name: str) -> None:
        super().__init__(f"the target's profile does not name `{name}`")
        self.name = name


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
    if id in CASES or not _ID.fullmatch(id) or not all(map(_REQUIREMENT.fullmatch, numbers)):
        raise ValueError(f"{id} {numbers}: an id of two cases, or no id of a case, or no numbers of requirements")
    lenient = bool(numbers) and all(number.startswith("S") for number in numbers)

    def made(run: Callable[[Bench], Awaitable[None]]) -> Callable[[Bench], Awaitable[None]]:
        CASES[id] = Case(id, title, expect, numbers, run, lenient, seconds)
        return run

    return made
