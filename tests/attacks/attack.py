"""One attack on the real program: what it tries, and what came of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Outcome:
    """`held` is whether the attack failed; `figure` is what was measured, as docs/hostile.md quotes it."""

    held: bool
    figure: str


@dataclass(frozen=True, slots=True)
class Attack:
    """`name` is what one types, `title` one sentence that says what the attacker does."""

    name: str
    title: str
    run: Callable[[], Outcome]
