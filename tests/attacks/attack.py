"""One attack on the real program, and its outcome."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Outcome:
    """`held` is whether the attack failed. `figure` is the measured result."""

    held: bool
    figure: str


@dataclass(frozen=True, slots=True)
class Attack:
    """`name` is the name to type on the command line. `title` is one sentence that says what the attacker does."""

    name: str
    title: str
    run: Callable[[], Outcome]
