"""Seal: seats choose, and open nothing before the audit."""

from __future__ import annotations

from dataclasses import dataclass

from kimberley.games.spaces import BySeat


@dataclass(frozen=True, slots=True)
class Seal:
    """Seats choose at the same time and open nothing before the audit.

    Answer by seat: the own choice, HIDDEN for another's, None where not asked.
    """

    spaces: BySeat
    topic: str
