"""Whom a table of a tournament waits for before its game."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TableWait:
    """Whom a table waits for before its game: the seats, what these players are doing, and the loop's time at which the
    first of them runs out of time.

    `doing` is "not connected", "on the way", "sitting down" or "comparing words".
    """

    seats: tuple[int, ...]
    doing: str
    until: float
